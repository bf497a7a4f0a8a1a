/** One open stream, and the events that it may receive. */
import { actingIn } from '../../../access/actor.ts'
import { may, policies } from '../../../access/policies.ts'
import type { Invalidation } from '../../../cache/cache.ts'
import type { Ctx } from '../../../context.ts'
import type { Authority, EndReason } from './events.schemas.ts'

/** The client's connection, as http/event-stream.ts writes to it. */
export interface EventLine {
  send(event: { event: string; id?: string; data: object }): void
  place(id: string): void
  comment(): void
  drained(): Promise<void>
  close(): void
  onClose(listener: () => void): void
}

export interface Listener {
  /** The request of the stream. Each check updates its caller. */
  ctx: Ctx
  readonly line: EventLine
  /** True if the stream receives the changes of all tenants, not only of the tenant in scope. */
  readonly receivesAllTenants: boolean
  /** The expiry of the access token. */
  readonly endsAt: Date | undefined
  /** True while the service searches the stream's position or sends missed changes. Later changes wait. */
  isCatchingUp: boolean
  isClosed: boolean
  /** Both times are milliseconds of a monotonic clock. */
  checkedAt: number
  writtenAt: number
}

export const send = (listener: Listener, event: string, data: object, id?: string): void => {
  listener.writtenAt = performance.now()
  listener.line.send({ event, data, ...(id === undefined ? {} : { id }) })
}

export const comment = (listener: Listener): void => {
  listener.writtenAt = performance.now()
  listener.line.comment()
}

/** Ends a stream whose caller may no longer follow it. */
export const end = (listener: Listener, reason: EndReason): void => {
  send(listener, 'end', { reason })
  listener.line.close()
}

/** Whether the caller's token or key has expired. */
export const hasExpired = ({ endsAt, ctx }: Listener, now: Date): boolean => {
  const moment = endsAt ?? ctx.actor.key?.expiresAt
  return moment !== undefined && moment <= now
}

export const receivesTenant = ({ ctx, receivesAllTenants }: Listener, tenantId: string): boolean =>
  receivesAllTenants || ctx.tenantId === tenantId

export const receivesChanges = ({ ctx }: Listener): boolean =>
  may(ctx.actor, policies.receiveRecords, undefined)

/** Whether the stream belongs to a product's backend, which caches the permissions of other users. */
export const receivesOthers = ({ ctx }: Listener): boolean =>
  ctx.actor.key !== undefined && may(ctx.actor, policies.receiveAuthority, undefined)

/** A change of permissions. Undefined means that notices of changes may be lost. */
export type AuthorityChange =
  | Exclude<Invalidation, { kind: 'keys' | 'inbox' | 'settings' | 'flags' | 'queued' | 'recorded' }>
  | undefined

/** Whether the change may affect the caller's own permissions. */
export const isConcerned = ({ ctx: { actor, tenantId } }: Listener, change: AuthorityChange): boolean => {
  const acting = actingIn(actor)
  if (change?.kind === 'user') {
    return [actor, acting].some((one) => one.tenantId === change.tenantId && one.userId === change.userId)
  }
  if (change?.kind === 'account') {
    return [actor, actor.support].some((one) => one?.accountId === change.accountId)
  }
  return change?.kind !== 'tenant' || [actor.tenantId, tenantId].includes(change.tenantId)
}

/** The users or tenants that the client must forget after a change of the caller's own permissions. */
export const ownAuthority = (listener: Listener, change: AuthorityChange): Authority => {
  const { tenantId, userId } = listener.ctx.actor
  switch (change?.kind) {
    case 'user':
      return { tenant_id: tenantId, user_id: userId, session_id: change.sessionId }
    case 'account':
      return { tenant_id: tenantId, user_id: userId, session_id: '' }
    case 'tenant':
      return { tenant_id: change.tenantId, user_id: 0, session_id: '' }
    case 'catalogue':
    case undefined:
      return everybody(listener)
  }
}

const everybody = ({ ctx, receivesAllTenants }: Listener): Authority => ({
  tenant_id: !receivesAllTenants && ctx.tenantId === ctx.actor.tenantId ? ctx.tenantId : '',
  user_id: 0,
  session_id: '',
})
