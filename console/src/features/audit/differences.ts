import type { AuditLog } from '@tenantry/client'

export type Difference =
  | { kind: 'value'; field: string; from: unknown; to: unknown }
  /** For lists of texts, the added and removed items, unless that would hide a change. */
  | { kind: 'list'; field: string; added: string[]; removed: string[]; kept: number }

export interface Differences {
  changes: Difference[]
  /** The entries of the detail that have no `{ from, to }`, unchanged. */
  rest: Record<string, unknown>
  /** True if fields changed from one value to another. False if the resource was created or deleted. */
  hasBoth: boolean
}

/** Narrows an entry of a record. Entries of other forms are no changes. */
export const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  Object.hasOwn(value, 'from') &&
  Object.hasOwn(value, 'to') &&
  Object.keys(value).length === 2

const isName = ({ from, to }: { from: unknown; to: unknown }): boolean =>
  typeof from === 'string' && from === to

/** The items of a list that can be compared item by item: distinct texts. Null counts as an empty list. */
const listOf = (value: unknown): string[] | undefined => {
  if (value === null) return []
  if (!Array.isArray(value) || new Set(value).size < value.length) return undefined
  return value.every((item) => typeof item === 'string') ? value : undefined
}

const differenceOf = (field: string, { from, to }: { from: unknown; to: unknown }): Difference => {
  const before = listOf(from)
  const after = listOf(to)
  if (!before || !after) return { kind: 'value', field, from, to }
  const added = after.filter((item) => !before.includes(item))
  const removed = before.filter((item) => !after.includes(item))
  const kept = after.filter((item) => before.includes(item))
  const isOrdered = before.filter((item) => after.includes(item)).every((item, index) => item === kept[index])
  // Added and removed items would hide a change of the order, and a change from null to an empty list.
  if (!isOrdered || added.length + removed.length === 0) return { kind: 'value', field, from, to }
  return { kind: 'list', field, added, removed, kept: kept.length }
}

export const differencesOf = ({ action, detail }: Pick<AuditLog, 'action' | 'detail'>): Differences => {
  const entries = Object.entries(detail)
  // An unchanged name is no change. The sentence about the record shows it.
  const pairs = entries.flatMap(([field, value]) =>
    isChange(value) && !isName(value) ? [{ field, value }] : [],
  )
  return {
    changes: pairs.map(({ field, value }) => differenceOf(field, value)),
    rest: Object.fromEntries(entries.filter(([, value]) => !isChange(value))),
    hasBoth:
      action.endsWith('.update') ||
      (pairs.some(({ value }) => value.from !== null) && pairs.some(({ value }) => value.to !== null)),
  }
}
