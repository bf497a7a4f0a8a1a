import { randomUUID, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { jwtVerify, type JWTPayload, type ProtectedHeaderParameters } from 'jose'
import { LRUCache } from 'lru-cache'
import { tokenAlgorithms } from './algorithms.ts'
import { refreshTokenSeconds, type Keys, type SigningKey, type VerifyingKey } from './keys.ts'
import type { TokenPurpose } from './keys.store.ts'
import { isCanonical } from './statements.ts'

/** The content of a session's verified token. It names the user, and never carries rights. */
export interface Claims {
  userId: number
  tenantId: string
  sessionId: string
  /** The number of the session's refresh that made the token (see sessions.service.ts). */
  generation: number
  /** Unix seconds. */
  expiresAt: number
}

/** The session that a token is signed for. */
export interface TokenSubject extends Omit<Claims, 'expiresAt'> {
  /** How the person proved their identity (RFC 8176). */
  amr: readonly string[]
  /** The access token serves only the own account, and only here. */
  isRestricted: boolean
}

export interface Tokens {
  sign(use: TokenPurpose, subject: TokenSubject, now: Date): Promise<string>
  /** The claims of a valid token of that use, undefined for any other: expired, forged, of the other use. */
  verify(use: TokenPurpose, token: string, now: Date): Promise<Claims | undefined>
  /** The life of an access token. */
  accessSeconds: number
  /** Forgets verified tokens: the keys have changed. */
  forget(): void
}

/** The names that the tokens carry. */
export interface TokenNames {
  issuer: string
  /** The `aud` of access tokens. */
  audience: string
}

/** Header `typ`: RFC 9068 for access tokens. */
const typs = { access: 'at+jwt', restricted: 'restricted+jwt', refresh: 'rt+jwt' }
/** The `aud` of tokens only for this service: nobody else's verifier expects it. */
const refreshAudience = 'tenantry:refresh'
const restrictedAudience = 'tenantry:restricted'
/** The `client_id` of access tokens (RFC 9068). */
const clientId = 'tenantry'

/** A token that was signed or verified here is remembered: checking an Ed25519 signature costs 0.1 ms. About 1 kB each. */
const rememberedTokens = 10_000

interface Remembered {
  claims: Claims
  kid: string
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const readClaims = (payload: JWTPayload): Claims | undefined => {
  const userId = Number(payload.sub)
  const tenantId = String(payload['tid'])
  const sessionId = String(payload['sid'])
  const generation = Number.parseInt(String(payload.jti), 10)
  const isSound =
    Number.isSafeInteger(userId) &&
    uuid.test(tenantId) &&
    uuid.test(sessionId) &&
    Number.isSafeInteger(generation)
  return isSound ? { userId, tenantId, sessionId, generation, expiresAt: Number(payload.exp) } : undefined
}

interface Signed {
  header: ProtectedHeaderParameters
  payload: JWTPayload
  purpose: TokenPurpose
}

/** A kind of token, told by its `typ`. All the rest must fit it. */
interface Kind {
  typ: string
  use: TokenPurpose
  signedBy: TokenPurpose
  isAudience: (aud: unknown, now: Date) => boolean | Promise<boolean>
}

const kindsOf = (keys: Keys, audience: string): Kind[] => [
  {
    typ: typs.access,
    use: 'access',
    signedBy: 'access',
    // The audience is the issuer by default, and changes with it.
    isAudience: (aud, now) => typeof aud === 'string' && (aud === audience || keys.isIssuer(aud, now)),
  },
  {
    // Of a restricted session. No published key verifies it, so a verifier that checks nothing else refuses it.
    typ: typs.restricted,
    use: 'access',
    signedBy: 'refresh',
    isAudience: (aud) => aud === restrictedAudience,
  },
  {
    typ: typs.refresh,
    use: 'refresh',
    signedBy: 'refresh',
    isAudience: (aud) => aud === refreshAudience,
  },
]

type Verify = (use: TokenPurpose, token: string, now: Date) => Promise<Remembered | undefined>

/** Verifies a token; throws jose's error for most invalid ones. */
const createVerifier = (keys: Keys, { issuer, audience }: TokenNames): Verify => {
  const kinds = kindsOf(keys, audience)

  const isOfUse = async (use: TokenPurpose, { header, payload, purpose }: Signed, now: Date) => {
    const kind = kinds.find(({ typ }) => typ === header.typ)
    if (kind?.use !== use || kind.signedBy !== purpose) return false
    return payload['token_use'] === use && kind.isAudience(payload.aud, now)
  }

  return async (use, token, now) => {
    let found: VerifyingKey | undefined
    const { payload, protectedHeader: header } = await jwtVerify(
      token,
      async ({ kid, alg }) => {
        found = kid === undefined ? undefined : await keys.verifying(kid)
        if (found?.alg !== alg) throw new UnknownKey()
        return found.key
      },
      {
        algorithms: [...tokenAlgorithms],
        currentDate: now,
        requiredClaims: ['iss', 'sub', 'tid', 'sid', 'jti', 'iat', 'exp'],
      },
    )
    const isOurs = payload.iss === issuer || (await keys.isIssuer(String(payload.iss), now))
    if (!found || !isOurs) return undefined
    if (!(await isOfUse(use, { header, payload, purpose: found.purpose }, now))) return undefined
    const claims = readClaims(payload)
    return claims && { claims, kid: String(header.kid) }
  }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const signInThread = promisify(sign)

/** A compact JWS. Only RSA takes long enough for a thread: the others cost less than the way to it. */
const signed = async ({ kid, alg, key }: SigningKey, typ: string, payload: object): Promise<string> => {
  const text = `${encoded({ alg, kid, typ })}.${encoded(payload)}`
  const hash = alg === 'EdDSA' ? null : 'sha256'
  const options = { key, dsaEncoding: 'ieee-p1363' } as const
  const signature =
    alg === 'RS256'
      ? await signInThread(hash, Buffer.from(text), options)
      : sign(hash, Buffer.from(text), options)
  return `${text}.${signature.toString('base64url')}`
}

export const createTokens = (keys: Keys, names: TokenNames, accessSeconds: number): Tokens => {
  const remembered = new LRUCache<string, Remembered>({ max: rememberedTokens })
  const verifyAnew = createVerifier(keys, names)
  const forms = {
    access: { aud: names.audience, seconds: accessSeconds, keyOf: 'access' },
    restricted: { aud: restrictedAudience, seconds: accessSeconds, keyOf: 'refresh' },
    refresh: { aud: refreshAudience, seconds: refreshTokenSeconds, keyOf: 'refresh' },
  } as const

  return {
    accessSeconds,
    sign: async (use, subject, now) => {
      const form = use === 'access' && subject.isRestricted ? 'restricted' : use
      const { aud, seconds, keyOf } = forms[form]
      const key = await keys.signing(keyOf, now)
      const { userId, tenantId, sessionId, generation } = subject
      const issuedAt = Math.floor(now.getTime() / 1000)
      const expiresAt = issuedAt + seconds
      const token = await signed(key, typs[form], {
        ...(use === 'access' ? { client_id: clientId, amr: subject.amr } : {}),
        tid: tenantId,
        sid: sessionId,
        token_use: use,
        iss: names.issuer,
        aud,
        sub: String(userId),
        jti: `${generation}-${randomUUID()}`,
        iat: issuedAt,
        exp: expiresAt,
      })
      const claims = { userId, tenantId, sessionId, generation, expiresAt }
      remembered.set(`${use} ${token}`, { claims, kid: key.kid })
      return token
    },
    verify: async (use, token, now) => {
      const known = remembered.get(`${use} ${token}`)
      // A key that has leaked is deleted, and voids the tokens that it signed.
      if (known && (await keys.has(known.kid))) {
        return known.claims.expiresAt * 1000 > now.getTime() ? known.claims : undefined
      }
      if (!isCanonical(token)) return undefined
      const verified = await verifyAnew(use, token, now).catch(ignoreInvalid)
      if (verified) remembered.set(`${use} ${token}`, verified)
      return verified?.claims
    },
    forget: () => remembered.clear(),
  }
}

class UnknownKey extends Error {
  readonly code = 'ERR_JWKS_NO_MATCHING_KEY'
}

/** jose marks an invalid token by a code of its own; any other error (the database is away) says nothing about the token. */
const ignoreInvalid = (err: unknown): undefined => {
  if (err instanceof Error && 'code' in err && String(err.code).startsWith('ERR_J')) return undefined
  throw err
}
