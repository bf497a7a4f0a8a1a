/** One of several processes that share a port. workers.ts has the primary process. */
import cluster from 'node:cluster'

/** Messages from a worker to the primary process. */
export type FromWorker = { kind: 'ready'; url: string } | { kind: 'metrics'; request: number }

/** A supervisor sends SIGTERM, a terminal sends SIGINT. */
export type StopSignal = 'SIGTERM' | 'SIGINT'

/** `text` is undefined if the metrics could not be collected. */
export type ToWorker =
  | { kind: 'stop'; signal: StopSignal }
  | { kind: 'metrics'; request: number; text: string | undefined }

/** The number of this worker. Undefined in a process that serves without workers. */
export const workerId = cluster.worker?.id

const sendToPrimary = (message: FromWorker): void => {
  process.send?.(message)
}

export const reportReady = (url: string): void => sendToPrimary({ kind: 'ready', url })

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

/** Asks the primary process for the metrics of all workers. Throws if a worker does not answer. */
export const askForMetrics = async (): Promise<string> => {
  const request = (requests += 1)
  const text = await new Promise<string | undefined>((resolve) => {
    waiting.set(request, resolve)
    sendToPrimary({ kind: 'metrics', request })
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
