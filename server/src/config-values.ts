/** How the value of a setting is read from its text. */
import { isIP } from 'node:net'
import { fullFormats } from 'ajv-formats/dist/formats.js'

/** A value that a reader refuses. The message completes "<NAME> …" and never quotes the value: it may be secret. */
export class BadValue extends Error {}

export type Read<T> = (text: string) => T

const refuse = (message: string): never => {
  throw new BadValue(message)
}

/** A reader for texts of one shape, kept as they are. */
export const matching =
  (pattern: RegExp, must: string): Read<string> =>
  (text) =>
    pattern.test(text) ? text : refuse(must)

export const wholeNumber =
  (min: number, max: number): Read<number> =>
  (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max
      ? Number(text)
      : refuse(`must be a whole number from ${min} to ${max}`)

export const oneOf =
  <T extends string>(...words: T[]): Read<T> =>
  (text) =>
    words.find((word) => word === text) ?? refuse(`must be one of: ${words.join(', ')}`)

/** A reader for addresses. */
export const addressThat =
  (fits: (text: string) => boolean, must: string): Read<string> =>
  (text) =>
    fits(text) ? text : refuse(must)

/** Before the hosts, the hosts with commas between them, and what follows them. */
const databaseAddress = /^(postgres(?:ql)?:\/\/(?=.)(?:[^/?#]*@)?)([^/?#@,]+(?:,[^/?#@,]+)*)?((?:[/?#].*)?)$/s

/** What the parameter `target_session_attrs` may ask for: nothing works on a standby. */
const writableSessions = ['read-write', 'primary']

/**
 * The addresses of the servers that a DATABASE_URL names, one each, in their order. Like `psql`'s it may list several
 * hosts: `postgres://user@one:5432,two:5432/name?target_session_attrs=read-write`. Undefined when it is no such
 * address, or asks for another server than the primary.
 */
export const addressesOf = (databaseUrl: string): string[] | undefined => {
  const [, before, hosts = '', behind] = databaseAddress.exec(databaseUrl) ?? []
  if (before === undefined) return undefined
  const addresses = hosts.split(',').map((host) => `${before}${host}${behind}`)
  return addresses.every(isWritableAddress) ? addresses : undefined
}

const isWritableAddress = (text: string): boolean =>
  URL.canParse(text) &&
  new URL(text).searchParams
    .getAll('target_session_attrs')
    .every((sessions) => writableSessions.includes(sessions))

/** The same check as the API's: an administrator with another address could never sign in. */
export const email: Read<string> = (text) =>
  text.length <= 254 && (fullFormats.email as RegExp).test(text)
    ? text
    : refuse('must be an e-mail address of up to 254 characters')

/** A list with commas between its items; one bad item spoils it. */
export const list =
  (fits: (item: string) => boolean, must: string): Read<string[]> =>
  (text) => {
    const items = text.split(',').map((item) => item.trim())
    return items.every(fits) ? items : refuse(must)
  }

/** An origin as browsers send it. `*` is none: any page on the web could then call with a stolen token. */
export const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** An address or a CIDR range, but not /0: whoever connects could then claim any address and escape the limits. */
export const isRange = (text: string): boolean => {
  const [address = '', prefix = '1', ...rest] = text.split('/')
  const bits = isIP(address) === 6 ? 128 : 32
  const isPrefix = /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits
  return isIP(address) !== 0 && !address.includes('%') && isPrefix && rest.length === 0
}

/** Whether other machines cannot reach what listens on or lies at this host. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
