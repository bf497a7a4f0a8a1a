import sql, { type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../db/client.ts'
import { inAccountScope } from '../db/scope.ts'
import { builtInTenant, platformAdminId } from './permissions.ts'
import { codesHeld, codesOfRoles, endsOfCodes, principalsOf } from './templates.sql.ts'
import { eligibleRoles, heldRoles, rolesInSession, rolesOf } from './held-roles.sql.ts'

interface CodeRow {
  code: string
}

const codesOfTenant = (tenantId: string): Sql => sql`
  select code from permissions
  where removed_at is null and (not platform_only or ${tenantId}::uuid = ${builtInTenant.id}::uuid)`

/**
 * The codes that a user or service account holds by any role, or is eligible for. A directory's service account counts
 * as holding all.
 */
export const selectCodesOfUser = (db: Db, tenantId: string, userId: number) =>
  db.many<CodeRow>(sql`
    ${codesHeld(sql`${tenantId}`, sql`${userId}`)}
    union
    ${codesOfRoles(sql`${tenantId}`, sql`(select role_id from ${eligibleRoles} e where e.tenant_id = ${tenantId} and e.user_id = ${userId})`)}
    union
    ${codesOfTenant(tenantId)} and exists (
      select 1 from connections where tenant_id = ${tenantId} and scim_account_id = ${userId})`)

/** The codes that a user holds by roles, without elevations: those count in the session that asked alone. */
export const selectCodesHeld = (db: Db, tenantId: string, userId: number) =>
  db.many<CodeRow>(codesHeld(sql`${tenantId}`, sql`${userId}`))

export const selectCodesOfTenant = (db: Db, tenantId: string) => db.many<CodeRow>(codesOfTenant(tenantId))

export interface PrincipalRow {
  status: number
  tenant_status: number
  /** Null for a service account. */
  account_id: number | null
  codes: string[]
  /** When each code that the principal holds only for a time ends (ISO 8601). Null if none ends. */
  ends: Record<string, string> | null
}

/**
 * All facts that decide the permissions of a user or service account, read in one snapshot. With a session, also the
 * elevations that count in it.
 */
export const selectPrincipal = (db: Db, tenantId: string, userId: number, sessionId?: string) => {
  const [tenant, user] = [sql`${tenantId}`, sql`u.id`]
  const roles =
    sessionId === undefined ? rolesOf(tenant, user) : rolesInSession(tenant, user, sql`${sessionId}`)
  return db.one<PrincipalRow>(sql`
    select u.status, u.account_id, t.status as tenant_status, array(${codesOfRoles(tenant, roles)}) as codes,
      ${endsOfCodes(tenant, roles)} as ends
    from ${principalsOf(tenantId)} u
    join tenants t on t.id = u.tenant_id
    where u.id = ${userId}`)
}

/** The effective permissions. They are empty for a disabled user or service account, and in a disabled tenant. */
export interface EffectivePermissions {
  user_id: number
  username: string
  codes: string[]
}

const effectivePermissions = (tenantId: string): Sql => sql`
  u.id as user_id, u.username,
  case when u.status = 1 and t.status = 1
    then array(${codesHeld(sql`${tenantId}`, sql`u.id`)}) else '{}' end as codes`

/** The users that a change can concern: the holders of some roles, and some single users. */
export interface AffectedUsers {
  roleIds: number[]
  userIds: number[]
}

/**
 * Declares a cursor over the permissions of the users, by id. It shows the present permissions, even if the transaction
 * changes them later.
 */
export const declareAffected = (
  db: TransactionDb,
  tenantId: string,
  { roleIds, userIds }: AffectedUsers,
): void => {
  const affected = sql`
    select ${effectivePermissions(tenantId)}
    from (
      select user_id from ${heldRoles} r where tenant_id = ${tenantId} and role_id = any (${roleIds}::bigint[])
      union
      select unnest(${userIds}::bigint[])
    ) as one
    join ${principalsOf(tenantId)} u on u.id = one.user_id
    join tenants t on t.id = u.tenant_id
    order by u.id`
  const cursor = sql`declare affected no scroll cursor for`
  db.send(sql`${cursor} ${affected}`)
}

/** The next 1000 users of the cursor. */
export const fetchAffected = (db: TransactionDb) =>
  db.many<EffectivePermissions>(sql`fetch 1000 from affected`)

export const selectEffectivePermissions = (db: Db, tenantId: string, userIds: number[]) =>
  db.many<EffectivePermissions>(sql`
    select ${effectivePermissions(tenantId)} from ${principalsOf(tenantId)} u
    join tenants t on t.id = u.tenant_id
    where u.id = any (${userIds}::bigint[])`)

/** The number of platform administrators, and of sign-in methods of a tenant that requires single sign-on. */
export interface WaysIn {
  platform_admins: number
  connections: number
  /** The number of enabled users with an exemption from single sign-on. */
  exempted: number
  /** The number of exempted users who could sign in now, because they have a second factor. */
  break_glass: number
}

export const countWaysIn = (db: Db, tenantId: string) =>
  db.only<WaysIn>(sql`
    select
      (select count(*)::int from ${heldRoles} ur
        join users u on u.tenant_id = ur.tenant_id and u.id = ur.user_id
        where ur.tenant_id = ${tenantId} and ur.role_id = ${platformAdminId} and ur.expires_at is null and u.status = 1) as platform_admins,
      (select count(*)::int from connections where tenant_id = ${tenantId} and status = 'active') as connections,
      count(*)::int as exempted,
      (count(*) filter (where exists (
        select from factors where account_id = u.account_id and is_confirmed)))::int as break_glass
    from sso_exemptions e
    join users u on u.tenant_id = e.tenant_id and u.id = e.user_id
    where e.tenant_id = ${tenantId} and u.status = 1`)

/** The tenants that exempt a user of the account from single sign-on. */
export const selectExemptedTenants = (db: TransactionDb, accountId: number) =>
  inAccountScope(db, accountId, () =>
    db.many<{ tenant_id: string }>(sql`
      select tenant_id from sso_exemptions where account_id = ${accountId} order by tenant_id`),
  )
