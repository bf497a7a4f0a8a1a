/** Streams of events in tests, read by another program's parser. They close with the test. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { afterEach } from 'vitest'
import type { Caller } from './factories.ts'
import { service } from './harness.ts'
import { eventually } from './waits.ts'

export interface ReceivedEvent {
  event: string
  id: string | undefined
  data: any
}

export interface OpenStream {
  headers: Headers
  /** The stream as it came so far. */
  text(): string
  /** The last id of an event, or without one. */
  place(): string | undefined
  /** All events so far. */
  events: ReceivedEvent[]
  comments: string[]
  /** Waits for an event that fits. */
  heard(event: string, fits?: (data: any) => boolean): Promise<ReceivedEvent>
  /** Resolves when the service has ended the stream. */
  ended: Promise<void>
  close(): void
}

interface Options {
  query?: string
  tenant?: string
  lastEventId?: string | undefined
  /** Another service than the one under test. */
  at?: { url: string }
}

const open: OpenStream[] = []
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})

/** The answer of the service, and its end. */
export const requestStream = (
  { token, tenantId }: Pick<Caller, 'token' | 'tenantId'>,
  { query = '', tenant = tenantId, lastEventId, at = service }: Options = {},
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(`${at.url}/api/v1/events/stream${query}`, {
    headers: {
      authorization: `Bearer ${token}`,
      'x-tenant-id': tenant,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    ...(signal ? { signal } : {}),
  })

/** Opens a stream, which closes after the test. Throws when it is refused. */
export const openStream = async (
  caller: Pick<Caller, 'token' | 'tenantId'>,
  options: Options = {},
): Promise<OpenStream> => {
  const aborting = new AbortController()
  const response = await requestStream(caller, options, aborting.signal)
  if (response.status !== 200 || !response.body) throw new Error(`refused: ${await response.text()}`)
  const events: ReceivedEvent[] = []
  const comments: string[] = []
  let text = ''
  const keeping = new TransformStream<string, string>({
    transform: (part, controller) => {
      text += part
      controller.enqueue(part)
    },
  })
  const parsed = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(keeping)
    .pipeThrough(new EventSourceParserStream({ onComment: (comment) => comments.push(comment) }))
  const read = async () => {
    for await (const { event = '', id, data } of parsed) events.push({ event, id, data: JSON.parse(data) })
  }
  const stream: OpenStream = {
    headers: response.headers,
    text: () => text,
    place: () => [...text.matchAll(/^id: (.*)\n/gm)].at(-1)?.[1],
    events,
    comments,
    heard: (event, fits = () => true) =>
      eventually(() => {
        const found = events.find((one) => one.event === event && fits(one.data))
        if (!found) throw new Error(`no ${event} among ${JSON.stringify(events)}`)
        return found
      }),
    ended: read().catch(() => undefined),
    close: () => aborting.abort(),
  }
  open.push(stream)
  return stream
}
