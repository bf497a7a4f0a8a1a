/** Notifies the managers of enterprise sign-in when a break-glass user signs in. */
import type { TransactionCtx } from '../../../context.ts'
import { builtInLanguageFor } from '../../../mail/language.ts'
import { texts } from '../../../mail/texts.ts'
import { fill, momentOf } from '../../../mail/values.ts'
import { queueNotice } from '../../accounts/mail/mail.service.ts'
import type { OpenedSession } from '../../accounts/sessions/reach.service.ts'
import { listUsersWithPermission } from './recipients.service.ts'
import { notify } from './notifications.service.ts'

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
  const facts = { user, at: momentOf(ctx.parts.now()) }
  for (const { id, account_id: accountId, email, language } of await listUsersWithPermission(
    ctx,
    'sso:manage',
    notifiedMax,
  )) {
    const { subject, text } = texts[builtInLanguageFor(language ?? '')].break_glass
    const [content = ''] = text.split('\n')
    await notify(ctx, {
      user_id: id,
      title: subject,
      content: fill(content, facts),
      type: 'warning',
      sender: '',
    })
    queueNotice(ctx, 'break_glass', { accountId, email }, { user })
  }
  return session
}
