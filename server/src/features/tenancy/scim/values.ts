/** Converts values of attributes from the variants of providers into one form. */
import { invalidFilter, invalidValue, ScimError } from '../../../errors/scim-error.ts'
import { fold } from '../../../values/text.ts'
import { attributeNamed, type Attribute } from './attributes.ts'
import type { Comparison, Filter, Value } from './grammar.ts'

/** A resource, or a part of one, under the schema's names. */
export type Raw = Record<string, unknown>

/** Only the extension can have longer values, up to its own limit in bytes. */
export const extensionTextMax = 4096
const textMax = 256
const listMax = 20

const isObject = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const booleans = new Map([
  ['true', true],
  ['false', false],
])

/** A boolean, also from a text such as "True". Undefined for anything else. */
export const booleanOf = (value: unknown): boolean | undefined => {
  const known = typeof value === 'string' ? booleans.get(value.toLowerCase()) : value
  return typeof known === 'boolean' ? known : undefined
}

const readBoolean = (name: string, value: unknown): boolean => {
  const known = booleanOf(value)
  if (known === undefined) throw invalidValue(`${name} must be true or false`)
  return known
}

const readText = (name: string, value: unknown): string => {
  if (typeof value !== 'string') throw invalidValue(`${name} must be a text`)
  return requireLength(name, value, extensionTextMax)
}

/** The first comparison spares splitting a text of megabytes into characters. */
export const isShort = (text: string, max: number): boolean =>
  text.length <= 2 * max && [...text].length <= max

const requireLength = (name: string, text: string, max: number): string => {
  if (isShort(text, max)) return text
  throw invalidValue(`${name} must have at most ${max} characters`)
}

/** Throws 400 if a text, or any text within a value, is too long. */
export const requireShort = (name: string, value: unknown, max = textMax): void => {
  if (typeof value === 'string') requireLength(name, value, max)
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    requireShort(Array.isArray(value) ? name : `${name}.${key}`, part, max)
  }
}

/** A text means the part `value`: providers send managers and e-mails in this form. */
const readParts = ({ name, subAttributes }: Attribute, given: unknown): Raw | undefined => {
  const value = typeof given === 'string' ? { value: given } : given
  if (!isObject(value)) throw invalidValue(`${name} must be an object`)
  const parts: Raw = {}
  for (const [key, part] of Object.entries(value)) {
    const sub = attributeNamed(subAttributes, key)
    if (!sub || sub.mutability === 'readOnly') continue
    const read = readValue(sub, part)
    if (read !== undefined) parts[sub.name] = read
  }
  return Object.keys(parts).length > 0 ? parts : undefined
}

const readOne = (attribute: Attribute, value: unknown): unknown => {
  if (attribute.isLenient) return value
  if (attribute.type === 'complex') return readParts(attribute, value)
  if (attribute.type === 'boolean') return readBoolean(attribute.name, value)
  return readText(attribute.name, value)
}

/** The values of a list, each as an object. */
export const readList = (attribute: Attribute, value: unknown): Raw[] => {
  const values = Array.isArray(value) ? value : [value]
  if (values.length > listMax) throw invalidValue(`${attribute.name} has at most ${listMax} values`)
  return values.flatMap((one: unknown): Raw[] => {
    const read = readOne(attribute, one) as Raw | undefined
    return read ? [read] : []
  })
}

/** Entra ID also sends a single value as a list: [{"$ref":null,"value":"x"}]. */
const unlisted = ({ multiValued, type }: Attribute, value: unknown): unknown => {
  if (multiValued || !Array.isArray(value) || value.length !== 1) return value
  const [one] = value as unknown[]
  return isObject(one) && type !== 'complex' ? one['value'] : one
}

/** A value in one form; undefined for a missing value. Throws 400 `invalidValue`. */
export const readValue = (attribute: Attribute, given: unknown): unknown => {
  const value = unlisted(attribute, given)
  if (value === undefined || value === null) return undefined
  return attribute.multiValued ? readList(attribute, value) : readOne(attribute, value)
}

/** Converts a value into the form in which it is compared. */
const compared = ({ caseExact, type }: Attribute, value: unknown): unknown => {
  if (type === 'boolean') return booleanOf(value) ?? value
  return typeof value === 'string' && !caseExact ? fold(value) : value
}

/** Whether two texts are equal, ignoring case. */
export const sameText = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' && fold(one) === fold(other)

const texts: Partial<Record<Comparison['operator'], (text: string, part: string) => boolean>> = {
  co: (text, part) => text.includes(part),
  sw: (text, part) => text.startsWith(part),
  ew: (text, part) => text.endsWith(part),
}

const holds = (sub: Attribute, { operator, value }: Comparison, found: unknown): boolean => {
  const missing = sub.type === 'boolean' ? false : null
  const [one, other] = [compared(sub, found ?? missing), compared(sub, value)]
  if (operator === 'eq') return one === other
  if (operator === 'ne') return one !== other
  const test = texts[operator]
  if (!test || typeof other !== 'string') throw invalidFilter(`${sub.name} cannot be compared by ${operator}`)
  return typeof one === 'string' && test(one, other)
}

const fits = (list: Attribute, filter: Filter, element: Raw): boolean => {
  if (filter.is === 'and') return filter.parts.every((part) => fits(list, part, element))
  if (filter.is === 'or') return filter.parts.some((part) => fits(list, part, element))
  if (filter.is === 'not') return !fits(list, filter.part, element)
  const { is, path } = filter
  const sub = attributeNamed(list.subAttributes, path)
  if (!sub || is === 'element') throw invalidFilter(`${list.name} has no ${path}`)
  if (filter.is === 'present') return element[sub.name] !== undefined
  return holds(sub, filter, element[sub.name])
}

const comparisonsIn = (filter: Filter): number => {
  if ('parts' in filter) return filter.parts.reduce((sum, part) => sum + comparisonsIn(part), 0)
  return 'part' in filter ? comparisonsIn(filter.part) : 1
}

/** The most comparisons of a path's filter. It compares each element of a list, and a body has many paths. */
const comparisonsMax = 10

/**
 * Finds the elements that match a filter. Throws 400 `tooMany` for a costly filter, and `invalidFilter` for an unknown
 * part.
 */
export const fitting = (list: Attribute, filter: Filter): ((element: Raw) => boolean) => {
  if (comparisonsIn(filter) > comparisonsMax) {
    throw new ScimError(400, `The filter of a path has at most ${comparisonsMax} comparisons`, 'tooMany')
  }
  return (element) => fits(list, filter, element)
}

/** The parts that a filter requires, if it has only `eq`. Undefined for any other filter. */
export const wantedBy = (list: Attribute, filter: Filter): Raw | undefined => {
  if (filter.is === 'and') {
    const parts = filter.parts.map((part) => wantedBy(list, part))
    return parts.reduce((all, part) => all && part && { ...all, ...part }, {})
  }
  if (filter.is !== 'comparison' || filter.operator !== 'eq') return undefined
  const sub = attributeNamed(list.subAttributes, filter.path)
  return sub && { [sub.name]: readValue(sub, filter.value) }
}

/**
 * The values that a filter names by `value eq`, possibly joined by `or`. Throws 400 `invalidFilter` for any other
 * filter.
 */
export const namedValues = (filter: Filter): Value[] => {
  if (filter.is === 'or') return filter.parts.flatMap(namedValues)
  if (filter.is === 'comparison' && filter.operator === 'eq' && filter.path.toLowerCase() === 'value') {
    return [filter.value]
  }
  throw invalidFilter('Members are chosen by value eq only')
}
