import {
  Ajv2020,
  type ErrorObject,
  type FuncKeywordDefinition,
  type ValidateFunction,
} from 'ajv/dist/2020.js'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import type { FieldError } from '../errors/app-error.ts'
import { formats } from '../values/formats.ts'
import type { CheckedItem } from './schemas.ts'

/** The most faults in an answer, which suffice to correct a form. A body can have a million. */
const shownErrorsMax = 20

const options = {
  coerceTypes: false,
  useDefaults: true,
  verbose: true,
  strict: true,
  // Removes fields outside the schema, so that no service can read them.
  removeAdditional: 'all',
} as const

// Trims names before their length is checked (docs/contract.md, "Requests and responses"). This changes the input.
const trim: FuncKeywordDefinition = {
  keyword: 'x-trim',
  type: 'string',
  modifying: true,
  before: 'maxLength',
  errors: false,
  validate: (
    _trims: true,
    text: string,
    _schema: unknown,
    place?: { parentData: Record<string, unknown>; parentDataProperty: string | number },
  ) => {
    if (place) place.parentData[place.parentDataProperty] = text.trim()
    return true
  },
}

const createAjv = (allErrors: boolean): Ajv2020 =>
  new Ajv2020({ ...options, formats, allErrors }).addKeyword(trim)

const allFaults = createAjv(true)
/** Stops at the first fault of a list. All faults of a megabyte of items would take a gigabyte. */
const firstFault = createAjv(false)

/** Compiles a schema when a request first needs it: compiling all of them would delay the start. */
const compileLate = (compile: () => ValidateFunction): (() => ValidateFunction) => {
  let validate: ValidateFunction | undefined
  return () => (validate ??= compile())
}

const hasList = (schema: TSchema): boolean => JSON.stringify(schema).includes('"type":"array"')

const integer = /^-?(?:0|[1-9]\d{0,15})$/
const booleans = new Map([
  ['true', true],
  ['false', false],
])

/** Paths and queries are text. Reads integers and booleans from their usual spelling. */
const readText = (
  schema: { properties?: Record<string, { type?: string }> },
  values: Record<string, unknown>,
): void => {
  for (const [name, { type }] of Object.entries(schema.properties ?? {})) {
    const value = values[name]
    if (typeof value !== 'string') continue
    if (type === 'integer' && integer.test(value)) values[name] = Number(value)
    if (type === 'boolean') values[name] = booleans.get(value) ?? value
  }
}

/** Fastify's validator: one JSON Schema dialect, no coercion in bodies, all faults reported. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = compileLate(() => (hasList(schema) ? firstFault : allFaults).compile(schema))
  return (given: unknown) => {
    const validate = compiled()
    // Other hooks read further headers, so unknown headers are removed only from a copy.
    const values = httpPart === 'headers' ? { ...(given as object) } : given
    if (httpPart !== 'body') readText(schema, values as Record<string, unknown>)
    if (validate(values)) return { value: values }
    return { error: new InvalidInput((validate.errors ?? []).slice(0, shownErrorsMax).map(toFieldError)) }
  }
}

/** A check of one item. It may change the item. */
export const compileItemCheck = <T>(schema: TSchema): ((given: unknown) => CheckedItem<T>) => {
  const compiled = compileLate(() => firstFault.compile(schema))
  return (given) => {
    const validate = compiled()
    if (validate(given)) return { item: given as T }
    const [fault = { field: 'body', message: 'is invalid' }] = (validate.errors ?? []).map(toFieldError)
    return { fault }
  }
}

/**
 * A validator for a route whose body has a list in the field `name`. Checks each item separately, and turns it into a
 * `CheckedItem`, so that a faulty item does not refuse the others. As JSON it is the item as it was sent.
 */
export const checkEachOf =
  (name: string): FastifySchemaCompiler<TSchema> =>
  (route) => {
    if (route.httpPart !== 'body') return compileValidator(route)
    const { properties = {} } = route.schema as { properties?: Record<string, { items?: TSchema }> }
    const list = properties[name] ?? {}
    const check = compileItemCheck(list.items ?? {})
    const validate = compileValidator({
      ...route,
      schema: { ...route.schema, properties: { ...properties, [name]: { ...list, items: {} } } },
    })
    return (given: unknown) => {
      const outcome = validate(given) as { value?: Record<string, unknown[]>; error?: InvalidInput }
      if (!outcome.value) return outcome
      const items = (outcome.value[name] ?? []).map((item) => ({ ...check(item), toJSON: () => item }))
      return { value: { ...outcome.value, [name]: items } }
    }
  }

/** The faults that the validator found. The error handler answers 400. */
export class InvalidInput extends Error {
  readonly fields: FieldError[]

  constructor(fields: FieldError[]) {
    super('invalid input')
    this.fields = fields
  }
}

type Describe = (error: ErrorObject) => string

const formatNames = new Map([
  ['email', 'e-mail address'],
  ['name', 'name: one line, without signs of direction and characters that nobody sees'],
  ['date-time', 'date and time of the years 1 to 9999 (UTC), such as 2026-01-31T09:30:00Z'],
])

const messages: Record<string, Describe> = {
  required: () => 'is required',
  type: ({ params }) => `must be ${/^[aio]/.test(String(params['type'])) ? 'an' : 'a'} ${params['type']}`,
  format: ({ params }) =>
    `must be a valid ${formatNames.get(String(params['format'])) ?? String(params['format'])}`,
  minLength: ({ params }) =>
    params['limit'] === 1 ? 'must not be blank' : `must have at least ${params['limit']} characters`,
  maxLength: ({ params }) => `must have at most ${params['limit']} characters`,
  minimum: ({ params }) => `must be at least ${params['limit']}`,
  maximum: ({ params }) => `must be at most ${params['limit']}`,
  minItems: ({ params }) =>
    `must have at least ${params['limit']} ${params['limit'] === 1 ? 'item' : 'items'}`,
  maxItems: ({ params }) => `must have at most ${params['limit']} items`,
  enum: ({ params }) => `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`,
  pattern: ({ parentSchema }) =>
    `must be made of the characters allowed: ${String(parentSchema?.['description'] ?? parentSchema?.['pattern'])}`,
}

const toFieldError = (error: ErrorObject): FieldError => {
  const path = error.instancePath.slice(1).replaceAll('/', '.')
  const missing = error.keyword === 'required' ? String(error.params['missingProperty']) : ''
  const field = [path, missing].filter(Boolean).join('.') || 'body'
  return { field, message: messages[error.keyword]?.(error) ?? error.message ?? 'is invalid' }
}
