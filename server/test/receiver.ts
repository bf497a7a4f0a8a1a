/** A receiver of webhooks: a real HTTP server on the loopback address, and the deliveries that it got. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'

export interface Received {
  headers: IncomingHttpHeaders
  /** The body as it came. */
  text: string
  /** The body, parsed. */
  event: {
    type: string
    timestamp: string
    data: { id: number; action: string; resource_id: string; tenant_id: string }
  }
  at: number
}

/** Answers a request whose body was read. */
export type Behaviour = (...args: [...Parameters<RequestListener>, Received]) => void

export const taking: Behaviour = (_request, response) => void response.writeHead(204).end()

export const answering =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) =>
    void response.writeHead(status, headers).end(`status ${status}`)

export interface Receiver {
  url: string
  received: Received[]
  /** Deliveries but tests. */
  events: () => Received[]
  behave: (behaviour: Behaviour) => void
  stop: () => Promise<void>
}

export const startReceiver = async (behaviour: Behaviour = taking): Promise<Receiver> => {
  const received: Received[] = []
  let present = behaviour
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const event = JSON.parse(text) as Received['event']
      const one = { headers: request.headers, text, event, at: Date.now() }
      received.push(one)
      present(request, response, one)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    events: () => received.filter(({ event }) => event.type !== 'webhook.test'),
    behave: (next) => {
      present = next
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
