/** Hashes of PBKDF2: in PHC form, of Django, and of ASP.NET Identity. */
import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import {
  beyond,
  decode,
  firstOf,
  isEqual,
  unless,
  wrongBase64,
  wrongOutput,
  wrongSalt,
  type HashFormat,
  type ParsedHash,
} from './foreign-hash.ts'

/** Bounds of one hash: docs/importing-users.md. */
const roundsMax = 2_000_000
/** The order is that of ASP.NET's numbers for the digests. */
const digestBytes: Record<string, number> = { sha1: 20, sha256: 32, sha512: 64 }

const pbkdf2Async = promisify(pbkdf2)

const pbkdf2Hash = (digest: string, rounds: number, salt: Buffer, output: Buffer): ParsedHash => {
  const length = digestBytes[digest] ?? 0
  return (
    firstOf(
      unless(rounds >= 1, 'it has no rounds'),
      beyond(rounds, roundsMax, 'its number of rounds'),
      wrongSalt(salt),
      wrongOutput(output),
      unless(output.length <= length, `its hash is longer than the ${length} bytes of its digest`),
    ) ?? {
      memoryBytes: 0,
      verify: async (password) =>
        isEqual(await pbkdf2Async(password, salt, rounds, output.length, digest), output),
    }
  )
}

const phc: HashFormat = {
  pattern:
    /^\$pbkdf2(?:-(?<digest>sha1|sha256|sha512))?\$(?:i=)?(?<rounds>\d{1,9})(?:,l=(?<l>\d{1,3}))?\$(?<salt>[A-Za-z0-9+/.]+={0,2})\$(?<output>[A-Za-z0-9+/.]+={0,2})$/,
  read: ({ digest = 'sha1', rounds, l, salt = '', output: outputText = '' }) => {
    const output = decode(outputText)
    const hasLength = l === undefined || Number(l) === output.length
    return (
      firstOf(
        wrongBase64(salt, 'salt'),
        wrongBase64(outputText, 'hash'),
        unless(hasLength, 'its length is not that of its hash'),
      ) ?? pbkdf2Hash(digest, Number(rounds), decode(salt), output)
    )
  },
}

/** Django uses the salt's text itself, not decoded. */
const django: HashFormat = {
  pattern:
    /^pbkdf2_(?<digest>sha1|sha256|sha512)\$(?<rounds>\d{1,9})\$(?<salt>[^$\s]+)\$(?<output>[A-Za-z0-9+/]+={0,2})$/,
  read: ({ digest = '', rounds, salt = '', output = '' }) =>
    wrongBase64(output, 'hash') ?? pbkdf2Hash(digest, Number(rounds), Buffer.from(salt), decode(output)),
}

/**
 * A zero byte, 16 bytes of salt and 32 of hash. The first 20 bytes of the hash, the length of SHA-1, suffice as a
 * hash.
 */
const aspNetV2: HashFormat = {
  pattern: /^(?<text>A[A-P][A-Za-z0-9+/]{64}==)$/,
  read: ({ text = '' }) => {
    const bytes = decode(text)
    return (
      wrongBase64(text, 'text') ?? pbkdf2Hash('sha1', 1000, bytes.subarray(1, 17), bytes.subarray(17, 37))
    )
  },
}

/** The byte 1; digest, rounds and length of the salt in 32 bits each; then salt and hash. */
const aspNetV3: HashFormat = {
  pattern: /^(?<text>AQAAA[A-Za-z0-9+/]{13,}={0,2})$/,
  read: ({ text = '' }) => {
    const bytes = decode(text)
    const [digest, length = 0] = Object.entries(digestBytes)[bytes.readUInt32BE(1)] ?? []
    if (digest === undefined) return 'its digest is none of SHA-1, SHA-256 and SHA-512'
    const saltEnd = 13 + bytes.readUInt32BE(9)
    const output = bytes.subarray(saltEnd)
    return (
      firstOf(wrongBase64(text, 'text'), wrongOutput(output)) ??
      pbkdf2Hash(digest, bytes.readUInt32BE(5), bytes.subarray(13, saltEnd), output.subarray(0, length))
    )
  },
}

export const pbkdf2Forms = [phc, django, aspNetV2, aspNetV3]
