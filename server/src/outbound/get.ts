/** Fetches a small JSON document from an address that a stranger chose. */
import type { IncomingMessage } from 'node:http'
import type { FindAddresses } from './addresses.ts'
import { createExchange, Unanswered, within } from './exchange.ts'

/** A fetch ends after this time in every case (docs/contract.md, "Clients that register themselves"). */
const fetchMs = 5000
/** Longer documents are refused. */
const bytesMax = 16 * 1024

export interface Fetched {
  /** The parsed JSON. */
  document: unknown
  /** The header Cache-Control; "" if there is none. */
  cacheControl: string
}

/** Throws unless the answer is 200 with JSON, in time and within its limits. A redirect throws as well. */
export type Get = (url: string) => Promise<Fetched>

const isJson = (type: string | undefined): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type ?? '')

const read = async (answer: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > bytesMax) throw new Unanswered(`the document has more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new Unanswered('the document is no JSON in UTF-8')
  }
}

/** Fetches through `createExchange`. */
export const createGet = (findAddresses: FindAddresses): Get => {
  const exchange = createExchange(findAddresses)
  const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'tenantry' }
  return (url) =>
    within(fetchMs, async (signal) => {
      const answer = await exchange(new URL(url), { method: 'GET', headers, body: '', signal })
      if (answer.statusCode !== 200) {
        answer.destroy()
        throw new Unanswered(`the answer was ${answer.statusCode ?? 0}`)
      }
      if (!isJson(answer.headers['content-type'])) {
        answer.destroy()
        throw new Unanswered('the answer is no JSON')
      }
      return { document: await read(answer), cacheControl: answer.headers['cache-control'] ?? '' }
    })
}
