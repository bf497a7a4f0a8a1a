import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { startReceiver, type Behaviour } from '../../../lab/receiver.ts'

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

/** The deliveries to the hooks of a proof. The secret of a path becomes known when its hook exists. */
export interface Collected {
  port: number
  arrivals: Arrival[]
  secrets: Map<string, string>
  /** Answers the next `count` deliveries with 500. */
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

/** Takes deliveries, and answers each after that time. */
export const collectArrivals = async (answerMs: number): Promise<Collected> => {
  const arrivals: Arrival[] = []
  const secrets = new Map<string, string>()
  let failures = 0
  const take: Behaviour = ({ url: path = '' }, response, { headers, text, event: { type, data } }) => {
    const isTest = type === 'webhook.test'
    const isFailing = !isTest && failures > 0
    if (isFailing) failures -= 1
    if (!isTest && !isFailing) {
      arrivals.push({
        at: performance.now(),
        path,
        id: String(headers['webhook-id']),
        type,
        tenant: data.tenant_id,
        resourceId: data.resource_id,
        record: data,
        isSigned: isSignedBy(secrets.get(path) ?? '', headers, text),
      })
    }
    setTimeout(() => response.writeHead(isFailing ? 500 : 204).end(), answerMs)
  }
  const { port, stop } = await startReceiver(take)
  return {
    port,
    arrivals,
    secrets,
    failNext: (count) => {
      failures = count
    },
    stop,
  }
}
