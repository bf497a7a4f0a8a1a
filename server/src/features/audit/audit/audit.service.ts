import type { Invalidation } from '../../../cache/cache.ts'
import { isAssistant } from '../../../access/policies.ts'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, type CountedPage } from '../../../http/schemas.ts'
import { secretName } from '../../../values/secret-names.ts'
import { callerIn, shown, shownWithActor, userActor } from './actors.ts'
import { operationsOf, type EntryEffect } from './operations-of.ts'
import type { Action } from './actions.schemas.ts'
import type { AuditActor, AuditLog, AuditQuery, OneAuditQuery } from './audit.schemas.ts'
import * as store from './audit.store.ts'
import { countMatching, type LargeTotals } from './totals.service.ts'
import { readYoungFirst } from './young-first.service.ts'

export { effectBetween } from './operations-of.ts'

type Fields = Record<string, unknown>

/** Changed fields as `{ field: { from, to } }`; fields that stayed the same are left out. */
export type Detail = Record<string, { from: unknown; to: unknown }>

export interface AuditEntry {
  /** `resource.verb` */
  action: Action
  resourceId: string | number
  /** The user whom a record of another resource is about. */
  aboutUserId?: number
  detail: Detail
  /** The part of the effect that the action does not name. The record does not show it. */
  effect?: EntryEffect
}

/** An address that contains a password. */
const secretAddress = /(\w+:\/\/[^\s:/@]*:)[^\s@]+@/g
/** The text of a key, a secret (crypto/access-keys.ts) or a guest's token, also if shortened or mistyped. */
const secretKey = /tn[gts]_[\w-]{20,}/g
/** Longer values are recorded by size and hash, so the log shows a change without a copy of each version. */
const valueLengthMax = 2048

const withoutSecrets = (name: string, value: unknown): unknown => {
  if (value === undefined || value === null) return null
  if (secretName.test(name)) return '[secret]'
  if (typeof value === 'string') {
    return name === 'auth'
      ? '[secret]'
      : value.replaceAll(secretAddress, '$1[secret]@').replaceAll(secretKey, '[secret]')
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets('', item))
  return typeof value === 'object' ? withoutSecretFields(value) : value
}

/** Withholds values by field name. Withholds an object like `{ name, value }` if its name is secret. */
const withoutSecretFields = (value: object): unknown => {
  const entries = Object.entries(value)
  const isNamedSecret = entries.some(
    ([key, item]) => /^(name|key)$/i.test(key) && secretName.test(String(item)),
  )
  return isNamedSecret
    ? '[secret]'
    : Object.fromEntries(entries.map(([key, item]) => [key, withoutSecrets(key, item)]))
}

/**
 * A value for the audit log; `name` decides whether it is a secret. Records size and hash of a value above `lengthMax`.
 */
export const loggable = (name: string, value: unknown, lengthMax = valueLengthMax): unknown => {
  if (secretName.test(name)) return withoutSecrets(name, value)
  const text = JSON.stringify(value ?? null)
  // Checked before the search for secrets, because the pattern for addresses takes quadratic time.
  if (text.length <= lengthMax) return withoutSecrets(name, value)
  return { bytes: Buffer.byteLength(text), sha256: sha256(text).toString('hex') }
}

/** The fields in which `to` differs from `from`. A field that only one side has is null on the other side. */
export const changesBetween = (from: Fields, to: Fields): Detail => {
  const names = Object.keys({ ...from, ...to })
  const changed = names.filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
  return Object.fromEntries(
    changed.map((name) => [name, { from: loggable(name, from[name]), to: loggable(name, to[name]) }]),
  )
}

/**
 * Adds present names to the detail, such as a user's name (decision 0039). Spread it before the changed fields, so that
 * a changed name replaces it.
 */
export const naming = (names: Record<string, string>): Detail =>
  Object.fromEntries(
    Object.entries(names).map(([field, name]) => {
      const kept = loggable(field, name)
      return [field, { from: kept, to: kept }]
    }),
  )

const resourceOf = (action: string): string => action.slice(0, action.indexOf('.'))

const aboutUserOf = ({ action, resourceId, aboutUserId }: AuditEntry): number | null =>
  resourceOf(action) === 'user' ? Number(resourceId) : (aboutUserId ?? null)

/** The detail to store. The actor's id is a column of the record, and the system has no name. */
const detailWith = (detail: Detail, { id, name, kind }: AuditActor): AuditLog['detail'] =>
  id === 0 ? detail : { ...detail, actor: { name: loggable('name', name), kind } }

/** The guest of a setup link who acts. A guest is no user, so the record has no other actor. */
const guestIn = ({ actor: { guest } }: TransactionCtx): AuditLog['detail'] =>
  guest ? { guest: { email: loggable('email', guest.email), setup_link_id: guest.linkId } } : {}

/** The support session in which the actor works, and its user. */
const supportIn = ({ actor: { support, userId, name } }: TransactionCtx): AuditLog['detail'] =>
  support
    ? {
        support: {
          id: support.id,
          kind: support.kind,
          on_behalf_of: { id: userId, name: loggable('name', name) },
        },
      }
    : {}

/** The assistant that made the call, with the application of its session. */
const viaIn = ({ actor }: TransactionCtx): AuditLog['detail'] => {
  const { application } = actor
  if (!isAssistant(actor)) return {}
  const named = application && {
    application: { id: application.id, name: loggable('name', application.name) },
  }
  return { via: { kind: 'mcp', ...named } }
}

/** The approval that the request carries, in the record of the change that needed it. */
const approvalIn = ({ gathering }: TransactionCtx, entry: AuditEntry): AuditLog['detail'] =>
  gathering?.approval && operationsOf(entry).length > 0 ? { approval: gathering.approval } : {}

/** Notes what a record says about authority: the transaction asks for approvals by it. */
const noteEffect = ({ effects, tenantId }: TransactionCtx, entry: AuditEntry): void => {
  const operations = operationsOf(entry)
  effects.push({
    tenantId,
    action: entry.action,
    resourceId: String(entry.resourceId),
    aboutUserId: aboutUserOf(entry),
    detail: entry.detail,
    operations,
    gives: entry.effect?.gives,
    takes: entry.effect?.takes,
  })
}

const logOf = (ctx: TransactionCtx, actor: AuditActor, entry: AuditEntry): store.NewAuditLog => ({
  tenant_id: ctx.tenantId,
  user_id: actor.id,
  action: entry.action,
  resource: resourceOf(entry.action),
  resource_id: String(entry.resourceId),
  about_user_id: aboutUserOf(entry),
  on_behalf_of: ctx.actor.support ? ctx.actor.userId : null,
  application_id: isAssistant(ctx.actor) ? (ctx.actor.application?.id ?? null) : null,
  detail: {
    ...detailWith(entry.detail, actor),
    ...guestIn(ctx),
    ...supportIn(ctx),
    ...viaIn(ctx),
    ...approvalIn(ctx, entry),
  },
  ip: ctx.origin.ip,
  user_agent: ctx.origin.userAgent,
  trace_id: ctx.origin.traceId,
})

/** Makes the sealer look for records after the commit. */
const recorded: Invalidation = { kind: 'recorded', isOwn: true }

/**
 * Writes a record in the transaction of its change and in the tenant in scope. Does not wait for the statement; if it
 * fails, the change is rolled back too.
 */
const write = (ctx: TransactionCtx, actor: AuditActor, entry: AuditEntry): void => {
  noteEffect(ctx, entry)
  store.insertAuditLog(ctx.db, logOf(ctx, actor, entry), ctx.parts.now())
  ctx.changes.push(recorded)
}

/** Writes the audit records of many changes by the caller. */
export const recordEach = (ctx: TransactionCtx, entries: AuditEntry[]): void => {
  const actor = callerIn(ctx)
  ctx.changes.push(recorded)
  for (const entry of entries) noteEffect(ctx, entry)
  const logs = entries.map((entry) => logOf(ctx, actor, entry))
  store.insertAuditLogs(ctx.db, ctx.tenantId, logs, ctx.parts.now())
}

/** Writes the audit record of a change by the caller. */
export const record = (ctx: TransactionCtx, entry: AuditEntry): void => write(ctx, callerIn(ctx), entry)

/**
 * Writes the audit record of an act by a user of the tenant in scope, for requests without a credential. Id 0 is the
 * system.
 */
export const recordAs = (
  ctx: TransactionCtx,
  { userId, username }: { userId: number; username: string },
  entry: AuditEntry,
): void => write(ctx, userActor(userId, username), entry)

const shownFor = ({ include }: OneAuditQuery) => (include === 'actor' ? shownWithActor : shown)

/** An audit record of the tenant in scope. Throws 404 for a record of another tenant. */
export const getAuditLog = async (
  { db, tenantId }: Ctx,
  id: number,
  query: OneAuditQuery,
): Promise<AuditLog> => {
  const log = await store.selectAuditLog(db, tenantId, id)
  if (!log) throw new AppError('auditLogUnknown', 'The audit record does not exist in this tenant')
  return shownFor(query)(log)
}

/** Audit records of the tenant in scope, newest first. */
export const listAuditLogs = async (
  ctx: Ctx,
  query: AuditQuery,
  large: LargeTotals,
): Promise<CountedPage<AuditLog>> => {
  const filter = filterOf(query)
  if (!filter) return pageOf([], 0, query.page, true)
  const slice = { ...sliceOf(query), beforeId: query.before_id }
  const counting = countMatching(ctx, filter, large)
  // True if these records are all that the log has: a small log can have fewer records than the page.
  const isWhole = async (seen: number) => {
    const { count, isFiltered } = await counting
    return !isFiltered && seen >= count
  }
  const [{ count, isFiltered }, items] = await Promise.all([
    counting,
    readYoungFirst(ctx, filter, {
      read: (bounded) => store.selectAuditLogs(ctx.db, ctx.tenantId, bounded, slice),
      isEnough: async ({ length }) => length === slice.limit || (await isWhole(slice.offset + length)),
    }),
  ])
  return pageOf(items.map(shownFor(query)), count, query.page, isFiltered)
}

/** The filter of a query; undefined when no record can match it. */
export const filterOf = (
  query: Omit<AuditQuery, 'include' | 'page' | 'page_size' | 'before_id'>,
): store.AuditFilter | undefined =>
  withoutImplied({
    userId: query.user_id,
    actions: actionsOf(query.action),
    resource: query.resource,
    resourceId: query.resource_id,
    aboutUserId: query.about_user_id,
    onBehalfOf: query.on_behalf_of,
    applicationId: query.application_id,
    from: momentOf(query.from),
    to: momentOf(query.to),
    search: query.search,
    ip: query.ip,
  })

const actionsMax = 20

const actionsOf = (text: string | undefined): string[] | undefined => {
  if (text === undefined) return undefined
  const actions = [...new Set(text.split(','))]
  if (actions.length > actionsMax) throw invalid('action', `must name at most ${actionsMax} actions`)
  return actions
}

/** Converts a time to UTC, because PostgreSQL refuses an offset of 16 hours. */
const momentOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : new Date(text).toISOString()

/**
 * Removes `resource` from the filter if `actions` imply it, because an action names its resource. Returns undefined if
 * no action belongs to that resource.
 */
const withoutImplied = (filter: store.AuditFilter): store.AuditFilter | undefined => {
  const { actions, resource, resourceId } = filter
  if (resource?.includes('.')) return undefined
  if (!actions) return resourceId === undefined ? filter : { ...filter, resource: requireResource(resource) }
  const fitting = actions.filter((action) => resource === undefined || resourceOf(action) === resource)
  if (fitting.length === 0) return undefined
  if (resourceId === undefined) return { ...filter, actions: fitting, resource: undefined }
  const kinds = new Set(fitting.map(resourceOf))
  return {
    ...filter,
    actions: fitting,
    resource: requireResource(kinds.size === 1 ? [...kinds][0] : undefined),
  }
}

/** An id without its resource is ambiguous: users and roles can have equal ids. */
const requireResource = (resource: string | undefined): string => {
  if (resource === undefined) throw invalid('resource_id', 'needs resource, or actions of one, beside it')
  return resource
}
