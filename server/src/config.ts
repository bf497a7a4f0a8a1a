import {
  addressesOf,
  addressThat,
  BadValue,
  email,
  isLoopback,
  isOrigin,
  isRange,
  list,
  matching,
  oneOf,
  wholeNumber,
  type Read,
} from './config-values.ts'
import { Refusal } from './refusal.ts'

/** The configuration of one process, read once at start from the environment. */
export interface Config {
  /** Others depend on it: what weakens it is refused (see production.ts). */
  isProduction: boolean
  host: string
  port: number
  databaseUrl: string | undefined
  redisUrl: string | undefined
  /** Processes that share the port. */
  workers: number
  dataDir: string
  admin: { email: string; password: string; username: string } | undefined
  firstUserAdmin: boolean
  registration: 'open' | 'closed'
  bcryptCost: number
  rateLimit: boolean
  logLevel: string
  /** Origins that browsers may call from; empty: CORS is off. */
  corsOrigins: string[]
  /** Addresses or CIDR ranges of reverse proxies whose X-Forwarded-For is believed; empty: none. */
  trustedProxies: string[]
  metricsPort: number | undefined
  metricsToken: string | undefined
  /** The `iss` claim of the tokens. */
  issuer: string
  /** What /api/version tells about the build. */
  commit: string
  buildDate: string
}

/** Every fault of the environment at once, one line each, so that an operator mends them in one go. */
export class ConfigError extends Refusal {}

/** One row of the table below: what is read, and what the documentation says about it. */
interface Setting<T> {
  name: string
  /** What is read when the variable is unset. */
  default?: string
  /** What the documentation says of being unset where nothing is read: the setting is then undefined. */
  unset?: string
  meaning: string
  read: Read<T>
}

type Value<S> = S extends { read: Read<infer T> }
  ? S extends { default: string }
    ? T
    : T | undefined
  : never

/**
 * Every setting there is: `readConfig` parses by this table and the documentation is written from it. Numbers
 * come from the contract ("Running it"), bounds of the administrator's account from the API's own rules.
 */
const table = {
  nodeEnv: {
    name: 'NODE_ENV',
    unset: 'unset: production when HOST is no loopback address',
    meaning:
      '`production`: a weak configuration is refused at start (docs/operations.md, Production); `development` or `test`: never, ' +
      'whatever `HOST` is.',
    read: matching(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits and . _ -'),
  },
  host: {
    name: 'HOST',
    default: '127.0.0.1',
    meaning: 'Address to listen on.',
    read: matching(/^[\w.:-]{1,253}$/, 'must be an IP address or a host name'),
  },
  port: {
    name: 'PORT',
    default: '8080',
    meaning: 'Port to listen on; 0: any free one, printed at start.',
    read: wholeNumber(0, 65_535),
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    unset: 'unset: embedded',
    meaning:
      '`postgres://…`, PostgreSQL 14 or later; several hosts with commas between them: whichever is the primary. ' +
      'When unset the embedded database in TENANTRY_DATA_DIR.',
    read: addressThat(
      (text) => addressesOf(text) !== undefined,
      'must be an address such as postgres://user@host/name or postgres://user@host:5432,other:5432/name',
    ),
  },
  redisUrl: {
    name: 'REDIS_URL',
    unset: 'unset: in-process',
    meaning: '`redis://…` or `rediss://…`: the cache store shared by replicas.',
    read: addressThat(
      (text) => /^rediss?:\/\/./.test(text) && URL.canParse(text),
      'must be an address such as redis://host:6379',
    ),
  },
  workers: {
    name: 'TENANTRY_WORKERS',
    default: '1',
    meaning:
      'Processes that share the port, 1 to 64: one for each core that the service may use. More than one needs ' +
      '`DATABASE_URL`, and in production `REDIS_URL` (docs/scaling.md).',
    read: wholeNumber(1, 64),
  },
  dataDir: {
    name: 'TENANTRY_DATA_DIR',
    default: './data',
    meaning: 'Folder of the embedded database.',
    read: matching(/\S/, 'must be a path'),
  },
  adminEmail: {
    name: 'TENANTRY_ADMIN_EMAIL',
    meaning: 'With TENANTRY_ADMIN_PASSWORD: creates the first platform administrator on an empty database.',
    read: email,
  },
  adminPassword: {
    name: 'TENANTRY_ADMIN_PASSWORD',
    meaning: 'Password of that administrator, 8 to 128 characters.',
    read: matching(/^.{8,128}$/su, 'must have 8 to 128 characters'),
  },
  adminUsername: {
    name: 'TENANTRY_ADMIN_USERNAME',
    unset: 'admin',
    meaning: 'Username of that administrator.',
    read: matching(/^[\w.@+-]{3,64}$/, 'must have 3 to 64 characters out of letters, digits and . _ - @ +'),
  },
  firstUserAdmin: {
    name: 'TENANTRY_FIRST_USER_ADMIN',
    unset: 'true when embedded, false with DATABASE_URL',
    meaning: 'On a database without any user, the first account registered becomes platform administrator.',
    read: oneOf('true', 'false'),
  },
  registration: {
    name: 'TENANTRY_REGISTRATION',
    default: 'open',
    meaning: '`open`: who registers joins the built-in tenant; `closed`: registering is refused (403).',
    read: oneOf('open', 'closed'),
  },
  bcryptCost: {
    name: 'TENANTRY_BCRYPT_COST',
    default: '12',
    meaning: 'Cost of password hashes, 4 to 15 (4 is for tests).',
    read: wholeNumber(4, 15),
  },
  rateLimit: {
    name: 'TENANTRY_RATE_LIMIT',
    default: 'on',
    meaning: '`off` turns request limits off (benchmarks, tests).',
    read: oneOf('on', 'off'),
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning:
      'The least level logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace`, or `silent` for none.',
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  corsOrigins: {
    name: 'TENANTRY_CORS_ORIGINS',
    unset: 'unset: CORS is off',
    meaning: 'Origins that browsers may call from, with commas between them.',
    read: list(
      isOrigin,
      'must be origins such as https://admin.example.com, lower case, without path or final /',
    ),
  },
  trustedProxies: {
    name: 'TENANTRY_TRUSTED_PROXIES',
    unset: 'unset: none',
    meaning:
      'Addresses or ranges of the reverse proxies whose X-Forwarded-For is believed, with commas between.',
    read: list(isRange, 'must be IP addresses or ranges such as 10.0.0.0/8, and none of them /0'),
  },
  metricsPort: {
    name: 'TENANTRY_METRICS_PORT',
    unset: 'unset: the main port',
    meaning: 'Port of its own for /metrics, which the main port then no longer answers; 0: any free one.',
    read: wholeNumber(0, 65_535),
  },
  metricsToken: {
    name: 'TENANTRY_METRICS_TOKEN',
    unset: 'unset: none is asked for',
    meaning: 'Bearer token that /metrics asks for, at least 16 characters.',
    read: matching(
      /^[\w.~+/-]{16,512}=*$/,
      'must have 16 to 512 characters out of letters, digits and . _ ~ + / - =',
    ),
  },
  issuer: {
    name: 'TENANTRY_ISSUER',
    default: 'tenantry',
    meaning: 'The `iss` claim of the tokens.',
    read: matching(/^[!-~]{1,255}$/, 'must have 1 to 255 visible ASCII characters without spaces'),
  },
  commit: {
    name: 'TENANTRY_COMMIT',
    default: 'unknown',
    meaning: 'The commit this build was made from, as /api/version tells it; set by who builds an image.',
    read: matching(/^[!-~]{1,64}$/, 'must have 1 to 64 visible ASCII characters without spaces'),
  },
  buildDate: {
    name: 'TENANTRY_BUILD_DATE',
    default: 'unknown',
    meaning: 'When this build was made, as /api/version tells it.',
    read: matching(/^[!-~]{1,64}$/, 'must have 1 to 64 visible ASCII characters without spaces'),
  },
} satisfies Record<string, Setting<unknown>>

type Values = { [Key in keyof typeof table]: Value<(typeof table)[Key]> }

/** The table as the documentation shows it. */
export const settings = Object.values<Setting<unknown>>(table).map(({ name, meaning, ...row }) => ({
  name,
  default: row.default ?? row.unset ?? 'unset',
  meaning,
}))

type Env = Readonly<Record<string, string | undefined>>

/** An empty variable counts as unset: compose files and charts hand over empty ones for what was left out. */
const isSet = (env: Env, name: string): boolean => (env[name] ?? '') !== ''

/** The value of one row, or its fault pushed onto `faults`. */
const readOne = (row: Setting<unknown>, env: Env, faults: string[]): unknown => {
  const text = isSet(env, row.name) ? env[row.name] : row.default
  try {
    return text === undefined ? undefined : row.read(text)
  } catch (err) {
    if (!(err instanceof BadValue)) throw err
    faults.push(`${row.name} ${err.message}`)
    return undefined
  }
}

const ownNames = settings.map(({ name }) => name).filter((name) => name.startsWith('TENANTRY_'))

/** A misspelt name would silently leave a setting at its default: registration open, say, that was to be closed. */
const unknownNames = (env: Env): string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith('TENANTRY_') && !ownNames.includes(name))
    .map((name) => `${name} is not a setting; the settings are ${ownNames.join(', ')}`)

const adminNames = [table.adminEmail.name, table.adminPassword.name]

/** Faults that only several settings together have. */
const combinedFaults = (env: Env, values: Values): string[] => {
  const wantsAdmin = [...adminNames, table.adminUsername.name].some((name) => isSet(env, name))
  const missing = wantsAdmin ? adminNames.filter((name) => !isSet(env, name)) : []
  const samePort = values.metricsPort !== undefined && values.metricsPort === values.port && values.port > 0
  const isShared = values.workers > 1 && values.databaseUrl === undefined
  return [
    ...(isShared
      ? [`${table.workers.name} above 1 needs DATABASE_URL: the embedded database has one owner`]
      : []),
    ...missing.map((name) => `${name} is missing: the first administrator needs e-mail and password`),
    ...(samePort ? [`${table.metricsPort.name} must differ from PORT`] : []),
  ]
}

const isProduction = (nodeEnv: string | undefined, host: string): boolean =>
  nodeEnv === 'production' || (nodeEnv !== 'development' && nodeEnv !== 'test' && !isLoopback(host))

const configOf = (values: Values): Config => {
  const { nodeEnv, adminEmail, adminPassword, adminUsername, ...rest } = values
  return {
    ...rest,
    isProduction: isProduction(nodeEnv, rest.host),
    admin:
      adminEmail === undefined || adminPassword === undefined
        ? undefined
        : { email: adminEmail, password: adminPassword, username: adminUsername ?? 'admin' },
    firstUserAdmin: (rest.firstUserAdmin ?? String(rest.databaseUrl === undefined)) === 'true',
    rateLimit: rest.rateLimit === 'on',
    corsOrigins: rest.corsOrigins ?? [],
    trustedProxies: rest.trustedProxies ?? [],
  }
}

/**
 * The configuration that an environment describes. Throws a `ConfigError` with all faults, one line each, none of
 * which quotes a value: a password in the wrong variable stays out of the logs.
 */
export const readConfig = (env: Env): Config => {
  const faults = unknownNames(env)
  const read = Object.entries<Setting<unknown>>(table).map(([key, row]) => [key, readOne(row, env, faults)])
  const values = Object.fromEntries(read) as Values
  faults.push(...combinedFaults(env, values))
  if (faults.length > 0) throw new ConfigError(faults)
  return configOf(values)
}
