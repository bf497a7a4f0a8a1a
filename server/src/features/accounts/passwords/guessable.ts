/** Passwords that an attacker tries early: common ones, and the names around a person. */
import { fold } from '../../../values/text.ts'

const ending = /[\p{N}\p{P}\p{S}\s]+$/u

/** The folded text as it is, and without digits and punctuation at its end. */
const formsOf = (text: string): string[] => {
  const folded = fold(text)
  return [...new Set([folded, folded.replace(ending, '')])].filter((form) => form !== '')
}

let common: Promise<ReadonlySet<string>> | undefined

/** Loaded with the first use: the list has 49,000 passwords, and takes some 20 MB of memory. */
const loadCommon = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].map(fold))
}

export const isCommon = async (password: string): Promise<boolean> => {
  const list = await (common ??= loadCommon())
  return formsOf(password).some((form) => list.has(form))
}

/** True if the whole password is one of the names. */
export const isPersonal = (password: string, names: string[]): boolean => {
  const forms = new Set(names.flatMap(formsOf))
  return formsOf(password).some((form) => forms.has(form))
}
