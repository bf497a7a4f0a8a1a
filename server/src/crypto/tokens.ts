import { randomUUID } from 'node:crypto'
import { jwtVerify, type JWTPayload, type ProtectedHeaderParameters } from 'jose'
import { LRUCache } from 'lru-cache'
import { idAlgorithm, tokenAlgorithms } from './algorithms.ts'
import { refreshTokenSeconds, sessionSecondsMax, type Keys, type VerifyingKey } from './keys.ts'
import type { TokenPurpose } from './keys.store.ts'
import { signed } from './signing.ts'
import { isCanonical } from './statements.ts'
import {
  applicationRefreshAudience,
  claimOf,
  kindsOf,
  refreshAudience,
  restrictedAudience,
  supportAudience,
  supportSuffix,
  typs,
  type TokenUse,
  type VerifiedUse,
} from './token-kinds.ts'
import { shownAmr } from '../values/proofs.ts'

export type { TokenUse }

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
  /** The support session that opened the session; undefined for any other. */
  supportId?: string
}

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

/** The claims of the token of a support session, besides those of its user and session. */
export interface SupportSubject extends Pick<Claims, 'userId' | 'tenantId' | 'sessionId'> {
  /** The person who acts (RFC 8693). */
  actor: { userId: number; tenantId: string; name: string }
  support: { id: string; kind: string }
  /** The proofs of the session on which it hangs, their time and its connection. */
  amr: readonly string[]
  authTime: Date
  connectionId: string | undefined
  expiresAt: Date
  /** The application whose session it is; undefined for a token that works only at this API. */
  application?: TokenOfApplication
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
  /** Signs the token of a support session. No published key verifies it. */
  signSupport(subject: SupportSubject, now: Date): Promise<string>
  /** Signs an ID token (`JWT`) or a logout token (`logout+jwt`). */
  signIdentity(typ: 'JWT' | 'logout+jwt', payload: JWTPayload, now: Date): Promise<string>
  /**
   * The claims of a valid token of a use. Undefined for an expired, forged or other token. The use `access` requires
   * this service's audience; `any_access` accepts any audience.
   */
  verify(use: VerifiedUse, token: string, now: Date): Promise<Claims | undefined>
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

/** No support session has this id. */
const nobodysSession = '00000000-0000-0000-0000-000000000000'
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const sessionName = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|key_[1-9]\d{0,15})$/

const textOf = (claim: unknown): string => (typeof claim === 'string' ? claim : '')

const supportIn = ({ support }: JWTPayload): Pick<Claims, 'supportId'> => {
  if (support === undefined) return {}
  const id = typeof support === 'object' && support !== null && 'id' in support ? support.id : undefined
  return { supportId: typeof id === 'string' && uuid.test(id) ? id : nobodysSession }
}

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
  const expiresAt = Number(payload.exp)
  return { userId, tenantId, sessionId, generation, expiresAt, ...client, ...supportIn(payload) }
}

interface VerifiedSignature {
  header: ProtectedHeaderParameters
  payload: JWTPayload
  purpose: TokenPurpose
}

type Verify = (use: VerifiedUse, token: string, now: Date) => Promise<VerifiedToken | undefined>

/** Verifies a token. Throws jose's error for most invalid tokens. */
const createVerifier = (keys: Keys, { issuer, audience }: TokenNames): Verify => {
  const kinds = kindsOf(keys, audience)

  const isOfUse = async (
    use: VerifiedUse,
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

const sessionClaims = ({
  userId,
  tenantId,
  sessionId,
  generation,
}: Pick<TokenSubject, 'userId' | 'tenantId' | 'sessionId' | 'generation'>): JWTPayload => ({
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

const signSupport = async (
  keys: Keys,
  { issuer }: TokenNames,
  { actor, support, amr, authTime, connectionId, expiresAt, application, ...session }: SupportSubject,
  now: Date,
): Promise<string> => {
  const [purpose, typ, aud] = application
    ? (['access', typs.access, `${application.audience}${supportSuffix}`] as const)
    : (['refresh', typs.support, supportAudience] as const)
  const client = { ...session, amr, generation: 0, isRestricted: false, ...(application && { application }) }
  return signed(await keys.signing(purpose, now), typ, {
    ...clientClaims(client),
    ...sessionClaims({ ...session, generation: 0 }),
    ...(connectionId !== undefined && { con: connectionId }),
    act: { sub: String(actor.userId), tid: actor.tenantId, name: actor.name },
    support,
    auth_time: Math.floor(authTime.getTime() / 1000),
    token_use: claimOf.support,
    iss: issuer,
    aud,
    iat: Math.floor(now.getTime() / 1000),
    exp: Math.ceil(expiresAt.getTime() / 1000),
  })
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
    signSupport: (subject, now) => signSupport(keys, names, subject, now),
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
