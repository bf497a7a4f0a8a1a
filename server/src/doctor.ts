import type { Logger } from 'pino'
import { openCache } from './cache/open.ts'
import { ConfigError, type Config } from './config.ts'
import { inspectDatabase, type DatabaseReport, type LoginRole } from './db/inspect.ts'
import { weaknessesOf } from './production.ts'

export interface Finding {
  level: 'ok' | 'warn' | 'error'
  text: string
}

const ok = (text: string): Finding => ({ level: 'ok', text })
const warn = (text: string): Finding => ({ level: 'warn', text })
const error = (text: string): Finding => ({ level: 'error', text })

const messageOf = (err: unknown) => (err instanceof Error ? err.message : String(err))

/** Looks at everything the service stands on, and changes nothing. One finding a line, errors where it would not work. */
export const diagnose = async (readConfig: () => Config, log: Logger): Promise<Finding[]> => {
  let config: Config
  try {
    config = readConfig()
  } catch (err) {
    return err instanceof ConfigError ? err.faults.map(error) : [error(messageOf(err))]
  }
  return [
    ok('configuration: every setting is known and valid'),
    ...weaknessesOf(config).map(({ isRefused, text }) => (isRefused ? error(text) : warn(text))),
    ...(await checkDatabase(config)),
    ...(await checkCache(config, log)),
  ]
}

const checkDatabase = async (config: Config): Promise<Finding[]> => {
  try {
    const report = await inspectDatabase(config)
    return [
      ok(`database: ${report.engine} ${report.serverVersion ?? '(not created yet)'}`),
      ...checkMigrations(report),
      ...checkLogin(report),
      ...checkKeys(report),
      ...checkSearch(report),
    ]
  } catch (err) {
    return [error(`database: ${messageOf(err)}`)]
  }
}

const checkMigrations = ({ migrations }: DatabaseReport): Finding[] => {
  if (!migrations) return []
  const { pending, unknown } = migrations
  if (unknown.length > 0) {
    return [error(`schema: newer than this program (${unknown.join(', ')}): start a newer version`)]
  }
  if (pending.length > 0) {
    return [warn(`schema: ${pending.length} migrations pending; the next start runs them`)]
  }
  return [ok('schema: up to date')]
}

const checkLogin = ({ engine, login, migrations }: DatabaseReport): Finding[] => {
  if (!login || engine === 'embedded' || migrations?.applied.length === 0) return []
  return [...checkMembership(login), ...checkPower(login)]
}

const checkMembership = ({ name, canBecomeApp, canBecomePurge, canBecomeSeal }: LoginRole): Finding[] =>
  canBecomeApp && canBecomePurge && canBecomeSeal
    ? [
        ok(
          `database role: ${name} can act as tenantry_app, tenantry_purge and tenantry_seal, which row-level security binds`,
        ),
      ]
    : [error(`database role: run as its owner: grant tenantry_app, tenantry_purge, tenantry_seal to ${name}`)]

const checkPower = ({ name, superuser, bypassesRowSecurity }: LoginRole): Finding[] =>
  superuser || bypassesRowSecurity
    ? [
        warn(
          `database role: ${name} is a superuser or has BYPASSRLS; requests give it up, a role without it is safer`,
        ),
      ]
    : []

const dayMs = 24 * 3_600_000
/** A year-old key should have been rotated. */
const keyAgeDaysMax = 365

const checkKeys = ({ signingKeys, migrations }: DatabaseReport): Finding[] => {
  if (!migrations || migrations.applied.length === 0) return []
  const current = signingKeys.find((key) => key.retired_at === null)
  if (!current) return [warn('keys: none yet; the next start makes one')]
  const days = Math.floor((Date.now() - current.created_at.getTime()) / dayMs)
  const line = `keys: ${current.kid} signs, ${days} days old; ${signingKeys.length - 1} retired`
  return [days > keyAgeDaysMax ? warn(`${line}. Run tenantry rotate-keys`) : ok(line)]
}

/** The embedded database has no such index by choice (decision 0061). */
const checkSearch = ({ engine, hasSearchIndex }: DatabaseReport): Finding[] => {
  if (engine === 'embedded' || hasSearchIndex === undefined) return []
  return hasSearchIndex
    ? [ok('search: users are found by an index')]
    : [
        warn(
          'search: slow in tenants of many thousand users, the index users_search_idx is missing: see docs/operations.md',
        ),
      ]
}

const checkCache = async (config: Config, log: Logger): Promise<Finding[]> => {
  if (config.redisUrl === undefined) return [ok('cache: in-process')]
  const cache = await openCache(config, log, { now: () => new Date(), onPropagation: () => {} })
  try {
    const status = await cache.ping()
    return [status === 'up' ? ok('cache: redis answers') : error('cache: redis does not answer at REDIS_URL')]
  } finally {
    await cache.close()
  }
}
