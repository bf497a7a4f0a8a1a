/** Parts of statements about support sessions. */
import sql, { type Sql } from 'sql-template-tag'

/** How staff, callers by `tenant:enter`, get into support sessions: `ask`, `allowed` or `off`. */
export const supportAccessSetting = 'auth.support_access'

/** The same for colleagues, other users of the tenant. */
export const supportColleaguesSetting = 'auth.support_colleagues'

/** Whether the user is asked and notified. */
export const supportNoticeSetting = 'auth.support_notice'

/**
 * The value of one of the first two settings: `ask` without a value, and `off` for any other value. Only the tenant's own
 * value counts.
 */
export const supportMode = (tenantId: Sql, key: Sql): Sql => sql`
  coalesce((
    select case when value in ('"ask"', '"allowed"') then value #>> '{}' else 'off' end
    from tenant_settings where tenant_id = ${tenantId} and key = ${key}), 'ask')`

/** The setting that counts for the support session `s`. */
export const modeOfSession: Sql = supportMode(
  sql`s.tenant_id`,
  sql`case when s.actor_tenant_id = s.tenant_id then ${supportColleaguesSetting} else ${supportAccessSetting} end`,
)

/** True unless the tenant switched this kind of support off, or asks and nobody has allowed this session. */
export const isOpenTo = (mode: Sql): Sql => sql`
  (${mode} = 'allowed' or (${mode} = 'ask' and s.decided_by is not null))`

/** The status now: the time of a request or a session can be over before its end is recorded. */
export const statusOfSupport: Sql = sql`
  case when s.status in ('waiting', 'ready') and s.expires_at <= statement_timestamp() then 'expired'
    when s.status = 'active' and (s.ended_at is not null or s.ends_at <= statement_timestamp()) then 'over'
    else s.status end`
