/**
 * A person's languages: a comma-separated list of BCP 47 tags, the best first. The language of an e-mail is chosen
 * when it is sent.
 */

/** The languages in which every e-mail has a text. */
export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

/** The most entries of a header that are read. Later entries are ignored. */
const entriesMax = 20
/** The most languages of a person that count. */
const tagsMax = 5
/** The longest tag that counts. A longer tag has extensions, and no text exists for it. */
const tagLengthMax = 35

/** A language tag in its normal form. Undefined if the text is no tag. */
export const canonicalTag = (text: string): string | undefined => {
  if (text.length > tagLengthMax || !/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(text)) return undefined
  try {
    return Intl.getCanonicalLocales(text)[0]
  } catch {
    return undefined
  }
}

/** A tag and its shorter forms, in the order of RFC 4647 lookup: `zh-Hant-TW`, `zh-Hant`, `zh`. */
const formsOf = (tag: string): string[] => {
  const parts = tag.split('-')
  return parts.map((_part, at) => parts.slice(0, parts.length - at).join('-'))
}

export const builtInLanguageOf = (tag: string): Language | undefined =>
  languages.find((one) => one === tag.split('-')[0])

/** The tags in the order in which the service looks for a person's text. English is the last. */
export const lookupOrder = (tags: string): string[] => [
  ...new Set([...tags.split(',').flatMap(formsOf), 'en']),
]

/** The built-in language that a person reads best. */
export const builtInLanguageFor = (tags: string): Language =>
  lookupOrder(tags)
    .map(builtInLanguageOf)
    .find((one) => one !== undefined) ?? 'en'

const entryOf = (entry: string) => {
  const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((part) => part.startsWith('q='))?.slice(2)
  return { tag: canonicalTag(tag), weight: weight === undefined ? 1 : Number(weight) || 0 }
}

/** Drops tags that the search never reaches: those after a built-in language, and shorter forms of earlier tags. */
const shortened = (tags: string[]): string[] => {
  const end = tags.findIndex((tag) => builtInLanguageOf(tag) !== undefined)
  return tags
    .slice(0, end === -1 ? tagsMax : Math.min(end + 1, tagsMax))
    .filter((tag, at, kept) => !kept.slice(0, at).some((before) => formsOf(before).includes(tag)))
}

/** The languages of an Accept-Language header, the best first. Undefined if it names none. */
export const languageOf = (header = ''): string | undefined => {
  const tags = header
    .split(',', entriesMax)
    .map(entryOf)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .flatMap(({ tag }) => tag ?? [])
  return shortened(tags).join(',') || undefined
}
