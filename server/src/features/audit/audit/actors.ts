/**
 * The actor of a record is part of `detail` (decision 0039), so sealing, import and expiry treat it with the record.
 */
import { actingIn } from '../../../access/actor.ts'
import type { Ctx } from '../../../context.ts'
import { actorKinds, type AuditActor, type AuditLog } from './audit.schemas.ts'

/** A record as stored and sealed. `detail` may have an `actor`, which is not a changed field. */
export interface StoredAuditLog extends AuditLog {
  detail: AuditLog['detail'] & { actor?: unknown }
}

/** The caller as the actor of a record in the tenant in scope. */
export const callerIn = ({ actor, tenantId: inScope }: Ctx): AuditActor => {
  const { userId, tenantId, name } = actingIn(actor)
  if (userId === 0) return system
  const kind = actor.key ? 'service_account' : 'user'
  return { id: userId, name, kind: tenantId === inScope ? kind : 'platform' }
}

const system: AuditActor = { id: 0, name: '', kind: 'system' }

/** A user of the tenant in scope as an actor. Id 0 is the system. */
export const userActor = (id: number, name: string): AuditActor =>
  id === 0 ? system : { id, name, kind: 'user' }

/** A record as the API shows it by default, without its actor. */
export const shown = (log: StoredAuditLog): AuditLog => {
  const { actor: _actor, ...detail } = log.detail
  return { ...log, detail }
}

/** A record with its actor. A record without an actor, such as one of an earlier version, gets an empty name. */
export const shownWithActor = (log: StoredAuditLog): AuditLog => ({
  ...shown(log),
  actor: { ...actorOf(log), ...behalfIn(log) },
})

/** The user of the support session in which the record was made. */
const behalfIn = ({ detail: { support } }: StoredAuditLog): Pick<AuditActor, 'on_behalf_of'> => {
  const { on_behalf_of: user } = (support ?? {}) as { on_behalf_of?: { id?: unknown; name?: unknown } }
  return user ? { on_behalf_of: { id: Number(user.id), name: String(user.name) } } : {}
}

const actorOf = ({ user_id: id, detail: { actor } }: StoredAuditLog): AuditActor => {
  if (id === 0) return system
  const { name, kind } = (actor ?? {}) as { name?: unknown; kind?: unknown }
  return {
    id,
    name: typeof name === 'string' ? name : '',
    kind: actorKinds.find((known) => known === kind) ?? 'user',
  }
}
