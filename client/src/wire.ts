import { ApiError, errorOf, noAnswer } from './errors.ts'
import { backoffMs, sleep } from './waiting.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One request as it goes out. */
export interface WireRequest {
  method: Method
  /** From the host root, with its leading slash. */
  path: string
  /** What is undefined in it is left out. */
  query?: object | undefined
  body?: unknown
  headers?: Record<string, string>
  signal: AbortSignal
  /** Whether the body is left for the caller to read. */
  isFile?: boolean | undefined
  /** Another status that is an answer, too. */
  alsoOk?: number | undefined
}

export interface WireAnswer {
  response: Response
  /** The body, parsed; undefined for a file. */
  body: unknown
}

export interface Wire {
  /** Sends a request once. */
  exchange(request: WireRequest): Promise<WireAnswer>
  /** Sends one that changes nothing again, as long as another try can help before `endsAt`. */
  exchangePatiently(request: WireRequest, endsAt: number): Promise<WireAnswer>
}

/** Beyond this nobody wants to wait before a page: the error tells the caller how long. */
const retryAfterSecondsMax = 10

/** Whether another try can help. After a timeout there is no time for one. */
const isPassing = ({ status, reason }: ApiError): boolean =>
  reason !== 'timeout' && [0, 429, 502, 503, 504].includes(status)

/** Milliseconds to wait before another attempt; undefined when none is worth it. */
const delayBefore = (attempt: number, err: unknown): number | undefined => {
  if (!(err instanceof ApiError) || !isPassing(err)) return undefined
  const { retryAfterSeconds = 0 } = err
  return retryAfterSeconds > retryAfterSecondsMax ? undefined : retryAfterSeconds * 1000 + backoffMs(attempt)
}

const urlOf = (baseUrl: string, path: string, query: object = {}): string => {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return `${baseUrl}${path}${search && '?'}${search}`
}

const initOf = ({ method, body, headers, signal }: WireRequest): RequestInit =>
  body === undefined
    ? { method, signal, headers: { ...headers } }
    : {
        method,
        signal,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }

/** Undefined for what is no JSON. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A probe answers with its bare object also when it is not well; the envelope of an error has a code. */
const isOk = ({ alsoOk }: WireRequest, { ok, status }: Response, body: unknown): boolean =>
  typeof body === 'object' && body !== null && (ok || (status === alsoOk && !Object.hasOwn(body, 'code')))

/** Sends requests by `fetch`: what comes back is an answer, or an `ApiError`, or the reason of the caller's abort. */
export const createWire = (baseUrl: string, fetch: typeof globalThis.fetch, retries: number): Wire => {
  const read = async (request: WireRequest): Promise<WireAnswer> => {
    const response = await fetch(urlOf(baseUrl, request.path, request.query), initOf(request))
    return request.isFile && response.ok
      ? { response, body: undefined }
      : { response, body: parse(await response.text()) }
  }

  const exchange = async (request: WireRequest): Promise<WireAnswer> => {
    const answer = await read(request).catch((cause: unknown) => {
      throw request.signal.aborted ? (request.signal.reason as Error) : noAnswer('network', cause)
    })
    const { response, body } = answer
    if ((request.isFile && response.ok) || isOk(request, response, body)) return answer
    throw errorOf(response, body)
  }

  const repeat = async (request: WireRequest, endsAt: number, attempt: number): Promise<WireAnswer> => {
    try {
      return await exchange(request)
    } catch (err) {
      const waitMs = attempt < retries ? delayBefore(attempt, err) : undefined
      if (waitMs === undefined || Date.now() + waitMs >= endsAt) throw err
      await sleep(waitMs, request.signal)
      return repeat(request, endsAt, attempt + 1)
    }
  }

  return {
    exchange,
    // A write whose answer was lost may have been done: sending it again could do it twice.
    exchangePatiently: (request, endsAt) =>
      request.method === 'GET' ? repeat(request, endsAt, 0) : exchange(request),
  }
}
