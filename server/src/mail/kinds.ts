import type { LinkPage } from '../config/link-pages.ts'

/** A page that a link opens. Only the service has the pages `proof`, of a browser's sign-in, and `setup`, of its console. */
export type Page = LinkPage | 'proof' | 'setup'

interface KindRules {
  /** The placeholders that its texts can use, besides those of every kind. */
  values: readonly ValueName[]
  /** Set for an e-mail with a link. */
  page?: Page
}

/** The placeholders of texts, as `{{name}}`. Every kind also has `product`, and a kind with a link has `link`. */
export type ValueName =
  | 'at'
  | 'device'
  | 'factor'
  | 'tenant'
  | 'inviter'
  | 'provider'
  | 'hook'
  | 'reason'
  | 'user'
  | 'code'

/** Every kind of e-mail. A new kind needs an entry here, and a text in each language of texts.ts. */
export const mailKinds = {
  reset: { values: [], page: 'reset' },
  verification: { values: [], page: 'verification' },
  /** Confirms another address. */
  change: { values: [], page: 'verification' },
  invitation: { values: ['tenant', 'inviter'], page: 'invitation' },
  /** Opens the set-up of a tenant's sign-in for a person without an account. */
  setup: { values: ['tenant', 'at'], page: 'setup' },
  /** Names no organization, because a stranger chose that name. */
  sign_up: { values: [], page: 'sign_up' },
  /** Proves an account before a connection of the tenant links it. */
  proof: { values: ['tenant'], page: 'proof' },
  /** The code of a sign-in. It has no link, so that a scanner opens nothing. */
  email_code: { values: ['code'] },
  /** The code of a guest of a setup link. */
  setup_code: { values: ['code', 'tenant'] },
  /** Somebody asked for a code with an address without an account. */
  no_account: { values: [] },
  password_changed: { values: ['at'] },
  /** The person removed it, or the first proof of the mailbox did. */
  password_removed: { values: ['at'] },
  /** From now on, a connection of the tenant signs the person in. */
  sso_linked: { values: ['at', 'tenant'] },
  identity_added: { values: ['at', 'provider'] },
  identity_removed: { values: ['at', 'provider'] },
  email_changed: { values: ['at'] },
  new_device: { values: ['at', 'device'] },
  factor_added: { values: ['at', 'factor'] },
  factor_removed: { values: ['at', 'factor'] },
  codes_guessed: { values: ['at'] },
  webhook_disabled: { values: ['at', 'hook', 'reason'] },
  break_glass: { values: ['at', 'user'] },
  /** Somebody asks to work as the person. */
  support_asked: { values: ['at', 'user', 'reason'] },
  /** The same, to people who may allow it. */
  support_question: { values: ['at', 'user', 'reason'] },
  /** Somebody works as the person. */
  support_started: { values: ['at', 'user', 'reason'] },
  /** A change was made without the approval that it needs. */
  glass_broken: { values: ['at', 'user', 'reason'] },
  /** The operator's test whether e-mails arrive. */
  test: { values: ['at'] },
} as const satisfies Record<string, KindRules>

export type MailKind = keyof typeof mailKinds

export type LinkMailKind = {
  [K in MailKind]: (typeof mailKinds)[K] extends { page: Page } ? K : never
}[MailKind]

/** E-mails that nobody requested. They concern an account's safety, or inform an administrator. */
export type NoticeKind = Exclude<MailKind, LinkMailKind | 'email_code' | 'setup_code' | 'no_account' | 'test'>

/** Links that belong to an account. */
export type LinkKind = 'reset' | 'verification' | 'change' | 'proof'

export const kindOf = (kind: MailKind): KindRules => mailKinds[kind]

/** The kinds whose texts the product may replace. The operator's test keeps its text. */
export const writableKinds = (Object.keys(mailKinds) as MailKind[]).filter((kind) => kind !== 'test')
