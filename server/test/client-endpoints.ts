/** Writes the methods of the SDK, client/src/endpoints.ts, from the API description and the table of names. */
import type { ApiDocument, Operation, Schema } from './api-document.ts'
import { groups, type Group, type Method } from './client-methods.ts'

/** An operation with its place. */
interface Found extends Operation {
  verb: string
  path: string
}

/** Gives the TypeScript type of a schema. */
type TypeOf = (schema: Schema) => string

const wrap = (text: string, indent: string): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length > 115 - indent.length) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}

const comment = (lines: string[], indent: string): string =>
  `${indent}/**\n${lines.map((line) => `${indent} *${line && ` ${line}`}\n`).join('')}${indent} */\n`

const statusText = ([status, names]: [string, string[]]): string =>
  `${status} ${names.map((name) => `\`${name}\``).join(', ')}`

/** The errors of a method, by status: its own, and those that tell of its input or its permission. */
const throwsOf = (operation: Found): string => {
  const { 'x-errors': own, 'x-permission': permission, parameters, requestBody } = operation
  const shared = [
    ...(parameters.some(({ in: place }) => place) || requestBody ? ['invalidInput'] : []),
    ...(permission.includes(':') ? ['permissionMissing'] : []),
  ]
  const errors = [
    ...shared.map((name) => [name, name === 'invalidInput' ? 400 : 403] as const),
    ...Object.entries(own).map(([name, code]) => [name, Math.floor(code / 100)] as const),
  ]
  const byStatus = Object.groupBy(errors, ([, status]) => String(status))
  const parts = Object.entries(byStatus).map(([status, found = []]) =>
    statusText([status, found.map(([name]) => name)]),
  )
  return parts.length === 0 ? 'as every method' : parts.join('; ')
}

const docOf = (operation: Found, { example, note }: Method, indent: string): string => {
  const about = operation.description.replaceAll(/ ?Needs no token\. ?| ?Ignores `X-Tenant-ID`\./g, '')
  const text = [`${operation.summary}.`, about, note].filter(Boolean).join(' ')
  const throwing = wrap(`@throws ApiError ${throwsOf(operation)}`, indent)
  return comment([...wrap(text, indent), '', ...throwing, '@example', ...example.split('\n')], indent)
}

const bodyOf = ({ requestBody }: Found): { type: string; isOptional: boolean } | undefined => {
  const { schema } = requestBody?.content['application/json'] ?? {}
  if (schema?.$ref === undefined) return undefined
  return { type: schema.$ref.replace(/.*\//, ''), isOptional: requestBody?.required === false }
}

const queryOf = ({ operationId, parameters }: Found): string | undefined => {
  const hasQuery = parameters.some((parameter) => parameter.in === 'query')
  return hasQuery ? `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query` : undefined
}

const pathParametersOf = ({ parameters }: Found) => parameters.filter((parameter) => parameter.in === 'path')

const parametersOf = (operation: Found, { params }: Method): string[] => {
  const body = bodyOf(operation)
  const query = queryOf(operation)
  const own = params ?? [
    ...pathParametersOf(operation).map(
      ({ name, schema }) => `${name}: ${schema?.type === 'integer' ? 'number' : 'string'}`,
    ),
    ...(body ? [`body: ${body.type}${body.isOptional ? ' = {}' : ''}`] : []),
  ]
  const asked = params === '' || query === undefined ? [] : [`query: ${query} = {}`]
  return [...[own].flat().filter(Boolean), ...asked]
}

/** The path below `/api/v1`, as text or as a template. */
const pathOf = ({ path }: Found): string => {
  const below = path.replace(/^\/api\/v1/, '')
  return below.includes('{') ? `path\`${below.replaceAll('{', '${')}\`` : `'${below}'`
}

const answerOf = ({ responses }: Found): Record<string, { schema: Schema }> =>
  (responses['200'] as { content?: Record<string, { schema: Schema }> }).content ?? {}

/** The schema of `data` in the envelope; the whole body of a probe or a document. */
const dataOf = (operation: Found): { data: Schema; isBare: boolean } => {
  const body = answerOf(operation)['application/json']?.schema ?? {}
  const data = body.properties?.['data']
  return data ? { data, isBare: false } : { data: body, isBare: true }
}

const isPage = ({ properties }: Schema): boolean =>
  properties?.['items'] !== undefined && 'page' in properties

const isCounted = ({ responses }: Found): boolean =>
  JSON.stringify((responses['200'] as { headers?: object }).headers ?? {}).includes('X-Total-Count')

/** The field that identifies an answer without an envelope. */
const markOf = ({ path }: Found): string =>
  path.endsWith('jwks.json') ? 'keys' : path.startsWith('/.well-known/') ? 'issuer' : 'status'

const hasOwnQuery = (operation: Found, { params }: Method): boolean =>
  queryOf(operation) !== undefined && params !== ''

const bodyText = (operation: Found, { body }: Method): string[] => {
  if (body !== undefined) return [`body: ${body}`]
  return bodyOf(operation) ? ['body'] : []
}

const inputOf = (operation: Found, method: Method): string => {
  const parts = [
    ...bodyText(operation, method),
    hasOwnQuery(operation, method) && 'query',
    operation['x-permission'] === 'public' && 'isPublic: true',
    dataOf(operation).isBare && `bare: '${markOf(operation)}'`,
    method.input,
  ].filter(Boolean)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

/** The schema of the items of a page or a list. */
const itemOf = ({ items, properties }: Schema): Schema => items ?? properties?.['items']?.items ?? {}

const isFile = (operation: Found, { isFile: isNamed = false }: Method): boolean =>
  isNamed || !('application/json' in answerOf(operation))

const fileInputOf = (operation: Found, method: Method): string => {
  const parts = [
    ...bodyText(operation, method),
    hasOwnQuery(operation, method) && 'query',
    method.isFile === true && 'isJson: true',
  ].filter(Boolean)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

/** The function of `Api` that asks, and its arguments before the options. */
const askerOf = (operation: Found, method: Method, typeOf: TypeOf): [string, string] => {
  const { data } = dataOf(operation)
  if (isFile(operation, method)) return ['askFile', fileInputOf(operation, method)]
  if (isPage(data)) return [`askPage<${typeOf(itemOf(data))}>`, 'query']
  if (isCounted(operation) && method.params !== '') return [`askCounted<${typeOf(itemOf(data))}>`, 'query']
  return [`ask<${typeOf(data)}>`, inputOf(operation, method)]
}

const callOf = (operation: Found, method: Method, typeOf: TypeOf): string => {
  const [asker, input] = askerOf(operation, method, typeOf)
  const verb = asker.startsWith('ask<') || asker === 'askFile' ? `'${operation.verb.toUpperCase()}', ` : ''
  return `${asker}(${verb}${pathOf(operation)}, ${input}, options)`
}

/** A method of one expression, on two lines where one would be long. */
const arrow = (signature: string, call: string): string =>
  `${signature} =>${signature.length + call.length > 100 ? '\n  ' : ' '}${call},\n`

const methodOf = (name: string, operation: Found, method: Method, typeOf: TypeOf): string => {
  const params = [...parametersOf(operation, method), 'options?: CallOptions'].join(', ')
  return arrow(`${name}: (${params})`, callOf(operation, method, typeOf))
}

/** The loop over all pages of a list. */
const loopOf = (operation: Found, { all }: Method, typeOf: TypeOf): string => {
  if (!all) return ''
  const names = operation.parameters.map(({ name }) => name)
  const cursor = names.includes('after_id') ? 'after_id' : 'before_id'
  const { data } = dataOf(operation)
  const query = `query: WholeList<${queryOf(operation)}> = {}`
  const own = pathParametersOf(operation).map(({ name }) => `${name}: number`)
  const params = [...own, query, 'options?: CallOptions'].join(', ')
  const item = typeOf(itemOf(data))
  return arrow(
    `${all.name}: (${params})`,
    `askAll<${item}>(${pathOf(operation)}, '${cursor}', query, options)`,
  )
}

const loopDoc = (operation: Found, { all }: Method, indent: string): string => {
  if (!all) return ''
  const text =
    `${operation.summary}, in a loop over all of them. It fetches a page of 200 when the loop comes to it, unless ` +
    '`page_size` says otherwise. The loop may change and delete items: none comes twice, and none is missed.'
  const throwing = wrap(`@throws ApiError from the loop: ${throwsOf(operation)}`, indent)
  return comment([...wrap(text, indent), '', ...throwing, '@example', ...all.example.split('\n')], indent)
}

const indented = (text: string, indent: string): string => text.replaceAll(/^(?=.)/gm, indent)

const groupText = (
  name: string,
  { about, methods }: Group,
  operations: Map<string, Found>,
  typeOf: TypeOf,
): string => {
  const indent = '  '.repeat(name.split('.').length + 1)
  const texts = Object.entries(methods).map(([key, method]) => {
    const operation = operations.get(method.operation)
    if (!operation) throw new Error(`${name}.${key} names ${method.operation}, which is no operation`)
    const code = methodOf(key, operation, method, typeOf)
    const loop = loopOf(operation, method, typeOf)
    const both = `${docOf(operation, method, indent)}${indented(code, indent)}`
    return loop === '' ? both : `${both}\n${loopDoc(operation, method, indent)}${indented(loop, indent)}`
  })
  const outer = indent.slice(2)
  return `${comment(wrap(about, outer), outer)}${outer}${name.split('.').at(-1)}: {\n${texts.join('\n')}`
}

/** Operations whose methods open or hear a session: client/src/sign-in.ts and events.ts have them. */
const written = new Set([
  'register',
  'login',
  'loginWithFactor',
  'loginWithPasskey',
  'refresh',
  'logout',
  'acceptInvitation',
  'confirmSignUp',
  'createOrganization',
  'switchTenant',
  'streamEvents',
  // The document of getServerMetadata at another path.
  'getOpenIdConfiguration',
])

const camelCase = (words: string): string =>
  words.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase())

/** `listUserDevices` of the tag `users` becomes `users.devices`, and `createUser` becomes `users.create`. */
const nameOf = ({ operationId, tags: [tag = ''] }: Found): string => {
  const noun = new RegExp(camelCase(` ${tag.replace(/s$/, '')}`), 'i')
  const short = operationId
    .replace(noun, '')
    .replace(/^(?:list|get)s?(?=[A-Z])/, '')
    .replace(/(?<=^list)s$/, '')
  return short.charAt(0).toLowerCase() + short.slice(1)
}

const exampleOf = (group: string, name: string, operation: Found): string => {
  const ids = pathParametersOf(operation).map(({ schema }) => (schema?.type === 'integer' ? '7' : "'id'"))
  const body = operation.requestBody?.content['application/json']?.example
  const args = [...ids, ...(body === undefined ? [] : [JSON.stringify(body)])]
  return `await client.${group}.${name}(${args.join(', ')})`
}

/** Operations that the table names. */
const inTable = new Set(
  Object.values(groups).flatMap(({ methods }) => Object.values(methods).map(({ operation }) => operation)),
)

/** Client libraries of the standards call these, and the pages of the sign-in. */
const isOfStandards = ({ path }: Found): boolean => /^\/(?:oauth2|ofrep|scim)\//.test(path)

const isUnnamed = (operation: Found): boolean => !isOfStandards(operation) && isOpen(operation)

const isOpen = ({ operationId, verb }: Found): boolean =>
  !inTable.has(operationId) && !written.has(operationId) && verb !== 'head' && !operationId.endsWith('AtRoot')

/** The groups of the table, and with them the operations that it does not name. */
const completeGroups = (operations: Map<string, Found>): Record<string, Group> => {
  const complete = structuredClone(groups)
  for (const operation of [...operations.values()].filter(isUnnamed)) {
    const {
      operationId,
      tags: [tag = ''],
    } = operation
    const group = camelCase(tag)
    const name = nameOf(operation)
    const { methods } = (complete[group] ??= { about: `${tag}.`, methods: {} })
    if (name in methods) throw new Error(`${group}.${name} is taken: add ${operationId} to the table`)
    methods[name] = { operation: operationId, example: exampleOf(group, name, operation) }
  }
  return complete
}

/** All groups as fields of one object: a group within another follows its methods. */
const allGroups = (operations: Map<string, Found>, typeOf: TypeOf): string => {
  const complete = completeGroups(operations)
  const tops = [...new Set(Object.keys(complete).map((name) => name.split('.')[0] ?? ''))]
  const texts = tops.map((top) => {
    const own = complete[top]
    const inner = Object.entries(complete).filter(([name]) => name.startsWith(`${top}.`))
    const begin = own ? `${groupText(top, own, operations, typeOf)}\n` : `  ${top}: {\n`
    const rest = inner.map(([name, group]) => `${groupText(name, group, operations, typeOf)}    },\n`)
    return `${begin}${rest.join('\n')}  },\n`
  })
  return texts.join('\n')
}

/** The text of client/src/endpoints.ts, before it is formatted. */
export const endpointsFile = ({ paths }: ApiDocument, head: string, typeOf: TypeOf): string => {
  const found = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]): [string, Found] => [
      operation.operationId,
      { ...operation, verb, path },
    ]),
  )
  const body = allGroups(new Map(found), typeOf)
  const code = body.replaceAll(/^ *(?:\/\*\*|\*).*$/gm, '')
  const types = new Set(code.match(/\b[A-Z][A-Za-z]*[a-z][A-Za-z]*\b/g))
  for (const name of ['CallOptions', 'Assignment', 'KeyOfAccount', 'Array', 'WholeList']) types.delete(name)
  return `${head}
import { path, type Api, type Assignment, type KeyOfAccount, type WholeList } from './api.ts'
import type { ${[...types].toSorted().join(', ')} } from './schema.ts'
import type { CallOptions } from './send.ts'

/** The methods that are one request each, by group. */
export const endpointsOf = ({ ask, askPage, askCounted, askAll, askFile }: Api) => ({
${body}})
`
}
