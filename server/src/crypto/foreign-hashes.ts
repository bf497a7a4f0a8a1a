/** Hashes of passwords that other systems made: their forms, their bounds, and how a password is verified with one. */
import { createCipheriv, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { hashRaw } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { sha256 } from './sha256.ts'

/** A hash that a password can be verified with. */
export interface ForeignHash {
  /** The memory that one verification takes, where it is much. */
  memoryBytes: number
  /** The id of the secret key that the hash was made with, where its form has one (hash-keys.ts). */
  keyId?: string
  /** `key` is the key of `keyId`. */
  verify(password: string, key: Buffer): Promise<boolean>
}

/** A hash as it is stored: its secret key stands elsewhere, encrypted. */
export interface TakenHash {
  text: string
  key?: Buffer
}

/** The text is not a hash that can be verified here; the message tells an administrator why. */
export class HashRefused extends Error {}

const MiB = 1024 * 1024
/** Bounds of one hash: moving-in, "Users from elsewhere". */
const textLengthMax = 512
const costMin = 4
const costMax = 15
const memoryMax = 256 * MiB
const workMax = 1024 * MiB
const lanesMax = 4
const roundsMax = 2_000_000
const saltBytes = { min: 8, max: 64 }
const outputBytes = { min: 16, max: 64 }

const refuse = (reason: string): never => {
  throw new HashRefused(reason)
}

const requireAtMost = (value: number, max: number, what: string): void => {
  if (!(value <= max)) refuse(`${what} is ${value}, and at most ${max} is accepted`)
}

const requireLength = (bytes: number, { min, max }: typeof saltBytes, what: string): void => {
  if (bytes < min || bytes > max) refuse(`its ${what} must have ${min} to ${max} bytes`)
}

/** Decodes base64 with or without padding, in either alphabet or passlib's. Throws for any other text. */
const decode = (text: string, what: string): Buffer => {
  const plain = text.replace(/=+$/, '').replaceAll(/[-.]/g, '+').replaceAll('_', '/')
  const bytes = Buffer.from(plain, 'base64')
  if (bytes.toString('base64').replace(/=+$/, '') !== plain) refuse(`its ${what} is not base64`)
  return bytes
}

const decodeSalt = (text: string): Buffer => {
  const salt = decode(text, 'salt')
  requireLength(salt.length, saltBytes, 'salt')
  return salt
}

const decodeOutput = (text: string): Buffer => {
  const output = decode(text, 'hash')
  requireLength(output.length, outputBytes, 'hash')
  return output
}

const isEqual = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)

/** Reads the groups of a form. */
type Read = (groups: Record<string, string>, text: string) => ForeignHash

const readBcrypt: Read = ({ cost }, text) => {
  const rounds = Number(cost)
  if (rounds < costMin) refuse(`its cost must be at least ${costMin}`)
  requireAtMost(rounds, costMax, 'its cost')
  return { memoryBytes: 0, verify: (password) => verifyBcrypt(password, text) }
}

/** The library's names of its enums exist only as types. */
const argon2id = 2
const version19 = 1

const readArgon2id: Read = ({ m, t, p, salt: saltText = '', output: outputText = '' }) => {
  const [memoryCost, timeCost, parallelism] = [Number(m), Number(t), Number(p)]
  const memoryBytes = memoryCost * 1024
  requireAtMost(memoryBytes, memoryMax, 'its memory in bytes')
  requireAtMost(memoryBytes * timeCost, workMax, 'its memory in bytes × passes')
  requireAtMost(parallelism, lanesMax, 'its number of lanes')
  const isArgon = timeCost >= 1 && parallelism >= 1 && memoryCost >= 8 * parallelism
  if (!isArgon) refuse('its parameters are none of argon2id')
  const [salt, output] = [decodeSalt(saltText), decodeOutput(outputText)]
  const options = { memoryCost, timeCost, parallelism, algorithm: argon2id, version: version19, salt }
  return {
    memoryBytes,
    verify: async (password) =>
      isEqual(await hashRaw(password, { ...options, outputLen: output.length }), output),
  }
}

const pbkdf2Async = promisify(pbkdf2)
const digests: Record<string, number> = { sha1: 20, sha256: 32, sha512: 64 }

const pbkdf2Hash = (
  digest: string,
  rounds: string | undefined,
  salt: Buffer,
  output: Buffer,
): ForeignHash => {
  const iterations = Number(rounds)
  if (iterations < 1) refuse('it has no rounds')
  requireAtMost(iterations, roundsMax, 'its number of rounds')
  const length = digests[digest] ?? 0
  if (output.length > length) refuse(`its hash is longer than the ${length} bytes of its digest`)
  return {
    memoryBytes: 0,
    verify: async (password) =>
      isEqual(await pbkdf2Async(password, salt, iterations, output.length, digest), output),
  }
}

const readPbkdf2: Read = ({ digest = 'sha1', rounds, l, salt = '', output: outputText = '' }) => {
  const output = decodeOutput(outputText)
  if (l !== undefined && Number(l) !== output.length) refuse('its length is not that of its hash')
  return pbkdf2Hash(digest, rounds, decodeSalt(salt), output)
}

/** Django takes the salt as the text that it is. */
const readDjango: Read = ({ digest = '', rounds, salt: saltText = '', output }) => {
  const salt = Buffer.from(saltText)
  requireLength(salt.length, saltBytes, 'salt')
  return pbkdf2Hash(digest, rounds, salt, decodeOutput(output ?? ''))
}

/** Firebase encrypts the project's key by AES-256-CTR under the derived key, beginning with a counter of zeros. */
const derivedBytes = 32
const firstCounter = Buffer.alloc(16)
/** For the blocks that OpenSSL allocates beside those of N. */
const spareBytes = 2 * MiB

const deriveByScrypt = (password: string, salt: Buffer, options: { N: number; r: number; p: number }) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, derivedBytes, { ...options, maxmem: memoryMax + spareBytes }, (err, derived) =>
      err ? reject(err) : resolve(derived),
    )
  })

/** The memory of scrypt as OpenSSL takes it: a block for each of N and each lane, and two more. */
const memoryOfScrypt = (exponent: number, size: number, lanes: number): number => {
  // RFC 7914, 2: N is below 2^(128 × r / 8).
  const isScrypt = exponent >= 1 && size >= 1 && lanes >= 1 && exponent < 16 * size
  if (!isScrypt) refuse('its parameters are none of scrypt')
  const N = 2 ** exponent
  requireAtMost(128 * N * size * lanes, memoryMax, '128 × N × r × p')
  const memoryBytes = 128 * size * (N + lanes + 2)
  requireAtMost(memoryBytes, memoryMax + spareBytes, 'its memory in bytes')
  return memoryBytes
}

const readFirebase: Read = ({ n, r, p, ss, kid, salt: saltText = '', output: outputText = '' }) => {
  const options = { N: 2 ** Number(n), r: Number(r), p: Number(p) }
  const memoryBytes = memoryOfScrypt(Number(n), options.r, options.p)
  const [salt, output] = [decodeSalt(saltText), decodeOutput(outputText)]
  const salted = Buffer.concat([salt, decode(ss ?? '', 'salt separator')])
  return {
    memoryBytes,
    ...(kid !== undefined && { keyId: kid }),
    verify: async (password, key) => {
      const derived = await deriveByScrypt(password, salted, options)
      const cipher = createCipheriv('aes-256-ctr', derived, firstCounter)
      return isEqual(Buffer.concat([cipher.update(key), cipher.final()]), output)
    },
  }
}

const base64 = '[A-Za-z0-9+/]'
const forms: { pattern: RegExp; read: Read }[] = [
  { pattern: /^\$2[aby]\$(?<cost>\d\d)\$[./A-Za-z0-9]{53}$/, read: readBcrypt },
  {
    pattern: new RegExp(
      `^\\$argon2id\\$v=19\\$m=(?<m>\\d{1,9}),t=(?<t>\\d{1,9}),p=(?<p>\\d{1,9})\\$(?<salt>${base64}+)\\$(?<output>${base64}+)$`,
    ),
    read: readArgon2id,
  },
  {
    pattern:
      /^\$pbkdf2(?:-(?<digest>sha1|sha256|sha512))?\$(?:i=)?(?<rounds>\d{1,9})(?:,l=(?<l>\d{1,3}))?\$(?<salt>[A-Za-z0-9+/.]+={0,2})\$(?<output>[A-Za-z0-9+/.]+={0,2})$/,
    read: readPbkdf2,
  },
  {
    pattern:
      /^pbkdf2_(?<digest>sha1|sha256|sha512)\$(?<rounds>\d{1,9})\$(?<salt>[^$\s]+)\$(?<output>[A-Za-z0-9+/]+={0,2})$/,
    read: readDjango,
  },
]

/** Firebase's form as it comes in, with the key of the project (`sk`), and as it is stored, with the id of the key. */
const firebaseForm = (keyed: string) =>
  new RegExp(
    `^(?<start>\\$fbscrypt\\$v=1,n=(?<n>\\d{1,2}),r=(?<r>\\d{1,9}),p=(?<p>\\d{1,9}),(?:ss=(?<ss>[\\w+/=-]*),)?)${keyed}` +
      '(?<end>\\$(?<salt>[\\w+/=-]+)\\$(?<output>[\\w+/=-]+))$',
  )
const firebaseTaken = firebaseForm('sk=(?<sk>[\\w+/=-]+)')
const firebaseStored = firebaseForm('kid=(?<kid>[\\w-]{22})')

const readBy = (form: { pattern: RegExp; read: Read }, text: string): ForeignHash | undefined => {
  const groups = form.pattern.exec(text)?.groups
  return groups && form.read(groups, text)
}

const storedForms = [...forms, { pattern: firebaseStored, read: readFirebase }]

/** Reads a stored hash; undefined for a text that is none, or beyond the bounds. */
export const readForeign = (text: string): ForeignHash | undefined => {
  if (text.length > textLengthMax) return undefined
  try {
    for (const form of storedForms) {
      const hash = readBy(form, text)
      if (hash) return hash
    }
    return undefined
  } catch (err) {
    if (err instanceof HashRefused) return undefined
    throw err
  }
}

/**
 * The id of a secret key: 132 bits of its SHA-256. A key of Firebase has 512 random bits, so the hash tells nothing about
 * it. Equal keys have one row.
 */
export const keyIdOf = (key: Buffer): string =>
  sha256(key.toString('base64')).toString('base64url').slice(0, 22)

const takeFirebase = (text: string): TakenHash | undefined => {
  const groups = firebaseTaken.exec(text)?.groups
  if (!groups) return undefined
  const { start = '', end = '', sk = '', output = '' } = groups
  readFirebase(groups, text)
  const key = decode(sk, 'key (sk)')
  if (key.length !== decode(output, 'hash').length) refuse('its key (sk) is not that of its hash')
  return { text: `${start}kid=${keyIdOf(key)}${end}`, key }
}

/** Takes a hash from outside, and its secret key apart. Throws HashRefused for a text that is none, or beyond the bounds. */
export const takeForeign = (text: string): TakenHash => {
  requireAtMost(text.length, textLengthMax, 'its length')
  const firebase = takeFirebase(text)
  if (firebase) return firebase
  for (const form of forms) if (readBy(form, text)) return { text }
  return refuse(
    'no form of a hash that can be verified here: bcrypt, argon2id, Firebase scrypt or PBKDF2 (docs/importing-users.md)',
  )
}
