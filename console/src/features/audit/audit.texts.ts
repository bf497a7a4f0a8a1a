import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core'
import type { AuditLog } from '@tenantry/client'
import { useMemo } from 'react'
import { isolated } from '../../isolate.ts'
import { useRoleName } from '../../system-roles.ts'
import { useTranslation } from '../../translation.ts'
import type { NamedLog } from './actors.texts.ts'
import { isChange } from './differences.ts'

const read = (texts: Record<string, string>, code: string): string =>
  Object.hasOwn(texts, code) ? (texts[code] ?? code) : code

type NamedRecord = Pick<NamedLog, 'action' | 'detail' | 'resource' | 'present'>

export interface SentencePart {
  text: string
  isName: boolean
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export interface Change {
  from?: unknown
  to?: unknown
}

/** The name after the change. For a deleted resource, the name before it. */
const nameIn = (detail: AuditLog['detail'], field: string): string | undefined => {
  const { from, to } = (detail[field] ?? {}) as Change
  return textIn(to ?? from)
}

/** `{was_name}` of a phrase is the name before the change. */
const partOf = (detail: AuditLog['detail'], place: string): string | undefined =>
  place.startsWith('was_')
    ? textIn((detail[place.slice('was_'.length)] as Change | undefined)?.from)
    : nameIn(detail, place)

/** The field with the resource's name, if it is not `name`. */
const nameFields: Partial<Record<string, string>> = {
  account: 'username',
  auth: 'username',
  broadcast: 'title',
  directory_group: 'display_name',
  directory_user: 'email',
  domain: 'domain',
  factor: 'username',
  flag: 'key',
  invitation: 'email',
  notification: 'title',
  permission: 'code',
  setting: 'key',
  attribute: 'key',
  setting_definition: 'key',
  setup_link: 'email',
  user: 'username',
  webhook: 'url',
}

/** The name of the resource at that time. Older records have none. */
export const resourceNameOf = ({ resource, detail }: NamedRecord): string | undefined =>
  nameIn(detail, nameFields[resource] ?? 'name') ?? (resource === 'role' ? nameIn(detail, 'role') : undefined)

/** The sentence about another display name has the username, which did not change. */
const presentIn = (phrase: string, { present }: NamedRecord): string | undefined =>
  phrase.includes('{nickname}') ? undefined : present?.subject

/** The name for a place of a phrase. A role has its name in the language of the page. */
const named = ({ resource, detail }: NamedRecord, place: string, roleName: (name: string) => string) => {
  const name = partOf(detail, place)
  const isRole = place === 'role' || (resource === 'role' && place === 'name')
  return name !== undefined && isRole ? roleName(name) : name
}

/** Inserts the names into a phrase such as "gave {role} to {username}". Undefined if the record lacks a name. */
const fillPhrase = (
  phrase: string,
  record: NamedRecord,
  roleName: (name: string) => string,
): SentencePart[] | undefined => {
  const user = presentIn(phrase, record)
  const parts = phrase.split(/\{(\w+)\}/).map((text, index) => {
    const isName = index % 2 === 1
    const name = isName ? (text === 'username' && user) || named(record, text, roleName) : undefined
    return { isName, text: isName ? name && isolated(name) : text }
  })
  const full = parts.flatMap(({ isName, text }) => (text === undefined ? [] : [{ isName, text }]))
  return full.length < parts.length ? undefined : full
}

/** Values of `status` and `enabled` that phrases name. */
const switches = new Map<unknown, 'on' | 'off'>([
  [1, 'on'],
  ['active', 'on'],
  [true, 'on'],
  [0, 'off'],
  ['disabled', 'off'],
  [false, 'off'],
])

/** Fields that change with another one. */
const following = ['editor_id', 'status_behind', 'version']

/** The keys of phrases about a record, the best first. A change of a single field can have a phrase of its own. */
const phrasesOf = ({ action, detail }: NamedRecord): string[] => {
  const [changed, ...others] = Object.entries(detail).flatMap(([field, value]) =>
    !following.includes(field) && isChange(value) && value.from !== value.to ? [{ field, to: value.to }] : [],
  )
  if (!changed || others.length > 0) return [action]
  const { field, to } = changed
  const isSwitch = field === 'status' || field === 'enabled'
  return [`${action}_${isSwitch ? switches.get(to) : field}`, action]
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const flat = (groups: Record<string, Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(groups).flatMap(([resource, texts]) =>
      Object.entries(texts).map(([verb, text]) => [`${resource}.${verb}`, text] as const),
    ),
  )

/** Texts for actions, resources and fields, and for codes of the service. Unknown codes stay unchanged. */
export const useAuditTexts = () => {
  const { textsOf } = useTranslation()
  const roleName = useRoleName()
  return useMemo(() => {
    const actions = flat(textsOf('auditActions'))
    const phrases = flat(textsOf('auditPhrases'))
    const plain = (action: string): SentencePart[] => [{ text: lower(read(actions, action)), isName: false }]
    const resources: Record<string, string> = textsOf('auditResources')
    const fields: Record<string, string> = textsOf('auditFields')
    return {
      actions: Object.keys(actions),
      resources: Object.keys(resources),
      ofAction: (action: string) => read(actions, action),
      /** The part of a sentence after the caller's name. If the record lacks a name, the part is only the action. */
      ofRecord: (log: NamedRecord): SentencePart[] => {
        const known = phrasesOf(log).filter((key) => Object.hasOwn(phrases, key))
        const filled = known.map((key) => fillPhrase(phrases[key] ?? '', log, roleName))
        return filled.find((parts) => parts !== undefined) ?? plain(log.action)
      },
      ofResource: (resource: string) => read(resources, resource),
      ofField: (field: string) => read(fields, field),
    }
  }, [textsOf, roleName])
}

/** Matches actions, grouped by resource, by text, code and name of the resource. */
export const filterActions: OptionsFilter = ({ options, search }) => {
  const sought = search.trim().toLowerCase()
  const isSought = (text: string): boolean => text.toLowerCase().includes(sought)
  const isFound = ({ value, label }: ComboboxItem): boolean => isSought(value) || isSought(label)
  const rankOf = (option: ComboboxParsedItem): number =>
    'items' in option && typeof option.group === 'string' && option.group.toLowerCase().startsWith(sought)
      ? 0
      : 1
  return options
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .flatMap((option): ComboboxParsedItem[] => {
      if (!('items' in option)) return isFound(option) ? [option] : []
      const isWhole = typeof option.group === 'string' && isSought(option.group)
      const items = isWhole ? option.items : option.items.filter(isFound)
      return items.length === 0 ? [] : [{ ...option, items }]
    })
}
