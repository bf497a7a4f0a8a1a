/** One request to an address that somebody else chose, over connections to checked addresses. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Unreachable, type FindAddresses } from './addresses.ts'

/** The longest time that a connection stays idle. */
const idleMs = 4000
/** The most interim answers (1xx) before the answer. Node limits the headers of each of them separately. */
const interimsMax = 10

/** The exchange ended without an answer. The owner of the address sees the message. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

/** Makes a connection use the checked addresses. */
const lookupBy = (findAddresses: FindAddresses): LookupFunction => {
  const answer = async (hostname: string, isAll: boolean, done: Parameters<LookupFunction>[2]) => {
    let found: { address: string; family: number }[]
    try {
      const addresses = await findAddresses(hostname)
      found = addresses.map((address) => ({ address, family: isIP(address) }))
    } catch (err) {
      done(err as Error, '')
      return
    }
    const [first] = found
    if (isAll) done(null, found)
    else done(null, first?.address ?? '', first?.family)
  }
  return (hostname, { all = false }, done) => void answer(hostname, all, done)
}

const send = (request: ClientRequest, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    let interims = 0
    request.on('information', () => {
      interims += 1
      if (interims > interimsMax) request.destroy(new Unanswered('too many interim answers came'))
    })
    request.once('response', resolve)
    // An error can also follow the first bytes of the answer. This listener keeps it from ending the process; the reader
    // gets the same error.
    request.on('error', reject)
    // Node closes a connection that changes its protocol, and reports no error.
    request.once('close', () => reject(new Unanswered('the connection ended without an answer')))
    request.end(body)
  })

/**
 * Runs work for at most `ms` milliseconds, or until `ended` aborts. Then rejects without waiting for the work. The
 * work's signal aborts when the work ends for any reason, so that no part of it continues.
 */
export const within = async <T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  ended = new AbortController().signal,
): Promise<T> => {
  const [ending, limit] = [new AbortController(), Promise.withResolvers<never>()]
  const timer = setTimeout(() => limit.reject(new Unanswered(`no answer within ${ms / 1000} seconds`)), ms)
  ended.addEventListener('abort', () => limit.reject(new Unanswered('the attempt was ended')))
  try {
    if (ended.aborted) throw new Unanswered('the attempt was ended')
    return await Promise.race([limit.promise, work(ending.signal)])
  } finally {
    clearTimeout(timer)
    ending.abort()
  }
}

/** True if the receiver closed an idle connection at the moment of its use. */
const wasStale = (request: ClientRequest | undefined, err: unknown): boolean =>
  request?.reusedSocket === true &&
  ['ECONNRESET', 'EPIPE'].includes((err as NodeJS.ErrnoException).code ?? '')

/** The reason of a failed exchange. It names no address. */
export const reasonOf = (err: unknown): string => {
  if (err instanceof Unreachable || err instanceof Unanswered) return err.message
  const { code } = err as NodeJS.ErrnoException
  return `the connection failed${code === undefined ? '' : `: ${code}`}`
}

export interface OutboundRequest {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  /** "" for none. */
  body: string
  signal: AbortSignal
}

/** Sends a request. Resolves with the answer after its headers. Throws if none arrives. */
export type Exchange = (url: URL, sent: OutboundRequest) => Promise<IncomingMessage>

/**
 * Sends over connections to checked addresses. Follows no redirect. Uses no proxy, because its agents do not read the
 * environment.
 */
export const createExchange = (findAddresses: FindAddresses): Exchange => {
  const kept = { keepAlive: true, timeout: idleMs, lookup: lookupBy(findAddresses) }
  const agents = { http: new http.Agent(kept), https: new https.Agent(kept) }
  return async (url, { body, ...options }) => {
    // A connection to an IP address makes no look-up, so the address is checked here.
    if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) await findAddresses(url.hostname)
    const begin = () =>
      url.protocol === 'https:'
        ? https.request(url, { ...options, agent: agents.https })
        : http.request(url, { ...options, agent: agents.http })
    const first = begin()
    return send(first, body).catch((err: unknown) => {
      if (wasStale(first, err)) return send(begin(), body)
      throw err
    })
  }
}
