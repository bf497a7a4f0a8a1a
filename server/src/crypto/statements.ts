/** Signed statements about the audit chain: compact JWS (RFC 7515) over JSON, by keys of their own. */
import { createHash } from 'node:crypto'
import { compactVerify, CompactSign, importPKCS8, type CryptoKey } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/client.ts'
import { importPublic, publicKeyOf, thumbprintOf, tokenAlgorithm } from './keys.ts'
import { selectKeys, selectPublicKeys, type KeyRow, type PublicKey } from './keys.store.ts'

/** Signs a payload with the audit key of the moment. */
export type Sign = (payload: object) => Promise<Statement>

export interface Statement {
  text: string
  /** SHA-256 of the payload. */
  hash: Buffer
}

/** Public audit keys by their names. */
export type TrustedKeys = ReadonlyMap<string, CryptoKey>

/** What a transaction that seals trusts, and signs with. */
export interface AuditKeys {
  trusted: TrustedKeys
  /** Throws when there is no key to sign with. */
  sign: Sign
}

/** The keys of a transaction of `tenantry_seal`; read anew in each, as a rotation erases the key. */
export const openAuditKeys = async (db: Db): Promise<AuditKeys> => {
  const rows = await selectKeys(db, 'audit')
  return {
    trusted: await trustKeys(rows.map((row) => row.public_jwk)),
    sign: signerOf(rows.find(({ retired_at }) => retired_at === null)),
  }
}

/** The private key that was used last, by its text: parsed once, and forgotten when another one signs. */
const privateKeys = new LRUCache<string, CryptoKey>({ max: 1 })

const signerOf =
  (row: KeyRow | undefined): Sign =>
  async (payload) => {
    if (!row?.private_pem) throw new Error('the database holds no audit key: run `tenantry rotate-keys`')
    const key = privateKeys.get(row.private_pem) ?? (await importPKCS8(row.private_pem, tokenAlgorithm))
    privateKeys.set(row.private_pem, key)
    const bytes = Buffer.from(JSON.stringify(payload))
    const header = { alg: tokenAlgorithm, kid: row.kid }
    const text = await new CompactSign(bytes).setProtectedHeader(header).sign(key)
    return { text, hash: sha256(bytes) }
  }

export const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest()

/** All public audit keys, newest first, in a transaction of `tenantry_seal`. */
export const listAuditKeys = async (db: Db): Promise<PublicKey[]> =>
  (await selectPublicKeys(db, 'audit')).map((row) => publicKeyOf(row.public_jwk))

/** Throws when a key bears the name of another. */
export const trustKeys = async (keys: Pick<PublicKey, 'x' | 'kid'>[]): Promise<TrustedKeys> => {
  const trusted = new Map<string, CryptoKey>()
  for (const key of keys) trusted.set(key.kid, await trustKey(key))
  return trusted
}

/** Public keys that bear their own name, by that name and themselves: checked and parsed once. */
const publicKeys = new LRUCache<string, CryptoKey>({ max: 100 })

const trustKey = async ({ x, kid }: Pick<PublicKey, 'x' | 'kid'>): Promise<CryptoKey> => {
  const known = publicKeys.get(`${kid} ${x}`)
  if (known) return known
  if ((await thumbprintOf(x)) !== kid) throw new Error(`the key ${kid} is not the one of that name`)
  const key = await importPublic(publicKeyOf({ x, kid }))
  publicKeys.set(`${kid} ${x}`, key)
  return key
}

export type Opened = { payload: unknown; hash: Buffer } | { fault: string }

/** The payload of a statement and its hash, or what is wrong with it. */
export const openStatement = async (text: string, keys: TrustedKeys): Promise<Opened> => {
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
      { algorithms: [tokenAlgorithm] },
    )
    if (!isCanonical(text)) return { fault: 'is forged' }
    const bytes = Buffer.from(payload)
    return { payload: JSON.parse(bytes.toString()), hash: sha256(bytes) }
  } catch (err) {
    return { fault: err instanceof UnknownKey ? `is signed with an unknown key, ${kid}` : 'is forged' }
  }
}

class UnknownKey extends Error {}

/** The last character of a signature has bits to spare: sixteen spellings of one statement would all be good. */
export const isCanonical = (text: string): boolean => {
  const signature = text.slice(text.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}
