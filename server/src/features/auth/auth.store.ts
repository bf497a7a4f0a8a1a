import sql from 'sql-template-tag'
import type { Db } from '../../db/client.ts'
import type { PasswordScheme, StoredPassword } from '../../crypto/passwords.ts'

export interface AccountRow extends StoredPassword {
  id: number
  email: string
}

export const selectAccountByEmail = (db: Db, emailFolded: string) =>
  db.one<AccountRow>(sql`
    select id, email, password_hash, password_scheme from accounts where email_folded = ${emailFolded}`)

/** The account of a user of the tenant in scope. */
export const selectAccountOfUser = (db: Db, tenantId: string, userId: number) =>
  db.one<AccountRow>(sql`
    select a.id, a.email, a.password_hash, a.password_scheme
    from users u
    join accounts a on a.id = u.account_id
    where u.tenant_id = ${tenantId} and u.id = ${userId}`)

export interface MemberRow {
  tenant_id: string
  user_id: number
  status: number
  tenant_status: number
}

/** The user that an account signs in as, in a tenant that exists. In the scope of the account. */
export const selectUserOfAccount = (db: Db, accountId: number) =>
  db.one<MemberRow>(sql`
    select u.tenant_id, u.id as user_id, u.status, t.status as tenant_status
    from users u
    join tenants t on t.id = u.tenant_id
    where u.account_id = ${accountId} and t.deleted_at is null
    order by u.id
    limit 1`)

/**
 * Locks an enabled user until the transaction ends; undefined when there is none. Whoever changes an account or its
 * sessions takes this lock first: several who took them in different orders would wait for each other.
 */
export const lockUser = (db: Db, tenantId: string, userId: number) =>
  db.one<{ id: number }>(sql`
    select id from users where tenant_id = ${tenantId} and id = ${userId} and status = 1 for no key update`)

/** Locks the account against a change of its password until the transaction ends; undefined: it has changed already. */
export const lockAccountWithPassword = (db: Db, accountId: number, passwordHash: string) =>
  db.one<{ id: number }>(sql`
    select id from accounts where id = ${accountId} and password_hash = ${passwordHash} for share`)

/** Notes a sign-in; undefined when the user was disabled or deleted meanwhile. */
export const updateLastLogin = (db: Db, tenantId: string, userId: number, now: Date) =>
  db.one<{ id: number }>(sql`
    update users set last_login_at = ${now}, last_seen_on = (${now}::timestamptz at time zone 'utc')::date
    where tenant_id = ${tenantId} and id = ${userId} and status = 1
    returning id`)

/** Replaces the password that was just verified; 0 when it has changed meanwhile. */
export const updatePassword = (db: Db, account: AccountRow, next: StoredPassword, now: Date) =>
  db.run(sql`
    update accounts
    set password_hash = ${next.password_hash}, password_scheme = ${next.password_scheme satisfies PasswordScheme},
      updated_at = ${now}
    where id = ${account.id} and password_hash = ${account.password_hash}`)

/** Notes that the user was seen today (UTC). */
export const updateLastSeen = (db: Db, tenantId: string, userId: number, now: Date) =>
  db.run(sql`
    update users set last_seen_on = (${now}::timestamptz at time zone 'utc')::date
    where tenant_id = ${tenantId} and id = ${userId}`)

/** Serialises the question whether an account exists at all with the registration of the first one. */
export const lockFirstRegistration = (db: Db) =>
  db.run(sql`select pg_advisory_xact_lock(hashtext('tenantry first registration'))`)

export const selectAnyAccount = (db: Db) => db.one<{ id: number }>(sql`select id from accounts limit 1`)
