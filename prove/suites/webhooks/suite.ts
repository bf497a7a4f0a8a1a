import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../../attack.ts'
import { newTenant, ok, signIn, type Session } from '../../client.ts'
import { startReplica, type Replica } from '../../replica.ts'
import type { Prove, Suite } from '../../suite.ts'
import { ownStores, type Stores, type Target } from '../../target.ts'
import { startReceiver, type Receiver } from './receiver.ts'

/** An installation of the proof's own, a receiver, and a tenant with a hook. */
interface Scene {
  env: Record<string, string>
  started: Replica[]
  receiver: Receiver
  admin: Session
  hookId: number
}

const start = async ({ env, started }: Pick<Scene, 'env' | 'started'>): Promise<Replica> => {
  const replica = await startReplica(env)
  started.push(replica)
  return replica
}

/** Creates a hook of a tenant that has answered a test. */
const addHook = async (admin: Session, receiver: Receiver, path: string): Promise<number> => {
  const input = {
    url: `http://127.0.0.1:${receiver.port}${path}`,
    events: ['notification.create', 'role.create'],
  }
  const { id, secret } = ok(await admin.call('POST', '/webhooks', input))
  receiver.secrets.set(path, secret)
  const { status } = ok(await admin.call('POST', `/webhooks/${id}/test`))
  if (status !== 204) throw new Error(`the test of the hook was answered with ${status}`)
  return id
}

const rootOf = ({ url }: Replica, { env }: Pick<Scene, 'env'>): Promise<Session> =>
  signIn(url, env['TENANTRY_ADMIN_EMAIL'] ?? '', env['TENANTRY_ADMIN_PASSWORD'] ?? '')

const openScene = async (stores: Stores, started: Replica[], receiver: Receiver): Promise<Scene> => {
  const env = { ...stores.env, NODE_ENV: 'test', TENANTRY_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' }
  const root = await rootOf(await start({ env, started }), { env })
  const { admin } = await newTenant(root)
  return { env, started, receiver, admin, hookId: await addHook(admin, receiver, '/own') }
}

/** Runs a proof on an installation of its own, and removes it. */
const onOwn = async (target: Target, proof: (scene: Scene) => Promise<string>): Promise<string> => {
  const stores = await ownStores(target.kind)
  const started: Replica[] = []
  const receiver = await startReceiver(20)
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
const happen = async ({ admin }: Pick<Scene, 'admin'>, count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const note = { user_id: admin.userId, title: `event ${at}` }
    ids.push(`notification.create ${ok(await admin.call('POST', '/notifications', note)).id}`)
  }
  return ids
}

const heard = ({ receiver }: Scene): string[] =>
  receiver.arrivals.map(({ type, resourceId }) => `${type} ${resourceId}`)

/** As long as a busy machine needs. */
const patienceMs = 120_000

const until = async (isDone: () => boolean): Promise<void> => {
  const end = performance.now() + patienceMs
  while (!isDone() && performance.now() < end) await sleep(20)
}

/** Each event has come, the first time in the order of the changes, and under one id. */
const requireAll = (scene: Scene, wanted: string[]): void => {
  const came = heard(scene)
  const missing = wanted.filter((id) => !came.includes(id))
  const firsts = came.filter((id, at) => came.indexOf(id) === at && wanted.includes(id))
  const names = new Set(
    scene.receiver.arrivals.map(({ id, type, resourceId }) => `${id} ${type} ${resourceId}`),
  )
  refuteNothing([
    ...missing.map((id) => `${id} was never delivered`),
    ...(missing.length === 0 && firsts.join() !== wanted.join() ? ['the events came out of order'] : []),
    ...(names.size > new Set(came).size ? ['an event came under two ids'] : []),
  ])
}

const proveKills = async (scene: Scene, rounds: number): Promise<string> => {
  const wanted: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    wanted.push(...(await happen(scene, 30)))
    const before = scene.receiver.arrivals.length
    await until(() => scene.receiver.arrivals.length > before + 3)
    const [last] = scene.started.slice(-1)
    last?.signal('SIGKILL')
    await last?.exited
    const next = await start(scene)
    scene.admin = scene.admin.at(next.url)
  }
  await until(() => wanted.every((id) => heard(scene).includes(id)))
  requireAll(scene, wanted)
  const again = heard(scene).length - wanted.length
  return `${rounds} times kill -9 in the middle of ${wanted.length} events: each came, in order, ${again} of them again under its id`
}

const proveFailures = async (scene: Scene): Promise<string> => {
  scene.receiver.failNext(1)
  const wanted = await happen(scene, 5)
  await until(() => wanted.every((id) => heard(scene).includes(id)))
  requireAll(scene, wanted)
  const rows: { attempts: number; status: string }[] = ok(
    await scene.admin.call('GET', `/webhooks/${scene.hookId}/deliveries`),
  ).items
  const attempts = rows.map((row) => row.attempts).toSorted((a, b) => b - a)
  refuteNothing(attempts.join() === '2,1,1,1,1' ? [] : [`the attempts are ${attempts.join()}`])
  return 'an answer of 500 held up the four events behind it, and all five came in order'
}

const proveContents = async (scene: Scene): Promise<string> => {
  const root = await rootOf(scene.started[0] as Replica, scene)
  const other = await newTenant(root)
  await addHook(other.admin, scene.receiver, '/other')
  const theirs = await happen(other, 3)
  const role = ok(await scene.admin.call('POST', '/rbac/roles', { name: 'Editors' }))
  const wanted = [`role.create ${role.id}`, ...(await happen(scene, 3))]
  await until(() => [...wanted, ...theirs].every((id) => heard(scene).includes(id)))
  const breaches: string[] = []
  for (const { tenant, record, isSigned, type } of scene.receiver.arrivals) {
    const { id } = record as { id: number }
    const log = ok(await root.call('GET', `/audit/logs/${id}`, undefined, { tenant }))
    if (JSON.stringify(log) !== JSON.stringify(record)) {
      breaches.push(`record ${id} was delivered with other contents`)
    }
    if (!isSigned) breaches.push(`record ${id} is not signed by the secret of its own hook`)
    if (!/^(?:notification\.create|role\.)/.test(type)) breaches.push(`${type} was delivered unasked`)
  }
  if (scene.receiver.arrivals.length !== wanted.length + theirs.length) {
    breaches.push('an event came twice, or not at all')
  }
  refuteNothing(breaches)
  return `${scene.receiver.arrivals.length} events of two tenants: each is the audit record, signed by the secret of its own tenant's hook`
}

const insides = [
  '10.0.0.1',
  '[::ffff:10.0.0.1]',
  '169.254.169.254',
  '127.0.0.2',
  '2130706434',
  '[::1]',
  'localhost',
]

const proveAddresses = async ({ admin, hookId, receiver }: Scene): Promise<string> => {
  const breaches: string[] = []
  for (const host of insides) {
    ok(await admin.call('PUT', `/webhooks/${hookId}`, { url: `http://${host}:${receiver.port}/own` }))
    const { error } = ok(await admin.call('POST', `/webhooks/${hookId}/test`))
    if (error !== 'the host has an address that is not public') {
      breaches.push(`${host}: ${error || 'it was reached'}`)
    }
  }
  refuteNothing(breaches)
  return `${insides.length} addresses inside, written in several ways: none is connected to`
}

const prove = async (target: Target, record: Prove): Promise<void> => {
  await record('an event is the audit record, signed, and of the own tenant', () =>
    onOwn(target, proveContents),
  )
  await record('a failed delivery is repeated, and those behind it wait', () => onOwn(target, proveFailures))
  await record('kill -9 in the middle of deliveries loses no event, and keeps their order', () =>
    onOwn(target, (scene) => proveKills(scene, target.short ? 2 : 10)),
  )
  if (target.kind === 'embedded') return
  await record('nothing is sent to an address inside', () => onOwn(target, proveAddresses))
}

export const webhooks: Suite = { name: 'webhooks', kinds: ['embedded', 'services'], prove }
