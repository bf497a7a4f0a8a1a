/** Directories and connections fill attributes. Both are in the hands of the tenant's administrators. */
import { isDeepStrictEqual } from 'node:util'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { invalid } from '../../../errors/app-error.ts'
import type { Detail } from '../../audit/audit/audit.service.ts'
import { capacityOf, findReadable, isReadable, type Capacity } from './attribute-access.service.ts'
import { bytesOf, valueBytesMax, valueOfText } from './attribute-values.ts'
import type { StoredAttribute } from './attributes.sql.ts'
import * as store from './filled.store.ts'
import { fillValues, readDeclared } from './values.service.ts'

/** The attributes that a directory fills, with their paths. */
export const listPaths = ({ db }: Pick<Ctx, 'db'>): Promise<{ key: string; path: string }[]> =>
  store.selectPaths(db)

const scalarOf = (attribute: StoredAttribute, given: unknown): unknown => {
  if (typeof given === 'string') return valueOfText(attribute, given)
  const isText = attribute.schema.type === 'string'
  return isText && ['number', 'boolean'].includes(typeof given) ? String(given) : given
}

/** A provider's value in the type of an attribute. Undefined for a missing value, and for one of another type. */
const convertedTo = (attribute: StoredAttribute, given: unknown): unknown => {
  const all = [given ?? ''].flat().filter((one) => one !== '')
  if (attribute.schema.type === 'array') return all.length > 0 ? all : undefined
  return all.length === 1 ? scalarOf(attribute, all[0]) : undefined
}

/** The text at a path of a directory's resource. "" and undefined for none. */
export type ReadPath = (path: string) => unknown

/**
 * Fills the attributes of a locked user from a directory's resource. Returns the detail of the record. Deletes the values
 * of texts that the resource had before and lacks now.
 */
export const fillFromDirectory = async (
  ctx: TransactionCtx,
  userId: number,
  { before, after }: { before: ReadPath; after: ReadPath },
): Promise<Detail> => {
  const keys = (await store.selectPaths(ctx.db)).map(({ key }) => key)
  return fillValues(ctx, userId, keys, (attribute) => {
    const { scim: path } = attribute
    if (path === null) return undefined
    const isRemoved = (before(path) ?? '') !== '' && (after(path) ?? '') === ''
    return isRemoved ? null : convertedTo(attribute, after(path))
  })
}

export interface AttributeMapping {
  claim: string
  key: string
}

/** The values of claims by their names. */
export type ClaimedValues = Record<string, unknown>

/** Whether the database can store a value. */
const isSound = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.isWellFormed() && !value.includes('\0')
    : Number.isFinite(value) || typeof value === 'boolean'

/** The claims that fill attributes, without values that none can have. */
export const claimedBy = (mappings: AttributeMapping[], read: (claim: string) => unknown): ClaimedValues =>
  Object.fromEntries(
    mappings.flatMap(({ claim }) => {
      const value = read(claim)
      return [value].flat().every(isSound) && bytesOf(value) <= valueBytesMax ? [[claim, value]] : []
    }),
  )

/**
 * Fills the attributes of a locked user from the claims of a connection. Returns the detail of the record. A missing
 * claim leaves the value. For a user whom a directory has pushed, claims do not count.
 */
export const fillFromClaims = async (
  ctx: TransactionCtx,
  userId: number,
  mappings: AttributeMapping[],
  claimed: ClaimedValues,
): Promise<Detail> => {
  const claims = new Map(mappings.map(({ claim, key }) => [key, claim]))
  if (claims.size === 0) return {}
  const { is_pushed: isPushed } = await store.selectPushed(ctx.db, { tenantId: ctx.tenantId, userId })
  if (isPushed) return {}
  return fillValues(ctx, userId, [...claims.keys()], (attribute) =>
    convertedTo(attribute, claimed[claims.get(attribute.key) ?? '']),
  )
}

/** The mappings whose attributes somebody in this capacity may read. */
export const readableMappings = async (
  ctx: Pick<Ctx, 'db'>,
  mappings: AttributeMapping[],
  capacity: Capacity,
): Promise<AttributeMapping[]> => {
  if (mappings.length === 0) return []
  const declared = await readDeclared(ctx, 'user')
  return mappings.filter(({ key }) => {
    const attribute = declared.get(key)
    return attribute && isReadable(attribute, capacity)
  })
}

/** The mappings that the caller may read. Guests of setup links read none. */
export const shownMappings = async (ctx: Ctx, mappings: AttributeMapping[]): Promise<AttributeMapping[]> =>
  ctx.actor.guest ? [] : readableMappings(ctx, mappings, capacityOf(ctx.actor))

/**
 * The mappings of a connection after a change: the given ones, and the earlier ones that the caller may not read. Without
 * given ones all stay. Throws 400 for a new mapping of a key that a connection cannot fill, and for a second one of a key.
 */
export const changedMappings = async (
  ctx: Ctx,
  before: AttributeMapping[],
  given: AttributeMapping[] | undefined,
): Promise<AttributeMapping[]> => {
  if (!given) return before
  const shown = await shownMappings(ctx, before)
  await requireFillable(ctx, given, shown)
  if (isDeepStrictEqual(given, shown)) return before
  return [...given, ...before.filter((one) => !shown.includes(one))]
}

const requireFillable = async (
  ctx: Ctx,
  mappings: AttributeMapping[],
  known: AttributeMapping[],
): Promise<void> => {
  if (mappings.length === 0) return
  const declared = await readDeclared(ctx, 'user')
  for (const [index, mapping] of mappings.entries()) {
    const [{ key }, field] = [mapping, `attributes.${index}.key`]
    const { administrators } = findReadable(declared, key, capacityOf(ctx.actor), field)
    if (administrators !== 'write' && !known.some((one) => isDeepStrictEqual(one, mapping))) {
      throw invalid(field, 'needs administrators with write: a connection is in their hands')
    }
    if (mappings.findIndex((one) => one.key === key) < index) throw invalid(field, 'has a claim already')
  }
}
