import { readFile } from 'node:fs/promises'
import { request } from '../lab/client.ts'

/**
 * The kind of object that an id names. `text` is a filter over stored values; `permission`, `template`,
 * `application`, `resource`, `secret`, `globalKey` and `flag` belong to no tenant.
 */
export type Kind =
  | 'user'
  | 'role'
  | 'session'
  | 'invitation'
  | 'factor'
  | 'notification'
  | 'broadcast'
  | 'auditLog'
  | 'tenant'
  | 'key'
  | 'text'
  | 'serviceAccount'
  | 'accountKey'
  | 'webhook'
  | 'permission'
  | 'template'
  | 'application'
  | 'resource'
  | 'secret'
  | 'globalKey'
  | 'flag'

/** A place where an operation takes an id, and the kind of that id. */
export interface Place {
  in: 'path' | 'query' | 'body'
  name: string
  kind: Kind
}

type Fields = Record<string, unknown>

export interface Operation {
  method: string
  path: string
  /** `public`, `caller`, `user`, `account`, `suspendedAccount`, `guest`, or a permission code. */
  permission: string
  /** Whether it needs a second permission as well. */
  needsSecond: boolean
  places: Place[]
  /** The example in the API description; undefined for an operation without a body. */
  body: Fields | undefined
}

/** Operations on the caller's own account: they ignore the tenant header. */
export const isAboutAccount = ({ permission }: Operation): boolean =>
  permission === 'account' || permission === 'suspendedAccount'

interface Parameter {
  $ref?: string
  in?: string
  name?: string
  schema?: { type?: string; enum?: unknown[]; format?: string }
}

interface RawOperation {
  'x-permission'?: string
  'x-permission-also'?: string
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
  user_ids: 'user',
  // A filter of the audit log.
  about_user_id: 'user',
  reviewer_ids: 'user',
  // The proofs open no review: any number is the id of no item.
  item_ids: 'auditLog',
  roleId: 'role',
  keyId: 'accountKey',
  role_id: 'role',
  role_ids: 'role',
  default_role_ids: 'role',
  scim_account_id: 'serviceAccount',
  session_id: 'session',
  tenant_id: 'tenant',
  tenantId: 'tenant',
  notification_id: 'notification',
  permission_ids: 'permission',
  application_id: 'application',
  resource_ids: 'resource',
  tenant_ids: 'tenant',
  secretId: 'secret',
  // A filter of the audit log: an object of any kind, or the key of a setting.
  resource_id: 'text',
  // Whether an attribute is about users or tenants.
  subject: 'globalKey',
  // The operation of a policy.
  operation: 'globalKey',
  from_id: 'auditLog',
  // The webhooks of the proofs have sent nothing: any number is the id of no delivery.
  deliveryId: 'auditLog',
}

const kindsByFolder: Record<string, Kind> = {
  users: 'user',
  sessions: 'session',
  invitations: 'invitation',
  factors: 'factor',
  totp: 'factor',
  // The id of a credential, which the authenticator made.
  passkey: 'text',
  'service-accounts': 'serviceAccount',
  webhooks: 'webhook',
  roles: 'role',
  permissions: 'permission',
  'role-templates': 'template',
  applications: 'application',
  resources: 'resource',
  flags: 'flag',
  // The tenants of the proofs have no domain.
  domains: 'auditLog',
  connections: 'session',
  'setup-links': 'session',
  // The proofs have no provider, and nobody an identity.
  providers: 'session',
  identities: 'session',
  // Nobody has consented to anything: any number is the id of no consent.
  grants: 'auditLog',
  // Nobody has asked for an approval.
  approvals: 'auditLog',
  // The proofs open no review.
  reviews: 'auditLog',
  items: 'auditLog',
  notifications: 'notification',
  broadcasts: 'broadcast',
  // `before_id` of `/notifications/sent`.
  sent: 'broadcast',
  logs: 'auditLog',
  interactions: 'session',
  tenants: 'tenant',
  // `after_id` of `/rbac/assignments`, whose ids name nothing else.
  assignments: 'auditLog',
  // Nobody has elevated: any number is the id of no elevation.
  elevations: 'auditLog',
  // The key of a setting.
  definitions: 'globalKey',
  global: 'globalKey',
  tenant: 'key',
  effective: 'key',
  user: 'key',
  '{id}': 'key',
  // The key of an attribute.
  '{subject}': 'globalKey',
  // `before_id` of `/notifications/user/{userId}`.
  '{userId}': 'notification',
}

const folderOf = (path: string, name: string): string => path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? ''

/** Throws for an unknown id, which stops the proof: an operation that no attack covers proves nothing. */
const pathKind = (path: string, name: string): Kind => {
  const kind = kindsByName[name] ?? kindsByFolder[folderOf(path, name)]
  if (kind === undefined) {
    throw new Error(`${path}: prove/operations.ts has no rule for the id ${name}`)
  }
  return kind
}

const isId = (name: string) => /(^|_)ids?$/.test(name)

const valueKind = (path: string, name: string, isText: boolean): Kind | undefined => {
  // The name of the parameter has the key of an attribute, and the proofs declare none.
  if (name === 'attribute.KEY') return undefined
  if (isId(name)) return pathKind(path, name)
  return isText ? 'text' : undefined
}

/** A value from a fixed list, or a date, names no object of any tenant. */
const isFreeText = (schema: Parameter['schema']): boolean =>
  schema?.type === 'string' && schema.enum === undefined && schema.format === undefined

const parameterPlaces = (path: string, parameters: Parameter[]): Place[] =>
  parameters.flatMap(({ in: where, name = '', schema }): Place[] => {
    if (where === 'path') return [{ in: where, name, kind: pathKind(path, name) }]
    const kind = where === 'query' ? valueKind(path, name, isFreeText(schema)) : undefined
    return kind === undefined ? [] : [{ in: 'query', name, kind }]
  })

/** Items of lists count as well: the id of the first change is at `changes.0.user_id`. */
const bodyPlaces = (path: string, body: object | undefined, at = ''): Place[] =>
  Object.entries(body ?? {}).flatMap(([name, value]: [string, unknown]): Place[] => {
    if (isId(name)) return [{ in: 'body', name: `${at}${name}`, kind: pathKind(path, name) }]
    return typeof value === 'object' && value !== null ? bodyPlaces(path, value, `${at}${name}.`) : []
  })

const setAt = (body: Fields, name: string, value: unknown): void => {
  const [first = '', ...rest] = name.split('.')
  if (rest.length === 0) body[first] = value
  else setAt(body[first] as Fields, rest.join('.'), value)
}

const toOperation = (method: string, path: string, raw: RawOperation): Operation => {
  const { 'x-permission': permission, 'x-permission-also': second, parameters = [], requestBody } = raw
  if (permission === undefined) throw new Error(`${method} ${path} does not say which permission it needs`)
  const body = requestBody?.content?.['application/json']?.example
  const places = [...parameterPlaces(path, parameters), ...bodyPlaces(path, body)]
  return { method: method.toUpperCase(), path, permission, needsSecond: second !== undefined, places, body }
}

/** Lists the operations of an API description that need a caller. */
const operationsOf = ({ paths = {} }: Document): Operation[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, raw]) => methods.has(method) && raw['x-permission'] !== 'public')
      .map(([method, raw]) => toOperation(method, path, raw)),
  )

/** Reads the API description of the service, or that of this checkout when the service publishes none. */
const readDocument = async (url: string): Promise<Document> => {
  const answer = await request(url, 'GET', '/openapi.json')
  if (answer.status === 200) return answer.body as Document
  return JSON.parse(await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8')) as Document
}

/** Lists all operations that need a token. */
export const readOperations = async (url: string): Promise<Operation[]> => {
  const operations = operationsOf(await readDocument(url))
  if (operations.length < 40) {
    throw new Error(`the API description has only ${operations.length} operations`)
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

/** Builds a request with an id in every place; the rest of the body is the example of the API description. */
export const requestOf = (operation: Operation, ids: Map<Place, Ids>) => {
  const { method, places, body } = operation
  const filled = structuredClone(body)
  for (const place of places) {
    const own = ids.get(place)
    if (filled && own && place.in === 'body') setAt(filled, place.name, fill(place, own))
  }
  return { method, path: pathOf(operation, ids), body: filled }
}
