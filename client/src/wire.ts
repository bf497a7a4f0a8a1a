import { ApiError, errorOf, isTransient, noAnswer, type RefusedChange } from './errors.ts'
import { backoffMs, sleep } from './waiting.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface WireRequest {
  method: Method
  /** From the host root, with a leading slash. */
  path: string
  /** Undefined values are left out. */
  query?: object | undefined
  body?: unknown
  headers?: Record<string, string>
  signal: AbortSignal
  /** Accepted content types of a file. The caller reads its body. */
  file?: RegExp
  /** A field that identifies an answer without an envelope. */
  bare?: string
  /** A status that counts as success besides 2xx. */
  alsoOk?: number
  /** A status that a retry cannot change. */
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

/** A user waits no longer in front of a page. The error carries the full delay. */
const retryAfterSecondsMax = 10

/** The service refuses these requests before it does anything. Therefore even a write can be sent again. */
const isUndone = (err: unknown): err is ApiError =>
  err instanceof ApiError && (err.reason === 'tooManyRequests' || err.reason === 'overloaded')

/** Milliseconds before the next attempt; undefined if a retry cannot help or could repeat a write. */
const delayBefore = (attempt: number, request: WireRequest, err: unknown): number | undefined => {
  if (!isUndone(err) && !(request.method === 'GET' && isTransient(err))) return undefined
  if (err.status === request.lasting) return undefined
  const { retryAfterSeconds = 0 } = err
  return retryAfterSeconds > retryAfterSecondsMax ? undefined : retryAfterSeconds * 1000 + backoffMs(attempt)
}

/** Removes trailing slashes. Throws a TypeError for a relative address outside a page. */
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

const refusedOf = ({ method, path, query, body, headers }: WireRequest): RefusedChange => ({
  change: {
    // The service refuses no GET for want of an approval.
    method: method as Exclude<Method, 'GET'>,
    path: `${path.replace(/^\/api\/v1/, '')}${searchOf(query)}`,
    ...(body !== undefined && { body }),
  },
  tenantId: headers?.['x-tenant-id'],
})

/** Undefined when the text is not JSON. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A probe answers a bare object, all others an envelope. */
type Body = { code?: unknown; data?: unknown } | null | undefined

const isEnvelope = (body: Body): boolean => body?.code === 0 && Object.hasOwn(body, 'data')

/** True if the service itself answered with success. A proxy may answer 200 in its place. */
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
    if (!isFile && !isSuccess(request, response, body)) {
      throw errorOf(response, body, () => refusedOf(request))
    }
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
