/** Conditions of rules: whether the value of an attribute fulfils one. Nothing is converted. */
import semver, { type SemVer } from 'semver'
import type { Condition, Operator } from './flags.schemas.ts'

/**
 * The attributes of an evaluation context. No prototype has attributes, and a look-up costs less than one in an object: an
 * answer about all flags takes thousands.
 */
export type Context = ReadonlyMap<string, unknown>

export const contextOf = (given: object): Context => new Map(Object.entries(given))

/** Whether the value of an attribute, which is there, fulfils a condition. */
type Fits = (value: unknown) => boolean

/** As long as a value can be. Searching thousands of values in longer texts would hold up other requests. */
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

/** A version of one or two numbers, with zeros for the missing ones. */
const completed = (text: string): string =>
  text.replace(/^(v?\d+)(\.\d+)?$/, (_, major, minor) => `${major}${minor ?? '.0'}.0`)

/** The version that a text is; undefined for any other text and for any other type. */
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
 * A condition made ready to be asked often: data in one shape, since calls of many closures cost more than all else of an
 * answer about all flags.
 */
export interface ReadyCondition {
  attribute: string
  /** The outcome for a missing attribute. */
  whenMissing: boolean
  /** Whether a value in `wanted` fulfils the condition; else one outside does. */
  isInside: boolean
  wanted: ReadonlySet<unknown>
  /** Decides in place of `wanted`. */
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

/** Whether a context fulfils a condition. JSON has no undefined, which stands for a missing attribute. */
const fulfils = (context: Context, { attribute, whenMissing, isInside, wanted, fits }: ReadyCondition) => {
  const value = context.get(attribute)
  if (value === undefined) return whenMissing
  return fits ? fits(value) : wanted.has(value) === isInside
}

export const fulfilsAll = (context: Context, conditions: readonly ReadyCondition[]): boolean => {
  for (const condition of conditions) if (!fulfils(context, condition)) return false
  return true
}
