import { randomUUID, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { jwtVerify, type JWTPayload, type ProtectedHeaderParameters } from 'jose'
import { LRUCache } from 'lru-cache'
import { idAlgorithm, tokenAlgorithms } from './algorithms.ts'
import {
  refreshTokenSeconds,
  sessionSecondsMax,
  type Keys,
  type SigningKey,
  type VerifyingKey,
} from './keys.ts'
import type { TokenPurpose } from './keys.store.ts'
import { isCanonical } from './statements.ts'
import { shownAmr } from '../values/proofs.ts'

/** The content of a session's verified token. It names the user, but never carries permissions. */
export interface Claims {
  userId: number
  tenantId: string
  /** The id of the session. For a service account, `key_` and the id of the key that it exchanged for the token. */
  sessionId: string
  /** The number of the session's refreshes when the token was issued (see sessions.service.ts). */
  generation: number
  /** Unix seconds. */
  expiresAt: number
  audience: string
  clientId: string
  /** The scopes of an application's token, separated by spaces. "" for a token of the console. */
  scope: string
}

/** The uses of tokens. Refresh tokens of applications have a use of their own. */
export type TokenUse = 'access' | 'refresh' | 'application_refresh'

/** Further claims of an application's tokens. */
export interface TokenOfApplication {
  clientId: string
  /** The `aud` of the access token. */
  audience: string
  scope: string
  /** The time of the person's sign-in. Undefined for a service account. */
  authTime: Date | undefined
  /** The person's id, which is the same in every tenant. Only applications of the installation get it. */
  person: string | undefined
  /** The lifetime of the access token, if it is shorter than usual. */
  seconds?: number
}

export interface TokenSubject extends Pick<Claims, 'userId' | 'tenantId' | 'sessionId' | 'generation'> {
  /** The kinds of proof of the person's identity (RFC 8176). */
  amr: readonly string[]
  /** True if the access token works only for the person's own account, and only at this service. */
  isRestricted: boolean
  /** Undefined for a session of the console or the SDK. */
  application?: TokenOfApplication
  connectionId?: string | undefined
}

export interface Tokens {
  sign(use: TokenUse, subject: TokenSubject, now: Date): Promise<string>
  /** Signs an ID token (`JWT`) or a logout token (`logout+jwt`). */
  signIdentity(typ: 'JWT' | 'logout+jwt', payload: JWTPayload, now: Date): Promise<string>
  /**
   * The claims of a valid token of a use. Undefined for an expired, forged or other token. The use `access` requires
   * this service's audience; `any_access` accepts any audience.
   */
  verify(use: TokenUse | 'any_access', token: string, now: Date): Promise<Claims | undefined>
  /** The content of an ID token that this installation signed, also of an expired one. Undefined for any other text. */
  readIdentity(token: string, now: Date): Promise<JWTPayload | undefined>
  accessSeconds: number
  /** Drops cached tokens after a change of the keys. */
  forget(): void
}

export interface TokenNames {
  issuer: string
  /** The `aud` of access tokens. */
  audience: string
}

/** The header `typ`. RFC 9068 defines it for access tokens. */
const typs = { access: 'at+jwt', restricted: 'restricted+jwt', refresh: 'rt+jwt' }
/** The `aud` of tokens that only this service reads. No other verifier accepts it. */
const refreshAudience = 'tenantry:refresh'
const applicationRefreshAudience = 'tenantry:application-refresh'
const restrictedAudience = 'tenantry:restricted'
/** The `client_id` of the console and the SDK (RFC 9068). */
const ownClientId = 'tenantry'

/**
 * The most tokens that this process remembers after signing or verifying them. Checking an Ed25519 signature takes 0.1
 * ms. An entry takes about 1 kB.
 */
const rememberedTokens = 10_000

interface VerifiedToken {
  claims: Claims
  kid: string
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const sessionName = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|key_[1-9]\d{0,15})$/

const textOf = (claim: unknown): string => (typeof claim === 'string' ? claim : '')

const readClaims = (payload: JWTPayload): Claims | undefined => {
  const userId = Number(payload.sub)
  const tenantId = String(payload['tid'])
  const sessionId = String(payload['sid'])
  const generation = Number.parseInt(String(payload.jti), 10)
  const isSound =
    Number.isSafeInteger(userId) &&
    uuid.test(tenantId) &&
    sessionName.test(sessionId) &&
    Number.isSafeInteger(generation)
  if (!isSound) return undefined
  const client = {
    audience: textOf(payload.aud),
    clientId: textOf(payload['client_id']),
    scope: textOf(payload['scope']),
  }
  return { userId, tenantId, sessionId, generation, expiresAt: Number(payload.exp), ...client }
}

interface VerifiedSignature {
  header: ProtectedHeaderParameters
  payload: JWTPayload
  purpose: TokenPurpose
}

/** The `typ` of a token selects its kind. The use, the signing key and the audience must match. */
interface TokenKind {
  typ: string
  uses: (TokenUse | 'any_access')[]
  signedBy: TokenPurpose
  isAudience: (aud: unknown, now: Date) => boolean | Promise<boolean>
}

const kindsOf = (keys: Keys, audience: string): TokenKind[] => [
  {
    typ: typs.access,
    uses: ['access'],
    signedBy: 'access',
    // By default the audience is the issuer, and changes with it.
    isAudience: (aud, now) => typeof aud === 'string' && (aud === audience || keys.isIssuer(aud, now)),
  },
  {
    typ: typs.access,
    uses: ['any_access'],
    signedBy: 'access',
    isAudience: (aud) => typeof aud === 'string',
  },
  {
    // The token of a restricted session. No published key verifies it, so a verifier without further checks refuses it.
    typ: typs.restricted,
    uses: ['access'],
    signedBy: 'refresh',
    isAudience: (aud) => aud === restrictedAudience,
  },
  {
    typ: typs.refresh,
    uses: ['refresh'],
    signedBy: 'refresh',
    isAudience: (aud) => aud === refreshAudience,
  },
  {
    typ: typs.refresh,
    uses: ['application_refresh'],
    signedBy: 'refresh',
    isAudience: (aud) => aud === applicationRefreshAudience,
  },
]

type Verify = (use: TokenUse | 'any_access', token: string, now: Date) => Promise<VerifiedToken | undefined>

/** The claim `token_use` of each use. */
const claimOf = { access: 'access', any_access: 'access', refresh: 'refresh', application_refresh: 'refresh' }

/** Verifies a token. Throws jose's error for most invalid tokens. */
const createVerifier = (keys: Keys, { issuer, audience }: TokenNames): Verify => {
  const kinds = kindsOf(keys, audience)

  const isOfUse = async (
    use: TokenUse | 'any_access',
    { header, payload, purpose }: VerifiedSignature,
    now: Date,
  ): Promise<boolean> => {
    const kind = kinds.find(({ typ, uses }) => typ === header.typ && uses.includes(use))
    if (!kind || kind.signedBy !== purpose) return false
    return payload['token_use'] === claimOf[use] && kind.isAudience(payload.aud, now)
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

/** A compact JWS. Only RSA takes long enough for a thread: other algorithms take less time than the switch to it. */
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

/** `mfa` if the person gave more than one kind of proof. */
export const acrOf = (amr: readonly string[]): 'mfa' | 'single' => (amr.includes('mfa') ? 'mfa' : 'single')

/** The claims about the client and the proofs in an access token. */
const clientClaims = ({ amr, application }: TokenSubject): JWTPayload =>
  application === undefined
    ? { client_id: ownClientId, amr: shownAmr(amr) }
    : {
        client_id: application.clientId,
        ...(application.authTime && {
          amr: shownAmr(amr),
          acr: acrOf(amr),
          auth_time: Math.floor(application.authTime.getTime() / 1000),
        }),
        scope: application.scope,
        ...(application.person !== undefined && { person: application.person }),
      }

/** Reads ID tokens of any age, because they are only hints: the person is signed in anyway, or must sign in. */
const createIdentityReader =
  (keys: Keys, { issuer }: TokenNames) =>
  async (token: string, now: Date): Promise<JWTPayload | undefined> => {
    let purpose: TokenPurpose | undefined
    const { payload } = await jwtVerify(
      token,
      async ({ kid, alg }) => {
        const found = kid === undefined ? undefined : await keys.verifying(kid)
        if (found?.alg !== alg) throw new UnknownKey()
        purpose = found.purpose
        return found.key
      },
      { algorithms: [idAlgorithm], typ: 'JWT', currentDate: new Date(0) },
    )
    const isOurs = payload.iss === issuer || (await keys.isIssuer(String(payload.iss), now))
    return purpose === 'id' && isOurs ? payload : undefined
  }

const sessionClaims = ({ userId, tenantId, sessionId, generation }: TokenSubject): JWTPayload => ({
  tid: tenantId,
  sid: sessionId,
  sub: String(userId),
  jti: `${generation}-${randomUUID()}`,
})

const formsOf = (names: TokenNames, accessSeconds: number) =>
  ({
    access: { typ: typs.access, aud: names.audience, seconds: accessSeconds, keyOf: 'access' },
    restricted: { typ: typs.restricted, aud: restrictedAudience, seconds: accessSeconds, keyOf: 'refresh' },
    refresh: { typ: typs.refresh, aud: refreshAudience, seconds: refreshTokenSeconds, keyOf: 'refresh' },
    application_refresh: {
      typ: typs.refresh,
      aud: applicationRefreshAudience,
      // Each application sets the lifetime of its sessions; the longest is 90 days.
      seconds: sessionSecondsMax,
      keyOf: 'refresh',
    },
  }) as const

/** The claims of a token for this service. */
const ownClaims = (
  { userId, tenantId, sessionId, generation, application }: TokenSubject,
  { audience, expiresAt }: Pick<Claims, 'audience' | 'expiresAt'>,
): Claims => {
  const { clientId = ownClientId, scope = '' } = application ?? {}
  return { userId, tenantId, sessionId, generation, expiresAt, audience, clientId, scope }
}

/**
 * The header and claims of a token. An application sets audience and lifetime of its access tokens. Its sessions are
 * never restricted.
 */
const chooseForm = (forms: ReturnType<typeof formsOf>, use: TokenUse, subject: TokenSubject) => {
  if (use !== 'access') return { ...forms[use], claims: {} }
  const form = forms[subject.isRestricted ? 'restricted' : 'access']
  const { audience = form.aud, seconds = form.seconds } = subject.application ?? {}
  return { ...form, aud: audience, seconds, claims: clientClaims(subject) }
}

/** Signs tokens. `own` has the claims of a token for this service. It is undefined for another audience. */
const createSigner = (keys: Keys, names: TokenNames, accessSeconds: number) => {
  const forms = formsOf(names, accessSeconds)

  return async (
    use: TokenUse,
    subject: TokenSubject,
    now: Date,
  ): Promise<{ token: string; own: VerifiedToken | undefined }> => {
    const { typ, aud, seconds, keyOf, claims } = chooseForm(forms, use, subject)
    const key = await keys.signing(keyOf, now)
    const issuedAt = Math.floor(now.getTime() / 1000)
    const expiresAt = issuedAt + seconds
    const token = await signed(key, typ, {
      ...claims,
      ...sessionClaims(subject),
      ...(subject.connectionId !== undefined && { con: subject.connectionId }),
      token_use: claimOf[use],
      iss: names.issuer,
      aud,
      iat: issuedAt,
      exp: expiresAt,
    })
    const isForUs = use !== 'access' || subject.isRestricted || aud === names.audience
    const own = isForUs
      ? { claims: ownClaims(subject, { audience: aud, expiresAt }), kid: key.kid }
      : undefined
    return { token, own }
  }
}

export const createTokens = (keys: Keys, names: TokenNames, accessSeconds: number): Tokens => {
  const remembered = new LRUCache<string, VerifiedToken>({ max: rememberedTokens })
  const verifyAnew = createVerifier(keys, names)
  const readIdentityAnew = createIdentityReader(keys, names)
  const signAnew = createSigner(keys, names, accessSeconds)

  return {
    accessSeconds,
    sign: async (use, subject, now) => {
      const { token, own } = await signAnew(use, subject, now)
      if (own) remembered.set(`${use} ${token}`, own)
      return token
    },
    signIdentity: async (typ, payload, now) =>
      signed(await keys.signing('id', now), typ, { iss: names.issuer, ...payload }),
    readIdentity: async (token, now) =>
      isCanonical(token) ? readIdentityAnew(token, now).catch(ignoreInvalid) : undefined,
    verify: async (use, token, now) => {
      const known = remembered.get(`${use} ${token}`)
      // A rotation deletes a leaked key, so the tokens that it signed become invalid.
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

/**
 * Returns undefined for an invalid token, which jose marks with an error code of its own. Rethrows any other error,
 * such as an unreachable database.
 */
const ignoreInvalid = (err: unknown): undefined => {
  if (err instanceof Error && 'code' in err && String(err.code).startsWith('ERR_J')) return undefined
  throw err
}
