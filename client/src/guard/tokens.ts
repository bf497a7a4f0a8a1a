import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import { createMemory } from './memory.ts'
import { Refusal } from './refusal.ts'

/** The session that a verified access token names. */
export interface Claims {
  userId: number
  tenantId: string
  sessionId: string
  /** The permissions that the token may use of those of its session. Undefined: all. */
  codes: ReadonlySet<string> | undefined
  /** Undefined where the token does not carry it. */
  person: string | undefined
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface TokenNames {
  /** Address of the service, without a slash at its end. */
  root: string
  /** The issuer of accepted tokens. By default the address, by each name of this machine if it is one of them. */
  issuer: string | undefined
  /** The audience of accepted tokens. By default the issuer. */
  audience: string | undefined
  /** The audience of tokens for this service alone. */
  resource: string | undefined
}

/** A token with an unknown key makes the guard fetch the keys again, at most once in this time. */
const keysAgainMs = 30_000
/** The `max-age` of the published keys: a deleted key counts no longer than in other caches. */
const keysMs = 300_000
const keysTimeoutMs = 2000

const invalid = () => new Refusal('tokenInvalid', 'The access token is invalid or expired')

const claimsOf = ({ sub, tid, sid, exp, person }: JWTPayload) => {
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
  }
}

/**
 * The permissions in the scope of a token: they have a colon, and `openid` and its like have none. A token for a resource is
 * always narrowed, so one without permissions may use none.
 */
const codesOf = ({ scope = '' }: JWTPayload, resource: string | undefined): Claims['codes'] => {
  if (typeof scope !== 'string') throw invalid()
  const codes = scope.split(' ').filter((one) => one.includes(':'))
  return codes.length > 0 || resource !== undefined ? new Set(codes) : undefined
}

/** Errors of `jose` about the token. All others are about the keys, which the guard could not get. */
const aboutToken = /^ERR_(JWT|JWS|JWKS_NO_MATCHING_KEY|JWKS_MULTIPLE|JOSE_ALG_NOT_ALLOWED|JOSE_NOT_SUPPORTED)/

const isAboutToken = (err: unknown): boolean =>
  aboutToken.test(String((err as { code?: unknown } | null)?.code))

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** A Tenantry on this machine calls itself `localhost`, and a product may have its address. */
const namesOf = (root: string): string[] => {
  const { hostname } = new URL(root)
  if (!loopback.includes(hostname)) return [root]
  return loopback.map((name) => root.replace(`//${hostname}`, `//${name}`))
}

const namesLogged = 10
const nameMax = 255

/** An option of the guard, and the names that it expects. */
interface Expected {
  option: string
  names: string[]
}

/** Logs once for each name that a token of Tenantry has and the guard does not expect: all its users are refused. */
const createComplaint = (expected: Record<string, Expected>, log: (message: string) => void) => {
  const logged = new Set<string>()
  return (err: unknown): void => {
    if (!(err instanceof errors.JWTClaimValidationFailed)) return
    const about = expected[err.claim]
    if (!about) return
    const { option, names } = about
    // `jose` looks at claims after the signature, so these are words of Tenantry.
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
 * Verifies access tokens with the published keys: signature, issuer, audience, type and end. Throws a `Refusal` for any other
 * token, and another error when the keys cannot be had. The log hears why a token of Tenantry is refused for its issuer or audience.
 */
export const createVerifier = (
  { root, issuer, audience, resource }: TokenNames,
  log: (message: string) => void,
) => {
  const keys = createRemoteJWKSet(new URL(`${root}/.well-known/jwks.json`), {
    cooldownDuration: keysAgainMs,
    cacheMaxAge: keysMs,
    timeoutDuration: keysTimeoutMs,
  })
  const issuers = issuer === undefined ? namesOf(root) : [issuer]
  const named = resource ?? audience
  const audiences = named === undefined ? issuers : [named]
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
  /** A signature costs 0.1 ms to verify. Only valid tokens come in here. */
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
