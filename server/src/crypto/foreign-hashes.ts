/** Password hashes that other systems made. The text of a hash shows its format. */
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import {
  beyond,
  decode,
  firstOf,
  isEqual,
  memoryMax,
  MiB,
  unless,
  wrongBase64,
  wrongOutput,
  wrongSalt,
  type ForeignHash,
  type HashFormat,
  type ParsedHash,
} from './foreign-hash.ts'
import { pbkdf2Forms } from './pbkdf2-hashes.ts'
import { firebaseStored, firebaseImported, scryptForms } from './scrypt-hashes.ts'
import { sha256 } from './sha256.ts'

/** A hash to store. The table `hash_keys` has its encrypted secret key. */
export interface ImportedHash {
  text: string
  key?: Buffer
}

/** Bounds of one hash: docs/importing-users.md. */
const textLengthMax = 512
const costMin = 4
const costMax = 15
const workMax = 1024 * MiB
const lanesMax = 4

/** Spring prefixes the hash with `{bcrypt}`. */
const bcrypt: HashFormat = {
  pattern: /^(?:\{bcrypt\})?(?<hash>\$2[aby]\$(?<cost>\d\d)\$[./A-Za-z0-9]{53})$/,
  read: ({ hash = '', cost }) =>
    firstOf(
      unless(Number(cost) >= costMin, `its cost must be at least ${costMin}`),
      beyond(Number(cost), costMax, 'its cost'),
    ) ?? { memoryBytes: 0, verify: (password) => verifyBcrypt(password, hash) },
}

/** Values of the library's enums. It exports their names only as types. */
const argon2i = 1
const argon2id = 2
const version19 = 1

const argon2: HashFormat = {
  pattern:
    /^\$argon2(?<type>id?)\$v=19\$m=(?<m>\d{1,9}),t=(?<t>\d{1,9}),p=(?<p>\d{1,9})\$(?<salt>[A-Za-z0-9+/]+)\$(?<output>[A-Za-z0-9+/]+)$/,
  read: ({ type = '', m, t, p, salt: saltText = '', output: outputText = '' }) => {
    const [memoryCost, timeCost, parallelism] = [Number(m), Number(t), Number(p)]
    const memoryBytes = memoryCost * 1024
    const isArgon = timeCost >= 1 && parallelism >= 1 && memoryCost >= 8 * parallelism
    const [salt, output] = [decode(saltText), decode(outputText)]
    const algorithm = type === 'id' ? argon2id : argon2i
    const options = { memoryCost, timeCost, parallelism, algorithm, version: version19, salt }
    return (
      firstOf(
        beyond(memoryBytes, memoryMax, 'its memory in bytes'),
        beyond(memoryBytes * timeCost, workMax, 'its memory in bytes × passes'),
        beyond(parallelism, lanesMax, 'its number of lanes'),
        unless(isArgon, 'its parameters are none of argon2'),
        wrongBase64(saltText, 'salt'),
        wrongBase64(outputText, 'hash'),
        wrongSalt(salt),
        wrongOutput(output),
      ) ?? {
        memoryBytes,
        verify: async (password) => {
          // Loaded for the first such hash: most installations import none.
          const { hashRaw } = await import('@node-rs/argon2')
          return isEqual(await hashRaw(password, { ...options, outputLen: output.length }), output)
        },
      }
    )
  },
}

const forms = [bcrypt, argon2, ...scryptForms, ...pbkdf2Forms]
const storedForms = [...forms, firebaseStored]

/** The hash by the first format that fits. Undefined for a text in none of the formats. */
const readBy = (known: HashFormat[], text: string): ParsedHash | undefined => {
  for (const { pattern, read } of known) {
    const groups = pattern.exec(text)?.groups
    if (groups) return read(groups)
  }
  return undefined
}

/** Parses a stored hash. Undefined for a text that is no hash, or that exceeds the limits. */
export const readForeign = (text: string): ForeignHash | undefined => {
  const reading = text.length > textLengthMax ? undefined : readBy(storedForms, text)
  return typeof reading === 'string' ? undefined : reading
}

/**
 * The id of a secret key: 132 bits of its SHA-256. Firebase's keys have 512 random bits, so that the hash does not
 * reveal the key. Equal keys share one row.
 */
export const keyIdOf = (key: Buffer): string =>
  sha256(key.toString('base64')).toString('base64url').slice(0, 22)

const importFirebase = (text: string): ImportedHash | string | undefined => {
  const groups = firebaseImported.pattern.exec(text)?.groups
  if (!groups) return undefined
  const reading = firebaseImported.read(groups)
  if (typeof reading === 'string') return reading
  const { start = '', end = '', sk = '' } = groups
  const key = decode(sk)
  return { text: `${start}kid=${keyIdOf(key)}${end}`, key }
}

const importPlain = (text: string): ImportedHash | string => {
  const reading =
    readBy(forms, text) ?? 'no form of a hash that can be verified here (docs/importing-users.md)'
  return typeof reading === 'string' ? reading : { text }
}

/**
 * Parses a hash from another system, and separates its secret key. For a text that is no hash or exceeds the limits,
 * returns the reason.
 */
export const importForeign = (text: string): ImportedHash | string =>
  beyond(text.length, textLengthMax, 'its length') ?? importFirebase(text) ?? importPlain(text)
