/** Signed statements about the audit chain: compact JWS (RFC 7515) over JSON, with keys of their own. */
import { calculateJwkThumbprint, compactVerify, CompactSign, importPKCS8, type CryptoKey } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/client.ts'
import { importPublic, privatePemOf } from './keys.ts'
import { selectKeys, selectPublicAuditKeys, type KeyRow, type PublicKey } from './keys.store.ts'
import type { Secrets } from './secrets.ts'
import { sha256 } from './sha256.ts'

/** The algorithm of the audit chain. Ed25519 (RFC 8037) has one curve, so `x` identifies a key. */
export const auditAlgorithm = 'EdDSA'

export interface AuditKey extends PublicKey {
  x: string
}

/** The canonical form of a public audit key, independent of the database's formatting. */
export const publicKeyOf = ({ x, kid }: Pick<AuditKey, 'x' | 'kid'>): AuditKey => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x,
  kid,
  alg: auditAlgorithm,
  use: 'sig',
})

/** The RFC 7638 thumbprint of an Ed25519 key, from its `x`. */
export const thumbprintOf = (x: string): Promise<string> =>
  calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x })

export type Sign = (payload: object) => Promise<Statement>

export interface Statement {
  text: string
  /** SHA-256 of the payload. */
  hash: Buffer
}

/** Public audit keys by kid. */
export type TrustedKeys = ReadonlyMap<string, CryptoKey>

/** The keys of one sealing transaction. */
export interface AuditKeys {
  trusted: TrustedKeys
  /** Signs a statement. Throws if no key can sign. */
  sign: Sign
}

/** Reads the public audit keys in a transaction of `tenantry_seal`. */
export const openTrustedKeys = async (db: Db): Promise<TrustedKeys> =>
  trustKeys((await selectPublicAuditKeys(db)).map((row) => row.public_jwk as AuditKey))

/** Reads the keys. Each transaction of `tenantry_seal` reads them again, because a rotation erases the private key. */
export const openAuditKeys = async (db: Db, secrets: Secrets): Promise<AuditKeys> => {
  const rows = await selectKeys(db, ['audit'])
  return {
    trusted: await trustKeys(rows.map((row) => row.public_jwk as AuditKey)),
    sign: signerOf(
      rows.find(({ retired_at }) => retired_at === null),
      secrets,
    ),
  }
}

/** The parsed private key of the last signature, by kid. */
const privateKeys = new LRUCache<string, CryptoKey>({ max: 1 })

const signerOf =
  (row: KeyRow | undefined, secrets: Secrets): Sign =>
  async (payload) => {
    if (!row) throw new Error('the database holds no audit key: run `tenantry rotate-keys`')
    const { kid } = row
    const key = privateKeys.get(kid) ?? (await importPKCS8(privatePemOf(row, secrets) ?? '', auditAlgorithm))
    privateKeys.set(kid, key)
    const bytes = Buffer.from(JSON.stringify(payload))
    const header = { alg: auditAlgorithm, kid }
    const text = await new CompactSign(bytes).setProtectedHeader(header).sign(key)
    return { text, hash: sha256(bytes) }
  }

/** All public audit keys, newest first. Runs in a transaction of `tenantry_seal`. */
export const listAuditKeys = async (db: Db): Promise<AuditKey[]> =>
  (await selectPublicAuditKeys(db)).map((row) => publicKeyOf(row.public_jwk as AuditKey))

/** Throws if a kid is not the thumbprint of its key. */
export const trustKeys = async (keys: Pick<AuditKey, 'x' | 'kid'>[]): Promise<TrustedKeys> => {
  const trusted = new Map<string, CryptoKey>()
  for (const key of keys) trusted.set(key.kid, await trustKey(key))
  return trusted
}

/** Parsed and checked public keys, by kid and content. */
const publicKeys = new LRUCache<string, CryptoKey>({ max: 100 })

const trustKey = async ({ x, kid }: Pick<AuditKey, 'x' | 'kid'>): Promise<CryptoKey> => {
  const known = publicKeys.get(`${kid} ${x}`)
  if (known) return known
  if ((await thumbprintOf(x)) !== kid) throw new Error(`the key ${kid} is not the one of that name`)
  const key = await importPublic(publicKeyOf({ x, kid }))
  publicKeys.set(`${kid} ${x}`, key)
  return key
}

export type OpenedStatement = { payload: unknown; hash: Buffer } | { fault: string }

/** The payload of a statement and its hash. For an invalid statement, its fault. */
export const openStatement = async (text: string, keys: TrustedKeys): Promise<OpenedStatement> => {
  let kid: string | undefined
  try {
    const { payload } = await compactVerify(
      text,
      (header) => {
        kid = header.kid ?? ''
        const key = keys.get(kid)
        if (!key) throw new UnknownKey()
        return key
      },
      { algorithms: [auditAlgorithm] },
    )
    if (!isCanonical(text)) return { fault: 'is forged' }
    const bytes = Buffer.from(payload)
    return { payload: JSON.parse(bytes.toString()), hash: sha256(bytes) }
  } catch (err) {
    return { fault: err instanceof UnknownKey ? `is signed with an unknown key, ${kid}` : 'is forged' }
  }
}

class UnknownKey extends Error {}

/**
 * Rejects other spellings of a signature. The last character has unused bits, so sixteen texts decode to the same
 * bytes.
 */
export const isCanonical = (text: string): boolean => {
  const signature = text.slice(text.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}
