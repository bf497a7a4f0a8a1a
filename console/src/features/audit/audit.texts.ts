import type { AuditLog } from '@tenantry/client'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

const read = (texts: Record<string, string>, code: string): string =>
  Object.hasOwn(texts, code) ? (texts[code] ?? code) : code

type Named = Pick<AuditLog, 'action' | 'detail' | 'resource'>

/** A part of the sentence about a record. */
export interface Part {
  text: string
  isName: boolean
}

/** A name as the record holds it: as it was after the change, or before the end of its thing. */
const nameIn = (detail: AuditLog['detail'], field: string): string | undefined => {
  const { from, to } = (detail[field] ?? {}) as { from?: unknown; to?: unknown }
  const name = to ?? from
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** The field that names the thing of a record, if it is not `name`. */
const nameFields: Partial<Record<string, string>> = {
  auth: 'username',
  broadcast: 'title',
  factor: 'username',
  invitation: 'email',
  notification: 'title',
  permission: 'code',
  setting: 'key',
  user: 'username',
  webhook: 'url',
}

/** The name of the thing at that time; older records have none. */
export const nameOfThing = ({ resource, detail }: Named): string | undefined =>
  nameIn(detail, nameFields[resource] ?? 'name') ?? (resource === 'role' ? nameIn(detail, 'role') : undefined)

/** Fills the names into a phrase such as "gave {role} to {username}"; undefined if the record lacks one. */
const fill = (phrase: string, detail: AuditLog['detail']): Part[] | undefined => {
  const parts = phrase.split(/\{(\w+)\}/).map((text, index) => {
    const isName = index % 2 === 1
    return { isName, text: isName ? nameIn(detail, text) : text }
  })
  const full = parts.flatMap(({ isName, text }) => (text === undefined ? [] : [{ isName, text }]))
  return full.length < parts.length ? undefined : full
}

/** For the middle of a sentence. */
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** For the beginning of a line. */
export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const flat = (groups: Record<string, Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(groups).flatMap(([resource, texts]) =>
      Object.entries(texts).map(([verb, text]) => [`${resource}.${verb}`, text] as const),
    ),
  )

/** Names of actions, resources and fields, and the codes that the service writes. Unknown codes stay. */
export const useAuditTexts = () => {
  const { t } = useTranslation()
  return useMemo(() => {
    const actions = flat(t('auditActions', { returnObjects: true }))
    const phrases = flat(t('auditPhrases', { returnObjects: true }))
    const plain = (action: string): Part[] => [{ text: lower(read(actions, action)), isName: false }]
    const resources: Record<string, string> = t('auditResources', { returnObjects: true })
    const fields: Record<string, string> = t('auditFields', { returnObjects: true })
    return {
      actions: Object.keys(actions),
      resources: Object.keys(resources),
      ofAction: (action: string) => read(actions, action),
      /** The end of the sentence that begins with the caller. Without names it is only the action. */
      ofRecord: ({ action, detail }: Named): Part[] =>
        (Object.hasOwn(phrases, action) ? fill(phrases[action] ?? '', detail) : undefined) ?? plain(action),
      ofResource: (resource: string) => read(resources, resource),
      ofField: (field: string) => read(fields, field),
    }
  }, [t])
}
