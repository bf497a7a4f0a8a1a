/** Filters as SQL conditions. Every name comes from a table here, and every value is a parameter. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Predicate } from './predicates.ts'

/**
 * The columns of a resource type under the names of filterable.ts, and its lists as subqueries. The resource is `s`.
 */
export interface SqlColumns {
  columns: Record<string, Sql>
  /** `tenantId` makes the subquery independent of `s`, so that PostgreSQL runs it once, with its index. */
  lists: Record<string, (condition: Sql, tenantId: string) => Sql>
}

const common = {
  id: sql`s.id`,
  externalId: sql`s.external_id`,
  'meta.created': sql`s.created_at`,
  'meta.lastModified': sql`s.updated_at`,
}

const inName = (part: string): Sql => raw(`(s.folded -> 'name' ->> '${part}')`)
const inExtension = (part: string): Sql => raw(`(s.folded -> 'extension' ->> '${part}')`)
const inEmail = (part: string): Sql => raw(`(element ->> '${part}')`)

export const userSql: SqlColumns = {
  columns: {
    ...common,
    userName: sql`s.user_name_folded`,
    displayName: raw(`nullif(s.folded ->> 'displayName', '')`),
    active: sql`s.active`,
    'name.formatted': inName('formatted'),
    'name.familyName': inName('familyName'),
    'name.givenName': inName('givenName'),
    'name.middleName': inName('middleName'),
    'name.honorificPrefix': inName('honorificPrefix'),
    'name.honorificSuffix': inName('honorificSuffix'),
    department: inExtension('department'),
    employeeNumber: inExtension('employeeNumber'),
    'manager.value': raw(`(s.extension -> 'manager' ->> 'value')`),
    'manager.displayName': raw(`(s.folded -> 'extension' -> 'manager' ->> 'displayName')`),
    'emails.value': inEmail('value'),
    'emails.display': inEmail('display'),
    'emails.type': inEmail('type'),
    'emails.primary': raw(`coalesce((element ->> 'primary')::boolean, false)`),
    'groups.value': sql`m.group_id`,
  },
  lists: {
    emails: (condition) =>
      sql`exists (select 1 from jsonb_array_elements(s.folded -> 'emails') as element where ${condition})`,
    groups: (condition, tenantId) => sql`s.id = any (array(
      select m.member_id from scim_group_members m where m.tenant_id = ${tenantId} and ${condition}))`,
  },
}

export const groupSql: SqlColumns = {
  columns: { ...common, displayName: sql`s.display_name_folded`, 'members.value': sql`m.member_id` },
  lists: {
    members: (condition, tenantId) => sql`s.id = any (array(
      select m.group_id from scim_group_members m where m.tenant_id = ${tenantId} and ${condition}))`,
  },
}

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

type Compare = Extract<Predicate, { is: 'compare' }>

const written: Record<Compare['operator'], (column: Sql, value: Compare['value']) => Sql> = {
  eq: (column, value) => sql`${column} = ${value}`,
  ne: (column, value) => sql`${column} is distinct from ${value}`,
  co: (column, value) => sql`${column} like ${`%${escaped(String(value))}%`}`,
  sw: (column, value) => sql`${column} like ${`${escaped(String(value))}%`}`,
  ew: (column, value) => sql`${column} like ${`%${escaped(String(value))}`}`,
  gt: (column, value) => sql`${column} > ${value}`,
  ge: (column, value) => sql`${column} >= ${value}`,
  lt: (column, value) => sql`${column} < ${value}`,
  le: (column, value) => sql`${column} <= ${value}`,
}

/** Compares an id as text. With `eq` it compares the id itself, so that PostgreSQL uses an index. */
const compared = (column: Sql, { operator, value }: Compare): Sql => {
  const isId = ['s.id', 'm.group_id', 'm.member_id'].includes(column.sql)
  return written[operator](isId && operator !== 'eq' ? sql`${column}::text` : column, value)
}

const columnOf = ({ columns }: SqlColumns, name: string): Sql => columns[name] ?? raw('null')

const wordOf = (is: 'and' | 'or') => (is === 'and' ? ' and ' : ' or ')

interface Scoped extends SqlColumns {
  tenantId: string
}

const writeMany = (from: Scoped, { is, parts }: Extract<Predicate, { is: 'and' | 'or' }>): Sql =>
  sql`(${join(
    parts.map((part) => write(from, part)),
    wordOf(is),
  )})`

const writeSome = (from: Scoped, { list, part }: Extract<Predicate, { is: 'some' }>): Sql =>
  from.lists[list]?.(write(from, part), from.tenantId) ?? raw('false')

const write = (from: Scoped, predicate: Predicate): Sql => {
  if (predicate.is === 'and' || predicate.is === 'or') return writeMany(from, predicate)
  // A comparison with a missing value is unknown in SQL, but its negation must be true.
  if (predicate.is === 'not') return sql`(not coalesce(${write(from, predicate.part)}, false))`
  if (predicate.is === 'some') return writeSome(from, predicate)
  if (predicate.is === 'never') return raw('false')
  const column = columnOf(from, predicate.column)
  return predicate.is === 'present' ? sql`${column} is not null` : compared(column, predicate)
}

/** The condition of a filter; empty if there is no filter. */
export const conditionOf = (from: SqlColumns, tenantId: string, predicate: Predicate | undefined): Sql =>
  predicate ? sql`and ${write({ ...from, tenantId }, predicate)}` : empty

/**
 * True if an index finds the resources, so that PostgreSQL should choose the plan. Other filters follow the order of
 * creation.
 */
export const isIndexed = (predicate: Predicate | undefined): boolean => {
  if (predicate?.is === 'some') return predicate.list !== 'emails' && isIndexed(predicate.part)
  return predicate?.is === 'compare' && predicate.operator === 'eq'
}
