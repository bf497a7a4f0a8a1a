/** The primary process of several workers: starts and minds them, and holds no store itself. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import { Refusal } from './refusal.ts'
import type { Server } from './serve.ts'
import type { FromWorker, ToWorker } from './worker.ts'

/** A worker that ends sooner than this after its start was of no use: the next one has to wait. */
const earlyMs = 10_000
/** After so many of them in a row, and with nobody left who serves, another one would be of no use either. */
const earlyMax = 5
/** Doubled with each that ends early. */
const pauseMs = 250
const pauseMaxMs = 30_000
/** More than a worker takes to stop: 9 seconds for its requests, 5 for its stores. */
const stopMs = 15_000

const pauseAfter = (early: number): number =>
  early === 0 ? 0 : Math.min(pauseMs * 2 ** (early - 1), pauseMaxMs)

const send = (worker: Worker, message: ToWorker): void => {
  // A worker that is gone meanwhile needs no message.
  if (worker.isConnected()) worker.send(message, () => {})
}

const stopWorker = async (worker: Worker): Promise<void> => {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  const kill = setTimeout(() => worker.process.kill('SIGKILL'), stopMs)
  send(worker, { kind: 'stop' })
  await ended
  clearTimeout(kill)
}

/** Any worker can be asked for the metrics; it asks here for those of all. */
const answerMetrics = (): void => {
  const all = new AggregatorRegistry()
  cluster.on('message', (worker, { kind, ...asked }: FromWorker) => {
    if (kind !== 'metrics' || !('request' in asked)) return
    const answer = (text: string | undefined) =>
      send(worker, { kind: 'metrics', request: asked.request, text })
    all.clusterMetrics().then(answer, () => answer(undefined))
  })
}

/** Resolves with its URL when the worker accepts requests, and throws when it ends before. */
const readiness = (worker: Worker): Promise<string> =>
  new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') resolve(message.url)
    })
    // With an exit code of its own it has said why.
    worker.once('exit', (_code, signal) =>
      reject(new Refusal(signal ? [`a worker was ended by ${signal} before it was ready`] : [])),
    )
  })

/**
 * Node forgets the connection that it was handing to a worker when that one died: nobody would ever answer or close it.
 * It is one at most, since the next one waits until a worker has taken it.
 */
const closeWhatIsHandedOver = (worker: Worker): void => {
  const child = worker.process
  const sendIt = child.send.bind(child) as (...args: unknown[]) => boolean
  let handle: { close?(): void } | undefined
  child.send = (message: unknown, given?: unknown, ...rest: unknown[]) => {
    handle = (given as typeof handle) ?? handle
    return sendIt(message, given, ...rest)
  }
  worker.once('exit', () => handle?.close?.())
}

interface Crew {
  /** Starts a worker. Resolves with its URL when it accepts requests, and throws when it ends before. */
  start(): Promise<string>
  stop(): Promise<void>
}

/** Workers, each of which is replaced when it ends; `giveUp` is called when that is of no use. */
const createCrew = (log: Logger, giveUp: (err: Error) => void): Crew => {
  const serving = new Set<Worker>()
  let early = 0
  let isStopping = false

  const replace = async (): Promise<void> => {
    if (isStopping) return
    if (early >= earlyMax && serving.size === 0) {
      giveUp(
        new Refusal([`${early} workers in a row ended soon after their start; nobody is left who serves`]),
      )
      return
    }
    await sleep(pauseAfter(early))
    if (isStopping) return
    await start().catch(() => {
      early += 1
      return replace()
    })
  }

  const mind = (worker: Worker, startedAt: number): void => {
    serving.add(worker)
    worker.once('exit', (code, signal) => {
      serving.delete(worker)
      if (isStopping) return
      early = performance.now() - startedAt < earlyMs ? early + 1 : 0
      log.error({ worker: worker.id, code, signal }, 'a worker ended; another one takes its place')
      void replace()
    })
  }

  const start = async (): Promise<string> => {
    const startedAt = performance.now()
    const worker = cluster.fork()
    closeWhatIsHandedOver(worker)
    const url = await readiness(worker)
    mind(worker, startedAt)
    return url
  }

  return {
    start,
    stop: async () => {
      isStopping = true
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      await Promise.all(workers.map(stopWorker))
    },
  }
}

/**
 * Starts the service in `count` processes that share its port, and resolves when all of them accept requests. Throws
 * when one of them ends before; calls `giveUp` when later nobody is left who serves, and new ones end as well.
 */
export const serveByWorkers = async (
  count: number,
  log: Logger,
  giveUp: (err: Error) => void,
): Promise<Server> => {
  answerMetrics()
  const crew = createCrew(log, giveUp)
  // One goes first: it migrates and makes the keys, and what keeps it from starting is said once.
  const url = await crew.start()
  await Promise.all(Array.from({ length: count - 1 }, () => crew.start()))
  return { url, stop: () => crew.stop() }
}
