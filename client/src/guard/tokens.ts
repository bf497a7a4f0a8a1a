import { createRemoteJWKSet, jwtVerify, type JWTPayload } from 'jose'
import { createMemory } from './memory.ts'
import { Refusal } from './refusal.ts'

/** The session that a verified access token names. */
export interface Claims {
  userId: number
  tenantId: string
  sessionId: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface TokenNames {
  /** Address of the service, without a slash at its end. */
  root: string
  issuer: string
  audience: string
}

/** A token with an unknown key makes the guard fetch the keys again, at most once in this time. */
const keysAgainMs = 30_000
/** The `max-age` of the published keys: a deleted key counts no longer than in other caches. */
const keysMs = 300_000
const keysTimeoutMs = 2000

const invalid = () => new Refusal('tokenInvalid', 'The access token is invalid or expired')

const claimsOf = ({ sub, tid, sid, exp }: JWTPayload): Claims => {
  const userId = Number(sub)
  if (!Number.isSafeInteger(userId) || typeof tid !== 'string' || typeof sid !== 'string' || !exp) {
    throw invalid()
  }
  return { userId, tenantId: tid, sessionId: sid, expiresAt: exp * 1000 }
}

/** Errors of `jose` about the token. All others are about the keys, which the guard could not get. */
const aboutToken = /^ERR_(JWT|JWS|JWKS_NO_MATCHING_KEY|JWKS_MULTIPLE|JOSE_ALG_NOT_ALLOWED|JOSE_NOT_SUPPORTED)/

const isAboutToken = (err: unknown): boolean =>
  aboutToken.test(String((err as { code?: unknown } | null)?.code))

/**
 * Verifies access tokens with the published keys: signature, issuer, audience, type and end. Throws a `Refusal` for any other
 * token, and another error when the keys cannot be had.
 */
export const createVerifier = ({ root, issuer, audience }: TokenNames) => {
  const keys = createRemoteJWKSet(new URL(`${root}/.well-known/jwks.json`), {
    cooldownDuration: keysAgainMs,
    cacheMaxAge: keysMs,
    timeoutDuration: keysTimeoutMs,
  })
  const expected = {
    issuer,
    audience,
    typ: 'at+jwt',
    algorithms: ['EdDSA', 'ES256', 'RS256'],
    requiredClaims: ['sub', 'tid', 'sid', 'exp'],
  }
  /** A signature costs 0.1 ms to verify. Only valid tokens come in here. */
  const verified = createMemory<Claims>()

  const verifyAnew = async (token: string): Promise<Claims> => {
    try {
      const claims = claimsOf((await jwtVerify(token, keys, expected)).payload)
      verified.set(token, claims)
      return claims
    } catch (err) {
      throw isAboutToken(err) ? invalid() : err
    }
  }

  return async (token: string): Promise<Claims> => {
    const claims = verified.get(token) ?? (await verifyAnew(token))
    if (claims.expiresAt <= Date.now()) throw invalid()
    return claims
  }
}
