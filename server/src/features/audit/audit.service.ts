import { createHash } from 'node:crypto'
import type { Ctx, TransactionCtx } from '../../context.ts'
import type { Slice } from '../../db/columns.ts'
import { pageOf, sliceOf, totalMax, type CountedPage, type PageQuery } from '../../http/schemas.ts'
import type { AuditLog, AuditQuery } from './audit.schemas.ts'
import {
  blockRecords,
  countAuditLogs,
  countAuditLogsBetween,
  countFilteredLogs,
  insertAuditLog,
  selectAuditLogs,
  selectAuditLogsBetween,
  selectAuditLogsFarBehind,
  selectIdRange,
  type AuditFilter,
} from './audit.store.ts'

type Fields = Record<string, unknown>

/** What changed, as `{ field: { from, to } }`; without the fields that stayed the same. */
export type Detail = Record<string, { from: unknown; to: unknown }>

export interface AuditEntry {
  /** `resource.verb` */
  action: string
  resourceId: string | number
  detail: Detail
}

/** Names of settings and of fields in their values that hold secrets: what they held stays out of the log. */
const secretName =
  /pass|pwd|secret|token|credential|authorization|dsn|cookie|bearer|\bpin\b|(?:api|access|private|encryption|signing|shared|license)[-_.: ]?key/i
/** An address with a password in it. */
const secretAddress = /(\w+:\/\/[^\s:/@]*:)[^\s@]+@/g
/** Larger values are recorded by size and hash: the log tells that they changed, not every version of them. */
const valueLengthMax = 2048

const withoutSecrets = (name: string, value: unknown): unknown => {
  if (value === undefined || value === null) return null
  if (secretName.test(name)) return '[secret]'
  if (typeof value === 'string') {
    return name === 'auth' ? '[secret]' : value.replaceAll(secretAddress, '$1[secret]@')
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets('', item))
  return typeof value === 'object' ? withoutSecretFields(value) : value
}

/** Fields by their names; a list of `{ name, value }` says the name in a field of its own. */
const withoutSecretFields = (value: object): unknown => {
  const entries = Object.entries(value)
  const isNamedSecret = entries.some(
    ([key, item]) => /^(name|key)$/i.test(key) && secretName.test(String(item)),
  )
  return isNamedSecret
    ? '[secret]'
    : Object.fromEntries(entries.map(([key, item]) => [key, withoutSecrets(key, item)]))
}

/** A value as the log may show it; `name`, what it is called, tells whether it is a secret. */
export const loggable = (name: string, value: unknown): unknown => {
  if (secretName.test(name)) return withoutSecrets(name, value)
  const text = JSON.stringify(value ?? null)
  // Before anything looks for secrets in it: the pattern for addresses takes quadratic time.
  if (text.length <= valueLengthMax) return withoutSecrets(name, value)
  return { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') }
}

/** The fields in which `to` differs from `from`; a field that one side lacks is null there. */
export const recordChange = (from: Fields, to: Fields): Detail => {
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  const changed = [...names].filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
  return Object.fromEntries(
    changed.map((name) => [name, { from: loggable(name, from[name]), to: loggable(name, to[name]) }]),
  )
}

/** Writes the audit record of a change, in its transaction and in the tenant in scope. `userId`: who acted. */
export const recordAs = async (ctx: TransactionCtx, userId: number, entry: AuditEntry): Promise<void> => {
  const { origin, parts, tenantId } = ctx
  const log = {
    tenant_id: tenantId,
    user_id: userId,
    action: entry.action,
    resource: entry.action.slice(0, entry.action.indexOf('.')),
    resource_id: String(entry.resourceId),
    detail: entry.detail,
    ip: origin.ip,
    user_agent: origin.userAgent,
    trace_id: origin.traceId,
  }
  await insertAuditLog(ctx.db, log, parts.now())
}

/** Writes the audit record of a change made by the caller. */
export const record = (ctx: TransactionCtx, entry: AuditEntry): Promise<void> =>
  recordAs(ctx, ctx.actor.userId, entry)

/** Audit records of the tenant in scope, newest first. */
export const listAuditLogs = async (ctx: Ctx, query: AuditQuery): Promise<CountedPage<AuditLog>> => {
  const { from, to } = query
  const filter = { userId: query.user_id, action: query.action, resource: query.resource }
  if (from !== undefined || to !== undefined) return listBetween(ctx, { ...filter, from, to }, query)
  const { count, isCapped } = await countMatching(ctx, filter)
  const slice = sliceOf(query)
  // What is known to find nothing is not looked for: an action of another resource among all of its records.
  const items = isCapped || count > slice.offset ? await selectPage(ctx, filter, slice) : []
  return pageOf(items, count, query.page, isCapped)
}

/** Moments are in no count: records are looked for where the blocks tell that they lie, and counted up to `totalMax`. */
const listBetween = async (
  { db, tenantId }: Ctx,
  filter: AuditFilter,
  query: PageQuery,
): Promise<CountedPage<AuditLog>> => {
  const range = await selectIdRange(db, tenantId, filter)
  if (!range) return pageOf([], 0, query.page, true)
  const place = { tenantId, filter, range }
  const [counted, items] = await Promise.all([
    countAuditLogsBetween(db, place, totalMax),
    selectAuditLogsBetween(db, place, sliceOf(query)),
  ])
  return pageOf(items, counted?.count ?? 0, query.page, true)
}

const countMatching = async (
  { db, tenantId }: Ctx,
  filter: AuditFilter,
): Promise<{ count: number; isCapped: boolean }> => {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const { sealed, waiting } = (isFiltered
    ? await countFilteredLogs(db, tenantId, filter, totalMax)
    : await countAuditLogs(db, tenantId)) ?? { sealed: 0, waiting: 0 }
  return { count: sealed + waiting, isCapped: isFiltered && waiting > totalMax }
}

const selectPage = ({ db, tenantId }: Ctx, filter: AuditFilter, slice: Slice): Promise<AuditLog[]> =>
  slice.offset < blockRecords
    ? selectAuditLogs(db, tenantId, filter, slice)
    : selectAuditLogsFarBehind(db, tenantId, filter, slice)
