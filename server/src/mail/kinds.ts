import type { LinkPage } from '../config/link-pages.ts'

/** A page that a link opens. That of a proof belongs to the sign-in of a browser, and has no other address. */
export type Page = LinkPage | 'proof'

/** The values that a kind of e-mail may quote, and the page that its link opens. */
interface Kind {
  /** Placeholders of its texts, besides those of every kind. */
  values: readonly ValueName[]
  /** Only of an e-mail with a link. */
  page?: Page
}

/** Values that a text quotes, as `{{name}}`. Every kind has `product`; one with a link has `link` as well. */
export type ValueName = 'at' | 'device' | 'factor' | 'tenant' | 'hook' | 'reason' | 'user'

/** Every kind of e-mail. A new one is an entry here, and a text in each language of texts.ts. */
export const mailKinds = {
  reset: { values: [], page: 'reset' },
  verification: { values: [], page: 'verification' },
  /** Confirms another address. */
  change: { values: [], page: 'verification' },
  invitation: { values: ['tenant'], page: 'invitation' },
  /** Names no organization: a stranger chose that name. */
  sign_up: { values: [], page: 'sign_up' },
  /** Proves an account before a connection of the tenant links it. */
  proof: { values: ['tenant'], page: 'proof' },
  password_changed: { values: ['at'] },
  /** A connection of the tenant signs the person in from now on. */
  sso_linked: { values: ['at', 'tenant'] },
  email_changed: { values: ['at'] },
  new_device: { values: ['at', 'device'] },
  factor_added: { values: ['at', 'factor'] },
  factor_removed: { values: ['at', 'factor'] },
  codes_guessed: { values: ['at'] },
  webhook_disabled: { values: ['at', 'hook', 'reason'] },
  break_glass: { values: ['at', 'user'] },
  /** An operator asks whether e-mails arrive. */
  test: { values: ['at'] },
} as const satisfies Record<string, Kind>

export type MailKind = keyof typeof mailKinds

/** E-mails that carry a link. */
export type LinkMailKind = {
  [K in MailKind]: (typeof mailKinds)[K] extends { page: Page } ? K : never
}[MailKind]

/** E-mails that go out unasked, about the safety of an account and the work of an administrator. */
export type NoticeKind = Exclude<MailKind, LinkMailKind | 'test'>

/** Links that belong to an account. */
export type LinkKind = 'reset' | 'verification' | 'change' | 'proof'

export const kindOf = (kind: MailKind): Kind => mailKinds[kind]

/** The kinds that the product may write itself. The test of an operator stays as it is. */
export const writableKinds = (Object.keys(mailKinds) as MailKind[]).filter((kind) => kind !== 'test')
