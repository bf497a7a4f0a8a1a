import type { TokenPair } from '../schema.ts'
import type { Tokens } from './storage.ts'

/** The user who is signed in, as the access token names them. Only the service knows their permissions. */
export interface Session {
  userId: number
  /** The user's own tenant. */
  tenantId: string
  sessionId: string
  /** The connection that opened the session. Absent for every other sign-in. */
  connectionId?: string
}

/** Whether a header can hold the value. */
const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\w~+/.=-]+$/.test(value)

/** Reads the access token; undefined when it names no session. Only the service verifies it. */
export const sessionOf = ({ accessToken }: Tokens): Session | undefined => {
  const payload = accessToken.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
  try {
    const { sub, tid, sid, con } = JSON.parse(atob(payload)) as Record<string, unknown>
    return isToken(sub) && isToken(tid) && isToken(sid)
      ? { userId: Number(sub), tenantId: tid, sessionId: sid, ...(isToken(con) && { connectionId: con }) }
      : undefined
  } catch {
    return undefined
  }
}

/** The part of the tokens that a renewal keeps. */
export const sessionIdOf = (tokens: Tokens): string => sessionOf(tokens)?.sessionId ?? tokens.accessToken

export const isSameUser = (one: Tokens, other: Tokens | undefined): boolean => {
  if (other === undefined) return false
  const [first, second] = [sessionOf(one), sessionOf(other)]
  return first?.userId === second?.userId && first?.tenantId === second?.tenantId
}

/** The answer to a renewal. A cookie may hold the refresh token instead. */
export type Renewed = Omit<TokenPair, 'refresh_token'> & Partial<Pick<TokenPair, 'refresh_token'>>

/** The time counts from before the request, only by the clock of this machine: that clock may be wrong. */
export const tokensOf = (pair: Renewed, askedAt: number): Tokens => ({
  accessToken: pair.access_token,
  refreshToken: pair.refresh_token ?? '',
  expiresAt: askedAt + pair.expires_in * 1000,
})

/** The stored tokens; undefined when another program or an older version has written something else. */
export const tokensIn = (stored: unknown): Tokens | undefined => {
  const { accessToken, refreshToken, expiresAt } = (stored ?? {}) as Partial<Record<keyof Tokens, unknown>>
  return isToken(accessToken) &&
    (refreshToken === '' || isToken(refreshToken)) &&
    typeof expiresAt === 'number'
    ? { accessToken, refreshToken, expiresAt }
    : undefined
}
