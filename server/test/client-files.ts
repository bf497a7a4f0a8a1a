/**
 * Files of the SDK that are written from the service: `npm run docs` writes client/src/schema.ts, endpoints.ts,
 * error-codes.ts and formula.ts, and a test compares them. The SDK is published without the server, so it cannot import from there.
 */
import { permissions } from '../src/access/permissions.ts'
import { spreadsheetFormula } from '../src/values/text.ts'
import type { ApiDocument, Operation, Parameter, Schema } from './api-document.ts'
import { endpointsFile } from './client-endpoints.ts'

const written = '// Written by `npm run docs`; a test fails when it is stale.'

const bounded = (unit: string, min?: number, max?: number): string | undefined => {
  const most = max === Number.MAX_SAFE_INTEGER ? undefined : max
  if (min === undefined && most === undefined) return undefined
  if (most === undefined) return `${min} or more${unit}`
  return min === undefined ? `up to ${most}${unit}` : `${min} to ${most}${unit}`
}

const formats: Record<string, string> = {
  uuid: 'UUID',
  date: 'YYYY-MM-DD',
  'date-time': 'ISO 8601 with an offset',
}

const facts = (schema: Schema): string[] =>
  [
    bounded('', schema.minimum, schema.maximum),
    bounded(' characters', schema.minLength, schema.maxLength),
    bounded(' items', undefined, schema.maxItems),
    formats[schema.format ?? ''],
    schema.pattern && `\`${schema.pattern}\``,
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ].filter((fact) => typeof fact === 'string')

/** A doc comment with the description and the bounds of a schema, or nothing. */
const docOf = (schema: Schema, indent: string, about = schema.description): string => {
  const limits = facts(schema).join(', ')
  const sentences = [
    about?.replace(/\w$/, '$&.'),
    limits && `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`,
  ].filter(Boolean)
  return sentences.length === 0 ? '' : `${indent}/** ${sentences.join(' ').replaceAll('*/', '*\\/')} */\n`
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

const scalars: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

const unionOf = (schema: Schema): string | undefined => {
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, '')).join(' | ')
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  return schema.const === undefined ? undefined : literal(schema.const)
}

const objectOf = (schema: Schema, indent: string): string => {
  if (schema.properties) return `{\n${fieldsOf(schema, `${indent}  `)}${indent}}`
  if (schema.additionalProperties) return `Record<string, ${typeOf(schema.additionalProperties, indent)}>`
  throw new Error('an object of the API has neither fields nor a type of its values')
}

/** The TypeScript type of a schema. Throws on a keyword that the service has not used so far. */
const typeOf = (schema: Schema, indent: string): string => {
  if (schema.$ref) return schema.$ref.replace(/.*\//, '')
  const union = unionOf(schema)
  if (union !== undefined) return union
  if (schema.type === 'object') return objectOf(schema, indent)
  if (schema.type === 'array') return `Array<${typeOf(schema.items ?? {}, indent)}>`
  if (schema.type === undefined) return 'unknown'
  const scalar = scalars[schema.type]
  if (scalar === undefined) throw new Error(`no type is known for ${JSON.stringify(schema)}`)
  return scalar
}

const fieldsOf = ({ properties = {}, required = [] }: Schema, indent: string): string =>
  Object.entries(properties)
    .map(([name, field]) => {
      const mark = required.includes(name) ? '' : '?'
      const key = /^\w+$/.test(name) ? name : `'${name}'`
      return `${docOf(field, indent)}${indent}${key}${mark}: ${typeOf(field, indent)}\n`
    })
    .join('')

const declaration = ([name, schema]: [string, Schema]): string => {
  const union = unionOf(schema)
  return union === undefined
    ? `${docOf(schema, '')}export interface ${name} ${objectOf(schema, '')}\n`
    : `${docOf(schema, '')}export type ${name} = ${union}\n`
}

/** A query names each attribute of a filter, as `attribute.department`. */
const nameOfField = (name: string): string =>
  name === 'attribute.KEY' ? '[filter: `attribute.${string}`]' : `${name}?`

const queryField = ({ name, description, schema = {} }: Parameter): string =>
  `${docOf(schema, '  ', description)}  ${nameOfField(name)}: ${typeOf(schema, '  ')} | undefined\n`

/** `ListUsersQuery` of `listUsers`: an optional parameter may also be undefined, as in forms. */
const queryDeclaration = ({ operationId, parameters }: Operation): string[] => {
  const fields = parameters.filter((parameter) => parameter.in === 'query')
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`
  return fields.length === 0 ? [] : [`export interface ${name} {\n${fields.map(queryField).join('')}}\n`]
}

const permissionCodes = `/** A permission of the catalogue, as the \`permissions\` of a role hold it. */
export type PermissionCode =
${permissions.map(({ code }) => `  | '${code}'\n`).join('')}`

const schemaFile = ({ paths, components }: ApiDocument): string => {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  // The envelope of errors becomes an ApiError, and its name would hide that of the language.
  const named = Object.entries(components.schemas).filter(([name]) => name !== 'Error')
  return [written, ...named.map(declaration), ...operations.flatMap(queryDeclaration), permissionCodes].join(
    '\n',
  )
}

const errorCodesFile = (document: ApiDocument): string => {
  const rows = document['x-error-codes'].map(
    ({ name, code, meaning }) => `  /** ${meaning} */\n  ${name}: ${code},\n`,
  )
  return `${written}

/** Every error of the API by its name. Codes are public: none is ever renumbered. Its HTTP status is \`code / 100\`, whole. */
export const errorCodes = {
${rows.join('')}} as const

/** The name of an error of the API. */
export type ErrorName = keyof typeof errorCodes
`
}

const formulaFile = `${written}

/**
 * The beginning of a cell that a spreadsheet may run as a formula. Write such a cell into a CSV file with an apostrophe in
 * front, and take one away when you read it.
 */
export const spreadsheetFormula = ${String(spreadsheetFormula)}
`

/** The text of client/src/endpoints.ts. It needs every operation that the table of names has. */
export const clientEndpoints = (document: ApiDocument): string =>
  endpointsFile(document, written, (schema) => typeOf(schema, ''))

/** Each other generated file of the SDK, by its path in the repository, with the text it must have. */
export const clientFiles = (document: ApiDocument): Record<string, string> => ({
  'client/src/schema.ts': schemaFile(document),
  'client/src/error-codes.ts': errorCodesFile(document),
  'client/src/formula.ts': formulaFile,
})
