import { createHash } from 'node:crypto'
import type { Ctx, TransactionCtx } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { pageOf, sliceOf, totalMax, type CountedPage } from '../../http/schemas.ts'
import type { AuditLog, AuditQuery } from './audit.schemas.ts'
import {
  countAuditLogs,
  countFilteredLogs,
  insertAuditLog,
  selectAuditLog,
  selectAuditLogs,
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

/** An audit record of the tenant in scope; 404 for one of another tenant. */
export const getAuditLog = async ({ db, tenantId }: Ctx, id: number): Promise<AuditLog> => {
  const log = await selectAuditLog(db, tenantId, id)
  if (!log) throw new AppError('auditLogUnknown', 'The audit record does not exist in this tenant')
  return log
}

/** Audit records of the tenant in scope, newest first. */
export const listAuditLogs = async (ctx: Ctx, query: AuditQuery): Promise<CountedPage<AuditLog>> => {
  const { user_id: userId, action, resource, from, to } = query
  const filter = { userId, action, resource, from, to }
  const counting = countMatching(ctx, filter)
  // An action of another resource would be looked for among all of its records: not where none is known.
  const isNone = action !== undefined && resource !== undefined && (await counting).count === 0
  const [{ count, isCapped }, items] = await Promise.all([
    counting,
    isNone ? [] : selectAuditLogs(ctx.db, ctx.tenantId, filter, sliceOf(query)),
  ])
  return pageOf(items, count, query.page, isCapped)
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
