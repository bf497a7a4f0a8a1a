/**
 * Languages of people, as a list of BCP 47 tags with commas between them, the best first: which of them e-mails are written
 * in is known only when one is sent.
 */

/** The built-in languages: every e-mail has a text in these. */
export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

/** A longer list of languages is cut off. */
const entriesMax = 20
/** The languages of a person that count. */
const tagsMax = 5
/** Longer tags have extensions, which no text has. */
const tagLengthMax = 35

/** A language tag in its usual form; undefined when it is none. */
export const canonicalTag = (text: string): string | undefined => {
  if (text.length > tagLengthMax || !/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(text)) return undefined
  try {
    return Intl.getCanonicalLocales(text)[0]
  } catch {
    return undefined
  }
}

/** A tag and its shorter forms, as RFC 4647 looks them up: `zh-Hant-TW`, `zh-Hant`, `zh`. */
const formsOf = (tag: string): string[] => {
  const parts = tag.split('-')
  return parts.map((_part, at) => parts.slice(0, parts.length - at).join('-'))
}

export const builtInLanguageOf = (tag: string): Language | undefined =>
  languages.find((one) => one === tag.split('-')[0])

/** Tags in the order in which a text is sought for a person. English is the last. */
export const soughtFor = (tags: string): string[] => [...new Set([...tags.split(',').flatMap(formsOf), 'en'])]

/** The built-in language that a person reads best. */
export const builtInLanguageFor = (tags: string): Language =>
  soughtFor(tags)
    .map(builtInLanguageOf)
    .find((one) => one !== undefined) ?? 'en'

const entryOf = (entry: string) => {
  const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((part) => part.startsWith('q='))?.slice(2)
  return { tag: canonicalTag(tag), weight: weight === undefined ? 1 : Number(weight) || 0 }
}

/** Nothing behind a built-in language is ever sought, nor the base of a tag before. */
const shortened = (tags: string[]): string[] => {
  const end = tags.findIndex((tag) => builtInLanguageOf(tag) !== undefined)
  return tags
    .slice(0, end === -1 ? tagsMax : Math.min(end + 1, tagsMax))
    .filter((tag, at, kept) => !kept.slice(0, at).some((before) => formsOf(before).includes(tag)))
}

const readHeader = (header: string): string | undefined => {
  const tags = header
    .split(',', entriesMax)
    .map(entryOf)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .flatMap(({ tag }) => tag ?? [])
  return shortened(tags).join(',') || undefined
}

/** Headers that were read before: browsers send few different ones, with each request. */
const known = new Map<string, string | undefined>()
const knownMax = 1000
const knownLengthMax = 100

/** The languages of an Accept-Language header, the best first; undefined when it names none. */
export const languageOf = (header = ''): string | undefined => {
  if (known.has(header)) return known.get(header)
  const tags = readHeader(header)
  if (known.size >= knownMax) known.clear()
  if (header.length <= knownLengthMax) known.set(header, tags)
  return tags
}
