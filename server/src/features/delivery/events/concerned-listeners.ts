/**
 * Finds the streams whose callers a sealed record can affect. Replicas notify each other of changes, unless one loses
 * Redis or dies after its commit. The record of such a change is sealed within two seconds.
 */
import { builtInTenant } from '../../../access/permissions.ts'
import type { SealedRow } from './sealed.service.ts'
import { receivesTenant, type Listener } from './listener.ts'

/** Actions that change the permissions of one user: the acting user, or the object. */
const ofUser = new Set([
  'auth.account_delete',
  'auth.email_change',
  'auth.leave',
  'auth.logout',
  'auth.other_sessions_end',
  'auth.password_change',
  'auth.password_reset',
  'auth.refresh_reused',
  'auth.session_end',
  'factor.add',
  'factor.remove',
  'factor.reset',
  'user.delete',
  'user.sessions_end',
  'user.update',
])

/**
 * Resources whose records affect all users of their tenant. In the built-in tenant they affect all users of the
 * installation.
 */
const ofTenant = new Set([
  'elevation',
  'key',
  'permission',
  'role',
  'role_template',
  'secret',
  'service_account',
  'service_account_key',
  'setting',
  'tenant',
])

export const listenersConcernedBy = (
  rows: readonly SealedRow[],
  listeners: ReadonlySet<Listener>,
): Set<Listener> => {
  const concerned = new Set<Listener>()
  const add = (isConcerned: (listener: Listener) => boolean) => {
    for (const listener of listeners) if (isConcerned(listener)) concerned.add(listener)
  }
  for (const { tenant_id: tenantId, user_id: userId, action, resource, resource_id: resourceId } of rows) {
    if (ofTenant.has(resource)) {
      add((listener) => tenantId === builtInTenant.id || isIn(listener, tenantId))
    } else if (ofUser.has(action)) {
      const isUser = ({ ctx: { actor } }: Listener) =>
        actor.tenantId === tenantId && (actor.userId === userId || String(actor.userId) === resourceId)
      const accounts = new Set([...listeners].filter(isUser).map(({ ctx }) => ctx.actor.accountId))
      add(({ ctx: { actor } }) => actor.accountId !== undefined && accounts.has(actor.accountId))
    }
  }
  return concerned
}

const isIn = (listener: Listener, tenantId: string): boolean =>
  listener.ctx.actor.tenantId === tenantId || receivesTenant(listener, tenantId)
