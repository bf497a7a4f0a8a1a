import { ApiError } from './errors.ts'
import type { ClientSession } from './session/session.ts'
import type { Tokens } from './session/storage.ts'
import { sessionOf } from './session/tokens.ts'
import { within, type Deadline } from './waiting.ts'
import type { Method, Wire, WireAnswer } from './wire.ts'

export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. The service may still have carried out a write. */
  signal?: AbortSignal | undefined
  /** Milliseconds for this call, including retries and a renewal. For a file, the time ends when its body begins. */
  timeoutMs?: number | undefined
  /**
   * The `ETag` that a read gave, such as `"3"`. If the resource has changed since that read, the write rejects with
   * `versionOutdated`.
   */
  ifMatch?: string | undefined
  /** The id of the approval that this change needs, from `approvals.ask`. */
  approvalId?: number | undefined
}

export interface Input {
  query?: object | undefined
  body?: unknown
  /** Sends the request without a token. */
  isPublic?: boolean
  /** A field that identifies an answer without an envelope. */
  bare?: string
  /** A status that counts as success besides 2xx. */
  alsoOk?: number
  /** A status that a retry cannot change. */
  lasting?: number
}

/**
 * A path below `/api/v1` or `/.well-known/`. A function defers the encoding, so that an invalid value rejects the
 * call instead of throwing.
 */
export type Path = string | (() => string)

interface Call extends Input {
  method: Method
  path: Path
  headers?: Record<string, string>
  /** Accepted content types of a file. The caller reads its body. */
  file?: RegExp
}

export interface Sender {
  wire: Wire
  session: ClientSession
  timeoutMs: number
  /** The tenant in scope; undefined for the user's own tenant. */
  tenantId: string | undefined
}

/** The service refuses a token before it does anything. Therefore even a write can be sent again. */
export const isTokenRefused = (err: unknown): boolean =>
  err instanceof ApiError && err.reason === 'tokenInvalid'

export const createSend = ({ wire, session, timeoutMs, tenantId }: Sender) => {
  const headersFor = (tokens: Tokens | undefined): Record<string, string> => {
    if (!tokens) return {}
    const scope = tenantId ?? sessionOf(tokens)?.tenantId
    const authorization = `Bearer ${tokens.accessToken}`
    return scope === undefined ? { authorization } : { authorization, 'x-tenant-id': scope }
  }

  const sendAs = (tokens: Tokens | undefined, call: Call, { signal, endsAt }: Deadline) => {
    const { isPublic: _, path, headers, ...rest } = call
    const below = typeof path === 'string' ? path : path()
    const whole = below.startsWith('/.well-known/') ? below : `/api/v1${below}`
    const request = { ...rest, path: whole, headers: { ...headers, ...headersFor(tokens) }, signal }
    return wire.exchangePatiently(request, endsAt)
  }

  const sendSignedIn = async (call: Call, deadline: Deadline): Promise<WireAnswer> => {
    const tokens = await session.current(deadline.signal)
    try {
      return await sendAs(tokens, call, deadline)
    } catch (err) {
      if (!tokens || !isTokenRefused(err)) throw err
      const renewed = await session.renew(tokens, deadline.signal)
      if (!renewed) throw err
      return sendAs(renewed, call, deadline)
    }
  }

  const withConditions = (call: Call, { ifMatch, approvalId }: CallOptions): Call => ({
    ...call,
    headers: {
      ...call.headers,
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(approvalId !== undefined && { 'x-approval-id': String(approvalId) }),
    },
  })

  return (given: Call, options: CallOptions = {}): Promise<WireAnswer> => {
    const call = withConditions(given, options)
    return within(options.timeoutMs ?? timeoutMs, options.signal, async (deadline) =>
      call.isPublic ? sendAs(undefined, call, deadline) : sendSignedIn(call, deadline),
    )
  }
}
