/** Server-Sent Events (HTML Living Standard, 9.2): the writing side. */
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A listener's browser waits this long before it connects again. */
const retryMs = 2000
/** A client that leaves so much unread is dropped, besides what its connection holds. */
const unreadBytesMax = 32_768
/** A client has this time to take the rest after the end. */
const closeMs = 1000

export interface SentEvent {
  event: string
  /** Sent back as `Last-Event-ID` after a reconnection. */
  id?: string
  data: object
}

/** A stream of events to one client. */
export interface EventStream {
  /** Sends an event; none after the end. Drops a client that does not read. */
  send(event: SentEvent): void
  /** Sends an id without an event: the listener goes on after it. */
  place(id: string): void
  /** Sends a comment, which keeps proxies from closing the connection. Drops a client that has not taken all before. */
  comment(): void
  /** Resolves when the client has taken what was sent, or is gone. */
  drained(): Promise<void>
  /** Ends the stream after what was sent. Drops a client that does not take it. */
  close(): void
  onClose(listener: () => void): void
}

const textOf = ({ event, id, data }: SentEvent): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** Begins the answer. The headers ask proxies neither to buffer nor to change it. */
export const openEventStream = (request: FastifyRequest, reply: FastifyReply): EventStream => {
  reply.hijack()
  const { raw } = reply
  // The server's limit is for answers that end.
  request.raw.socket.setTimeout(0)
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  const write = (text: string): void => {
    // A second error of writing after the end would be uncaught, and stop the process.
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
        // The rest is below the mark of `drain`. Without the connection the callback gets an error.
        raw.write(':\n\n', () => resolve())
      }),
    close,
    onClose: (listener) => void raw.once('close', listener),
  }
}
