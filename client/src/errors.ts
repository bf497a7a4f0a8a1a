import { errorCodes, type ErrorName } from './error-codes.ts'

/** One invalid field of a request, as in `{ field: 'username', message: 'must have at least 3 characters' }`. */
export interface FieldError {
  field: string
  message: string
}

/**
 * Why a call failed: the name of the API's error code; `network` when no answer came, `timeout` when none came in time,
 * `unknown` for an answer that is not the service's own, such as a proxy's page.
 */
export type ErrorReason = ErrorName | 'network' | 'timeout' | 'unknown'

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
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** The API's code, see `errorCodes`; 0 when the answer is not the service's own, or none came. */
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

/** The error for a request that got no answer. */
export const noAnswer = (reason: 'network' | 'timeout', cause?: unknown): ApiError => {
  const message =
    reason === 'network' ? 'The service cannot be reached' : 'The service did not answer in time'
  return new ApiError({ status: 0, code: 0, reason, message, cause })
}

/** The body of a failing answer: the envelope, if the service itself has sent it. */
interface Failure {
  code?: unknown
  message?: unknown
  data?: { errors?: FieldError[] } | null
  trace_id?: string
}

const nameOf = (code: unknown): ErrorName | undefined =>
  (Object.keys(errorCodes) as ErrorName[]).find((name) => errorCodes[name] === code)

/** Whole seconds; a date is left to who asked for it. */
const secondsOf = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Number(header) : undefined

/** The error that an answer stands for. */
export const errorOf = ({ status, headers }: Response, body: unknown): ApiError => {
  const { code, message, data, trace_id } = (body ?? {}) as Failure
  return new ApiError({
    status,
    code: typeof code === 'number' ? code : 0,
    reason: nameOf(code) ?? 'unknown',
    message: typeof message === 'string' ? message : `The answer is not one of the service (HTTP ${status})`,
    fields: data?.errors,
    traceId: trace_id ?? headers.get('x-trace-id') ?? undefined,
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
  })
}
