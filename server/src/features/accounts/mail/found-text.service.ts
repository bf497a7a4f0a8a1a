/** The text of an e-mail: the product's own text, or else the built-in text. */
import type { Db } from '../../../db/client.ts'
import type { MailKind } from '../../../mail/kinds.ts'
import { languages, lookupOrder } from '../../../mail/language.ts'
import { texts, type MailText } from '../../../mail/texts.ts'
import * as store from './texts.store.ts'

export const textOf = ({ subject, button, text }: store.TextRow): MailText => ({
  subject,
  ...(button !== null && { button }),
  text,
})

export const builtIn = (kind: MailKind, tag: string): MailText | undefined => {
  const language = languages.find((one) => one === tag)
  return language && texts[language][kind]
}

export interface FoundText {
  language: string
  text: MailText
}

/** The text of a kind, in the first of the person's languages that has a text, or else in English. */
export const findText = async (db: Db, kind: MailKind, of: string): Promise<FoundText> => {
  const sought = lookupOrder(of)
  const rows = await store.selectTextsIn(db, kind, sought)
  for (const language of sought) {
    const row = rows.find((one) => one.language === language)
    const text = row ? textOf(row) : builtIn(kind, language)
    if (text) return { language, text }
  }
  return { language: 'en', text: texts.en[kind] }
}
