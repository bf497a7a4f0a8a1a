import { loadPart } from './load-part.ts'
import { addTexts, languages, showLanguage, shownLanguage, type Language } from './translation.ts'

type Part =
  | 'hosted'
  | 'entry'
  | 'frame'
  | 'dashboard'
  | 'account'
  | 'access'
  | 'developers'
  | 'platform'
  | 'sso'
  | 'ssoAttempts'
  | 'userImport'

const load = {
  en: {
    hosted: async () => (await import('./locales/en-hosted.ts')).hosted,
    entry: async () => (await import('./locales/en-entry.ts')).entry,
    frame: async () => (await import('./locales/en-frame.ts')).frame,
    dashboard: async () => (await import('./locales/en-dashboard.ts')).dashboard,
    account: async () => (await import('./locales/en-account.ts')).account,
    access: async () => (await import('./locales/en-access.ts')).access,
    developers: async () => (await import('./locales/en-developers.ts')).developers,
    platform: async () => (await import('./locales/en-platform.ts')).platform,
    sso: async () => (await import('./locales/en-sso.ts')).sso,
    ssoAttempts: async () => (await import('./locales/en-sso-attempts.ts')).ssoAttempts,
    userImport: async () => (await import('./locales/en-user-import.ts')).userImport,
  },
  zh: {
    hosted: async () => (await import('./locales/zh-hosted.ts')).hosted,
    entry: async () => (await import('./locales/zh-entry.ts')).entry,
    frame: async () => (await import('./locales/zh-frame.ts')).frame,
    dashboard: async () => (await import('./locales/zh-dashboard.ts')).dashboard,
    account: async () => (await import('./locales/zh-account.ts')).account,
    access: async () => (await import('./locales/zh-access.ts')).access,
    developers: async () => (await import('./locales/zh-developers.ts')).developers,
    platform: async () => (await import('./locales/zh-platform.ts')).platform,
    sso: async () => (await import('./locales/zh-sso.ts')).sso,
    ssoAttempts: async () => (await import('./locales/zh-sso-attempts.ts')).ssoAttempts,
    userImport: async () => (await import('./locales/zh-user-import.ts')).userImport,
  },
}

const storageKey = 'tenantry.language'

const isLanguage = (text: string | null | undefined): text is Language =>
  typeof text === 'string' && Object.hasOwn(languages, text)

/** The remembered language, or else the first of the browser's languages that the console has. */
const preferred = (): Language => {
  const stored = localStorage.getItem(storageKey)
  if (isLanguage(stored)) return stored
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

/** The parts that pages have needed. The next language loads them as well. */
const needed = new Set<Part>()

const add = async (language: Language, part: Part): Promise<void> =>
  addTexts(language, await load[language][part]())

const show = async (language: Language): Promise<void> => {
  await Promise.all([...needed].map((part) => add(language, part)))
  document.documentElement.lang = language
  showLanguage(language)
}

/** Loads a page with its texts. `test/locales` finds a part that it lacks. */
export const loadPage = <Module>(parts: Part[], loadModule: () => Promise<Module>): (() => Promise<Module>) =>
  loadPart(async () => {
    for (const part of parts) needed.add(part)
    const [page] = await Promise.all([loadModule(), ...parts.map((part) => add(shownLanguage(), part))])
    return page
  })

export const setLanguage = async (language: Language): Promise<void> => {
  localStorage.setItem(storageKey, language)
  await show(language)
}

/** Loads the language of the page, with the texts that every page needs. Call it before anything is drawn. */
export const startI18n = (part: Part): Promise<void> => {
  needed.add(part)
  return show(preferred())
}
