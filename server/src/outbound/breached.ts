/** Asks a list of breached passwords, by the range interface of Have I Been Pwned. */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { resolveBy, Unreachable, type FindAddresses } from './addresses.ts'
import { createExchange, reasonOf, Unanswered, within } from './exchange.ts'

const answerMs = 1000
const bytesMax = 512 * 1024
const prefixDigits = 5

export interface BreachedAnswer {
  /** True if the list has the password. False also without an answer. */
  isFound: boolean
  /** The reason why the list gave no answer; "" for an answer. It names no address. */
  error: string
}

/** Looks up the SHA-1 of a password, in hex. Only its first five digits leave the machine. Never throws. */
export type FindBreached = (sha1: string) => Promise<BreachedAnswer>

/** The operator chose the host, so each of its addresses is allowed. */
const findAddresses = (): FindAddresses => {
  const resolve = resolveBy()
  return async (hostname) => {
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const addresses = isIP(host) === 0 ? await resolve(host) : [host]
    if (addresses.length === 0) throw new Unreachable('the host has no address')
    return addresses
  }
}

const read = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > bytesMax) throw new Unanswered(`the answer has more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('latin1')
}

/** True if a line has the rest of the hash and a count. Padding has the count 0. */
const hasRest = (lines: string, rest: string): boolean =>
  lines.split(/\r?\n/).some((line) => {
    const [suffix = '', count] = line.split(':')
    return suffix.toUpperCase() === rest && Number(count) > 0
  })

export const createFindBreached = (url: string): FindBreached => {
  const exchange = createExchange(findAddresses())
  const base = url.replace(/\/+$/, '')
  const headers = { 'add-padding': 'true', 'accept-encoding': 'identity', 'user-agent': 'tenantry' }
  const ask = async (prefix: string, signal: AbortSignal): Promise<string> => {
    const answer = await exchange(new URL(`${base}/${prefix}`), { method: 'GET', headers, body: '', signal })
    if (answer.statusCode === 200) return read(answer)
    answer.destroy()
    throw new Unanswered(`the answer was ${answer.statusCode ?? 0}`)
  }
  return async (sha1) => {
    const hash = sha1.toUpperCase()
    const [prefix, rest] = [hash.slice(0, prefixDigits), hash.slice(prefixDigits)]
    try {
      const lines = await within(answerMs, (signal) => ask(prefix, signal))
      return { isFound: hasRest(lines, rest), error: '' }
    } catch (err) {
      return { isFound: false, error: reasonOf(err) }
    }
  }
}
