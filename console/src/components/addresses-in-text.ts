/** E-mail addresses in a pasted text. */
export interface Recipient {
  email: string
  nickname: string
}

const nicknameMax = 64

/** Splits at commas, semicolons and line ends that are not in quotes. */
const partsOf = (text: string): string[] =>
  (text.match(/(?:"[^"\n]*"|[^\n,;"])+/g) ?? []).map((part) => part.trim())

/** A name and its address, as in `Ada <ada@example.com>`, or addresses separated by spaces. Any other text is one fault. */
const peopleIn = (part: string): Recipient[] => {
  const [, name = '', email] = /^([^<]*)<([^<>\s]+)>$/.exec(part) ?? []
  if (email !== undefined) {
    const nickname = [...name.replaceAll('"', '').trim()].slice(0, nicknameMax).join('')
    return [{ email, nickname }]
  }
  const words = part.split(/\s+/).filter((word) => word !== '')
  const emails = words.every((word) => word.includes('@')) ? words : [part]
  return emails.map((word) => ({ email: word, nickname: '' }))
}

/** The recipients in a text, separated by lines, commas, semicolons or spaces. Each address counts once. */
export const addressesIn = (text: string): Recipient[] => {
  const found = new Map<string, Recipient>()
  for (const person of partsOf(text).flatMap(peopleIn)) {
    const key = person.email.toLowerCase()
    if (!found.has(key)) found.set(key, person)
  }
  return [...found.values()]
}

/** The inverse of `addressesIn`. */
export const textOf = (people: Recipient[]): string =>
  people.map(({ email, nickname }) => (nickname === '' ? email : `"${nickname}" <${email}>`)).join('\n')
