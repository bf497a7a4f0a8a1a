import type { Language } from './language.ts'

/** E-mails that carry a link. */
export type LinkKind = 'reset' | 'verification' | 'change'

/** E-mails that carry a link, those of invitations included. */
export type LinkMailKind = LinkKind | 'invitation'

/** E-mails that go out unasked, about the safety of an account and the work of an administrator. */
export type NoticeKind =
  | 'password_changed'
  | 'email_changed'
  | 'new_device'
  | 'factor_added'
  | 'factor_removed'
  | 'codes_guessed'
  | 'webhook_disabled'

/** `test`: an operator asks whether e-mails arrive. */
export type MailKind = LinkMailKind | NoticeKind | 'test'

/** Values that a text quotes. */
export interface Facts {
  /** The moment, in UTC. */
  at: string
  browser?: string
  system?: string
  /** The name of a second factor. */
  factor?: string
  /** The name of the tenant that invites. */
  tenant?: string
  /** The origin of a webhook's URL, and why the webhook was disabled. */
  hook?: string
  reason?: string
}

/** The parts of an e-mail. */
export interface MailText {
  subject: string
  /** Paragraphs before the button, or all of them without a button. */
  before: string[]
  /** The words on the button of the link. */
  button?: string
  /** Paragraphs after the button. */
  after: string[]
}

const deviceEn = ({ browser, system }: Facts): string =>
  [browser || 'an unknown browser', system].filter(Boolean).join(' on ')

const deviceZh = ({ browser, system }: Facts): string =>
  `${system ? `${system} 上的 ` : ''}${browser || '未知浏览器'}`

const notYouEn =
  'If this was not you, reset your password now: open the sign-in page and choose “Forgot your password?”. Then tell your administrator.'
const notYouZh = '如果不是您本人操作，请立即重置密码：打开登录页面，点击“忘记密码？”，然后告知您的管理员。'

const noticeEn = (subject: string, text: string): MailText => ({ subject, before: [text], after: [notYouEn] })
const noticeZh = (subject: string, text: string): MailText => ({ subject, before: [text], after: [notYouZh] })

type Texts = Record<MailKind, (facts: Facts) => MailText>

const en: Texts = {
  reset: () => ({
    subject: 'Reset your password',
    before: ['Somebody asked for a new password for the account with this e-mail address.'],
    button: 'Choose a new password',
    after: [
      'The link works once, for 30 minutes.',
      'If you did not ask for it, ignore this e-mail. Your password stays as it is.',
    ],
  }),
  verification: () => ({
    subject: 'Confirm your e-mail address',
    before: ['Somebody registered an account with this e-mail address.'],
    button: 'Confirm the address',
    after: [
      'The link works once, for 24 hours, while you are signed in to that account.',
      'If you did not register, ignore this e-mail.',
    ],
  }),
  change: () => ({
    subject: 'Confirm your new e-mail address',
    before: ['Somebody asked to use this e-mail address for their account.'],
    button: 'Confirm the new address',
    after: [
      'The link works once, for 24 hours, while you are signed in to that account.',
      'If you did not ask for it, ignore this e-mail.',
    ],
  }),
  invitation: ({ tenant = '' }) => ({
    subject: `Invitation to ${tenant}`,
    before: [`Somebody invited you to join “${tenant}” with this e-mail address.`],
    button: 'Accept the invitation',
    after: [
      'The link works once, for 7 days.',
      'If you do not know the sender, ignore this e-mail. Nothing happens without you.',
    ],
  }),
  test: ({ at }) => ({
    subject: 'E-mails of Tenantry arrive',
    before: [`An operator sent this e-mail at ${at} to see whether it arrives.`],
    after: [],
  }),
  password_changed: ({ at }) =>
    noticeEn('Your password was changed', `The password of your account was changed at ${at}.`),
  email_changed: ({ at }) => ({
    subject: 'Your e-mail address was changed',
    before: [`The e-mail address of your account was changed at ${at}. This address gets no more e-mails.`],
    after: ['If this was not you, tell your administrator at once.'],
  }),
  new_device: (facts) =>
    noticeEn(
      'New sign-in to your account',
      `Somebody signed in to your account at ${facts.at}, with ${deviceEn(facts)}. We had not seen this device for 90 days.`,
    ),
  factor_added: ({ at, factor = '' }) =>
    noticeEn(
      'A second factor was added',
      `The second factor “${factor}” was added to your account at ${at}.`,
    ),
  factor_removed: ({ at, factor = '' }) =>
    noticeEn(
      'A second factor was removed',
      `The second factor “${factor}” was removed from your account at ${at}.`,
    ),
  codes_guessed: ({ at }) =>
    noticeEn(
      'Many wrong codes for your account',
      `Many wrong codes were entered for your account until ${at}. Somebody may know your password. Codes are refused for an hour.`,
    ),
  webhook_disabled: ({ at, hook = '', reason = '' }) => ({
    subject: 'A webhook was disabled',
    before: [`The webhook to ${hook} was disabled at ${at}. ${reason}.`],
    after: ['Nothing is lost: once you enable it, it goes on where it stood.'],
  }),
}

const zh: Texts = {
  reset: () => ({
    subject: '重置您的密码',
    before: ['有人为使用此邮箱地址的账户申请了新密码。'],
    button: '设置新密码',
    after: ['该链接仅可使用一次，30 分钟内有效。', '如果您没有提出申请，请忽略此邮件，您的密码不会改变。'],
  }),
  verification: () => ({
    subject: '确认您的邮箱地址',
    before: ['有人使用此邮箱地址注册了账户。'],
    button: '确认邮箱地址',
    after: ['该链接仅可使用一次，24 小时内有效，且须在登录该账户后使用。', '如果您没有注册，请忽略此邮件。'],
  }),
  change: () => ({
    subject: '确认您的新邮箱地址',
    before: ['有人申请将此邮箱地址用于其账户。'],
    button: '确认新邮箱地址',
    after: [
      '该链接仅可使用一次，24 小时内有效，且须在登录该账户后使用。',
      '如果您没有提出申请，请忽略此邮件。',
    ],
  }),
  invitation: ({ tenant = '' }) => ({
    subject: `邀请您加入 ${tenant}`,
    before: [`有人邀请您使用此邮箱地址加入“${tenant}”。`],
    button: '接受邀请',
    after: ['该链接仅可使用一次，7 天内有效。', '如果您不认识发件人，请忽略此邮件，不会发生任何变化。'],
  }),
  test: ({ at }) => ({
    subject: 'Tenantry 邮件测试',
    before: [`运维人员于 ${at} 发送此邮件，以检查邮件能否送达。`],
    after: [],
  }),
  password_changed: ({ at }) => noticeZh('您的密码已更改', `您的账户密码已于 ${at} 更改。`),
  email_changed: ({ at }) => ({
    subject: '您的邮箱地址已更改',
    before: [`您账户的邮箱地址已于 ${at} 更改，此地址不再接收邮件。`],
    after: ['如果不是您本人操作，请立即告知您的管理员。'],
  }),
  new_device: (facts) =>
    noticeZh(
      '您的账户有新的登录',
      `有人于 ${facts.at} 使用 ${deviceZh(facts)} 登录了您的账户。该设备在过去 90 天内未曾出现。`,
    ),
  factor_added: ({ at, factor = '' }) =>
    noticeZh('已添加第二验证方式', `您的账户已于 ${at} 添加第二验证方式“${factor}”。`),
  factor_removed: ({ at, factor = '' }) =>
    noticeZh('已移除第二验证方式', `您的账户已于 ${at} 移除第二验证方式“${factor}”。`),
  codes_guessed: ({ at }) =>
    noticeZh(
      '您的账户收到多次错误验证码',
      `截至 ${at}，有人多次为您的账户输入错误的验证码，对方可能已知道您的密码。验证码将在一小时内被拒绝。`,
    ),
  webhook_disabled: ({ at, hook = '', reason = '' }) => ({
    subject: '一个 Webhook 已停用',
    before: [`发往 ${hook} 的 Webhook 已于 ${at} 停用。原因：${reason}。`],
    after: ['数据不会丢失：重新启用后，将从停止处继续发送。'],
  }),
}

export const texts: Record<Language, Texts> = { en, zh }

/** The last line of every e-mail. */
export const footers: Record<Language, (origin: string) => string> = {
  en: (origin) => `This e-mail comes from Tenantry at ${origin}. Nobody reads answers to it.`,
  zh: (origin) => `此邮件由 ${origin} 的 Tenantry 自动发送，请勿回复。`,
}

/** Precedes an address for people whose mail program shows no button. */
export const linkHints: Record<Language, string> = {
  en: 'If the button does not work, open this address:',
  zh: '如果按钮无法使用，请打开此地址：',
}
