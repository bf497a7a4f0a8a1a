import type { EndEvent } from '../schema.ts'
import { startBackgroundTimer } from '../waiting.ts'
import { createParser, type ParserListener } from './parser.ts'

/** Longer than the 20 seconds within which the service sends at least a comment. */
const silenceMs = 45_000

/**
 * Passes the text of a body to `push` until `push` returns false. Ends early if the signal aborts, or after 45 silent
 * seconds.
 */
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

/** Reads one connection to its end. Returns the reason that the service sent; undefined if the connection was lost. */
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
  // A broken connection counts as one that ended early.
  await readBody(body, push, signal).catch(() => undefined)
  return end?.reason
}
