/** HTTP servers that the service calls, and receivers of its webhooks. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Listener {
  port: number
  url: string
  /** Cuts its connections. */
  stop: () => Promise<void>
}

/** Serves HTTP on a free port of the loopback address. */
export const listen = async (listener: RequestListener): Promise<Listener> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface Received {
  headers: IncomingHttpHeaders
  /** The body as received. */
  text: string
  /** The parsed body. */
  event: {
    type: string
    timestamp: string
    data: { id: number; action: string; resource_id: string; tenant_id: string }
  }
  at: number
}

/** Answers a request after its body was read. */
export type Behaviour = (...args: [...Parameters<RequestListener>, Received]) => void

export const taking: Behaviour = (_request, response) => void response.writeHead(204).end()

export const answering =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) =>
    void response.writeHead(status, headers).end(`status ${status}`)

export interface Receiver extends Listener {
  received: Received[]
  /** Received events without tests. */
  events: () => Received[]
  behave: (behaviour: Behaviour) => void
}

export const startReceiver = async (behaviour: Behaviour = taking): Promise<Receiver> => {
  const received: Received[] = []
  let present = behaviour
  const listener = await listen((request, response) => {
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
  return {
    ...listener,
    url: `${listener.url}/hook`,
    received,
    events: () => received.filter(({ event }) => event.type !== 'webhook.test'),
    behave: (next) => {
      present = next
    },
  }
}
