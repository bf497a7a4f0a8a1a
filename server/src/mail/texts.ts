import type { Language } from './language.ts'
import type { MailKind } from './kinds.ts'

/** The text of an e-mail with placeholders such as `{{name}}`. */
export interface MailText {
  subject: string
  /** Set for an e-mail with a link. */
  button?: string
  /** Paragraphs with an empty line between them. `{{link}}` is the paragraph of the link. */
  text: string
}

type Texts = Record<MailKind, MailText>

const paragraphs = (...lines: string[]): string => lines.join('\n\n')

const linkMail = (subject: string, button: string, before: string, ...after: string[]): MailText => ({
  subject,
  button,
  text: paragraphs(before, '{{link}}', ...after),
})
const notice = (subject: string, ...lines: string[]): MailText => ({ subject, text: paragraphs(...lines) })

const notYouEn =
  'If this was not you, reset your password now: open the sign-in page and choose “Forgot your password?”. Then tell your administrator.'
const notYouZh = '如果不是您本人操作，请立即重置密码：打开登录页面，点击“忘记密码？”，然后告知您的管理员。'

const en: Texts = {
  reset: linkMail(
    'Reset your password',
    'Choose a new password',
    'Somebody asked for a new password for the account with this e-mail address.',
    'The link works once, for 30 minutes.',
    'If you did not ask for it, ignore this e-mail. Your password stays as it is.',
  ),
  verification: linkMail(
    'Confirm your e-mail address',
    'Confirm the address',
    'Somebody registered an account with this e-mail address.',
    'The link works once, for 24 hours, while you are signed in to that account.',
    'If you did not register, ignore this e-mail.',
  ),
  change: linkMail(
    'Confirm your new e-mail address',
    'Confirm the new address',
    'Somebody asked to use this e-mail address for their account.',
    'The link works once, for 24 hours, while you are signed in to that account.',
    'If you did not ask for it, ignore this e-mail.',
  ),
  invitation: linkMail(
    'Invitation to {{tenant}}',
    'Accept the invitation',
    'Somebody invited you to join “{{tenant}}” with this e-mail address.',
    'The link works once, for 7 days.',
    'If you do not know the sender, ignore this e-mail. Nothing happens without you.',
  ),
  sign_up: linkMail(
    'Create your organization',
    'Create the organization',
    'Somebody asked to create an organization with this e-mail address.',
    'The link works once, for 24 hours.',
    'If you did not ask for it, ignore this e-mail. Nothing is created without you.',
  ),
  proof: linkMail(
    'Confirm your sign-in to {{tenant}}',
    'Confirm the sign-in',
    'Somebody signs in to “{{tenant}}” with this e-mail address. The link proves that it is you.',
    'The link works once, for 30 minutes, and only in the browser in which the sign-in began.',
    'If this was not you, do not open the link, and tell your administrator.',
  ),
  email_code: notice(
    'Your code to sign in',
    'Somebody signs in with this e-mail address. Enter this code on the page that asks for it:',
    '{{code}}',
    'The code works once, for 10 minutes, and only in the browser in which the sign-in began.',
    'Nobody from {{product}} will ask you for this code. If you did not ask for it, ignore this e-mail.',
  ),
  no_account: notice(
    'There is no account with this address',
    'Somebody asked for a code to sign in with this e-mail address. There is no account with it yet.',
    'If this was you, you can create one: open the sign-in page of {{product}}, and choose to register.',
    'If you did not ask for it, ignore this e-mail.',
  ),
  test: notice(
    'E-mails of {{product}} arrive',
    'An operator sent this e-mail at {{at}} to see whether it arrives.',
  ),
  password_changed: notice(
    'Your password was changed',
    'The password of your account was changed at {{at}}.',
    notYouEn,
  ),
  sso_linked: notice(
    'Your account is linked with {{tenant}}',
    'The sign-in of “{{tenant}}” was linked with your account at {{at}}. It reaches that organization, and nothing else.',
    notYouEn,
  ),
  identity_added: notice(
    '{{provider}} now opens your account',
    'From {{at}} on, {{provider}} signs you in to your account.',
    notYouEn,
  ),
  identity_removed: notice(
    '{{provider}} no longer opens your account',
    'The sign-in by {{provider}} was removed from your account at {{at}}.',
    notYouEn,
  ),
  email_changed: notice(
    'Your e-mail address was changed',
    'The e-mail address of your account was changed at {{at}}. This address gets no more e-mails.',
    'If this was not you, tell your administrator at once.',
  ),
  new_device: notice(
    'New sign-in to your account',
    'Somebody signed in to your account at {{at}}, with {{device}}. We had not seen this device for 90 days.',
    notYouEn,
  ),
  factor_added: notice(
    'A second factor was added',
    'The second factor “{{factor}}” was added to your account at {{at}}.',
    notYouEn,
  ),
  factor_removed: notice(
    'A second factor was removed',
    'The second factor “{{factor}}” was removed from your account at {{at}}.',
    notYouEn,
  ),
  codes_guessed: notice(
    'Many wrong codes for your account',
    'Many wrong codes were entered for your account until {{at}}. Somebody may know your password. Codes are refused for an hour.',
    notYouEn,
  ),
  webhook_disabled: notice(
    'A webhook was disabled',
    'The webhook to {{hook}} was disabled at {{at}}. {{reason}}.',
    'Nothing is lost: once you enable it, it goes on where it stood.',
  ),
  break_glass: notice(
    'A break-glass user signed in',
    'The user {{user}} signed in at {{at}}, past the sign-in provider of your organization.',
    'Ask the person why, or end the exemption when nobody planned this.',
  ),
}

const zh: Texts = {
  reset: linkMail(
    '重置您的密码',
    '设置新密码',
    '有人为使用此邮箱地址的账户申请了新密码。',
    '该链接仅可使用一次，30 分钟内有效。',
    '如果您没有提出申请，请忽略此邮件，您的密码不会改变。',
  ),
  verification: linkMail(
    '确认您的邮箱地址',
    '确认邮箱地址',
    '有人使用此邮箱地址注册了账户。',
    '该链接仅可使用一次，24 小时内有效，且须在登录该账户后使用。',
    '如果您没有注册，请忽略此邮件。',
  ),
  change: linkMail(
    '确认您的新邮箱地址',
    '确认新邮箱地址',
    '有人申请将此邮箱地址用于其账户。',
    '该链接仅可使用一次，24 小时内有效，且须在登录该账户后使用。',
    '如果您没有提出申请，请忽略此邮件。',
  ),
  invitation: linkMail(
    '邀请您加入 {{tenant}}',
    '接受邀请',
    '有人邀请您使用此邮箱地址加入“{{tenant}}”。',
    '该链接仅可使用一次，7 天内有效。',
    '如果您不认识发件人，请忽略此邮件，不会发生任何变化。',
  ),
  sign_up: linkMail(
    '创建您的组织',
    '创建组织',
    '有人申请使用此邮箱地址创建组织。',
    '该链接仅可使用一次，24 小时内有效。',
    '如果您没有提出申请，请忽略此邮件，不会创建任何内容。',
  ),
  proof: linkMail(
    '确认您登录 {{tenant}}',
    '确认登录',
    '有人使用此邮箱地址登录“{{tenant}}”。该链接用于证明是您本人。',
    '该链接仅可使用一次，30 分钟内有效，且只能在开始登录的浏览器中使用。',
    '如果不是您本人操作，请勿打开链接，并告知您的管理员。',
  ),
  email_code: notice(
    '您的登录验证码',
    '有人正在使用此邮箱地址登录。请在要求输入验证码的页面输入：',
    '{{code}}',
    '该验证码仅可使用一次，10 分钟内有效，且只能在开始登录的浏览器中使用。',
    '{{product}} 的任何人都不会向您索要此验证码。如果您没有提出申请，请忽略此邮件。',
  ),
  no_account: notice(
    '此邮箱地址没有账户',
    '有人申请了使用此邮箱地址登录的验证码，但此地址还没有账户。',
    '如果是您本人操作，可以创建账户：打开 {{product}} 的登录页面，选择注册。',
    '如果您没有提出申请，请忽略此邮件。',
  ),
  test: notice('{{product}} 邮件测试', '运维人员于 {{at}} 发送此邮件，以检查邮件能否送达。'),
  password_changed: notice('您的密码已更改', '您的账户密码已于 {{at}} 更改。', notYouZh),
  sso_linked: notice(
    '您的账户已与 {{tenant}} 关联',
    '“{{tenant}}”的登录方式已于 {{at}} 与您的账户关联。它只能访问该组织。',
    notYouZh,
  ),
  identity_added: notice(
    '{{provider}} 现可登录您的账户',
    '自 {{at}} 起，您可以通过 {{provider}} 登录您的账户。',
    notYouZh,
  ),
  identity_removed: notice(
    '{{provider}} 不再可登录您的账户',
    '通过 {{provider}} 的登录已于 {{at}} 从您的账户移除。',
    notYouZh,
  ),
  email_changed: notice(
    '您的邮箱地址已更改',
    '您账户的邮箱地址已于 {{at}} 更改，此地址不再接收邮件。',
    '如果不是您本人操作，请立即告知您的管理员。',
  ),
  new_device: notice(
    '您的账户有新的登录',
    '有人于 {{at}} 使用 {{device}} 登录了您的账户。该设备在过去 90 天内未曾出现。',
    notYouZh,
  ),
  factor_added: notice('已添加第二验证方式', '您的账户已于 {{at}} 添加第二验证方式“{{factor}}”。', notYouZh),
  factor_removed: notice(
    '已移除第二验证方式',
    '您的账户已于 {{at}} 移除第二验证方式“{{factor}}”。',
    notYouZh,
  ),
  codes_guessed: notice(
    '您的账户收到多次错误验证码',
    '截至 {{at}}，有人多次为您的账户输入错误的验证码，对方可能已知道您的密码。验证码将在一小时内被拒绝。',
    notYouZh,
  ),
  webhook_disabled: notice(
    '一个 Webhook 已停用',
    '发往 {{hook}} 的 Webhook 已于 {{at}} 停用。原因：{{reason}}。',
    '数据不会丢失：重新启用后，将从停止处继续发送。',
  ),
  break_glass: notice(
    '一个应急用户已登录',
    '用户 {{user}} 于 {{at}} 绕过您组织的登录提供商登录。',
    '如果这不在计划之内，请向本人核实，或取消其豁免。',
  ),
}

/** The texts that apply unless the installation has texts of its own. */
export const texts: Record<Language, Texts> = { en, zh }

/** The lines below every e-mail that name the sender. A language without a frame shows only the names. */
interface SenderFrame {
  /** The line of an installation without a product name. */
  fromOrigin: (origin: string) => string
  fromProduct: (product: string) => string
  help: string
  /** The line before the plain address, for mail programs without buttons. */
  linkHint: string
}

export const frames: Record<Language, SenderFrame> = {
  en: {
    fromOrigin: (origin) => `This e-mail comes from Tenantry at ${origin}. Nobody reads answers to it.`,
    fromProduct: (product) => `This e-mail comes from ${product}. Nobody reads answers to it.`,
    help: 'Help: ',
    linkHint: 'If the button does not work, open this address:',
  },
  zh: {
    fromOrigin: (origin) => `此邮件由 ${origin} 的 Tenantry 自动发送，请勿回复。`,
    fromProduct: (product) => `此邮件由 ${product} 自动发送，请勿回复。`,
    help: '帮助：',
    linkHint: '如果按钮无法使用，请打开此地址：',
  },
}

export const frameWithoutWords: SenderFrame = {
  fromOrigin: (origin) => `Tenantry · ${origin}`,
  fromProduct: (product) => product,
  help: '',
  linkHint: '',
}
