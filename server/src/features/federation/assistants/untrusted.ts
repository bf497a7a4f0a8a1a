/** Text that somebody typed, for a model: short, and without characters that people do not see. */

/** docs/contract.md, "Assistants". */
const textMax = 200

/**
 * Control, bidirectional, zero-width, tag and private characters, lone surrogates, variation selectors and fillers. A
 * model reads them, and a person does not.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u115F\u1160\u3164\uFFA0\u2028\u2029]/gu
const space = /[\t\n\r\u2028\u2029]+/g

/** The text in one line, without unseen characters. */
export const visible = (text: string): string => text.replace(space, ' ').replace(unseen, '')

export const cleanText = (text: string): string => {
  // A character has at most two units, so this cut loses none of the first 200.
  const seen = visible(text.length > 8 * textMax ? text.slice(0, 8 * textMax) : text)
  if (seen.length <= textMax) return seen
  const characters = Array.from(seen)
  return characters.length <= textMax ? seen : `${characters.slice(0, textMax - 1).join('')}…`
}

/** Fields that never leave by a tool, whatever the caller may read. */
const withheld: ReadonlySet<string> = new Set(['link', 'secret', 'token', 'password', 'recovery_codes'])

/** Fields whose members the product or a person has named. */
const free: ReadonlySet<string> = new Set(['value', 'values', 'detail', 'attributes', 'context'])

const mark = '[withheld]'

/**
 * A value of an answer with every text cleaned, and without links and secrets. Inside of stored values a mark replaces
 * them, so that nobody writes the rest back as the whole.
 */
export const clean = (value: unknown, isFree = false): unknown => {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map((item) => clean(item, isFree))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      if (withheld.has(name)) return isFree ? [[name, mark]] : []
      return [[cleanText(name), clean(field, isFree || free.has(name))]]
    }),
  )
}

type Schema = Record<string, unknown>

/** Keywords about the length and form of a text, which the cut can break, and those for our own documents. */
const dropped: ReadonlySet<string> = new Set([
  'title',
  'examples',
  'example',
  'default',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  '$id',
])

const trustedFormats: ReadonlySet<unknown> = new Set(['date-time', 'date', 'uuid'])

const isUntrusted = ({ type, enum: values, const: value, format }: Schema): boolean =>
  type === 'string' && values === undefined && value === undefined && !trustedFormats.has(format)

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const withoutWithheld = (schema: Schema): Schema => {
  const { properties, required } = schema
  if (!isSchema(properties)) return schema
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !withheld.has(name))),
    ...(Array.isArray(required) && { required: required.filter((name) => !withheld.has(String(name))) }),
  }
}

const markedField = (key: string, value: unknown): unknown => {
  if (Array.isArray(value)) return key === 'enum' || key === 'required' ? value : value.map(marked)
  if (!isSchema(value)) return value
  if (key !== 'properties' && key !== 'patternProperties') return marked(value)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, marked(field)]))
}

/** The schema of a cleaned answer. Marks the fields whose text somebody typed as `untrusted`. */
export const marked = (value: unknown): unknown => {
  if (!isSchema(value)) return value
  const schema = withoutWithheld(value)
  const fields = Object.entries(schema)
    .filter(([key]) => !dropped.has(key) && !key.startsWith('x-'))
    .map(([key, field]) => [key, markedField(key, field)])
  const isAny = !('type' in schema || 'anyOf' in schema || 'const' in schema || '$ref' in schema)
  return { ...Object.fromEntries(fields), ...((isUntrusted(schema) || isAny) && { untrusted: true }) }
}
