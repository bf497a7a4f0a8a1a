import type { TokenPair } from './schema.ts'
import type { Tokens } from './storage.ts'

/** Who is signed in, as the token says; what they may do, only the service knows. */
export interface Session {
  userId: number
  /** The user's own tenant. */
  tenantId: string
  sessionId: string
}

/** What can go into a header. */
const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\w~+/.=-]+$/.test(value)

/** What a token says; undefined when it says nothing. It is not verified: the service does that. */
export const sessionOf = ({ accessToken }: Tokens): Session | undefined => {
  const payload = accessToken.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
  try {
    const { sub, tid, sid } = JSON.parse(atob(payload)) as Record<string, unknown>
    return isToken(sub) && isToken(tid) && isToken(sid)
      ? { userId: Number(sub), tenantId: tid, sessionId: sid }
      : undefined
  } catch {
    return undefined
  }
}

/** What stays the same when a session is renewed. */
export const sessionIdOf = (tokens: Tokens): string => sessionOf(tokens)?.sessionId ?? tokens.refreshToken

export const isSameUser = (one: Tokens, other: Tokens | undefined): boolean => {
  if (other === undefined) return false
  const [first, second] = [sessionOf(one), sessionOf(other)]
  return first?.userId === second?.userId && first?.tenantId === second?.tenantId
}

/** Counted from before the request, by this machine's clock alone: whether that is right does not matter. */
export const tokensOf = (pair: TokenPair, askedAt: number): Tokens => ({
  accessToken: pair.access_token,
  refreshToken: pair.refresh_token,
  expiresAt: askedAt + pair.expires_in * 1000,
})

/** The tokens that were stored; undefined for what is none: somebody else wrote it, or an older version did. */
export const tokensIn = (stored: unknown): Tokens | undefined => {
  const { accessToken, refreshToken, expiresAt } = (stored ?? {}) as Partial<Record<keyof Tokens, unknown>>
  return isToken(accessToken) && isToken(refreshToken) && typeof expiresAt === 'number'
    ? { accessToken, refreshToken, expiresAt }
    : undefined
}
