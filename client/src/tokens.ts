import type { TokenPair } from './schema.ts'
import type { Tokens } from './storage.ts'

/** Who is signed in, as the token says; what they may do, only the service knows. */
export interface Session {
  userId: number
  /** The user's own tenant. */
  tenantId: string
  sessionId: string
}

interface Claims {
  sub: string
  tid: string
  sid: string
}

/** What a token says; undefined when it says nothing. It is not verified: the service does that. */
export const sessionOf = ({ accessToken }: Tokens): Session | undefined => {
  const payload = accessToken.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
  try {
    const { sub, tid, sid } = JSON.parse(atob(payload)) as Claims
    return { userId: Number(sub), tenantId: tid, sessionId: sid }
  } catch {
    return undefined
  }
}

export const isSameSession = (one: Tokens, other: Tokens | undefined): boolean =>
  other !== undefined && sessionOf(one)?.sessionId === sessionOf(other)?.sessionId

/** Counted from before the request, by this machine's clock alone: whether that is right does not matter. */
export const tokensOf = (pair: TokenPair, askedAt: number): Tokens => ({
  accessToken: pair.access_token,
  refreshToken: pair.refresh_token,
  expiresAt: askedAt + pair.expires_in * 1000,
})
