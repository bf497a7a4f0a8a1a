import sql, { type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { PasswordScheme, StoredPassword } from '../../../crypto/passwords.ts'

interface VerifiedAccount {
  id: number
  password_hash: string
}

/**
 * Locks an enabled user until the transaction ends; undefined when there is none. Every change of an account or its
 * sessions locks the account before its users, because another order would deadlock.
 */
export const lockUser = (db: Db, tenantId: string, userId: number) =>
  db.one<{ id: number }>(sql`
    select id from users where tenant_id = ${tenantId} and id = ${userId} and status = 1 for no key update`)

/**
 * Locks the account against a password change until the transaction ends. Undefined if the password has already
 * changed.
 */
export const lockAccountWithPassword = (db: Db, accountId: number, passwordHash: string) =>
  db.one<{ id: number }>(
    sql`select id from accounts where id = ${accountId} and password_hash = ${passwordHash} for share`,
  )

/** Stores the person's language, and locks the account. Returns 0 if the password has already changed. */
export const updateLanguage = (db: Db, { id, password_hash: hash }: VerifiedAccount, language: string) =>
  db.run(sql`update accounts set language = ${language} where id = ${id} and password_hash = ${hash}`)

/** Stores the language of a user's account if it differs. */
export const updateLanguageOfUser = async (
  db: Db,
  tenantId: string,
  userId: number,
  language: string,
): Promise<void> => {
  const account = await db.one<{ id: number }>(sql`
    select a.id from users u join accounts a on a.id = u.account_id
    where u.tenant_id = ${tenantId} and u.id = ${userId} and a.language is distinct from ${language}`)
  if (account) await db.run(sql`update accounts set language = ${language} where id = ${account.id}`)
}

/** SQL: the UTC day on which a user is seen, and the day before. The dashboard counts a day after its end. */
const seen = (now: Date): Sql => {
  const today = sql`(${now}::timestamptz at time zone 'utc')::date`
  return sql`last_seen_on = ${today},
    previously_seen_on = case when last_seen_on < ${today} then last_seen_on else previously_seen_on end`
}

/** Stores the time and address of a sign-in. */
export const updateLastLogin = (
  db: TransactionDb,
  { tenantId, userId, ip, now }: { tenantId: string; userId: number; ip: string; now: Date },
): void =>
  db.send(sql`
    update users set last_login_at = ${now}, last_ip = ${ip}, ${seen(now)}
    where tenant_id = ${tenantId} and id = ${userId} and status = 1`)

/** Replaces the verified password. Returns 0 if it has changed meanwhile. */
export const updatePassword = (db: Db, account: VerifiedAccount, next: StoredPassword, now: Date) =>
  db.run(
    sql`
    update accounts
    set password_hash = ${next.password_hash}, password_scheme = ${next.password_scheme satisfies PasswordScheme},
      updated_at = ${now}
    where id = ${account.id} and password_hash = ${account.password_hash}`,
  )

/** Stores that the user was active today (UTC). */
export const updateLastSeen = (db: Db, tenantId: string, userId: number, now: Date) =>
  db.run(sql`
    update users set ${seen(now)}
    where tenant_id = ${tenantId} and id = ${userId}`)

export const updateSessionUsed = (db: Db, session: { tenantId: string; id: string; now: Date }) =>
  db.run(sql`
    update sessions set last_used_at = ${session.now}
    where tenant_id = ${session.tenantId} and id = ${session.id}`)

/**
 * Stores the use of a key. Locks the account first to avoid a deadlock, because the deletion of the account does so
 * too.
 */
export const updateKeyUsed = (db: Db, tenantId: string, keyId: number, now: Date) =>
  db.run(sql`
    with used as (
      update service_accounts set last_used_at = ${now}
      where tenant_id = ${tenantId} and id = (
        select account_id from service_account_keys where tenant_id = ${tenantId} and id = ${keyId})
      returning id
    )
    update service_account_keys set last_used_at = ${now}
    from used
    where tenant_id = ${tenantId} and service_account_keys.id = ${keyId} and account_id = used.id`)

/** Serialises the registration of the first account with the check whether any account exists. */
export const lockFirstRegistration = (db: TransactionDb): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry first registration'))`)

export const selectAnyAccount = (db: Db) => db.one<{ id: number }>(sql`select id from accounts limit 1`)
