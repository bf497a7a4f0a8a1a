import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { loadPart } from './load-part.ts'
import type { enPages } from './locales/en-pages.ts'
import type { en } from './locales/en.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en & typeof enPages }
  }
}

export const languages = { en: 'English', zh: '中文' } as const
export type Language = keyof typeof languages

/** Each language is two files: the texts that a first visit needs, and those of the other pages. */
const load = {
  en: {
    first: async () => (await import('./locales/en.ts')).en,
    pages: async () => (await import('./locales/en-pages.ts')).enPages,
  },
  zh: {
    first: async () => (await import('./locales/zh.ts')).zh,
    pages: async () => (await import('./locales/zh-pages.ts')).zhPages,
  },
}

const storageKey = 'tenantry.language'

const isLanguage = (text: string | null | undefined): text is Language =>
  typeof text === 'string' && Object.hasOwn(languages, text)

/** The remembered language, else the first of the browser's languages that the console has. */
const preferred = (): Language => {
  const stored = localStorage.getItem(storageKey)
  if (isLanguage(stored)) return stored
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

/** Whether a page needed the other texts, which the next language then brings as well. */
let isPastFirst = false

const add = async (language: Language, part: 'first' | 'pages'): Promise<void> => {
  i18next.addResourceBundle(language, 'translation', await load[language][part](), true, true)
}

const show = async (language: Language): Promise<void> => {
  await Promise.all([add(language, 'first'), isPastFirst && add(language, 'pages')])
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

/** Loads a page with its texts. The dashboard and the audit log do without them, and use `loadPart`. */
export const loadPage = <Module>(loadModule: () => Promise<Module>): (() => Promise<Module>) =>
  loadPart(async () => {
    isPastFirst = true
    const [page] = await Promise.all([loadModule(), add(i18next.language as Language, 'pages')])
    return page
  })

export const setLanguage = async (language: Language): Promise<void> => {
  localStorage.setItem(storageKey, language)
  await show(language)
}

export const startI18n = async (): Promise<void> => {
  // React escapes the texts.
  await i18next.use(initReactI18next).init({
    resources: {},
    interpolation: { escapeValue: false },
    // Permission codes contain a colon.
    nsSeparator: false,
  })
  await show(preferred())
}
