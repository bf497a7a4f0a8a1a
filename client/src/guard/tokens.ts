import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import { createMemory } from './memory.ts'
import { Refusal } from './refusal.ts'

/** The claims of a verified access token. */
export interface Claims {
  userId: number
  tenantId: string
  sessionId: string
  /** The permissions to which the token narrows its session; undefined if it has all of them. */
  codes: ReadonlySet<string> | undefined
  /** Undefined if the token lacks it. */
  person: string | undefined
  /** True for a token of a support session: somebody works as the user. */
  isSupport: boolean
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface TokenNames {
  /** Address of the service, without a trailing slash. */
  root: string
  /** The issuer of accepted tokens. Default: `root`. If `root` names this machine, each of its names is accepted. */
  issuer: string | undefined
  /** The audience of accepted tokens. Default: the issuer. */
  audience: string | undefined
  /** The audience of tokens for this service only. Replaces `audience`. */
  resource: string | undefined
  /** Whether tokens of support sessions are accepted, too. */
  support: boolean
}

/** The end of the audience of a token of a support session. */
const supportSuffix = '#support'

/** A token with an unknown key id makes the guard fetch the keys again, at most once per this time. */
const keysAgainMs = 30_000
/** Equals the `max-age` of the published keys, so the guard trusts a deleted key no longer than other caches do. */
const keysMs = 300_000
const keysTimeoutMs = 2000

const invalid = () => new Refusal('tokenInvalid', 'The access token is invalid or expired')

const claimsOf = ({ sub, tid, sid, exp, person, aud }: JWTPayload) => {
  const userId = Number(sub)
  if (!Number.isSafeInteger(userId) || typeof tid !== 'string' || typeof sid !== 'string' || !exp) {
    throw invalid()
  }
  return {
    userId,
    tenantId: tid,
    sessionId: sid,
    expiresAt: exp * 1000,
    person: typeof person === 'string' ? person : undefined,
    isSupport: typeof aud === 'string' && aud.endsWith(supportSuffix),
  }
}

/**
 * The permissions in the scope of a token: they contain a colon, unlike `openid` and the like. A token for a resource
 * is always narrowed: without a permission in its scope, it may use none.
 */
const codesOf = ({ scope = '' }: JWTPayload, resource: string | undefined): Claims['codes'] => {
  if (typeof scope !== 'string') throw invalid()
  const codes = scope.split(' ').filter((one) => one.includes(':'))
  return codes.length > 0 || resource !== undefined ? new Set(codes) : undefined
}

/** Errors of `jose` about the token. All other errors mean that the guard could not get the keys. */
const aboutToken = /^ERR_(JWT|JWS|JWKS_NO_MATCHING_KEY|JWKS_MULTIPLE|JOSE_ALG_NOT_ALLOWED|JOSE_NOT_SUPPORTED)/

const isAboutToken = (err: unknown): boolean =>
  aboutToken.test(String((err as { code?: unknown } | null)?.code))

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** A local Tenantry calls itself `localhost`, while a product may address it by another loopback name. */
const namesOf = (root: string): string[] => {
  const { hostname } = new URL(root)
  if (!loopback.includes(hostname)) return [root]
  return loopback.map((name) => root.replace(`//${hostname}`, `//${name}`))
}

const namesLogged = 10
const nameMax = 255

/** An option of the guard with the claims that it accepts. */
interface Expected {
  option: string
  names: string[]
}

/**
 * Logs each unexpected issuer or audience of a token that Tenantry signed, once: the guard then refuses all its
 * users.
 */
const createComplaint = (expected: Record<string, Expected>, log: (message: string) => void) => {
  const logged = new Set<string>()
  return (err: unknown): void => {
    if (!(err instanceof errors.JWTClaimValidationFailed)) return
    const about = expected[err.claim]
    if (!about) return
    const { option, names } = about
    // `jose` checks claims after the signature, so Tenantry wrote this text.
    const found = JSON.stringify(err.payload[err.claim]).slice(0, nameMax)
    if (logged.has(`${option} ${found}`) || logged.size >= namesLogged) return
    logged.add(`${option} ${found}`)
    log(
      `Tenantry signs tokens for the ${option} ${found}, and the guard expects ${JSON.stringify(names[0])}: ` +
        `such tokens get 401. The option ${option} changes it`,
    )
  }
}

/**
 * Verifies signature, issuer, audience, type and expiry of access tokens with the published keys. Throws a `Refusal`
 * for an invalid token, and another error if the keys cannot be fetched. Logs why it refuses a token that Tenantry
 * signed for another issuer or audience.
 */
export const createVerifier = (
  { root, issuer, audience, resource, support }: TokenNames,
  log: (message: string) => void,
) => {
  const keys = createRemoteJWKSet(new URL(`${root}/.well-known/jwks.json`), {
    cooldownDuration: keysAgainMs,
    cacheMaxAge: keysMs,
    timeoutDuration: keysTimeoutMs,
  })
  const issuers = issuer === undefined ? namesOf(root) : [issuer]
  const named = resource ?? audience
  const own = named === undefined ? issuers : [named]
  const audiences = support ? [...own, ...own.map((name) => `${name}${supportSuffix}`)] : own
  const complain = createComplaint(
    {
      iss: { option: 'issuer', names: issuers },
      aud: { option: resource === undefined ? 'audience' : 'resource', names: audiences },
    },
    log,
  )
  const expected = {
    issuer: issuers,
    audience: audiences,
    typ: 'at+jwt',
    algorithms: ['EdDSA', 'ES256', 'RS256'],
    requiredClaims: ['sub', 'tid', 'sid', 'exp'],
  }
  /** Valid tokens only. Verifying a signature takes 0.1 ms. */
  const verified = createMemory<Claims>()

  const verifyAnew = async (token: string): Promise<Claims> => {
    try {
      const { payload } = await jwtVerify(token, keys, expected)
      const claims = { ...claimsOf(payload), codes: codesOf(payload, resource) }
      verified.set(token, claims)
      return claims
    } catch (err) {
      complain(err)
      throw isAboutToken(err) ? invalid() : err
    }
  }

  return async (token: string): Promise<Claims> => {
    const claims = verified.get(token) ?? (await verifyAnew(token))
    if (claims.expiresAt <= Date.now()) throw invalid()
    return claims
  }
}
