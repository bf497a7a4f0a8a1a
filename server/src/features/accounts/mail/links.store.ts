import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'

export interface LinkRow {
  /** Null for the address of a person without an account. */
  account_id: number | null
  kind: string
  /** The address that the link was mailed to. */
  email: string
  /** The application whose sign-in requested the link. */
  application_id: number | null
  /** The interaction whose browser must open the link; null for any browser. */
  interaction_id: string | null
}

const columns = sql`account_id, kind, email, application_id, interaction_id`

export const selectLink = (db: Db, tokenHash: Buffer, now: Date) =>
  db.one<LinkRow>(sql`
    select ${columns} from account_links where token_hash = ${tokenHash} and expires_at > ${now}`)

/** Deletes a link that has not expired, and returns it. A second caller waits for the first one, and gets nothing. */
export const deleteLink = (db: TransactionDb, tokenHash: Buffer, now: Date) =>
  db.one<LinkRow>(sql`
    delete from account_links where token_hash = ${tokenHash} and expires_at > ${now}
    returning ${columns}`)

/** Deletes links of some kinds, and their waiting e-mails. */
export const deleteLinksOfAccount = (db: TransactionDb, accountId: number, kinds: string[]): void =>
  db.send(sql`delete from account_links where account_id = ${accountId} and kind = any (${kinds})`)
