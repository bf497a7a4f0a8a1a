import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime, takesLong, type Slice } from '../../../db/columns.ts'
import { fold } from '../../../values/text.ts'
import { conditionOf, isIndexed, groupSql } from './filter.sql.ts'
import type { Predicate } from './predicates.ts'
import type { DirectoryGroup } from './scim.schemas.ts'
import type { Directory } from './users.store.ts'

export interface GroupRow {
  id: string
  external_id: string | null
  display_name: string
  created_at: string
  updated_at: string
}

const columns = sql`s.id, s.external_id, s.display_name, ${isoTime('s.created_at')} as created_at,
  ${isoTime('s.updated_at')} as updated_at`

const memberCount = sql`(
  select count(*) from scim_group_members m where m.tenant_id = s.tenant_id and m.group_id = s.id)`

const matching = (tenantId: string, filter: Predicate | undefined): Sql =>
  sql`from scim_groups s where s.tenant_id = ${tenantId} ${conditionOf(groupSql, tenantId, filter)}`

const read = (filter: Predicate | undefined, statement: Sql): Sql =>
  isIndexed(filter) ? statement : takesLong(statement)

export interface CountedGroup extends GroupRow {
  member_count: number
}

export const selectGroups = (
  db: Db,
  tenantId: string,
  filter: Predicate | undefined,
  { limit, offset }: Slice,
) =>
  db.many<CountedGroup>(
    read(
      filter,
      sql`select ${columns}, ${memberCount} as member_count ${matching(tenantId, filter)}
      order by s.created_at, s.id limit ${limit} offset ${offset}`,
    ),
  )

export const countGroups = (db: Db, tenantId: string, filter: Predicate | undefined) =>
  db.only<{ count: number }>(read(filter, sql`select count(*) as count ${matching(tenantId, filter)}`))

/** The groups of the directory, for administrators who map roles to them. */
export const selectDirectoryGroups = (db: Db, tenantId: string, { limit, offset }: Slice) =>
  db.many<DirectoryGroup>(
    takesLong(sql`
    select s.id, coalesce(s.external_id, '') as external_id, s.display_name, ${memberCount} as members
    from scim_groups s where s.tenant_id = ${tenantId}
    order by s.created_at, s.id limit ${limit} offset ${offset}`),
  )

export const selectGroup = (db: Db, tenantId: string, id: string) =>
  db.one<CountedGroup>(sql`
    select ${columns}, ${memberCount} as member_count from scim_groups s
    where s.tenant_id = ${tenantId} and s.id = ${id}`)

/** Members of groups, in the order in which the directory created them. */
export const selectMembers = (db: Db, tenantId: string, groupIds: string[]) =>
  db.many<{ group_id: string; value: string; display: string }>(
    takesLong(sql`
    select m.group_id, s.id as value, s.user_name as display
    from scim_group_members m
    join scim_users s on s.tenant_id = m.tenant_id and s.id = m.member_id
    where m.tenant_id = ${tenantId} and m.group_id = any (${groupIds}::uuid[])
    order by m.group_id, s.created_at, s.id`),
  )

export interface GroupValue {
  externalId: string | null
  displayName: string
}

/** Can violate `scim_groups_external_id_key`. */
export const insertGroup = (
  db: Db,
  { tenantId, id, directory }: { tenantId: string; id: string; directory: Directory },
  { externalId, displayName }: GroupValue,
  now: Date,
) =>
  db.run(sql`
    insert into scim_groups (tenant_id, id, connection_id, external_id, display_name, display_name_folded, created_at,
      updated_at)
    values (${tenantId}, ${id}, ${directory.connection_id}, ${externalId}, ${displayName}, ${fold(displayName)}, ${now},
      ${now})`)

/** Can violate `scim_groups_external_id_key`. */
export const updateGroup = (
  db: Db,
  { tenantId, id }: { tenantId: string; id: string },
  { externalId, displayName }: GroupValue,
  now: Date,
) =>
  db.run(sql`
    update scim_groups set external_id = ${externalId}, display_name = ${displayName},
      display_name_folded = ${fold(displayName)}, updated_at = ${now}
    where tenant_id = ${tenantId} and id = ${id}`)

export const deleteGroupRow = (db: TransactionDb, tenantId: string, id: string): void =>
  db.send(sql`delete from scim_groups where tenant_id = ${tenantId} and id = ${id}`)

export const selectKnown = (db: Db, tenantId: string, ids: string[]) =>
  db.many<{ member_id: string }>(sql`
    select id as member_id from scim_users where tenant_id = ${tenantId} and id = any (${ids}::uuid[])`)

/** Adds members. Returns the new ones. */
export const insertMembers = (db: Db, tenantId: string, groupId: string, ids: string[]) =>
  db.many<{ member_id: string }>(sql`
    insert into scim_group_members (tenant_id, group_id, member_id)
    select ${tenantId}::uuid, ${groupId}::uuid, unnest(${ids}::uuid[])
    on conflict do nothing
    returning member_id`)

/** Removes members. Returns the ids that were members. */
export const deleteMembers = (db: Db, tenantId: string, groupId: string, ids: string[]) =>
  db.many<{ member_id: string }>(sql`
    delete from scim_group_members
    where tenant_id = ${tenantId} and group_id = ${groupId} and member_id = any (${ids}::uuid[])
    returning member_id`)

/** Removes all members except `kept`. Returns the removed members. */
export const deleteOtherMembers = (db: Db, tenantId: string, groupId: string, kept: string[]) =>
  db.many<{ member_id: string }>(sql`
    delete from scim_group_members
    where tenant_id = ${tenantId} and group_id = ${groupId}
      and member_id not in (select unnest(${kept}::uuid[]))
    returning member_id`)

/** The users of resources. Omits resources without a user. */
export const selectUserIds = (db: Db, tenantId: string, ids: string[]) =>
  db.many<{ user_id: number }>(sql`
    select user_id from scim_users
    where tenant_id = ${tenantId} and id = any (${ids}::uuid[]) and user_id is not null
    order by user_id`)

/** The roles that a group gives. */
export const selectMappedRoles = (db: Db, tenantId: string, groupId: string) =>
  db.many<{ role_id: number }>(sql`
    select m.role_id from group_mappings m
    join connections c on c.tenant_id = m.tenant_id and c.id = m.connection_id and c.scim_account_id is not null
    where m.tenant_id = ${tenantId} and m.group_name = ${groupId}
    order by m.role_id`)

/**
 * The roles that the directory's groups give to some users. Starts from the users' resources, so that it reads no other
 * users' rows.
 */
export const selectMappedAssignments = (db: Db, tenantId: string, userIds: number[]) =>
  db.many<{ user_id: number; role_id: number }>(sql`
    with pushed as materialized (
      select id, user_id, connection_id from scim_users
      where tenant_id = ${tenantId} and user_id = any (${userIds}::bigint[])
    )
    select distinct s.user_id, m.role_id
    from pushed s
    join scim_group_members g on g.tenant_id = ${tenantId} and g.member_id = s.id
    join group_mappings m on m.tenant_id = ${tenantId} and m.connection_id = s.connection_id
      and m.group_name = g.group_id::text`)

/** Every user of the directory that exists in the tenant. */
export const selectAllUserIds = (db: Db, tenantId: string) =>
  db.many<{ user_id: number }>(sql`
    select user_id from scim_users where tenant_id = ${tenantId} and user_id is not null order by user_id`)

/** The tables that a directory fills, in the order in which the end of the directory deletes their rows. */
export const pushedTables = ['scim_group_members', 'scim_groups', 'scim_users'] as const

/** Deletes up to `limit` rows that a directory pushed. Returns their number. */
export const deletePushed = (
  db: TransactionDb,
  table: (typeof pushedTables)[number],
  tenantId: string,
  limit: number,
) =>
  db.run(sql`
    delete from ${raw(table)}
    where tenant_id = ${tenantId} and ctid = any (array(select ctid from ${raw(table)} where tenant_id = ${tenantId} limit ${limit}))`)
