import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config/config.ts'
import { requireStrong, weaknessesOf } from './production.ts'

type Env = Record<string, string>

const strong: Env = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://app:pgpass@db.internal/tenantry?sslmode=verify-full',
  TENANTRY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  REDIS_URL: 'rediss://:redispass@cache.internal:6380',
  HOST: '0.0.0.0',
  TENANTRY_TRUSTED_PROXIES: '10.0.0.1',
  TENANTRY_ADMIN_EMAIL: 'root@example.com',
  TENANTRY_ADMIN_PASSWORD: 'correct horse battery',
  TENANTRY_PUBLIC_URL: 'https://admin.example.com',
}

const textsOf = (env: Env): string[] => weaknessesOf(readConfig(env)).map(({ text }) => text)

/** The lines with which the start is refused. */
const faultsOf = (env: Env): string[] => {
  try {
    requireStrong(readConfig(env))
    return []
  } catch (err) {
    if (err instanceof ConfigError) return err.faults
    throw err
  }
}

const weak: [name: string, env: Env, word: RegExp][] = [
  ['cheap hashes', { TENANTRY_BCRYPT_COST: '9' }, /^passwords: TENANTRY_BCRYPT_COST/],
  ['no limits', { TENANTRY_RATE_LIMIT: 'off' }, /^limits: /],
  ['no secret key', { TENANTRY_SECRET_KEY: '' }, /^secrets: TENANTRY_SECRET_KEY is missing/],
  ['a password of examples', { TENANTRY_ADMIN_PASSWORD: 'Password123!' }, /^administrator: /],
  ['a password of digits', { TENANTRY_ADMIN_PASSWORD: '1234567890' }, /^administrator: /],
  ['the e-mail as password', { TENANTRY_ADMIN_PASSWORD: 'Root@example.com' }, /^administrator: /],
  [
    'workers that share no Redis',
    { TENANTRY_WORKERS: '2', REDIS_URL: '' },
    /^workers: TENANTRY_WORKERS above 1 without REDIS_URL/,
  ],
  [
    'links in the clear',
    {
      SMTP_URL: 'smtps://mail.internal',
      TENANTRY_MAIL_FROM: 'a@example.com',
      TENANTRY_PUBLIC_URL: 'http://admin.example.com',
    },
    /^mail: TENANTRY_PUBLIC_URL/,
  ],
  [
    'an unencrypted origin',
    { TENANTRY_CORS_ORIGINS: 'https://a.example.com,http://b.example.com' },
    /^browsers: /,
  ],
]

describe('a start in production', () => {
  test('a strong configuration starts, and doctor finds no fault in it', () => {
    expect([faultsOf(strong), textsOf(strong)]).toEqual([[], []])
    const local = { TENANTRY_CORS_ORIGINS: 'http://localhost:5173', TENANTRY_BCRYPT_COST: '10' }
    expect(faultsOf({ ...strong, ...local })).toEqual([])
  })

  test.each(weak)('%s are refused, in a line that quotes no value', (_name, env, word) => {
    const [fault, why, ...more] = faultsOf({ ...strong, ...env })
    expect(fault).toMatch(word)
    expect(why).toContain('NODE_ENV')
    expect(more).toEqual([])
    expect(`${fault}`).not.toMatch(/Password123|1234567890|Root@|b\.example/)
  })

  test('a misspelt DATABASE_URL does not start an empty embedded database, unless that was asked for', () => {
    const misspelt = { ...strong, DATABASE_URL: '', DATABSE_URL: strong['DATABASE_URL'] ?? '' }
    const [fault, why, ...more] = faultsOf(misspelt)
    expect(fault).toMatch(/^database: DATABASE_URL is missing: .* TENANTRY_EMBEDDED=true$/)
    expect(why).toContain('NODE_ENV')
    expect(more).toEqual([])
    expect(faultsOf({ ...misspelt, NODE_ENV: 'development' })).toEqual([])
    expect(faultsOf({ ...misspelt, TENANTRY_EMBEDDED: 'true' })).toEqual([])
  })

  test('all weaknesses are listed at once', () => {
    const all = Object.assign({}, ...weak.map(([, env]) => env)) as Env
    expect(faultsOf({ ...strong, ...all })).toHaveLength(8)
  })
})

test('a weak configuration starts outside production, and doctor names it', () => {
  for (const [, env, word] of weak) {
    const all = { ...strong, NODE_ENV: 'development', ...env }
    expect(faultsOf(all)).toEqual([])
    expect(textsOf(all).some((text) => word.test(text))).toBe(true)
  }
})

test.each([
  ['an embedded database', { DATABASE_URL: '', TENANTRY_EMBEDDED: 'true' }, /^database: embedded/],
  ['PostgreSQL without Redis', { REDIS_URL: '' }, /^cache: in-process/],
  ['a database reached unencrypted', { DATABASE_URL: 'postgres://u:p@db.internal/x' }, /without sslmode/],
  [
    'a database whose certificate is not checked',
    { DATABASE_URL: 'postgres://u:p@db.internal/x?sslmode=require' },
    /without sslmode=verify-full/,
  ],
  [
    'one of several hosts reached unencrypted',
    { DATABASE_URL: 'postgres://u:p@127.0.0.1:1,db/x' },
    /without sslmode/,
  ],
  ['more workers than cores', { TENANTRY_WORKERS: '64' }, /^workers: .* more than this machine has cores/],
  ['a Redis without password', { REDIS_URL: 'rediss://cache.internal' }, /no password/],
  [
    'a Sentinel without password',
    { REDIS_URL: 'rediss://:secret@127.0.0.1,cache.internal?sentinel=main' },
    /no sentinel_password/,
  ],
  [
    'one of several Sentinels reached unencrypted',
    { REDIS_URL: 'redis://:secret@127.0.0.1,cache.internal?sentinel=main&sentinel_password=more' },
    /use rediss/,
  ],
  ['a Redis reached unencrypted', { REDIS_URL: 'redis://:secret@cache.internal' }, /use rediss/],
  ['no proxy before a public address', { TENANTRY_TRUSTED_PROXIES: '' }, /^network: /],
  ['open metrics', { TENANTRY_METRICS_PORT: '9464' }, /^metrics: /],
])('%s is not refused, and doctor names it', (_name, env, word) => {
  const all: Env = { ...strong, ...env }
  expect(textsOf(all).filter((text) => word.test(text))).toHaveLength(1)
  expect(faultsOf(all)).toEqual([])
})
