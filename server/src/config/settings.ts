import {
  addressThat,
  archives,
  isHostOrRange,
  isMailServer,
  isOrigin,
  isRange,
  isWebAddress,
  list,
  mailbox,
  matching,
  oneOf,
  origin,
  redisUrl,
  secretKeys,
  wholeNumber,
  type Read,
} from './config-values.ts'
import { clientSettings } from './client-settings.ts'
import { ssoSettings } from './sso-settings.ts'
import { readLinkPages } from './link-pages.ts'
import { firstUserSettings } from './first-user-settings.ts'
import { databaseUrl } from './database-url.ts'
import { tokenAlgorithms } from '../crypto/algorithms.ts'
import { traceSettings } from './trace-settings.ts'

/** One setting: how it is read, and its documentation. */
export interface Setting<T> {
  name: string
  /** The text that is read when the variable is unset. */
  default?: string
  /** The documentation of an unset variable without a default: the setting is then undefined. */
  unset?: string
  meaning: string
  read: Read<T>
}

export type Value<S> = S extends { read: Read<infer T> }
  ? S extends { default: string }
    ? T
    : T | undefined
  : never

/**
 * Every setting. `readConfig` parses by this table, and docs/configuration.md is generated from it. Defaults:
 * docs/contract.md, "Running it".
 */
export const table = {
  nodeEnv: {
    name: 'NODE_ENV',
    unset: 'unset: production unless HOST is a loopback address',
    meaning:
      '`production`: the start refuses a weak configuration (docs/operations.md, Production). `development` and `test`: it ' +
      'never does, whatever `HOST` is.',
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
    meaning: 'Port to listen on. 0 takes any free port, which the start prints.',
    read: wholeNumber(0, 65_535),
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    unset: 'unset: embedded',
    meaning:
      '`postgres://…`, PostgreSQL 14 or later. Commas separate several hosts, of which the service uses the primary. ' +
      '`?sslmode=verify-full` encrypts (docs/operating.md, TLS to PostgreSQL). Unset, the embedded database in ' +
      'TENANTRY_DATA_DIR is used.',
    read: databaseUrl,
  },
  embedded: {
    name: 'TENANTRY_EMBEDDED',
    default: 'false',
    meaning:
      '`true`: production runs on the embedded database. Without it production needs `DATABASE_URL`, so that a misspelt ' +
      'name does not start an empty installation.',
    read: oneOf('true', 'false'),
  },
  redisUrl: {
    name: 'REDIS_URL',
    unset: 'unset: in-process',
    meaning:
      '`redis://…` or `rediss://…`: the cache store that replicas share. Several hosts are Sentinels, and ' +
      '`?sentinel=NAME` names their master (docs/operating.md, Redis).',
    read: redisUrl,
  },
  workers: {
    name: 'TENANTRY_WORKERS',
    default: '1',
    meaning:
      'Processes that share the port, 1 to 64. Set one for each core that the service may use. More than one needs ' +
      '`DATABASE_URL`, and in production `REDIS_URL` (docs/scaling.md).',
    read: wholeNumber(1, 64),
  },
  dataDir: {
    name: 'TENANTRY_DATA_DIR',
    default: './data',
    meaning: 'Folder of the embedded database.',
    read: matching(/\S/, 'must be a path'),
  },
  secretKeys: {
    name: 'TENANTRY_SECRET_KEY',
    unset:
      'embedded: the file secret.key in TENANTRY_DATA_DIR, made at the first start; with DATABASE_URL: no key',
    meaning:
      '32 random bytes in base64, which encrypt secrets at rest. Commas separate several for a rotation: the first ' +
      'encrypts, all decrypt (docs/operating.md, The secret key).',
    read: secretKeys,
  },
  ...firstUserSettings,
  bcryptCost: {
    name: 'TENANTRY_BCRYPT_COST',
    default: '12',
    meaning: 'Cost of password hashes, 4 to 15. 4 is for tests.',
    read: wholeNumber(4, 15),
  },
  breachedPasswordsUrl: {
    name: 'TENANTRY_BREACHED_PASSWORDS_URL',
    default: 'https://api.pwnedpasswords.com/range',
    meaning:
      'List of breached passwords with the range interface of Have I Been Pwned: the service appends `/` and five digits of ' +
      'a hash. It asks only where the setting `auth.passwords` says so.',
    read: addressThat(isWebAddress, 'must be an http or https address without user, query or fragment'),
  },
  rateLimit: {
    name: 'TENANTRY_RATE_LIMIT',
    default: 'on',
    meaning: '`off` switches every limit on requests and guesses off, for benchmarks and tests.',
    read: oneOf('on', 'off'),
  },
  requestsPerMinute: {
    name: 'TENANTRY_REQUESTS_PER_MINUTE',
    default: '6000',
    meaning: 'Requests of a signed-in user in a minute, in each process; beyond them the answer is 429.',
    read: wholeNumber(1, 1_000_000),
  },
  keyRequestsPerMinute: {
    name: 'TENANTRY_KEY_REQUESTS_PER_MINUTE',
    default: '60000',
    meaning: 'The same for a key of a service account, each key for itself.',
    read: wholeNumber(1, 1_000_000),
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning:
      'Lowest level that the log holds: `fatal`, `error`, `warn`, `info`, `debug`, `trace`, or `silent` for none.',
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  corsOrigins: {
    name: 'TENANTRY_CORS_ORIGINS',
    unset: 'unset: CORS is off',
    meaning: 'Origins whose pages may call the API, separated by commas.',
    read: list(
      isOrigin,
      'must be origins such as https://admin.example.com, lower case, without path or final /',
    ),
  },
  trustedProxies: {
    name: 'TENANTRY_TRUSTED_PROXIES',
    unset: 'unset: none',
    meaning:
      'Addresses or ranges of the reverse proxies whose X-Forwarded-For the service trusts, separated by commas.',
    read: list(isRange, 'must be IP addresses or ranges such as 10.0.0.0/8, and none of them /0'),
  },
  metricsPort: {
    name: 'TENANTRY_METRICS_PORT',
    unset: 'unset: the main port',
    meaning: 'Separate port for /metrics; the main port then answers 404 there. 0 takes any free port.',
    read: wholeNumber(0, 65_535),
  },
  metricsToken: {
    name: 'TENANTRY_METRICS_TOKEN',
    unset: 'unset: no token',
    meaning: 'Bearer token that /metrics demands, at least 16 characters.',
    read: matching(
      /^[\w.~+/-]{16,512}=*$/,
      'must have 16 to 512 characters out of letters, digits and . _ ~ + / - =',
    ),
  },
  ...traceSettings,
  publicUrl: {
    name: 'TENANTRY_PUBLIC_URL',
    unset: '`http://localhost:PORT`',
    meaning:
      'Origin by which people and other services reach this installation, such as https://admin.example.com.',
    read: origin,
  },
  smtpUrl: {
    name: 'SMTP_URL',
    unset: 'unset: e-mails become files in TENANTRY_DATA_DIR when embedded, and are off with DATABASE_URL',
    meaning:
      'Mail server that sends e-mails: `smtp://…` or `smtps://user:password@host`. Outside this machine `smtp://` requires ' +
      'STARTTLS.',
    read: addressThat(
      isMailServer,
      'must be an address such as smtps://user:password@host:465, without a path or query',
    ),
  },
  mailFrom: {
    name: 'TENANTRY_MAIL_FROM',
    unset: '`Tenantry <tenantry@localhost>`, for files',
    meaning: 'Sender of e-mails, such as `Tenantry <no-reply@example.com>`. Needed with SMTP_URL.',
    read: mailbox,
  },
  linkPages: {
    name: 'TENANTRY_LINK_PAGES',
    unset: 'unset: the pages of this installation',
    meaning:
      'Where the links of e-mails begin, for products with such pages of their own: ' +
      '`reset=https://…,invitation=https://…,verification=https://…,sign_up=https://…`, each of them optional. The token ' +
      'is the fragment, `#token=…`.',
    read: readLinkPages,
  },
  requireVerifiedEmail: {
    name: 'TENANTRY_REQUIRE_VERIFIED_EMAIL',
    default: 'false',
    meaning:
      '`true`: a person who registers reaches only their own account until they have opened the link that was mailed to ' +
      'them. Needs e-mails. Other accounts are not concerned.',
    read: oneOf('true', 'false'),
  },
  invitationsPerDay: {
    name: 'TENANTRY_INVITATIONS_PER_DAY',
    default: '200',
    meaning:
      'Invitations that a tenant may send on a day (UTC), links sent again included; beyond them the answer is 429.',
    read: wholeNumber(1, 1_000_000),
  },
  archives: {
    name: 'TENANTRY_ARCHIVES',
    unset: 'unset: none',
    meaning:
      'PostgreSQL servers that keep old audit records (docs/scaling.md), for `tenantry audit move` and `tenantry doctor`: ' +
      'names and addresses with the owner of each database, separated by commas.',
    read: archives,
  },
  webhookPrivateHosts: {
    name: 'TENANTRY_WEBHOOK_PRIVATE_HOSTS',
    unset: 'unset: none',
    meaning:
      'Hosts that webhooks may send to although their addresses are not public: names, addresses and ranges, separated by ' +
      'commas. A name stands for all its addresses.',
    read: list(
      isHostOrRange,
      'must be host names in lower case, IP addresses or ranges such as 10.0.0.0/8, and none of them /0',
    ),
  },
  ...clientSettings,
  ...ssoSettings,
  issuer: {
    name: 'TENANTRY_ISSUER',
    unset: 'TENANTRY_PUBLIC_URL',
    meaning:
      'The `iss` claim of tokens. After a change, tokens of the earlier issuer go on until they expire.',
    read: matching(/^[!-~]{1,255}$/, 'must have 1 to 255 visible ASCII characters without spaces'),
  },
  audience: {
    name: 'TENANTRY_AUDIENCE',
    unset: 'the issuer',
    meaning: 'The `aud` claim of access tokens.',
    read: matching(/^[!-~]{1,255}$/, 'must have 1 to 255 visible ASCII characters without spaces'),
  },
  tokenAlgorithm: {
    name: 'TENANTRY_TOKEN_ALGORITHM',
    default: 'EdDSA',
    meaning:
      'Algorithm of access tokens: `EdDSA`, `ES256` or `RS256`. Counts only at the first start; later ' +
      '`tenantry rotate-keys --algorithm` changes it.',
    read: oneOf(...tokenAlgorithms),
  },
  accessTokenSeconds: {
    name: 'TENANTRY_ACCESS_TOKEN_SECONDS',
    default: '7200',
    meaning: 'Life of an access token in seconds, 60 to 7200.',
    read: wholeNumber(60, 7200),
  },
  commit: {
    name: 'TENANTRY_COMMIT',
    default: 'unknown',
    meaning: 'Commit of this build, for /api/version. The build of an image sets it.',
    read: matching(/^[!-~]{1,64}$/, 'must have 1 to 64 visible ASCII characters without spaces'),
  },
  buildDate: {
    name: 'TENANTRY_BUILD_DATE',
    default: 'unknown',
    meaning: 'Time of this build, for /api/version.',
    read: matching(/^[!-~]{1,64}$/, 'must have 1 to 64 visible ASCII characters without spaces'),
  },
} satisfies Record<string, Setting<unknown>>
