import { errorCodes, type ErrorName } from './error-codes.ts'

/** One invalid field of a request, as in `{ field: 'username', message: 'must have at least 3 characters' }`. */
export interface FieldError {
  field: string
  message: string
}

/**
 * Why a call failed: the name of the API's error code, or one of four reasons of the SDK. `network`: no answer came.
 * `timeout`: no answer came in time. `storage`: the storage of the session failed. `unknown`: a proxy answered
 * instead of the service, or the code is newer than this SDK.
 */
export type ErrorReason = ErrorName | 'network' | 'timeout' | 'storage' | 'unknown'

/** A change as it was sent, which `approvals.ask` takes. */
export interface SentChange {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`, with its query. */
  path: string
  body?: unknown
}

/** A refused change, and the tenant that it named. */
export interface RefusedChange {
  change: SentChange
  tenantId: string | undefined
}

export interface ApiErrorDetails {
  status: number
  code: number
  reason: ErrorReason
  message: string
  fields?: FieldError[] | undefined
  traceId?: string | undefined
  retryAfterSeconds?: number | undefined
  data?: unknown
  refused?: RefusedChange | undefined
  cause?: unknown
}

/**
 * The error of every failed call. One exception: a call that the caller's signal aborts rejects with the signal's
 * reason, as `fetch` does.
 *
 * @example
 * try {
 *   await client.roles.create({ name: 'Editors' })
 * } catch (err) {
 *   if (!(err instanceof ApiError)) throw err
 *   if (err.reason === 'roleNameTaken') console.log('Choose another name')
 *   for (const { field, message } of err.fields) console.log(field, message)
 *   console.log(err.status, err.code, err.message, err.traceId)
 * }
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status; 0 without an answer. */
  readonly status: number
  /** The API's code, see `errorCodes`; 0 if the service itself did not answer. */
  readonly code: number
  readonly reason: ErrorReason
  /** The invalid fields; empty unless the error is about fields. */
  readonly fields: FieldError[]
  /** The id under which the service's log has the request; '' without an answer. */
  readonly traceId: string
  /** Seconds to wait before a retry, from the answer's Retry-After (429, 503). */
  readonly retryAfterSeconds: number | undefined
  /** `data` of the answer: for `factorRequired` the second step, for `passwordRefused` the `reasons`. */
  readonly data: unknown
  /** Private, so that no log of the error shows the secrets of a body. */
  readonly #refused: RefusedChange | undefined

  constructor({ message, cause, fields = [], traceId = '', ...details }: ApiErrorDetails) {
    super(message, { cause })
    this.status = details.status
    this.code = details.code
    this.reason = details.reason
    this.fields = fields
    this.traceId = traceId
    this.retryAfterSeconds = details.retryAfterSeconds
    this.data = details.data
    this.#refused = details.refused
  }

  /** For `approvalNeeded`: the refused change. Its body can hold secrets. */
  get refused(): RefusedChange | undefined {
    return this.#refused
  }
}

const withoutAnswer = {
  network: 'The service cannot be reached',
  timeout: 'The service did not answer in time',
  storage: 'The storage of the session failed',
}

export const noAnswer = (reason: keyof typeof withoutAnswer, cause?: unknown): ApiError =>
  new ApiError({ status: 0, code: 0, reason, message: withoutAnswer[reason], cause })

/** True if a later retry can succeed: no answer came, or a limit or an outage refused the call. */
export const isTransient = (err: unknown): err is ApiError =>
  err instanceof ApiError && [0, 429, 502, 503, 504].includes(err.status)

interface Failure {
  code: number
  message: string
  data?: { errors?: FieldError[] } | null
  trace_id?: string
}

/** An empty object if a proxy answered instead of the service. */
const failureIn = (body: unknown): Partial<Failure> => {
  const { code } = (body ?? {}) as { code?: unknown }
  return typeof code === 'number' && code !== 0 ? (body as Failure) : {}
}

const nameOf = (code: number): ErrorName | undefined =>
  (Object.keys(errorCodes) as ErrorName[]).find((name) => errorCodes[name] === code)

/** Retry-After holds seconds. A proxy may write a date instead. */
const secondsOf = (header: string | null): number | undefined => {
  if (header === null) return undefined
  const seconds = header.endsWith('GMT') ? (Date.parse(header) - Date.now()) / 1000 : Number(header)
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}

const traceIdIn = (headers: Headers): string | undefined => headers.get('x-trace-id') ?? undefined

export const errorOf = (
  { status, headers }: Response,
  body: unknown,
  refused: () => RefusedChange,
): ApiError => {
  const foreign = `The answer did not come from the service (HTTP ${status})`
  const { code = 0, message = foreign, data, trace_id } = failureIn(body)
  const reason = nameOf(code) ?? 'unknown'
  return new ApiError({
    status,
    code,
    reason,
    message,
    fields: data?.errors,
    data,
    refused: reason === 'approvalNeeded' ? refused() : undefined,
    traceId: trace_id ?? traceIdIn(headers),
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
  })
}
