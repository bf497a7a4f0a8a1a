/** Two replicas as two processes on one PostgreSQL and Redis: a change at one is in force at the other. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { permissions } from '../src/access/permissions.ts'
import type { Answer } from '../../lab/client.ts'
import { query } from '../../lab/databases.ts'
import { ownRedis } from '../../lab/own-redis.ts'
import type { Replica } from '../../lab/replica.ts'
import { ask, createStores, endAll, run, start, type Stores } from './programs.ts'
import { data } from './replies.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { eventually } from './waits.ts'

const password = 'correct horse battery'
const isOnServices = process.env['DATABASE_URL'] !== undefined && process.env['REDIS_URL'] !== undefined

interface User {
  id: number
  email: string
  token: string
}

let stores: Stores
let proxy: TcpProxy
let redis: Awaited<ReturnType<typeof ownRedis>>
let one: Replica
let other: Replica
let root: { token: string }

const login = async (at: Replica, email: string, secret = password): Promise<Answer> =>
  ask(at, 'POST /auth/login', { body: { email, password: secret } })

/** A user of the built-in tenant, with the starting role. */
const newUser = async (): Promise<User> => {
  const email = `${randomUUID()}@example.com`
  const user = data(
    await ask(one, 'POST /users', { ...root, body: { email, username: email.slice(0, 36), password } }),
  )
  const { access_token: token } = data(await login(one, email))
  return { id: user.id, email, token }
}

const tenant = '00000000-0000-4000-8000-000000000001'

/** A new role that lets its holders read users, given to this user. */
const letReadUsers = async (user: User): Promise<number> => {
  const options = { ...root, tenant }
  const role = data(await ask(one, 'POST /rbac/roles', { ...options, body: { name: randomUUID() } }))
  const ids = permissions.filter(({ code }) => code === 'user:read').map(({ id }) => id)
  data(
    await ask(one, `PUT /rbac/roles/${role.id}/permissions`, { ...options, body: { permission_ids: ids } }),
  )
  data(await ask(one, `POST /rbac/users/${user.id}/roles`, { ...options, body: { role_id: role.id } }))
  return role.id
}

/** Works while a connection of its own holds what a statement takes. */
const during = async <T>(statement: string, work: () => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: stores.env['DATABASE_URL'] ?? '' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(statement)
    return await work()
  } finally {
    await client.end()
  }
}

/** Waits until a request at the other replica gets this status, and resolves with the milliseconds. */
const msUntil = async (status: number, request: () => Promise<Answer>, timeout: number): Promise<number> => {
  const since = performance.now()
  await vi.waitFor(async () => expect((await request()).status).toBe(status), { timeout, interval: 20 })
  return performance.now() - since
}

/**
 * Bounds in milliseconds. A message takes some 20 ms; without one a replica forgets after 1.5 s by itself, so that longer
 * than a second shows nothing. Everything else may take as long as a busy machine needs.
 */
const within = { second: 1000, aWhile: 60_000 }

describe.runIf(isOnServices)('two replicas', () => {
  beforeAll(async () => {
    stores = await createStores()
    const direct = new URL(stores.env['DATABASE_URL'] ?? '')
    proxy = await startTcpProxy(Number(direct.port || 5432), direct.hostname)
    const through = new URL(direct)
    through.host = `127.0.0.1:${proxy.port}`
    redis = await ownRedis()
    await redis.start()
    const env = { ...stores.env, DATABASE_URL: through.href, REDIS_URL: redis.url }
    stores.env = env
    // Both start on an empty database: one of them migrates it.
    const admin = { TENANTRY_ADMIN_EMAIL: 'root@example.com', TENANTRY_ADMIN_PASSWORD: password }
    const limited = { TENANTRY_RATE_LIMIT: 'on' }
    ;[one, other] = await Promise.all([
      start({ ...env, ...admin, ...limited }),
      start({ ...env, ...admin, ...limited }),
    ])
    root = { token: data(await login(one, 'root@example.com')).access_token }
  })
  afterAll(async () => {
    endAll()
    proxy.close()
    await redis.remove()
    await stores.remove()
  })

  test('two replicas that start together on an empty database agree on schema, key and first administrator', async () => {
    expect((await ask(one, 'GET //.well-known/jwks.json')).body).toEqual(
      (await ask(other, 'GET //.well-known/jwks.json')).body,
    )
    expect(data(await ask(other, 'GET /users', root)).items).toHaveLength(1)
  })

  test('a user disabled at one is out at the other', async () => {
    const user = await newUser()
    expect((await ask(other, 'GET /ping', user)).status).toBe(200)
    data(await ask(one, `PUT /users/${user.id}`, { ...root, body: { status: 0 } }))
    expect(await msUntil(401, () => ask(other, 'GET /ping', user), within.second)).toBeLessThan(within.second)
  })

  test('a role given, changed and taken at one is in force at the other', async () => {
    const user = await newUser()
    const read = () => ask(other, 'GET /users', user)
    expect((await read()).status).toBe(403)
    const roleId = await letReadUsers(user)
    await msUntil(200, read, within.second)
    data(
      await ask(one, `PUT /rbac/roles/${roleId}/permissions`, {
        ...root,
        tenant,
        body: { permission_ids: [] },
      }),
    )
    await msUntil(403, read, within.second)
    data(
      await ask(one, `PUT /rbac/roles/${roleId}/permissions`, {
        ...root,
        tenant,
        body: { permission_ids: [1] },
      }),
    )
    await msUntil(200, read, within.second)
    data(await ask(one, `DELETE /rbac/users/${user.id}/roles/${roleId}`, { ...root, tenant }))
    expect(await msUntil(403, read, within.second)).toBeLessThan(within.second)
  })

  test('a password changed at one ends the other sessions at the other', async () => {
    const user = await newUser()
    const elsewhere = { token: data(await login(other, user.email)).access_token as string }
    expect((await ask(other, 'GET /ping', elsewhere)).status).toBe(200)
    const body = { old_password: password, new_password: `${password}!` }
    data(await ask(one, 'POST /password', { token: user.token, body }))
    await msUntil(401, () => ask(other, 'GET /ping', elsewhere), within.second)
    expect((await ask(other, 'GET /ping', user)).status).toBe(200)
    expect((await login(other, user.email)).status).toBe(401)
    expect((await login(other, user.email, `${password}!`)).status).toBe(200)
  })

  test('a tenant disabled, enabled and deleted at one is so at the other', async () => {
    const { id } = data(
      await ask(one, 'POST /org/tenants', { ...root, body: { name: 'T', slug: `t${Date.now()}` } }),
    )
    const email = `${randomUUID()}@example.com`
    const body = { email, username: 'ada', password }
    data(await ask(one, 'POST /users', { ...root, tenant: id, body }))
    const user = { token: data(await login(other, email)).access_token as string }
    const ping = () => ask(other, 'GET /ping', user)
    data(await ask(one, `PUT /org/tenants/${id}`, { ...root, body: { status: 0 } }))
    await msUntil(403, ping, within.second)
    data(await ask(one, `PUT /org/tenants/${id}`, { ...root, body: { status: 1 } }))
    await msUntil(200, ping, within.second)
    data(await ask(one, `DELETE /org/tenants/${id}`, root))
    expect(await msUntil(401, ping, within.second)).toBeLessThan(within.second)
  })

  test('a caller has one preview at a time, at both together', async () => {
    const preview = (at: Replica) =>
      ask(at, 'POST /authz/preview', {
        ...root,
        body: { changes: [{ kind: 'delete_role', role_id: 1_000_000 }] },
      })
    // A preview waits for this lock after it has taken the caller's turn.
    const lock = `hashtext('tenantry authority'), hashtext('${tenant}')`
    const answers = await during(`select pg_advisory_lock(${lock})`, () =>
      Promise.all([preview(one), preview(other)]),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([429, 503])
    await msUntil(200, () => preview(other), within.aWhile)
    await msUntil(200, () => preview(one), within.aWhile)
  })

  test('a key that is revoked at one is refused at the other within a second', async () => {
    const options = { ...root, tenant }
    const account = data(
      await ask(one, 'POST /service-accounts', { ...options, body: { name: randomUUID() } }),
    )
    const path = `/service-accounts/${account.id}/keys`
    const { id, secret: token } = data(await ask(one, `POST ${path}`, { ...options, body: { name: 'any' } }))
    const ping = () => ask(other, 'GET /ping', { token })
    expect((await ping()).status).toBe(200)
    data(await ask(one, `DELETE ${path}/${id}`, options))
    expect(await msUntil(401, ping, within.aWhile)).toBeLessThan(within.second)
  })

  test('keys rotated by the command are published by both, and no session ends', async () => {
    // Without the message the other replica would keep its keys for 30 s.
    const user = await newUser()
    const { stdout } = await run(['rotate-keys'], stores.env)
    const kid = /key ([0-9a-f-]{36})/.exec(stdout)?.[1]
    for (const replica of [one, other]) {
      expect((await ask(replica, 'GET /ping', user)).status).toBe(200)
      await vi.waitFor(
        async () => {
          const { keys } = (await ask(replica, 'GET //.well-known/jwks.json')).body
          expect(keys.map((key: { kid: string }) => key.kid)).toContain(kid)
        },
        { timeout: 10_000, interval: 50 },
      )
    }
    const renewed = data(await login(one, user.email)).access_token as string
    expect((await ask(other, 'GET /ping', { token: renewed })).status).toBe(200)
  })

  test('guesses at one count at the other', async () => {
    const user = await newUser()
    for (let guess = 0; guess < 10; guess += 1) {
      const replica = guess % 2 === 0 ? one : other
      expect((await login(replica, user.email, 'wrong password')).status).toBe(401)
    }
    for (const replica of [one, other]) {
      const { status, headers } = await login(replica, user.email)
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true])
    }
    expect((await ask(other, 'GET /ping', user)).status).toBe(200)
  })

  test('a user who is online at one is counted at the other', async () => {
    const { id } = data(
      await ask(one, 'POST /org/tenants', { ...root, body: { name: 'O', slug: `o${Date.now()}` } }),
    )
    const email = `${randomUUID()}@example.com`
    data(await ask(one, 'POST /users', { ...root, tenant: id, body: { email, username: 'ada', password } }))
    data(await login(one, email))
    const online = async () =>
      data(await ask(other, 'GET /dashboard/stats', { ...root, tenant: id })).onlineCount
    await eventually(async () => expect(await online()).toBe(1))
  })

  test('ask PostgreSQL less than twice a second at rest, both together', { timeout: 200_000 }, async () => {
    const commits = async (): Promise<number> => {
      const { rows } = await query<{ commits: number }>(
        stores.env['DATABASE_URL'] ?? '',
        'select xact_commit::int as commits from pg_stat_database where datname = current_database()',
      )
      return rows[0]?.commits ?? 0
    }
    const seconds = 5
    const restful = async () => {
      const before = await commits()
      await sleep(seconds * 1000)
      expect((await commits()) - before).toBeLessThan(2 * seconds)
    }
    // The first look also counts the end of earlier tests.
    await vi.waitFor(restful, { timeout: 180_000, interval: 20 })
  })

  test('continue without Redis: unready and degraded, a change at one in force at the other within seconds', async () => {
    const user = await newUser()
    await letReadUsers(user)
    const read = () => ask(other, 'GET /users', user)
    await msUntil(200, read, within.second)
    await redis.kill()
    await msUntil(503, () => ask(other, 'GET //readyz'), within.aWhile)
    expect((await ask(other, 'GET //readyz')).body).toEqual({
      status: 'unready',
      database: 'up',
      cache: 'down',
    })
    const health = await ask(other, 'GET //health')
    expect([health.status, health.body.status, health.body.cache]).toEqual([200, 'degraded', 'down'])
    expect((await read()).status).toBe(200)
    expect((await login(one, user.email)).status).toBe(200)
    data(await ask(one, `PUT /users/${user.id}`, { ...root, body: { status: 0 } }))
    // `npm run prove` measures the 2 seconds.
    await msUntil(401, read, 20_000)
  })

  test('mend by themselves when Redis is back', async () => {
    await redis.start()
    for (const replica of [one, other]) await msUntil(200, () => ask(replica, 'GET //readyz'), within.aWhile)
    expect((await ask(other, 'GET //health')).body.status).toBe('ok')
    const user = await newUser()
    expect((await ask(other, 'GET /ping', user)).status).toBe(200)
    data(await ask(one, `PUT /users/${user.id}`, { ...root, body: { status: 0 } }))
    await msUntil(401, () => ask(other, 'GET /ping', user), within.second)
  })

  test('answer 503 with Retry-After while PostgreSQL is away, and continue when it is back, without a restart', async () => {
    proxy.cut()
    const requests = [
      () => ask(one, 'PUT /settings/tenant/away', { ...root, body: { value: 1 } }),
      () => ask(one, 'GET /users', root),
      () => login(other, 'root@example.com'),
      () =>
        ask(other, 'POST /auth/register', { body: { email: 'x@example.com', username: 'xyz', password } }),
    ]
    for (const request of requests) {
      const since = performance.now()
      const { status, headers, body } = await request()
      expect([status, body.code, body.data]).toEqual([503, 50302, null])
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(body.trace_id).toBe(headers.get('x-trace-id'))
      expect(body.message).not.toMatch(/ECONN|postgres|127\.0\.0\.1/)
      expect(performance.now() - since).toBeLessThan(30_000)
    }
    expect((await ask(one, 'GET //healthz')).status).toBe(200)
    await msUntil(503, () => ask(one, 'GET //readyz'), within.aWhile)
    expect((await ask(one, 'GET //readyz')).body).toEqual({
      status: 'unready',
      database: 'down',
      cache: 'up',
    })
    expect((await ask(one, 'GET //health')).body).toMatchObject({ status: 'degraded', database: 'down' })
    await proxy.mend()
    for (const replica of [one, other]) {
      await msUntil(200, () => ask(replica, 'GET //readyz'), within.aWhile)
      expect((await ask(replica, 'GET /users', root)).status).toBe(200)
      expect((await login(replica, 'root@example.com')).status).toBe(200)
    }
    expect((await ask(one, 'PUT /settings/tenant/away', { ...root, body: { value: 2 } })).status).toBe(200)
  })

  test('stop one after the other, each with exit code 0', async () => {
    expect(await one.end('SIGINT')).toBe(0)
    expect((await ask(other, 'GET /users', root)).status).toBe(200)
    expect(await other.end('SIGINT')).toBe(0)
  })
})
