import { ApiError } from './errors.ts'
import type { SessionHolder } from './session.ts'
import type { Tokens } from './storage.ts'
import { sessionOf } from './tokens.ts'
import { within, type Deadline } from './waiting.ts'
import type { Method, Wire, WireAnswer } from './wire.ts'

/** What a single call can say besides its input. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. A write may have been done all the same. */
  signal?: AbortSignal | undefined
  /** Milliseconds for this call, all attempts and a refresh included; for a file, until it begins. */
  timeoutMs?: number | undefined
}

/** What an endpoint takes. */
export interface Input {
  query?: object | undefined
  body?: unknown
  /** Whether the request goes out without a token. */
  isPublic?: boolean
  /** Of an answer without envelope: a field that it has. */
  bare?: string
  /** Another status that is an answer, too. */
  alsoOk?: number
}

/** Below `/api/v1`, unless it starts with `/.well-known/`. Made when it is sent, so that a value that cannot be in it rejects. */
export type Path = string | (() => string)

interface Call extends Input {
  method: Method
  path: Path
  /** What the content type of a file must be; its body is left to be read. */
  file?: RegExp
}

export interface Sender {
  wire: Wire
  session: SessionHolder
  timeoutMs: number
  /** In scope instead of the own tenant of who is signed in. */
  tenantId: string | undefined
}

/** The service declares a token dead before it does anything: then even a write may be sent again. */
const isTokenRefused = (err: unknown): boolean => err instanceof ApiError && err.reason === 'tokenInvalid'

/** Sends calls in the name of who is signed in. */
export const createSend = ({ wire, session, timeoutMs, tenantId }: Sender) => {
  const headersFor = (tokens: Tokens | undefined): Record<string, string> => {
    if (!tokens) return {}
    const scope = tenantId ?? sessionOf(tokens)?.tenantId
    const authorization = `Bearer ${tokens.accessToken}`
    return scope === undefined ? { authorization } : { authorization, 'x-tenant-id': scope }
  }

  const sendAs = (tokens: Tokens | undefined, call: Call, { signal, endsAt }: Deadline) => {
    const { isPublic: _, path, ...rest } = call
    const below = typeof path === 'string' ? path : path()
    const whole = below.startsWith('/.well-known/') ? below : `/api/v1${below}`
    return wire.exchangePatiently({ ...rest, path: whole, headers: headersFor(tokens), signal }, endsAt)
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

  return (call: Call, options: CallOptions = {}): Promise<WireAnswer> =>
    within(options.timeoutMs ?? timeoutMs, options.signal, async (deadline) =>
      call.isPublic ? sendAs(undefined, call, deadline) : sendSignedIn(call, deadline),
    )
}
