import sql from 'sql-template-tag'
import { sessionBarrier } from '../../../access/reach.sql.ts'
import type { UsedApplication } from '../../../access/application-use.ts'
import { emailOpen, passwordExpired } from '../../../db/columns.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { inAccountScope } from '../../../db/scope.ts'
import { endingSessions } from './ending.sql.ts'
import { isLiving } from './living.sql.ts'
import type { EndedSession, NewSession, SessionRow } from './sessions.store.ts'

/** The part of a session that its application decides. */
export interface SessionOfApplication {
  applicationId: number
  /** Undefined for a session without a resource. */
  resourceId: number | undefined
  grantId: number | undefined
  scopes: string[]
  /** The permissions that the session may use. Undefined means all permissions of the user. */
  narrowedTo: string[] | undefined
  authTime: Date
  /** True if the session is a sign-in of its own, which continues after the browser's sign-in. */
  isOffline: boolean
  /** The browser sign-in that began the session; undefined for a device. */
  signInId: string | undefined
  /** The connection's own end; undefined if there is none. */
  latestExpiresAt: Date | undefined
}

/** Converts undefined to SQL's null. */
const orNull = <T>(value: T | undefined): T | null => value ?? null

/** Assigns a new session to its application. */
export const updateSessionOfApplication = (
  db: TransactionDb,
  { tenantId, id, expiresAt }: Pick<NewSession, 'tenantId' | 'id' | 'expiresAt'>,
  given: SessionOfApplication,
): void => {
  const { applicationId, scopes, authTime, isOffline, signInId } = given
  db.send(sql`
    update sessions
    set application_id = ${applicationId}, resource_id = ${orNull(given.resourceId)},
      grant_id = ${orNull(given.grantId)}, scopes = ${scopes}, narrowed_codes = ${orNull(given.narrowedTo)},
      auth_time = ${authTime}, is_offline = ${isOffline}, begun_in = ${orNull(signInId)}::uuid,
      sign_in_id = case when ${isOffline} then sign_in_id else coalesce(${orNull(signInId)}::uuid, sign_in_id) end,
      latest_expires_at = ${orNull(given.latestExpiresAt)},
      expires_at = least(${expiresAt}::timestamptz, ${orNull(given.latestExpiresAt)}::timestamptz)
    where tenant_id = ${tenantId} and id = ${id}`)
}

/** Ties a new session of the console to the sign-in of its browser. */
export const updateSessionOfConsole = (
  db: TransactionDb,
  { tenantId, id }: Pick<NewSession, 'tenantId' | 'id'>,
  { signInId, authTime }: { signInId: string; authTime: Date },
): void =>
  db.send(sql`
    update sessions set sign_in_id = ${signInId}, auth_time = ${authTime}, is_shared = true
    where tenant_id = ${tenantId} and id = ${id}`)

/** The person of a user, with the fields that applications may see. */
export interface Person {
  account_id: number
  username: string
  nickname: string
  email: string
  is_email_verified: boolean
  language: string | null
  tenant_name: string
  tenant_slug: string
  /** The person's id, the same in every tenant. */
  person: string
}

const personColumns = sql`u.account_id, u.username, u.nickname, u.email,
  coalesce(a.proved_email = a.email_folded, false) as is_email_verified, a.language, t.name as tenant_name,
  t.slug as tenant_slug, a.person`

const joinedPerson = sql`
    join accounts a on a.id = u.account_id
    join tenants t on t.id = u.tenant_id`

export const selectPerson = (db: Db, tenantId: string, userId: number) =>
  db.one<Person>(sql`
    select ${personColumns} from users u ${joinedPerson} where u.tenant_id = ${tenantId} and u.id = ${userId}`)

export interface ApplicationSessionRow extends SessionRow, Person, UsedApplication {
  application_id: number
  session_seconds: number
  scopes: string[]
  /** The `aud` of the session's access tokens: the resource, or null. */
  resource: string | null
  auth_time: Date
}

/**
 * Locks the session of an enabled application, as `selectSessionForUpdate` does. Returns the facts that decide its
 * refresh.
 */
export const selectApplicationSessionForUpdate = (
  db: Db,
  { tenantId, id, userId, now }: Pick<NewSession, 'tenantId' | 'id' | 'userId' | 'now'>,
) =>
  db.one<ApplicationSessionRow>(sql`
    select ${personColumns}, ${emailOpen} as is_email_open, ${passwordExpired} as is_password_expired, s.generation, s.amr, s.rotated_at, u.status as user_status,
      t.status as tenant_status, s.application_id, p.session_seconds, p.required_permission, s.scopes, r.identifier as resource, s.auth_time,
      s.connection_id, ${sessionBarrier} as barrier
    from sessions s
    join users u on u.tenant_id = s.tenant_id and u.id = s.user_id ${joinedPerson}
    join applications p on p.id = s.application_id
    left join resources r on r.id = s.resource_id
    where s.tenant_id = ${tenantId} and s.id = ${id} and s.user_id = ${userId} and ${isLiving(now)} and p.status = 1
    for update of s`)

/** A group of sessions whose oldest ends when the group is too large. */
export interface AlikeSessions {
  /** Null for the console. */
  applicationId: number | null
  /**
   * For a session that is a sign-in of its own, the user whose sessions count. Otherwise the sessions of the browser's
   * sign-in count.
   */
  user: { tenantId: string; userId: number } | undefined
  signInId: string | undefined
}

export interface SurplusSession {
  id: string
}

/** The unexpired sessions except the newest ones. */
export const selectSurplus = (
  db: TransactionDb,
  accountId: number,
  { applicationId, user, signInId, now, kept }: AlikeSessions & { now: Date; kept: number },
): Promise<SurplusSession[]> =>
  inAccountScope(db, accountId, () =>
    db.many<SurplusSession>(sql`
      select s.id from sessions s
      join accounts a on a.id = s.account_id
      where s.account_id = ${accountId} and s.application_id is not distinct from ${applicationId}::bigint and ${isLiving(now)} and ${
        user
          ? sql`s.is_offline and s.tenant_id = ${user.tenantId} and s.user_id = ${user.userId}`
          : sql`s.sign_in_id = ${signInId ?? null}::uuid`
      }
      order by s.created_at desc, s.id offset ${kept}`),
  )

export interface HintedSession {
  application_id: number
  /** The browser sign-in that began the session; null for a device. */
  begun_in: string | null
}

/** An unexpired session of an application, by the claims of its ID token. */
export const selectHintedSession = (
  db: Db,
  { tenantId, id, userId, now }: Pick<NewSession, 'tenantId' | 'id' | 'userId' | 'now'>,
) =>
  db.one<HintedSession>(sql`
    select s.application_id, s.begun_in from sessions s
    join accounts a on a.id = s.account_id
    where s.tenant_id = ${tenantId} and s.id = ${id} and s.user_id = ${userId} and s.application_id is not null
      and ${isLiving(now)}`)

/** Deletes only these sessions of an account, not their sign-ins. */
export const deleteSessionRowsByIds = (
  db: TransactionDb,
  accountId: number,
  ids: string[],
): Promise<EndedSession[]> =>
  inAccountScope(db, accountId, () =>
    db.many<EndedSession>(endingSessions(sql`s.account_id = ${accountId} and s.id = any (${ids}::uuid[])`)),
  )

export interface SessionOfOne {
  userId: number
  sessionId: string
  applicationId: number
}

export const deleteApplicationSessionRow = (
  db: Db,
  tenantId: string,
  { userId, sessionId, applicationId }: SessionOfOne,
) =>
  db.one<EndedSession>(
    endingSessions(sql`
      s.tenant_id = ${tenantId} and s.user_id = ${userId} and s.id = ${sessionId} and s.application_id = ${applicationId}`),
  )
