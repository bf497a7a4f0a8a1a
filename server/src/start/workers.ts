/** The primary process of several workers: it starts and replaces them, and opens no store. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import { Refusal } from '../errors/refusal.ts'
import type { Server } from './serve.ts'
import type { FromWorker, StopSignal, ToWorker } from '../worker.ts'

/** A worker that ends within this time after its start has failed. Its replacement starts after a pause. */
const earlyMs = 10_000
/** After this number of failures in a row, and if no worker serves, the service ends. */
const earlyMax = 5
/** The first pause before a replacement. Each further failure doubles it. */
const pauseMs = 250
const pauseMaxMs = 30_000
/** The time that a worker has to stop: longer than it needs, and shorter than this process has (main.ts). */
const stopMs = 8500

const pauseAfter = (early: number): number =>
  early === 0 ? 0 : Math.min(pauseMs * 2 ** (early - 1), pauseMaxMs)

const send = (worker: Worker, message: ToWorker): void => {
  // A worker that has ended needs no message.
  if (worker.isConnected()) worker.send(message, () => {})
}

const stopWorker = async (worker: Worker, signal: StopSignal): Promise<void> => {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  const kill = setTimeout(() => worker.process.kill('SIGKILL'), stopMs)
  send(worker, { kind: 'stop', signal })
  await ended
  clearTimeout(kill)
}

/** Answers a worker's request for metrics with the metrics of all workers. */
const answerMetrics = (): void => {
  const all = new AggregatorRegistry()
  cluster.on('message', (worker, { kind, ...asked }: FromWorker) => {
    if (kind !== 'metrics' || !('request' in asked)) return
    const answer = (text: string | undefined) =>
      send(worker, { kind: 'metrics', request: asked.request, text })
    all.clusterMetrics().then(answer, () => answer(undefined))
  })
}

/** Resolves with the URL when the worker accepts requests. Rejects if it ends before. */
const readiness = (worker: Worker): Promise<string> =>
  new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') resolve(message.url)
    })
    // A worker with an exit code has logged its reason.
    worker.once('exit', (_code, signal) =>
      reject(new Refusal(signal ? [`a worker was ended by ${signal} before it was ready`] : [])),
    )
  })

/**
 * Closes the connection that Node was passing to a worker when the worker died. Node would never answer or close it.
 * There is at most one such connection, because Node waits until a worker has accepted it.
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

interface WorkerPool {
  /** Starts a worker. Resolves with its URL when it accepts requests. Rejects if it ends before. */
  start(): Promise<string>
  stop(signal: StopSignal): Promise<void>
}

/** Replaces each worker that ends. Calls `giveUp` if replacements keep failing. */
const createWorkerPool = (log: Logger, giveUp: (err: Error) => void): WorkerPool => {
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

  const watch = (worker: Worker, startedAt: number): void => {
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
    watch(worker, startedAt)
    return url
  }

  return {
    start,
    stop: async (signal) => {
      isStopping = true
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      await Promise.all(workers.map((worker) => stopWorker(worker, signal)))
    },
  }
}

/**
 * Starts the service in `count` processes that share its port. Resolves when all of them accept requests. Rejects if
 * one ends before that. Later calls `giveUp` if no worker serves and replacements fail.
 */
export const serveByWorkers = async (
  count: number,
  log: Logger,
  giveUp: (err: Error) => void,
): Promise<Server> => {
  answerMetrics()
  const pool = createWorkerPool(log, giveUp)
  // One worker starts first: it migrates and creates the keys, and logs a fault of the start once.
  const url = await pool.start()
  await Promise.all(Array.from({ length: count - 1 }, () => pool.start()))
  return { url, stop: (signal) => pool.stop(signal) }
}
