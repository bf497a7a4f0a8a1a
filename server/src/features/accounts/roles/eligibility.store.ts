/** Statements about roles that users may start for a time. */
import sql from 'sql-template-tag'
import type { Giver } from '../../../access/actor.ts'
import { eligibleRoles } from '../../../access/held-roles.sql.ts'
import { principalsOf } from '../../../access/templates.sql.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import type { EligibleRole } from './elevations.schemas.ts'

export interface NewEligibility {
  tenantId: string
  userId: number
  roleId: number
  maxMinutes: number
  giver: Giver
  expiresAt: Date | undefined
}

/** Replaces an eligibility that has ended. Can change nothing: the user is eligible already. */
export const insertEligibility = (db: Db, row: NewEligibility) =>
  db.run(sql`
    insert into eligible_roles as e (tenant_id, user_id, role_id, max_minutes, given_by, given_by_tenant, given_by_account,
      given_at, expires_at)
    values (${row.tenantId}, ${row.userId}, ${row.roleId}, ${row.maxMinutes}, ${row.giver.id}, ${row.giver.elsewhere},
      ${row.giver.accountId}, statement_timestamp(), ${row.expiresAt ?? null})
    on conflict (tenant_id, user_id, role_id) do update
    set max_minutes = excluded.max_minutes, given_by = excluded.given_by, given_by_tenant = excluded.given_by_tenant,
      given_by_account = excluded.given_by_account, given_at = excluded.given_at, expires_at = excluded.expires_at
    where e.expires_at <= statement_timestamp()`)

export const deleteEligibility = (db: Db, tenantId: string, userId: number, roleId: number) =>
  db.one<{ max_minutes: number; expires_at: string }>(sql`
    delete from eligible_roles e
    where e.tenant_id = ${tenantId} and e.user_id = ${userId} and e.role_id = ${roleId}
      and (e.expires_at is null or e.expires_at > statement_timestamp())
    returning max_minutes, ${isoTime('expires_at')} as expires_at`)

export interface EligibilityRow extends Omit<EligibleRole, 'given_by'> {
  given_by: number
  given_by_tenant: string | null
  given_by_name: string
}

/** The roles that a user is eligible for, of those that exist. */
export const selectEligibilities = (db: Db, tenantId: string, userId: number) =>
  db.many<EligibilityRow>(sql`
    select json_build_object('id', r.id, 'name', r.name) as role, e.max_minutes, e.given_by, e.given_by_tenant,
      case when e.given_by_tenant is null
        then coalesce((select username from ${principalsOf(tenantId)} u where u.id = e.given_by), '') else '' end as given_by_name,
      ${isoTime('e.given_at')} as given_at, ${isoTime('e.expires_at')} as expires_at
    from ${eligibleRoles} e
    join (
      select id, name from role_templates union all select id, name from roles where tenant_id = ${tenantId}
    ) r on r.id = e.role_id
    where e.tenant_id = ${tenantId} and e.user_id = ${userId}
    order by r.id`)

/** The longest elevation of a user by a role, in minutes. Undefined if the user is not eligible. */
export const selectEligibility = (db: Db, tenantId: string, userId: number, roleId: number) =>
  db.one<{ max_minutes: number }>(sql`
    select max_minutes from ${eligibleRoles} e
    where e.tenant_id = ${tenantId} and e.user_id = ${userId} and e.role_id = ${roleId}`)

/** Removes a deleted role from those who were eligible. */
export const deleteEligibilitiesOfRole = (db: TransactionDb, tenantId: string, roleId: number): void =>
  db.send(sql`delete from eligible_roles where tenant_id = ${tenantId} and role_id = ${roleId}`)

/** The time until the next end of an eligibility, in milliseconds of the database's clock. Runs as the role of searches. */
export const selectNextEnd = (db: Db) =>
  db.only<{ ms: number | null }>(sql`
    select extract(epoch from min(expires_at) - statement_timestamp())::float8 * 1000 as ms from eligible_roles
    where expires_at > statement_timestamp()`)
