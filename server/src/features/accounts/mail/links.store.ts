import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'

export interface LinkRow {
  account_id: number
  kind: string
  /** The address that the link was mailed to. */
  email: string
  /** Of the application whose sign-in it began at. */
  application_id: number | null
  /** The interaction in whose browser alone it counts; null for any browser. */
  interaction_id: string | null
}

const columns = sql`account_id, kind, email, application_id, interaction_id`

export const selectLink = (db: Db, tokenHash: Buffer, now: Date) =>
  db.one<LinkRow>(sql`
    select ${columns} from account_links where token_hash = ${tokenHash} and expires_at > ${now}`)

/** Returns the living link that it deletes. The second of two callers waits for the first, and finds none. */
export const deleteLink = (db: TransactionDb, tokenHash: Buffer, now: Date) =>
  db.one<LinkRow>(sql`
    delete from account_links where token_hash = ${tokenHash} and expires_at > ${now}
    returning ${columns}`)

/** Deletes the links of some kinds, and with them the e-mails that still wait. */
export const deleteLinksOfAccount = (db: TransactionDb, accountId: number, kinds: string[]): void =>
  db.send(sql`delete from account_links where account_id = ${accountId} and kind = any (${kinds})`)
