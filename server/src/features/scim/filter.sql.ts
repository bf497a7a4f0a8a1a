/** Filters as conditions of SQL. Every name comes from a table here, and every value is a parameter. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { invalidFilter } from '../../scim-error.ts'
import { fold } from '../../text.ts'
import { findPlace, type Kind, type Place } from './attributes.ts'
import type { Comparison, Filter, Value } from './grammar.ts'

/** An attribute in the database. */
export interface Column {
  type: 'folded' | 'exact' | 'boolean' | 'time'
  sql: Sql
}

/** A list: its elements are rows of a subquery. */
interface ListColumns {
  /** The condition holds for one element. */
  some: (condition: Sql) => Sql
  parts: Record<string, Column>
}

/** The attributes of a kind that filters can name, by name and dotted name. */
export interface Columns {
  kind: Kind
  single: Record<string, Column>
  lists: Record<string, ListColumns>
}

const folded = (text: Sql): Column => ({ type: 'folded', sql: text })
const exact = (text: Sql): Column => ({ type: 'exact', sql: text })
const inJson = (path: string): Column => folded(raw(path))

const nameParts = ['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix']

/** Users are `s`. */
export const userColumns = (kind: Kind): Columns => ({
  kind,
  single: {
    id: exact(sql`s.id::text`),
    externalId: exact(sql`s.external_id`),
    userName: folded(sql`s.user_name_folded`),
    displayName: inJson(`nullif(s.folded ->> 'displayName', '')`),
    active: { type: 'boolean', sql: sql`s.active` },
    ...Object.fromEntries(
      nameParts.map((part) => [`name.${part}`, inJson(`s.folded -> 'name' ->> '${part}'`)]),
    ),
    department: inJson(`s.folded -> 'extension' ->> 'department'`),
    employeeNumber: inJson(`s.folded -> 'extension' ->> 'employeeNumber'`),
    'manager.value': exact(raw(`s.extension -> 'manager' ->> 'value'`)),
    'manager.displayName': inJson(`s.folded -> 'extension' -> 'manager' ->> 'displayName'`),
    'meta.created': { type: 'time', sql: sql`s.created_at` },
    'meta.lastModified': { type: 'time', sql: sql`s.updated_at` },
  },
  lists: {
    emails: {
      some: (condition) =>
        sql`exists (select 1 from jsonb_array_elements(s.folded -> 'emails') as element where ${condition})`,
      parts: {
        value: inJson(`element ->> 'value'`),
        display: inJson(`element ->> 'display'`),
        type: inJson(`element ->> 'type'`),
        primary: { type: 'boolean', sql: raw(`coalesce((element ->> 'primary')::boolean, false)`) },
      },
    },
    groups: {
      some: (condition) => sql`s.id in (
        select m.member_id from scim_group_members m where m.tenant_id = s.tenant_id and ${condition})`,
      parts: { value: exact(sql`m.group_id::text`) },
    },
  },
})

/** Groups are `s` as well. */
export const groupColumns = (kind: Kind): Columns => ({
  kind,
  single: {
    id: exact(sql`s.id::text`),
    externalId: exact(sql`s.external_id`),
    displayName: folded(sql`s.display_name_folded`),
    'meta.created': { type: 'time', sql: sql`s.created_at` },
    'meta.lastModified': { type: 'time', sql: sql`s.updated_at` },
  },
  lists: {
    members: {
      some: (condition) => sql`s.id in (
        select m.group_id from scim_group_members m where m.tenant_id = s.tenant_id and ${condition})`,
      parts: { value: exact(sql`m.member_id::text`) },
    },
  },
})

const signs: Partial<Record<Comparison['operator'], Sql>> = {
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const pattern = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

const matching: Partial<Record<Comparison['operator'], (text: string) => string>> = {
  co: (text) => `%${pattern(text)}%`,
  sw: (text) => `${pattern(text)}%`,
  ew: (text) => `%${pattern(text)}`,
}

const unfit = ({ path, operator }: Comparison) =>
  invalidFilter(`${path.slice(0, 100)} cannot be compared so by ${operator}`)

/** Ids are compared as ids, so that an index finds them. */
const ids = /^(s\.id|m\.group_id|m\.member_id)::text$/

const equal = (column: Column, value: string | boolean): Sql => {
  const [, id] = ids.exec(column.sql.sql) ?? []
  if (id === undefined) return sql`${column.sql} = ${value}`
  return typeof value === 'string' && uuid.test(value) ? sql`${raw(id)} = ${value}::uuid` : sql`false`
}

const text = (column: Column, comparison: Comparison, value: Value): Sql => {
  const { operator } = comparison
  if (typeof value !== 'string') throw unfit(comparison)
  const compared = column.type === 'folded' ? fold(value) : value
  if (operator === 'eq') return equal(column, compared)
  if (operator === 'ne') return sql`${column.sql} is distinct from ${compared}`
  const like = matching[operator]
  if (!like) throw unfit(comparison)
  return sql`${column.sql} like ${like(compared)}`
}

const boolean = (column: Column, comparison: Comparison, value: Value): Sql => {
  const { operator } = comparison
  if (typeof value !== 'boolean' || !['eq', 'ne'].includes(operator)) throw unfit(comparison)
  return sql`${column.sql} = ${operator === 'eq' ? value : !value}`
}

const momentForm = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/i

const time = (column: Column, comparison: Comparison, value: Value): Sql => {
  const moment = typeof value === 'string' && momentForm.test(value) ? new Date(value) : undefined
  if (!moment || Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 1) throw unfit(comparison)
  const sign = { ...signs, eq: sql`=`, ne: sql`<>` }[comparison.operator as 'eq']
  if (sign === undefined) throw unfit(comparison)
  return sql`${column.sql} ${sign} ${moment}`
}

const compare = (column: Column, comparison: Comparison): Sql => {
  const { operator, value } = comparison
  if (value === null && operator === 'eq') return sql`${column.sql} is null`
  if (value === null && operator === 'ne') return sql`${column.sql} is not null`
  if (column.type === 'time') return time(column, comparison, value)
  return column.type === 'boolean' ? boolean(column, comparison, value) : text(column, comparison, value)
}

type Condition = Extract<Filter, { is: 'present' | 'comparison' }>

const holds = (column: Column, condition: Condition): Sql =>
  condition.is === 'present' ? sql`${column.sql} is not null` : compare(column, condition)

const unknown = (path: string) => invalidFilter(`Filters do not know ${path.slice(0, 100)}`)

const nameOf = ({ attribute, sub }: Place): string => (sub ? `${attribute.name}.${sub.name}` : attribute.name)

const onSingle = (columns: Columns, place: Place, condition: Condition): Sql => {
  const { single } = columns
  const name = nameOf(place)
  // A complex attribute means its value, or any of its parts where it has none.
  const parts = [single[name], single[`${name}.value`]].filter((column) => column !== undefined)
  const all = Object.keys(single).filter((known) => known.startsWith(`${name}.`))
  const [column = condition.is === 'present' ? undefined : parts[0]] = parts
  if (column) return holds(column, condition)
  if (all.length === 0 || condition.is !== 'present') throw unknown(condition.path)
  return sql`(${join(
    all.map((known) => sql`${(single[known] as Column).sql} is not null`),
    ' or ',
  )})`
}

const onCondition = (columns: Columns, condition: Condition): Sql => {
  const place = findPlace(columns.kind, condition.path)
  if (!place) throw unknown(condition.path)
  const list = columns.lists[place.attribute.name]
  if (!list) return onSingle(columns, place, condition)
  const part = list.parts[place.sub?.name ?? 'value']
  if (!part) throw unknown(condition.path)
  return list.some(holds(part, condition))
}

const combine = (filter: Filter, onLeaf: (leaf: Filter) => Sql): Sql => {
  if (filter.is === 'and' || filter.is === 'or') {
    const parts = filter.parts.map((part) => combine(part, onLeaf))
    return sql`(${join(parts, filter.is === 'and' ? ' and ' : ' or ')})`
  }
  // A missing value makes a comparison unknown, and its opposite true.
  if (filter.is === 'not') return sql`(not coalesce(${combine(filter.part, onLeaf)}, false))`
  return onLeaf(filter)
}

const inElement = (columns: Columns, { path, part }: Extract<Filter, { is: 'element' }>): Sql => {
  const place = findPlace(columns.kind, path)
  const list = place && !place.sub ? columns.lists[place.attribute.name] : undefined
  if (!list) throw unknown(path)
  return list.some(
    combine(part, (leaf) => {
      if (leaf.is !== 'present' && leaf.is !== 'comparison') throw unknown(path)
      const name = Object.keys(list.parts).find((known) => known.toLowerCase() === leaf.path.toLowerCase())
      if (name === undefined) throw unknown(`${path}.${leaf.path}`)
      return holds(list.parts[name] as Column, leaf)
    }),
  )
}

/** The condition that a filter means; nothing without one. Throws 400 `invalidFilter`. */
export const conditionOf = (columns: Columns, filter: Filter | undefined): Sql => {
  if (!filter) return empty
  const condition = combine(filter, (leaf) => {
    if (leaf.is === 'element') return inElement(columns, leaf)
    if (leaf.is === 'present' || leaf.is === 'comparison') return onCondition(columns, leaf)
    throw invalidFilter('The filter is not understood')
  })
  return sql`and ${condition}`
}
