/**
 * The service under test: the real application on a real database, spoken to over HTTP. Embedded by default, on
 * PostgreSQL and Redis with `npm run test:services`. One for all test files: each test makes a tenant of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect } from 'vitest'
import { buildApp } from '../src/app.ts'
import { readConfig, type Config } from '../src/config.ts'
import type { Parts } from '../src/context.ts'
import type { App } from '../src/http/app-type.ts'
import { createLogger } from '../src/log.ts'
import { openParts } from '../src/parts.ts'

/** The clock of the service: tests move it, and it is set right after each. */
export const clock = {
  offsetMs: 0,
  now: () => new Date(Date.now() + clock.offsetMs),
  advance: (ms: number) => {
    clock.offsetMs += ms
  },
}

const environment = (): Record<string, string> => {
  const { DATABASE_URL = '', REDIS_URL = '' } = process.env
  const stores = { DATABASE_URL, REDIS_URL, TENANTRY_DATA_DIR: mkdtempSync(join(tmpdir(), 'tenantry-test-')) }
  process.on('exit', () => rmSync(stores.TENANTRY_DATA_DIR, { recursive: true, force: true }))
  return {
    ...stores,
    PORT: '0',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'fatal',
    TENANTRY_BCRYPT_COST: '4',
    TENANTRY_RATE_LIMIT: 'off',
    TENANTRY_FIRST_USER_ADMIN: 'true',
  }
}

/** Answers that no schema of their route declares; `afterEach` fails the test that got one. */
const undeclared: string[] = []

const watchStatuses = (app: App): void => {
  app.addHook('onResponse', async (request, reply) => {
    const { url, schema } = request.routeOptions
    const declared = (schema?.response ?? {}) as Record<string, unknown>
    if (url !== undefined && schema && !schema.hide && !(reply.statusCode in declared)) {
      undeclared.push(`${request.method} ${url} answered ${reply.statusCode}, which it does not declare`)
    }
  })
}

const open = async () => {
  const config = readConfig(environment())
  return openParts(config, createLogger(config.logLevel), clock.now)
}

/** What the service under test is built of. */
export const parts: Parts = await open()

export interface Running {
  url: string
  app: App
}

/** Starts one more application on the same stores, configured differently: as another replica would be. */
export const startApp = async (overrides: Partial<Config> = {}): Promise<Running> => {
  const app = await buildApp({ ...parts, config: { ...parts.config, ...overrides } }, watchStatuses)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

/** The application that most tests speak to. */
export const service: Running = await startApp()

afterEach(() => {
  clock.offsetMs = 0
  expect(undeclared.splice(0)).toEqual([])
})

export interface Answer {
  status: number
  headers: Headers
  /** The whole body, parsed. */
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  body: any
  /** The `data` of the envelope. */
  // oxlint-disable-next-line no-explicit-any -- as above
  data: any
}

export interface Call {
  token?: string | undefined
  /** The tenant header. */
  tenant?: string | undefined
  body?: unknown
  headers?: Record<string, string>
  /** Another application than `service`. */
  at?: Running
}

/** One request. A path that starts with `//` is from the host root (one slash), others are below `/api/v1`. */
export const call = async (method: string, path: string, options: Call = {}): Promise<Answer> => {
  const { token, tenant, body, headers = {}, at = service } = options
  const url = path.startsWith('//') ? `${at.url}${path.slice(1)}` : `${at.url}/api/v1${path}`
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(tenant === undefined ? {} : { 'x-tenant-id': tenant }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const parsed: unknown = text === '' ? undefined : JSON.parse(text)
  const data = (parsed as { data?: unknown } | undefined)?.data
  return { status: response.status, headers: response.headers, body: parsed, data }
}
