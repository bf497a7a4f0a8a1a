import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { StoredPassword } from '../../../crypto/passwords.ts'
import { fold } from '../../../values/text.ts'

export interface OwnedAccount {
  id: number
  email: string
  /** Whether the person has proved the mailbox of the present address. */
  is_proved: boolean
}

/** The account, locked until the transaction ends. Lock it before its users. */
export const selectAccountForUpdate = (db: Db, id: number) =>
  db.one<OwnedAccount>(
    sql`
    select id, email, coalesce(proved_email = email_folded, false) as is_proved
    from accounts where id = ${id} for no key update`,
  )

/** Notes that the person has proved the mailbox of the account's address. */
export const updateProved = (db: TransactionDb, id: number): void =>
  db.send(sql`update accounts set proved_email = email_folded where id = ${id}`)

/** Notes that the person chose the present password. */
export const updatePasswordOwn = (db: TransactionDb, id: number): void =>
  db.send(sql`update accounts set has_own_password = true where id = ${id} and not has_own_password`)

/** Sets a password that the person chose, by a link to the present address: from now on the account has an owner. */
export const updatePasswordByOwner = (db: TransactionDb, id: number, next: StoredPassword, now: Date): void =>
  db.send(sql`
    update accounts
    set password_hash = ${next.password_hash}, password_scheme = ${next.password_scheme}, has_own_password = true,
      proved_email = email_folded, updated_at = ${now}
    where id = ${id}`)

/** Sets a password that an operator chose: the account has no owner until the person chooses one. */
export const updatePasswordByOperator = (
  db: TransactionDb,
  id: number,
  next: StoredPassword,
  now: Date,
): void =>
  db.send(sql`
    update accounts
    set password_hash = ${next.password_hash}, password_scheme = ${next.password_scheme}, has_own_password = false,
      updated_at = ${now}
    where id = ${id}`)

/** Notes that the person registered a new account, chose its password, and the language. Returns the account. */
export const updateRegistered = (
  db: Db,
  { email, language }: { email: string; language: string | undefined },
) =>
  db.one<{ id: number }>(sql`
    update accounts set is_registered = true, has_own_password = true, language = ${language ?? null}
    where email_folded = ${fold(email)}
    returning id`)

/** Marks the point that `undoRehearsed` returns to. */
export const beginRehearsal = (db: TransactionDb): void => db.send(sql`savepoint rehearsal`)

export const keepRehearsed = (db: TransactionDb): void => db.send(sql`release savepoint rehearsal`)

/** Takes back what was written since `beginRehearsal`, while the rest of the transaction is kept. */
export const undoRehearsed = (db: TransactionDb): void => db.send(sql`rollback to savepoint rehearsal`)

/** The account of an invited address. */
export interface InvitedAccount extends StoredPassword {
  id: number
  /** As the account writes it. */
  email: string
  /** Whether its person has proved the mailbox and chosen the password. */
  is_owned: boolean
}

const invitedColumns = sql`
  id, email, password_hash, password_scheme, coalesce(proved_email = email_folded, false) and has_own_password as is_owned`

export const selectInvitedAccount = (db: Db, email: string) =>
  db.one<InvitedAccount>(sql`select ${invitedColumns} from accounts where email_folded = ${fold(email)}`)

/** The same, locked until the transaction ends. */
export const selectInvitedForUpdate = (db: Db, email: string) =>
  db.one<InvitedAccount>(
    sql`select ${invitedColumns} from accounts where email_folded = ${fold(email)} for no key update`,
  )

/** An account whose person chose the password, and has proved the mailbox or not. May break `accounts_email_key`. */
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
