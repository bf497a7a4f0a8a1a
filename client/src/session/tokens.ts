import type { TokenPair } from '../schema.ts'
import type { Tokens } from './storage.ts'

/** The signed-in user, as the access token names them. Only the service knows their permissions. */
export interface Session {
  userId: number
  tenantId: string
  sessionId: string
  /** The connection that opened the session; absent if another sign-in did. */
  connectionId?: string
}

/** True if an HTTP header can hold the value. */
const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\w~+/.=-]+$/.test(value)

/** Reads the access token without verifying it. Undefined if it names no session. */
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

/** Identifies the session: a renewal does not change it. */
export const sessionIdOf = (tokens: Tokens): string => sessionOf(tokens)?.sessionId ?? tokens.accessToken

export const isSameUser = (one: Tokens, other: Tokens | undefined): boolean => {
  if (other === undefined) return false
  const [first, second] = [sessionOf(one), sessionOf(other)]
  return first?.userId === second?.userId && first?.tenantId === second?.tenantId
}

/** The answer to a renewal. A cookie may hold the refresh token instead. */
export type Renewed = Omit<TokenPair, 'refresh_token'> & Partial<Pick<TokenPair, 'refresh_token'>>

/** The lifetime counts from before the request, by the clock of this machine only: that clock may be wrong. */
export const tokensOf = (pair: Renewed, askedAt: number): Tokens => ({
  accessToken: pair.access_token,
  refreshToken: pair.refresh_token ?? '',
  expiresAt: askedAt + pair.expires_in * 1000,
})

/** Checks the stored value. Undefined if another program or an older version wrote something else. */
export const tokensIn = (stored: unknown): Tokens | undefined => {
  const { accessToken, refreshToken, expiresAt } = (stored ?? {}) as Partial<Record<keyof Tokens, unknown>>
  return isToken(accessToken) &&
    (refreshToken === '' || isToken(refreshToken)) &&
    typeof expiresAt === 'number'
    ? { accessToken, refreshToken, expiresAt }
    : undefined
}
