/** The one condition on which a person reaches a tenant: sign-ins, switches, refreshes and every request ask it. */
import sql, { type Sql } from 'sql-template-tag'
import { ssoRequired } from './tenant-settings.sql.ts'

/** Parts of a session or a sign-in, as SQL. */
interface Reaching {
  tenantId: Sql
  userId: Sql
  /** Whether it was opened with two kinds of proof. */
  hasMfa: Sql
  /** The connection that opened it, or null; undefined for a sign-in that is about to be proved. */
  connectionId?: Sql
}

const byConnection = (tenantId: Sql, connectionId: Sql | undefined): Sql =>
  connectionId
    ? sql`exists (
    select from connections where tenant_id = ${tenantId} and id = ${connectionId} and status = 'active')`
    : sql`false`

/**
 * Where the tenant requires it, a person comes by an active connection, or as a break-glass user with a second factor.
 * Without the factor an exemption opens nothing.
 */
export const reachesTenant = ({ tenantId, userId, hasMfa, connectionId }: Reaching): Sql => sql`(
  not ${ssoRequired(tenantId)} or ${byConnection(tenantId, connectionId)}
  or (${hasMfa} and exists (select from sso_exemptions where tenant_id = ${tenantId} and user_id = ${userId})))`

/** The same for a session `s`. */
export const sessionReaches: Sql = reachesTenant({
  tenantId: sql`s.tenant_id`,
  userId: sql`s.user_id`,
  hasMfa: sql`'mfa' = any (s.amr)`,
  connectionId: sql`s.connection_id`,
})
