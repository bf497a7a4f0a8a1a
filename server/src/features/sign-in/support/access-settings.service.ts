/** The settings about support. Only the tenant's own value counts, and only an own user writes it. */
import { requireAllowed, requireFullSession, requireOwnUser } from '../../../access/policies.ts'
import type { TransactionCtx } from '../../../context.ts'
import { endShutSessions } from './ending.service.ts'

/**
 * Checks a change of a setting about support, and ends the sessions that it shuts. Throws 403 unless the caller is a user of
 * the tenant with `support:allow`, in a full session with a second factor.
 */
export const applySupportSetting = async (ctx: TransactionCtx): Promise<void> => {
  const { actor, tenantId } = ctx
  requireOwnUser(actor, tenantId)
  requireFullSession(actor)
  requireAllowed(actor, 'support:allow')
  await endShutSessions(ctx)
}
