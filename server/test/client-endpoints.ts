/** Writes the methods of the SDK, client/src/endpoints.ts, from the API description and the tables of exceptions. */
import type { ApiDocument, Operation, Schema } from './api-document.ts'
import { abouts, groupsOfNouns, methodNames, methods, type Method } from './client-methods.ts'

/** An operation with its place. */
interface Found extends Operation {
  verb: string
  path: string
}

/** A method with its whole name, such as `settings.global.put`. */
interface Named {
  name: string
  operation: Found
  method: Method
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

/** The errors of a method, by status: its own, and those about its input or its permission. */
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

const literal = (value: unknown): string => {
  if (typeof value === 'string') return `'${value.replaceAll("'", String.raw`\'`)}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(
    ([key, field]) => `${/^\w+$/.test(key) ? key : `'${key}'`}: ${literal(field)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

const exampleLength = 90

/** The literal of a body, with a field on each line where it is long. */
const bodyLiteral = (body: object): string => {
  const line = literal(body)
  if (line.length < exampleLength) return line
  const fields = Object.entries(body).map(([key, field]) => `  ${key}: ${literal(field)},\n`)
  return `{\n${fields.join('')}}`
}

const bodyExampleOf = ({ requestBody }: Found): object | undefined =>
  requestBody?.content['application/json']?.example as object | undefined

/** The body is one value of any type, which the method takes itself. */
const isValued = (operation: Found): boolean => Object.keys(bodyExampleOf(operation) ?? {}).join() === 'value'

const argumentsOf = (operation: Found): string[] => {
  const body = bodyExampleOf(operation)
  const own = pathParametersOf(operation).map(({ example }) => literal(example))
  if (body === undefined) return own
  return [...own, ...(isValued(operation) ? Object.values(body).map(literal) : [bodyLiteral(body)])]
}

const exampleOf = ({ name, operation }: Named, typeOf: TypeOf): string => {
  const call = `await client.${name}(${argumentsOf(operation).join(', ')})`
  const { data } = dataOf(operation)
  if (isPage(data)) return `console.log((${call}).items)`
  return typeOf(data) === 'null' ? call : `console.log(${call})`
}

const docOf = (named: Named, indent: string, typeOf: TypeOf): string => {
  const {
    operation,
    method: { example = exampleOf(named, typeOf), note },
  } = named
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

const bodyParameterOf = (operation: Found): string[] => {
  const body = bodyOf(operation)
  return body ? [`body: ${body.type}${body.isOptional ? ' = {}' : ''}`] : []
}

const parametersOf = (operation: Found, { params }: Method): string[] => {
  const query = queryOf(operation)
  const own = params ?? [
    ...pathParametersOf(operation).map(
      ({ name, schema }) => `${name}: ${schema?.type === 'integer' ? 'number' : 'string'}`,
    ),
    ...(isValued(operation) ? ['value: unknown'] : bodyParameterOf(operation)),
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
  if (isValued(operation)) return ['body: { value }']
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

const lastWord = (name: string): string => name.split('.').at(-1) ?? ''

const groupOf = (name: string): string => name.split('.').slice(0, -1).join('.')

const methodText = (named: Named, indent: string, typeOf: TypeOf): string => {
  const { name, operation, method } = named
  const code = indented(methodOf(lastWord(name), operation, method, typeOf), indent)
  const loop = indented(loopOf(operation, method, typeOf), indent)
  const both = `${docOf(named, indent, typeOf)}${code}`
  return loop === '' ? both : `${both}\n${loopDoc(operation, method, indent)}${loop}`
}

const groupText = (name: string, { about, methods: own }: Group, typeOf: TypeOf): string => {
  const indent = '  '.repeat(name.split('.').length + 1)
  const outer = indent.slice(2)
  const texts = own.map((one) => methodText(one, indent, typeOf))
  return `${comment(wrap(about, outer), outer)}${outer}${lastWord(name)}: {\n${texts.join('\n')}`
}

/** Operations whose methods open or hear a session: client/src/sign-in.ts and events.ts have them. */
const written = new Set([
  'register',
  'login',
  'loginWithFactor',
  'loginWithPasskey',
  'loginWithEmailCode',
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

/** `createKey` becomes `serviceAccounts.keys.create`, and `listUserDevices` of the tag `users` becomes `users.devices`. */
const namesOf = ({ operationId, tags: [tag = ''] }: Found): string[] => {
  const [, verb, noun = ''] = /^([a-z]+)(\w+?)s?$/.exec(operationId) ?? []
  const group = groupsOfNouns[noun]
  if (methodNames[operationId] || group) return methodNames[operationId] ?? [`${group}.${verb}`]
  const own = camelCase(` ${tag.replace(/s$/, '')}`)
  const short = operationId
    .replace(new RegExp(`${own}(?:s(?![a-z]))?`), '')
    .replace('Own', '')
    .replace(/^(?:list|get)(?=[A-Z])/, '')
  return [`${camelCase(tag)}.${short.charAt(0).toLowerCase()}${short.slice(1)}`]
}

/** Client libraries of the standards call these, and the pages of the sign-in. */
const isOfStandards = ({ path }: Found): boolean => /^\/(?:oauth2|ofrep|scim)\//.test(path)

const hasMethod = (operation: Found): boolean => {
  const { operationId, verb } = operation
  const isCopy = verb === 'head' || operationId.endsWith('AtRoot')
  return !isCopy && !isOfStandards(operation) && !written.has(operationId)
}

interface Group {
  about: string
  methods: Named[]
}

/** Throws where two operations have one name, or a group has no description. */
const groupsOf = ({ tags }: ApiDocument, operations: Found[]): Map<string, Group> => {
  const named = operations
    .filter(hasMethod)
    .flatMap((operation) =>
      namesOf(operation).map((name) => ({ name, operation, method: methods[name] ?? {} })),
    )
  const all = named.map(({ name }) => name)
  const twice = all.find((name, index) => all.indexOf(name) !== index)
  const unused = Object.keys(methods).find((name) => !all.includes(name))
  if (twice ?? unused) throw new Error(`${twice ?? unused} is the name of ${twice ? 'two methods' : 'none'}`)
  const ofTags = Object.fromEntries(tags.map((tag) => [camelCase(tag.name), tag.description]))
  const entries = [...Map.groupBy(named, ({ name }) => groupOf(name))]
  return new Map(
    entries.map(([name, own]) => {
      const about = abouts[name] ?? ofTags[name]
      if (about === undefined) throw new Error(`the group ${name} has no description`)
      return [name, { about, methods: own }]
    }),
  )
}

/** All groups as fields of one object: a group within another follows its methods. */
const allGroups = (all: Map<string, Group>, typeOf: TypeOf): string => {
  const tops = [...new Set([...all.keys()].map((name) => name.split('.')[0] ?? ''))]
  const texts = tops.map((top) => {
    const own = all.get(top)
    const inner = [...all].filter(([name]) => name.startsWith(`${top}.`))
    const begin = own ? `${groupText(top, own, typeOf)}\n` : `  ${top}: {\n`
    const rest = inner.map(([name, group]) => `${groupText(name, group, typeOf)}    },\n`)
    return `${begin}${rest.join('\n')}  },\n`
  })
  return texts.join('\n')
}

/** The text of client/src/endpoints.ts, before it is formatted. */
export const endpointsFile = (document: ApiDocument, head: string, typeOf: TypeOf): string => {
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]): Found => ({ ...operation, verb, path })),
  )
  const body = allGroups(groupsOf(document, operations), typeOf)
  const code = body.replaceAll(/^ *(?:\/\*\*|\*).*$/gm, '')
  const types = new Set(code.match(/\b[A-Z][A-Za-z]*[a-z][A-Za-z]*\b/g))
  for (const name of ['CallOptions', 'Assignment', 'KeyOfAccount', 'Array', 'Record', 'WholeList']) {
    types.delete(name)
  }
  return `${head}
import { path, type Api, type Assignment, type KeyOfAccount, type WholeList } from './api.ts'
import type { ${[...types].toSorted().join(', ')} } from './schema.ts'
import type { CallOptions } from './send.ts'

/** The methods that are one request each, by group. */
export const endpointsOf = ({ ask, askPage, askCounted, askAll, askFile }: Api) => ({
${body}})
`
}
