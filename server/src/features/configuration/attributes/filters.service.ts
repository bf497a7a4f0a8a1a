/** Filters of lists by attributes, and the values that lists show. */
import type { Ctx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { capacityOf, findReadable, isReadable } from './attribute-access.service.ts'
import { foldedOf, valueOfText } from './attribute-values.ts'
import type { AttributeValues, Subject } from './attributes.schemas.ts'
import type { StoredAttribute } from './attributes.sql.ts'
import { filterPrefix } from './filters.schemas.ts'
import type { AttributeFilter } from './filters.sql.ts'
import * as store from './filters.store.ts'
import { readDeclared, type Declared } from './values.service.ts'

export { usersWith, type AttributeFilter } from './filters.sql.ts'

const filtersMax = 3

const wantedOf = (query: object): [key: string, text: string][] =>
  Object.entries(query)
    .filter(([name]) => name.startsWith(filterPrefix))
    .map(([name, text]) => [name.slice(filterPrefix.length), String(text)])

const foldedFor = (attribute: StoredAttribute, text: string): string => {
  const field = `${filterPrefix}${attribute.key}`
  if (!attribute.indexed) throw invalid(field, 'is no filter: the attribute is not indexed')
  const value = valueOfText(attribute, text)
  if (value === undefined) throw invalid(field, `must be of the type ${String(attribute.schema.type)}`)
  return foldedOf(value)
}

/**
 * The filters of a query. Throws 400 for an attribute that the caller may not read, exactly as for an undeclared one,
 * and for an attribute that is not indexed.
 */
export const readFilters = async (ctx: Ctx, subject: Subject, query: object): Promise<AttributeFilter[]> => {
  const wanted = wantedOf(query)
  if (wanted.length === 0) return []
  if (wanted.length > filtersMax) {
    throw new AppError('invalidInput', `A list has at most ${filtersMax} filters by attributes`)
  }
  const declared = await readDeclared(ctx, subject)
  return wanted.map(([key, text]) => ({
    key,
    folded: foldedFor(findReadable(declared, key, capacityOf(ctx.actor), `${filterPrefix}${key}`), text),
  }))
}

/** Lists show no sensitive value. */
const listed = (ctx: Ctx, declared: Declared, key: string): boolean => {
  const attribute = declared.get(key)
  return attribute !== undefined && !attribute.sensitive && isReadable(attribute, capacityOf(ctx.actor))
}

type ByHolder = (id: string | number) => { attributes: AttributeValues }

const grouped = (
  ctx: Ctx,
  declared: Declared,
  rows: { id: string | number; key: string; value: unknown }[],
): ByHolder => {
  const shown = Map.groupBy(
    rows.filter(({ key }) => listed(ctx, declared, key)),
    ({ id }) => id,
  )
  return (id) => ({
    attributes: Object.fromEntries((shown.get(id) ?? []).map(({ key, value }) => [key, value])),
  })
}

/** The values of users in a list. */
export const readOfUsers = async (ctx: Ctx, ids: number[]): Promise<ByHolder> => {
  const [declared, rows] = await Promise.all([
    readDeclared(ctx, 'user'),
    store.selectValuesOfUsers(ctx.db, ctx.tenantId, ids),
  ])
  return grouped(ctx, declared, rows)
}

/** The values of tenants in a list. */
export const readOfTenants = async (ctx: Ctx, ids: string[]): Promise<ByHolder> => {
  const [declared, rows] = await Promise.all([
    readDeclared(ctx, 'tenant'),
    ctx.parts.store.transaction({}, (db) => store.selectValuesOfTenants(db, ids), 'tenantry_search'),
  ])
  return grouped(ctx, declared, rows)
}

/** The tenants that match all filters. */
export const findTenants = async ({ parts }: Ctx, filters: AttributeFilter[]): Promise<string[]> => {
  const found = await parts.store.transaction(
    {},
    (db) => store.selectTenantIds(db, filters),
    'tenantry_search',
  )
  return found.map(({ id }) => id)
}
