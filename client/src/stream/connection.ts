import type { EndEvent } from '../schema.ts'
import { startBackgroundTimer } from '../waiting.ts'
import { createParser, type ParserListener } from './parser.ts'

/** The service sends at least a comment every 20 seconds. */
const silenceMs = 45_000

/** Gives the texts of a body to `push` until that returns false. Ends early when the signal aborts, or after 45 silent seconds. */
const readBody = async (
  body: ReadableStream<Uint8Array>,
  push: (text: string) => boolean,
  signal: AbortSignal,
): Promise<void> => {
  const [reader, decoder] = [body.getReader(), new TextDecoder()]
  const stop = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', stop)
  let watchdog
  try {
    let isOpen = !signal.aborted
    while (isOpen) {
      watchdog = startBackgroundTimer(stop, silenceMs)
      const { done, value } = await reader.read()
      clearTimeout(watchdog)
      isOpen = !done && push(decoder.decode(value, { stream: true }))
    }
  } finally {
    clearTimeout(watchdog)
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** Reads one connection to its end. Gives the reason that the service told; undefined for a connection that was lost. */
export const readEvents = async (
  body: ReadableStream<Uint8Array>,
  { onEvent, onId, onRetry }: ParserListener,
  signal: AbortSignal,
): Promise<EndEvent['data']['reason'] | undefined> => {
  let end: EndEvent['data'] | undefined
  const parse = createParser({
    onId,
    onRetry,
    onEvent: (event) => {
      if (event.event === 'end') end = JSON.parse(event.data) as EndEvent['data']
      else onEvent(event)
    },
  })
  const push = (text: string): boolean => {
    parse(text)
    return end === undefined
  }
  // A connection that breaks off and one that ends early are the same.
  await readBody(body, push, signal).catch(() => undefined)
  return end?.reason
}
