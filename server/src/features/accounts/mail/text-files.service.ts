/** The texts of e-mails as files, one per kind and language: `reset.en.yaml`. */
import { stringify } from 'yaml'
import { readYaml, type Check } from '../../../as-code.ts'
import { kindOf, writableKinds, type MailKind } from '../../../mail/kinds.ts'
import { canonicalTag } from '../../../mail/language.ts'
import type { MailText } from '../../../mail/texts.ts'
import { controls } from '../../../values/text.ts'
import { linkPlaceholder, placeholder } from '../../../mail/values.ts'
import { Refusal } from '../../../errors/refusal.ts'
import type { MailTextFile } from './texts-file.schemas.ts'

export interface TextEntry {
  kind: MailKind
  language: string
  text: MailText
}

export interface NamedText {
  name: string
  content: string
}

export const nameOf = ({ kind, language }: Pick<TextEntry, 'kind' | 'language'>): string =>
  `${kind}.${language}`

const placeholdersOf = (kind: MailKind): string[] => ['product', ...kindOf(kind).values]

const helpOf = (kind: MailKind): string => {
  const names = placeholdersOf(kind).map((name) => `{{${name}}}`)
  const link = kindOf(kind).page ? `; ${linkPlaceholder} once, as a paragraph of its own` : ''
  return `# Placeholders: ${names.join(', ')}${link}\n`
}

export const fileOf = ({ kind, language, text: { subject, button, text } }: TextEntry): NamedText => ({
  name: `${nameOf({ kind, language })}.yaml`,
  content: `${helpOf(kind)}${stringify(
    { subject, ...(button !== undefined && { button }), text: `${text}\n` },
    { lineWidth: 0 },
  )}`,
})

/** The kind and language in a file's name. For an invalid name, the fault as text. */
const keyIn = (name: string): Pick<TextEntry, 'kind' | 'language'> | string => {
  const [, kindName = '', tag = ''] = /^([^.]*)\.([^.]*)\.ya?ml$/.exec(name) ?? []
  if (tag === '') return 'must be named as a kind and a language, such as reset.en.yaml'
  const kind = writableKinds.find((one) => one === kindName)
  if (!kind) return `no kind of e-mail is called ${kindName}; the kinds are ${writableKinds.join(', ')}`
  const language = canonicalTag(tag)
  return language === undefined ? `${tag} is no language tag, such as en or pt-BR` : { kind, language }
}

/** Addresses that mail programs show as links. The only link of an e-mail is its own. */
const address = /:\/\/|www\./i

const faultsOfPart = (kind: MailKind, part: string, text: string): string[] => {
  const known = placeholdersOf(kind)
  const unknown = [...text.matchAll(placeholder)].filter(([, name = '']) => !known.includes(name))
  const rest = text.replaceAll(placeholder, '')
  return [
    ...unknown.map(
      ([whole]) =>
        `${part} has the unknown placeholder ${whole}; there are ${known.map((name) => `{{${name}}}`).join(', ')}`,
    ),
    ...(/\{\{|\}\}/.test(rest) ? [`${part} has a {{ or }} that belongs to no placeholder`] : []),
    ...(address.test(rest)
      ? [`${part} has an address: the only link of an e-mail is ${linkPlaceholder}`]
      : []),
    ...(controls.test(text.replaceAll('\n', '')) ? [`${part} has control characters`] : []),
    ...(part !== 'text' && text.includes('\n') ? [`${part} has more than one line`] : []),
  ]
}

const paragraphsOf = (text: string): string[] => text.split(/\n{2,}/)

const linkFaults = (kind: MailKind, { button, text }: MailText): string[] => {
  if (kindOf(kind).page === undefined) {
    return button === undefined ? [] : ['button must be left out: an e-mail of this kind has no link']
  }
  const links = paragraphsOf(text).filter((one) => one === linkPlaceholder)
  return [
    ...(button === undefined ? ['button is missing: the words on the button of the link'] : []),
    ...(links.length === 1
      ? []
      : [`text must have ${linkPlaceholder} once, between empty lines: nobody could go on without it`]),
  ]
}

const faultsIn = (kind: MailKind, text: MailText): string[] => {
  const hasLink = kindOf(kind).page !== undefined
  const words = hasLink
    ? paragraphsOf(text.text)
        .filter((one) => one !== linkPlaceholder)
        .join('\n\n')
    : text.text
  return [
    ...linkFaults(kind, text),
    ...(kindOf(kind).values.includes('code') && !text.text.includes('{{code}}')
      ? ['text must have {{code}}: nobody could go on without it']
      : []),
    ...faultsOfPart(kind, 'subject', text.subject),
    ...faultsOfPart(kind, 'button', text.button ?? ''),
    ...faultsOfPart(kind, 'text', words),
  ]
}

/** Removes differences that do not matter: outer spaces and repeated empty lines. */
const tidied = ({ subject, button, text }: MailTextFile): MailText => ({
  subject: subject.trim(),
  ...(button !== undefined && { button: button.trim() }),
  text: text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim(),
})

const fields = ['subject', 'button', 'text']

/** Unknown fields, which the check of requests would silently drop. */
const unknownFields = (value: unknown): string[] =>
  Object.keys(typeof value === 'object' ? (value ?? {}) : {})
    .filter((name) => !fields.includes(name))
    .map((name) => `has the unknown field ${name}; the fields are ${fields.join(', ')}`)

/** Reads one file. Returns its faults as texts if it has any. */
const readFile = ({ name, content }: NamedText, check: Check): TextEntry | string[] => {
  const key = keyIn(name)
  if (typeof key === 'string') return [key]
  const yaml = readYaml(content)
  if (typeof yaml === 'string') return [yaml]
  const faults = [...unknownFields(yaml.value), ...check(yaml.value)]
  if (faults.length > 0) return faults
  const text = tidied(yaml.value as MailTextFile)
  const ill = faultsIn(key.kind, text)
  return ill.length > 0 ? ill : { ...key, text }
}

/** Reads the files. Throws a Refusal with a line for each fault. */
export const parseTexts = (files: NamedText[], check: Check): TextEntry[] => {
  const entries: TextEntry[] = []
  const faults: string[] = []
  for (const file of files) {
    const read = readFile(file, check)
    if (Array.isArray(read)) faults.push(...read.map((fault) => `${file.name}: ${fault}`))
    else if (entries.some((one) => nameOf(one) === nameOf(read))) {
      faults.push(`${file.name}: another file has the text ${nameOf(read)}`)
    } else entries.push(read)
  }
  if (faults.length > 0) throw new Refusal(faults)
  return entries
}
