import { createPrivateKey, type KeyObject } from 'node:crypto'
import { importJWK, type CryptoKey } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Store } from '../db/client.ts'
import type { TokenAlgorithm } from './algorithms.ts'
import { selectIssuers, selectKeys, type KeyRow, type PublicKey, type TokenPurpose } from './keys.store.ts'
import type { Secrets } from './secrets.ts'

/**
 * docs/contract.md, "Authentication": the longest lifetime of an access token, and the lifetime of a refresh token.
 */
const accessTokenSecondsMax = 7200
export const refreshTokenSeconds = 7 * 24 * 3600

/** A session of an application lasts at most 90 days after its last refresh. */
export const sessionSecondsMax = 7_776_000

/** The `max-age` of the key set. A verifier can learn of a new key this much later. */
export const keySetSeconds = 300

/** Tokens of an earlier issuer verify this long after its last use: the lifetime of a refresh token, and an hour. */
export const formerIssuerMs = (refreshTokenSeconds + 3600) * 1000
/**
 * Published tokens verify this long after their key retired. That is longer than their lifetime, because an expired ID
 * token can still be a hint.
 */
export const retiredKeyMs = (refreshTokenSeconds + 3600) * 1000
/** Refresh tokens verify this long after their key retired: the longest lifetime of a refresh token, and an hour. */
export const retiredRefreshKeyMs = (sessionSecondsMax + 3600) * 1000
/** The service notices another process's rotation within this time, even if its message was lost. */
const maxAgeMs = 30_000
/** The most reads of keys per second because of unknown kids: anybody can send a token with an unknown kid. */
const unknownReadsPerSecond = 10

export interface SigningKey {
  kid: string
  alg: TokenAlgorithm
  key: KeyObject
}

export interface VerifyingKey {
  purpose: TokenPurpose
  alg: TokenAlgorithm
  key: CryptoKey
}

export interface Keys {
  /** The key that signs tokens of the purpose now. */
  signing(purpose: TokenPurpose, now: Date): Promise<SigningKey>
  /** The key with a kid. Undefined if there is no such key. */
  verifying(kid: string): Promise<VerifyingKey | undefined>
  /** True if this process knows the key. Does not read keys. */
  has(kid: string): Promise<boolean>
  /** True if a valid token of this installation can have that `iss`. */
  isIssuer(issuer: string, now: Date): Promise<boolean>
  /** The public keys of access tokens and ID tokens as a JSON Web Key Set. */
  jwks(now: Date): Promise<{ keys: PublicKey[] }>
  /** Drops cached keys after a rotation by another process. */
  forget(): void
}

interface KeySet {
  readAt: number
  rows: KeyRow[]
  verifying: Map<string, VerifyingKey>
  /** The time of the last use of each issuer. */
  issuers: Map<string, Date>
}

export const tokenPurposes: TokenPurpose[] = ['access', 'id', 'refresh']

const readKeys = async (store: Store): Promise<KeySet> => {
  const readAt = performance.now()
  const db = store.scoped({})
  const [rows, issuers] = await Promise.all([selectKeys(db, tokenPurposes), selectIssuers(db)])
  const verifying = new Map<string, VerifyingKey>()
  for (const row of rows) verifying.set(row.kid, await verifyingOf(row))
  return { readAt, rows, verifying, issuers: new Map(issuers.map((row) => [row.issuer, row.last_used_at])) }
}

const verifyingOf = async ({ purpose, public_jwk }: KeyRow): Promise<VerifyingKey> => ({
  purpose: purpose as TokenPurpose,
  alg: public_jwk.alg,
  key: await importPublic(public_jwk),
})

/** Throws when the JWK is invalid. */
export const importPublic = async (jwk: PublicKey): Promise<CryptoKey> => {
  const key = await importJWK({ ...jwk }, jwk.alg)
  if (key instanceof Uint8Array) throw new Error(`signing key ${jwk.kid} is not a public key`)
  return key
}

/** The key that signs at this time. If this replica's clock is behind, so that no key signs yet, the newest key. */
const signingRow = ({ rows }: KeySet, purpose: TokenPurpose, now: Date): KeyRow => {
  const own = rows.filter((row) => row.purpose === purpose)
  const found = own.find((row) => signsAt(row, now)) ?? own.find((row) => row.retired_at === null)
  if (!found) throw new Error('the database holds no signing key: run `tenantry rotate-keys`')
  return found
}

const signsAt = ({ signs_from, retired_at }: KeyRow, now: Date): boolean =>
  signs_from <= now && (retired_at === null || retired_at > now)

/** A key stays published until the last access token that it signed has expired. */
const isPublished = ({ purpose, retired_at }: KeyRow, now: Date): boolean =>
  purpose !== 'refresh' &&
  (retired_at === null || retired_at.getTime() + accessTokenSecondsMax * 1000 > now.getTime())

/** Caches the keys of the database. */
const createMemory = (store: Store) => {
  let current: Promise<KeySet> | undefined

  const read = (): Promise<KeySet> => {
    const reading = readKeys(store)
    current = reading
    reading.catch(() => {
      if (current === reading) current = undefined
    })
    return reading
  }

  const latest = async (): Promise<KeySet> => {
    const asked = current ?? read()
    const known = await asked
    if (performance.now() - known.readAt <= maxAgeMs) return known
    // Several callers can find the cache expired, but only one of them reads the keys.
    return current === asked ? read() : latest()
  }

  let unknownReads = 0
  /** Reads the keys because a token names an unknown kid or issuer. */
  const readForUnknown = async (): Promise<KeySet> => {
    if (unknownReads >= unknownReadsPerSecond) return latest()
    unknownReads += 1
    setTimeout(() => (unknownReads -= 1), 1000).unref()
    return read()
  }

  const forget = (): void => {
    current = undefined
  }
  return { latest, readForUnknown, forget }
}

/** The name of a private key's row. The encrypted key opens only under this name. */
export const keyBindingOf = (kid: string): string => `signing_keys ${kid}`

/** The private half of a key as PEM. Undefined for a retired audit key. */
export const privatePemOf = (
  { kid, private_pem: pem, private_sealed: sealed }: Pick<KeyRow, 'kid' | 'private_pem' | 'private_sealed'>,
  secrets: Secrets,
): string | undefined => (sealed ? secrets.open(sealed, keyBindingOf(kid)) : (pem ?? undefined))

export const openKeys = (store: Store, secrets: Secrets): Keys => {
  const { latest, readForUnknown, forget } = createMemory(store)
  const privateKeys = new LRUCache<string, KeyObject>({ max: 4 })

  const privateKey = (row: KeyRow): KeyObject => {
    const key = privateKeys.get(row.kid) ?? createPrivateKey(privatePemOf(row, secrets) ?? '')
    privateKeys.set(row.kid, key)
    return key
  }

  return {
    signing: async (purpose, now) => {
      const row = signingRow(await latest(), purpose, now)
      return { kid: row.kid, alg: row.public_jwk.alg, key: privateKey(row) }
    },
    verifying: async (kid) =>
      (await latest()).verifying.get(kid) ?? (await readForUnknown()).verifying.get(kid),
    has: async (kid) => (await latest()).verifying.has(kid),
    isIssuer: async (issuer, now) => {
      const usedAt = (await latest()).issuers.get(issuer) ?? (await readForUnknown()).issuers.get(issuer)
      return usedAt !== undefined && usedAt.getTime() + formerIssuerMs > now.getTime()
    },
    jwks: async (now) => ({
      keys: (await latest()).rows.filter((row) => isPublished(row, now)).map((row) => row.public_jwk),
    }),
    forget,
  }
}
