import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'

/** The admission of a person to the console. */
export interface ConsoleAdmission {
  tenantId: string
  userId: number
  /** The sign-in of the browser. */
  signInId: string
  accountEpoch: number
  amr: string[]
  connection: { id: string; latestExpiresAt: string }
}

export interface NewConsoleCode {
  codeHash: Buffer
  browserHash: Buffer
  accountId: number
  admission: ConsoleAdmission
  expiresAt: Date
}

export const insertConsoleCode = (db: TransactionDb, row: NewConsoleCode): void =>
  db.send(sql`
    insert into sso_codes (code_hash, browser_hash, account_id, admission, expires_at)
    values (${row.codeHash}, ${row.browserHash}, ${row.accountId}, ${JSON.stringify(row.admission)}, ${row.expiresAt})`)

/** Takes the living code of a browser. */
export const deleteConsoleCode = (db: Db, codeHash: Buffer, browserHash: Buffer, now: Date) =>
  db.one<{ account_id: number; admission: ConsoleAdmission }>(sql`
    delete from sso_codes
    where code_hash = ${codeHash} and browser_hash = ${browserHash} and expires_at > ${now}
    returning account_id, admission`)

/** The epoch of the account of an enabled user in an enabled tenant, whose sign-in is there. Locks the account against its sessions' end. */
export const selectStanding = async (
  db: TransactionDb,
  accountId: number,
  { tenantId, userId, signInId }: ConsoleAdmission,
) => {
  const locked = db.one(sql`select id from accounts where id = ${accountId} for share`)
  const found = db.one<{ session_epoch: number }>(sql`
    select a.session_epoch from users u
    join accounts a on a.id = u.account_id
    join tenants t on t.id = u.tenant_id
    join sign_ins i on i.id = ${signInId} and i.account_id = a.id
    where u.tenant_id = ${tenantId} and u.id = ${userId} and a.id = ${accountId} and u.status = 1 and t.status = 1`)
  await locked
  return found
}
