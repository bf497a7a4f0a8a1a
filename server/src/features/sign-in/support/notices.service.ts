/** Notifications and e-mails about support sessions. They lead to a page, never to a decision. */
import type { TransactionCtx } from '../../../context.ts'
import type { NoticeKind } from '../../../mail/kinds.ts'
import { inert } from '../../../mail/values.ts'
import { notifyAndMail } from '../../delivery/notifications/notices.service.ts'
import {
  listUsers,
  listUsersWithPermission,
  type Recipient,
} from '../../delivery/notifications/recipients.service.ts'
import { isUserTold } from './rules.service.ts'

type Kind = Extract<NoticeKind, `support_${string}`>

const tell = (ctx: TransactionCtx, kind: Kind, recipients: Recipient[], reason: string): Promise<void> => {
  const { name: user } = ctx.actor
  return notifyAndMail(ctx, recipients, kind, {
    paragraphs: 2,
    facts: { user, reason },
    shown: { user: inert(user), reason: inert(reason) },
  })
}

/** The most holders of `support:allow` who are asked. */
const askedMax = 20

/** Asks the user, if the tenant wants that, and holders of `support:allow`. The caller is not asked. */
export const notifyOfQuestion = async (
  ctx: TransactionCtx,
  userId: number,
  reason: string,
): Promise<void> => {
  const { actor, tenantId } = ctx
  const holders = await listUsersWithPermission(ctx, 'support:allow', askedMax + 2)
  const others = holders.filter(
    ({ id, account_id: accountId }) => id !== userId && accountId !== actor.accountId,
  )
  if (await isUserTold({ ...ctx, tenantId })) {
    await tell(ctx, 'support_asked', await listUsers(ctx, [userId]), reason)
  }
  await tell(ctx, 'support_question', others.slice(0, askedMax), reason)
}

/** Notifies the user of a start, if the tenant wants that. */
export const notifyOfStart = async (ctx: TransactionCtx, userId: number, reason: string): Promise<void> => {
  if (await isUserTold(ctx)) await tell(ctx, 'support_started', await listUsers(ctx, [userId]), reason)
}
