import { loadPart } from './load-part.ts'
import { addTexts, languages, showLanguage, shownLanguage, type Language } from './translation.ts'

/** The parts of the texts. A page fetches the parts that it needs. */
const en = {
  hosted: () => import('./locales/en/hosted.ts'),
  ownAccount: () => import('./locales/en/own-account.ts'),
  entry: () => import('./locales/en/entry.ts'),
  errors: () => import('./locales/en/errors.ts'),
  frame: () => import('./locales/en/frame.ts'),
  dashboard: () => import('./locales/en/dashboard.ts'),
  news: () => import('./locales/en/news.ts'),
  account: () => import('./locales/en/account.ts'),
  attributes: () => import('./locales/en/attributes.ts'),
  audit: () => import('./locales/en/audit.ts'),
  access: () => import('./locales/en/access.ts'),
  catalogue: () => import('./locales/en/catalogue.ts'),
  invitations: () => import('./locales/en/invitations.ts'),
  developers: () => import('./locales/en/developers.ts'),
  platform: () => import('./locales/en/platform.ts'),
  roleEnds: () => import('./locales/en/role-ends.ts'),
  reviews: () => import('./locales/en/reviews.ts'),
  approvals: () => import('./locales/en/approvals.ts'),
  providers: () => import('./locales/en/providers.ts'),
  sso: () => import('./locales/en/sso.ts'),
  ssoAttempts: () => import('./locales/en/sso-attempts.ts'),
  support: () => import('./locales/en/support.ts'),
  userImport: () => import('./locales/en/user-import.ts'),
}

type Part = keyof typeof en

const zh: typeof en = {
  hosted: () => import('./locales/zh/hosted.ts'),
  ownAccount: () => import('./locales/zh/own-account.ts'),
  entry: () => import('./locales/zh/entry.ts'),
  errors: () => import('./locales/zh/errors.ts'),
  frame: () => import('./locales/zh/frame.ts'),
  dashboard: () => import('./locales/zh/dashboard.ts'),
  news: () => import('./locales/zh/news.ts'),
  account: () => import('./locales/zh/account.ts'),
  attributes: () => import('./locales/zh/attributes.ts'),
  audit: () => import('./locales/zh/audit.ts'),
  access: () => import('./locales/zh/access.ts'),
  catalogue: () => import('./locales/zh/catalogue.ts'),
  invitations: () => import('./locales/zh/invitations.ts'),
  developers: () => import('./locales/zh/developers.ts'),
  platform: () => import('./locales/zh/platform.ts'),
  roleEnds: () => import('./locales/zh/role-ends.ts'),
  reviews: () => import('./locales/zh/reviews.ts'),
  approvals: () => import('./locales/zh/approvals.ts'),
  providers: () => import('./locales/zh/providers.ts'),
  sso: () => import('./locales/zh/sso.ts'),
  ssoAttempts: () => import('./locales/zh/sso-attempts.ts'),
  support: () => import('./locales/zh/support.ts'),
  userImport: () => import('./locales/zh/user-import.ts'),
}

const load = { en, zh }

const storageKey = 'tenantry.language'

const isLanguage = (text: string | null | undefined): text is Language =>
  typeof text === 'string' && Object.hasOwn(languages, text)

/** The remembered language, or else the first of the browser's languages that the console supports. */
const preferred = (): Language => {
  const stored = localStorage.getItem(storageKey)
  if (isLanguage(stored)) return stored
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

/** The parts that pages have needed. A change of the language loads them as well. */
const needed = new Set<Part>()

const add = async (language: Language, part: Part): Promise<void> =>
  addTexts(language, await load[language][part]())

const show = async (language: Language): Promise<void> => {
  await Promise.all([...needed].map((part) => add(language, part)))
  document.documentElement.lang = language
  showLanguage(language)
}

/** Loads a page with its texts. `test/locales` finds a missing part. */
export const loadPage = <Module>(parts: Part[], loadModule: () => Promise<Module>): (() => Promise<Module>) =>
  loadPart(async () => {
    for (const part of parts) needed.add(part)
    const [page] = await Promise.all([loadModule(), ...parts.map((part) => add(shownLanguage(), part))])
    return page
  })

/** Loads the texts of the errors that the service answers. The first such answer waits for them. */
export const needErrors = async (): Promise<void> => {
  needed.add('errors')
  await add(shownLanguage(), 'errors')
}

export const setLanguage = async (language: Language): Promise<void> => {
  localStorage.setItem(storageKey, language)
  await show(language)
}

/** Loads the language of the page, with the texts that every page needs. Call it before anything is drawn. */
export const startI18n = (part: Part): Promise<void> => {
  needed.add(part)
  return show(preferred())
}
