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
const challenges: Partial<Record<RefusalReason, string[]>> = {
  tokenMissing: [],
  tokenInvalid: ['error="invalid_token"'],
  sessionOver: ['error="invalid_token"'],
  permissionMissing: ['error="insufficient_scope"'],
}

/** The JSON that a refused request gets. */
export interface RefusalBody {
  error: RefusalReason
  message: string
}

/** The answer to a request that the guard does not let through. */
export class Refusal extends Error {
  readonly status: (typeof statuses)[RefusalReason]
  readonly body: RefusalBody
  readonly headers: Record<string, string> = {}

  constructor(reason: RefusalReason, message: string, retryAfterSeconds = 1) {
    super(message)
    this.status = statuses[reason]
    this.body = { error: reason, message }
    if (reason === 'unavailable') this.headers['retry-after'] = String(retryAfterSeconds)
  }

  /** Adds the challenge of RFC 6750 where the status has one, with parameters that tell a client how to get a token. */
  challengedBy(parameters: readonly string[]): this {
    const challenge = challenges[this.body.error]
    if (challenge) {
      this.headers['www-authenticate'] = `Bearer ${[...challenge, ...parameters].join(', ')}`.trimEnd()
    }
    return this
  }
}
