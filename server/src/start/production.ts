import { availableParallelism } from 'node:os'
import { ConfigError, type Config } from '../config/config.ts'
import { addressesOf, isLoopback, redisAddressOf } from '../config/config-values.ts'
import { isServerProven } from '../config/database-url.ts'
import { isGuessedFirst } from '../values/guessed-passwords.ts'

export interface Weakness {
  /** True if production refuses the weakness. Otherwise only `tenantry doctor` reports it. */
  isRefused: boolean
  text: string
}

type Check = (config: Config) => boolean

/** OWASP, Password Storage Cheat Sheet: a work factor of 10 or more. */
const bcryptCostMin = 10

const hasGuessedPassword: Check = ({ admin }) => admin !== undefined && isGuessedFirst(admin)

/** True if anybody on the network path can read the tokens of its unencrypted pages. A local page is safe. */
const isOpenOrigin = (origin: string): boolean =>
  origin.startsWith('http:') && !isLoopback(new URL(origin).hostname)

/** True for another machine. An address without a host is a local socket. */
const isElsewhere = (addresses: string[] = []): boolean =>
  addresses.map((address) => new URL(address).hostname).some((host) => host !== '' && !isLoopback(host))

const isDatabaseUnproven: Check = ({ databaseUrl }) => {
  const addresses = databaseUrl === undefined ? [] : addressesOf(databaseUrl)
  return isElsewhere(addresses) && !addresses?.every(isServerProven)
}

const isRedisElsewhere: Check = ({ redisUrl = '' }) =>
  isElsewhere(redisAddressOf(redisUrl)?.hosts.map(({ href }) => href))

const isSentinelOpen: Check = (config) => {
  const { master, sentinelPassword } = redisAddressOf(config.redisUrl ?? '') ?? {}
  return isRedisElsewhere(config) && master !== undefined && sentinelPassword === undefined
}

const refused: [check: Check, text: string][] = [
  [
    ({ isProduction, databaseUrl, embedded }) => isProduction && databaseUrl === undefined && !embedded,
    'database: DATABASE_URL is missing: name PostgreSQL there, or ask for the embedded database by TENANTRY_EMBEDDED=true',
  ],
  [
    ({ bcryptCost }) => bcryptCost < bcryptCostMin,
    'passwords: TENANTRY_BCRYPT_COST below 10 is for tests; leave it out for 12',
  ],
  [({ rateLimit }) => !rateLimit, 'limits: TENANTRY_RATE_LIMIT is off: passwords can be guessed without end'],
  [
    ({ workers, redisUrl }) => workers > 1 && redisUrl === undefined,
    'workers: TENANTRY_WORKERS above 1 without REDIS_URL: each would count guesses and who is online by itself',
  ],
  [
    ({ databaseUrl, secretKeys }) => databaseUrl !== undefined && secretKeys === undefined,
    'secrets: TENANTRY_SECRET_KEY is missing: signing keys would stand in the database in the clear; openssl rand -base64 32',
  ],
  [hasGuessedPassword, 'administrator: TENANTRY_ADMIN_PASSWORD is one of those that are guessed first'],
  [
    ({ corsOrigins }) => corsOrigins.some(isOpenOrigin),
    'browsers: TENANTRY_CORS_ORIGINS has an http:// origin: tokens would travel in the clear; use https://',
  ],
  [
    ({ smtpUrl, publicUrl }) => smtpUrl !== undefined && !publicUrl.startsWith('https:'),
    'mail: TENANTRY_PUBLIC_URL must be https:// where SMTP_URL is set: links to passwords would travel in the clear',
  ],
]

const discouraged: [check: Check, text: string][] = [
  [
    ({ databaseUrl }) => databaseUrl === undefined,
    'database: embedded, for one process; it survives a crash, not a loss of power. Set DATABASE_URL for production',
  ],
  [
    ({ workers }) => workers > availableParallelism(),
    'workers: TENANTRY_WORKERS is more than this machine has cores: they only take memory and connections',
  ],
  [
    ({ databaseUrl, redisUrl }) => databaseUrl !== undefined && redisUrl === undefined,
    'cache: in-process. With several replicas set REDIS_URL, or changes take up to 2 seconds to reach the others',
  ],
  [
    isDatabaseUnproven,
    'database: DATABASE_URL leads to another machine without sslmode=verify-full or verify-ca: others on the way may read rows and hashes',
  ],
  [
    (config) => isRedisElsewhere(config) && !/^\w+:\/\/[^/@]*:[^/@]+@/.test(config.redisUrl ?? ''),
    'cache: REDIS_URL has no password: whoever reaches that Redis can reset the limits on guessing',
  ],
  [
    isSentinelOpen,
    'cache: REDIS_URL has no sentinel_password: whoever reaches a Sentinel can name another Redis as the master',
  ],
  [
    (config) => isRedisElsewhere(config) && config.redisUrl?.startsWith('redis:') === true,
    'cache: REDIS_URL leads to another machine unencrypted; use rediss://',
  ],
  [
    ({ host, trustedProxies }) => !isLoopback(host) && trustedProxies.length === 0,
    'network: HOST is reachable from other machines, without a TLS proxy named in TENANTRY_TRUSTED_PROXIES',
  ],
  [
    ({ host, publicUrl }) => !isLoopback(host) && isLoopback(new URL(publicUrl).hostname),
    'tokens: TENANTRY_PUBLIC_URL is not set: the issuer of tokens, and the address of their keys, lead to localhost',
  ],
  [
    ({ host, metricsPort, metricsToken }) =>
      !isLoopback(host) && metricsPort !== undefined && metricsToken === undefined,
    'metrics: TENANTRY_METRICS_PORT is open to whoever reaches HOST; set TENANTRY_METRICS_TOKEN or keep the port inside',
  ],
]

/** Lists the weaknesses of a configuration without quoting values. */
export const weaknessesOf = (config: Config): Weakness[] => {
  const textsOf = (checks: typeof refused) =>
    checks.filter(([check]) => check(config)).map(([, text]) => text)
  return [
    ...textsOf(refused).map((text) => ({ isRefused: config.isProduction, text })),
    ...textsOf(discouraged).map((text) => ({ isRefused: false, text })),
  ]
}

/** Throws a `ConfigError` in production, with a line per refused weakness. */
export const requireStrong = (config: Config): Config => {
  const faults = weaknessesOf(config).filter(({ isRefused }) => isRefused)
  if (faults.length > 0) {
    throw new ConfigError([
      ...faults.map(({ text }) => text),
      'this is taken for production: NODE_ENV says so, or HOST is reachable from other machines (NODE_ENV=development: it is not)',
    ])
  }
  return config
}
