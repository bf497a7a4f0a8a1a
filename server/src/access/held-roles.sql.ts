/** Which assignments count (decision 0319). Every statement that reads `user_roles` to decide or to list uses these parts. */
import sql, { raw, type Sql } from 'sql-template-tag'

/** True while an assignment counts. The clock is the database's, so that all replicas agree on its end. */
export const isLasting = (assignment: string): Sql =>
  raw(`(${assignment}.expires_at is null or ${assignment}.expires_at > statement_timestamp())`)

/** The assignments that count now, as a table. */
export const heldRoles: Sql = sql`(select tenant_id, user_id, role_id, source, expires_at from user_roles held where ${isLasting('held')})`

/**
 * The next time of a notice to holder and giver: 7 days and 1 day before the end. Each notice needs a whole time of over
 * twice that (docs/contract.md, "Roles that end").
 */
export const warnAt = (expiresAt: Sql): Sql => sql`
  case
    when ${expiresAt} > statement_timestamp() + interval '14 days' then ${expiresAt} - interval '7 days'
    when ${expiresAt} > statement_timestamp() + interval '2 days' then ${expiresAt} - interval '1 day'
  end`

/** The eligibility that counts now, as a table. */
export const eligibleRoles: Sql = sql`(select * from eligible_roles eligible where ${isLasting('eligible')})`

/**
 * The elevations that count now, as a table. The user is still eligible, and still has every second factor of the start.
 * The session is the caller's own, so that it lives.
 */
export const activeElevations: Sql = sql`(
  select e.tenant_id, e.id, e.user_id, e.role_id, e.session_id, least(e.ends_at, g.expires_at) as expires_at
  from elevations e
  join ${eligibleRoles} g on g.tenant_id = e.tenant_id and g.user_id = e.user_id and g.role_id = e.role_id
    and g.given_at <= e.started_at
  where e.ended_at is null and e.ends_at > statement_timestamp() and not exists (
    select from unnest(e.factor_ids) as one(factor_id)
    where not exists (select from factors f where f.id = one.factor_id and f.is_confirmed)))`

/** The roles that a user holds, with their ends. */
export const rolesOf = (tenantId: Sql, userId: Sql): Sql => sql`
  (select role_id, expires_at from ${heldRoles} r where r.tenant_id = ${tenantId} and r.user_id = ${userId})`

/** The roles that a user holds in a session, with their ends. */
export const rolesInSession = (tenantId: Sql, userId: Sql, sessionId: Sql): Sql => sql`
  (select role_id, expires_at from ${heldRoles} r where r.tenant_id = ${tenantId} and r.user_id = ${userId}
    union all
    select role_id, expires_at from ${activeElevations} r
    where r.tenant_id = ${tenantId} and r.user_id = ${userId} and r.session_id = ${sessionId})`
