/** Sends one POST to an address that somebody else chose. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Unreachable, type FindAddresses } from './addresses.ts'

/** An attempt ends after this time, whatever the receiver does. */
const attemptMs = 10_000
/** More of an answer is not read. */
const answerBytesMax = 64 * 1024
/** The part of an answer that is shown. */
const shownBytes = 1024
/** An idle connection is kept for so long. */
const idleMs = 4000
/** Interim answers (1xx) before the answer. Node's limit of headers counts for each of them by itself. */
const interimsMax = 10

/** The exchange ended otherwise than by an answer. The message is shown to the owner of the hook. */
class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

export interface Outcome {
  /** Whether the receiver answered 2xx. */
  isTaken: boolean
  /** The status of the answer; undefined without one. */
  status: number | undefined
  /** Why it was not taken; "" if it was. */
  error: string
  durationMs: number
  /** The first 1 kB of the answer. */
  answer: string
}

/** Never throws. */
export type Post = (url: string, headers: Record<string, string>, body: string) => Promise<Outcome>

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

/** Reads the beginning of an answer. Resolves at its end, or when enough is read; rejects when it breaks off. */
const readAnswer = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (bytes < shownBytes) chunks.push(chunk.subarray(0, shownBytes - bytes))
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > answerBytesMax) break
  }
  // PostgreSQL stores no NUL.
  return Buffer.concat(chunks).toString().replaceAll('\0', '\uFFFD')
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
const within = async <T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
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

const reasonOf = (err: unknown): string => {
  if (err instanceof Unreachable || err instanceof Unanswered) return err.message
  const { code } = err as NodeJS.ErrnoException
  return `the connection failed${code === undefined ? '' : `: ${code}`}`
}

/**
 * Sends by connections to checked addresses. It follows no redirect and uses no proxy: the agents are its own, which read
 * no environment.
 */
export const createPost = (findAddresses: FindAddresses): Post => {
  const kept = { keepAlive: true, timeout: idleMs, lookup: lookupBy(findAddresses) }
  const agents = { http: new http.Agent(kept), https: new https.Agent(kept) }
  const attempt = async (url: URL, headers: Record<string, string>, body: string, signal: AbortSignal) => {
    // A connection to an address looks nothing up.
    if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) await findAddresses(url.hostname)
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      signal,
    }
    const begin = () =>
      url.protocol === 'https:'
        ? https.request(url, { ...options, agent: agents.https })
        : http.request(url, { ...options, agent: agents.http })
    const first = begin()
    const answer = await send(first, body).catch((err: unknown) => {
      if (wasStale(first, err)) return send(begin(), body)
      throw err
    })
    return { status: answer.statusCode ?? 0, answer: await readAnswer(answer) }
  }
  return async (url, headers, body) => {
    const begun = performance.now()
    const durationMs = () => Math.round(performance.now() - begun)
    try {
      const { status, answer } = await within(attemptMs, (signal) =>
        attempt(new URL(url), headers, body, signal),
      )
      const isTaken = status >= 200 && status < 300
      return {
        isTaken,
        status,
        error: isTaken ? '' : `the answer was ${status}`,
        durationMs: durationMs(),
        answer,
      }
    } catch (err) {
      return { isTaken: false, status: undefined, error: reasonOf(err), durationMs: durationMs(), answer: '' }
    }
  }
}
