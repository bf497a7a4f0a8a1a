/** Notices before a role ends, to its holder and to its giver. */
import { inTenant, inTenantWithin, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { passOverRemoved } from '../../../errors/app-error.ts'
import type { Language } from '../../../mail/language.ts'
import { listDueWarnings, takeWarning } from '../../accounts/roles/ended.service.ts'
import { notifyEach, type NoticeText } from './notices.service.ts'
import type { About } from './notifications.service.ts'
import { listUsers } from './recipients.service.ts'

const toHolder: Record<Language, NoticeText> = {
  en: {
    title: 'One of your roles ends soon',
    content: 'Your role {{role}} ends on {{day}} (UTC). Ask an administrator if you need it longer.',
  },
  zh: {
    title: '您的一个角色即将到期',
    content: '您的角色 {{role}} 将于 {{day}}（UTC）到期。如需延长，请联系管理员。',
  },
}

const toGiver: Record<Language, NoticeText> = {
  en: {
    title: 'A role that you assigned ends soon',
    content:
      'The role {{role}} of {{user}} ends on {{day}} (UTC). If it’s needed longer, change the end date.',
  },
  zh: {
    title: '您授予的一个角色即将到期',
    content: '{{user}} 的角色 {{role}} 将于 {{day}}（UTC）到期。如需延长，请修改其到期时间。',
  },
}

const tell = async (
  ctx: TransactionCtx,
  userId: number,
  texts: Record<Language, NoticeText>,
  notice: { facts: Record<string, string>; about?: About },
): Promise<void> => notifyEach(ctx, await listUsers(ctx, [userId]), texts, { type: 'info', ...notice })

const warn = (there: Ctx, id: number): Promise<void> =>
  inTransaction(there, async (ctx) => {
    const warned = await takeWarning(ctx, id)
    if (!warned) return
    const { user_id: holder, assigned_by: giver, assigned_by_tenant: home, role, username: user } = warned
    const facts = { role, user, day: warned.expires_at.slice(0, 10) }
    await tell(ctx, holder, toHolder, { facts })
    if (giver === holder && home === null) return
    const about = { resource: 'user', id: holder }
    await inTenantWithin(ctx, home ?? ctx.tenantId, (ctx) => tell(ctx, giver, toGiver, { facts, about }))
  })

/** Notifies holders and givers 7 days and 1 day before a role ends. Several processes can run it at once. */
export const warnOfRoleEnds = async (ctx: Ctx): Promise<void> => {
  for (const { tenant_id: tenantId, id } of await listDueWarnings(ctx)) {
    await warn(inTenant(ctx, tenantId), id).catch(passOverRemoved)
  }
}
