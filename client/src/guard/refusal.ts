const statuses = {
  tokenMissing: 401,
  tokenInvalid: 401,
  sessionOver: 401,
  permissionMissing: 403,
  permissionUnknown: 500,
  unavailable: 503,
} as const

export type RefusalReason = keyof typeof statuses

/** The error codes of RFC 6750 for the challenge. */
const challenges: Partial<Record<RefusalReason, string[]>> = {
  tokenMissing: [],
  tokenInvalid: ['error="invalid_token"'],
  sessionOver: ['error="invalid_token"'],
  permissionMissing: ['error="insufficient_scope"'],
}

/** The JSON body of a refusal. */
export interface RefusalBody {
  error: RefusalReason
  message: string
}

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

  /** Adds the challenge of RFC 6750 to statuses that have one. Its parameters say how a client gets a token. */
  challengedBy(parameters: readonly string[]): this {
    const challenge = challenges[this.body.error]
    if (challenge) {
      this.headers['www-authenticate'] = `Bearer ${[...challenge, ...parameters].join(', ')}`.trimEnd()
    }
    return this
  }
}
