import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/client.ts'
import { emailOpen, passwordExpired } from '../db/columns.ts'
import type { UsedApplication } from './application-use.ts'
import { codesOfRoles, endsOfCodes } from './templates.sql.ts'
import { reachesTenant } from './reach.sql.ts'
import { factorRequired } from './tenant-settings.sql.ts'
import { rolesInSession, rolesOf } from './held-roles.sql.ts'
import type { Caller, Credential } from './credential.ts'

export interface CallerRow extends UsedApplication {
  tenant_status: number
  tenant_slug: string
  /** The username, or the name of the service account. */
  name: string
  permissions: string[]
  /** When each permission that the caller holds only for a time ends (ISO 8601). Null if none ends. */
  ends: Record<string, string> | null
  /** True if the caller's tenant requires a second factor from people. */
  is_factor_required: boolean
  /** The kinds of proof of the person's identity (RFC 8176); null for a service account. */
  amr: string[] | null
  /** True if the person registered the account and has not confirmed its present address. */
  is_email_open: boolean
  /** True if an expired password opened the session. */
  is_password_expired: boolean
  /** Null for a service account. */
  account_id: number | null
  /** True if the row shows a use of the session or key within the last 5 minutes. */
  is_noted: boolean
  /**
   * True if the row shows that the user was active today (UTC). Also true for a service account, which has no such
   * column.
   */
  is_seen_today: boolean
  /** Null for a session. */
  key_id: number | null
  expires_at: Date | null
  allowed_cidrs: string[] | null
  /** Null for a session of the console or the SDK, and for a key. */
  application_id: number | null
  application_name: string | null
  is_third_party: boolean | null
  /** True if tokens of the application work at this API. */
  is_api_open: boolean | null
  /** The permissions that the session may use; null for all that the user has. */
  narrowed_codes: string[] | null
  /** The connection that opened the session, or null. */
  connection_id: string | null
}

/**
 * A query for each kind of credential. It finds a row if the credential is valid and its user or service account is
 * enabled.
 */
const holderQueries: Record<
  Exclude<Credential['kind'], 'guest' | 'support'>,
  (caller: Caller, now: Date) => Sql
> = {
  session: ({ tenantId, userId, credential }, now) => sql`
    select u.username as name, u.account_id, s.amr, ${emailOpen} as is_email_open,
      ${passwordExpired} as is_password_expired,
      s.account_id is not null and s.last_used_at > ${now}::timestamptz - interval '5 minutes' as is_noted,
      coalesce(u.last_seen_on = (${now}::timestamptz at time zone 'utc')::date, false) as is_seen_today,
      null::bigint as key_id, null::timestamptz as expires_at, null::text[] as allowed_cidrs,
      s.application_id, p.name as application_name, p.is_third_party, p.tenantry_api as is_api_open, s.narrowed_codes, p.required_permission, s.connection_id
    from sessions s
    join users u on u.tenant_id = ${tenantId} and u.id = ${userId}
    join accounts a on a.id = u.account_id
    left join applications p on p.id = s.application_id
    where s.tenant_id = ${tenantId} and s.id = ${credential.id} and s.user_id = ${userId} and s.expires_at > ${now}
      and s.account_epoch = a.session_epoch and u.status = 1 and (s.application_id is null or p.status = 1)`,
  sign_in: ({ tenantId, userId, credential }, now) => sql`
    select u.username as name, u.account_id, g.amr, ${emailOpen} as is_email_open,
      a.password_expired_at is not null and 'pwd' = any (g.amr) as is_password_expired, true as is_noted, true as is_seen_today,
      null::bigint as key_id, null::timestamptz as expires_at, null::text[] as allowed_cidrs,
      null::bigint as application_id, null::text as application_name, null::boolean as is_third_party, null::boolean as is_api_open, null::text[] as narrowed_codes, null::text as required_permission, g.connection_id
    from sign_ins g
    join accounts a on a.id = g.account_id
    join users u on u.tenant_id = ${tenantId} and u.id = ${userId} and u.account_id = a.id
    where g.id = ${credential.id} and g.expires_at > ${now} and g.account_epoch = a.session_epoch and u.status = 1
      and coalesce(g.connection_tenant_id, ${tenantId}) = ${tenantId}`,
  key: (caller, now) => keyQuery(caller, now, sql`k.secret_hash = decode(${caller.credential.id}, 'hex')`),
  issued: (caller, now) => keyQuery(caller, now, sql`k.id = ${Number(caller.credential.id)}`),
}

const keyQuery = ({ tenantId, userId, credential }: Caller, now: Date, isKey: Sql): Sql => sql`
    select a.name, null::bigint as account_id, null::text[] as amr, false as is_email_open, false as is_password_expired,
      coalesce(k.last_used_at > ${now}::timestamptz - interval '5 minutes', false) as is_noted, true as is_seen_today,
      k.id as key_id, k.expires_at, k.allowed_cidrs, null::bigint as application_id, null::text as application_name, null::boolean as is_third_party, null::boolean as is_api_open,
      ${credential.narrowedTo ?? null}::text[] as narrowed_codes, null::text as required_permission, null::uuid as connection_id
    from service_account_keys k
    join service_accounts a on a.tenant_id = k.tenant_id and a.id = k.account_id
    where k.tenant_id = ${tenantId} and k.account_id = ${userId} and ${isKey}
      and (k.expires_at is null or k.expires_at > ${now}) and a.status = 1`

/** An elevation counts in the session that asked for it alone. */
const rolesOfCaller = ({ tenantId, userId, credential: { kind, id } }: Caller): Sql =>
  kind === 'session'
    ? rolesInSession(sql`${tenantId}`, sql`${userId}`, sql`${id}`)
    : rolesOf(sql`${tenantId}`, sql`${userId}`)

/**
 * All facts that decide a caller's permissions now. Undefined if the credential has ended, the user is disabled, or the
 * user or tenant is removed. Also undefined if the tenant requires another sign-in, for guests (guests.ts) and in a
 * support session (support.ts).
 */
export const selectCaller = async (db: Db, caller: Caller, now: Date): Promise<CallerRow | undefined> => {
  const { kind } = caller.credential
  if (kind === 'guest' || kind === 'support') return undefined
  const roles = rolesOfCaller(caller)
  return db.one<CallerRow>(sql`
    select t.status as tenant_status, t.slug as tenant_slug, c.*, ${factorRequired(sql`${caller.tenantId}`)} as is_factor_required,
      array(${codesOfRoles(sql`${caller.tenantId}`, roles)}) as permissions,
      ${endsOfCodes(sql`${caller.tenantId}`, roles)} as ends
    from (${holderQueries[kind](caller, now)}) as c
    join tenants t on t.id = ${caller.tenantId} and t.deleted_at is null
    where c.amr is null or ${reachesTenant({
      tenantId: sql`${caller.tenantId}`,
      userId: sql`${caller.userId}`,
      amr: sql`c.amr`,
      hasMfa: sql`'mfa' = any (c.amr)`,
      connectionId: sql`c.connection_id`,
    })}`)
}
