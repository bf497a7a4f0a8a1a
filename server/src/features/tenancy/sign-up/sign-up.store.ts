import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'

export interface NewSignUp {
  tokenHash: Buffer
  organization: string
  slug: string
  email: string
  /** Of the application whose sign-in it began at; undefined for none. */
  applicationId: number | undefined
  expiresAt: Date
}

export const insertSignUp = (db: TransactionDb, row: NewSignUp): void =>
  db.send(sql`
    insert into sign_ups (token_hash, organization, slug, email, application_id, expires_at)
    values (${row.tokenHash}, ${row.organization}, ${row.slug}, ${row.email}, ${row.applicationId ?? null},
      ${row.expiresAt})`)

/** A living sign-up, as its link finds it. */
export interface SignUpRow {
  organization: string
  /** "" where the name gives it. */
  slug: string
  email: string
  application_id: number | null
}

const columns = sql`organization, slug, email, application_id`

export const selectSignUp = (db: Db, tokenHash: Buffer, now: Date) =>
  db.one<SignUpRow>(
    sql`select ${columns} from sign_ups where token_hash = ${tokenHash} and expires_at > ${now}`,
  )

/** Returns the living sign-up that it deletes. The second of two callers waits for the first, and finds none. */
export const deleteSignUp = (db: TransactionDb, tokenHash: Buffer, now: Date) =>
  db.one<SignUpRow>(sql`
    delete from sign_ups where token_hash = ${tokenHash} and expires_at > ${now}
    returning ${columns}`)

/** Lets people create organizations one after the other, until the transaction ends: limits count them. */
export const lockFoundings = (db: TransactionDb): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry sign-up'))`)

/** The tenants that people have created within an hour, and the time of the first of them. */
export const selectFoundings = (db: Db, now: Date) =>
  db.only<{ count: number; first: Date | null }>(sql`
    select count(*) as count, min(created_at) as first from tenants
    where founder_account_id is not null and created_at > ${now}::timestamptz - interval '1 hour'`)

/** The living tenants that an account has created. */
export const countFoundedBy = (db: Db, accountId: number) =>
  db.only<{ count: number }>(sql`
    select count(*) as count from tenants where founder_account_id = ${accountId} and deleted_at is null`)

/** Those of the slugs that living tenants have. */
export const selectTakenSlugs = (db: Db, slugs: string[]) =>
  db.many<{ slug: string }>(sql`select slug from tenants where slug = any (${slugs}) and deleted_at is null`)

/** The account of a person, locked until the transaction ends. */
export const selectFounderForUpdate = (db: Db, id: number) =>
  db.one<{ email: string; is_owned: boolean }>(
    sql`
    select email, coalesce(proved_email = email_folded, false) and has_own_password as is_owned
    from accounts where id = ${id} for no key update`,
  )
