import { createHash } from 'node:crypto'

/** A piece of HTML. Everything else is text, and is escaped. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = Markup | Markup[] | string | number | false | undefined

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`)

const textOf = (value: Value): string => {
  if (value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map(({ text }) => text).join('')
  return value instanceof Markup ? value.text : escaped(String(value))
}

/** The tag of a template of HTML, which escapes its values, and keeps no line break of the template. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Markup =>
  new Markup(parts.map((part, at) => part.replace(/\s*\n\s*/g, ' ') + textOf(values[at])).join(''))

/** A line of Markdown whose only marks are backticks. */
export const inline = (text = ''): Markup[] =>
  text.split('`').map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))

/** Permits the page's own style or script by its hash (CSP Level 3, 8.3). */
export const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`
