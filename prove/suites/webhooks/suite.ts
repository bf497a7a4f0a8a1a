import { refuteNothing } from '../../attack.ts'
import { newTenant, ok } from '../../../lab/client.ts'
import type { Replica } from '../../../lab/replica.ts'
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'
import { addHook, happen, heard, onOwn, requireAll, rootOf, start, until, type Scene } from './scene.ts'
import { proveEndings, proveFairness } from './stubborn.ts'
import { proveTakeover } from './takeover.ts'

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
  requireAll(scene.receiver.arrivals, wanted)
  const again = heard(scene).length - wanted.length
  return `${rounds} times kill -9 in the middle of ${wanted.length} events: each came, in order, ${again} of them again under its id`
}

const proveFailures = async (scene: Scene): Promise<string> => {
  scene.receiver.failNext(1)
  const wanted = await happen(scene, 5)
  await until(() => wanted.every((id) => heard(scene).includes(id)))
  requireAll(scene.receiver.arrivals, wanted)
  // The last of them are stored half a second later.
  let rows: { attempts: number; status: string }[] = []
  for (const end = performance.now() + 10_000; rows.length < wanted.length && performance.now() < end;) {
    rows = ok(await scene.admin.call('GET', `/webhooks/${scene.hookId}/deliveries`)).items
  }
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
  await record('a receiver that does not end its answer keeps a webhook for 10 s at most', () =>
    onOwn(target, proveEndings),
  )
  await record('other tenants are served within 5 s, however many slow receivers there are', () =>
    onOwn(target, (scene) => proveFairness(scene, target.short ? 10 : 60)),
  )
  if (target.kind === 'embedded') return
  await record('another replica goes on within 10 s, for each hook in order, also without Redis', () =>
    onOwn(target, (scene) => proveTakeover(scene, target.short ? 2 : 25)),
  )
  await record('nothing is sent to an address inside', () => onOwn(target, proveAddresses))
}

export const webhooks: Suite = { name: 'webhooks', kinds: ['embedded', 'services'], prove }
