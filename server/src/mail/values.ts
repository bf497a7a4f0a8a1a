/** The values in a text: names that strangers have chosen among them. */
import type { Brand } from './brand.ts'
import { productOf } from './brand.ts'
import { nameFrom } from '../values/text.ts'
import { kindOf, type MailKind, type ValueName } from './kinds.ts'
import { builtInLanguageOf } from './language.ts'

/** The facts that an e-mail is about. */
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
  /** The username of a break-glass user. */
  user?: string
}

/** A moment as texts have it: `2026-01-31 09:30 UTC`. */
export const momentOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A longer value is cut off. */
const lengthMax = 300

/** An invisible character after which mail programs make no link of a text. */
const breaker = '\u200C'

/** One line that no mail program takes for an address: the only link of an e-mail is its own. */
export const inert = (value: string): string =>
  nameFrom(value, lengthMax)
    .replaceAll('://', `:${breaker}//`)
    .replaceAll(/[.．。｡@](?=[\p{L}\p{N}])/gu, `$&${breaker}`)

const deviceWords: Record<string, (browser: string, system: string) => string> = {
  en: (browser, system) => [browser || 'an unknown browser', system].filter(Boolean).join(' on '),
  zh: (browser, system) => `${system ? `${system} 上的 ` : ''}${browser || '未知浏览器'}`,
}

/** The family of browser and system. Languages without words for it have the names alone. */
const deviceOf = (language: string, { browser = '', system = '' }: Facts): string => {
  const words = deviceWords[builtInLanguageOf(language) ?? '']
  return words ? words(browser, system) : [browser, system].filter(Boolean).join(', ') || '?'
}

export type Values = Readonly<Record<string, string>>

/** The values that a text of this kind quotes, ready for it. */
export const valuesOf = (kind: MailKind, language: string, facts: Facts, brand: Brand): Values => {
  const valueOf = (name: ValueName): string =>
    name === 'device' ? deviceOf(language, facts) : (facts[name] ?? '')
  const own = kindOf(kind).values.map((name): [string, string] => [name, inert(valueOf(name))])
  return Object.fromEntries([...own, ['product', productOf(brand)]])
}

/** The paragraph of the link. */
export const linkPlaceholder = '{{link}}'

/** `{{name}}`. */
export const placeholder = /\{\{([^{}]*)\}\}/g

/** Fills in the values, each once: what a value holds is no placeholder. */
export const fill = (text: string, values: Values): string =>
  text.replaceAll(placeholder, (_whole, name: string) => values[name] ?? '')
