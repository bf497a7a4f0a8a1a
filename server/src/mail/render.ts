import { dataUrlParts } from '../values/pictures.ts'
import type { Brand } from './brand.ts'
import { productOf } from './brand.ts'
import type { MailKind } from './kinds.ts'
import { builtInLanguageOf } from './language.ts'
import type { Email } from './mailer.ts'
import { frames, frameWithoutWords, type MailText } from './texts.ts'
import { fill, linkPlaceholder, valuesOf, type Facts } from './values.ts'

/** The content of an e-mail before its rendering. */
export interface MailContent {
  kind: MailKind
  /** The language tag of `text`. */
  language: string
  text: MailText
  facts: Facts
  brand: Brand
  /** The page that the button opens. Undefined for a notice. */
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

const standardColor = '#1864ab'

/** Black or white: the one with the better contrast to a colour (WCAG 2, relative luminance). */
const inkOn = (color: string): string => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}

/** The mail program chooses light or dark. Only the button has colours of its own. */
const styles = {
  body: 'margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif',
  column: 'max-width:520px;margin:0 auto',
  head: 'margin:0 0 24px;font-weight:600',
  logo: 'display:block;max-width:240px;max-height:48px;border:0',
  title: 'font-size:20px;line-height:1.3;margin:0 0 16px',
  paragraph: 'margin:0 0 16px',
  button: 'display:inline-block;padding:12px 20px;border-radius:6px;font-weight:600;text-decoration:none',
  small: 'margin:0 0 16px;font-size:13px;overflow-wrap:anywhere',
} as const

const element = (name: string, style: string, content: string): string =>
  `<${name} style="${style}">${content}</${name}>`

const anchor = (address: string, style: string, words: string): string =>
  `<a href="${escaped(address)}" style="${style}">${escaped(words)}</a>`

interface EmailWords {
  subject: string
  button: string
  /**
   * The paragraphs. Undefined marks the paragraph of the link. So a value that contains the placeholder's text inserts
   * no link.
   */
  paragraphs: (string | undefined)[]
  /** Lines below the text. */
  footer: string[]
  hint: string
  help: string
}

const wordsOf = ({ kind, language, text, facts, brand, publicUrl }: MailContent): EmailWords => {
  const values = valuesOf(kind, language, facts, brand)
  const builtIn = builtInLanguageOf(language)
  const { fromOrigin, fromProduct, help, linkHint } = builtIn ? frames[builtIn] : frameWithoutWords
  const sender = brand.product === undefined ? fromOrigin(publicUrl) : fromProduct(brand.product)
  return {
    subject: fill(text.subject, values),
    button: fill(text.button ?? '', values),
    paragraphs: text.text
      .trim()
      .split(/\n{2,}/)
      .map((one) => (one === linkPlaceholder ? undefined : fill(one, values))),
    footer: [sender, brand.footer ?? ''].filter(Boolean),
    hint: linkHint,
    help,
  }
}

const logoId = 'logo'

const headOf = (brand: Brand): string => {
  if (brand.logo) {
    const image = `<img src="cid:${logoId}" alt="${escaped(productOf(brand))}" style="${styles.logo}">`
    return element('div', styles.head, image)
  }
  return brand.product === undefined ? '' : element('div', styles.head, escaped(brand.product))
}

const buttonOf = (link: string, words: string, { color }: Brand): string => {
  const background = color || standardColor
  const style = `${styles.button};background:${background};color:${inkOn(background)}`
  return element('p', styles.paragraph, anchor(link, style, words))
}

const htmlOf = (words: EmailWords, { language, link, brand }: MailContent): string => {
  const { subject, button, paragraphs, footer, hint, help } = words
  const paragraph = (text: string | undefined): string => {
    if (text === undefined) return link === undefined ? '' : buttonOf(link, button, brand)
    return element('p', styles.paragraph, escaped(text).replaceAll('\n', '<br>\n'))
  }
  const address = link && [hint, link].filter(Boolean).map(escaped).join('<br>')
  const support = brand.support_url && `${escaped(help)}${anchor(brand.support_url, '', brand.support_url)}`
  const below = [...footer.map(escaped), support ?? ''].filter(Boolean).join('<br>\n')
  const parts = [
    headOf(brand),
    element('h1', styles.title, escaped(subject)),
    ...paragraphs.map(paragraph),
    address ? element('p', styles.small, address) : '',
    element('p', styles.small, below),
  ]
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
</head>
<body style="${styles.body}">
<div dir="auto" style="${styles.column}">
${parts.filter(Boolean).join('\n')}
</div>
</body>
</html>
`
}

const textOf = ({ paragraphs, footer, help }: EmailWords, { link, brand }: MailContent): string => {
  const body = paragraphs.flatMap((one) => one ?? link ?? [])
  const support = brand.support_url ? [`${help}${brand.support_url}`] : []
  return `${[...body, `-- \n${[...footer, ...support].join('\n')}`].join('\n\n')}\n`
}

const logoOf = ({ logo }: Brand): Email['logo'] => {
  const parts = logo && dataUrlParts(logo)
  return parts ? { id: logoId, ...parts } : undefined
}

/** Renders an e-mail as text, and as HTML without remote parts. */
export const render = (
  content: MailContent,
): Pick<Email, 'fromName' | 'logo' | 'subject' | 'text' | 'html'> => {
  const words = wordsOf(content)
  return {
    fromName: content.brand.from_name,
    logo: logoOf(content.brand),
    subject: words.subject,
    text: textOf(words, content),
    html: htmlOf(words, content),
  }
}
