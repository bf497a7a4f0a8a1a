/**
 * The text of a service account's key. It is `tnt_` and base62 of fixed width. Its parts are 256 random bits (43
 * characters), the tenant's id (22), the account's id (9), and their CRC-32 (6). The tenant's id lets the service look
 * a key up in the scope of one tenant, like a session. The checksum detects a mistyped key without a query.
 *
 * The text of an application's secret is `tns_`, 256 random bits and the checksum.
 */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { sha256 } from './sha256.ts'

export const keyStart = 'tnt_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefixLength = 12
const secretStart = 'tns_'
const shape = /^tnt_([0-9A-Za-z]{43})([0-9A-Za-z]{22})([0-9A-Za-z]{9})([0-9A-Za-z]{6})$/
const secretShape = /^tns_[0-9A-Za-z]{49}$/

const base62 = (value: bigint, width: number): string => {
  let text = ''
  for (let rest = value; text.length < width; rest /= 62n) text = `${digits[Number(rest % 62n)]}${text}`
  return text
}

const fromBase62 = (text: string): bigint => {
  let value = 0n
  for (const digit of text) value = value * 62n + BigInt(digits.indexOf(digit))
  return value
}

/** Base62 of random bytes: 16 bytes fill 22 characters, 32 fill 43. */
const randomText = (bytes: number, width: number): string =>
  base62(BigInt(`0x${randomBytes(bytes).toString('hex')}`), width)

const checksumOf = (text: string): string => base62(BigInt(crc32(text)), 6)

const uuidOf = (value: bigint): string => {
  const hex = value.toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const withChecksum = (body: string): string => `${body}${checksumOf(body)}`

const hasChecksum = (text: string): boolean => text === withChecksum(text.slice(0, -6))

/** SHA-256 in hex: the id of a key in `Credential`. The service stores this hash and never the text. */
const hashOf = (text: string): string => sha256(text).toString('hex')

export interface NewKey {
  secret: string
  prefix: string
  hash: string
}

export const createKeyText = (tenantId: string, accountId: number): NewKey => {
  const tenant = base62(BigInt(`0x${tenantId.replaceAll('-', '')}`), 22)
  const secret = withChecksum(`${keyStart}${randomText(32, 43)}${tenant}${base62(BigInt(accountId), 9)}`)
  return { secret, prefix: secret.slice(0, prefixLength), hash: hashOf(secret) }
}

/** The content of a key's text. Only the database knows whether the key exists. */
interface KeyText {
  tenantId: string
  accountId: number
  hash: string
}

/** Caches parsed keys: parsing takes 5 µs, and a lookup a tenth of that. An entry takes about 1 kB. */
const known = new LRUCache<string, KeyText>({ max: 10_000 })

/** The content of a key's text. Undefined for a text with a wrong form or checksum. */
export const readKeyText = (text: string): KeyText | undefined => {
  const remembered = known.get(text)
  if (remembered) return remembered
  const key = read(text)
  if (key) known.set(text, key)
  return key
}

const read = (text: string): KeyText | undefined => {
  const [, , tenant = '', account = ''] = shape.exec(text) ?? []
  if (tenant === '' || !hasChecksum(text)) return undefined
  const [tenantValue, accountId] = [fromBase62(tenant), Number(fromBase62(account))]
  if (tenantValue >= 1n << 128n || !Number.isSafeInteger(accountId)) return undefined
  return { tenantId: uuidOf(tenantValue), accountId, hash: hashOf(text) }
}

/** 128 random bits in 22 letters and digits, so that no two applications share an id. */
export const createClientId = (): string => randomText(16, 22)

/** A new secret of an application, and the hash that the service stores. */
export const createSecretText = (): Pick<NewKey, 'secret' | 'hash'> => {
  const secret = withChecksum(`${secretStart}${randomText(32, 43)}`)
  return { secret, hash: hashOf(secret) }
}

/** The hash of an application's secret. Undefined for a text with a wrong form or checksum. */
export const readSecretText = (text: string): string | undefined =>
  secretShape.test(text) && hasChecksum(text) ? hashOf(text) : undefined
