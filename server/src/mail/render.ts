import type { Email } from './mailer.ts'
import type { Language } from './language.ts'
import { footers, linkHints, texts, type Facts, type MailKind, type MailText } from './texts.ts'

/** The content of an e-mail before it is put into words. */
export interface MailContent {
  kind: MailKind
  language: Language
  facts: Facts
  /** The page that the button opens; undefined for a notice. */
  link: string | undefined
  /** The origin of this installation. */
  publicUrl: string
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? '')

/** Light and dark are those of the mail program: only the button has colours of its own. */
const styles = {
  body: 'margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif',
  column: 'max-width:520px;margin:0 auto',
  title: 'font-size:20px;line-height:1.3;margin:0 0 16px',
  paragraph: 'margin:0 0 16px',
  button:
    'display:inline-block;padding:12px 20px;border-radius:6px;background:#1864ab;color:#ffffff;font-weight:600;text-decoration:none',
  small: 'margin:0 0 16px;font-size:13px;overflow-wrap:anywhere',
} as const

const element = (name: string, style: string, content: string): string =>
  `<${name} style="${style}">${content}</${name}>`

const paragraphs = (lines: string[]): string =>
  lines.map((line) => element('p', styles.paragraph, escaped(line))).join('\n')

const buttonOf = (link: string, words: string): string =>
  `<p style="${styles.paragraph}"><a href="${escaped(link)}" style="${styles.button}">${escaped(words)}</a></p>`

const htmlOf = ({ subject, before, button, after }: MailText, content: MailContent): string => {
  const { language, link, publicUrl } = content
  const hint = link && `${escaped(linkHints[language])}<br>${escaped(link)}`
  const parts = [
    element('h1', styles.title, escaped(subject)),
    paragraphs(before),
    link && button ? buttonOf(link, button) : '',
    paragraphs(after),
    hint ? element('p', styles.small, hint) : '',
    element('p', styles.small, escaped(footers[language](publicUrl))),
  ]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
</head>
<body style="${styles.body}">
${element('div', styles.column, `\n${parts.filter(Boolean).join('\n')}\n`)}
</body>
</html>
`
}

const textOf = ({ before, after }: MailText, { language, link, publicUrl }: MailContent): string =>
  `${[...before, ...(link ? [link] : []), ...after, `-- \n${footers[language](publicUrl)}`].join('\n\n')}\n`

/** Puts an e-mail into words, as text and as HTML without remote parts. */
export const render = (content: MailContent): Pick<Email, 'subject' | 'text' | 'html'> => {
  const words = texts[content.language][content.kind](content.facts)
  return { subject: words.subject, text: textOf(words, content), html: htmlOf(words, content) }
}
