/**
 * Validates values by declared schemas. Ajv counts no steps, so a permitted schema can keep it busy for minutes
 * (decision 0281). Messages name the rule, never the value.
 */
import type { FieldError } from '../errors/app-error.ts'
import { hasFormat } from './schema-formats.ts'
import { occursIn, stepsOf } from './schema-patterns.ts'
import { isObject, type SchemaObject, type SettingSchema } from './schema-subset.ts'

/**
 * Applying a schema to one part of a value is a step (docs/declared-settings.md, "Schemas"). A step takes up to 0.2 µs.
 */
export const stepsMax = 200_000
const faultsMax = 20

class TooMuchWork extends Error {}

interface Run {
  steps: number
  /** The path from the root to the present value: names and indices. */
  place: (string | number)[]
  /** The values of each `enum` that this run has met. A search of the list compares texts of one length in full. */
  enums: Map<unknown[], Set<unknown>>
  /** Undefined where faults are not reported, such as within alternatives. */
  faults: FieldError[] | undefined
}

const spend = (run: Run, steps: number): void => {
  run.steps += steps
  if (run.steps > stepsMax) throw new TooMuchWork()
}

/** The steps of `count` operations. Eight operations take as long as one step. */
const share = (count: number): number => Math.ceil(count / 8)

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const listed = (values: unknown[]): string => {
  const text = values.map((one) => JSON.stringify(one)).join(', ')
  return text.length > 200 ? 'the values that are declared' : text
}

/** Messages are functions: a schema can list thousands of values, and only a fault needs the text. */
const words = {
  never: () => 'is not allowed here',
  required: () => 'is required',
  type: ({ type }: SchemaObject) => `must be of the type ${[type].flat().join(' or ')}`,
  const: (schema: SchemaObject) => `must be ${listed([schema.const])}`,
  enum: (schema: SchemaObject) => `must be one of ${listed(schema.enum ?? [])}`,
  minimum: ({ minimum }: SchemaObject) => `must be at least ${minimum}`,
  maximum: ({ maximum }: SchemaObject) => `must be at most ${maximum}`,
  exclusiveMinimum: (schema: SchemaObject) => `must be more than ${schema.exclusiveMinimum}`,
  exclusiveMaximum: (schema: SchemaObject) => `must be less than ${schema.exclusiveMaximum}`,
  minLength: ({ minLength }: SchemaObject) => `must have at least ${minLength} characters`,
  maxLength: ({ maxLength }: SchemaObject) => `must have at most ${maxLength} characters`,
  pattern: ({ pattern }: SchemaObject) => `must fit the pattern ${pattern}`,
  format: ({ format }: SchemaObject) => `must be a valid ${format}`,
  minItems: ({ minItems }: SchemaObject) => `must have at least ${minItems} items`,
  maxItems: ({ maxItems }: SchemaObject) => `must have at most ${maxItems} items`,
  uniqueItems: () => 'must not have an item twice',
  anyOf: () => 'must fit one of the declared alternatives',
  oneOf: () => 'must fit exactly one of the declared alternatives',
}

const pointerTo = (place: Run['place']): string =>
  [
    'value',
    ...place.map((name) => String(name).slice(0, 128).replaceAll('~', '~0').replaceAll('/', '~1')),
  ].join('/')

/** Returns `holds`. If it is false, adds a fault of the present value. */
const must = (run: Run, holds: boolean, rule: keyof typeof words, schema: SchemaObject): boolean => {
  if (!holds && run.faults && run.faults.length < faultsMax) {
    run.faults.push({ field: pointerTo(run.place), message: words[rule](schema) })
  }
  return holds
}

const hasType = (value: unknown, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type

const hasOneType = (value: unknown, types: string | string[]): boolean =>
  typeof types === 'string' ? hasType(value, types) : types.some((type) => hasType(value, type))

/** Compares JSON values. The steps grow with the size of lists and objects. */
const isSame = (run: Run, one: unknown, other: unknown): boolean => {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one === other
  const names = Object.keys(one)
  const size = Object.keys(other).length
  spend(run, 1 + share(2 * (names.length + size)))
  return (
    names.length === size &&
    Array.isArray(one) === Array.isArray(other) &&
    names.every((name) => Object.hasOwn(other, name) && isSame(run, one[name as never], other[name as never]))
  )
}

const setOf = (run: Run, values: unknown[]): Set<unknown> => {
  const known = run.enums.get(values)
  if (known) return known
  spend(run, values.length)
  const made = new Set(values)
  run.enums.set(values, made)
  return made
}

const isAmong = (run: Run, values: unknown[], value: unknown): boolean => {
  if (!isObject(value) && !Array.isArray(value)) return setOf(run, values).has(value)
  // 64 comparisons with simple values take as long as one step.
  spend(run, share(values.length / 8))
  return values.some((one) => isSame(run, one, value))
}

const checkAny = (schema: SchemaObject, value: unknown, run: Run): boolean => {
  const { type, enum: values } = schema
  if (type !== undefined && !must(run, hasOneType(value, type), 'type', schema)) return false
  const isConst = !Object.hasOwn(schema, 'const') || isSame(run, schema.const, value)
  const isFine = must(run, isConst, 'const', schema)
  return must(run, !values || isAmong(run, values, value), 'enum', schema) && isFine
}

const checkNumber = (schema: SchemaObject, value: number, run: Run): boolean => {
  const { minimum = -Infinity, maximum = Infinity } = schema
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema
  return [
    must(run, value >= minimum, 'minimum', schema),
    must(run, value <= maximum, 'maximum', schema),
    must(run, value > exclusiveMinimum, 'exclusiveMinimum', schema),
    must(run, value < exclusiveMaximum, 'exclusiveMaximum', schema),
  ].every(Boolean)
}

/** JSON Schema counts code points, not UTF-16 units. */
const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

const checkLength = (schema: SchemaObject, value: string, run: Run): boolean => {
  const { minLength = 0, maxLength = Infinity } = schema
  if (minLength === 0 && maxLength === Infinity) return true
  spend(run, share(value.length))
  const length = lengthOf(value)
  const isFine = must(run, length >= minLength, 'minLength', schema)
  return must(run, length <= maxLength, 'maxLength', schema) && isFine
}

const checkPattern = (schema: SchemaObject, value: string, run: Run): boolean => {
  const { pattern } = schema
  if (pattern === undefined) return true
  spend(run, stepsOf(pattern, value))
  return must(run, occursIn(pattern, value), 'pattern', schema)
}

const checkFormat = (schema: SchemaObject, value: string, run: Run): boolean => {
  const { format } = schema
  if (format === undefined) return true
  spend(run, share(3 * Math.min(value.length, 2048)))
  return must(run, hasFormat(format, value), 'format', schema)
}

const checkText = (schema: SchemaObject, value: string, run: Run): boolean =>
  [checkLength, checkPattern, checkFormat].map((check) => check(schema, value, run)).every(Boolean)

/** A list has at most 200 items here, because a declaration with `uniqueItems` requires `maxItems`. */
const hasTwice = (values: unknown[], run: Run): boolean => {
  spend(run, values.length)
  if (new Set(values).size < values.length) return true
  const nested = values.filter((one) => isObject(one) || Array.isArray(one))
  return nested.some((one, at) => nested.slice(0, at).some((other) => isSame(run, other, one)))
}

/** Validates the member or item `name` of the present value. */
const visitPart = (schema: SettingSchema, value: unknown, name: string | number, run: Run): boolean => {
  run.place.push(name)
  const isFine = visit(schema, value, run)
  run.place.pop()
  return isFine
}

const checkItems = ({ items }: SchemaObject, value: unknown[], run: Run): boolean => {
  if (items === undefined) return true
  let isFine = true
  for (const [at, one] of value.entries()) isFine = visitPart(items, one, at, run) && isFine
  return isFine
}

const checkList = (schema: SchemaObject, value: unknown[], run: Run): boolean => {
  const { minItems = 0, maxItems = Infinity, uniqueItems } = schema
  const isLong = must(run, value.length >= minItems, 'minItems', schema)
  if (!must(run, value.length <= maxItems, 'maxItems', schema) || !isLong) return false
  const isOnce = !uniqueItems || !hasTwice(value, run)
  return must(run, isOnce, 'uniqueItems', schema) && checkItems(schema, value, run)
}

const ownSchema = (properties: SchemaObject['properties'], name: string): SettingSchema | undefined =>
  properties && Object.hasOwn(properties, name) ? properties[name] : undefined

const checkRequired = (schema: SchemaObject, value: Record<string, unknown>, run: Run): boolean => {
  const { required = [] } = schema
  // A name that is missing costs twice as much as one that is there.
  spend(run, share(2 * required.length))
  let isFine = true
  for (const name of required) {
    if (Object.hasOwn(value, name)) continue
    run.place.push(name)
    isFine = must(run, false, 'required', schema)
    run.place.pop()
  }
  return isFine
}

const checkFields = (schema: SchemaObject, value: Record<string, unknown>, run: Run): boolean => {
  const { properties, additionalProperties = true } = schema
  if (!properties && additionalProperties === true) return true
  let isFine = true
  for (const [name, one] of Object.entries(value)) {
    isFine = visitPart(ownSchema(properties, name) ?? additionalProperties, one, name, run) && isFine
  }
  return isFine
}

const checkObject = (schema: SchemaObject, value: Record<string, unknown>, run: Run): boolean =>
  [checkRequired, checkFields].map((check) => check(schema, value, run)).every(Boolean)

const checkByType = (schema: SchemaObject, value: unknown, run: Run): boolean => {
  if (typeof value === 'number') return checkNumber(schema, value, run)
  if (typeof value === 'string') return checkText(schema, value, run)
  if (Array.isArray(value)) return checkList(schema, value, run)
  return isObject(value) ? checkObject(schema, value, run) : true
}

/** Counts matching alternatives, and stops at `most`. Reports no faults of alternatives. */
const countFitting = (schemas: SettingSchema[], value: unknown, run: Run, most: number): number => {
  const { faults } = run
  run.faults = undefined
  let fitting = 0
  for (const one of schemas) {
    if (visit(one, value, run)) fitting += 1
    if (fitting === most) break
  }
  run.faults = faults
  return fitting
}

const checkAlternatives = (schema: SchemaObject, value: unknown, run: Run): boolean => {
  const { anyOf, oneOf } = schema
  const isFine = must(run, !anyOf || countFitting(anyOf, value, run, 1) === 1, 'anyOf', schema)
  return must(run, !oneOf || countFitting(oneOf, value, run, 2) === 1, 'oneOf', schema) && isFine
}

function visit(schema: SettingSchema, value: unknown, run: Run): boolean {
  spend(run, 1)
  if (typeof schema === 'boolean') return must(run, schema, 'never', {})
  if (!checkAny(schema, value, run)) return false
  const isFine = checkByType(schema, value, run)
  return checkAlternatives(schema, value, run) && isFine
}

const attempt = (schema: SettingSchema, value: unknown, faults?: FieldError[]): boolean => {
  try {
    return visit(schema, value, { steps: 0, place: [], enums: new Map(), faults })
  } catch (err) {
    if (!(err instanceof TooMuchWork)) throw err
    faults?.splice(0, faultsMax, {
      field: 'value',
      message: `takes more than ${stepsMax} steps to validate`,
    })
    return false
  }
}

/** True if the schema accepts the value. */
export const isValid = (schema: SettingSchema, value: unknown): boolean => attempt(schema, value)

/** At most 20 faults of a value, with their paths below `value`. Empty for a valid value. */
export const faultsOf = (schema: SettingSchema, value: unknown): FieldError[] => {
  const faults: FieldError[] = []
  attempt(schema, value, faults)
  return faults
}
