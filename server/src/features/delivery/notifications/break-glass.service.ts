/** Notifies the managers of enterprise sign-in when a break-glass user signs in. */
import type { TransactionCtx } from '../../../context.ts'
import type { OpenedSession } from '../../accounts/sessions/reach.service.ts'
import { notifyAndMail } from './notices.service.ts'
import { listUsersWithPermission } from './recipients.service.ts'

/** The most users that are notified. */
const notifiedMax = 100

/**
 * Notifies the managers, by notification and e-mail, of a session that only an exemption admitted. Returns the session.
 */
export const notifyingBrokenGlass = async (
  ctx: TransactionCtx,
  session: OpenedSession,
): Promise<OpenedSession> => {
  const { brokenGlassBy: user } = session
  if (user === undefined) return session
  const managers = await listUsersWithPermission(ctx, 'sso:manage', notifiedMax)
  await notifyAndMail(ctx, managers, 'break_glass', { paragraphs: 1, facts: { user } })
  return session
}
