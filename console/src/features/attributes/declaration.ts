/** A declaration as its form holds it. */
import type { Attribute, PutAttribute } from '@tenantry/client'

export const types = ['string', 'number', 'integer', 'boolean', 'array'] as const
export type AttributeType = (typeof types)[number]

export const accesses = ['none', 'read', 'write'] as const
export type Access = (typeof accesses)[number]

/** A limit of the schema. An empty text is none. */
type Limit = number | ''

interface Limits {
  options: string[]
  minLength: Limit
  maxLength: Limit
  pattern: string
  minimum: Limit
  maximum: Limit
  maxItems: Limit
}

export interface Declaration extends Limits, Record<string, unknown> {
  key: string
  en: string
  zh: string
  description: string
  group: string
  type: AttributeType
  administrators: Access
  self: Access
  indexed: boolean
  sensitive: boolean
  claim: string
  scim: string
}

/** The limits that the form offers for each type. */
export const limitsOf: Record<AttributeType, (keyof Limits)[]> = {
  string: ['options', 'minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  array: ['options', 'maxItems'],
}

type Schema = Record<string, unknown> & { type?: string; enum?: unknown[]; items?: Schema }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const limitOf = (value: unknown): Limit => (typeof value === 'number' ? value : '')

/** A choice of other values than texts stays as it is. */
const optionsIn = ({ enum: options = [] }: Schema): string[] =>
  options.every((one) => typeof one === 'string') ? options : []

export const typeOf = (schema: unknown): AttributeType =>
  types.find((one) => one === (schema as Schema).type) ?? 'string'

const draftOf = (schema: Schema): Limits & { type: AttributeType } => ({
  type: typeOf(schema),
  options: optionsIn(schema.type === 'array' ? (schema.items ?? {}) : schema),
  minLength: limitOf(schema['minLength']),
  maxLength: limitOf(schema['maxLength']),
  pattern: textOf(schema['pattern']),
  minimum: limitOf(schema['minimum']),
  maximum: limitOf(schema['maximum']),
  maxItems: limitOf(schema['maxItems']),
})

const fresh: Omit<Attribute, 'subject'> = {
  key: '',
  schema: { type: 'string' },
  label: {},
  description: '',
  group: '',
  administrators: 'read',
  self: 'none',
  indexed: false,
  sensitive: false,
  claim: null,
  scim: null,
}

export const declarationOf = (attribute: Omit<Attribute, 'subject'> = fresh): Declaration => {
  const { schema, label, claim, scim, ...fields } = attribute
  const { en = '', zh = '' } = label
  return { ...draftOf(schema as Schema), ...fields, en, zh, claim: claim ?? '', scim: scim ?? '' }
}

const withOptions = ({ enum: before, ...schema }: Schema, options: string[]): Schema => {
  if (options.length > 0) return { ...schema, enum: options }
  return before && optionsIn({ enum: before }).length === 0 ? { ...schema, enum: before } : schema
}

/** The schema with the limits of the form. It keeps rules that the form does not offer. */
const schemaOf = (values: Declaration, before: Schema): Schema => {
  const { type, options } = values
  const offered = limitsOf[type].filter((name) => name !== 'options')
  const kept = Object.fromEntries(
    Object.entries(before).filter(([name]) => !(offered as string[]).includes(name)),
  )
  const limits = Object.fromEntries(
    offered.flatMap((name) => (values[name] === '' ? [] : [[name, values[name]]])),
  )
  const schema: Schema = { ...kept, type, ...limits }
  if (type === 'array') return { ...schema, items: withOptions({ ...schema.items, type: 'string' }, options) }
  return type === 'string' ? withOptions(schema, options) : schema
}

/** The rules of a schema that the form does not offer. */
export const otherRulesIn = (schema: unknown): object => {
  const type = typeOf(schema)
  const offered = new Set<string>([
    ...limitsOf[type],
    'type',
    'items',
    ...(optionsIn(schema as Schema).length > 0 ? ['enum'] : []),
  ])
  return Object.fromEntries(Object.entries(schema as Schema).filter(([name]) => !offered.has(name)))
}

const namedOrNull = (text: string): string | null => text.trim() || null

export const putOf = (values: Declaration, before: Attribute | undefined): PutAttribute => ({
  schema: schemaOf(values, (before?.schema ?? {}) as Schema),
  label: {
    ...(values.en.trim() !== '' && { en: values.en.trim() }),
    ...(values.zh.trim() !== '' && { zh: values.zh.trim() }),
  },
  description: values.description.trim(),
  group: values.group.trim(),
  administrators: values.administrators,
  self: values.self,
  indexed: values.indexed,
  sensitive: values.sensitive,
  claim: namedOrNull(values.claim),
  scim: namedOrNull(values.scim),
})
