import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A delivery as it came. */
export interface Arrival {
  /** By `performance.now()`. */
  at: number
  path: string
  id: string
  type: string
  tenant: string
  resourceId: string
  /** The record in it. */
  record: unknown
  /** Whether the secret of its path signed it. */
  isSigned: boolean
}

/** Takes deliveries on the loopback address. The secret of a path becomes known when its hook exists. */
export interface Receiver {
  port: number
  arrivals: Arrival[]
  secrets: Map<string, string>
  /** Answers so many deliveries with 500. */
  failNext: (count: number) => void
  stop: () => Promise<void>
}

/** Standard Webhooks, by hand: the service signs with code of its own. */
const isSignedBy = (secret: string, headers: IncomingHttpHeaders, body: string): boolean => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const content = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(expected)
}

export const startReceiver = async (answerMs: number): Promise<Receiver> => {
  const arrivals: Arrival[] = []
  const secrets = new Map<string, string>()
  let failures = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { type, data } = JSON.parse(body) as {
        type: string
        data: { tenant_id: string; resource_id: string }
      }
      const secret = secrets.get(request.url ?? '') ?? ''
      const isTest = type === 'webhook.test'
      const isFailing = !isTest && failures > 0
      if (isFailing) failures -= 1
      if (!isTest && !isFailing) {
        arrivals.push({
          at: performance.now(),
          path: request.url ?? '',
          id: String(request.headers['webhook-id']),
          type,
          tenant: data.tenant_id,
          resourceId: data.resource_id,
          record: data,
          isSigned: isSignedBy(secret, request.headers, body),
        })
      }
      setTimeout(() => response.writeHead(isFailing ? 500 : 204).end(), answerMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    arrivals,
    secrets,
    failNext: (count) => {
      failures = count
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
