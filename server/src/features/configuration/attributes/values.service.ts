/** The values of attributes that a user or a tenant has. */
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { loggable, type Detail } from '../../audit/audit/audit.service.ts'
import { faultsOf, isValid } from '../../../values/schema-validator.ts'
import { findWritable, isReadable, type Capacity } from './attribute-access.service.ts'
import { bytesMax, bytesOf, foldedOf, valueBytesMax } from './attribute-values.ts'
import type { AttributeValues, Subject } from './attributes.schemas.ts'
import type { StoredAttribute } from './attributes.sql.ts'
import * as store from './attributes.store.ts'
import type { Holder } from './attributes.store.ts'
import { selectFilled } from './filled.store.ts'

export type Declared = Map<string, StoredAttribute>

export const readDeclared = async ({ db }: Pick<Ctx, 'db'>, subject: Subject): Promise<Declared> =>
  new Map((await store.selectAttributes(db, subject)).map((one) => [one.key, one]))

const subjectOf = ({ userId }: Holder): Subject => (userId === 0 ? 'tenant' : 'user')

const shownTo = (capacities: Capacity[], declared: Declared, values: AttributeValues): AttributeValues =>
  Object.fromEntries(
    Object.entries(values).filter(([key]) => {
      const attribute = declared.get(key)
      return attribute && capacities.every((capacity) => isReadable(attribute, capacity))
    }),
  )

const readAll = async ({ db }: Pick<Ctx, 'db'>, holder: Holder): Promise<AttributeValues> =>
  Object.fromEntries((await store.selectValues(db, holder)).map(({ key, value }) => [key, value]))

/** The values that somebody may read in each of these capacities. */
export const readValues = async (
  ctx: Pick<Ctx, 'db'>,
  holder: Holder,
  ...capacities: Capacity[]
): Promise<AttributeValues> => {
  const [declared, values] = await Promise.all([readDeclared(ctx, subjectOf(holder)), readAll(ctx, holder)])
  return shownTo(capacities, declared, values)
}

/** Throws 400 for a value that the declaration refuses. */
const requireFitting = ({ key, schema }: StoredAttribute, value: unknown): void => {
  if (bytesOf(value) > valueBytesMax) throw invalid(key, 'has at most 4 KiB as JSON')
  const fields = faultsOf(schema, value).map(({ field, message }) => ({
    field: field.replace(/^value/, () => key),
    message,
  }))
  const [first] = fields
  if (first) throw new AppError('invalidInput', `${first.field}: ${first.message}`, { fields })
}

/** The values that differ from the earlier ones. Null deletes a value. */
const differing = (before: AttributeValues, input: AttributeValues): [string, unknown][] =>
  Object.entries(input).filter(
    ([key, value]) => JSON.stringify(before[key] ?? null) !== JSON.stringify(value ?? null),
  )

/** The name of an attribute in records, if administrators may not read it. */
const hiddenName = '[hidden]'
export const withheldName = 'attributes_withheld'
export const recordedName = (key: string) => `attribute.${key}`

/**
 * The changed values, for a record. Of an attribute that is sensitive it has the key alone, and of one that
 * administrators may not read not even the key.
 */
const detailOf = (declared: Declared, before: AttributeValues, changed: [string, unknown][]): Detail => {
  const detail: Detail = {}
  const withheld = new Set<string>()
  for (const [key, value] of changed) {
    const attribute = declared.get(key)
    if (!attribute || attribute.administrators === 'none') withheld.add(hiddenName)
    else if (attribute.sensitive) withheld.add(key)
    else detail[recordedName(key)] = { from: loggable(key, before[key]), to: loggable(key, value) }
  }
  if (withheld.size > 0) detail[withheldName] = { from: null, to: [...withheld] }
  return detail
}

export interface ValueChange {
  /** The change in a record: empty if nothing changed. */
  detail: Detail
  values: AttributeValues
}

const newValueOf = (declared: Declared, [key, value]: [string, unknown]): store.NewValue => ({
  key,
  value,
  folded: declared.get(key)?.indexed ? foldedOf(value) : null,
})

export const requireSize = (values: AttributeValues): void => {
  if (bytesOf(values) > bytesMax) {
    throw new AppError('invalidInput', 'All values of a user or tenant have at most 16 KiB together')
  }
}

const withChanges = (before: AttributeValues, changed: [string, unknown][]): AttributeValues =>
  Object.fromEntries(
    Object.entries({ ...before, ...Object.fromEntries(changed) }).filter(([, value]) => value !== null),
  )

interface Written {
  declared: Declared
  before: AttributeValues
  input: AttributeValues
  capacity: Capacity
}

/**
 * Stores values that differ from the earlier ones, without asking who writes. Only values that the writer may read
 * count for their size: a refusal would tell of the others.
 */
const writeValues = (
  ctx: TransactionCtx,
  holder: Holder,
  { declared, before, input, capacity }: Written,
): ValueChange => {
  const changed = differing(before, input)
  const values = shownTo([capacity], declared, withChanges(before, changed))
  if (changed.length === 0) return { detail: {}, values }
  requireSize(values)
  const set = changed.filter(([, value]) => value !== null)
  const deleted = changed.filter(([, value]) => value === null).map(([key]) => key)
  if (set.length > 0) {
    store.upsertValues(
      ctx.db,
      holder,
      set.map((one) => newValueOf(declared, one)),
      ctx.parts.now(),
    )
  }
  if (deleted.length > 0) store.deleteKeys(ctx.db, holder, deleted)
  return { detail: detailOf(declared, before, changed), values }
}

/** Throws unless somebody in this capacity may write all of the values, and the declarations take them. */
export const requireWritable = (declared: Declared, capacity: Capacity, input: AttributeValues): void => {
  for (const [key, value] of Object.entries(input)) {
    const attribute = findWritable(declared, key, capacity)
    if (value !== null) requireFitting(attribute, value)
  }
}

/** Throws 403 if a directory or a connection fills one of the attributes. */
const requireUnfilled = async ({ db }: TransactionCtx, holder: Holder, keys: string[]): Promise<void> => {
  if (holder.userId === 0) return
  const [filled] = await selectFilled(db, holder, keys)
  if (filled) {
    throw new AppError('attributeFilled', `The directory or provider of the user fills ${filled.key}`)
  }
}

/**
 * Changes values in one transaction, all or none. Lock the holder before. Returns what the caller may read afterwards,
 * and the detail of the record. Throws 400 for a key that the caller may not read, and for a value that the declaration
 * refuses. Throws 403 for a key that the caller may only read, and for one that a directory or a connection fills.
 */
export const changeValues = async (
  ctx: TransactionCtx,
  holder: Holder,
  capacity: Capacity,
  input: AttributeValues,
): Promise<ValueChange> => {
  store.lockForWriting(ctx.db, subjectOf(holder), Object.keys(input))
  const [declared, before] = await Promise.all([readDeclared(ctx, subjectOf(holder)), readAll(ctx, holder)])
  requireWritable(declared, capacity, input)
  await requireUnfilled(ctx, holder, Object.keys(input))
  return writeValues(ctx, holder, { declared, before, input, capacity })
}

/** The values of attributes that administrators may write. Leaves out what a schema refuses, and what has no room. */
const acceptedValues = (
  { declared, before }: { declared: Declared; before: AttributeValues },
  keys: string[],
  valueOf: (attribute: StoredAttribute) => unknown,
): AttributeValues => {
  const given = keys.flatMap((key): [string, unknown][] => {
    const attribute = declared.get(key)
    const value = attribute?.administrators === 'write' ? valueOf(attribute) : undefined
    if (!attribute || value === undefined) return []
    const isFine = value === null || (bytesOf(value) <= valueBytesMax && isValid(attribute.schema, value))
    return isFine ? [[key, value]] : []
  })
  const deleted = given.filter(([, value]) => value === null)
  const room = shownTo(['administrator'], declared, withChanges(before, deleted))
  const accepted: AttributeValues = Object.fromEntries(deleted)
  for (const [key, value] of given) {
    if (value === null || bytesOf({ ...room, [key]: value }) > bytesMax) continue
    room[key] = value
    accepted[key] = value
  }
  return accepted
}

/**
 * Stores a provider's values of a locked user. Returns the detail of the record. Null deletes a value. Undefined and
 * a refused value leave the earlier one.
 */
export const fillValues = async (
  ctx: TransactionCtx,
  userId: number,
  keys: string[],
  valueOf: (attribute: StoredAttribute) => unknown,
): Promise<Detail> => {
  if (keys.length === 0) return {}
  const holder = { tenantId: ctx.tenantId, userId }
  store.lockForWriting(ctx.db, 'user', keys)
  const [declared, before] = await Promise.all([readDeclared(ctx, 'user'), readAll(ctx, holder)])
  const input = acceptedValues({ declared, before }, keys, valueOf)
  return writeValues(ctx, holder, { declared, before, input, capacity: 'administrator' }).detail
}

/** Excludes changes of these declarations of users until the transaction ends, and reads all of them. */
export const lockDeclared = (ctx: TransactionCtx, keys: string[]): Promise<Declared> => {
  store.lockForWriting(ctx.db, 'user', keys)
  return readDeclared(ctx, 'user')
}

export interface NewUserValues {
  userId: number
  values: AttributeValues
}

/** Stores the values of new users. Returns what their records say. */
export const addUserValues = (
  ctx: TransactionCtx,
  declared: Declared,
  users: NewUserValues[],
): Map<number, Detail> => {
  const set = users.map(({ userId, values }) => ({ userId, entries: differing({}, values) }))
  const rows = set.flatMap(({ userId, entries }) =>
    entries.map((entry) => ({ user_id: userId, ...newValueOf(declared, entry) })),
  )
  if (rows.length > 0) store.insertUserValues(ctx.db, ctx.tenantId, rows, ctx.parts.now())
  return new Map(set.map(({ userId, entries }) => [userId, detailOf(declared, {}, entries)]))
}
