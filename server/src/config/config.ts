import { BadValue, isLoopback, type Archive } from './config-values.ts'
import type { LinkPages } from './link-pages.ts'
import { table, type Setting, type Value } from './settings.ts'
import type { TracesSampler } from './trace-settings.ts'
import type { TokenAlgorithm } from '../crypto/algorithms.ts'
import { Refusal } from '../errors/refusal.ts'

/** The configuration of a process, which reads it once from the environment at start. */
export interface Config {
  /** True if other people depend on this installation. production.ts then refuses weak values. */
  isProduction: boolean
  host: string
  port: number
  databaseUrl: string | undefined
  /** True if the operator chose the embedded database. Only production needs an explicit choice. */
  embedded: boolean
  redisUrl: string | undefined
  workers: number
  dataDir: string
  /** The keys that encrypt secrets at rest. If undefined, only the key file in the data folder does. */
  secretKeys: Buffer[] | undefined
  admin: { email: string; password: string; username: string } | undefined
  firstUserAdmin: boolean
  /** Strangers can register as users of the built-in tenant, create an organization of their own, or do neither. */
  signUp: 'user' | 'organization' | 'closed'
  /** Limits of the organizations that people create: within an hour, and for each person. */
  signUpsPerHour: number
  organizationsPerPerson: number
  bcryptCost: number
  /** The list of breached passwords. */
  breachedPasswordsUrl: string
  rateLimit: boolean
  /** The limits for a signed-in user and for a key. Each process counts for itself. */
  requestsPerMinute: number
  keyRequestsPerMinute: number
  logLevel: string
  /** Origins that browsers can call from. If empty, CORS is off. */
  corsOrigins: string[]
  /** Reverse proxies whose X-Forwarded-For is trusted, as addresses or CIDR ranges. */
  trustedProxies: string[]
  metricsPort: number | undefined
  metricsToken: string | undefined
  /** The collector of traces. If undefined, there are no traces. */
  otlpEndpoint: string | undefined
  tracesSampler: TracesSampler
  /** The share of traced requests, as text. */
  tracesSamplerArg: string
  /** The origin at which people and other services reach this installation. */
  publicUrl: string
  /** The mail server. If undefined, e-mails are files (embedded) or off. */
  smtpUrl: string | undefined
  mailFrom: string
  /** Pages of the product that links in e-mails open instead of the service's pages. */
  linkPages: LinkPages
  /** If true, a registered account is restricted until its person has confirmed the address. */
  requireVerifiedEmail: boolean
  /** The most invitation links that a tenant can send in a day. */
  invitationsPerDay: number
  /** Hosts without public addresses that webhooks can still send to: names, addresses and ranges. */
  webhookPrivateHosts: string[]
  archives: Archive[]
  /** Clients whose `client_id` is the address of their metadata. `open` allows every host, a list only its hosts. */
  clientDocuments: 'off' | 'open' | string[]
  /** `open` lets clients register themselves. */
  clientRegistration: 'off' | 'open'
  /** `on` serves assistants at `/mcp`. */
  mcp: 'off' | 'on'
  /** Servers that resolve TXT records. If empty, those of the machine. */
  dnsServers: string[]
  /** Hosts of sign-in providers that have no public addresses. */
  ssoPrivateHosts: string[]
  /** The `iss` claim of the tokens. */
  issuer: string
  /** The `aud` claim of access tokens. */
  audience: string
  /** The algorithm of access tokens at the first start. Later `rotate-keys` changes it. */
  tokenAlgorithm: TokenAlgorithm
  accessTokenSeconds: number
  /** The commit that `/api/version` reports. */
  commit: string
  buildDate: string
}

/** Lists every fault of the environment, one per line, so that an operator can correct all of them at once. */
export class ConfigError extends Refusal {}

type Values = { [Key in keyof typeof table]: Value<(typeof table)[Key]> }

/** The settings for the documentation. */
export const settings = Object.values<Setting<unknown>>(table).map(({ name, meaning, ...row }) => ({
  name,
  default: row.default ?? row.unset ?? 'unset',
  meaning,
}))

type Env = Readonly<Record<string, string | undefined>>

/** An empty variable counts as unset, because compose files and charts pass empty variables for omitted values. */
const isSet = (env: Env, name: string): boolean => (env[name] ?? '') !== ''

/** Reads one setting. Adds its fault to `faults` if there is one. */
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

const ownNames = settings.map(({ name }) => name)

/** Refuses misspelt names. If one were ignored, a default such as open registration would stay active. */
const unknownNames = (env: Env): string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith('TENANTRY_') && !ownNames.includes(name))
    .map((name) => `${name} is not a setting; the settings are ${ownNames.join(', ')}`)

const adminNames = [table.adminEmail.name, table.adminPassword.name]

const senderFaults = ({ smtpUrl, mailFrom }: Values): string[] =>
  smtpUrl !== undefined && mailFrom === undefined
    ? [`${table.mailFrom.name} is missing: SMTP_URL needs a sender`]
    : []

/** Without e-mails nobody could confirm a registered address, or sign up an organization. */
const linkFaults = (values: Values): string[] => {
  const { requireVerifiedEmail, databaseUrl, smtpUrl, secretKeys } = values
  if (databaseUrl === undefined || (smtpUrl !== undefined && secretKeys !== undefined)) return []
  return [
    ...(requireVerifiedEmail === 'true' ? [table.requireVerifiedEmail.name] : []),
    ...(signUpOf(values) === 'organization' ? [`${table.signUp.name}=organization`] : []),
  ].map((name) => `${name} needs e-mails: set SMTP_URL and ${table.secretKeys.name}`)
}

const olderSignUp = { open: 'user', closed: 'closed' } as const

const signUpOf = ({ signUp, registration }: Values): Config['signUp'] =>
  signUp ?? olderSignUp[registration ?? 'open']

const signUpFaults = ({ signUp, registration }: Values): string[] =>
  signUp !== undefined && registration !== undefined && signUp !== olderSignUp[registration]
    ? [`${table.registration.name} contradicts ${table.signUp.name}: leave the older name out`]
    : []

const databaseFaults = (env: Env, { databaseUrl, embedded }: Values): string[] => {
  if (databaseUrl === undefined) return []
  // The driver would read PostgreSQL's own variable, but give its values another meaning.
  const isTlsElsewhere = isSet(env, 'PGSSLMODE') && !databaseUrl.includes('sslmode=')
  return [
    ...(embedded === 'true'
      ? [`${table.embedded.name}=true contradicts DATABASE_URL: leave one of them out`]
      : []),
    ...(isTlsElsewhere ? ['PGSSLMODE is not read: put sslmode into DATABASE_URL'] : []),
  ]
}

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
    ...databaseFaults(env, values),
    ...senderFaults(values),
    ...signUpFaults(values),
    ...linkFaults(values),
    ...(samePort ? [`${table.metricsPort.name} must differ from PORT`] : []),
  ]
}

const isProduction = (nodeEnv: string | undefined, host: string): boolean =>
  nodeEnv === 'production' || (nodeEnv !== 'development' && nodeEnv !== 'test' && !isLoopback(host))

const namesOf = (values: Values): Pick<Config, 'publicUrl' | 'issuer' | 'audience'> => {
  const publicUrl = values.publicUrl ?? `http://localhost:${values.port}`
  const issuer = values.issuer ?? publicUrl
  return { publicUrl, issuer, audience: values.audience ?? issuer }
}

type Lists =
  | 'archives'
  | 'corsOrigins'
  | 'trustedProxies'
  | 'webhookPrivateHosts'
  | 'dnsServers'
  | 'ssoPrivateHosts'

/** An unset list is empty. */
const listsOf = ({
  archives = [],
  corsOrigins = [],
  trustedProxies = [],
  webhookPrivateHosts = [],
  dnsServers = [],
  ssoPrivateHosts = [],
}: Values): Pick<Config, Lists> => ({
  archives,
  corsOrigins,
  trustedProxies,
  webhookPrivateHosts,
  dnsServers,
  ssoPrivateHosts,
})

const configOf = (values: Values): Config => {
  const { nodeEnv, adminEmail, adminPassword, adminUsername, registration: _, ...rest } = values
  return {
    ...rest,
    ...namesOf(values),
    ...listsOf(values),
    isProduction: isProduction(nodeEnv, rest.host),
    admin:
      adminEmail === undefined || adminPassword === undefined
        ? undefined
        : { email: adminEmail, password: adminPassword, username: adminUsername ?? 'admin' },
    embedded: rest.embedded === 'true',
    signUp: signUpOf(values),
    firstUserAdmin: (rest.firstUserAdmin ?? String(rest.databaseUrl === undefined)) === 'true',
    linkPages: rest.linkPages ?? {},
    mailFrom: rest.mailFrom ?? 'Tenantry <tenantry@localhost>',
    requireVerifiedEmail: rest.requireVerifiedEmail === 'true',
    rateLimit: rest.rateLimit === 'on',
  }
}

/**
 * Reads the configuration from an environment. Throws a `ConfigError` with all faults, one line each. No line quotes a
 * value, so that a misplaced password stays out of the logs.
 */
export const readConfig = (env: Env): Config => {
  const faults = unknownNames(env)
  const read = Object.entries<Setting<unknown>>(table).map(([key, row]) => [key, readOne(row, env, faults)])
  const values = Object.fromEntries(read) as Values
  faults.push(...combinedFaults(env, values))
  if (faults.length > 0) throw new ConfigError(faults)
  return configOf(values)
}
