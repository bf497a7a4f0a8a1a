/** The actor of a record (decision 0039): kept within `detail`, so that it is sealed, moved and expires with the record. */
import type { Ctx } from '../../../context.ts'
import { actorKinds, type AuditActor, type AuditLog } from './audit.schemas.ts'

/** A record as it is stored and sealed: `detail` may have an `actor`, which is no changed field. */
export interface StoredAuditLog extends AuditLog {
  detail: AuditLog['detail'] & { actor?: unknown }
}

/** The caller, as a record of the tenant in scope names them. */
export const callerIn = ({ actor: { userId, tenantId, name, key }, tenantId: inScope }: Ctx): AuditActor => {
  if (userId === 0) return system
  const kind = key ? 'service_account' : 'user'
  return { id: userId, name, kind: tenantId === inScope ? kind : 'platform' }
}

const system: AuditActor = { id: 0, name: '', kind: 'system' }

/** A user of the tenant in scope; 0 for none. */
export const userActor = (id: number, name: string): AuditActor =>
  id === 0 ? system : { id, name, kind: 'user' }

/** A record as it is shown, without its actor. */
export const shown = (log: StoredAuditLog): AuditLog => {
  const { actor: _actor, ...detail } = log.detail
  return { ...log, detail }
}

/** A record as it is shown with its actor. One from before, or of another installation, may name nobody. */
export const shownWithActor = (log: StoredAuditLog): AuditLog => ({
  ...shown(log),
  actor: actorOf(log),
})

const actorOf = ({ user_id: id, detail: { actor } }: StoredAuditLog): AuditActor => {
  if (id === 0) return system
  const { name, kind } = (actor ?? {}) as { name?: unknown; kind?: unknown }
  return {
    id,
    name: typeof name === 'string' ? name : '',
    kind: actorKinds.find((known) => known === kind) ?? 'user',
  }
}
