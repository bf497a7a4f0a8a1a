/** The closed subset of JSON Schema 2020-12 that declarations may use (docs/declared-settings.md, "Schemas"). */
import type { FieldError } from '../errors/app-error.ts'
import { formatNames } from './schema-formats.ts'
import { patternLengthMax, programOf, programSizeMax } from './schema-patterns.ts'

/** A schema of the subset. `true` accepts every value, `false` none. */
export type SettingSchema = boolean | SchemaObject

export interface SchemaObject {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, SettingSchema>
  required?: string[]
  additionalProperties?: SettingSchema
  items?: SettingSchema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  anyOf?: SettingSchema[]
  oneOf?: SettingSchema[]
  format?: string
}

const schemaBytesMax = 16_384
const depthMax = 16
/** The most items of a list with `uniqueItems`, because the validator compares items pairwise. */
const uniqueItemsMax = 200
const faultsMax = 20
/** The program size of all patterns of a schema together. */
const programsMax = 2 * programSizeMax

const typeNames = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']

interface Walk {
  faults: FieldError[]
  programs: number
}

interface Place {
  path: string
  depth: number
}

type Check = (value: unknown, place: Place, walk: Walk) => string | undefined

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

const count: Check = (value) => (isCount(value) ? undefined : 'must be a whole number from 0 on')
const number: Check = (value) => (Number.isFinite(value) ? undefined : 'must be a number')
const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a text')
const anything = () => undefined

const isListOf = (value: unknown, isItem: (item: unknown) => boolean, least: number): value is unknown[] =>
  Array.isArray(value) && value.length >= least && value.every(isItem)

const isText = (value: unknown): value is string => typeof value === 'string'

const namesOnce = (values: unknown[]): boolean => new Set(values).size === values.length

const isTypeName = (value: unknown): boolean => isText(value) && typeNames.includes(value)

const type: Check = (value) =>
  isTypeName(value) || (isListOf(value, isTypeName, 1) && namesOnce(value))
    ? undefined
    : `must be one of ${typeNames.join(', ')}, or a list of them`

const within = ({ path, depth }: Place, name: string): Place => ({
  path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  depth: depth + 1,
})

const subschema: Check = (value, place, walk) => {
  walkSchema(value, place, walk)
  return undefined
}

const subschemas: Check = (value, { path, depth }, walk) => {
  if (!Array.isArray(value) || value.length === 0) return 'must be a list of schemas'
  value.forEach((one, at) => walkSchema(one, { path: `${path}/${at}`, depth }, walk))
  return undefined
}

const properties: Check = (value, { path, depth }, walk) => {
  if (!isObject(value)) return 'must be an object of schemas'
  for (const [name, one] of Object.entries(value)) {
    walkSchema(one, { ...within({ path, depth }, name), depth }, walk)
  }
  return undefined
}

const pattern: Check = (value, _place, walk) => {
  if (!isText(value) || value.length > patternLengthMax) {
    return `must be a text of up to ${patternLengthMax} characters`
  }
  if (walk.programs <= programsMax) {
    const size = programOf(value)
    if (typeof size === 'string') return size
    walk.programs += size
  }
  return walk.programs > programsMax ? 'makes the patterns of this schema too large: repeat less' : undefined
}

const checks = new Map<string, Check>([
  ['type', type],
  ['enum', (value) => (Array.isArray(value) && value.length > 0 ? undefined : 'must be a list of values')],
  ['const', anything],
  ['properties', properties],
  [
    'required',
    (value) => (isListOf(value, isText, 0) && namesOnce(value) ? undefined : 'must be a list of names'),
  ],
  ['additionalProperties', subschema],
  ['items', subschema],
  ['minItems', count],
  ['maxItems', count],
  ['uniqueItems', (value) => (typeof value === 'boolean' ? undefined : 'must be true or false')],
  ['minLength', count],
  ['maxLength', count],
  ['pattern', pattern],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  ['anyOf', subschemas],
  ['oneOf', subschemas],
  [
    'format',
    (value) =>
      isText(value) && formatNames.includes(value) ? undefined : `must be one of ${formatNames.join(', ')}`,
  ],
  ['$schema', text],
  ['title', text],
  ['description', text],
  ['default', anything],
  ['examples', (value) => (Array.isArray(value) ? undefined : 'must be a list')],
])

const addFault = (walk: Walk, path: string, message: string): void => {
  if (walk.faults.length < faultsMax) walk.faults.push({ field: path, message })
}

const walkKeywords = (schema: Record<string, unknown>, place: Place, walk: Walk): void => {
  for (const [keyword, value] of Object.entries(schema)) {
    const inner = within(place, keyword)
    const check = checks.get(keyword)
    if (!check) addFault(walk, inner.path, `${keyword.slice(0, 64)} is no keyword of these schemas`)
    else {
      const fault = check(value, inner, walk)
      if (fault !== undefined) addFault(walk, inner.path, fault)
    }
    if (walk.faults.length >= faultsMax) return
  }
  const { maxItems, uniqueItems } = schema as SchemaObject
  if (uniqueItems === true && !(maxItems !== undefined && maxItems <= uniqueItemsMax)) {
    addFault(walk, `${place.path}/uniqueItems`, `needs maxItems of at most ${uniqueItemsMax}`)
  }
}

function walkSchema(schema: unknown, place: Place, walk: Walk): void {
  if (typeof schema === 'boolean' || walk.faults.length >= faultsMax) return
  if (!isObject(schema)) return addFault(walk, place.path, 'must be a schema')
  if (place.depth > depthMax) return addFault(walk, place.path, `is deeper than ${depthMax} schemas`)
  walkKeywords(schema, place, walk)
}

/** The faults of a declared schema by their paths. Empty for a schema of the subset. */
export const faultsOfSchema = (schema: unknown): FieldError[] => {
  const walk: Walk = { faults: [], programs: 0 }
  if (!isObject(schema)) return [{ field: 'schema', message: 'must be an object' }]
  if (Buffer.byteLength(JSON.stringify(schema)) > schemaBytesMax) {
    return [{ field: 'schema', message: 'must have at most 16 KiB as JSON' }]
  }
  walkSchema(schema, { path: 'schema', depth: 1 }, walk)
  return walk.faults
}

/** The keywords that the schema of a secret may use. */
const secretKeywords = ['type', 'minLength', 'maxLength', '$schema', 'title', 'description']

/** The fault of a secret's schema; undefined for a valid schema. */
export const faultOfSecretSchema = (schema: SchemaObject): string | undefined => {
  if (schema.type !== 'string') return 'must have the type string, for a secret'
  const other = Object.keys(schema).find((keyword) => !secretKeywords.includes(keyword))
  return other === undefined ? undefined : `may have minLength and maxLength only, for a secret: not ${other}`
}
