import { errorCodes, type ErrorName } from './error-codes.ts'

/** One invalid field of a request, as in `{ field: 'username', message: 'must have at least 3 characters' }`. */
export interface FieldError {
  field: string
  message: string
}

/**
 * Why a call failed: the name of the API's error code; `network` when no answer came, `timeout` when none came in time;
 * `storage` when the session could not be read or kept; `unknown` for an answer that is not the service's own, such as a
 * proxy's page, or for a code that is newer than this SDK.
 */
export type ErrorReason = ErrorName | 'network' | 'timeout' | 'storage' | 'unknown'

/** What an `ApiError` is made of. */
export interface ApiErrorDetails {
  status: number
  code: number
  reason: ErrorReason
  message: string
  fields?: FieldError[] | undefined
  traceId?: string | undefined
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/**
 * The one error of this SDK; an abort by the caller's own signal aside, which rejects with the reason of that signal, as
 * `fetch` does.
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
  /** HTTP status; 0 when there is no answer. */
  readonly status: number
  /** The API's code, see `errorCodes`; 0 when the answer is not the service's own, or there is none. */
  readonly code: number
  /** The code by its name. */
  readonly reason: ErrorReason
  /** The fields that are invalid; empty unless `reason` is `invalidInput`. */
  readonly fields: FieldError[]
  /** Finds the request in the log of the service; '' when no answer came. */
  readonly traceId: string
  /** Seconds to wait before another try, where the service said so (429, 503). */
  readonly retryAfterSeconds: number | undefined

  constructor({ message, cause, fields = [], traceId = '', ...details }: ApiErrorDetails) {
    super(message, { cause })
    this.status = details.status
    this.code = details.code
    this.reason = details.reason
    this.fields = fields
    this.traceId = traceId
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

const withoutAnswer = {
  network: 'The service cannot be reached',
  timeout: 'The service did not answer in time',
  storage: 'The session could not be read or kept',
}

/** The error for a call that got no answer. */
export const noAnswer = (reason: keyof typeof withoutAnswer, cause?: unknown): ApiError =>
  new ApiError({ status: 0, code: 0, reason, message: withoutAnswer[reason], cause })

/** Whether another try can help. */
export const isPassing = (err: unknown): err is ApiError =>
  err instanceof ApiError && [0, 429, 502, 503, 504].includes(err.status)

/** The envelope of a failure. */
interface Failure {
  code: number
  message: string
  data?: { errors?: FieldError[] } | null
  trace_id?: string
}

/** Nothing when another than the service has answered. */
const failureIn = (body: unknown): Partial<Failure> => {
  const { code } = (body ?? {}) as { code?: unknown }
  return typeof code === 'number' && code !== 0 ? (body as Failure) : {}
}

const nameOf = (code: number): ErrorName | undefined =>
  (Object.keys(errorCodes) as ErrorName[]).find((name) => errorCodes[name] === code)

/** What Retry-After says: seconds, or a date as a proxy may write it. */
const secondsOf = (header: string | null): number | undefined => {
  if (header === null) return undefined
  const seconds = header.endsWith('GMT') ? (Date.parse(header) - Date.now()) / 1000 : Number(header)
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}

/** The error that an answer stands for. */
export const errorOf = ({ status, headers }: Response, body: unknown): ApiError => {
  const foreign = `The answer is not one of the service (HTTP ${status})`
  const { code = 0, message = foreign, data, trace_id } = failureIn(body)
  return new ApiError({
    status,
    code,
    reason: nameOf(code) ?? 'unknown',
    message,
    fields: data?.errors,
    traceId: trace_id ?? headers.get('x-trace-id') ?? undefined,
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
  })
}
