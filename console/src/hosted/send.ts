/** Requests of the sign-in pages (docs/endpoints.md). */
import { ApiError, errorCodes, type ErrorName, type FieldError } from '@tenantry/client'

const timeoutMs = 15_000

interface Body {
  code?: number
  message?: string
  data?: unknown
  trace_id?: string
}

const reasonOf = (code: number): ErrorName | 'unknown' =>
  (Object.keys(errorCodes) as ErrorName[]).find((name) => errorCodes[name] === code) ?? 'unknown'

const refusalOf = (
  { status, headers }: Response,
  { code = 0, message = '', data, trace_id }: Body,
): ApiError => {
  const wait = Number(headers.get('retry-after') ?? Number.NaN)
  return new ApiError({
    status,
    code,
    reason: reasonOf(code),
    message,
    fields: (data as { errors?: FieldError[] } | null)?.errors,
    data,
    traceId: trace_id,
    retryAfterSeconds: Number.isNaN(wait) ? undefined : wait,
  })
}

const noAnswer = (cause: unknown): ApiError => {
  const reason = cause instanceof Error && cause.name === 'TimeoutError' ? 'timeout' : 'network'
  return new ApiError({ status: 0, code: 0, reason, message: 'No answer', cause })
}

/** Sends a request. Throws an `ApiError`. The SDK would double the size of the pages. */
export const send = async <Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
  // oxlint-disable-next-line no-restricted-globals -- the only request of these pages
  const response = await fetch(path, {
    method,
    headers: { 'accept-language': document.documentElement.lang, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw noAnswer(cause)
  })
  const answer = (await response.json().catch(() => ({}))) as Body
  if (answer.code !== 0) throw refusalOf(response, answer)
  return answer.data as Answer
}

/** Whether the service refused for one of these reasons. */
export const isReason = (error: unknown, ...reasons: ErrorName[]): boolean =>
  error instanceof ApiError && (reasons as string[]).includes(error.reason)
