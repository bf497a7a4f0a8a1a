/** Conditions of rules on the values of attributes. No value is converted. */
import semver, { type SemVer } from 'semver'
import type { Condition, Operator } from './flags.schemas.ts'

/**
 * The attributes of an evaluation context. A map inherits no attributes, and is faster to read than an object: an
 * answer about all flags reads thousands of attributes.
 */
export type Context = ReadonlyMap<string, unknown>

export const contextOf = (given: object): Context => new Map(Object.entries(given))

/** True if the value of a present attribute meets a condition. */
type Fits = (value: unknown) => boolean

/** The longest value of a condition. Searching thousands of values in longer texts would delay other requests. */
const textLengthMax = 1024

const textTest =
  (test: (text: string, wanted: string) => boolean) =>
  (values: unknown[]): Fits => {
    const texts = values.filter((one) => typeof one === 'string')
    return (value) =>
      typeof value === 'string' &&
      value.length <= textLengthMax &&
      texts.some((wanted) => test(value, wanted))
  }

const numberTest =
  (test: (number: number, bound: number) => boolean) =>
  (values: unknown[]): Fits => {
    const bounds = values.filter((one) => typeof one === 'number')
    return (value) => typeof value === 'number' && bounds.some((bound) => test(value, bound))
  }

/** Adds zeros to a version that has only one or two numbers. */
const completed = (text: string): string =>
  text.replace(/^(v?\d+)(\.\d+)?$/, (_, major, minor) => `${major}${minor ?? '.0'}.0`)

/** The version in a text. Undefined for any other value. */
export const versionOf = (value: unknown): SemVer | undefined =>
  (typeof value === 'string' ? semver.parse(completed(value)) : null) ?? undefined

const versionTest =
  (test: (version: SemVer, bound: SemVer) => boolean) =>
  (values: unknown[]): Fits => {
    const bounds = values.flatMap((one) => versionOf(one) ?? [])
    return (value) => {
      const version = versionOf(value)
      return version !== undefined && bounds.some((bound) => test(version, bound))
    }
  }

const tests: Record<
  Exclude<Operator, 'in' | 'not_in' | 'exists' | 'not_exists'>,
  (values: unknown[]) => Fits
> = {
  starts_with: textTest((text, wanted) => text.startsWith(wanted)),
  ends_with: textTest((text, wanted) => text.endsWith(wanted)),
  contains: textTest((text, wanted) => text.includes(wanted)),
  gt: numberTest((number, bound) => number > bound),
  gte: numberTest((number, bound) => number >= bound),
  lt: numberTest((number, bound) => number < bound),
  lte: numberTest((number, bound) => number <= bound),
  semver_gte: versionTest((version, bound) => version.compare(bound) >= 0),
  semver_lt: versionTest((version, bound) => version.compare(bound) < 0),
}

/**
 * A condition prepared for many evaluations. It is plain data in one shape, because calls of many closures dominated
 * the cost of an answer about all flags.
 */
export interface ReadyCondition {
  attribute: string
  /** The result when the context lacks the attribute. */
  whenMissing: boolean
  /** True if the condition matches the values in `wanted`; false if it matches all other values. */
  isInside: boolean
  wanted: ReadonlySet<unknown>
  /** If present, this function decides instead of `wanted`. */
  fits: Fits | undefined
}

const nothing: ReadonlySet<unknown> = new Set()

export const readyCondition = ({ attribute, op, values }: Condition): ReadyCondition => {
  const whenMissing = op === 'not_in' || op === 'not_exists'
  const isInside = op !== 'not_in' && op !== 'exists'
  const isInList = op === 'in' || op === 'not_in'
  const isTest = !isInList && op !== 'exists' && op !== 'not_exists'
  return {
    attribute,
    whenMissing,
    isInside,
    wanted: isInList ? new Set(values) : nothing,
    fits: isTest ? tests[op](values) : undefined,
  }
}

/** True if a context meets a condition. JSON has no undefined, so undefined means that the attribute is missing. */
const fulfils = (context: Context, { attribute, whenMissing, isInside, wanted, fits }: ReadyCondition) => {
  const value = context.get(attribute)
  if (value === undefined) return whenMissing
  return fits ? fits(value) : wanted.has(value) === isInside
}

export const fulfilsAll = (context: Context, conditions: readonly ReadyCondition[]): boolean => {
  for (const condition of conditions) if (!fulfils(context, condition)) return false
  return true
}
