/**
 * Values of the placeholders in e-mails. Strangers choose some of them, such as names, so `inert` keeps mail programs
 * from making links.
 */
import type { Brand } from './brand.ts'
import { productOf } from './brand.ts'
import { nameFrom } from '../values/text.ts'
import { kindOf, type MailKind, type ValueName } from './kinds.ts'
import { builtInLanguageOf } from './language.ts'

export interface Facts {
  /** The time, in UTC. */
  at: string
  browser?: string
  system?: string
  /** The name of a second factor. */
  factor?: string
  /** The name of the inviting tenant. */
  tenant?: string
  /** The name of the inviting user. Without one, the product invites. */
  inviter?: string
  /** The name of a provider. */
  provider?: string
  /** The origin of a webhook's URL. */
  hook?: string
  /** The reason why the webhook was disabled, or why somebody works as a user. */
  reason?: string
  /** The username of a break-glass user, or of the actor of a support session. */
  user?: string
  /** The code of a sign-in. */
  code?: string
}

/** A time in the form of the texts: `2026-01-31 09:30 UTC`. */
export const momentOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** The longest value. Longer values are shortened. */
const lengthMax = 300

/** An invisible character. Mail programs make no link of a text that contains it. */
const breaker = '\u200C'

/** The value on one line that no mail program turns into a link. The only link of an e-mail is its own. */
export const inert = (value: string): string =>
  nameFrom(value, lengthMax)
    .replaceAll('://', `:${breaker}//`)
    .replaceAll(/[.．。｡@](?=[\p{L}\p{N}])/gu, `$&${breaker}`)

const deviceWords: Record<string, (browser: string, system: string) => string> = {
  en: (browser, system) => [browser || 'an unknown browser', system].filter(Boolean).join(' on '),
  zh: (browser, system) => `${system ? `${system} 上的 ` : ''}${browser || '未知浏览器'}`,
}

/** Browser and system in words. A language without these words shows only the names. */
const deviceOf = (language: string, { browser = '', system = '' }: Facts): string => {
  const words = deviceWords[builtInLanguageOf(language) ?? '']
  return words ? words(browser, system) : [browser, system].filter(Boolean).join(', ') || '?'
}

export type Values = Readonly<Record<string, string>>

/** The values for a text of this kind, made safe. */
export const valuesOf = (kind: MailKind, language: string, facts: Facts, brand: Brand): Values => {
  const valueOf = (name: ValueName): string => {
    if (name === 'device') return deviceOf(language, facts)
    return facts[name] ?? (name === 'inviter' ? productOf(brand) : '')
  }
  const own = kindOf(kind).values.map((name): [string, string] => [name, inert(valueOf(name))])
  return Object.fromEntries([...own, ['product', productOf(brand)]])
}

export const linkPlaceholder = '{{link}}'

export const placeholder = /\{\{([^{}]*)\}\}/g

/** Replaces each placeholder once, so that a placeholder inside a value stays text. */
export const fill = (text: string, values: Values): string =>
  text.replaceAll(placeholder, (_whole, name: string) => values[name] ?? '')
