/** Requests to the tenants' sign-in providers, for a library that needs a function like `fetch`. */
import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../config/config-values.ts'
import { Unreachable, type AddressPolicy, type FindAddresses } from './addresses.ts'
import { createExchange, Unanswered, within } from './exchange.ts'

/** docs/contract.md, "Enterprise sign-in". */
const answerMs = 5000
const bytesMax = 256 * 1024

interface ProviderRequest {
  method: string
  headers: Record<string, string>
  body?: unknown
}

export interface ProviderFetch {
  /** Throws `Unreachable` for a forbidden address, and an error if no complete answer arrives in time. */
  ask: (url: string, sent: ProviderRequest) => Promise<Response>
  /** True if a URL has the scheme that its host requires. Browsers are redirected only to such URLs. */
  hasAllowedScheme: (url: URL) => boolean
}

const readBody = async (answer: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Unanswered(`the answer has more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const headersOf = (answer: IncomingMessage): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  return headers
}

const bodyOf = (body: unknown): string =>
  body instanceof URLSearchParams || typeof body === 'string' ? body.toString() : ''

/** Statuses whose answers have no body. */
const bodiless = new Set([204, 205, 304])

/** In production, providers need https. Elsewhere loopback and the hosts that the operator names can use http. */
export const createProviderFetch = (
  findAddresses: FindAddresses,
  { privateHosts, isProduction }: Pick<AddressPolicy, 'privateHosts'> & { isProduction: boolean },
): ProviderFetch => {
  const exchange = createExchange(findAddresses)
  const hasAllowedScheme = ({ protocol, hostname }: URL): boolean => {
    if (protocol === 'https:') return true
    return protocol === 'http:' && !isProduction && (isLoopback(hostname) || privateHosts.includes(hostname))
  }
  return {
    hasAllowedScheme,
    ask: (text, { method, headers, body }) => {
      const url = new URL(text)
      if (!hasAllowedScheme(url)) throw new Unreachable('the address is not https')
      const sent = { ...headers, 'accept-encoding': 'identity', 'user-agent': 'tenantry' }
      return within(answerMs, async (signal) => {
        const verb = method.toUpperCase() === 'POST' ? 'POST' : 'GET'
        const answer = await exchange(url, { method: verb, headers: sent, body: bodyOf(body), signal })
        const status = answer.statusCode ?? 502
        const read = await readBody(answer)
        return new Response(bodiless.has(status) ? null : new Uint8Array(read), {
          status,
          headers: headersOf(answer),
        })
      })
    },
  }
}
