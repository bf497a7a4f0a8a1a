/** Sends one POST to an address that somebody else chose. */
import type { IncomingMessage } from 'node:http'
import type { FindAddresses } from './addresses.ts'
import { createExchange, reasonOf, within } from './exchange.ts'

/** An attempt ends after this time in every case. */
const attemptMs = 10_000
/** The most bytes of an answer that are read. */
const answerBytesMax = 64 * 1024
/** The most bytes of an answer that are kept. */
const shownBytes = 1024

export interface Outcome {
  /** The receiver answered 2xx. */
  isTaken: boolean
  /** The status of the answer. Undefined if there is no answer. */
  status: number | undefined
  /** The reason of a failure; "" for a success. */
  error: string
  durationMs: number
  /** The first 1 kB of the answer. */
  answer: string
}

/** Never throws. The signal ends the attempt. */
export type Post = (
  url: string,
  headers: Record<string, string>,
  body: string,
  signal?: AbortSignal,
) => Promise<Outcome>

/**
 * Reads the beginning of an answer. Resolves at its end, or after enough bytes. Rejects if the connection ends before.
 */
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

/** Sends through `createExchange`. */
export const createPost = (findAddresses: FindAddresses): Post => {
  const exchange = createExchange(findAddresses)
  const attempt = async (url: URL, headers: Record<string, string>, body: string, signal: AbortSignal) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const answer = await exchange(url, { method: 'POST', headers: { ...headers, ...length }, body, signal })
    return { status: answer.statusCode ?? 0, answer: await readAnswer(answer) }
  }
  return async (url, headers, body, ended) => {
    const begun = performance.now()
    const durationMs = () => Math.round(performance.now() - begun)
    try {
      const { status, answer } = await within(
        attemptMs,
        (signal) => attempt(new URL(url), headers, body, signal),
        ended,
      )
      const isTaken = status >= 200 && status < 300
      return {
        isTaken,
        status,
        error: isTaken ? '' : `the response was ${status}`,
        durationMs: durationMs(),
        answer,
      }
    } catch (err) {
      return { isTaken: false, status: undefined, error: reasonOf(err), durationMs: durationMs(), answer: '' }
    }
  }
}
