/** Writes Server-Sent Events (HTML Living Standard, 9.2). */
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A listener's browser waits this long before it reconnects. */
const retryMs = 2000
/** A client with more unread bytes loses its stream. The connection's own buffer does not count. */
const unreadBytesMax = 32_768
/** After the end, a client has this time to read the rest. */
const closeMs = 1000

export interface SentEvent {
  event: string
  /** Browsers send it as `Last-Event-ID` after a reconnection. */
  id?: string
  data: object
}

/** A stream of events to one client. */
export interface EventStream {
  /** Sends an event; does nothing after the end. Ends the stream of a client that does not read. */
  send(event: SentEvent): void
  /** Sends an id without an event. After a reconnection the client continues after this id. */
  place(id: string): void
  /** Sends a comment, so that proxies keep the connection open. Ends the stream of a client with unread bytes. */
  comment(): void
  /** Resolves when the client has read everything, or has disconnected. */
  drained(): Promise<void>
  /** Ends the stream after all sent events, at once for a client that does not read them. */
  close(): void
  onClose(listener: () => void): void
}

const textOf = ({ event, id, data }: SentEvent): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** Begins the answer. Its headers ask proxies not to buffer or change it. */
export const openEventStream = (request: FastifyRequest, reply: FastifyReply): EventStream => {
  reply.hijack()
  const { raw } = reply
  // The server's time limit is only for answers that end.
  request.raw.socket.setTimeout(0)
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  const write = (text: string): void => {
    // After the end, nobody would catch a second write error, and it would stop the process.
    if (raw.writableEnded || raw.destroyed) return
    if (raw.writableLength > unreadBytesMax) raw.destroy()
    else raw.write(text)
  }
  const close = (): void => {
    if (raw.writableEnded) return
    raw.end()
    const timer = setTimeout(() => raw.destroy(), closeMs)
    raw.once('close', () => clearTimeout(timer))
  }
  write(`retry: ${retryMs}\n\n`)
  return {
    send: (event) => write(textOf(event)),
    place: (id) => write(`id: ${id}\n\n`),
    comment: () => {
      if (raw.writableLength > 0) raw.destroy()
      else write(':\n\n')
    },
    drained: () =>
      new Promise((resolve) => {
        if (raw.writableLength === 0 || raw.writableEnded || raw.destroyed) return resolve()
        // Fewer bytes than the `drain` mark wait, so no `drain` event will come. If the connection is lost, the
        // callback gets an error.
        raw.write(':\n\n', () => resolve())
      }),
    close,
    onClose: (listener) => void raw.once('close', listener),
  }
}
