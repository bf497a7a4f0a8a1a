/** Notices of changes that decide who can sign in as a user of the tenant. */
import type { TransactionCtx } from '../../../context.ts'
import type { Language } from '../../../mail/language.ts'
import { byWhom, notifyHolders } from '../../delivery/notifications/holders.service.ts'
import type { NoticeText } from '../../delivery/notifications/notices.service.ts'

const texts = {
  domainAdded: {
    en: { title: 'A domain was added', content: `{{actor}} added the domain {{domain}}. ${byWhom.en}` },
    zh: { title: '已添加域名', content: `{{actor}} 添加了域名 {{domain}}。${byWhom.zh}` },
  },
  domainVerified: {
    en: { title: 'A domain was verified', content: `{{actor}} verified the domain {{domain}}. ${byWhom.en}` },
    zh: { title: '域名已验证', content: `{{actor}} 验证了域名 {{domain}}。${byWhom.zh}` },
  },
  domainDeleted: {
    en: { title: 'A domain was deleted', content: `{{actor}} deleted the domain {{domain}}. ${byWhom.en}` },
    zh: { title: '已删除域名', content: `{{actor}} 删除了域名 {{domain}}。${byWhom.zh}` },
  },
  domainLapsed: {
    en: {
      title: 'A domain has lapsed',
      content:
        'The TXT record of the domain {{domain}} was missing for 7 days. No new users can sign in through this domain until you verify it again.',
    },
    zh: {
      title: '域名已失效',
      content: '域名 {{domain}} 的 TXT 记录已缺失 7 天。在您重新验证之前，不会再有新用户通过它关联。',
    },
  },
  certificateEnds: {
    en: {
      title: 'A sign-in certificate expires soon',
      content:
        'A certificate of the connection {{connection}} expires on {{day}}. Ask the provider whether its key will change, and enter the new metadata before then. Sign-ins continue after that date.',
    },
    zh: {
      title: '登录证书即将到期',
      content:
        '连接 {{connection}} 的一个证书将于 {{day}} 到期。请确认身份提供商是否会更换密钥，并提前提交新的元数据。到期日期本身不会导致登录被拒绝。',
    },
  },
  metadataFound: {
    en: {
      title: 'A provider has new metadata',
      content:
        'The metadata of the connection {{connection}} now has another certificate or URL. Nothing has changed here yet. Check with the provider, then save the connection to use the new metadata.',
    },
    zh: {
      title: '身份提供商有新的元数据',
      content:
        '连接 {{connection}} 的身份提供商在其元数据地址上公布了新的证书或登录地址。目前尚未做任何更改：请先向提供商核实，然后保存该连接以采用新的元数据。',
    },
  },
  connectionAdded: {
    en: {
      title: 'A connection was added',
      content: `{{actor}} added the connection {{connection}}. ${byWhom.en}`,
    },
    zh: { title: '已添加连接', content: `{{actor}} 添加了连接 {{connection}}。${byWhom.zh}` },
  },
  connectionChanged: {
    en: {
      title: 'A connection was changed',
      content: `{{actor}} changed the connection {{connection}}. ${byWhom.en}`,
    },
    zh: { title: '已修改连接', content: `{{actor}} 修改了连接 {{connection}}。${byWhom.zh}` },
  },
  setupLinkSent: {
    en: {
      title: 'A setup link was sent',
      content: `{{actor}} lets {{email}} set up single sign-on for this organization, without an account. ${byWhom.en}`,
    },
    zh: {
      title: '已发送设置链接',
      content: `{{actor}} 允许 {{email}} 无需账户即可设置此组织的登录。${byWhom.zh}`,
    },
  },
  userUnlinked: {
    en: {
      title: 'A user was unlinked',
      content: `{{actor}} unlinked the user {{username}} from the provider. ${byWhom.en}`,
    },
    zh: {
      title: '已解除用户关联',
      content: `{{actor}} 解除了用户 {{username}} 与身份提供商的关联。${byWhom.zh}`,
    },
  },
  breakGlassAdded: {
    en: {
      title: 'A break-glass user was added',
      content: `{{actor}} allowed {{user}} to sign in without single sign-on. ${byWhom.en}`,
    },
    zh: { title: '已指定应急用户', content: `{{actor}} 允许 {{user}} 不通过连接登录。${byWhom.zh}` },
  },
  breakGlassRemoved: {
    en: {
      title: 'A break-glass user was removed',
      content: `{{user}} can now sign in only through single sign-on. {{actor}} made this change. ${byWhom.en}`,
    },
    zh: { title: '已移除应急用户', content: `{{actor}} 要求 {{user}} 只能通过连接登录。${byWhom.zh}` },
  },
  connectionRequired: {
    en: {
      title: 'Single sign-on is now required',
      content: `{{actor}} required single sign-on for everyone. All other sessions have ended. ${byWhom.en}`,
    },
    zh: {
      title: '只能通过连接登录',
      content: `{{actor}} 要求所有人通过连接登录，其他会话已结束。${byWhom.zh}`,
    },
  },
  connectionOptional: {
    en: {
      title: 'Single sign-on is no longer required',
      content: `{{actor}} allowed other ways to sign in again. ${byWhom.en}`,
    },
    zh: { title: '恢复其他登录方式', content: `{{actor}} 不再要求通过连接登录。${byWhom.zh}` },
  },
  connectionDeleted: {
    en: {
      title: 'A connection was deleted',
      content: `{{actor}} deleted the connection {{connection}}. ${byWhom.en}`,
    },
    zh: { title: '已删除连接', content: `{{actor}} 删除了连接 {{connection}}。${byWhom.zh}` },
  },
} satisfies Record<string, Record<Language, NoticeText>>

/** Notifies the other users with `sso:manage`, each in the user's language. */
export const notifyManagers = (
  ctx: TransactionCtx,
  about: keyof typeof texts,
  facts: Record<string, string>,
): Promise<void> => notifyHolders(ctx, 'sso:manage', texts[about], { facts })

/** Like `notifyManagers`. The notices lead to the page of the connection. */
export const notifyOfConnection = (
  ctx: TransactionCtx,
  about: 'certificateEnds' | 'connectionAdded' | 'connectionChanged' | 'metadataFound',
  { id, name }: { id: string; name: string },
  facts: Record<string, string> = {},
): Promise<void> =>
  notifyHolders(ctx, 'sso:manage', texts[about], {
    facts: { ...facts, connection: name },
    about: { resource: 'connection', id },
  })
