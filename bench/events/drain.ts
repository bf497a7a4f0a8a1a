/** How fast a backlog of deliveries is sent, and at what cost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startServer, type Server } from '../contender.ts'
import { spentBy, spentOn, type Spent } from '../postgres.ts'
import { cpuSeconds, isInterrupted } from '../process.ts'

/** One drained backlog; the costs are those of one delivery. */
export interface Drained {
  perSecond: number
  /** Of the sending process. */
  cpuMicros: number
  postgres: Spent
}

export interface Arrivals {
  count: number
  firstAt: number
  lastAt: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

export interface Receiver extends Server {
  count: () => Promise<number>
  figures: () => Promise<Arrivals>
  reset: () => Promise<void>
  /** Resolves when so many deliveries have come. Throws when none comes for a while. */
  until: (count: number) => Promise<void>
}

const patienceMs = 60_000
const stepMs = 100

export const startReceiver = async (): Promise<Receiver> => {
  const file = fileURLToPath(new URL('receiver.ts', import.meta.url))
  const server = await startServer(
    (port) => ({ program: process.execPath, args: [file], env: { PORT: String(port) } }),
    '/healthz',
  )
  const ask = async (path: string) => (await fetch(`${server.url}${path}`)).text()
  const count = async () => Number(await ask('/count'))
  return {
    ...server,
    count,
    figures: async () => JSON.parse(await ask('/figures')) as Arrivals,
    reset: async () => void (await ask('/reset')),
    async until(wanted) {
      let [last, since] = [0, performance.now()]
      for (let now = await count(); now < wanted; now = await count()) {
        if (now > last) [last, since] = [now, performance.now()]
        if (isInterrupted() || performance.now() - since > patienceMs) {
          throw new Error(`only ${now} of ${wanted} deliveries came`)
        }
        await sleep(stepMs)
      }
    },
  }
}

/** PostgreSQL's sessions report what they wrote a second late, and idle ones at their end. */
const statisticsMs = 1500

export interface Sender {
  name: string
  pid: number
  databaseUrl: string
  /** Makes this many deliveries wait. */
  fill: (deliveries: number) => Promise<void>
  begin: () => Promise<void>
  end: () => Promise<void>
}

/** Drains a backlog. The time counts from the first delivery to the last one. */
export const drain = async (sender: Sender, receiver: Receiver, deliveries: number): Promise<Drained> => {
  await sender.fill(deliveries)
  await receiver.reset()
  await sleep(statisticsMs)
  const [cpu, before] = [cpuSeconds(sender.pid), await spentBy(sender.databaseUrl)]
  await sender.begin()
  await receiver.until(deliveries)
  const { count, firstAt, lastAt } = await receiver.figures()
  const cpuAfter = cpuSeconds(sender.pid)
  await sender.end()
  await sleep(statisticsMs)
  const after = await spentBy(sender.databaseUrl)
  return {
    perSecond: (count - 1) / ((lastAt - firstAt) / 1000),
    cpuMicros: ((cpuAfter - cpu) / count) * 1e6,
    postgres: spentOn(before, after, count),
  }
}
