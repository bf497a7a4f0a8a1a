/** Notices to the other users who hold a permission. */
import type { PermissionCode } from '../../../access/permissions.ts'
import type { TransactionCtx } from '../../../context.ts'
import { builtInLanguageFor, type Language } from '../../../mail/language.ts'
import { fill } from '../../../mail/values.ts'
import { notify } from './notifications.service.ts'
import { listUsersWithPermission } from './recipients.service.ts'

export interface NoticeText {
  title: string
  content: string
}

/** The last sentence of a notice about a change by `actor`. */
export const byWhom = {
  en: 'Ask {{actor}} or another administrator when nobody planned this.',
  zh: '如果这不在计划之内，请联系 {{actor}} 或其他管理员。',
}

/** The most users that are notified. */
const notifiedMax = 100

/** Notifies the other users of the tenant in scope who hold a permission, each in the user's language. */
export const notifyHolders = async (
  ctx: TransactionCtx,
  code: PermissionCode,
  texts: Record<Language, NoticeText>,
  facts: Record<string, string>,
): Promise<void> => {
  const { actor, tenantId } = ctx
  for (const recipient of await listUsersWithPermission(ctx, code, notifiedMax)) {
    if (recipient.id === actor.userId && tenantId === actor.tenantId) continue
    const { title, content } = texts[builtInLanguageFor(recipient.language ?? '')]
    const text = { title, content: fill(content, { ...facts, actor: actor.name }) }
    await notify(ctx, { user_id: recipient.id, ...text, type: 'warning', sender: '' })
  }
}
