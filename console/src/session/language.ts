import { setLanguage } from '../i18n.ts'
import type { Language } from '../translation.ts'
import { client } from './client.ts'

/** The refresh tells the service the language, in which e-mails then come. It is told again with the next one. */
export const chooseLanguage = async (language: Language): Promise<void> => {
  await setLanguage(language)
  if (await client.auth.session()) await client.auth.refresh().catch(() => undefined)
}
