import { randomUUID } from 'node:crypto'
import { exportJWK, exportPKCS8, generateKeyPair, importJWK, importPKCS8, type CryptoKey } from 'jose'
import type { Store } from '../db/client.ts'
import {
  deleteKeysRetiredBefore,
  insertKey,
  lockKeys,
  retireKeysBut,
  selectKeys,
  type KeyRow,
  type PublicKey,
} from './keys.store.ts'

/** The signature of the tokens (contract: Authentication). */
export const tokenAlgorithm = 'EdDSA'

/** How long a retired key still verifies: the life of the longest token it can have signed (7 days), and an hour. */
const retiredKeyMs = (7 * 24 + 1) * 3_600_000
/** Keys made by a rotation elsewhere are seen after this long even when no message about it arrived. */
const maxAgeMs = 30_000
/** A token with an unknown kid makes us look for new keys, but strangers can make us look this often a second at most. */
const looksPerSecond = 10

export interface Keys {
  /** The key that signs now. */
  signing(): Promise<{ kid: string; key: CryptoKey }>
  /** The public key of that name, undefined when there is none. */
  verifying(kid: string): Promise<CryptoKey | undefined>
  /** The public keys as a JSON Web Key Set. */
  jwks(): Promise<{ keys: PublicKey[] }>
  /** Forgets what was read: another process has rotated. */
  forget(): void
}

interface KeySet {
  readAt: number
  signing: { kid: string; key: CryptoKey }
  verifying: Map<string, CryptoKey>
  jwks: { keys: PublicKey[] }
}

const readKeys = async (store: Store): Promise<KeySet> => {
  const readAt = performance.now()
  const rows = await selectKeys(store.scoped({}))
  const newest = rows.find((row) => row.retired_at === null)
  if (!newest) throw new Error('the database holds no signing key: run `tenantry rotate-keys`')
  const verifying = new Map<string, CryptoKey>()
  for (const row of rows) verifying.set(row.kid, await importPublic(row))
  return {
    readAt,
    signing: { kid: newest.kid, key: await importPKCS8(newest.private_pem, tokenAlgorithm) },
    verifying,
    jwks: { keys: rows.map((row) => row.public_jwk) },
  }
}

const importPublic = async (row: KeyRow): Promise<CryptoKey> => {
  const key = await importJWK(row.public_jwk, tokenAlgorithm)
  if (key instanceof Uint8Array) throw new Error(`signing key ${row.kid} is not a public key`)
  return key
}

export const openKeys = (store: Store): Keys => {
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
    // Of all who find it aged, one reads it anew.
    return current === asked ? read() : latest()
  }

  let looks = 0
  const look = async (): Promise<KeySet> => {
    if (looks >= looksPerSecond) return latest()
    looks += 1
    setTimeout(() => (looks -= 1), 1000).unref()
    return read()
  }

  return {
    signing: async () => (await latest()).signing,
    verifying: async (kid) => (await latest()).verifying.get(kid) ?? (await look()).verifying.get(kid),
    jwks: async () => (await latest()).jwks,
    forget: () => {
      current = undefined
    },
  }
}

const newKey = async (now: Date): Promise<KeyRow> => {
  const { publicKey, privateKey } = await generateKeyPair(tokenAlgorithm, {
    crv: 'Ed25519',
    extractable: true,
  })
  const kid = randomUUID()
  const { x = '' } = await exportJWK(publicKey)
  return {
    kid,
    public_jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: tokenAlgorithm, use: 'sig' },
    private_pem: await exportPKCS8(privateKey),
    created_at: now,
    retired_at: null,
  }
}

/** Makes the first key when there is none; replicas that start together agree on one. */
export const ensureKey = async (store: Store, now: Date): Promise<void> => {
  await store.transaction({}, async (db) => {
    await lockKeys(db)
    if ((await selectKeys(db)).every((row) => row.retired_at !== null)) await insertKey(db, await newKey(now))
  })
}

/** Makes a new key sign from now on. Tokens signed by the others stay valid: no session ends. Returns the new kid. */
export const rotateKeys = async (store: Store, now: Date): Promise<string> => {
  const key = await newKey(now)
  await store.transaction({}, async (db) => {
    await lockKeys(db)
    await insertKey(db, key)
    await retireKeysBut(db, key.kid, now)
  })
  return key.kid
}

/** Deletes the keys that no living token can have been signed with. */
export const deleteOldKeys = async (store: Store, now: Date): Promise<void> => {
  await deleteKeysRetiredBefore(store.scoped({}), new Date(now.getTime() - retiredKeyMs))
}
