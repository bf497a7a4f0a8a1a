/** Webhooks in tests: receivers that stop with the test, hooks of them, and events. */
import sql from 'sql-template-tag'
import { afterEach, expect } from 'vitest'
import { createDeliverer } from '../src/features/delivery/webhooks/delivery.service.ts'
import { systemCtx } from '../src/start/parts.ts'
import { asOwner, sealRecords } from './audit-chain.ts'
import { ok, type Caller, type Tenant } from './factories.ts'
import { parts } from './harness.ts'
import { startReceiver, type Behaviour, type Receiver } from '../../lab/receiver.ts'

const receivers: Receiver[] = []
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()))
})

/** Starts a receiver, which stops after the test. */
export const openReceiver = async (behaviour?: Behaviour): Promise<Receiver> => {
  const receiver = await startReceiver(behaviour)
  receivers.push(receiver)
  return receiver
}

/** The replica of the test. */
export const deliverer = createDeliverer(systemCtx(parts, 'test'))

/** Seals the tenant's records, and delivers until nothing is due. */
export const deliver = async ({ id }: { id: string }): Promise<void> => {
  await sealRecords(id)
  await deliverer.round()
  await deliverer.settle()
}

export interface Hook {
  id: number
  secret: string
}

/** A hook whose URL has answered a test. */
export const hookOf = async (
  caller: Caller,
  url: string,
  fields: { events: string[]; all_tenants?: boolean } = { events: ['notification.*'] },
): Promise<Hook> => {
  const hook = ok(await caller.post('/webhooks', { url, ...fields }))
  const outcome = ok(await caller.post(`/webhooks/${hook.id}/test`))
  expect(outcome.status).toBe(204)
  return hook
}

/** Makes a hook of a tenant, with a delivery and a lease: a row in every table of webhooks. */
export const insertHookRows = async ({
  id: tenantId,
  admin,
}: Pick<Tenant, 'id' | 'admin'>): Promise<number> => {
  const { id } = ok(await admin.post('/webhooks', { url: 'https://example.com/', events: ['user.*'] }))
  const db = parts.store.scoped({ tenantId })
  await db.run(sql`
    insert into webhook_deliveries (tenant_id, webhook_id, event_id, event, status, attempts, created_at)
    values (${tenantId}, ${id}, 1, 'user.create', 'delivered', 1, now())`)
  await db.run(sql`
    insert into webhook_leases (tenant_id, replica_id, ends_at) values (${tenantId}, gen_random_uuid(), now())
    on conflict do nothing`)
  return id
}

/** A delivery of an audit record. */
export const insertDelivery = async (
  { id: tenantId }: Pick<Tenant, 'id'>,
  { id }: Pick<Hook, 'id'>,
  recordId: number,
): Promise<number> => {
  const added = await parts.store.scoped({ tenantId }).one<{ id: number }>(sql`
    insert into webhook_deliveries (tenant_id, webhook_id, event_id, event, status, attempts, created_at)
    values (${tenantId}, ${id}, ${recordId}, 'user.create', 'delivered', 1, now()) returning id`)
  return added?.id ?? 0
}

/** Seals the records of a hook's tenant, and lets the hook send as after a test. */
export const makeReady = async (
  { id: tenantId }: Pick<Tenant, 'id'>,
  { id }: Pick<Hook, 'id'>,
): Promise<void> => {
  await sealRecords(tenantId)
  await asOwner(sql`update webhooks set verified_at = now() where tenant_id = ${tenantId} and id = ${id}`)
}

/** Leaves a record for each title: the ids of the notifications. */
export const happen = async (tenant: Pick<Tenant, 'admin'>, ...titles: string[]): Promise<number[]> => {
  const ids: number[] = []
  for (const title of titles) {
    ids.push(ok(await tenant.admin.post('/notifications', { user_id: tenant.admin.userId, title })).id)
  }
  return ids
}

/** Changes the record of a notification behind the service, which breaks the chain once it is sealed. */
export const alterRecord = async (
  { id: tenantId }: Pick<Tenant, 'id'>,
  notification: number,
): Promise<void> => {
  await sealRecords(tenantId)
  await asOwner(sql`
    update audit_logs set detail = '{}'
    where tenant_id = ${tenantId} and resource_id = ${String(notification)} and action = 'notification.create'`)
}

/** Takes the secrets of a hook away, as the loss of their key does. */
export const loseSecrets = ({ id: tenantId }: Pick<Tenant, 'id'>, hook: Pick<Hook, 'id'>): Promise<void> =>
  asOwner(sql`delete from webhook_secrets where webhook_tenant_id = ${tenantId} and webhook_id = ${hook.id}`)

/** The ids of the notifications that a receiver has heard of. */
export const heardBy = (receiver: Receiver): number[] =>
  receiver.events().map(({ event }) => Number(event.data.resource_id))

export const hookNow = async (caller: Caller, { id }: Pick<Hook, 'id'>) =>
  ok(await caller.get(`/webhooks/${id}`))

interface DeliveryShown {
  event_id: number
  event: string
  status: string
  attempts: number
  error: string
  response_status: number
  next_attempt_at: string
}

export const deliveriesOf = async (caller: Caller, { id }: Pick<Hook, 'id'>, query = '') =>
  ok(await caller.get(`/webhooks/${id}/deliveries?page_size=200${query}`)).items as DeliveryShown[]
