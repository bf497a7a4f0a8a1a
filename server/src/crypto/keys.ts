import { randomUUID } from 'node:crypto'
import {
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importJWK,
  importPKCS8,
  type CryptoKey,
} from 'jose'
import type { Db, DbRole, Store } from '../db/client.ts'
import { actAs } from '../db/scope.ts'
import {
  deleteTokenKeysRetiredBefore,
  insertKey,
  lockKeys,
  retireAuditKeysBut,
  retireTokenKeysBut,
  selectKeys,
  type KeyRow,
  type PublicKey,
  type Purpose,
} from './keys.store.ts'

/** The signature of the tokens (contract: Authentication), and of the audit chain. */
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
  const rows = await selectKeys(store.scoped({}), 'token')
  const newest = rows.find((row) => row.retired_at === null)
  if (!newest?.private_pem) throw new Error('the database holds no signing key: run `tenantry rotate-keys`')
  const verifying = new Map<string, CryptoKey>()
  for (const row of rows) verifying.set(row.kid, await importPublic(row.public_jwk))
  return {
    readAt,
    signing: { kid: newest.kid, key: await importPKCS8(newest.private_pem, tokenAlgorithm) },
    verifying,
    jwks: { keys: rows.map((row) => row.public_jwk) },
  }
}

/** Throws when it is none. */
export const importPublic = async (jwk: PublicKey): Promise<CryptoKey> => {
  const key = await importJWK(jwk, tokenAlgorithm)
  if (key instanceof Uint8Array) throw new Error(`signing key ${jwk.kid} is not a public key`)
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

const roleOf = { token: 'tenantry_app', audit: 'tenantry_seal' } as const satisfies Record<Purpose, DbRole>

/** An audit key is named after its thumbprint (RFC 7638): who keeps the name knows the key. */
const newKey = async (purpose: Purpose, now: Date): Promise<KeyRow> => {
  const { publicKey, privateKey } = await generateKeyPair(tokenAlgorithm, {
    crv: 'Ed25519',
    extractable: true,
  })
  const { x = '' } = await exportJWK(publicKey)
  const kid = purpose === 'token' ? randomUUID() : await thumbprintOf(x)
  return {
    kid,
    public_jwk: publicKeyOf({ x, kid }),
    private_pem: await exportPKCS8(privateKey),
    created_at: now,
    retired_at: null,
  }
}

/** The one form in which a public key is written, whatever the database made of it. */
export const publicKeyOf = ({ x, kid }: Pick<PublicKey, 'x' | 'kid'>): PublicKey => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x,
  kid,
  alg: tokenAlgorithm,
  use: 'sig',
})

/** RFC 7638, of an Ed25519 key by its `x`. */
export const thumbprintOf = (x: string): Promise<string> =>
  calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x })

/** Makes the first keys when there are none; replicas that start together agree on them. */
export const ensureKeys = async (store: Store, now: Date): Promise<void> => {
  await ensureKey(store, 'token', now)
  await ensureKey(store, 'audit', now)
}

const ensureKey = (store: Store, purpose: Purpose, now: Date): Promise<void> =>
  store.transaction(
    {},
    async (db) => {
      await lockKeys(db)
      const rows = await selectKeys(db, purpose)
      if (rows.every((row) => row.retired_at !== null)) {
        await insertKey(db, purpose, await newKey(purpose, now))
      }
    },
    roleOf[purpose],
  )

/** Which key signs now, and which ones did before. */
export interface Rotation {
  kid: string
  retired: string[]
}

/**
 * Makes new keys sign from now on, in a transaction of `tenantry_app`. Tokens signed by the others stay valid: no
 * session ends. The private half of the audit key before is erased.
 */
export const rotateKeys = async (db: Db, now: Date): Promise<Record<Purpose, Rotation>> => {
  await lockKeys(db)
  const token = await newKey('token', now)
  await insertKey(db, 'token', token)
  const retiredTokenKeys = await retireTokenKeysBut(db, token.kid, now)
  await actAs(db, roleOf.audit)
  const audit = await newKey('audit', now)
  await insertKey(db, 'audit', audit)
  const retiredAuditKeys = await retireAuditKeysBut(db, audit.kid, now)
  await actAs(db, roleOf.token)
  return {
    token: { kid: token.kid, retired: retiredTokenKeys.map(({ kid }) => kid) },
    audit: { kid: audit.kid, retired: retiredAuditKeys.map(({ kid }) => kid) },
  }
}

/** Deletes the token keys that no living token can have been signed with. Public audit keys stay. */
export const deleteOldKeys = async (store: Store, now: Date): Promise<void> => {
  await deleteTokenKeysRetiredBefore(store.scoped({}), new Date(now.getTime() - retiredKeyMs))
}
