/** Creates, rotates and deletes keys. */
import { randomUUID } from 'node:crypto'
import { exportJWK, exportPKCS8, generateKeyPair, type CryptoKey } from 'jose'
import type { Db, DbRole, Store } from '../db/client.ts'
import { actAs } from '../db/scope.ts'
import { idAlgorithm, type TokenAlgorithm } from './algorithms.ts'
import {
  formerIssuerMs,
  keySetSeconds,
  retiredKeyMs,
  retiredRefreshKeyMs,
  keyBindingOf,
  tokenPurposes,
} from './keys.ts'
import {
  deleteIssuersUsedBefore,
  deleteTokenKeysBut,
  deleteTokenKeysRetiredBefore,
  insertKey,
  lockKeys,
  retireAuditKeysBut,
  retireTokenKeysBut,
  selectKeys,
  upsertIssuer,
  type KeyRow,
  type PublicKey,
  type Purpose,
  type TokenPurpose,
} from './keys.store.ts'
import type { Secrets } from './secrets.ts'
import { auditAlgorithm, publicKeyOf, thumbprintOf } from './statements.ts'

const appRole: DbRole = 'tenantry_app'
const auditRole: DbRole = 'tenantry_seal'

type NewKey = Omit<KeyRow, 'retired_at'>

/** The private half to store. Encrypted if there is a secret key. */
const storedHalf = async (
  key: CryptoKey,
  kid: string,
  secrets: Secrets,
): Promise<Pick<KeyRow, 'private_pem' | 'private_sealed'>> => {
  const pem = await exportPKCS8(key)
  return secrets.isOn
    ? { private_pem: null, private_sealed: secrets.seal(pem, keyBindingOf(kid)) }
    : { private_pem: pem, private_sealed: null }
}

const generate = (alg: TokenAlgorithm) =>
  generateKeyPair(alg, { extractable: true, ...(alg === 'EdDSA' ? { crv: 'Ed25519' } : {}) })

interface NewKeyOptions {
  now: Date
  signsFrom: Date
  secrets: Secrets
}

const newTokenKey = async (
  purpose: TokenPurpose,
  alg: TokenAlgorithm,
  { now, signsFrom, secrets }: NewKeyOptions,
): Promise<NewKey> => {
  const { publicKey, privateKey } = await generate(alg)
  const kid = randomUUID()
  return {
    kid,
    purpose,
    public_jwk: await publicJwk(publicKey, kid, alg),
    ...(await storedHalf(privateKey, kid, secrets)),
    created_at: now,
    signs_from: signsFrom,
  }
}

const publicJwk = async (key: CryptoKey, kid: string, alg: TokenAlgorithm): Promise<PublicKey> => {
  const { kty = '', ...parts } = await exportJWK(key)
  const { crv, x, y, n, e } = parts
  return JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, kid, alg, use: 'sig' })) as PublicKey
}

/** The kid of an audit key is its thumbprint (RFC 7638), so that the kid identifies the key. */
const newAuditKey = async (now: Date, secrets: Secrets): Promise<NewKey> => {
  const { publicKey, privateKey } = await generate(auditAlgorithm)
  const { x = '' } = await exportJWK(publicKey)
  const kid = await thumbprintOf(x)
  return {
    kid,
    purpose: 'audit',
    public_jwk: publicKeyOf({ x, kid }),
    ...(await storedHalf(privateKey, kid, secrets)),
    created_at: now,
    signs_from: now,
  }
}

/** Creates missing keys. Replicas that start together create the same keys. */
export const ensureKeys = async (
  store: Store,
  secrets: Secrets,
  now: Date,
  alg: TokenAlgorithm,
): Promise<void> => {
  await store.transaction({}, (db) => ensureTokenKeys(db, alg, { now, signsFrom: now, secrets }), appRole)
  await store.transaction({}, (db) => ensureAuditKey(db, now, secrets), auditRole)
}

const hasLiving = (rows: KeyRow[], purpose: Purpose): boolean =>
  rows.some((row) => row.purpose === purpose && row.retired_at === null)

const ensureTokenKeys = async (db: Db, alg: TokenAlgorithm, options: NewKeyOptions): Promise<void> => {
  await lockKeys(db)
  const rows = await selectKeys(db, tokenPurposes)
  if (!hasLiving(rows, 'refresh')) {
    await insertKey(db, await newTokenKey('refresh', 'EdDSA', options))
  }
  if (!hasLiving(rows, 'access')) await succeed(db, 'access', alg, options)
  if (!hasLiving(rows, 'id')) await succeed(db, 'id', idAlgorithm, options)
}

const ensureAuditKey = async (db: Db, now: Date, secrets: Secrets): Promise<void> => {
  await lockKeys(db)
  const rows = await selectKeys(db, ['audit'])
  if (!hasLiving(rows, 'audit')) await insertKey(db, await newAuditKey(now, secrets))
}

/** The time at which every cached key set that lacks a new key has expired. */
const afterKeySets = (now: Date): Date => new Date(now.getTime() + keySetSeconds * 1000)

/** Creates a key of published tokens. Until `signsFrom` its predecessors sign. */
const succeed = async (
  db: Db,
  purpose: 'access' | 'id',
  alg: TokenAlgorithm,
  options: NewKeyOptions,
): Promise<Succession> => {
  const key = await newTokenKey(purpose, alg, options)
  await insertKey(db, key)
  const retired = await retireTokenKeysBut(db, key.kid, purpose, options.signsFrom)
  return { kid: key.kid, retired: retired.map(({ kid }) => kid) }
}

/** The new key's kid, and the kids of the keys that it replaces. */
export interface Succession {
  kid: string
  retired: string[]
}

export interface Rotation {
  access: Succession
  id: Succession
  refresh: Succession
  audit: Succession
  /** The time from which the new keys of access tokens and ID tokens sign. */
  signsFrom: Date
}

export interface RotationOptions {
  /** The algorithm of access tokens. If undefined, that of the present key. */
  algorithm?: TokenAlgorithm | undefined
  /** True if a key has leaked. The new keys then sign at once, and tokens of earlier keys become invalid. */
  isLeaked?: boolean | undefined
}

/**
 * Creates new keys for tokens and the audit chain, in a transaction of `tenantry_app`. Unless a key has leaked, tokens
 * of the old keys stay valid, so that no session ends. Erases the private half of the old audit key.
 */
export const rotateKeys = async (
  db: Db,
  secrets: Secrets,
  now: Date,
  { algorithm, isLeaked = false }: RotationOptions = {},
): Promise<Rotation> => {
  await lockKeys(db)
  const present = (await selectKeys(db, ['access']))[0]?.public_jwk.alg
  const signsFrom = isLeaked ? now : afterKeySets(now)
  const access = await succeed(db, 'access', algorithm ?? present ?? 'EdDSA', { now, signsFrom, secrets })
  const id = await succeed(db, 'id', idAlgorithm, { now, signsFrom, secrets })
  const key = await newTokenKey('refresh', 'EdDSA', { now, signsFrom: now, secrets })
  await insertKey(db, key)
  const retired = await retireTokenKeysBut(db, key.kid, 'refresh', now)
  if (isLeaked) await deleteTokenKeysBut(db, [access.kid, id.kid, key.kid])
  await actAs(db, auditRole)
  const audit = await newAuditKey(now, secrets)
  await insertKey(db, audit)
  const retiredAuditKeys = await retireAuditKeysBut(db, audit.kid, now)
  await actAs(db, appRole)
  return {
    access,
    id,
    refresh: { kid: key.kid, retired: retired.map(({ kid }) => kid) },
    audit: { kid: audit.kid, retired: retiredAuditKeys.map(({ kid }) => kid) },
    signsFrom,
  }
}

/** Deletes token keys and issuers that no valid token can have. Public audit keys stay. */
export const deleteOldKeys = async (store: Store, now: Date): Promise<void> => {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const db = store.scoped({})
  await deleteTokenKeysRetiredBefore(db, ['access', 'id'], before(retiredKeyMs))
  await deleteTokenKeysRetiredBefore(db, ['refresh'], before(retiredRefreshKeyMs))
  await deleteIssuersUsedBefore(db, before(formerIssuerMs))
}

/** Stores that tokens now have this issuer. They stay valid after the issuer changes. */
export const keepIssuer = (store: Store, issuer: string, now: Date): Promise<number> =>
  upsertIssuer(store.scoped({}), issuer, now)
