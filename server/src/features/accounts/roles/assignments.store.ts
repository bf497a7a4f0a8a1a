/** Statements about single assignments of roles. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Giver } from '../../../access/actor.ts'
import { heldRoles, isLasting, warnAt } from '../../../access/held-roles.sql.ts'
import { principalsOf, rolesGiving } from '../../../access/templates.sql.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { countUpTo, isoTime, takesLong, type Slice } from '../../../db/columns.ts'
import type { Assignment } from './assignments.schemas.ts'

export interface NewAssignment {
  tenantId: string
  userIds: number[]
  roleId: number
  giver: Giver
  expiresAt: Date | undefined
}

/** Can violate `user_roles_pkey`. */
export const insertUserRoles = (
  db: TransactionDb,
  { tenantId, userIds, roleId, giver, expiresAt }: NewAssignment,
): void => {
  const end = sql`${expiresAt ?? null}::timestamptz`
  db.send(sql`
    insert into user_roles (tenant_id, user_id, role_id, assigned_by, assigned_by_tenant, assigned_by_account, expires_at, warn_at)
    select ${tenantId}::uuid, user_id, ${roleId}::bigint, ${giver.id}::bigint, ${giver.elsewhere}::uuid,
      ${giver.accountId}::bigint, ${end}, ${warnAt(end)}
    from unnest(${userIds}::bigint[]) user_id
    returning role_id`)
}

export interface HeldRole {
  source: Assignment['source']
  /** "" for an assignment without an end. */
  expires_at: string
}

const held = sql`source, ${isoTime('expires_at')} as expires_at`

export const selectUserRole = (db: Db, tenantId: string, userId: number, roleId: number) =>
  db.one<HeldRole>(sql`
    select ${held} from ${heldRoles} r where tenant_id = ${tenantId} and user_id = ${userId} and role_id = ${roleId}`)

export const deleteUserRoles = (db: Db, tenantId: string, userIds: number[], roleId: number) =>
  db.run(sql`
    delete from user_roles where tenant_id = ${tenantId} and role_id = ${roleId} and user_id = any (${userIds})`)

/** Returns the assignment, if it still counted. */
export const deleteUserRoleRow = (db: Db, tenantId: string, userId: number, roleId: number) =>
  db.one<HeldRole>(sql`
    delete from user_roles r
    where r.tenant_id = ${tenantId} and r.user_id = ${userId} and r.role_id = ${roleId} and ${isLasting('r')}
    returning ${held}`)

/** The giver changes with the end only if the assignment now lasts longer. */
export const updateUserRoleEnd = (
  db: TransactionDb,
  { tenantId, userIds, roleId, giver, expiresAt }: NewAssignment,
  isLonger: boolean,
): void => {
  const end = sql`${expiresAt ?? null}::timestamptz`
  const by = sql`, assigned_by = ${giver.id}, assigned_by_tenant = ${giver.elsewhere}, assigned_by_account = ${giver.accountId}`
  db.send(sql`
    update user_roles set expires_at = ${end}, warn_at = ${warnAt(end)} ${isLonger ? by : empty}
    where tenant_id = ${tenantId} and user_id = any (${userIds}) and role_id = ${roleId}`)
}

export interface EndedAssignment {
  user_id: number
  role_id: number
  /** The name of the user or service account; "" if it is removed. */
  username: string
  /** The name of the role; "" if it is removed. */
  role: string
  expires_at: string
}

const nameOfHolder = (tenantId: string): Sql => sql`
  coalesce((select username from ${principalsOf(tenantId)} u where u.id = one.user_id), '')`

const nameOfRole = (tenantId: string): Sql => sql`
  coalesce((select name from role_templates where id = one.role_id),
    (select name from roles where tenant_id = ${tenantId} and id = one.role_id), '')`

/** The assignments of some users to delete once they have ended. */
export interface EndedOf {
  userIds: number[]
  roleId: number
}

/** Deletes assignments that have ended, up to `limit`. */
export const deleteEnded = (db: Db, tenantId: string, limit: number, of?: EndedOf) =>
  db.many<EndedAssignment>(sql`
    with one as (
      delete from user_roles where tenant_id = ${tenantId} and ctid = any (array(
        select ctid from user_roles r
        where r.tenant_id = ${tenantId} and r.expires_at <= statement_timestamp()
          ${of ? sql`and r.user_id = any (${of.userIds}::bigint[]) and r.role_id = ${of.roleId}` : empty}
        limit ${limit} for update))
      returning user_id, role_id, expires_at
    )
    select user_id, role_id, ${isoTime('expires_at')} as expires_at, ${nameOfHolder(tenantId)} as username,
      ${nameOfRole(tenantId)} as role
    from one`)

/** The tenants with ended assignments. Runs as the role of searches, which sees all tenants. */
export const selectTenantsWithEnded = (db: Db, limit: number) =>
  db.many<{ tenant_id: string }>(sql`
    select distinct tenant_id from user_roles where expires_at <= statement_timestamp() limit ${limit}`)

/** The time until the next end, in milliseconds of the database's clock. Runs as the role of searches. */
export const selectNextEnd = (db: Db) =>
  db.only<{ ms: number | null }>(sql`
    select extract(epoch from min(expires_at) - statement_timestamp())::float8 * 1000 as ms from user_roles
    where expires_at is not null`)

export interface DueWarning {
  tenant_id: string
  id: number
}

/** The assignments whose holders and givers are to be told of the end. Runs as the role of searches. */
export const selectDueWarnings = (db: Db, limit: number) =>
  db.many<DueWarning>(sql`
    select tenant_id, id from user_roles where warn_at <= statement_timestamp() limit ${limit}`)

export interface WarnedAssignment extends EndedAssignment {
  assigned_by: number
  assigned_by_tenant: string | null
}

/** Moves a due warning on. Undefined if it is not due any more. */
export const updateWarned = (db: Db, tenantId: string, id: number) =>
  db.one<WarnedAssignment>(sql`
    with one as (
      update user_roles r set warn_at = case when r.warn_at < r.expires_at - interval '1 day' then r.expires_at - interval '1 day' end
      where r.tenant_id = ${tenantId} and r.id = ${id} and r.warn_at <= statement_timestamp() and ${isLasting('r')}
      returning *
    )
    select user_id, role_id, ${isoTime('expires_at')} as expires_at, assigned_by, assigned_by_tenant,
      ${nameOfHolder(tenantId)} as username, ${nameOfRole(tenantId)} as role
    from one`)

export interface AssignmentFilter {
  userId: number | undefined
  roleId: number | undefined
  /** The code of a permission that the role gives. */
  permission: string | undefined
  expiresBefore: Date | undefined
}

const matching = (
  tenantId: string,
  { userId, roleId, permission, expiresBefore }: AssignmentFilter,
): Sql => sql`
  from user_roles r
  where r.tenant_id = ${tenantId} and ${isLasting('r')}
    ${userId === undefined ? empty : sql`and r.user_id = ${userId}`}
    ${roleId === undefined ? empty : sql`and r.role_id = ${roleId}`}
    ${permission === undefined ? empty : sql`and r.role_id in (${rolesGiving(tenantId, permission)})`}
    ${expiresBefore === undefined ? empty : sql`and r.expires_at is not null and r.expires_at < ${expiresBefore}`}`

export interface AssignmentRow extends Omit<Assignment, 'assigned_by'> {
  assigned_by: number
  assigned_by_tenant: string | null
  assigned_by_name: string
}

/** A page of assignments, by id. Names are looked up for the page alone. */
export const selectAssignments = (
  db: Db,
  tenantId: string,
  filter: AssignmentFilter & { afterId: number | undefined },
  { limit, offset }: Slice,
) =>
  db.many<AssignmentRow>(
    takesLong(sql`
      select one.id, one.source, one.assigned_by, one.assigned_by_tenant, ${isoTime('one.assigned_at')} as assigned_at,
        ${isoTime('one.expires_at')} as expires_at,
        json_build_object('id', one.user_id, 'name', ${nameOfHolder(tenantId)}, 'type', case
          when exists (select from service_accounts a where a.tenant_id = ${tenantId} and a.id = one.user_id)
          then 'service_account' else 'user' end) as user,
        json_build_object('id', one.role_id, 'name', ${nameOfRole(tenantId)}) as role,
        case when one.assigned_by_tenant is null
          then coalesce((select username from ${principalsOf(tenantId)} u where u.id = one.assigned_by), '')
          else '' end as assigned_by_name
      from (
        select r.* ${matching(tenantId, filter)} ${filter.afterId === undefined ? empty : sql`and r.id > ${filter.afterId}`}
        order by r.id limit ${limit} offset ${offset}
      ) as one
      order by one.id`),
  )

/** The number of these assignments, at most `max` + 1. */
export const countAssignments = (db: Db, tenantId: string, filter: AssignmentFilter, max: number) =>
  db.only<{ count: number }>(
    takesLong(countUpTo(max, sql`${matching(tenantId, filter)} ${raw('order by r.id')}`)),
  )

/** The names of users and service accounts of the tenant in scope. */
export const selectNames = (db: Db, tenantId: string, ids: number[]) =>
  db.many<{ id: number; username: string }>(sql`
    select id, username from ${principalsOf(tenantId)} u where id = any (${ids}::bigint[])`)
