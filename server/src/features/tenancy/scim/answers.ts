/** Resources and lists in the form of RFC 7643 and 7644. */
import { enterpriseSchema, groupSchema, userSchema } from './attributes.ts'
import { divideUrn } from './grammar.ts'
import type { Projection } from './scim.schemas.ts'
import type { GroupRow } from './groups.store.ts'
import type { ListedRow } from './users.store.ts'
import { withTexts } from './texts.ts'
import type { Raw } from './values.ts'

interface ServiceUrl {
  publicUrl: string
}

export const baseUrl = ({ publicUrl }: ServiceUrl): string => `${publicUrl}/scim/v2`

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export const listAnswer = (resources: object[], totalResults: number, startIndex: number): string =>
  JSON.stringify({
    schemas: [listSchema],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  })

/** The attributes in a list of names, in lower case and without the URN of a core schema. */
const namesIn = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      const { schema = '', rest } = divideUrn(name)
      if (schema.toLowerCase() !== enterpriseSchema.toLowerCase()) return rest.toLowerCase()
      return [schema, rest].filter(Boolean).join('.').toLowerCase()
    })

const isObject = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Chosen = 'all' | 'none' | 'parts'
/** Decides by the dotted name of an attribute. A name in the extension begins with the extension's URN. */
type Choose = (name: string) => Chosen

const chosenParts = (value: unknown, choose: Choose, name: string): unknown => {
  if (Array.isArray(value)) return value.map((one: unknown) => chosenParts(one, choose, name))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => {
      const chosen = choose(`${name}.${key}`)
      if (chosen === 'none') return []
      return [[key, chosen === 'all' ? part : chosenParts(part, choose, `${name}.${key}`)]]
    }),
  )
}

const always = new Set(['schemas', 'id'])

const project = (resource: Raw, choose: Choose): Raw =>
  Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      const chosen = always.has(name) ? 'all' : choose(name)
      if (chosen === 'none') return []
      return [[name, chosen === 'all' ? value : chosenParts(value, choose, name)]]
    }),
  )

const startsWithin = (names: string[], name: string): boolean =>
  names.some((one) => one.startsWith(`${name}.`))

const chosenBy = ({ attributes, excludedAttributes }: Projection): Choose => {
  const [wanted, excluded] = [namesIn(attributes), namesIn(excludedAttributes)]
  const [names, whole, rest] =
    wanted.length > 0 ? ([wanted, 'all', 'none'] as const) : ([excluded, 'none', 'all'] as const)
  return (name) => {
    if (names.includes(name)) return whole
    return startsWithin(names, name) ? 'parts' : rest
  }
}

/**
 * The attributes that a request asks for. Caches the decision for each name: a request names up to 2,000 attributes,
 * and an answer has 20,000 members.
 */
export const choiceOf = (projection: Projection): Choose => {
  const [choose, known] = [chosenBy(projection), new Map<string, Chosen>()]
  return (name) => {
    const chosen = known.get(name) ?? choose(name.toLowerCase())
    known.set(name, chosen)
    return chosen
  }
}

/** Whether an answer includes an attribute. */
export const shows = ({ attributes, excludedAttributes }: Projection, name: string): boolean => {
  const wanted = namesIn(attributes)
  const isNamed = (names: string[]) => names.some((one) => one === name || one.startsWith(`${name}.`))
  return wanted.length > 0 ? isNamed(wanted) : !namesIn(excludedAttributes).includes(name)
}

const metaOf = (location: string, resourceType: string, row: { created_at: string; updated_at: string }) => ({
  resourceType,
  created: row.created_at,
  lastModified: row.updated_at,
  location,
})

const filled = (resource: Raw): Raw =>
  Object.fromEntries(
    Object.entries(resource).filter(([, value]) => {
      if (value === null || value === '') return false
      return typeof value !== 'object' || Object.keys(value).length > 0
    }),
  )

/** The part of a row that an answer shows. */
export type ShownRow = Omit<ListedRow, 'user_id' | 'email'>

export const userAnswer = (service: ServiceUrl, row: ShownRow, choose: Choose): Raw => {
  const base = baseUrl(service)
  const { [enterpriseSchema]: extension, ...texts } = withTexts(
    { [enterpriseSchema]: row.extension },
    row.texts,
  )
  const resource = filled({
    schemas: [userSchema, ...(Object.keys(extension ?? {}).length > 0 ? [enterpriseSchema] : [])],
    id: row.id,
    externalId: row.external_id,
    userName: row.user_name,
    name: row.name,
    displayName: row.display_name,
    emails: row.emails,
    active: row.active,
    ...texts,
    groups: row.groups.map((group) => ({ ...group, $ref: `${base}/Groups/${group.value}` })),
    [enterpriseSchema]: extension ?? null,
    meta: metaOf(`${base}/Users/${row.id}`, 'User', row),
  })
  return project(resource, choose)
}

/** The id and the display name of a member. */
export interface Member {
  value: string
  display: string
}

export const groupAnswer = (service: ServiceUrl, row: GroupRow, members: Member[], choose: Choose): Raw => {
  const base = baseUrl(service)
  const resource = filled({
    schemas: [groupSchema],
    id: row.id,
    externalId: row.external_id,
    displayName: row.display_name,
    members: members.map((one) => ({ ...one, type: 'User', $ref: `${base}/Users/${one.value}` })),
    meta: metaOf(`${base}/Groups/${row.id}`, 'Group', row),
  })
  return project(resource, choose)
}
