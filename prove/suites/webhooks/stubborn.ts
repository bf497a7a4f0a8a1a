/** Receivers that hold on to what sends to them: each keeps only itself waiting. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../../attack.ts'
import { newTenant, ok, type Session } from '../../../lab/client.ts'
import { spread } from '../../figures.ts'
import type { Replica } from '../../../lab/replica.ts'
import { happen, rootOf, until, type Scene } from './scene.ts'

type Play = (socket: Socket) => void

const taken = 'HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'
const head = 'HTTP/1.1 200 OK\r\n'

const dripping =
  (begin: string, drop: string): Play =>
  (socket) => {
    socket.write(begin)
    const timer = setInterval(() => socket.write(drop), 500)
    socket.once('close', () => clearInterval(timer))
  }

/** Ways in which a receiver does not answer. */
const plays: Record<string, Play> = {
  'switching protocols': (socket) =>
    void socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  'interim answers': dripping('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  silence: () => undefined,
  'dripping headers': dripping(head, 'x: 1\r\n'),
  'a dripping body': dripping(`${head}content-length: 1000\r\n\r\n`, 'x'),
  'a dripping body without length': dripping(`${head}\r\n`, 'x'),
  'half of a body': (socket) => void socket.write(`${head}content-length: 2\r\n\r\nx`),
  'an early end': (socket) => void socket.end(head),
  'a reset': (socket) => void socket.resetAndDestroy(),
  garbage: (socket) => void socket.write('garbage\r\n\r\n'),
}

/** Accepts tests until `harden` is called, and answers everything else in its own way. */
const openStubborn = async (play: Play) => {
  const sockets = new Set<Socket>()
  let isHard = false
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    let text = ''
    socket.on('data', (data: Buffer) => {
      if (text.includes('\r\n\r\n{')) return
      text += data.toString()
      if (!text.includes('\r\n\r\n{')) return
      if (isHard) play(socket)
      else socket.end(taken)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    harden: () => {
      isHard = true
    },
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const hookAt = async (admin: Session, url: string): Promise<number> => {
  const { id } = ok(await admin.call('POST', '/webhooks', { url, events: ['notification.create'] }))
  ok(await admin.call('POST', `/webhooks/${id}/test`))
  return id
}

interface Tried {
  name: string
  id: number
}

const hasFailed = async (admin: Session, { id }: Tried): Promise<boolean> => {
  const [row] = ok(await admin.call('GET', `/webhooks/${id}/deliveries`)).items
  return row?.attempts > 0 && row.error !== ''
}

/** Waits until a failure of every hook is recorded, for at most a minute. Resolves with the hooks without one. */
const unnotedOf = async (admin: Session, hooks: Tried[]): Promise<Tried[]> => {
  let waiting = hooks
  for (const end = performance.now() + 60_000; waiting.length > 0 && performance.now() < end;) {
    const failed = await Promise.all(waiting.map((hook) => hasFailed(admin, hook)))
    waiting = waiting.filter((_, at) => !failed[at])
    await sleep(200)
  }
  return waiting
}

/** Whether a test is answered within a minute, and has failed. */
const isTestAnswered = async (admin: Session, { id }: Tried): Promise<boolean> => {
  const asking = admin.call('POST', `/webhooks/${id}/test`)
  const answer = await Promise.race([asking.catch(() => undefined), sleep(60_000, undefined, { ref: false })])
  return answer !== undefined && ok(answer).error !== ''
}

const tryAll = async (admin: Session, hooks: Tried[]): Promise<string> => {
  const startedAt = performance.now()
  await happen({ admin }, 1)
  const unnoted = await unnotedOf(admin, hooks)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const answered = await Promise.all(hooks.map((hook) => isTestAnswered(admin, hook)))
  const silent = hooks.filter((_, at) => !answered[at])
  refuteNothing([
    ...unnoted.map(({ name }) => `${name}: the attempt is never noted`),
    ...silent.map(({ name }) => `${name}: a test has no answer, or a good one`),
  ])
  return `${hooks.length} ways to end an exchange or not: each was noted as failed, all within ${seconds} s, and tests were answered`
}

/** Each way to end an exchange, or not to end it, is a failed attempt: it is noted, and a test is answered. */
export const proveEndings = async ({ admin }: Scene): Promise<string> => {
  const receivers = await Promise.all(
    Object.entries(plays).map(async ([name, play]) => ({ name, ...(await openStubborn(play)) })),
  )
  try {
    const hooks: Tried[] = []
    for (const { name, url } of receivers) hooks.push({ name, id: await hookAt(admin, url) })
    for (const { harden } of receivers) harden()
    return await tryAll(admin, hooks)
  } finally {
    for (const { stop } of receivers) stop()
  }
}

/** More hooks than a replica has places. */
const slowTenants = 12
const hooksOfTenant = 20
const slowMs = 9000
const servedMsMax = 5000

const proveServed = async (scene: Scene, rounds: number): Promise<string> => {
  const delays: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = scene.receiver.arrivals.length
    await happen(scene, 1)
    const committedAt = performance.now()
    await until(() => scene.receiver.arrivals.length > before)
    delays.push(performance.now() - committedAt)
    await sleep(1000)
  }
  const late = delays.filter((ms) => ms > servedMsMax)
  refuteNothing(late.map((ms) => `a tenant with a quick receiver was served after ${Math.round(ms)} ms`))
  return `${slowTenants * hooksOfTenant} hooks of ${slowTenants} tenants wait ${slowMs / 1000} s for each answer; another tenant was served after: ${spread(delays)}`
}

/** Many hooks with slow receivers hold up no tenant whose receiver is quick. */
export const proveFairness = async (scene: Scene, rounds: number): Promise<string> => {
  const slow = await openStubborn((socket) => {
    setTimeout(() => socket.end(taken), slowMs)
  })
  try {
    const root = await rootOf(scene.started[0] as Replica, scene)
    const admins: Session[] = []
    for (let count = 0; count < slowTenants; count += 1) {
      const { admin } = await newTenant(root)
      admins.push(admin)
      for (let hook = 0; hook < hooksOfTenant; hook += 1) await hookAt(admin, slow.url)
    }
    slow.harden()
    for (const admin of admins) await happen({ admin }, 5)
    return await proveServed(scene, rounds)
  } finally {
    slow.stop()
  }
}
