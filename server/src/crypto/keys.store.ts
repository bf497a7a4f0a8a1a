import sql from 'sql-template-tag'
import type { Db } from '../db/client.ts'
import type { TokenAlgorithm } from './algorithms.ts'

/**
 * The service publishes the keys of access tokens and ID tokens. Only the service itself verifies refresh tokens.
 * Row-level security hides the audit keys from `tenantry_app`, and all other keys from `tenantry_seal`.
 */
export type TokenPurpose = 'access' | 'id' | 'refresh'
export type Purpose = TokenPurpose | 'audit'

/** A public key as in the JSON Web Key Set (RFC 7517, 7518, 8037). */
export interface PublicKey {
  kty: string
  crv?: string
  x?: string
  y?: string
  n?: string
  e?: string
  kid: string
  alg: TokenAlgorithm
  use: string
}

export interface KeyRow {
  kid: string
  purpose: Purpose
  public_jwk: PublicKey
  /**
   * The private half, unencrypted, if there was no secret key. Null for an encrypted key and for a retired audit key.
   */
  private_pem: string | null
  /** The private half, encrypted by crypto/secrets.ts. */
  private_sealed: Buffer | null
  created_at: Date
  signs_from: Date
  /** The time from which the key's successor signs. Null for the newest key of its purpose. */
  retired_at: Date | null
}

/** Newest first. */
export const selectKeys = (db: Db, purposes: Purpose[]) =>
  db.many<KeyRow>(sql`
    select kid, purpose, public_jwk, private_pem, private_sealed, created_at, signs_from, retired_at
    from signing_keys
    where purpose = any (${purposes})
    order by signs_from desc, created_at desc, kid`)

export const selectPublicAuditKeys = (db: Db) =>
  db.many<Pick<KeyRow, 'public_jwk'>>(sql`
    select public_jwk from signing_keys where purpose = 'audit' order by created_at desc, kid`)

/** Serialises the creation of keys until the transaction ends. */
export const lockKeys = (db: Db) =>
  db.run(sql`select pg_advisory_xact_lock(hashtext('tenantry signing_keys'))`)

export const insertKey = (db: Db, key: Omit<KeyRow, 'retired_at'>) =>
  db.run(sql`
    insert into signing_keys (kid, purpose, public_jwk, private_pem, private_sealed, created_at, signs_from)
    values (${key.kid}, ${key.purpose}, ${JSON.stringify(key.public_jwk)}, ${key.private_pem}, ${key.private_sealed},
      ${key.created_at}, ${key.signs_from})`)

/**
 * Retires all token keys of a purpose but one. Retired keys verify tokens until `deleteTokenKeysRetiredBefore` deletes
 * them.
 */
export const retireTokenKeysBut = (db: Db, kid: string, purpose: TokenPurpose, moment: Date) =>
  db.many<{ kid: string }>(sql`
    update signing_keys set retired_at = ${moment}
    where purpose = ${purpose} and kid <> ${kid} and retired_at is null
    returning kid`)

/**
 * Erases the private half of retired audit keys. Nobody can sign with them again, so a sealed record remains proven.
 */
export const retireAuditKeysBut = (db: Db, kid: string, now: Date) =>
  db.many<{ kid: string }>(sql`
    update signing_keys set retired_at = ${now}, private_pem = null, private_sealed = null
    where purpose = 'audit' and kid <> ${kid} and retired_at is null
    returning kid`)

export const deleteTokenKeysRetiredBefore = (db: Db, purposes: TokenPurpose[], moment: Date) =>
  db.run(sql`delete from signing_keys where purpose = any (${purposes}) and retired_at < ${moment}`)

export const deleteTokenKeysBut = (db: Db, kids: string[]) =>
  db.run(sql`delete from signing_keys where purpose <> 'audit' and kid <> all (${kids})`)

export const selectIssuers = (db: Db) =>
  db.many<{ issuer: string; last_used_at: Date }>(sql`select issuer, last_used_at from token_issuers`)

export const upsertIssuer = (db: Db, issuer: string, now: Date) =>
  db.run(sql`
    insert into token_issuers (issuer, last_used_at) values (${issuer}, ${now})
    on conflict (issuer) do update set last_used_at = greatest(token_issuers.last_used_at, excluded.last_used_at)`)

export const deleteIssuersUsedBefore = (db: Db, moment: Date) =>
  db.run(sql`delete from token_issuers where last_used_at < ${moment}`)

/** True if the private half of a token key is unencrypted. */
export const hasKeyInTheClear = async (db: Db): Promise<boolean> =>
  (await db.one(sql`select from signing_keys where private_pem is not null limit 1`)) !== undefined

/** Locks the rows of keys whose private half is unencrypted. */
export const selectKeysInTheClear = (db: Db) =>
  db.many<{ kid: string; private_pem: string }>(sql`
    select kid, private_pem from signing_keys where private_pem is not null for update`)

export const updateKeySealed = (db: Db, kid: string, sealed: Buffer) =>
  db.run(sql`update signing_keys set private_pem = null, private_sealed = ${sealed} where kid = ${kid}`)
