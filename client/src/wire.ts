import { ApiError, errorOf, isTransient, noAnswer } from './errors.ts'
import { backoffMs, sleep } from './waiting.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One HTTP request. */
export interface WireRequest {
  method: Method
  /** Path from the host root, with its leading slash. */
  path: string
  /** Undefined values are left out. */
  query?: object | undefined
  body?: unknown
  headers?: Record<string, string>
  signal: AbortSignal
  /** Content types of a file. The caller reads its body. */
  file?: RegExp
  /** A field that identifies an answer without an envelope. */
  bare?: string
  /** A status that counts as an answer besides 2xx. */
  alsoOk?: number
  /** A status that a retry would only meet again. */
  lasting?: number
}

export interface WireAnswer {
  response: Response
  /** The `data` of the envelope, or the bare answer; undefined for a file. */
  data: unknown
}

export interface Wire {
  /** Sends a request once. */
  exchange(request: WireRequest): Promise<WireAnswer>
  /** Retries a request while that is safe and a retry can succeed before `endsAt`. */
  exchangePatiently(request: WireRequest, endsAt: number): Promise<WireAnswer>
}

/** Users do not wait longer in front of a page. The error tells the caller the whole delay. */
const retryAfterSecondsMax = 10

/** The service refuses these requests before it does anything, so that even a write may be sent again. */
const isUndone = (err: unknown): err is ApiError =>
  err instanceof ApiError && (err.reason === 'tooManyRequests' || err.reason === 'overloaded')

/** Milliseconds before the next attempt; undefined when a retry cannot help or could repeat a write. */
const delayBefore = (attempt: number, request: WireRequest, err: unknown): number | undefined => {
  if (!isUndone(err) && !(request.method === 'GET' && isTransient(err))) return undefined
  if (err.status === request.lasting) return undefined
  const { retryAfterSeconds = 0 } = err
  return retryAfterSeconds > retryAfterSecondsMax ? undefined : retryAfterSeconds * 1000 + backoffMs(attempt)
}

/** The address without trailing slashes. Throws a TypeError for a relative one outside a page. */
const rootOf = (baseUrl: string): string => {
  const root = baseUrl.replace(/\/+$/, '')
  const fault = `baseUrl must be an address such as https://admin.example.com, not '${baseUrl}'`
  try {
    if (/^https?:/.test(new Request(`${root}/`).url)) return root
  } catch (cause) {
    throw new TypeError(fault, { cause })
  }
  throw new TypeError(fault)
}

const searchOf = (query: object = {}): string => {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return search && `?${search}`
}

/** Throws a TypeError for a body that JSON cannot hold, and for an invalid header. */
const initOf = ({ method, body, headers: given, signal }: WireRequest): RequestInit => {
  const headers = body === undefined ? { ...given } : { ...given, 'content-type': 'application/json' }
  new Headers(headers)
  return body === undefined
    ? { method, signal, headers }
    : { method, signal, headers, body: JSON.stringify(body) }
}

/** Undefined when the text is not JSON. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An envelope, or the bare object of a probe. */
type Body = { code?: unknown; data?: unknown } | null | undefined

const isEnvelope = (body: Body): boolean => body?.code === 0 && Object.hasOwn(body, 'data')

/** Whether this is the service's own successful answer. A proxy may answer 200 in its place. */
const isSuccess = ({ file, bare, alsoOk }: WireRequest, { ok, status }: Response, body: Body): boolean =>
  bare === undefined
    ? ok && file === undefined && isEnvelope(body)
    : (ok || status === alsoOk) && Object.hasOwn(body ?? {}, bare)

/** Sends requests by `fetch`. They reject with an `ApiError`, or with the reason of the caller's abort. */
export const createWire = (baseUrl: string, fetch: typeof globalThis.fetch, retries: number): Wire => {
  const root = rootOf(baseUrl)

  const read = async ({ file }: WireRequest, url: string, init: RequestInit) => {
    const response = await fetch(url, init)
    const isFile = response.ok && file?.test(response.headers.get('content-type') ?? '') === true
    return { response, isFile, body: isFile ? undefined : (parse(await response.text()) as Body) }
  }

  const exchange = async (request: WireRequest): Promise<WireAnswer> => {
    const { signal, path, query, bare } = request
    const [url, init] = [`${root}${path}${searchOf(query)}`, initOf(request)]
    const { response, isFile, body } = await read(request, url, init).catch((cause: unknown) => {
      throw signal.aborted ? (signal.reason as Error) : noAnswer('network', cause)
    })
    if (!isFile && !isSuccess(request, response, body)) throw errorOf(response, body)
    return { response, data: bare === undefined ? body?.data : body }
  }

  const repeat = async (request: WireRequest, endsAt: number, attempt: number): Promise<WireAnswer> => {
    try {
      return await exchange(request)
    } catch (err) {
      const waitMs = attempt < retries ? delayBefore(attempt, request, err) : undefined
      if (waitMs === undefined || Date.now() + waitMs >= endsAt) throw err
      await sleep(waitMs, request.signal)
      return repeat(request, endsAt, attempt + 1)
    }
  }

  return { exchange, exchangePatiently: (request, endsAt) => repeat(request, endsAt, 0) }
}
