import sql from 'sql-template-tag'
import { emailOpen, isoTime, passwordExpired } from '../../../db/columns.ts'
import { endingSessions } from './ending.sql.ts'
import { isLiving, lastUsedFirst, withProofs } from './living.sql.ts'
import type { Session } from './sessions.schemas.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { lockingAccountOfUser } from '../../../db/account-lock.ts'
import { inAccountScope } from '../../../db/scope.ts'
import type { ExpiredRows } from '../../../db/sweep.ts'
import type { UsedApplication } from '../../../access/application-use.ts'
import { sessionBarrier, sessionReaches, type Barrier } from '../../../access/reach.sql.ts'
import { factorRequired } from '../../../access/tenant-settings.sql.ts'

export interface NewSession {
  tenantId: string
  id: string
  userId: number
  amr: readonly string[]
  ip: string
  userAgent: string
  now: Date
  expiresAt: Date
}

/** Opens a session with the account's present epoch. Lock the account first: otherwise its epoch can rise meanwhile. */
export const insertSession = (db: TransactionDb, session: NewSession): void => {
  const { tenantId, id, userId, amr, ip, userAgent, now, expiresAt } = session
  const names = sql`id, amr, ip, user_agent, rotated_at, created_at, last_used_at, expires_at`
  const values = sql`
    ${id}::uuid, ${[...amr]}::text[], ${ip}, ${userAgent}, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz,
      ${expiresAt}::timestamptz`
  const ofUser = sql`from users u join accounts a on a.id = u.account_id where u.tenant_id = ${tenantId} and u.id = ${userId}`
  db.send(
    sql`
    insert into sessions (tenant_id, user_id, account_id, account_epoch, ${names})
    select u.tenant_id, u.id, a.id, a.session_epoch, ${values} ${ofUser}`,
  )
}

/** The properties that a session inherits from an earlier session of its sign-in. */
export interface Inheritance {
  tenant_id: string
  sign_in_id: string
  amr: string[]
  /** The time of the proofs. */
  auth_time: Date
  latest_expires_at: Date
}

/** The properties to inherit from an unexpired session of an account whose row is locked. */
export const selectInheritance = (db: TransactionDb, accountId: number, sessionId: string, now: Date) =>
  inAccountScope(db, accountId, () =>
    db.one<Inheritance>(sql`
      select s.tenant_id, s.sign_in_id, array_to_json(s.amr) as amr,
        coalesce(s.auth_time, s.created_at) as auth_time, coalesce(s.latest_expires_at, s.expires_at) as latest_expires_at
      from sessions s
      join accounts a on a.id = s.account_id
      where s.account_id = ${accountId} and s.id = ${sessionId} and ${isLiving(now)}`),
  )

/** The facts about an account that can restrict a new session. */
export const selectOpenDemands = (db: Db, tenantId: string, userId: number) =>
  db.one<{ is_email_open: boolean; is_expired: boolean }>(sql`
    select ${emailOpen} as is_email_open, a.password_expired_at is not null as is_expired from users u
    join accounts a on a.id = u.account_id
    where u.tenant_id = ${tenantId} and u.id = ${userId}`)

/** Stores inherited properties in a new session. */
export const updateInheritance = (
  db: TransactionDb,
  { tenantId, id }: Pick<NewSession, 'tenantId' | 'id'>,
  { sign_in_id: signInId, amr, auth_time: authTime, latest_expires_at: latest }: Inheritance,
): void =>
  db.send(sql`
    update sessions
    set sign_in_id = ${signInId}, amr = ${amr}, auth_time = ${authTime}, expires_at = ${latest}, latest_expires_at = ${latest}, is_shared = true
    where tenant_id = ${tenantId} and id = ${id}`)

/** Stores that another session inherits from this session. */
export const updateSessionShared = (db: TransactionDb, tenantId: string, id: string): void =>
  db.send(sql`update sessions set is_shared = true where tenant_id = ${tenantId} and id = ${id}`)

interface LivingSession extends UsedApplication {
  account_id: number
  narrowed_codes: string[] | null
  amr: string[]
  is_email_open: boolean
  is_password_expired: boolean
  is_factor_required: boolean
}

/** A session that has not ended, unless its application is disabled. */
export const selectSession = (db: Db, session: Pick<NewSession, 'tenantId' | 'id' | 'userId' | 'now'>) =>
  db.one<LivingSession>(sql`
    select u.account_id, s.narrowed_codes, p.required_permission, s.amr, ${emailOpen} as is_email_open,
      ${passwordExpired} as is_password_expired, ${factorRequired(sql`s.tenant_id`)} as is_factor_required
    from sessions s
    join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
    join accounts a on a.id = u.account_id
    left join applications p on p.id = s.application_id
    where s.tenant_id = ${session.tenantId} and s.id = ${session.id} and s.user_id = ${session.userId}
      and ${isLiving(session.now)} and (s.application_id is null or p.status = 1) and ${sessionReaches}`)

/** A session in a list. Only the code that answers a request knows whether it is the current one. */
export interface ListedSession extends Omit<Session, 'is_current'> {
  /** The browser sign-in of a session of the console; null for others. */
  browser_sign_in: string | null
}

const columns = sql`s.id, s.tenant_id, ${isoTime('s.created_at')} as created_at,
  ${isoTime('s.last_used_at')} as last_used_at, s.ip, s.user_agent,
  case when s.is_shared and s.application_id is null then s.sign_in_id end as browser_sign_in,
  (select json_build_object('id', p.id, 'name', p.name) from applications p where p.id = s.application_id) as application,
  null::json as support`

/** The sessions of an account in all tenants. Runs in the scope of the account. */
export const selectSessionsOfAccount = (db: Db, accountId: number, now: Date) =>
  db.many<ListedSession>(sql`
    select ${columns} from sessions s
    join accounts a on a.id = s.account_id
    join tenants t on t.id = s.tenant_id and t.deleted_at is null
    where s.account_id = ${accountId} and ${isLiving(now)}
    ${lastUsedFirst}`)

export const selectSessionsOfUser = (db: Db, tenantId: string, userId: number, now: Date) =>
  db.many<ListedSession>(sql`
    select ${columns} from sessions s
    join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
    join accounts a on a.id = u.account_id
    where s.tenant_id = ${tenantId} and s.user_id = ${userId} and ${isLiving(now)}
    ${lastUsedFirst}`)

export interface SessionRow {
  account_id: number
  username: string
  is_email_open: boolean
  is_password_expired: boolean
  generation: number
  amr: string[]
  rotated_at: Date
  user_status: number
  tenant_status: number
  /** The connection that opened the session; null for another sign-in method. */
  connection_id: string | null
  /** Null if the tenant accepts the session's sign-in method. */
  barrier: Barrier | null
}

/** Locks the session, so that its refreshes run one at a time. Returns the facts that decide its refresh. */
export const selectSessionForUpdate = (
  db: Db,
  { tenantId, id, userId, now }: Pick<NewSession, 'tenantId' | 'id' | 'userId' | 'now'>,
) =>
  db.one<SessionRow>(sql`
    select u.account_id, u.username, ${emailOpen} as is_email_open, ${passwordExpired} as is_password_expired, s.generation, s.amr, s.rotated_at, u.status as user_status, t.status as tenant_status,
      s.connection_id, ${sessionBarrier} as barrier
    from sessions s
    join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
    join accounts a on a.id = u.account_id
    join tenants t on t.id = s.tenant_id
    where s.tenant_id = ${tenantId} and s.id = ${id} and s.user_id = ${userId} and ${isLiving(now)}
    for update of s`)

export const updateSessionGeneration = (
  db: TransactionDb,
  session: Pick<NewSession, 'tenantId' | 'id' | 'now' | 'expiresAt'>,
): void =>
  db.send(sql`
    update sessions
    set generation = generation + 1, rotated_at = ${session.now}, last_used_at = ${session.now},
      expires_at = least(${session.expiresAt}::timestamptz, latest_expires_at)
    where tenant_id = ${session.tenantId} and id = ${session.id}`)

/** Locks the account until the transaction ends. Meanwhile none of its sessions opens. Lock it before its users. */
export const lockAccount = (db: TransactionDb, accountId: number): void =>
  db.send(sql`select from accounts where id = ${accountId} for no key update`)

/** Locks the account of a user, as `lockAccount` does. */
export const lockAccountOfUser = (db: TransactionDb, tenantId: string, userId: number) =>
  db.one(lockingAccountOfUser(tenantId, userId))

/** Ends all earlier sessions of the account in all tenants. Locks the account. */
export const updateSessionEpoch = (db: TransactionDb, accountId: number): void =>
  db.send(sql`update accounts set session_epoch = session_epoch + 1 where id = ${accountId}`)

/** Keeps a session valid after its account's epoch has risen. */
export const updateSessionKept = (
  db: TransactionDb,
  tenantId: string,
  sessionId: string,
  accountId: number,
): void =>
  db.send(sql`
    update sessions set account_epoch = (select session_epoch from accounts where id = ${accountId})
    where tenant_id = ${tenantId} and id = ${sessionId}`)

/** Keeps the tenant's console sessions of a browser sign-in valid, as `updateSessionKept` does. */
export const updateSessionsOfBrowserKept = (
  db: TransactionDb,
  tenantId: string,
  signInId: string,
  accountId: number,
): void =>
  db.send(sql`
    update sessions set account_epoch = (select session_epoch from accounts where id = ${accountId})
    where tenant_id = ${tenantId} and account_id = ${accountId} and sign_in_id::text = ${signInId}
      and application_id is null`)

/** Adds proofs to those of the session. */
export const updateSessionProofs = (
  db: TransactionDb,
  { tenantId, sessionId, proofs }: { tenantId: string; sessionId: string; proofs: readonly string[] },
): void =>
  db.send(sql`
    update sessions set amr = ${withProofs(proofs)} where tenant_id = ${tenantId} and id = ${sessionId}`)

export const updateSessionWithoutMfa = (db: TransactionDb, tenantId: string, sessionId: string): void =>
  db.send(sql`
    update sessions set amr = array_remove(amr, 'mfa') where tenant_id = ${tenantId} and id = ${sessionId}`)

export interface EndedSession {
  tenant_id: string
  user_id: number
  id: string
  sign_in_id: string
  /** Whether other tenants can have sessions of the same sign-in. */
  is_shared: boolean
  /** Null for the console and the SDK. */
  application_id: number | null
}

/**
 * Deletes the sessions of an account in all tenants. Keeps one session, or the console sessions of one browser sign-in.
 */
export const deleteSessionRowsOfAccount = (db: TransactionDb, accountId: number, keptId: string): void =>
  inAccountScope(db, accountId, () =>
    db.send(
      endingSessions(sql`
      s.account_id = ${accountId} and s.id::text <> ${keptId}
      and not (s.application_id is null and s.sign_in_id::text = ${keptId})`),
    ),
  )

/**
 * Deletes a session of an account, and the sessions of the same sign-in in all tenants. For an application's session,
 * deletes only that session.
 */
export const deleteSignInRows = (
  db: TransactionDb,
  accountId: number,
  sessionId: string,
): Promise<EndedSession[]> =>
  inAccountScope(db, accountId, () =>
    db.many<EndedSession>(
      endingSessions(sql`
      s.account_id = ${accountId} and (s.id = ${sessionId} or s.sign_in_id = (
        select sign_in_id from sessions
        where account_id = ${accountId} and id = ${sessionId} and application_id is null))`),
    ),
  )

/** Deletes the sessions of an account that belong to the given sign-ins, in all tenants. */
export const deleteRowsOfSignIns = (
  db: TransactionDb,
  accountId: number,
  signInIds: string[],
): Promise<EndedSession[]> =>
  inAccountScope(db, accountId, () =>
    db.many<EndedSession>(
      endingSessions(sql`s.account_id = ${accountId} and s.sign_in_id = any (${signInIds}::uuid[])`),
    ),
  )

export const deleteSessionRow = (db: Db, tenantId: string, userId: number, sessionId: string) =>
  db.one<EndedSession>(
    endingSessions(sql`s.tenant_id = ${tenantId} and s.user_id = ${userId} and s.id = ${sessionId}`),
  )

export const deleteSessionRowsOfUser = (db: Db, tenantId: string, userId: number) =>
  db.many<EndedSession>(endingSessions(sql`s.tenant_id = ${tenantId} and s.user_id = ${userId}`))

export const deleteOtherSessionRows = (db: Db, tenantId: string, userId: number, keptId: string) =>
  db.many<EndedSession>(
    endingSessions(sql`s.tenant_id = ${tenantId} and s.user_id = ${userId} and s.id <> ${keptId}`),
  )

/** Deletes up to `limit` sessions of a removed tenant. Returns their number. */
export const deleteSessionRowsOfTenant = async (db: Db, tenantId: string, limit: number): Promise<number> =>
  (
    await db.many(
      endingSessions(sql`
      s.tenant_id = ${tenantId} and s.ctid = any (array(
        select ctid from sessions where tenant_id = ${tenantId} limit ${limit}))`),
    )
  ).length

/** Sessions that expired on an earlier UTC day. */
export const expiredSessions: ExpiredRows = {
  table: 'sessions',
  time: 'expires_on',
  before: `(now() at time zone 'UTC')::date - 1`,
}
