/** Notices to the administrators of a tenant about its limits. */
import type { LimitNotice, TransactionCtx } from '../../../context.ts'
import type { Language } from '../../../mail/language.ts'
import type { LimitName } from '../../../values/limit-names.ts'
import { notifyAllHolders } from './holders.service.ts'
import type { NoticeText } from './notices.service.ts'

const nouns: Record<LimitName, Record<Language, string>> = {
  users: { en: 'users', zh: '用户' },
  pending_invitations: { en: 'pending invitations', zh: '待接受的邀请' },
  service_accounts: { en: 'service accounts', zh: '服务账户' },
  roles: { en: 'custom roles', zh: '自定义角色' },
  webhooks: { en: 'webhooks', zh: 'Webhook' },
  connections: { en: 'connections', zh: '连接' },
}

const textsOf = (name: LimitName, isReached: boolean): Record<Language, NoticeText> => {
  const { en, zh } = nouns[name]
  return {
    en: {
      title: isReached ? 'Your organization has reached a limit' : 'Your organization is close to a limit',
      content: `Your organization has {{used}} of {{limit}} ${en}.`,
    },
    zh: {
      title: isReached ? '已达到上限' : '即将达到上限',
      content: `您的组织已有 {{used}} / {{limit}} 个${zh}。`,
    },
  }
}

/** Notifies everyone who changes settings of the tenant in scope, the caller too. */
export const notifyOfLimit = (
  ctx: TransactionCtx,
  { name, isReached, used, limit }: LimitNotice,
): Promise<void> =>
  notifyAllHolders(ctx, 'setting:update', textsOf(name, isReached), {
    facts: { used: String(used), limit: String(limit) },
    about: { resource: 'tenant', id: ctx.tenantId },
  })
