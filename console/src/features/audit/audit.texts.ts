import type { AuditLog } from '@tenantry/client'
import { useMemo } from 'react'
import { isolated } from '../../isolate.ts'
import { useTranslation } from '../../translation.ts'
import { isChange } from './differences.ts'

const read = (texts: Record<string, string>, code: string): string =>
  Object.hasOwn(texts, code) ? (texts[code] ?? code) : code

type NamedRecord = Pick<AuditLog, 'action' | 'detail' | 'resource'>

export interface SentencePart {
  text: string
  isName: boolean
}

/** The name after the change. For a deleted resource, the name before it. */
const nameIn = (detail: AuditLog['detail'], field: string): string | undefined => {
  const { from, to } = (detail[field] ?? {}) as { from?: unknown; to?: unknown }
  const name = to ?? from
  return typeof name === 'string' && name !== '' ? name : undefined
}

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
  setting_definition: 'key',
  user: 'username',
  webhook: 'url',
}

/** The name of the resource at that time. Older records have none. */
export const resourceNameOf = ({ resource, detail }: NamedRecord): string | undefined =>
  nameIn(detail, nameFields[resource] ?? 'name') ?? (resource === 'role' ? nameIn(detail, 'role') : undefined)

/** Inserts the names into a phrase such as "gave {role} to {username}". Undefined if the record lacks a name. */
const fillPhrase = (phrase: string, detail: AuditLog['detail']): SentencePart[] | undefined => {
  const parts = phrase.split(/\{(\w+)\}/).map((text, index) => {
    const isName = index % 2 === 1
    const name = isName ? nameIn(detail, text) : undefined
    return { isName, text: isName ? name && isolated(name) : text }
  })
  const full = parts.flatMap(({ isName, text }) => (text === undefined ? [] : [{ isName, text }]))
  return full.length < parts.length ? undefined : full
}

/** The key of the phrase about a record. A change of only the status has a phrase of its own. */
const phraseOf = ({ action, detail }: NamedRecord): string => {
  const [changed, ...others] = Object.entries(detail).flatMap(([field, value]) =>
    field !== 'editor_id' && isChange(value) && value.from !== value.to ? [{ field, to: value.to }] : [],
  )
  if (changed?.field !== 'status' || others.length > 0) return action
  return `${action}_${changed.to === 1 ? 'on' : 'off'}`
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
        const phrase = [phraseOf(log), log.action].find((key) => Object.hasOwn(phrases, key))
        return (phrase && fillPhrase(phrases[phrase] ?? '', log.detail)) || plain(log.action)
      },
      ofResource: (resource: string) => read(resources, resource),
      ofField: (field: string) => read(fields, field),
    }
  }, [textsOf])
}

/** The name of the acting user or service account at the time of the record. Older records have only the number. */
export const useActors = () => {
  const { t } = useTranslation()
  const notes = { service_account: t('places.serviceAccount'), platform: t('audit.platform') }
  return {
    nameOf: ({ user_id: id, actor }: AuditLog): string =>
      id === 0 ? t('common.nobody') : actor?.name || t('common.userNumber', { id }),
    /** Describes an actor who is not a user of the tenant. Undefined for a user. */
    noteOf: ({ actor }: AuditLog): string | undefined => notes[actor?.kind as keyof typeof notes],
  }
}
