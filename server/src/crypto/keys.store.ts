import sql from 'sql-template-tag'
import type { Db } from '../db/client.ts'

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
  private_pem: string
  created_at: Date
  retired_at: Date | null
}

/** Newest first. */
export const selectKeys = (db: Db) =>
  db.many<KeyRow>(sql`
    select kid, public_jwk, private_pem, created_at, retired_at
    from signing_keys
    order by created_at desc, kid`)

/** One maker of keys at a time, until the transaction ends. */
export const lockKeys = (db: Db) =>
  db.run(sql`select pg_advisory_xact_lock(hashtext('tenantry signing_keys'))`)

export const insertKey = (db: Db, key: KeyRow) =>
  db.run(sql`
    insert into signing_keys (kid, public_jwk, private_pem, created_at)
    values (${key.kid}, ${JSON.stringify(key.public_jwk)}, ${key.private_pem}, ${key.created_at})`)

export const retireKeysBut = (db: Db, kid: string, now: Date) =>
  db.run(sql`update signing_keys set retired_at = ${now} where kid <> ${kid} and retired_at is null`)

export const deleteKeysRetiredBefore = (db: Db, moment: Date) =>
  db.run(sql`delete from signing_keys where retired_at < ${moment}`)
