import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../../attack.ts'
import { newTenant, ok, signIn, type Session } from '../../../lab/client.ts'
import { startReplica, type Replica } from '../../../lab/replica.ts'
import { ownStores, type Stores, type Target } from '../../target.ts'
import { collectArrivals, type Arrival, type Collected } from './arrivals.ts'

/** An installation of the proof's own, a receiver, and a tenant with a hook. */
export interface Scene {
  env: Record<string, string>
  started: Replica[]
  receiver: Collected
  admin: Session
  hookId: number
}

export const start = async (
  { env, started }: Pick<Scene, 'env' | 'started'>,
  others: Record<string, string> = {},
): Promise<Replica> => {
  const replica = await startReplica({ ...env, ...others })
  started.push(replica)
  return replica
}

/** Creates a hook that has answered a test. */
export const addHook = async (
  admin: Session,
  receiver: Collected,
  path: string,
  fields: { all_tenants?: boolean } = {},
): Promise<number> => {
  const input = {
    url: `http://127.0.0.1:${receiver.port}${path}`,
    events: ['notification.create', 'role.create'],
    ...fields,
  }
  const { id, secret } = ok(await admin.call('POST', '/webhooks', input))
  receiver.secrets.set(path, secret)
  const { status } = ok(await admin.call('POST', `/webhooks/${id}/test`))
  if (status !== 204) throw new Error(`the test of the hook was answered with ${status}`)
  return id
}

export const rootOf = ({ url }: Replica, { env }: Pick<Scene, 'env'>): Promise<Session> =>
  signIn(url, env['TENANTRY_ADMIN_EMAIL'] ?? '', env['TENANTRY_ADMIN_PASSWORD'] ?? '')

const openScene = async (stores: Stores, started: Replica[], receiver: Collected): Promise<Scene> => {
  const env = { ...stores.env, NODE_ENV: 'test', TENANTRY_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' }
  const root = await rootOf(await start({ env, started }), { env })
  const { admin } = await newTenant(root)
  return { env, started, receiver, admin, hookId: await addHook(admin, receiver, '/own') }
}

/** Runs a proof on an installation of its own, and removes it. */
export const onOwn = async (target: Target, proof: (scene: Scene) => Promise<string>): Promise<string> => {
  const stores = await ownStores(target.kind)
  const started: Replica[] = []
  const receiver = await collectArrivals(20)
  try {
    return await proof(await openScene(stores, started, receiver))
  } finally {
    for (const replica of started) replica.signal('SIGKILL')
    await Promise.all(started.map(({ exited }) => exited))
    await receiver.stop()
    await stores.remove()
  }
}

/** Leaves records: their actions and the ids of the notifications, in order. */
export const happen = async ({ admin }: Pick<Scene, 'admin'>, count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const note = { user_id: admin.userId, title: `event ${at}` }
    ids.push(`notification.create ${ok(await admin.call('POST', '/notifications', note)).id}`)
  }
  return ids
}

const nameOf = ({ type, resourceId }: Arrival): string => `${type} ${resourceId}`

export const heard = ({ receiver }: Pick<Scene, 'receiver'>): string[] => receiver.arrivals.map(nameOf)

/** As long as a busy machine needs. */
const patienceMs = 120_000

export const until = async (isDone: () => boolean): Promise<void> => {
  const end = performance.now() + patienceMs
  while (!isDone() && performance.now() < end) await sleep(20)
}

/** Each event has come, the first time in the order of the changes, and under one id. */
export const requireAll = (arrivals: Arrival[], wanted: string[]): void => {
  const came = arrivals.map(nameOf)
  const known = new Set(came)
  const missing = wanted.filter((id) => !known.has(id))
  const isWanted = new Set(wanted)
  const firsts = [...known].filter((id) => isWanted.has(id))
  const names = new Set(arrivals.map((one) => `${one.id} ${nameOf(one)}`))
  refuteNothing([
    ...missing.map((id) => `${id} was never delivered`),
    ...(missing.length === 0 && firsts.join() !== wanted.join() ? ['the events came out of order'] : []),
    ...(names.size > known.size ? ['an event came under two ids'] : []),
  ])
}
