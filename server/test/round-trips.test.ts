/** The round trips of writes to PostgreSQL. A relay between the service and the database counts them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRelay, type Relay } from '../../lab/round-trips.ts'
import type { Parts } from '../src/context.ts'
import { openParts } from '../src/start/parts.ts'
import { newTenant, ok, password, platformAdmin, unique, type Tenant } from './factories.ts'
import { clock, parts, startApp, type Running } from './harness.ts'
import { onPostgres } from './test-database.ts'

let relay: Relay
let near: Parts
let at: Running

const writes: [path: string, body: () => object][] = [
  ['/users', () => ({ email: `${unique('t')}@example.com`, username: unique('t'), password })],
  ['/invitations', () => ({ email: `${unique('t')}@example.com` })],
  ['/service-accounts', () => ({ name: unique() })],
  ['/rbac/roles', () => ({ name: unique() })],
  ['/webhooks', () => ({ url: 'http://127.0.0.1:9/hook', events: ['user.create'] })],
]

const names = ['users', 'pending_invitations', 'service_accounts', 'roles', 'webhooks']

const limitAll = async ({ id }: Tenant, limit: number): Promise<void> => {
  const value = Object.fromEntries(names.map((name) => [name, limit]))
  const root = await platformAdmin()
  ok(await root.put('/settings/tenant/tenantry.limits', { value }, { tenant: id, at }))
}

/** The round trips of the second of two equal writes, because the first one opens connections. */
const tripsOf = async ({ admin }: Tenant, path: string, body: () => object): Promise<number> => {
  ok(await admin.post(path, body(), { at }))
  const before = relay.count()
  ok(await admin.post(path, body(), { at }))
  return relay.count() - before
}

const tripsOfAll = async (tenant: Tenant): Promise<Record<string, number>> => {
  const trips: Record<string, number> = {}
  for (const [path, body] of writes) trips[path] = await tripsOf(tenant, path, body)
  return trips
}

describe.runIf(onPostgres)('a write of a limited number', () => {
  beforeAll(async () => {
    relay = await startRelay(parts.config.databaseUrl ?? '')
    near = await openParts({ ...parts.config, databaseUrl: relay.url }, parts.log, clock.now)
    at = await startApp({}, undefined, near)
  })
  afterAll(async () => {
    await at.app.close()
    await near.cache.close()
    await near.store.close()
    relay.stop()
  })

  test('costs the same round trips without a limit, and far from one', async () => {
    const tenant = await newTenant()
    const trips = await tripsOfAll(tenant)
    await limitAll(tenant, 100)
    expect(await tripsOfAll(tenant)).toEqual(trips)
  })

  test('counts again near its limit', async () => {
    const tenant = await newTenant()
    const [path, body] = writes[0] ?? ['', () => ({})]
    const trips = await tripsOf(tenant, path, body)
    await limitAll(tenant, 5)
    expect(await tripsOf(tenant, path, body)).toBeGreaterThan(trips)
  })
})
