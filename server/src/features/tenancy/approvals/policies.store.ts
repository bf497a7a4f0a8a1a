/** Statements about the policies of approvals, and about those who decide. */
import sql, { type Sql } from 'sql-template-tag'
import { activeElevations, heldRoles } from '../../../access/held-roles.sql.ts'
import { codesOfRoles } from '../../../access/templates.sql.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { ApprovalPolicy } from './policies.schemas.ts'

const columns = sql`operation, approvals, array_to_json(permission_codes) as permission_codes, break_glass`

export const selectPolicies = (db: Db, tenantId: string) =>
  db.many<ApprovalPolicy>(sql`
    select ${columns} from approval_policies where tenant_id = ${tenantId} order by operation`)

export const selectPolicy = (db: Db, tenantId: string, operation: string) =>
  db.one<ApprovalPolicy>(sql`
    select ${columns} from approval_policies where tenant_id = ${tenantId} and operation = ${operation}`)

export const upsertPolicy = (
  db: TransactionDb,
  tenantId: string,
  { operation, approvals, permission_codes: codes, break_glass: breakGlass }: ApprovalPolicy,
): void =>
  db.send(sql`
    insert into approval_policies (tenant_id, operation, approvals, permission_codes, break_glass)
    values (${tenantId}, ${operation}, ${approvals}, ${codes}::text[], ${breakGlass})
    on conflict (tenant_id, operation) do update
    set approvals = excluded.approvals, permission_codes = excluded.permission_codes, break_glass = excluded.break_glass`)

export const deletePolicyRow = (db: TransactionDb, tenantId: string, operation: string) =>
  db.run(sql`delete from approval_policies where tenant_id = ${tenantId} and operation = ${operation}`)

export const deletePolicyRows = (db: TransactionDb, tenantId: string) =>
  db.run(sql`delete from approval_policies where tenant_id = ${tenantId}`)

/** The roles that a user `u` holds, and those of elevations in sessions that live. */
const rolesOfUser = (tenantId: string): Sql => sql`(
  select role_id, expires_at from ${heldRoles} r where r.tenant_id = ${tenantId} and r.user_id = u.id
  union all
  select e.role_id, e.expires_at
  from ${activeElevations} e
  join sessions s on s.tenant_id = e.tenant_id and s.id = e.session_id and s.user_id = e.user_id
  join accounts a on a.id = s.account_id and a.session_epoch = s.account_epoch
  where e.tenant_id = ${tenantId} and e.user_id = u.id and s.expires_at > statement_timestamp())`

/** The roles that give a permission, as ids. */
const rolesWith = (tenantId: string, code: string): Sql => sql`
  (select rp.role_id from role_permissions rp join permissions p on p.id = rp.permission_id
    where rp.tenant_id = ${tenantId} and p.code = ${code} and p.removed_at is null
  union all
  select tp.template_id from template_permissions tp join permissions p on p.id = tp.permission_id
    where p.code = ${code})`

/**
 * The number of users who may decide, up to `max`: enabled, with a second factor, and the permission without an end.
 * Scalar subqueries make PostgreSQL stop at `max` instead of joining all users.
 */
export const countDeciders = (db: Db, tenantId: string, code: string, max: number) =>
  db.only<{ count: number }>(sql`
    select count(*)::int as count from (
      select from users u
      where u.tenant_id = ${tenantId} and u.status = 1
        and (select 1 from factors f where f.account_id = u.account_id and f.is_confirmed limit 1) = 1
        and (
          select 1 from ${heldRoles} ur
          where ur.tenant_id = ${tenantId} and ur.user_id = u.id and ur.expires_at is null
            and ur.role_id in ${rolesWith(tenantId, code)}
          limit 1) = 1
      limit ${max}) as able`)

export interface Approver {
  id: number
  account_id: number
  name: string
  codes: string[]
}

/** The enabled users with a second factor among `ids`, with the codes that they hold now. */
export const selectApprovers = (db: Db, tenantId: string, ids: number[]) =>
  db.many<Approver>(sql`
    select u.id, u.account_id, u.username as name,
      array(${codesOfRoles(sql`${tenantId}`, rolesOfUser(tenantId))}) as codes
    from users u
    where u.tenant_id = ${tenantId} and u.id = any (${ids}::bigint[]) and u.status = 1
      and exists (select from factors f where f.account_id = u.account_id and f.is_confirmed)`)
