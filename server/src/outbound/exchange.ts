/** One exchange with an address that somebody else chose, by connections to checked addresses. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Unreachable, type FindAddresses } from './addresses.ts'

/** An idle connection is kept for so long. */
const idleMs = 4000
/** Interim answers (1xx) before the answer. Node's limit of headers counts for each of them by itself. */
const interimsMax = 10

/** The exchange ended otherwise than by an answer. The message is shown to the owner of the address. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

/** Gives a connection the addresses that were checked. */
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
    // Also catches errors after the answer has begun: reading it rejects with them.
    request.on('error', reject)
    // Node closes a connection that changes its protocol, and tells no error.
    request.once('close', () => reject(new Unanswered('the connection ended without an answer')))
    request.end(body)
  })

/**
 * Gives work so many milliseconds, and then rejects, whatever the work waits for. The signal aborts when the work is over
 * in any way: nothing of it goes on.
 */
export const within = async <T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const [ending, limit] = [new AbortController(), Promise.withResolvers<never>()]
  const timer = setTimeout(() => limit.reject(new Unanswered(`no answer within ${ms / 1000} seconds`)), ms)
  try {
    return await Promise.race([limit.promise, work(ending.signal)])
  } finally {
    clearTimeout(timer)
    ending.abort()
  }
}

/** The receiver closed an idle connection at the moment of its use. */
const wasStale = (request: ClientRequest | undefined, err: unknown): boolean =>
  request?.reusedSocket === true &&
  ['ECONNRESET', 'EPIPE'].includes((err as NodeJS.ErrnoException).code ?? '')

/** Why an exchange failed. It names no address. */
export const reasonOf = (err: unknown): string => {
  if (err instanceof Unreachable || err instanceof Unanswered) return err.message
  const { code } = err as NodeJS.ErrnoException
  return `the connection failed${code === undefined ? '' : `: ${code}`}`
}

export interface Sent {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  /** "" for none. */
  body: string
  signal: AbortSignal
}

/** Sends, and gives the beginning of the answer. Throws where none comes. */
export type Exchange = (url: URL, sent: Sent) => Promise<IncomingMessage>

/**
 * Sends by connections to checked addresses. It follows no redirect and uses no proxy: the agents are its own, which read
 * no environment.
 */
export const createExchange = (findAddresses: FindAddresses): Exchange => {
  const kept = { keepAlive: true, timeout: idleMs, lookup: lookupBy(findAddresses) }
  const agents = { http: new http.Agent(kept), https: new https.Agent(kept) }
  return async (url, { body, ...options }) => {
    // A connection to an address looks nothing up.
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
