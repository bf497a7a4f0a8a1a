import { randomBytes } from 'node:crypto'
import { sha256 } from '../../../../crypto/sha256.ts'

/** The value of a cookie: 256 random bits. */
export const createCookie = (): string => randomBytes(32).toString('base64url')

/** Cookies are stored as hashes. */
export const cookieHashOf = (cookie: string): Buffer => sha256(cookie)

/** A cookie's value as we make it; any other text is no cookie. */
export const readCookie = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w-]{43}$/.test(text) ? text : undefined
