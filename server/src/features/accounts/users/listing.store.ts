import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import { countUpTo, isoTime, takesLong, type Slice } from '../../../db/columns.ts'
import { after, columns, inOrder, ofStatus, patternOf, type UserFilter } from './listed-users.sql.ts'
import { templatesOf } from '../../../access/templates.sql.ts'
import type { ListedUser, UserQuery } from './users.schemas.ts'
import { heldRoles } from '../../../access/held-roles.sql.ts'

/**
 * The values that lists can be sorted by. A missing value comes first. The order of texts is the same on every engine
 * and locale.
 */
const values = {
  username: 'username_folded collate "C" asc',
  email: 'lower(email) collate "C" asc',
  status: 'status asc',
  last_login: 'last_login_at asc nulls first',
} as const

/** An order by a value. A name that begins with `-` means descending. */
export interface ValueSort {
  value: keyof typeof values
  isDescending: boolean
}

/** The order by a value. Undefined for the order by id, which follows creation. */
export const valueSortOf = (sort: UserQuery['sort']): ValueSort | undefined => {
  const name = sort.replace('-', '')
  return name === 'id' || name === 'created_at'
    ? undefined
    : { value: name as keyof typeof values, isDescending: sort.startsWith('-') }
}

const inOrderOf = ({ value, isDescending }: ValueSort): Sql => {
  const ascending = `${values[value]}, id asc`
  return raw(
    isDescending ? ascending.replaceAll(' asc', ' desc').replace('nulls first', 'nulls last') : ascending,
  )
}

/** The ids of all users that match a filter, up to `max`, for sorting by a value. */
export const idsOf = (tenantId: string, filter: UserFilter, max: number): Sql =>
  sql`array(select id from users where tenant_id = ${tenantId} ${ofStatus(filter.status)} order by id limit ${max})`

export const idsIn = (ids: number[]): Sql => sql`${ids}::bigint[]`

/** A page of users in the order of a value. Reads and sorts all users of `ids`, so give it only a few thousand. */
export const selectSorted = (
  db: Db,
  tenantId: string,
  ids: Sql,
  { sort, limit, offset }: Slice & { sort: ValueSort },
) =>
  db.many<ListedUser>(
    takesLong(sql`
      select ${columns} from users where tenant_id = ${tenantId} and id = any (${ids})
      order by ${inOrderOf(sort)} limit ${limit} offset ${offset}`),
  )

export interface HolderFilter extends UserFilter {
  roleId: number
  search: string | undefined
}

/** The users who have a role, each fetched by key. Reading the holders first finds a rare role in a large tenant. */
const holding = (tenantId: string, { roleId, status, search }: HolderFilter, behind = empty): Sql => sql`
  from (
    select user_id from ${heldRoles} r where tenant_id = ${tenantId} and role_id = ${roleId} ${behind}
  ) as held,
  lateral (
    select ${columns} from users
    where tenant_id = ${tenantId} and id = held.user_id ${ofStatus(status)}
      ${search ? sql`and search_folded like ${patternOf(search)}` : empty}
    limit 1
  ) as listed`

export const idsOfHolders = (tenantId: string, filter: HolderFilter, max: number): Sql =>
  sql`array(select listed.id ${holding(tenantId, filter)} limit ${max})`

export const selectHolders = (db: Db, tenantId: string, filter: HolderFilter, { limit, offset }: Slice) =>
  db.many<ListedUser>(
    takesLong(sql`
      select listed.* ${holding(tenantId, filter, after(filter, sql`user_id`))}
      ${inOrder(filter, sql`held.user_id`)} limit ${limit} offset ${offset}`),
  )

/** The number of holders, at most `max` + 1. */
export const countHolders = (db: Db, tenantId: string, filter: HolderFilter, max: number) =>
  db.one<{ count: number }>(takesLong(countUpTo(max, holding(tenantId, filter))))

export interface SeenFilter extends UserFilter {
  /** The UTC day on which the users were seen, or the ids of the named or online users. */
  seen: Date | number[]
  roleId: number | undefined
  search: string | undefined
}

const seenOnes = (tenantId: string, { seen, status, roleId, search }: SeenFilter): Sql => sql`
  from users where tenant_id = ${tenantId} ${ofStatus(status)}
  ${Array.isArray(seen) ? sql`and id = any (${idsIn(seen)})` : sql`and last_seen_on = (${seen}::timestamptz at time zone 'utc')::date`}
  ${search ? sql`and search_folded like ${patternOf(search)}` : empty}
  ${roleId === undefined ? empty : sql`and id in (select user_id from ${heldRoles} r where tenant_id = ${tenantId} and role_id = ${roleId})`}`

export const idsOfSeen = (tenantId: string, filter: SeenFilter, max: number): Sql =>
  sql`array(select id ${seenOnes(tenantId, filter)} limit ${max})`

export const selectSeen = (db: Db, tenantId: string, filter: SeenFilter, { limit, offset }: Slice) =>
  db.many<ListedUser>(
    takesLong(sql`
      select ${columns} from users where tenant_id = ${tenantId} and id = any (array(
        select id ${seenOnes(tenantId, filter)} ${after(filter)} ${inOrder(filter)} limit ${limit} offset ${offset}))
      ${inOrder(filter)}`),
  )

/** The number of these users, at most `max` + 1. */
export const countSeen = (db: Db, tenantId: string, filter: SeenFilter, max: number) =>
  db.one<{ count: number }>(takesLong(countUpTo(max, seenOnes(tenantId, filter))))

export interface AttributedFilter extends Omit<SeenFilter, 'seen'> {
  /** Selects the users with these values, as `user_id`. */
  attributes: Sql
  /** True for the value of one attribute. */
  isOne: boolean
  seen: SeenFilter['seen'] | undefined
}

const hasSeen = ({ seen }: AttributedFilter): Sql => {
  if (seen === undefined) return empty
  return Array.isArray(seen)
    ? sql`and u.id = any (${idsIn(seen)})`
    : sql`and u.last_seen_on = (${seen}::timestamptz at time zone 'utc')::date`
}

/** The users with these values. It reads their rows only for filters that the index of attributes lacks. */
const attributedOnes = (tenantId: string, filter: AttributedFilter): Sql => {
  const { attributes, seen, status, search, roleId } = filter
  const needsRow = status !== undefined || seen !== undefined || search
  const row = sql`join users u on u.tenant_id = ${tenantId} and u.id = held.user_id ${ofStatus(status)} ${hasSeen(filter)}
    ${search ? sql`and u.search_folded like ${patternOf(search)}` : empty}`
  const role = sql`join ${heldRoles} r on r.tenant_id = ${tenantId} and r.user_id = held.user_id and r.role_id = ${roleId}`
  return sql`from (${attributes}) as held ${needsRow ? row : empty} ${roleId === undefined ? empty : role} where true`
}

const attributedId = sql`held.user_id`

/**
 * The users of one value are one range of an index, whatever the value. So a plan that PostgreSQL keeps is right, and
 * saves a third of the time. Other filters take long, and need a plan for their values.
 */
const planned = ({ isOne, seen, status, search, roleId }: AttributedFilter, statement: Sql): Sql =>
  isOne && [seen, status, search, roleId].every((filter) => filter === undefined || filter === '')
    ? statement
    : takesLong(statement)

export const idsOfAttributed = (tenantId: string, filter: AttributedFilter, max: number): Sql =>
  sql`array(select ${attributedId} ${attributedOnes(tenantId, filter)} limit ${max})`

export const selectAttributed = (
  db: Db,
  tenantId: string,
  filter: AttributedFilter,
  { limit, offset }: Slice,
) =>
  db.many<ListedUser>(
    planned(
      filter,
      sql`
      select ${columns} from users where tenant_id = ${tenantId} and id = any (array(
        select ${attributedId} ${attributedOnes(tenantId, filter)} ${after(filter, attributedId)}
        ${inOrder(filter, attributedId)} limit ${limit} offset ${offset}))
      ${inOrder(filter)}`,
    ),
  )

/** The number of these users, at most `max` + 1. */
export const countAttributed = (db: Db, tenantId: string, filter: AttributedFilter, max: number) =>
  db.one<{ count: number }>(planned(filter, countUpTo(max, attributedOnes(tenantId, filter))))

/**
 * The roles of some users. Templates come before the tenant's own roles. `offset 0` makes PostgreSQL look up each user
 * once.
 */
export const selectRolesOfUsers = (db: Db, tenantId: string, userIds: number[]) =>
  db.many<{ user_id: number; id: number; name: string }>(sql`
    with held as materialized (
      select asked.user_id, own.role_id
      from unnest(${userIds}::bigint[]) as asked (user_id),
      lateral (select role_id from ${heldRoles} r where tenant_id = ${tenantId} and user_id = asked.user_id offset 0) as own
    )
    select held.user_id, m.id, m.name from held
    join (select * from ${templatesOf(tenantId)}) m on m.id = held.role_id
    union all
    select held.user_id, r.id, r.name from held
    join roles r on r.tenant_id = ${tenantId} and r.id = held.role_id
    order by user_id, id`)

export const selectCreatedOfUsers = (db: Db, tenantId: string, userIds: number[]) =>
  db.many<{ id: number; created_at: string }>(sql`
    select id, ${isoTime('created_at')} as created_at from users
    where tenant_id = ${tenantId} and id = any (${userIds}::bigint[])`)
