import type { Language } from './language.ts'
import { linkMail, notice, type Texts } from './mail-text.ts'
import { zh } from './texts-zh.ts'

export type { MailText } from './mail-text.ts'

const notYouEn =
  'If this wasn’t you, reset your password now: open the sign-in page and choose “Forgot your password?”. Then tell your administrator.'

const en: Texts = {
  reset: linkMail(
    'Reset your password',
    'Choose a new password',
    'Someone requested a new password for the account with this e-mail address.',
    'The link works once, for 30 minutes.',
    'If you didn’t request it, ignore this e-mail. Your password stays as it is.',
  ),
  verification: linkMail(
    'Confirm your e-mail address',
    'Confirm the e-mail address',
    'Someone registered an account with this e-mail address.',
    'The link works once, for 24 hours, while you are signed in to that account.',
    'If you didn’t register, ignore this e-mail.',
  ),
  change: linkMail(
    'Confirm your new e-mail address',
    'Confirm the new e-mail address',
    'Someone asked to use this e-mail address for their account.',
    'The link works once, for 24 hours, while you are signed in to that account.',
    'If you didn’t request it, ignore this e-mail.',
  ),
  invitation: linkMail(
    'Invitation to {{tenant}}',
    'Accept the invitation',
    '{{inviter}} invited you to join “{{tenant}}” with this e-mail address.',
    'The link works once, for 7 days.',
    'If you don’t know the sender, ignore this e-mail. Nothing happens unless you accept.',
  ),
  setup: linkMail(
    'Set up single sign-on for {{tenant}}',
    'Start setup',
    '“{{tenant}}” asks you to connect its sign-in provider. You don’t need an account.',
    'The link works until {{at}}. It also needs a code sent to this e-mail address each time, so no one else can use it.',
    'If you don’t know the sender, ignore this e-mail. Nothing happens unless you use the link.',
  ),
  sign_up: linkMail(
    'Create your organization',
    'Create the organization',
    'Someone asked to create an organization with this e-mail address.',
    'The link works once, for 24 hours.',
    'If you didn’t request it, ignore this e-mail. Nothing is created unless you open the link.',
  ),
  proof: linkMail(
    'Confirm your sign-in with {{tenant}}',
    'Confirm the sign-in',
    'Someone is signing in with “{{tenant}}” and this e-mail address. The link proves that it is you.',
    'The link works once, for 30 minutes, and only in the browser where the sign-in started.',
    'If this wasn’t you, don’t open the link, and tell your administrator.',
  ),
  email_code: notice(
    'Your sign-in code',
    'Someone is signing in with this e-mail address. Enter this code on the sign-in page:',
    '{{code}}',
    'The code works once, for 10 minutes, and only in the browser where the sign-in started.',
    'No one from {{product}} will ever ask you for this code. If you didn’t request it, ignore this e-mail.',
  ),
  setup_code: notice(
    'Your code to set up single sign-on for {{tenant}}',
    'Someone opened your link to set up single sign-on for “{{tenant}}”. Enter this code on its page:',
    '{{code}}',
    'The code works once, for 10 minutes, and only together with the link. It signs no one in.',
    'No one from {{product}} will ever ask you for this code. If you didn’t open the link, ignore this e-mail.',
  ),
  no_account: notice(
    'There is no account with this e-mail address',
    'Someone requested a sign-in code for this e-mail address. There is no account with it yet.',
    'If this was you, create an account on the sign-in page of {{product}}.',
    'If you didn’t request it, ignore this e-mail.',
  ),
  test: notice('E-mail from {{product}} works', 'An operator sent this test e-mail at {{at}}.'),
  password_changed: notice(
    'Your password was changed',
    'The password of your account was changed at {{at}}.',
    notYouEn,
  ),
  password_removed: notice(
    'Your account no longer has a password',
    'Your account has had no password since {{at}}. You confirmed this e-mail address for the first time, which removes an earlier password: someone else could have set it.',
    'Sign in without one, or choose a new one with “Forgot your password?” on the sign-in page.',
    notYouEn,
  ),
  sso_linked: notice(
    'Your account is linked to {{tenant}}',
    'Single sign-on for “{{tenant}}” was linked to your account at {{at}}. It gives access to that organization only.',
    notYouEn,
  ),
  identity_added: notice(
    '{{provider}} can now sign you in',
    'As of {{at}}, you can sign in to your account with {{provider}}.',
    notYouEn,
  ),
  identity_removed: notice(
    '{{provider}} can no longer sign you in',
    'Sign-in with {{provider}} was removed from your account at {{at}}.',
    notYouEn,
  ),
  email_changed: notice(
    'Your e-mail address was changed',
    'The e-mail address of your account was changed at {{at}}. You’ll get no more e-mails here.',
    'If this wasn’t you, tell your administrator immediately.',
  ),
  new_device: notice(
    'New sign-in to your account',
    'Someone signed in to your account at {{at}}, with {{device}}. This device hadn’t been used with your account for at least 90 days.',
    notYouEn,
  ),
  factor_added: notice(
    'Two-step verification: method added',
    'The verification method “{{factor}}” was added to your account at {{at}}.',
    notYouEn,
  ),
  factor_removed: notice(
    'Two-step verification: method removed',
    'The verification method “{{factor}}” was removed from your account at {{at}}.',
    notYouEn,
  ),
  codes_guessed: notice(
    'Many wrong codes for your account',
    'Many wrong codes were entered for your account up to {{at}}. Someone may know your password. Codes are refused for an hour.',
    notYouEn,
  ),
  webhook_disabled: notice(
    'A webhook was disabled',
    'The webhook to {{hook}} was disabled at {{at}}. {{reason}}.',
    'Nothing is lost: once you enable it, it continues where it stopped.',
  ),
  break_glass: notice(
    'A break-glass user signed in',
    'The user {{user}} signed in at {{at}}, bypassing your organization’s single sign-on.',
    'Ask them why, or end the exemption if this wasn’t planned.',
  ),
  support_asked: notice(
    'Someone wants to work as you',
    'At {{at}}, {{user}} asked to work as you for a few minutes. Reason: {{reason}}',
    'Sign in, and allow or refuse it in the console under “Support”. If you don’t answer, nothing happens.',
    'If you don’t know why, refuse it and tell your administrator.',
  ),
  support_question: notice(
    'Someone wants to work as a user',
    'At {{at}}, {{user}} asked to work as a user of your organization for a few minutes. Reason: {{reason}}',
    'Sign in, and allow or refuse it in the console under “Support”. If you don’t answer, nothing happens.',
  ),
  support_started: notice(
    'Someone is working as you',
    'Since {{at}}, {{user}} has been working as you. Reason: {{reason}}',
    'You can see and end the session in the console under “Support”. The audit log records everything under the name {{user}}.',
  ),
  glass_broken: notice(
    'A change was made without approval',
    'At {{at}}, the user {{user}} made a change without approval. Reason: {{reason}}',
    'Check the change in the list of approvals. If it wasn’t planned, ask them about it.',
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
    fromOrigin: (origin) => `This e-mail comes from Tenantry at ${origin}. Replies aren’t monitored.`,
    fromProduct: (product) => `This e-mail comes from ${product}. Replies aren’t monitored.`,
    help: 'Help: ',
    linkHint: 'If the button doesn’t work, open this URL:',
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
