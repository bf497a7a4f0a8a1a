/** The condition for a person to reach a tenant. Sign-ins, switches, refreshes and every request check it. */
import sql, { type Sql } from 'sql-template-tag'
import { ssoRequired } from './tenant-settings.sql.ts'

/** Columns of a session or a sign-in, as SQL. */
interface SessionColumns {
  tenantId: Sql
  userId: Sql
  /** True if two kinds of proof opened the session or sign-in. */
  hasMfa: Sql
  /** The connection that opened the session or sign-in, or null. Undefined for a sign-in before its proof. */
  connectionId?: Sql
}

const byConnection = (tenantId: Sql, connectionId: Sql | undefined): Sql =>
  connectionId
    ? sql`exists (
    select from connections where tenant_id = ${tenantId} and id = ${connectionId} and status = 'active')`
    : sql`false`

/**
 * A tenant can require single sign-on. Its users then sign in by an active connection, or as break-glass users with a
 * second factor. An exemption without the factor gives no access.
 */
export const reachesTenant = ({ tenantId, userId, hasMfa, connectionId }: SessionColumns): Sql => sql`(
  not ${ssoRequired(tenantId)} or ${byConnection(tenantId, connectionId)}
  or (${hasMfa} and exists (select from sso_exemptions where tenant_id = ${tenantId} and user_id = ${userId})))`

/** `reachesTenant` for the session `s`. */
export const sessionReaches: Sql = reachesTenant({
  tenantId: sql`s.tenant_id`,
  userId: sql`s.user_id`,
  hasMfa: sql`'mfa' = any (s.amr)`,
  connectionId: sql`s.connection_id`,
})
