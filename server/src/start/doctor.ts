import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { openCache } from '../cache/open.ts'
import { ConfigError, type Config } from '../config/config.ts'
import { readArchived, selectMissing, type ArchivedPartition } from '../db/audit-archives.ts'
import { dbRoles } from '../db/client.ts'
import { atServer } from '../db/open.ts'
import { FolderInUse } from '../db/data-folder.ts'
import { inspectDatabase, type DatabaseReport, type LoginRole } from '../db/inspect.ts'
import { brandIn } from '../features/accounts/mail/brand.service.ts'
import type { Brand } from '../mail/brand.ts'
import { mailFolderOf } from '../mail/mail-folder.ts'
import { openMailer, type Mailer } from '../mail/mailer.ts'
import { render } from '../mail/render.ts'
import { texts } from '../mail/texts.ts'
import { weaknessesOf } from './production.ts'
import { relyingPartyOf } from '../config/relying-party.ts'
import { configuredFingerprints } from './secret-keys.ts'

export interface Finding {
  level: 'ok' | 'warn' | 'error'
  text: string
}

const ok = (text: string): Finding => ({ level: 'ok', text })
const warn = (text: string): Finding => ({ level: 'warn', text })
const error = (text: string): Finding => ({ level: 'error', text })

const messageOf = (err: unknown) => (err instanceof Error ? err.message : String(err))

/**
 * Checks everything that the service depends on, and changes nothing. With `mailTo` it sends an e-mail to that address.
 * Returns one finding per line. An error means that the service would not work.
 */
export const diagnose = async (
  readConfig: () => Config,
  log: Logger,
  mailTo?: string,
): Promise<Finding[]> => {
  let config: Config
  try {
    config = readConfig()
  } catch (err) {
    return err instanceof ConfigError ? err.faults.map(error) : [error(messageOf(err))]
  }
  const database = await checkDatabase(config)
  return [
    ok('configuration: every setting is known and valid'),
    ...weaknessesOf(config).map(({ isRefused, text }) => (isRefused ? error(text) : warn(text))),
    ...database.findings,
    ...(await checkArchives(config)),
    ...(await checkCache(config)),
    ...(await checkMail(config, log, { mailTo, brand: database.brand })),
  ]
}

/** The findings about the database. `brand` is the product's appearance in e-mails. */
const checkDatabase = async (config: Config): Promise<{ findings: Finding[]; brand: Brand }> => {
  try {
    const report = await inspectDatabase(config)
    return { findings: findingsOf(report, config), brand: brandIn(report.mailSetting, report.portalSetting) }
  } catch (err) {
    const finding =
      err instanceof FolderInUse ? warn(openElsewhere(config)) : error(`database: ${messageOf(err)}`)
    return { findings: [finding], brand: {} }
  }
}

const findingsOf = (report: DatabaseReport, config: Config): Finding[] => [
  ok(`database: ${report.engine} ${report.serverVersion ?? '(not created yet)'}`),
  ...checkMigrations(report),
  ...checkLogin(report),
  ...checkKeys(report, config),
  ...checkSecrets(report, config),
  ...checkPasskeys(report, config),
  ...checkSearch(report),
]

/** Only one process can open the embedded database, so a running service is no fault. */
const openElsewhere = ({ dataDir }: Config): string =>
  `database: a running Tenantry has ${dataDir} open, so schema, keys and secrets were not checked; its /readyz answers ` +
  'for the database. Stop it to check the rest'

const checkMigrations = ({ migrations, login }: DatabaseReport): Finding[] => {
  if (!migrations) return []
  const { pending, unknown } = migrations
  if (unknown.length > 0) {
    return [error(`schema: newer than this program (${unknown.join(', ')}): start a newer version`)]
  }
  if (pending.length > 0) {
    const line = `schema: ${pending.length} migrations pending`
    return login?.mayMigrate === false
      ? [error(`${line}, which ${login.name} may not run: run tenantry migrate as the owner of the schema`)]
      : [warn(`${line}; the next start runs them`)]
  }
  return [ok('schema: up to date')]
}

const checkLogin = ({ engine, login, migrations }: DatabaseReport): Finding[] => {
  if (!login || engine === 'embedded' || migrations?.applied.length === 0) return []
  return [...checkMembership(login), ...checkPower(login)]
}

const checkMembership = ({ name, missingRoles }: LoginRole): Finding[] =>
  missingRoles.length === 0
    ? [ok(`database role: ${name} can act as ${dbRoles.join(', ')}, which row-level security binds`)]
    : [error(`database role: run as its owner: grant ${missingRoles.join(', ')} to ${name}`)]

const checkPower = ({ name, superuser, bypassesRowSecurity }: LoginRole): Finding[] =>
  superuser || bypassesRowSecurity
    ? [
        warn(
          `database role: ${name} is a superuser or has BYPASSRLS; requests give it up, a role without it is safer`,
        ),
      ]
    : []

const dayMs = 24 * 3_600_000
/** The age in days at which the operator should rotate a key. */
const keyAgeDaysMax = 365

const checkKeys = ({ signingKeys, migrations }: DatabaseReport, config: Config): Finding[] => {
  if (!migrations || migrations.applied.length === 0) return []
  const current = signingKeys.find((key) => key.retired_at === null)
  if (!current) return [warn('keys: none yet; the next start makes one')]
  const days = Math.floor((Date.now() - current.created_at.getTime()) / dayMs)
  const line = `keys: ${current.kid} is the newest, ${days} days old; ${signingKeys.length - 1} retired`
  return [
    days > keyAgeDaysMax ? warn(`${line}. Run tenantry rotate-keys`) : ok(line),
    ...(current.alg === config.tokenAlgorithm ? [] : [warn(otherAlgorithm(current.alg, config))]),
  ]
}

const otherAlgorithm = (alg: string, { tokenAlgorithm }: Config): string =>
  `keys: tokens are signed with ${alg}, and TENANTRY_TOKEN_ALGORITHM counts only at the first start: run ` +
  `tenantry rotate-keys --algorithm ${tokenAlgorithm}`

const checkSecrets = ({ engine, secrets }: DatabaseReport, config: Config): Finding[] => {
  if (!secrets) return []
  const present = new Set(configuredFingerprints(config))
  const missing = secrets.fingerprints.filter((fingerprint) => !present.has(fingerprint))
  if (missing.length > 0) return [error(`secrets: the secret key ${missing.join(', ')} is missing`)]
  if (engine === 'postgres' && present.size === 0) {
    return [warn('secrets: no TENANTRY_SECRET_KEY; signing keys stand in the database in the clear')]
  }
  if (secrets.keysInTheClear > 0) {
    return [
      warn(
        'secrets: signing keys that were made without a secret key are in the clear: run tenantry rotate-secrets',
      ),
    ]
  }
  return [ok(`secrets: encrypted with the secret key ${secrets.fingerprints.join(', ')}`)]
}

/** A passkey works only at the host that created it. */
const checkPasskeys = ({ passkeyHosts }: DatabaseReport, config: Config): Finding[] => {
  const host = relyingPartyOf(config)?.id
  const lost = passkeyHosts.filter((one) => one !== host)
  if (lost.length === 0) return passkeyHosts.length > 0 ? [ok(`passkeys: made for ${host}`)] : []
  return [
    warn(
      `passkeys: those of ${lost.join(', ')} do not work at ${host ?? 'an address without passkeys'}: set TENANTRY_PUBLIC_URL back, or have people add others`,
    ),
  ]
}

/** The embedded database deliberately has no such index (decision 0008). */
const checkSearch = ({ engine, hasSearchIndex }: DatabaseReport): Finding[] => {
  if (engine === 'embedded' || hasSearchIndex === undefined) return []
  return hasSearchIndex
    ? [ok('search: users are found by an index')]
    : [
        warn(
          'search: slow in tenants of many thousand users, the index users_search_idx is missing: see docs/operating.md',
        ),
      ]
}

/** Each archive must answer, and have the partitions that the database records for it. */
const checkArchives = async (config: Config): Promise<Finding[]> => {
  if (config.databaseUrl === undefined) return []
  const placed = await readArchived(config).catch(() => [])
  const names = new Set(
    [...placed, ...config.archives].map((one) => ('archive' in one ? one.archive : one.name)),
  )
  return Promise.all([...names].map((name) => checkArchive(config, name, placed)))
}

const checkArchive = async (config: Config, name: string, placed: ArchivedPartition[]): Promise<Finding> => {
  const archive = config.archives.find((one) => one.name === name)
  if (!archive) return warn(`archive ${name}: not looked at, TENANTRY_ARCHIVES does not name it`)
  const wanted = placed.filter((one) => one.archive === name).map(({ partition }) => partition)
  try {
    const missing = await atServer(archive.url, (client) => selectMissing(client, wanted))
    return missing.length === 0
      ? ok(`archive ${name}: answers, ${wanted.length} partitions`)
      : error(`archive ${name}: lacks ${missing.join(', ')}: restore its backup`)
  } catch (err) {
    return error(`archive ${name}: ${messageOf(err)}`)
  }
}

const checkCache = async (config: Config): Promise<Finding[]> => {
  if (config.redisUrl === undefined) return [ok('cache: in-process')]
  const reasons = new Set<string>()
  const log = {
    info: () => undefined,
    warn: (fields: object) => 'reason' in fields && reasons.add(String(fields.reason)),
  }
  const cache = await openCache(config, log, { now: () => new Date(), onPropagation: () => {} })
  try {
    const status = await cache.ping()
    if (status === 'up') return [ok('cache: redis answers')]
    return [error(['cache: redis does not answer at REDIS_URL', ...reasons].join(': '))]
  } finally {
    await cache.close()
  }
}

interface MailTest {
  mailTo: string | undefined
  brand: Brand
}

const checkMail = async (config: Config, log: Logger, { mailTo, brand }: MailTest): Promise<Finding[]> => {
  const mailer = openMailer(config, log)
  if (!mailer) {
    return [(mailTo === undefined ? warn : error)('mail: off, so nobody can reset a password: set SMTP_URL')]
  }
  if (mailTo !== undefined) return [await sendTest(mailer, config, { to: mailTo, brand })]
  if (config.smtpUrl === undefined) {
    return [ok(`mail: SMTP_URL is not set; e-mails become files in ${mailFolderOf(config.dataDir)}`)]
  }
  return [await outcomeOf(mailer.check(), 'mail: the server answers, and accepts the credentials')]
}

/** The longest attempt to send an e-mail. */
const sendMs = 60_000

const sendTest = (
  mailer: Mailer,
  { publicUrl }: Config,
  { to, brand }: { to: string; brand: Brand },
): Promise<Finding> => {
  const at = new Date()
  const words = render({
    kind: 'test',
    language: 'en',
    text: texts.en.test,
    facts: { at: at.toISOString() },
    brand,
    link: undefined,
    publicUrl,
  })
  const email = { id: randomUUID(), createdAt: at, to, ...words }
  return outcomeOf(mailer.send(email, AbortSignal.timeout(sendMs)), `mail: sent one to ${to}`)
}

const outcomeOf = (work: Promise<void>, text: string): Promise<Finding> =>
  work.then(
    () => ok(text),
    (err: unknown) => error(`mail: ${messageOf(err)}`),
  )
