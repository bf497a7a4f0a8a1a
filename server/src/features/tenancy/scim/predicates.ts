/** Filters with checked names and values, ready for the database. */
import { invalidFilter } from '../../../errors/scim-error.ts'
import { fold } from '../../../values/text.ts'
import { findAttributePath, type ResourceType } from './attributes.ts'
import type { Comparison, Filter, Operator, Value } from './grammar.ts'
import { booleanOf } from './values.ts'

/** `folded` compares ignoring case; `id` is the id of a resource. */
type ColumnType = 'folded' | 'exact' | 'id' | 'boolean' | 'time'

/** The attributes that filters can use, as dotted names. `lists` has the sub-attributes of lists. */
export interface Columns {
  kind: ResourceType
  types: Record<string, ColumnType>
  lists: string[]
}

export type Predicate =
  | { is: 'and'; parts: Predicate[] }
  | { is: 'or'; parts: Predicate[] }
  | { is: 'not'; part: Predicate }
  /** At least one element of the list matches. */
  | { is: 'some'; list: string; part: Predicate }
  | { is: 'present'; column: string }
  | { is: 'never' }
  | { is: 'compare'; column: string; operator: Operator; value: string | boolean | Date }

const unfit = ({ path, operator }: Comparison) =>
  invalidFilter(`${path.slice(0, 100)} cannot be compared so by ${operator}`)

const textual: Operator[] = ['eq', 'ne', 'co', 'sw', 'ew']
const timely: Operator[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le']

const momentForm = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/i

const momentOf = (value: Value): Date | undefined => {
  const moment = typeof value === 'string' && momentForm.test(value) ? new Date(value) : undefined
  return moment && moment.getUTCFullYear() >= 1 ? moment : undefined
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The database stores ids in lower case. */
const writtenAs: Partial<Record<ColumnType, (text: string) => string>> = {
  folded: fold,
  id: (text) => text.toLowerCase(),
}

const checkedText = (type: ColumnType, value: Value): string | undefined => {
  if (typeof value !== 'string') return undefined
  return writtenAs[type]?.(value) ?? value
}

const operatorsOf: Record<ColumnType, Operator[]> = {
  folded: textual,
  exact: textual,
  id: textual,
  boolean: ['eq', 'ne'],
  time: timely,
}

const checked = (type: ColumnType, value: Value): string | boolean | Date | undefined => {
  if (type === 'boolean') return booleanOf(value)
  return type === 'time' ? momentOf(value) : checkedText(type, value)
}

/** A comparison with null tests whether a value is missing. */
const withNull = (column: string, comparison: Comparison): Predicate => {
  const present: Predicate = { is: 'present', column }
  if (comparison.operator === 'ne') return present
  if (comparison.operator === 'eq') return { is: 'not', part: present }
  throw unfit(comparison)
}

/** No resource can have such an id, and PostgreSQL would refuse the text. */
const isNoId = (type: ColumnType, { operator, value }: Comparison): boolean =>
  type === 'id' && operator === 'eq' && !uuid.test(String(value))

const compare = (type: ColumnType, column: string, comparison: Comparison): Predicate => {
  const { operator, value } = comparison
  if (value === null) return withNull(column, comparison)
  const right = operatorsOf[type].includes(operator) ? checked(type, value) : undefined
  if (right === undefined) throw unfit(comparison)
  return isNoId(type, comparison) ? { is: 'never' } : { is: 'compare', column, operator, value: right }
}

type Leaf = Extract<Filter, { is: 'present' }> | Comparison

const unknown = (path: string) => invalidFilter(`Filters do not know ${path.slice(0, 100)}`)

/** A complex attribute means its `value`. If it has no `value`, it is present if any of its sub-attributes is. */
const columnsNamed = ({ types }: Columns, name: string): string[] => {
  const column = [name, `${name}.value`].find((known) => types[known] !== undefined)
  return column === undefined ? Object.keys(types).filter((known) => known.startsWith(`${name}.`)) : [column]
}

const onNamed = (columns: Columns, name: string, leaf: Leaf): Predicate => {
  const named = columnsNamed(columns, name)
  const [column, ...more] = named
  if (column === undefined) throw unknown(leaf.path)
  if (leaf.is === 'present') {
    return { is: 'or', parts: named.map((one) => ({ is: 'present', column: one })) }
  }
  const type = columns.types[column]
  if (more.length > 0 || type === undefined) throw unknown(leaf.path)
  return compare(type, column, leaf)
}

const onLeaf = (columns: Columns, leaf: Leaf): Predicate => {
  const found = findAttributePath(columns.kind, leaf.path)
  if (!found) throw unknown(leaf.path)
  const { name } = found.attribute
  const part = onNamed(columns, found.sub ? `${name}.${found.sub.name}` : name, leaf)
  return columns.lists.includes(name) ? { is: 'some', list: name, part } : part
}

const inElement = (columns: Columns, list: string) => (filter: Filter) => {
  if (filter.is !== 'present' && filter.is !== 'comparison') throw unknown(list)
  const name = `${list}.${filter.path}`.toLowerCase()
  const column = Object.keys(columns.types).find((known) => known.toLowerCase() === name)
  if (column === undefined) throw unknown(`${list}.${filter.path}`)
  return onNamed(columns, column, filter)
}

const onElement = (columns: Columns, { path, part }: Extract<Filter, { is: 'element' }>): Predicate => {
  const found = findAttributePath(columns.kind, path)
  const list = found && !found.sub ? found.attribute.name : ''
  if (!columns.lists.includes(list)) throw unknown(path)
  return { is: 'some', list, part: combine(part, inElement(columns, list)) }
}

const combine = (filter: Filter, onOther: (filter: Filter) => Predicate): Predicate => {
  if (filter.is === 'and') return { is: 'and', parts: filter.parts.map((part) => combine(part, onOther)) }
  if (filter.is === 'or') return { is: 'or', parts: filter.parts.map((part) => combine(part, onOther)) }
  if (filter.is === 'not') return { is: 'not', part: combine(filter.part, onOther) }
  return onOther(filter)
}

/** Checks a filter. Throws 400 `invalidFilter` for unsupported names and comparisons. */
export const predicateOf = (columns: Columns, filter: Filter): Predicate =>
  combine(filter, (one) => {
    if (one.is === 'element') return onElement(columns, one)
    if (one.is === 'present' || one.is === 'comparison') return onLeaf(columns, one)
    throw unknown('this')
  })
