import { STATUS_CODES } from 'node:http'
import type { SupportKind } from '../access/actor.ts'
import { needsTenantHeader } from './authenticate.ts'
import { failureRef, headerRef } from './openapi-components.ts'
import { exampleOf, hoist, type Components, type Schema } from './openapi-schemas.ts'

interface Media {
  schema: Schema
  example?: unknown
}

interface Content {
  description?: string
  headers?: Record<string, unknown>
  content?: Record<string, Media>
}

interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Schema
  description?: string
}

/** An operation in the shape that @fastify/swagger produces. */
export interface Operation {
  operationId: string
  tags: string[]
  'x-proves-callers'?: true
  'x-approvable'?: true
  summary: string
  description?: string
  'x-permission': string
  /** A second required permission. */
  'x-permission-also'?: string
  /** The kind of support session that reaches it; one to `act` reaches what one to `view` does. */
  'x-support'?: SupportKind
  /** The operation's own errors, by name, with their codes. Errors that all operations share are omitted. */
  'x-errors': Record<string, number>
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

export interface Endpoint {
  method: string
  path: string
  /** True if the same operation also exists below the base path. */
  isAlias: boolean
}

const permissionSentences: Record<string, string> = {
  public: 'Needs no token.',
  caller: 'Needs a signed-in user or a key.',
  user: 'Needs a signed-in user; a key gets 403.',
  account: 'Needs a signed-in user; a key gets 403. Ignores `X-Tenant-ID`.',
  suspendedAccount:
    'Needs a signed-in user, also of a disabled tenant; a key gets 403. Ignores `X-Tenant-ID`.',
  guest: 'Needs the token of a guest of a setup link.',
}

const needSentence = ({ 'x-permission': first, 'x-permission-also': second }: Operation): string =>
  permissionSentences[first] ??
  (second ? `Needs the permissions \`${first}\` and \`${second}\`.` : `Needs the permission \`${first}\`.`)

const isOpen = (operation: Operation): boolean =>
  operation['x-permission'] === 'public' && !operation['x-proves-callers']

const describe = (operation: Operation): string =>
  [operation.description, operation['x-proves-callers'] ? '' : needSentence(operation)]
    .filter(Boolean)
    .join(' ')

/** Makes operation ids unique: GET has a HEAD beside it, and system paths also answer at the host root. */
const uniqueId = ({ operationId }: Operation, { method, isAlias }: Endpoint): string => {
  const id = method === 'head' ? operationId.replace(/^[a-z]+/, 'head') : operationId
  return isAlias ? `${id}AtRoot` : id
}

const withExample = (content: Content['content'], path: string, components: Components) =>
  Object.fromEntries(
    Object.entries(content ?? {}).map(([type, { schema, example }]) => [
      type,
      { schema: hoist(schema, components), example: example ?? exampleOf(schema, path) },
    ]),
  )

const isFailure = ({ content }: Content): boolean =>
  content?.['application/json']?.schema['title'] === 'Error'

/**
 * True if the total can stop at a maximum (docs/contract.md, "Paged lists"): the query has filters besides the page's
 * parameters.
 */
const canBeCapped = (operation: Operation): boolean => {
  const names = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)
  return names.includes('page') && names.length > 2 && !isWholeList(operation)
}

/** True for a list that is answered whole unless the request names a page. Its page has no default. */
const isWholeList = ({ parameters = [] }: Operation): boolean =>
  parameters.some(({ name, schema }) => name === 'page' && !('default' in schema))

const hasQuery = ({ parameters = [] }: Operation, wanted: string): boolean =>
  parameters.some(({ name }) => name === wanted)

const headersOf = (operation: Operation) => ({
  'X-Trace-Id': headerRef('TraceId'),
  ...(canBeCapped(operation) && { 'X-Total-Capped': headerRef('TotalCapped') }),
  ...(hasQuery(operation, 'sort') && { 'X-Sort-Ignored': headerRef('SortIgnored') }),
  ...(isWholeList(operation) && { 'X-Total-Count': headerRef('TotalCount') }),
})

/** Describes a successful status and its answer. */
const answerOf = (operation: Operation, endpoint: Endpoint, status: string, components: Components) => {
  const answer = operation.responses[status]
  const where = `${operation.operationId} ${status}`
  return {
    description: status === '200' ? 'Success' : STATUS_CODES[status],
    headers: status === '200' ? headersOf(operation) : { 'X-Trace-Id': headerRef('TraceId') },
    ...(endpoint.method === 'head' ? {} : { content: withExample(answer?.content, where, components) }),
  }
}

const responsesOf = (operation: Operation, endpoint: Endpoint, components: Components) =>
  Object.fromEntries(
    Object.entries(operation.responses).map(([status, answer]) => [
      status,
      isFailure(answer) && endpoint.method !== 'head'
        ? failureRef(Number(status))
        : answerOf(operation, endpoint, status, components),
    ]),
  )

const tenantParameters = ({ 'x-permission': permission }: Operation, path: string) => {
  if (['public', 'account', 'suspendedAccount'].includes(permission)) return []
  const name = needsTenantHeader(path) ? 'RequiredTenantId' : 'TenantId'
  return [{ $ref: `#/components/parameters/${name}` }]
}

/** Default descriptions of parameters, used if the schema has none. */
const parameterTexts: Record<string, string> = {
  id: 'Which one: its id.',
  userId: 'Which user: their id.',
  keyId: 'Which key: its id.',
  factorId: 'Which second factor: its id.',
  secretId: 'Which secret: its id.',
  application_id: 'Only consents to this application.',
  deliveryId: 'Which delivery: its id.',
  tenantId: 'Which tenant: its id.',
  roleId: 'Which role: its id.',
  key: 'Key of the setting: letters, digits and `.` `_` `-` `:`.',
  page: 'Page of the list, from 1. A page past the end is empty.',
  page_size: 'How many items a page has.',
  module: 'Only permissions of this module.',
  user_id: 'Only records of what this user did.',
  action: 'Only records of this action.',
  resource: 'Only records about this kind of resource.',
}

/**
 * Marks a parameter with a default as optional. Its schema requires it, because validation sets the default first.
 */
const parameterOf = (parameter: Parameter, operation: Operation, components: Components) => ({
  example: exampleOf({ ...parameter.schema, ...parameter }, `${operation.operationId} ${parameter.name}`),
  description: parameterTexts[parameter.name],
  ...parameter,
  required: parameter.required && !('default' in parameter.schema),
  schema: hoist(parameter.schema, components),
})

/** False if all fields of a body are optional: a request may then omit it (body.ts). */
const needsBody = ({ content = {} }: Content): boolean =>
  Object.values(content).some(({ schema }) => 'required' in schema)

const requestOf = ({ requestBody, operationId }: Operation, components: Components) =>
  requestBody && {
    requestBody: {
      ...requestBody,
      required: needsBody(requestBody),
      content: withExample(requestBody.content, `${operationId} body`, components),
    },
  }

/** The error statuses of an operation in the envelope. */
export const failuresOf = ({ responses }: Operation): number[] =>
  Object.entries(responses)
    .filter(([, answer]) => isFailure(answer))
    .map(([status]) => Number(status))

/** Finishes an operation for the document. Schemas with a title move to `components`. */
export const finishOperation = (operation: Operation, endpoint: Endpoint, components: Components) => {
  const { parameters = [] } = operation
  return {
    operationId: uniqueId(operation, endpoint),
    tags: operation.tags,
    summary: operation.summary,
    description: describe(operation),
    'x-permission': operation['x-permission'],
    'x-permission-also': operation['x-permission-also'],
    'x-support': operation['x-support'],
    'x-errors': operation['x-errors'],
    security: isOpen(operation) ? [] : [{ accessToken: [] }],
    parameters: [
      ...parameters.map((one) => parameterOf(one, operation, components)),
      ...tenantParameters(operation, endpoint.path),
      ...(operation['x-approvable'] ? [{ $ref: '#/components/parameters/ApprovalId' }] : []),
    ],
    ...requestOf(operation, components),
    responses: responsesOf(operation, endpoint, components),
  }
}
