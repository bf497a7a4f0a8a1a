/**
 * The service under test: the real application on a real database, called over HTTP. Embedded by default, on PostgreSQL
 * and Redis with `npm run test:services`. All test files of a process share it: each test makes a tenant of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteOptions } from 'fastify'
import sql, { raw } from 'sql-template-tag'
import { expect } from 'vitest'
import { pathFromRoot, request, type Answer, type Call as Request } from '../../lab/client.ts'
import { buildApp } from '../src/app.ts'
import { readConfig, type Config } from '../src/config/config.ts'
import type { Parts } from '../src/context.ts'
import type { TransactionDb } from '../src/db/client.ts'
import type { App } from '../src/http/app-type.ts'
import { createLogger } from '../src/log.ts'
import { openParts } from '../src/start/parts.ts'
import { afterEachFile, afterEachTest } from './after-each.ts'
import { collectRoutes, watchAnswers } from './answer-rules.ts'
import { makeMigratedDatabase } from './templates.ts'
import { secretEnv } from './test-database.ts'

/** The clock of the service: tests move it, and after each test it is right again. */
export const clock = {
  offsetMs: 0,
  now: () => new Date(Date.now() + clock.offsetMs),
  advance: (ms: number) => {
    clock.offsetMs += ms
  },
}

const environment = async (): Promise<Record<string, string>> => {
  const { DATABASE_URL = '', REDIS_URL = '' } = process.env
  const stores = { DATABASE_URL, REDIS_URL, TENANTRY_DATA_DIR: mkdtempSync(join(tmpdir(), 'tenantry-test-')) }
  if (!DATABASE_URL) await makeMigratedDatabase(stores.TENANTRY_DATA_DIR)
  process.on('exit', () => rmSync(stores.TENANTRY_DATA_DIR, { recursive: true, force: true }))
  return {
    ...stores,
    ...secretEnv,
    // Nobody listens there: the tests of e-mail send by servers of their own.
    SMTP_URL: 'smtp://127.0.0.1:1',
    TENANTRY_MAIL_FROM: 'Tenantry <test@example.com>',
    // The receivers of the tests. On services loopback is not allowed by itself.
    TENANTRY_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
    // The providers of the tests.
    TENANTRY_SSO_PRIVATE_HOSTS: '127.0.0.1,localhost',
    PORT: '0',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'fatal',
    TENANTRY_BCRYPT_COST: '4',
    TENANTRY_RATE_LIMIT: 'off',
    TENANTRY_FIRST_USER_ADMIN: 'true',
  }
}

/** Answers that broke a rule (see answer-rules.ts); `afterEach` fails the test that got one. */
const faults: string[] = []

const open = async () => {
  const config = readConfig(await environment())
  return openParts(config, createLogger(config.logLevel), clock.now)
}

/** The parts of the service under test. */
export const parts: Parts = await open()

export interface Running {
  url: string
  app: App
  /** Every route of the application. */
  routes: RouteOptions[]
}

/**
 * Starts one more application on the same stores with another configuration, like a replica. `prepare` can add routes of
 * the test's own, and `replaced` stands in for shared services. The caller closes it.
 */
export const startApp = async (
  overrides: Partial<Config> = {},
  prepare?: (app: App) => void,
  replaced: Partial<Parts> = {},
): Promise<Running> => {
  const routes: RouteOptions[] = []
  const app = await buildApp({ ...parts, ...replaced, config: { ...parts.config, ...overrides } }, (bare) => {
    watchAnswers(bare, faults)
    collectRoutes(bare, routes)
    prepare?.(bare)
  })
  await app.listen({ host: '127.0.0.1', port: overrides.port ?? 0 })
  return { app, routes, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

/** The application that most tests speak to. */
export const service: Running = await startApp()

afterEachTest.push(() => {
  clock.offsetMs = 0
  // oxlint-disable-next-line vitest/no-standalone-expect -- it holds for every test
  expect(faults.splice(0)).toEqual([])
})

/** Only the owner analyzes, and no role of the service owns a table. */
const asOwner = (work: (db: TransactionDb) => Promise<void>): Promise<void> =>
  parts.store.transaction({}, async (db) => {
    await db.run(sql`select set_config('role', 'none', true)`)
    await work(db)
  })

/**
 * Renews the statistics of tables that have grown. After thousands of new rows, sessions keep the plans that they made for
 * small tables. Until the maintenance of the next minute each statement takes milliseconds instead of microseconds.
 */
const analyzeGrown = (): Promise<void> =>
  asOwner(async (db) => {
    const grown = await db.many<{ name: string }>(sql`
      select relid::regclass::text as name from pg_stat_user_tables where n_mod_since_analyze > 1000 + n_live_tup / 5`)
    for (const { name } of grown) await db.run(sql`analyze ${raw(name)}`)
  })

afterEachFile.push(analyzeGrown)

/** Renews the statistics of a table to which the test has added thousands of rows. PostgreSQL counts them only later. */
export const analyze = (table: string): Promise<void> =>
  asOwner(async (db) => void (await db.run(sql`analyze ${raw(table)}`)))

export type { Answer }

export interface Call extends Request {
  /** Another application than `service`. */
  at?: Running
}

/** A busy machine may take long; a test that hangs is ended by its own limit. */
const timeoutMs = 120_000

/** One request. A path that starts with `//` is from the host root (one slash), others are below `/api/v1`. */
export const call = (
  method: string,
  path: string,
  { at = service, ...options }: Call = {},
): Promise<Answer> => request(at.url, method, pathFromRoot(path), { timeoutMs, ...options })
