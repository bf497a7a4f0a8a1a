/** One of several processes that share a port. workers.ts has the primary process. */
import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'

/** Messages from a worker to the primary process. */
export type FromWorker = { kind: 'ready'; url: string } | { kind: 'metrics'; request: string }

/** A supervisor sends SIGTERM, a terminal sends SIGINT. */
export type StopSignal = 'SIGTERM' | 'SIGINT'

/** The messages of the primary process. `text` is undefined if the metrics could not be collected. */
export type ToWorker =
  | { kind: 'stop'; signal: StopSignal }
  | { kind: 'metrics'; request: string; text: string | undefined }

/** The number of this worker. Undefined in a process that serves without workers. */
export const workerId = cluster.worker?.id

const sendToPrimary = (message: FromWorker): void => {
  process.send?.(message)
}

export const reportReady = (url: string): void => sendToPrimary({ kind: 'ready', url })

/**
 * The primary process sends a message instead of a signal, because Windows has no signal that a process can handle. The
 * end of the primary process ends its workers.
 */
export const onStopMessage = (stop: (signal: StopSignal) => void): void => {
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'stop') stop(message.signal)
  })
}

/** Asks the primary process for the metrics of all workers. Throws if a worker does not answer. */
export const askForMetrics = async (): Promise<string> => {
  const request = randomUUID()
  const text = await new Promise<string | undefined>((resolve) => {
    const receive = (message: ToWorker) => {
      if (message.kind !== 'metrics' || message.request !== request) return
      process.off('message', receive)
      resolve(message.text)
    }
    process.on('message', receive)
    sendToPrimary({ kind: 'metrics', request })
  })
  if (text === undefined) throw new Error('a worker does not answer')
  return text
}
