/** This process as one of several that share a port; the process that minds them is in workers.ts. */
import cluster from 'node:cluster'

/** What a worker tells the primary process. */
export type FromWorker = { kind: 'ready'; url: string } | { kind: 'metrics'; request: number }

/** What it is told. `text` is undefined when the metrics could not be put together. */
export type ToWorker = { kind: 'stop' } | { kind: 'metrics'; request: number; text: string | undefined }

/** Which worker this is; undefined in a process that serves alone. */
export const workerId = cluster.worker?.id

const tell = (message: FromWorker): void => {
  process.send?.(message)
}

export const tellReady = (url: string): void => tell({ kind: 'ready', url })

/** Not a signal: Windows has none that could be handled. The end of the primary process ends a worker by itself. */
export const onStopMessage = (stop: () => void): void => {
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'stop') stop()
  })
}

const waiting = new Map<number, (text: string | undefined) => void>()
let requests = 0

/** Asks the primary process for the metrics of all workers together. Throws when one of them does not answer. */
export const askForMetrics = async (): Promise<string> => {
  const request = (requests += 1)
  const text = await new Promise<string | undefined>((resolve) => {
    waiting.set(request, resolve)
    tell({ kind: 'metrics', request })
  })
  if (text === undefined) throw new Error('a worker does not answer')
  return text
}

/** Makes the answers to `askForMetrics` arrive. */
export const receiveMetrics = (): void => {
  process.on('message', (message: ToWorker) => {
    if (message.kind !== 'metrics') return
    waiting.get(message.request)?.(message.text)
    waiting.delete(message.request)
  })
}
