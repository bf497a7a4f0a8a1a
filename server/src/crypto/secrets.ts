/**
 * Secrets at rest: AES-256-GCM, each bound to its row, under the keys of TENANTRY_SECRET_KEY or of the data folder.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { AppError } from '../errors/app-error.ts'

const algorithm = 'aes-256-gcm'

/** The layout of an encrypted secret: version, fingerprint of the key, initialisation vector, tag, ciphertext. */
const version = 1
const fingerprintBytes = 8
const ivBytes = 12
const tagBytes = 16
const ivStart = 1 + fingerprintBytes
const tagStart = ivStart + ivBytes
const textStart = tagStart + tagBytes

export interface Secrets {
  /** False without a secret key: the service cannot store secrets. */
  isOn: boolean
  /** The fingerprint of the key that encrypts. Undefined without a key. */
  current: Buffer | undefined
  /**
   * Encrypts a text. `boundTo` names its row, such as `signing_keys <kid>`: the secret opens in no other row. Throws
   * 503 `secretsOff` without a secret key.
   */
  seal(text: string, boundTo: string): Buffer
  /**
   * Decrypts a secret. Throws if somebody altered it, if it belongs to another row, or if an unknown key encrypted it.
   */
  open(sealed: Buffer, boundTo: string): string
  /** The HMAC of a text that is short enough to be guessed. Throws 503 `secretsOff` without a secret key. */
  mac(text: string, boundTo: string): Buffer
  /** Whether `mac` made this value of the text, with any of the keys. */
  isMac(mac: Buffer, text: string, boundTo: string): boolean
  /**
   * The keys for another purpose, in hex: one for each secret key, the first for signing. Throws 503 `secretsOff`
   * without a secret key.
   */
  derive(purpose: string): string[]
}

const derivedFrom = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `tenantry ${purpose}`, 32))

const macOf = (key: Buffer, text: string, boundTo: string): Buffer =>
  createHmac('sha256', derivedFrom(key, 'mac')).update(`${boundTo}\n${text}`).digest()

/** Identifies a key in the database. 64 bits of a hash of 256 random bits reveal nothing about the key. */
export const fingerprintOf = (key: Buffer): Buffer =>
  createHash('sha256').update('tenantry secret key ').update(key).digest().subarray(0, fingerprintBytes)

/** The first key encrypts, and all keys decrypt. */
export const createSecrets = (keys: readonly Buffer[]): Secrets => {
  const byFingerprint = new Map(keys.map((key) => [fingerprintOf(key).toString('hex'), key]))
  const [first] = keys
  const current = first && fingerprintOf(first)
  return {
    isOn: first !== undefined,
    current,
    seal: (text, boundTo) => {
      if (!first || !current) throw secretsOff()
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, first, iv).setAAD(Buffer.from(boundTo))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), current, iv, cipher.getAuthTag(), body])
    },
    open: (sealed, boundTo) => {
      const name = sealed.subarray(1, ivStart).toString('hex')
      const key = byFingerprint.get(name)
      if (sealed[0] !== version || !key) throw new Error(`no secret key ${name} opens ${boundTo}`)
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(ivStart, tagStart), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(tagStart, textStart))
      return Buffer.concat([decipher.update(sealed.subarray(textStart)), decipher.final()]).toString('utf8')
    },
    mac: (text, boundTo) => {
      if (!first) throw secretsOff()
      return macOf(first, text, boundTo)
    },
    isMac: (mac, text, boundTo) => keys.some((key) => timingSafeEqual(mac, macOf(key, text, boundTo))),
    derive: (purpose) => {
      if (!first) throw secretsOff()
      return keys.map((key) => derivedFrom(key, purpose).toString('hex'))
    },
  }
}

export const secretsOff = () =>
  new AppError('secretsOff', 'This needs a secret key. Ask the operator to set TENANTRY_SECRET_KEY')
