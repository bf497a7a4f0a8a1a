import { readFile } from 'node:fs/promises'
import { request } from './client.ts'

/** What an id names. `text` is a filter that matches what is stored; `permission` and `globalKey` belong to no tenant. */
export type Kind =
  | 'user'
  | 'role'
  | 'notification'
  | 'auditLog'
  | 'tenant'
  | 'key'
  | 'text'
  | 'permission'
  | 'globalKey'

/** Where an operation takes an id, and of what. */
export interface Place {
  in: 'path' | 'query' | 'body'
  name: string
  kind: Kind
}

type Fields = Record<string, unknown>

export interface Operation {
  method: string
  path: string
  /** `public`, `caller`, or the permission it needs. */
  permission: string
  places: Place[]
  /** The example of the document; undefined where it takes no body. */
  body: Fields | undefined
}

interface Parameter {
  $ref?: string
  in?: string
  name?: string
  schema?: { type?: string; enum?: unknown[]; format?: string }
}

interface RawOperation {
  'x-permission'?: string
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, { example?: Fields }> }
}

interface Document {
  paths?: Record<string, Record<string, RawOperation>>
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])

const kindsByName: Record<string, Kind> = {
  userId: 'user',
  user_id: 'user',
  roleId: 'role',
  role_id: 'role',
  tenant_id: 'tenant',
  notification_id: 'notification',
  permission_ids: 'permission',
}

const kindsByFolder: Record<string, Kind> = {
  users: 'user',
  roles: 'role',
  notifications: 'notification',
  logs: 'auditLog',
  tenants: 'tenant',
  global: 'globalKey',
  tenant: 'key',
}

const folderOf = (path: string, name: string): string => path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? ''

/** An id that no rule here knows stops the proof: an operation that nobody attacks is no proof. */
const pathKind = (path: string, name: string): Kind => {
  const kind = kindsByName[name] ?? kindsByFolder[folderOf(path, name)]
  if (kind === undefined) {
    throw new Error(`${path}: nothing is known about the id ${name}; teach prove/operations.ts`)
  }
  return kind
}

const isId = (name: string) => /(^|_)ids?$/.test(name)

const valueKind = (path: string, name: string, isText: boolean): Kind | undefined => {
  if (isId(name)) return pathKind(path, name)
  return isText ? 'text' : undefined
}

/** A word out of a list, or a date, names nothing of anybody's. */
const isFreeText = (schema: Parameter['schema']): boolean =>
  schema?.type === 'string' && schema.enum === undefined && schema.format === undefined

const parameterPlaces = (path: string, parameters: Parameter[]): Place[] =>
  parameters.flatMap(({ in: where, name = '', schema }): Place[] => {
    if (where === 'path') return [{ in: where, name, kind: pathKind(path, name) }]
    const kind = where === 'query' ? valueKind(path, name, isFreeText(schema)) : undefined
    return kind === undefined ? [] : [{ in: 'query', name, kind }]
  })

const bodyPlaces = (path: string, body: Fields | undefined): Place[] =>
  Object.keys(body ?? {})
    .filter(isId)
    .map((name) => ({ in: 'body', name, kind: pathKind(path, name) }))

const toOperation = (method: string, path: string, raw: RawOperation): Operation => {
  const { 'x-permission': permission, parameters = [], requestBody } = raw
  if (permission === undefined) throw new Error(`${method} ${path} does not say which permission it needs`)
  const body = requestBody?.content?.['application/json']?.example
  const places = [...parameterPlaces(path, parameters), ...bodyPlaces(path, body)]
  return { method: method.toUpperCase(), path, permission, places, body }
}

/** The operations that a document describes. */
const operationsOf = ({ paths = {} }: Document): Operation[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => methods.has(method))
      .map(([method, raw]) => toOperation(method, path, raw)),
  )

/** From the service itself; one that does not publish its document is attacked by that of this checkout. */
const readDocument = async (url: string): Promise<Document> => {
  const answer = await request(url, 'GET', '/openapi.json')
  if (answer.status === 200) return answer.body as Document
  return JSON.parse(await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8')) as Document
}

/** All operations that need a token. */
export const readOperations = async (url: string): Promise<Operation[]> => {
  const operations = operationsOf(await readDocument(url)).filter(({ permission }) => permission !== 'public')
  if (operations.length < 40) {
    throw new Error(`the document has ${operations.length} operations: that is not all`)
  }
  return operations
}

export type Ids = Record<Kind, string | number>

const fill = ({ kind, name }: Place, ids: Ids) => (name.endsWith('_ids') ? [ids[kind]] : ids[kind])

const pathOf = ({ path, places }: Operation, ids: Map<Place, Ids>): string => {
  let filled = path
  const query = new URLSearchParams()
  for (const place of places) {
    const value = String(ids.get(place)?.[place.kind])
    if (place.in === 'path') filled = filled.replace(`{${place.name}}`, encodeURIComponent(value))
    if (place.in === 'query') query.set(place.name, value)
  }
  return query.size > 0 ? `${filled}?${query.toString()}` : filled
}

/** The request of an operation with an id in every place; the rest of the body is the document's example. */
export const requestOf = (operation: Operation, ids: Map<Place, Ids>) => {
  const { method, places, body } = operation
  const filled = body === undefined ? undefined : { ...body }
  for (const place of places) {
    const own = ids.get(place)
    if (filled && own && place.in === 'body') filled[place.name] = fill(place, own)
  }
  return { method, path: pathOf(operation, ids), body: filled }
}
