/** Password hashes that another system made: the parts that all formats share, and their limits. */
import { timingSafeEqual } from 'node:crypto'

export interface ForeignHash {
  /** The memory of one verification; 0 for formats that need little. */
  memoryBytes: number
  /** The id of the secret key that made the hash, if its format has one (hash-keys.ts). */
  keyId?: string
  /** `key` is the secret key with the id `keyId`. */
  verify(password: string, key: Buffer): Promise<boolean>
}

/** The hash. For a refused hash, the reason in words for an administrator. */
export type ParsedHash = ForeignHash | string

export interface HashFormat {
  pattern: RegExp
  /** Reads the groups of the pattern, and limits the cost before any work. */
  read: (groups: Record<string, string>) => ParsedHash
}

export const MiB = 1024 * 1024
/** Bounds of one hash: docs/importing-users.md. */
export const memoryMax = 256 * MiB
const saltBytes = { min: 8, max: 64 }
const outputBytes = { min: 16, max: 64 }

/** The reason to refuse a hash; undefined if there is none. */
type Fault = string | undefined

export const firstOf = (...faults: Fault[]): Fault => faults.find((fault) => fault !== undefined)

export const unless = (isRight: boolean, reason: string): Fault => (isRight ? undefined : reason)

export const beyond = (value: number, max: number, what: string): Fault =>
  unless(value <= max, `${what} is ${value}, and at most ${max} is accepted`)

const wrongLength = (bytes: Buffer, { min, max }: typeof saltBytes, what: string): Fault =>
  unless(bytes.length >= min && bytes.length <= max, `its ${what} must have ${min} to ${max} bytes`)

export const wrongSalt = (salt: Buffer): Fault => wrongLength(salt, saltBytes, 'salt')

export const wrongOutput = (output: Buffer): Fault => wrongLength(output, outputBytes, 'hash')

const withoutPadding = (text: string): string => text.replace(/=+$/, '')

/** Translates base64url and passlib's alphabet, which has `.` instead of `+`, to the usual alphabet. */
const inUsualAlphabet = (text: string): string =>
  withoutPadding(text).replaceAll(/[-.]/g, '+').replaceAll('_', '/')

/** Decodes base64, base64url or passlib's base64, with or without padding. */
export const decode = (text: string): Buffer => Buffer.from(inUsualAlphabet(text), 'base64')

export const wrongBase64 = (text: string, what: string): Fault =>
  unless(
    withoutPadding(decode(text).toString('base64')) === inUsualAlphabet(text),
    `its ${what} is not base64`,
  )

export const isEqual = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)
