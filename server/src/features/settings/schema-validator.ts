/**
 * Validates values by declared schemas. Ajv does the same and counts no steps: a schema within the limits can take it
 * minutes (decision 0281). Messages name the rule, never the value.
 */
import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../../errors.ts'
import { hasFormat } from './schema-formats.ts'
import { occursIn, stepsOf } from './schema-patterns.ts'
import { isObject, type SchemaObject, type SettingSchema } from './schema-subset.ts'

/** A schema at a place of the value is one step (docs/declared-settings.md, "Schemas"). */
export const stepsMax = 200_000
const faultsMax = 20

class TooMuchWork extends Error {}

interface Run {
  steps: number
  /** Undefined within alternatives, whose faults are not shown. */
  faults: FieldError[] | undefined
}

const spend = (run: Run, steps: number): void => {
  run.steps += steps
  if (run.steps > stepsMax) throw new TooMuchWork()
}

/** Work that grows with the value, in steps. */
const share = (length: number): number => Math.ceil(length / 64)

/** Returns whether the rule holds, and notes the fault where it does not. */
const must = (run: Run, holds: boolean, path: string, message: string): boolean => {
  if (!holds && run.faults && run.faults.length < faultsMax) run.faults.push({ field: path, message })
  return holds
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const hasType = (value: unknown, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type

/** Compares the sizes first, so that a comparison costs at most as much as the smaller side. */
const isSame = (declared: unknown, value: unknown): boolean => {
  if (typeOf(declared) !== typeOf(value)) return false
  if (Array.isArray(declared)) {
    return (
      declared.length === (value as unknown[]).length &&
      declared.every((one, at) => isSame(one, (value as unknown[])[at]))
    )
  }
  if (!isObject(declared)) return declared === value
  const names = Object.keys(declared)
  const other = value as Record<string, unknown>
  return (
    Object.keys(other).length === names.length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(declared[name], other[name]))
  )
}

const listed = (values: unknown[]): string => {
  const text = values.map((one) => JSON.stringify(one)).join(', ')
  return text.length > 200 ? 'the values that are declared' : text
}

const sizeOf = (value: unknown): number => (isObject(value) ? Object.keys(value).length : 1)

const checkAny = (schema: SchemaObject, value: unknown, path: string, run: Run): boolean => {
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length > 0) {
    const fits = types.some((type) => hasType(value, type))
    if (!must(run, fits, path, `must be of the type ${types.join(' or ')}`)) return false
  }
  let isFine = true
  if (Object.hasOwn(schema, 'const')) {
    spend(run, share(sizeOf(value)))
    isFine = must(run, isSame(schema.const, value), path, `must be ${listed([schema.const])}`)
  }
  if (schema.enum) {
    spend(run, share(schema.enum.length * sizeOf(value)))
    const fits = schema.enum.some((one) => isSame(one, value))
    isFine = must(run, fits, path, `must be one of ${listed(schema.enum)}`) && isFine
  }
  return isFine
}

/** A bound of a schema: whether it holds, and its rule in words. */
type Bound = [limit: number | undefined, holds: (limit: number) => boolean, rule: (limit: number) => string]

/** Checks the bounds that a schema has. */
const within = (run: Run, path: string, bounds: Bound[]): boolean =>
  bounds
    .map(([limit, holds, rule]) => limit === undefined || must(run, holds(limit), path, rule(limit)))
    .every(Boolean)

const checkNumber = (schema: SchemaObject, value: number, path: string, run: Run): boolean =>
  within(run, path, [
    [schema.minimum, (limit) => value >= limit, (limit) => `must be at least ${limit}`],
    [schema.maximum, (limit) => value <= limit, (limit) => `must be at most ${limit}`],
    [schema.exclusiveMinimum, (limit) => value > limit, (limit) => `must be more than ${limit}`],
    [schema.exclusiveMaximum, (limit) => value < limit, (limit) => `must be less than ${limit}`],
  ])

/** Characters are code points. */
const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

const checkLength = (schema: SchemaObject, value: string, path: string, run: Run): boolean => {
  const { minLength, maxLength } = schema
  if (minLength === undefined && maxLength === undefined) return true
  spend(run, share(value.length))
  const length = lengthOf(value)
  return within(run, path, [
    [minLength, (limit) => length >= limit, (limit) => `must have at least ${limit} characters`],
    [maxLength, (limit) => length <= limit, (limit) => `must have at most ${limit} characters`],
  ])
}

const checkPattern = ({ pattern }: SchemaObject, value: string, path: string, run: Run): boolean => {
  if (pattern === undefined) return true
  spend(run, stepsOf(pattern, value))
  return must(run, occursIn(pattern, value), path, `must fit the pattern ${pattern}`)
}

const checkFormat = ({ format }: SchemaObject, value: string, path: string, run: Run): boolean => {
  if (format === undefined) return true
  spend(run, share(Math.min(value.length, 2048)))
  return must(run, hasFormat(format, value), path, `must be a valid ${format}`)
}

const checkText = (schema: SchemaObject, value: string, path: string, run: Run): boolean =>
  [checkLength, checkPattern, checkFormat].map((check) => check(schema, value, path, run)).every(Boolean)

/** Lists of up to 200 items, by declaration: others fail by maxItems. */
const hasTwice = (values: unknown[], run: Run): boolean => {
  spend(run, values.length)
  const texts = new Set<string>()
  const nested: unknown[] = []
  for (const one of values) {
    if (typeof one === 'object' && one !== null) {
      spend(run, nested.length)
      if (nested.some((other) => isDeepStrictEqual(other, one))) return true
      nested.push(one)
    } else {
      const text = JSON.stringify(one)
      if (texts.has(text)) return true
      texts.add(text)
    }
  }
  return false
}

const checkList = (schema: SchemaObject, value: unknown[], path: string, run: Run): boolean => {
  const { items, minItems, maxItems, uniqueItems } = schema
  const { length } = value
  const isFine = within(run, path, [
    [minItems, (limit) => length >= limit, (limit) => `must have at least ${limit} items`],
    [maxItems, (limit) => length <= limit, (limit) => `must have at most ${limit} items`],
  ])
  if (!isFine) return false
  const isSound = !uniqueItems || must(run, !hasTwice(value, run), path, 'must not have an item twice')
  if (!isSound || items === undefined) return isSound
  let fits = true
  for (const [at, one] of value.entries()) fits = visit(items, one, `${path}/${at}`, run) && fits
  return fits
}

/** A place below a value, as a part of a JSON pointer. */
const pointerTo = (path: string, name: string): string =>
  `${path}/${name.slice(0, 128).replaceAll('~', '~0').replaceAll('/', '~1')}`

const ownSchema = (properties: SchemaObject['properties'], name: string): SettingSchema | undefined =>
  properties && Object.hasOwn(properties, name) ? properties[name] : undefined

const checkRequired = (
  { required = [] }: SchemaObject,
  value: Record<string, unknown>,
  path: string,
  run: Run,
): boolean => {
  spend(run, share(required.length))
  let isFine = true
  for (const name of required) {
    isFine = must(run, Object.hasOwn(value, name), pointerTo(path, name), 'is required') && isFine
  }
  return isFine
}

const checkFields = (
  { properties, additionalProperties = true }: SchemaObject,
  value: Record<string, unknown>,
  path: string,
  run: Run,
): boolean => {
  if (!properties && additionalProperties === true) return true
  let isFine = true
  for (const [name, one] of Object.entries(value)) {
    const schema = ownSchema(properties, name) ?? additionalProperties
    isFine = visit(schema, one, pointerTo(path, name), run) && isFine
  }
  return isFine
}

const checkObject = (schema: SchemaObject, value: Record<string, unknown>, path: string, run: Run): boolean =>
  [checkRequired, checkFields].map((check) => check(schema, value, path, run)).every(Boolean)

const checkByType = (schema: SchemaObject, value: unknown, path: string, run: Run): boolean => {
  if (typeof value === 'number') return checkNumber(schema, value, path, run)
  if (typeof value === 'string') return checkText(schema, value, path, run)
  if (Array.isArray(value)) return checkList(schema, value, path, run)
  return isObject(value) ? checkObject(schema, value, path, run) : true
}

/** Counts the alternatives that fit, up to `most`. */
const countFitting = (schemas: SettingSchema[], value: unknown, run: Run, most: number): number => {
  const quiet: Run = { steps: run.steps, faults: undefined }
  let fitting = 0
  for (const one of schemas) {
    if (visit(one, value, '', quiet)) fitting += 1
    if (fitting === most) break
  }
  run.steps = quiet.steps
  return fitting
}

const checkAlternatives = ({ anyOf, oneOf }: SchemaObject, value: unknown, path: string, run: Run): boolean =>
  [
    !anyOf ||
      must(run, countFitting(anyOf, value, run, 1) === 1, path, 'must fit one of the declared alternatives'),
    !oneOf ||
      must(
        run,
        countFitting(oneOf, value, run, 2) === 1,
        path,
        'must fit exactly one of the declared alternatives',
      ),
  ].every(Boolean)

function visit(schema: SettingSchema, value: unknown, path: string, run: Run): boolean {
  spend(run, 1)
  if (typeof schema === 'boolean') return must(run, schema, path, 'is not allowed here')
  if (!checkAny(schema, value, path, run)) return false
  return [checkByType(schema, value, path, run), checkAlternatives(schema, value, path, run)].every(Boolean)
}

/** The faults of a value, at most 20, by their places below `value`; none for a valid one. */
export const faultsOf = (schema: SettingSchema, value: unknown): FieldError[] => {
  const run: Run = { steps: 0, faults: [] }
  try {
    visit(schema, value, 'value', run)
  } catch (err) {
    if (!(err instanceof TooMuchWork)) throw err
    return [{ field: 'value', message: `takes more than ${stepsMax} steps to validate` }]
  }
  return run.faults ?? []
}
