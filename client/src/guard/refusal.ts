/** Reasons of a refusal with their HTTP status. */
const statuses = {
  tokenMissing: 401,
  tokenInvalid: 401,
  sessionOver: 401,
  permissionMissing: 403,
  permissionUnknown: 500,
  unavailable: 503,
} as const

export type RefusalReason = keyof typeof statuses

/** RFC 6750 names the errors of a protected resource. */
const challenges: Partial<Record<RefusalReason, string>> = {
  tokenMissing: 'Bearer',
  tokenInvalid: 'Bearer error="invalid_token"',
  sessionOver: 'Bearer error="invalid_token"',
  permissionMissing: 'Bearer error="insufficient_scope"',
}

const headersOf = (reason: RefusalReason, retryAfterSeconds: number): Record<string, string> => {
  const challenge = challenges[reason]
  if (challenge !== undefined) return { 'www-authenticate': challenge }
  return reason === 'unavailable' ? { 'retry-after': String(retryAfterSeconds) } : {}
}

/** The JSON that a refused request gets. */
export interface RefusalBody {
  error: RefusalReason
  message: string
}

/** The answer to a request that the guard does not let through. */
export class Refusal extends Error {
  readonly status: (typeof statuses)[RefusalReason]
  readonly headers: Record<string, string>
  readonly body: RefusalBody

  constructor(reason: RefusalReason, message: string, retryAfterSeconds = 1) {
    super(message)
    this.status = statuses[reason]
    this.headers = headersOf(reason, retryAfterSeconds)
    this.body = { error: reason, message }
  }
}
