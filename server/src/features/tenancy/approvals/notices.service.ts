/** Notices to all who may decide, when somebody breaks the glass. */
import type { PermissionCode } from '../../../access/permissions.ts'
import type { TransactionCtx } from '../../../context.ts'
import { notifyAndMail } from '../../delivery/notifications/notices.service.ts'
import { listUsersWithPermission } from '../../delivery/notifications/recipients.service.ts'

const decide: PermissionCode = 'approval:decide'
/** The most users that are notified. */
const notifiedMax = 1000

/** Notifies by notification and e-mail, queued in the transaction of the request. */
export const notifyDeciders = async (ctx: TransactionCtx, reason: string): Promise<void> => {
  const deciders = await listUsersWithPermission(ctx, decide, notifiedMax)
  const facts = { user: ctx.actor.name, reason }
  await notifyAndMail(ctx, deciders, 'glass_broken', { paragraphs: 1, facts })
}
