/** One of several processes that share a port; the primary process is in workers.ts. */
import cluster from 'node:cluster'

/** Messages from a worker to the primary process. */
export type FromWorker = { kind: 'ready'; url: string } | { kind: 'metrics'; request: number }

/** SIGTERM comes from a supervisor, SIGINT from a terminal. */
export type StopSignal = 'SIGTERM' | 'SIGINT'

/** Messages to a worker. `text` is undefined when the metrics could not be collected. */
export type ToWorker =
  | { kind: 'stop'; signal: StopSignal }
  | { kind: 'metrics'; request: number; text: string | undefined }

/** The number of this worker; undefined in a process that serves alone. */
export const workerId = cluster.worker?.id

const tell = (message: FromWorker): void => {
  process.send?.(message)
}

export const tellReady = (url: string): void => tell({ kind: 'ready', url })

/**
 * A message instead of a signal, because Windows has no signal to handle. The end of the primary process ends its
 * workers.
 */
export const onStopMessage = (stop: (signal: StopSignal) => void): void => {
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'stop') stop(message.signal)
  })
}

const waiting = new Map<number, (text: string | undefined) => void>()
let requests = 0

/** Asks the primary process for the metrics of all workers. Throws when a worker does not answer. */
export const askForMetrics = async (): Promise<string> => {
  const request = (requests += 1)
  const text = await new Promise<string | undefined>((resolve) => {
    waiting.set(request, resolve)
    tell({ kind: 'metrics', request })
  })
  if (text === undefined) throw new Error('a worker does not answer')
  return text
}

/** Receives the answers to `askForMetrics`. */
export const receiveMetrics = (): void => {
  process.on('message', (message: ToWorker) => {
    if (message.kind !== 'metrics') return
    waiting.get(message.request)?.(message.text)
    waiting.delete(message.request)
  })
}
