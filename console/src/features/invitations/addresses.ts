/** A person in a list of addresses. */
export interface Addressed {
  email: string
  nickname: string
}

const nicknameMax = 64

/** Parts between commas, semicolons and ends of lines, except within quotes. */
const partsOf = (text: string): string[] =>
  (text.match(/(?:"[^"\n]*"|[^\n,;"])+/g) ?? []).map((part) => part.trim())

/** A name and its address, as in `Ada <ada@example.com>`; else addresses with spaces between them. */
const peopleIn = (part: string): Addressed[] => {
  const [, name = '', email] = /^([^<]*)<([^<>\s]+)>$/.exec(part) ?? []
  if (email !== undefined) {
    const nickname = [...name.replaceAll('"', '').trim()].slice(0, nicknameMax).join('')
    return [{ email, nickname }]
  }
  return part
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => ({ email: word, nickname: '' }))
}

/** The people in a text: one a line, or with commas, semicolons or spaces between them. Each address comes once. */
export const addressesIn = (text: string): Addressed[] => {
  const found = new Map<string, Addressed>()
  for (const person of partsOf(text).flatMap(peopleIn)) {
    const key = person.email.toLowerCase()
    if (!found.has(key)) found.set(key, person)
  }
  return [...found.values()]
}

/** The text that stands for these people. */
export const textOf = (people: Addressed[]): string =>
  people.map(({ email, nickname }) => (nickname === '' ? email : `"${nickname}" <${email}>`)).join('\n')
