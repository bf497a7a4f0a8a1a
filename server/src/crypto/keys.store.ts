import sql from 'sql-template-tag'
import type { Db } from '../db/client.ts'

/** What a key signs: tokens, or the audit chain. Row-level security shows each role the keys of one purpose only. */
export type Purpose = 'token' | 'audit'

/** A public key as the JSON Web Key Set shows it (RFC 8037). */
export interface PublicKey {
  kty: string
  crv: string
  x: string
  kid: string
  alg: string
  use: string
}

export interface KeyRow {
  kid: string
  public_jwk: PublicKey
  /** Null for a retired audit key. */
  private_pem: string | null
  created_at: Date
  retired_at: Date | null
}

/** Newest first. */
export const selectKeys = (db: Db, purpose: Purpose) =>
  db.many<KeyRow>(sql`
    select kid, public_jwk, private_pem, created_at, retired_at
    from signing_keys
    where purpose = ${purpose}
    order by created_at desc, kid`)

export const selectPublicKeys = (db: Db, purpose: Purpose) =>
  db.many<Pick<KeyRow, 'public_jwk'>>(sql`
    select public_jwk from signing_keys where purpose = ${purpose} order by created_at desc, kid`)

/** One maker of keys at a time, until the transaction ends. */
export const lockKeys = (db: Db) =>
  db.run(sql`select pg_advisory_xact_lock(hashtext('tenantry signing_keys'))`)

export const insertKey = (db: Db, purpose: Purpose, key: KeyRow) =>
  db.run(sql`
    insert into signing_keys (kid, public_jwk, private_pem, created_at, purpose)
    values (${key.kid}, ${JSON.stringify(key.public_jwk)}, ${key.private_pem}, ${key.created_at}, ${purpose})`)

/** Token keys go on verifying for a while; what one of them signs is refused after its life. */
export const retireTokenKeysBut = (db: Db, kid: string, now: Date) =>
  db.many<{ kid: string }>(sql`
    update signing_keys set retired_at = ${now}
    where purpose = 'token' and kid <> ${kid} and retired_at is null
    returning kid`)

/** What was sealed has to stay what it is: nobody can sign with a retired audit key again. */
export const retireAuditKeysBut = (db: Db, kid: string, now: Date) =>
  db.many<{ kid: string }>(sql`
    update signing_keys set retired_at = ${now}, private_pem = null
    where purpose = 'audit' and kid <> ${kid} and retired_at is null
    returning kid`)

export const deleteTokenKeysRetiredBefore = (db: Db, moment: Date) =>
  db.run(sql`delete from signing_keys where purpose = 'token' and retired_at < ${moment}`)
