import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { StoredPassword } from '../../../crypto/passwords.ts'
import { isOwned } from '../../../db/columns.ts'
import { fold } from '../../../values/text.ts'

export interface OwnedAccount {
  id: number
  email: string
  /** Whether the person has proved the present address. */
  is_proved: boolean
  has_password: boolean
}

/** Locks the account until the transaction ends. Lock it before its users. */
export const selectAccountForUpdate = (db: Db, id: number) =>
  db.one<OwnedAccount>(
    sql`
    select id, email, coalesce(proved_email = email_folded, false) as is_proved,
      password_scheme <> 'none' as has_password
    from accounts where id = ${id} for no key update`,
  )

export const selectIsProved = (db: Db, id: number) =>
  db.one<Pick<OwnedAccount, 'is_proved' | 'has_password'>>(sql`
    select coalesce(proved_email = email_folded, false) as is_proved, password_scheme <> 'none' as has_password
    from accounts where id = ${id}`)

/** Stores that the person has proved the mailbox of the account's address. */
export const updateProved = (db: TransactionDb, id: number): void =>
  db.send(sql`update accounts set proved_email = email_folded where id = ${id}`)

/** Removes the password of a person who has proved the mailbox. The account then has an owner. */
export const deletePassword = (db: TransactionDb, id: number, now: Date): void =>
  db.send(sql`
    update accounts
    set password_hash = '', password_scheme = 'none', has_own_password = false, password_expired_at = null,
      proved_email = email_folded, updated_at = ${now}
    where id = ${id}`)

/** Removes the password. An unproved mailbox stays unproved. */
export const deleteOwnPassword = (db: TransactionDb, id: number, now: Date): void =>
  db.send(sql`
    update accounts
    set password_hash = '', password_scheme = 'none', has_own_password = false, password_expired_at = null,
      updated_at = ${now}
    where id = ${id}`)

/** Stores that the person has just chosen the present password. */
export const updatePasswordOwn = (db: TransactionDb, id: number): void =>
  db.send(sql`
    update accounts set has_own_password = true, password_expired_at = null
    where id = ${id} and (not has_own_password or password_expired_at is not null)`)

/** Sets a password that the person chose by a link to the present address. The account then has an owner. */
export const updatePasswordByOwner = (db: TransactionDb, id: number, next: StoredPassword, now: Date): void =>
  db.send(sql`
    update accounts
    set password_hash = ${next.password_hash}, password_scheme = ${next.password_scheme}, has_own_password = true,
      password_expired_at = null, proved_email = email_folded, updated_at = ${now}
    where id = ${id}`)

/** Sets a password that an operator chose. The account has no owner until the person chooses a password. */
export const updatePasswordByOperator = (
  db: TransactionDb,
  id: number,
  next: StoredPassword,
  now: Date,
): void =>
  db.send(sql`
    update accounts
    set password_hash = ${next.password_hash}, password_scheme = ${next.password_scheme}, has_own_password = false,
      password_expired_at = null, updated_at = ${now}
    where id = ${id}`)

/**
 * Stores that the person registered the account and chose its password. Stores the language too. Returns the account.
 */
export const updateRegistered = (
  db: Db,
  { email, language }: { email: string; language: string | undefined },
) =>
  db.one<{ id: number }>(sql`
    update accounts set is_registered = true, has_own_password = true, language = ${language ?? null}
    where email_folded = ${fold(email)}
    returning id`)

/** Sets the savepoint that `undoRehearsed` rolls back to. */
export const beginRehearsal = (db: TransactionDb): void => db.send(sql`savepoint rehearsal`)

export const keepRehearsed = (db: TransactionDb): void => db.send(sql`release savepoint rehearsal`)

/** Undoes the writes since `beginRehearsal`, and keeps the rest of the transaction. */
export const undoRehearsed = (db: TransactionDb): void => db.send(sql`rollback to savepoint rehearsal`)

export interface InvitedAccount extends StoredPassword {
  id: number
  /** The address as the account spells it. */
  email: string
  /** Whether the person has proved the mailbox, and chose the password or has none. */
  is_owned: boolean
}

const invitedColumns = sql`
  a.id, a.email, a.password_hash, a.password_scheme, ${isOwned} as is_owned`

export const selectInvitedAccount = (db: Db, email: string) =>
  db.one<InvitedAccount>(sql`select ${invitedColumns} from accounts a where a.email_folded = ${fold(email)}`)

/** Does the same as `selectInvitedAccount`, and locks the account until the transaction ends. */
export const selectInvitedForUpdate = (db: Db, email: string) =>
  db.one<InvitedAccount>(
    sql`select ${invitedColumns} from accounts a where a.email_folded = ${fold(email)} for no key update`,
  )

/**
 * Adds an account whose person chose the password. `isProved` means that the person has proved the mailbox. Can violate
 * `accounts_email_key`.
 */
export const insertOwnAccount = (
  db: Db,
  {
    email,
    isProved,
    language,
    now,
  }: { email: string; isProved: boolean; language: string | undefined; now: Date },
  password: StoredPassword,
) =>
  db.only<{ id: number }>(sql`
    insert into accounts (email, email_folded, password_hash, password_scheme, has_own_password, proved_email, language,
      created_at, updated_at)
    values (${email}, ${fold(email)}, ${password.password_hash}, ${password.password_scheme}, true,
      ${isProved ? fold(email) : null}, ${language ?? null}, ${now}, ${now})
    returning id`)
