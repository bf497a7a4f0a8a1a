import { isolated } from './isolate.ts'
import type { en } from './locales/en.ts'
import { createStore } from './store.ts'

export const languages = { en: 'English', zh: '中文' } as const
export type Language = keyof typeof languages

type Texts = typeof en

type Plain<Name extends string> = Name extends `${infer Stem}_${'one' | 'other'}` ? Stem : Name

type KeysIn<Group> = {
  [Name in keyof Group & string]: Group[Name] extends string ? Plain<Name> : `${Name}.${KeysIn<Group[Name]>}`
}[keyof Group & string]

/** The key of a text, as in `common.close`; without `_one` and `_other` if `count` chooses the form. */
export type TextKey = KeysIn<Texts>

type Values = Record<string, string | number | undefined>

interface Translation {
  language: Language
  /** The separator between two sentences. */
  gap: string
  /** The separator of a list of names. */
  comma: string
  /**
   * The text with its values inserted. The number `count` chooses the singular or plural form. A text that is not
   * loaded gives its key.
   */
  t: (key: TextKey, values?: Values) => string
  /** All texts of a group, for codes that the service sends. */
  textsOf: <Group extends keyof Texts>(group: Group) => Texts[Group]
}

const loaded: Record<Language, Partial<Texts>> = { en: {}, zh: {} }

export const addTexts = (language: Language, texts: Partial<Texts>): void =>
  void Object.assign(loaded[language], texts)

const textAt = (texts: unknown, path: string): unknown =>
  path.split('.').reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], texts)

const fill = (text: string, values: Values): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => isolated(String(values[name])))

/** Exported for tests; components use `useTranslation`. */
export const translationOf = (language: Language): Translation => {
  const plural = new Intl.PluralRules(language)
  const texts = loaded[language]
  const byNumber = (key: string, count: string | number | undefined): unknown =>
    typeof count === 'number' ? textAt(texts, `${key}_${plural.select(count)}`) : undefined
  return {
    language,
    gap: language === 'zh' ? '' : ' ',
    comma: language === 'zh' ? '、' : ', ',
    t: (key, values = {}) => {
      const text = byNumber(key, values['count']) ?? textAt(texts, key)
      return typeof text === 'string' ? fill(text, values) : key
    },
    textsOf: (group) => texts[group] as Texts[typeof group],
  }
}

const current = createStore(translationOf('en'))

export const useTranslation = current.useValue

export const shownLanguage = (): Language => current.get().language

/** Draws the page again in this language. Its texts must be loaded. */
export const showLanguage = (language: Language): void => current.set(translationOf(language))
