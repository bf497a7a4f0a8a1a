import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../../attack.ts'
import { ok, type Session } from '../../../lab/client.ts'
import { shownSizes, sizesOf, type Sizes } from './memory.ts'
import { readBreaches, readDuring, shownReadings } from './readers.ts'

const each = 300
const answerBytes = 3_900_000
/** The buffers of the system take one whole unread answer, and not a second one. */
const answers = 2
/**
 * docs/operations.md, "Limits": 10 s for the headers, 30 s for a whole request, and 20 to 40 s without reading. Node
 * checks every 5 s. The rest is slack.
 */
const bounds = { silent: 16_000, headers: 16_000, body: 36_000, deaf: 55_000 }
type Kind = keyof typeof bounds

/** A slow client, and the end of its connection. */
interface Slow {
  kind: Kind
  socket: Socket
  startedAt: number
  endedAt: number | undefined
  received: string
}

const openings: Record<Kind, (token: string) => string> = {
  silent: () => '',
  headers: () => 'GET /api/v1/profile HTTP/1.1\r\nhost: x\r\n',
  body: (token) =>
    `PUT /api/v1/settings/tenant/slow HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`,
  deaf: (token) =>
    `GET /api/v1/settings/tenant HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`.repeat(
      answers,
    ),
}

const dawdle = (kind: Kind, { base, token }: Session): Slow => {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  const slow: Slow = { kind, socket, startedAt: performance.now(), endedAt: undefined, received: '' }
  socket.on('error', () => {})
  socket.on('close', () => (slow.endedAt = performance.now()))
  socket.write(openings[kind](token))
  socket.on('data', (bytes: Buffer) => (slow.received += bytes.toString('latin1')))
  if (kind === 'deaf') socket.pause()
  return slow
}

/** Sends a byte every second: the client is never silent and never done. */
const drip = async (clients: Slow[], isOver: () => boolean): Promise<void> => {
  const dripping = clients.filter(({ kind }) => kind === 'headers' || kind === 'body')
  while (!isOver()) {
    for (const { socket } of dripping) if (socket.writable) socket.write('x')
    await sleep(1000)
  }
}

/** A client that does not read may have connected just now. */
const deafMs = 42_000

const awaitEnds = async (clients: Slow[]): Promise<void> => {
  const others = clients.filter(({ kind }) => kind !== 'deaf')
  const isDeafened = others.length < clients.length
  const until = performance.now() + (isDeafened ? deafMs : bounds.body)
  while (performance.now() < until && others.some(({ endedAt }) => endedAt === undefined)) await sleep(200)
  if (!isDeafened) return
  await sleep(Math.max(0, until - performance.now()))
  // A client detects the end only when it continues to read.
  for (const { kind, socket } of clients) if (kind === 'deaf') socket.resume()
  await sleep(1000)
}

const endBreaches = (clients: Slow[]): string[] => {
  const open = clients.filter(({ endedAt }) => endedAt === undefined)
  const late = clients.filter(({ kind, startedAt, endedAt }) => (endedAt ?? 0) - startedAt > bounds[kind])
  const others = clients.filter(({ kind }) => kind !== 'deaf')
  const served = others.filter(({ received }) => received !== '' && !/^HTTP\/1\.1 40[08] /.test(received))
  return [
    ...open.slice(0, 2).map(({ kind }) => `a client (${kind}) is still connected`),
    ...late.slice(0, 2).map(({ kind }) => `a client (${kind}) was disconnected too late`),
    ...served.slice(0, 2).map(({ kind, received }) => `a client (${kind}) got ${received.slice(0, 60)}`),
  ]
}

const slowest = (clients: Slow[], kind: Kind): string => {
  const took = clients
    .filter((one) => one.kind === kind)
    .map((one) => (one.endedAt ?? Infinity) - one.startedAt)
  return `${kind} ${took.length}× after ${(Math.max(...took) / 1000).toFixed(1)} s at most`
}

/** Creates a large answer, which the service has to hold for a client that does not read it. */
const fillSettings = async (root: Session): Promise<void> => {
  for (let n = 0; n < answerBytes / 60_000; n += 1) {
    ok(await root.call('PUT', `/settings/tenant/large.${n}`, { value: 'x'.repeat(60_000) }))
  }
}

const kinds: Kind[] = ['silent', 'headers', 'body']
/** The time during which other callers are measured. */
const readMs = 6000

/** A client that does not read makes the service hold its answer, and the memory of making it, for half a minute. */
const heldMiBMax = 400

const sizeBreaches = (before: Sizes, during: Sizes, after: Sizes): string[] => [
  ...(after.files > before.files + 20 ? [`${after.files - before.files} connections are still open`] : []),
  ...(during.residentMiB > before.residentMiB + heldMiBMax ? [`memory went to ${shownSizes(during)}`] : []),
]

/** Clients that do not read connect first: making their answers is work that must not delay the measured reads. */
const openClients = async (root: Session, deaf: number): Promise<Slow[]> => {
  const clients: Slow[] = []
  for (let n = 0; n < deaf; n += 1) {
    clients.push(dawdle('deaf', root))
    await sleep(300)
  }
  await sleep(1000)
  return [...clients, ...kinds.flatMap((kind) => Array.from({ length: each }, () => dawdle(kind, root)))]
}

/**
 * Clients that send nothing, or one byte a second, or do not read: other callers notice nothing, and the service closes
 * them. Calls `onMeasured` after other callers were measured; from then on the proof only waits.
 */
export const proveSlow = async (
  root: Session,
  { pid, deaf, onMeasured }: { pid: number; deaf: number; onMeasured: () => void },
): Promise<string> => {
  await fillSettings(root)
  const before = await sizesOf(pid)
  const clients = await openClients(root, deaf)
  let isOver = false
  const dripping = drip(clients, () => isOver)
  const [, readings] = await readDuring([root], () => sleep(readMs))
  const during = await sizesOf(pid)
  onMeasured()
  await awaitEnds(clients)
  isOver = true
  await dripping
  for (const { socket } of clients) socket.destroy()
  await sleep(500)
  const after = await sizesOf(pid)
  const cutOff = clients.filter(
    ({ kind, received }) => kind === 'deaf' && received.length < answers * answerBytes,
  ).length
  const breaches = [...endBreaches(clients), ...readBreaches(readings)]
  if (cutOff < deaf) breaches.push(`only ${cutOff} of ${deaf} deaf clients were cut off`)
  breaches.push(...sizeBreaches(before, during, after))
  refuteNothing(breaches)
  return (
    `${[...kinds, ...(deaf > 0 ? (['deaf'] as const) : [])].map((kind) => slowest(clients, kind)).join(', ')}; meanwhile ${shownReadings(readings)}; ` +
    `memory before ${shownSizes(before)}, during ${shownSizes(during)}, after ${shownSizes(after)}`
  )
}
