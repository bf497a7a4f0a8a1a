/** Two replicas as two processes: a flag that changes at one is evaluated so by the other. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtInTenant, permissions } from '../src/access/permissions.ts'
import { request } from '../../lab/client.ts'
import type { Replica } from '../../lab/replica.ts'
import { newFlag } from './endpoints.ts'
import { ask, createStores, endAll, start, type Stores } from './programs.ts'
import { data } from './replies.ts'

const isOnServices = process.env['DATABASE_URL'] !== undefined && process.env['REDIS_URL'] !== undefined
const email = 'root@example.com'
const password = 'correct horse battery'

let stores: Stores
let one: Replica
let other: Replica
/** Shares only the database. */
let third: Replica
let root: { token: string; tenant: string }
let key: string

const evaluateAt = async (replica: Replica, context: object = {}) => {
  const { status, body } = await request(replica.url, 'POST', '/ofrep/v1/evaluate/flags/shared', {
    token: key,
    body: { context },
  })
  return [status, body.value]
}

/** A message takes some 20 ms; without one a replica reads anew after 1.5 s. */
const within = { second: 1000, bound: 2000 }

const changedWithin = (timeout: number, replica: Replica, expected: unknown[], context?: object) =>
  vi.waitFor(async () => expect(await evaluateAt(replica, context)).toEqual(expected), {
    timeout,
    interval: 20,
  })

describe.runIf(isOnServices)('two replicas', () => {
  beforeAll(async () => {
    stores = await createStores()
    const env = { ...stores.env, TENANTRY_ADMIN_EMAIL: email, TENANTRY_ADMIN_PASSWORD: password }
    const alone = { ...env, REDIS_URL: '' }
    ;[one, other] = await Promise.all([start(env), start(env)])
    const pair = data(await ask(one, 'POST /auth/login', { body: { email, password } }))
    root = { token: pair.access_token, tenant: builtInTenant.id }
    const account = data(await ask(one, 'POST /service-accounts', { ...root, body: { name: 'product' } }))
    const role = data(await ask(one, 'POST /rbac/roles', { ...root, body: { name: 'evaluator' } }))
    const ids = permissions.filter(({ code }) => code === 'flag:evaluate').map(({ id }) => id)
    const body = { permission_ids: ids }
    data(await ask(one, `PUT /rbac/roles/${role.id}/permissions`, { ...root, body }))
    data(await ask(one, `POST /rbac/users/${account.id}/roles`, { ...root, body: { role_id: role.id } }))
    const made = await ask(one, `POST /service-accounts/${account.id}/keys`, { ...root, body: { name: 'k' } })
    key = data(made).secret
    data(await ask(one, 'POST /flags', { ...root, body: newFlag('shared') }))
    third = await start(alone)
  })

  afterAll(async () => {
    endAll()
    await stores?.remove()
  })

  test('each receives at once a flag and a tenant’s variant that the other changes', async () => {
    await changedWithin(within.second, other, [200, false])
    data(await ask(one, 'PUT /flags/shared', { ...root, body: { default_variant: 'on' } }))
    expect(await evaluateAt(one)).toEqual([200, true])
    await changedWithin(within.second, other, [200, true])
    const path = `/flags/shared/tenants/${builtInTenant.id}`
    data(await ask(other, `PUT ${path}`, { ...root, body: { variant: 'off' } }))
    await changedWithin(within.second, one, [200, false], { tenant_id: builtInTenant.id })
  })

  test('a replica without Redis sees a change within two seconds', async () => {
    const before = data(await ask(one, 'PUT /flags/shared', { ...root, body: { default_variant: 'off' } }))
    await changedWithin(within.bound, third, [200, false])
    data(await ask(one, 'PUT /flags/shared', { ...root, body: { default_variant: 'on' } }))
    await changedWithin(within.bound, third, [200, true])
    data(await ask(one, 'DELETE /flags/shared', root))
    await changedWithin(within.bound, third, [404, undefined])
    expect(before.version).toBeGreaterThan(1)
  })
})
