import { ApiError, errorOf, isPassing, noAnswer } from './errors.ts'
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
  /** What the content type of a file must be; its body is left for the caller to read. */
  file?: RegExp
  /** Of an answer without envelope: a field that it has. */
  bare?: string
  /** Another status that is an answer, too. */
  alsoOk?: number
}

export interface WireAnswer {
  response: Response
  /** What the envelope holds, or the bare answer; undefined for a file. */
  data: unknown
}

export interface Wire {
  /** Sends a request once. */
  exchange(request: WireRequest): Promise<WireAnswer>
  /** Sends it again, as long as that is safe, and another try can help before `endsAt`. */
  exchangePatiently(request: WireRequest, endsAt: number): Promise<WireAnswer>
}

/** Beyond this nobody wants to wait before a page: the error tells the caller how long. */
const retryAfterSecondsMax = 10

/** The service answers these before it does anything: then even a write may be sent again. */
const isUndone = (err: unknown): err is ApiError =>
  err instanceof ApiError && (err.reason === 'tooManyRequests' || err.reason === 'overloaded')

/** Milliseconds to wait before another attempt; undefined when none is worth it, or it could do a write twice. */
const delayBefore = (attempt: number, method: Method, err: unknown): number | undefined => {
  if (!isUndone(err) && !(method === 'GET' && isPassing(err))) return undefined
  const { retryAfterSeconds = 0 } = err
  return retryAfterSeconds > retryAfterSecondsMax ? undefined : retryAfterSeconds * 1000 + backoffMs(attempt)
}

/** What requests go to. Throws where that is nothing, as without `baseUrl` outside of a page. */
const rootOf = (baseUrl: string): string => {
  const root = baseUrl.replace(/\/+$/, '')
  const fault = `baseUrl has to be an address such as https://admin.example.com: '${baseUrl}'`
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

/** Throws what is wrong with the input: a body that is no JSON, a header that is none. */
const initOf = ({ method, body, headers: given, signal }: WireRequest): RequestInit => {
  const headers = body === undefined ? { ...given } : { ...given, 'content-type': 'application/json' }
  new Headers(headers)
  return body === undefined
    ? { method, signal, headers }
    : { method, signal, headers, body: JSON.stringify(body) }
}

/** Undefined for what is no JSON. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The body of an answer that is no file: an envelope, or the bare object of a probe. */
type Body = { code?: unknown; data?: unknown } | null | undefined

const isEnvelope = (body: Body): boolean => body?.code === 0 && Object.hasOwn(body, 'data')

/** Whether the service has answered, and with success: a proxy answers in its place, too. */
const isSuccess = ({ file, bare, alsoOk }: WireRequest, { ok, status }: Response, body: Body): boolean =>
  bare === undefined
    ? ok && file === undefined && isEnvelope(body)
    : (ok || status === alsoOk) && Object.hasOwn(body ?? {}, bare)

/** Sends requests by `fetch`: what comes back is an answer, or an `ApiError`, or the reason of the caller's abort. */
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
      const waitMs = attempt < retries ? delayBefore(attempt, request.method, err) : undefined
      if (waitMs === undefined || Date.now() + waitMs >= endsAt) throw err
      await sleep(waitMs, request.signal)
      return repeat(request, endsAt, attempt + 1)
    }
  }

  return { exchange, exchangePatiently: (request, endsAt) => repeat(request, endsAt, 0) }
}
