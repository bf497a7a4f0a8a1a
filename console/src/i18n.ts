import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { en } from './locales/en.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

export const languages = { en: 'English', zh: '中文' } as const
export type Language = keyof typeof languages

/** Each language is a file of its own, fetched when the user chooses it. */
const load = {
  en: async () => (await import('./locales/en.ts')).en,
  zh: async () => (await import('./locales/zh.ts')).zh,
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

const show = async (language: Language): Promise<void> => {
  i18next.addResourceBundle(language, 'translation', await load[language](), true, true)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

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
