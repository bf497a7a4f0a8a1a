/** Notices before a key of a service account ends, to the users who can replace it. */
import { inTenant, inTransaction, type Ctx } from '../../../context.ts'
import { passOverRemoved } from '../../../errors/app-error.ts'
import type { Language } from '../../../mail/language.ts'
import { listDueKeys, takeKeyWarning } from '../../accounts/service-accounts/keys.service.ts'
import { notifyAllHolders } from './holders.service.ts'
import type { NoticeText } from './notices.service.ts'

const texts: Record<Language, NoticeText> = {
  en: {
    title: 'A key expires soon',
    content:
      'The key {{key}} of the service account {{account}} expires on {{day}} (UTC). Create a new key, and replace this one before then.',
  },
  zh: {
    title: '一个密钥即将到期',
    content: '服务账户 {{account}} 的密钥 {{key}} 将于 {{day}}（UTC）到期。请在此之前创建新密钥并完成替换。',
  },
}

const warn = (there: Ctx, id: number): Promise<void> =>
  inTransaction(there, async (ctx) => {
    const warned = await takeKeyWarning(ctx, id)
    if (!warned) return
    const { name: key, account_id: accountId, account, expires_at: end } = warned
    await notifyAllHolders(ctx, 'service_account:update', texts, {
      facts: { key, account, day: end.slice(0, 10) },
      about: { resource: 'service_account', id: accountId },
    })
  })

/** Notifies administrators 14 days before a key ends. Several processes can run it at once. */
export const warnOfKeyEnds = async (ctx: Ctx): Promise<void> => {
  for (const { tenant_id: tenantId, id } of await listDueKeys(ctx)) {
    await warn(inTenant(ctx, tenantId), id).catch(passOverRemoved)
  }
}
