import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isOwned } from '../../../db/columns.ts'

export interface NewSignUp {
  tokenHash: Buffer
  organization: string
  slug: string
  email: string
  /** The application whose sign-in requested the link, if any. */
  applicationId: number | undefined
  expiresAt: Date
}

export const insertSignUp = (db: TransactionDb, row: NewSignUp): void =>
  db.send(sql`
    insert into sign_ups (token_hash, organization, slug, email, application_id, expires_at)
    values (${row.tokenHash}, ${row.organization}, ${row.slug}, ${row.email}, ${row.applicationId ?? null},
      ${row.expiresAt})`)

/** An unexpired sign-up that a link names. */
export interface SignUpRow {
  organization: string
  /** The requested slug. "" if the slug derives from the name. */
  slug: string
  email: string
  application_id: number | null
}

const columns = sql`organization, slug, email, application_id`

export const selectSignUp = (db: Db, tokenHash: Buffer, now: Date) =>
  db.one<SignUpRow>(
    sql`select ${columns} from sign_ups where token_hash = ${tokenHash} and expires_at > ${now}`,
  )

/** Deletes an unexpired sign-up, and returns it. A second caller waits for the first one, and gets nothing. */
export const deleteSignUp = (db: TransactionDb, tokenHash: Buffer, now: Date) =>
  db.one<SignUpRow>(sql`
    delete from sign_ups where token_hash = ${tokenHash} and expires_at > ${now}
    returning ${columns}`)

/** Serialises the creation of organizations until the transaction ends, because limits count them. */
export const lockFoundings = (db: TransactionDb): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry sign-up'))`)

/** The number of tenants that people have created within an hour, and the time of the first creation. */
export const selectFoundings = (db: Db, now: Date) =>
  db.only<{ count: number; first: Date | null }>(sql`
    select count(*) as count, min(created_at) as first from tenants
    where founder_account_id is not null and created_at > ${now}::timestamptz - interval '1 hour'`)

/** The number of existing tenants that an account has created. */
export const countFoundedBy = (db: Db, accountId: number) =>
  db.only<{ count: number }>(sql`
    select count(*) as count from tenants where founder_account_id = ${accountId} and deleted_at is null`)

export const selectTakenSlugs = (db: Db, slugs: string[]) =>
  db.many<{ slug: string }>(sql`select slug from tenants where slug = any (${slugs}) and deleted_at is null`)

/** Locks the account of a person until the transaction ends. */
export const selectFounderForUpdate = (db: Db, id: number) =>
  db.one<{ email: string; is_owned: boolean }>(
    sql`
    select a.email, ${isOwned} as is_owned from accounts a where a.id = ${id} for no key update`,
  )
