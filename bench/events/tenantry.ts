/** Tenantry with webhooks of several tenants. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Server } from '../contender.ts'
import { email } from '../operations.ts'
import { progress } from '../progress.ts'
import { countUnsealed, insertRecords } from '../scale/rows.ts'
import {
  adminEnv,
  asCaller,
  createTenant,
  post,
  put,
  rootEmail,
  startTenantry,
  type Caller,
} from '../service.ts'
import type { Stores } from '../stores.ts'
import type { Receiver, Sender } from './drain.ts'

/** A tenant gets at most 100 deliveries a second: the tenants together may get four times the target. */
export const tenantsCount = 20
export const hooksOfTenant = 2

/** The seeded records and the changes of the bench, but not those of webhooks. */
const events = ['auth.*', 'user.*', 'role.*', 'setting.*', 'notification.*']

export interface Hooked {
  caller: Caller
  tenantId: string
  userId: number
  hooks: number[]
}

export interface Scene {
  server: Server
  databaseUrl: string
  client: pg.Client
  tenants: Hooked[]
  stop: () => Promise<void>
}

const openTenant = async (root: Caller, receiver: Receiver, number: number): Promise<Hooked> => {
  const name = `hooks-${number}`
  const { id: tenantId, callerId: userId } = await createTenant(root, name, name)
  const caller = await asCaller(root.url, email(name), tenantId)
  const hooks: number[] = []
  for (let hook = 0; hook < hooksOfTenant; hook += 1) {
    const { id }: { id: number } = await post(caller, '/webhooks', {
      url: `${receiver.url}/${tenantId}/${hook}`,
      events,
    })
    await post(caller, `/webhooks/${id}/test`, {})
    await put(caller, `/webhooks/${id}`, { status: 0 })
    hooks.push(id)
  }
  return { caller, tenantId, userId, hooks }
}

/** Starts the service with disabled hooks, which keep their place. */
export const openScene = async (stores: Stores, receiver: Receiver): Promise<Scene> => {
  const databaseUrl = await stores.createDatabase('events')
  const server = await startTenantry({
    DATABASE_URL: databaseUrl,
    REDIS_URL: stores.redisUrl,
    TENANTRY_BCRYPT_COST: '4',
    TENANTRY_SECRET_KEY: Buffer.alloc(32, 'bench').toString('base64'),
    TENANTRY_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
    ...adminEnv,
  })
  const client = new pg.Client({ connectionString: databaseUrl })
  const stop = async () => {
    await client.end()
    await server.stop()
  }
  const tenants: Hooked[] = []
  try {
    await client.connect()
    const root = await asCaller(server.url, rootEmail)
    for (let number = 0; number < tenantsCount; number += 1) {
      progress(`creating tenant ${number + 1} of ${tenantsCount}`)
      tenants.push(await openTenant(root, receiver, number))
    }
  } catch (err) {
    await stop()
    throw err
  }
  return { server, databaseUrl, client, tenants, stop }
}

/** Enables or disables the first hooks of each tenant. */
export const setHooks = async ({ tenants }: Scene, perTenant: number, status: 0 | 1): Promise<void> => {
  await Promise.all(
    tenants.flatMap(({ caller, hooks }) =>
      hooks.slice(0, perTenant).map((id) => put(caller, `/webhooks/${id}`, { status })),
    ),
  )
}

/** Writes records in all tenants alike, and waits until they are sealed. */
export const fillRecords = async ({ client, tenants }: Scene, count: number): Promise<void> => {
  for (const { tenantId, userId } of tenants) {
    await insertRecords(client, { tenantId, userId, count: Math.ceil(count / tenants.length) })
  }
  while ((await countUnsealed(client)) > 0) await sleep(500)
}

/** Delivers by this many hooks of each tenant. */
export const senderOf = (scene: Scene, perTenant: number): Sender => ({
  name: 'Tenantry',
  pid: scene.server.pid,
  databaseUrl: scene.databaseUrl,
  fill: (deliveries) => fillRecords(scene, deliveries / perTenant),
  begin: () => setHooks(scene, perTenant, 1),
  end: () => setHooks(scene, perTenant, 0),
})
