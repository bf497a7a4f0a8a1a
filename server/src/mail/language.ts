/** The languages of e-mails. */
export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

/** A longer list of languages is cut off. */
const entriesMax = 20

const entryOf = (entry: string) => {
  const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((part) => part.startsWith('q='))?.slice(2)
  return { name: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) || 0 }
}

/** The first language of an Accept-Language header that e-mails are written in; undefined when it names none. */
export const languageOf = (header: string | undefined): Language | undefined => {
  const wanted = (header ?? '').split(',', entriesMax).map(entryOf)
  const best = wanted
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .find(({ name }) => languages.some((one) => one === name))
  return languages.find((one) => one === best?.name)
}
