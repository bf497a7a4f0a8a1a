/** Notices of changes that decide who can sign in to the installation. */
import type { TransactionCtx } from '../../../context.ts'
import type { Language } from '../../../mail/language.ts'
import { byWhom, notifyHolders } from '../../delivery/notifications/holders.service.ts'
import type { NoticeText } from '../../delivery/notifications/notices.service.ts'

const texts = {
  added: {
    en: { title: 'A provider was added', content: `{{actor}} added the provider {{provider}}. ${byWhom.en}` },
    zh: { title: '已添加登录提供商', content: `{{actor}} 添加了登录提供商 {{provider}}。${byWhom.zh}` },
  },
  changed: {
    en: {
      title: 'A provider was changed',
      content: `{{actor}} changed the provider {{provider}}. ${byWhom.en}`,
    },
    zh: { title: '已修改登录提供商', content: `{{actor}} 修改了登录提供商 {{provider}}。${byWhom.zh}` },
  },
  tested: {
    en: {
      title: 'A provider is being tested',
      content: `{{actor}} started a test of the provider {{provider}}. ${byWhom.en}`,
    },
    zh: { title: '登录提供商正在测试', content: `{{actor}} 开始测试登录提供商 {{provider}}。${byWhom.zh}` },
  },
  deleted: {
    en: {
      title: 'A provider was deleted',
      content: `{{actor}} deleted the provider {{provider}}. ${byWhom.en}`,
    },
    zh: { title: '已删除登录提供商', content: `{{actor}} 删除了登录提供商 {{provider}}。${byWhom.zh}` },
  },
} satisfies Record<string, Record<Language, NoticeText>>

/** Notifies the other users with `provider:manage`, each in the user's language. */
export const notifyProviderManagers = (
  ctx: TransactionCtx,
  about: keyof typeof texts,
  { id, name }: { id: string; name: string },
): Promise<void> =>
  notifyHolders(ctx, 'provider:manage', texts[about], {
    facts: { provider: name },
    about: about === 'deleted' ? undefined : { resource: 'provider', id },
  })
