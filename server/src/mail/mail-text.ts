import type { MailKind } from './kinds.ts'

/** The text of an e-mail with placeholders such as `{{name}}`. */
export interface MailText {
  subject: string
  /** Set for an e-mail with a link. */
  button?: string
  /** Paragraphs with an empty line between them. `{{link}}` is the paragraph of the link. */
  text: string
}

export type Texts = Record<MailKind, MailText>

const paragraphs = (...lines: string[]): string => lines.join('\n\n')

export const linkMail = (subject: string, button: string, before: string, ...after: string[]): MailText => ({
  subject,
  button,
  text: paragraphs(before, '{{link}}', ...after),
})

export const notice = (subject: string, ...lines: string[]): MailText => ({
  subject,
  text: paragraphs(...lines),
})
