import { isIP } from 'node:net'
import { isEmail } from '../values/formats.ts'

/** Thrown by a parser. The message completes "<NAME> …". It never quotes the value, because the value can be secret. */
export class BadValue extends Error {}

export type Read<T> = (text: string) => T

const refuse = (message: string): never => {
  throw new BadValue(message)
}

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

export const addressThat =
  (fits: (text: string) => boolean, must: string): Read<string> =>
  (text) =>
    fits(text) ? text : refuse(must)

/** Splits an address into the part before the hosts, the hosts separated by commas, and the rest. */
const severalHosts = /^([a-z]+:\/\/(?=.)(?:[^/?#]*@)?)([^/?#@,]+(?:,[^/?#@,]+)*)?((?:[/?#].*)?)$/s

/** One address for each host, in order. Undefined unless all are valid. */
const addressesFor = (text: string): string[] | undefined => {
  const [, before, hosts = '', behind] = severalHosts.exec(text) ?? []
  if (before === undefined) return undefined
  const addresses = hosts.split(',').map((host) => `${before}${host}${behind}`)
  return addresses.every((address) => URL.canParse(address)) ? addresses : undefined
}

/** Accepted values of the parameter `target_session_attrs`. The service cannot work on a standby. */
const writableSessions = ['read-write', 'primary']

/**
 * The addresses in a DATABASE_URL, in order. As in psql it can list several hosts:
 * `postgres://user@one:5432,two:5432/name?target_session_attrs=read-write`. Undefined if it is invalid or names a
 * standby.
 */
export const addressesOf = (databaseUrl: string): string[] | undefined => {
  if (!/^postgres(?:ql)?:/.test(databaseUrl)) return undefined
  const addresses = addressesFor(databaseUrl)
  return addresses?.every(isWritableAddress) ? addresses : undefined
}

const isWritableAddress = (text: string): boolean =>
  new URL(text).searchParams
    .getAll('target_session_attrs')
    .every((sessions) => writableSessions.includes(sessions))

/** The address of a Redis, or of the Sentinels that know which Redis is the master. */
export interface RedisAddress {
  /** One address for each host. All hosts have the login, database and TLS of the Redis. */
  hosts: URL[]
  /** The name of the master at the Sentinels. Undefined if the host is the Redis itself. */
  master: string | undefined
  sentinelPassword: string | undefined
}

/** Splits a REDIS_URL. Undefined if it is no address. */
export const redisAddressOf = (redisUrl: string): RedisAddress | undefined => {
  const hosts = addressesFor(redisUrl)?.map((address) => new URL(address)) ?? []
  const [first] = hosts
  if (!first || !/^rediss?:/.test(redisUrl)) return undefined
  const master = first.searchParams.get('sentinel') ?? undefined
  return { hosts, master, sentinelPassword: first.searchParams.get('sentinel_password') ?? undefined }
}

const sentinelParameters = ['sentinel', 'sentinel_password']

/** Refuses any other parameter, because ioredis would use it as an option. */
const areSentinelParameters = (parameters: URLSearchParams): boolean =>
  [...parameters.keys()].every(
    (name) => sentinelParameters.includes(name) && parameters.getAll(name).length === 1,
  )

const namesMaster = ({ hosts: [first], master = '' }: RedisAddress): boolean =>
  first !== undefined &&
  first.hostname !== '' &&
  /^[\w.-]+$/.test(master) &&
  areSentinelParameters(first.searchParams) &&
  /^\/?\d*$/.test(first.pathname)

export const redisUrl: Read<string> = (text) => {
  const address = redisAddressOf(text) ?? refuse('must be an address such as redis://host:6379')
  const { hosts, master, sentinelPassword } = address
  const isRedis = hosts.length === 1 && master === undefined && sentinelPassword === undefined
  return isRedis || namesMaster(address)
    ? text
    : refuse(
        'must name the master of several hosts, which are Sentinels, such as ' +
          'redis://one:26379,two:26379/0?sentinel=NAME; it takes sentinel_password besides, and no other parameter',
      )
}

/** The length of an AES-256 key. */
export const secretKeyBytes = 32

/** Comma-separated keys of 32 random bytes in base64. */
export const secretKeys: Read<Buffer[]> = (text) => {
  const keys = text.split(',').map((item) => Buffer.from(item.trim(), 'base64'))
  return keys.length <= 10 && keys.every(({ length }) => length === secretKeyBytes)
    ? keys
    : refuse(
        'must be 32 random bytes in base64, such as `openssl rand -base64 32` prints; commas separate several',
      )
}

/** Checks an e-mail address as the API does. An administrator with any other address could never sign in. */
export const email: Read<string> = (text) =>
  isEmail(text) ? text : refuse('must be an e-mail address of up to 254 characters')

const namedMailbox = /^([^<>\r\n"]{1,100}) <([^<>]+)>$/

/** The e-mail address in a sender such as `Name <address>`. */
export const addressIn = (mailbox: string): string => namedMailbox.exec(mailbox)?.[2] ?? mailbox

/** The sender of e-mails: an address, or a name and an address in angle brackets. */
export const mailbox: Read<string> = (text) => {
  email(addressIn(text))
  return text
}

/** True for the address of a mail server. A query is refused, because the service sets all options itself. */
export const isMailServer = (text: string): boolean => {
  if (!/^smtps?:\/\/./.test(text) || !URL.canParse(text)) return false
  const { hostname, pathname, search, hash, username, password } = new URL(text)
  const isEncoded = !/%(?![0-9a-f]{2})/i.test(`${username}${password}`)
  return hostname !== '' && /^\/?$/.test(pathname) && search === '' && hash === '' && isEncoded
}

/** True for the address of a web page that needs no user. */
export const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return (
    url !== null && /^https?:$/.test(url.protocol) && !/[?#]/.test(text) && url.username + url.password === ''
  )
}

/** A comma-separated list. One invalid item makes the list invalid. */
export const list =
  (fits: (item: string) => boolean, must: string): Read<string[]> =>
  (text) => {
    const items = text.split(',').map((item) => item.trim())
    return items.every(fits) ? items : refuse(must)
  }

/** A server for old audit records. The URL has the login of the owner of the database. */
export interface Archive {
  name: string
  url: string
}

const isArchive = (item: string): boolean => {
  const [, url = ''] = /^[a-z0-9_]{1,32}=(.+)$/s.exec(item) ?? []
  return /^postgres(?:ql)?:/.test(url) && URL.canParse(url) && new URL(url).pathname.length > 1
}

/** Addresses of PostgreSQL servers, each after a name. */
export const archives: Read<Archive[]> = (text) => {
  const items = text.split(',').map((item) => item.trim())
  const found = items.map((item) => ({
    name: item.slice(0, item.indexOf('=')),
    url: item.slice(item.indexOf('=') + 1),
  }))
  const isDistinct = new Set(found.map(({ name }) => name)).size === found.length
  return isDistinct && items.every(isArchive)
    ? found
    : refuse('must be such as old=postgres://owner:password@host/name, each with a name of its own')
}

/** `off`, `open`, or any text that `read` accepts. */
export const offOpenOr =
  <T>(read: Read<T>): Read<'off' | 'open' | T> =>
  (text) =>
    text === 'off' || text === 'open' ? text : read(text)

/** True for the host of an https address in its normal form: a name in lower case, without the default port. */
export const isClientHost = (text: string): boolean =>
  /^[a-z0-9.-]+(?::\d{1,5})?$/.test(text) && URL.parse(`https://${text}/`)?.host === text

/** True for an origin as browsers send it. `*` is refused, because then any web page could call with a stolen token. */
export const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

export const origin: Read<string> = (text) =>
  isOrigin(text)
    ? text
    : refuse('must be an origin such as https://admin.example.com, lower case, without path or final /')

/**
 * True for an address or a CIDR range. /0 is refused, because then any client could claim any address and escape the
 * limits.
 */
export const isRange = (text: string): boolean => {
  const [address = '', prefix = '1', ...rest] = text.split('/')
  const bits = isIP(address) === 6 ? 128 : 32
  const isPrefix = /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits
  return isIP(address) !== 0 && !address.includes('%') && isPrefix && rest.length === 0
}

/** True for a host name, an address or a range. Unlike an address, a host name ends in a letter. */
export const isHostOrRange = (text: string): boolean =>
  isRange(text) || (text.length <= 253 && /^(?:[a-z0-9_-]+\.)*[a-z0-9-]*[a-z][a-z0-9-]*$/.test(text))

/** True if only this machine can reach the host. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
