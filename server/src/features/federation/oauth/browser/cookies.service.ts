import { randomBytes } from 'node:crypto'
import { sha256 } from '../../../../crypto/sha256.ts'

/** A new cookie of 256 random bits. */
export const createCookie = (): string => randomBytes(32).toString('base64url')

/** The database stores only hashes of cookies. */
export const cookieHashOf = (cookie: string): Buffer => sha256(cookie)

/** The value, if it has the form that `createCookie` gives it. */
export const readCookie = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w-]{43}$/.test(text) ? text : undefined
