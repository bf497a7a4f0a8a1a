/** Sign-ins of break-glass users, which everybody hears of who manages enterprise sign-in. */
import type { TransactionCtx } from '../../../context.ts'
import { builtInLanguageFor } from '../../../mail/language.ts'
import { texts } from '../../../mail/texts.ts'
import { fill, momentOf } from '../../../mail/values.ts'
import { queueNotice } from '../../accounts/mail/mail.service.ts'
import type { OpenedSession } from '../../accounts/sessions/reach.service.ts'
import { listHolders } from './holders.service.ts'
import { notify } from './notifications.service.ts'

/** The people who hear of it. */
const toldMax = 100

/** Tells of a session that nothing but an exemption has opened, by notification and e-mail. Returns the session. */
export const tellingBrokenGlass = async (
  ctx: TransactionCtx,
  session: OpenedSession,
): Promise<OpenedSession> => {
  const { brokenGlassBy: user } = session
  if (user === undefined) return session
  const facts = { user, at: momentOf(ctx.parts.now()) }
  for (const { id, account_id: accountId, email, language } of await listHolders(
    ctx,
    'sso:manage',
    toldMax,
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
