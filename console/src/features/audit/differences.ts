type Scalar = string | number | boolean

/** What became of one field. */
export type Difference =
  | { kind: 'value'; field: string; from: unknown; to: unknown }
  /** Of lists it is read what came and what went. */
  | { kind: 'list'; field: string; added: Scalar[]; removed: Scalar[]; kept: number }

export interface Differences {
  changes: Difference[]
  /** What is no `{ from, to }`, as it is. */
  rest: Record<string, unknown>
  /** Whether something changed from one value to another: not all came to be, or went. */
  hasBoth: boolean
}

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  Object.hasOwn(value, 'from') &&
  Object.hasOwn(value, 'to') &&
  Object.keys(value).length === 2

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** A list that can be compared item by item; none is an empty one. */
const listOf = (value: unknown): Scalar[] | undefined => {
  if (value === null) return []
  return Array.isArray(value) && value.every(isScalar) ? value : undefined
}

const differenceOf = (field: string, { from, to }: { from: unknown; to: unknown }): Difference => {
  const before = listOf(from)
  const after = listOf(to)
  if (!before || !after || (from === null && to === null)) return { kind: 'value', field, from, to }
  return {
    kind: 'list',
    field,
    added: after.filter((item) => !before.includes(item)),
    removed: before.filter((item) => !after.includes(item)),
    kept: after.filter((item) => before.includes(item)).length,
  }
}

/** The `detail` of an audit record, field by field. */
export const differencesOf = (detail: Record<string, unknown>): Differences => {
  const entries = Object.entries(detail)
  const pairs = entries.flatMap(([field, value]) => (isChange(value) ? [{ field, value }] : []))
  return {
    changes: pairs.map(({ field, value }) => differenceOf(field, value)),
    rest: Object.fromEntries(entries.filter(([, value]) => !isChange(value))),
    hasBoth: pairs.some(({ value }) => value.from !== null) && pairs.some(({ value }) => value.to !== null),
  }
}
