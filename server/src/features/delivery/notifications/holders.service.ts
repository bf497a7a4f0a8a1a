/** Notices to the users who hold a permission. */
import type { PermissionCode } from '../../../access/permissions.ts'
import type { TransactionCtx } from '../../../context.ts'
import type { Language } from '../../../mail/language.ts'
import { notifyEach, type NoticeText } from './notices.service.ts'
import type { About } from './notifications.service.ts'
import { listUsersWithPermission, type Recipient } from './recipients.service.ts'

/** The last sentence of a notice about a change by `actor`. */
export const byWhom = {
  en: 'If this wasn’t planned, ask {{actor}} or another administrator.',
  zh: '如果这不在计划之内，请联系 {{actor}} 或其他管理员。',
}

/** The most users that are notified. */
const notifiedMax = 100

interface Warning {
  facts: Record<string, string>
  about?: About | undefined
}

const warnEach = (
  ctx: TransactionCtx,
  recipients: Recipient[],
  texts: Record<Language, NoticeText>,
  { facts, about }: Warning,
): Promise<void> =>
  notifyEach(ctx, recipients, texts, { type: 'warning', facts: { ...facts, actor: ctx.actor.name }, about })

/** Notifies the users of the tenant in scope who hold a permission, each in the user's language. */
export const notifyAllHolders = async (
  ctx: TransactionCtx,
  code: PermissionCode,
  texts: Record<Language, NoticeText>,
  warning: Warning,
): Promise<void> => warnEach(ctx, await listUsersWithPermission(ctx, code, notifiedMax), texts, warning)

/** Like `notifyAllHolders`, but leaves out the caller. */
export const notifyHolders = async (
  ctx: TransactionCtx,
  code: PermissionCode,
  texts: Record<Language, NoticeText>,
  warning: Warning,
): Promise<void> => {
  const { actor, tenantId } = ctx
  const holders = await listUsersWithPermission(ctx, code, notifiedMax)
  const others = holders.filter(({ id }) => id !== actor.userId || tenantId !== actor.tenantId)
  await warnEach(ctx, others, texts, warning)
}
