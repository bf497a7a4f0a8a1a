import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { tokenAlgorithm, type Keys } from './keys.ts'
import { isCanonical } from './statements.ts'

/** Service API, Authentication 1: the access token lives 2 hours, the refresh token 7 days. */
export const accessTokenSeconds = 7200
export const refreshTokenSeconds = 7 * 24 * 3600

export type TokenUse = 'access' | 'refresh'

/** What a verified token says: who, never what they may do. */
export interface Claims {
  userId: number
  tenantId: string
  sessionId: string
  /** Which refresh of the session made the token (see sessions.ts). */
  generation: number
  /** Unix seconds. */
  expiresAt: number
}

export interface Tokens {
  sign(use: TokenUse, claims: Omit<Claims, 'expiresAt'>, now: Date): Promise<string>
  /** The claims of a valid token of that use, undefined for any other: expired, forged, of the other use. */
  verify(use: TokenUse, token: string, now: Date): Promise<Claims | undefined>
  /** Forgets verified tokens: the keys have changed. */
  forget(): void
}

/** A verified token is remembered: checking an Ed25519 signature costs 0.1 ms. About 1 kB each. */
const rememberedTokens = 10_000

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Payload {
  sub?: unknown
  tid?: unknown
  sid?: unknown
  jti?: unknown
  exp?: unknown
}

const readClaims = (payload: Payload): Claims | undefined => {
  const userId = Number(payload.sub)
  const tenantId = String(payload.tid)
  const sessionId = String(payload.sid)
  const generation = Number.parseInt(String(payload.jti), 10)
  const isSound =
    Number.isSafeInteger(userId) &&
    uuid.test(tenantId) &&
    uuid.test(sessionId) &&
    Number.isSafeInteger(generation)
  return isSound ? { userId, tenantId, sessionId, generation, expiresAt: Number(payload.exp) } : undefined
}

export const createTokens = (keys: Keys, issuer: string): Tokens => {
  const remembered = new LRUCache<string, Claims>({ max: rememberedTokens })

  const verifyAnew = async (use: TokenUse, token: string, now: Date): Promise<Claims | undefined> => {
    const { payload } = await jwtVerify(
      token,
      async (header) => {
        const key = header.kid === undefined ? undefined : await keys.verifying(header.kid)
        if (!key) throw new UnknownKey()
        return key
      },
      {
        algorithms: [tokenAlgorithm],
        issuer,
        currentDate: now,
        requiredClaims: ['sub', 'tid', 'sid', 'jti', 'iat', 'exp'],
      },
    )
    return payload['token_use'] === use ? readClaims(payload) : undefined
  }

  return {
    sign: async (use, claims, now) => {
      const { kid, key } = await keys.signing()
      const issuedAt = Math.floor(now.getTime() / 1000)
      return new SignJWT({ tid: claims.tenantId, sid: claims.sessionId, token_use: use })
        .setProtectedHeader({ alg: tokenAlgorithm, kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setSubject(String(claims.userId))
        .setJti(`${claims.generation}-${randomUUID()}`)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + (use === 'access' ? accessTokenSeconds : refreshTokenSeconds))
        .sign(key)
    },
    verify: async (use, token, now) => {
      const known = remembered.get(`${use} ${token}`)
      if (known) return known.expiresAt * 1000 > now.getTime() ? known : undefined
      if (!isCanonical(token)) return undefined
      const claims = await verifyAnew(use, token, now).catch(ignoreInvalid)
      if (claims) remembered.set(`${use} ${token}`, claims)
      return claims
    },
    forget: () => remembered.clear(),
  }
}

class UnknownKey extends Error {
  readonly code = 'ERR_JWKS_NO_MATCHING_KEY'
}

/** jose tells an invalid token by a code of its own; anything else (the database is away) is no verdict on the token. */
const ignoreInvalid = (err: unknown): undefined => {
  if (err instanceof Error && 'code' in err && String(err.code).startsWith('ERR_J')) return undefined
  throw err
}
