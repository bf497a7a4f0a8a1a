/** The sign-in at an OpenID Connect provider (OpenID Connect Core 3.1, RFC 7636, RFC 9207). */
import { createHmac } from 'node:crypto'
import { jwtVerify, type JWTPayload } from 'jose'
import { Unreachable } from '../../../outbound/addresses.ts'
import { Unanswered } from '../../../outbound/exchange.ts'
import { domainOf } from '../../../values/text.ts'
import type { Claim, AcceptedAnswer } from '../linking/persons.service.ts'
import { driftSeconds, type OidcConfig } from './oidc.ts'
import { nameFrom } from './person-names.ts'
import type { KnownProvider } from './providers.service.ts'
import type { OidcReason } from './reasons.ts'

/** The values that bind an answer to an attempt. */
export interface Binding {
  /** 256 random bits. The provider returns them. */
  state: string
  /** The browser's cookie: 256 random bits. The provider never sees them. */
  browser: string
}

/**
 * Derives verifier and nonce from the browser's cookie and the state, so nothing stores them. In another browser an
 * answer gives other values (decision 0262).
 */
const derived = ({ state, browser }: Binding, purpose: 'verifier' | 'nonce'): string =>
  createHmac('sha256', browser).update(`${purpose} ${state}`).digest('base64url')

/** The address of the provider's page. */
export const beginOidc = async (
  { configuration }: KnownProvider,
  { scopes }: OidcConfig,
  { binding, callbackUrl, loginHint }: { binding: Binding; callbackUrl: string; loginHint: string },
): Promise<string> => {
  const client = await import('openid-client')
  const challenge = await client.calculatePKCECodeChallenge(derived(binding, 'verifier'))
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl,
    scope: scopes,
    state: binding.state,
    nonce: derived(binding, 'nonce'),
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(loginHint !== '' && { login_hint: loginHint }),
  }).href
}

/** Thrown for a refused answer. */
class Refused extends Error {
  readonly reason: OidcReason

  constructor(reason: OidcReason, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

/** Error codes of the libraries for a provider that answers too late. */
const ofSilence = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'ERR_JWKS_TIMEOUT'])

const isUnreached = (err: unknown): boolean =>
  err instanceof Unreachable ||
  err instanceof Unanswered ||
  (err instanceof Error && 'code' in err && ofSilence.has(String(err.code))) ||
  (err instanceof Error && err.cause !== undefined && isUnreached(err.cause))

/** Error codes of `openid-client` for an unsuitable ID token. */
const ofToken = new Set([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
])

/** Reads the body and the header, because providers refuse a client in either (RFC 6749, 5.2). */
const reasonOf = async (err: unknown): Promise<OidcReason> => {
  if (err instanceof Refused) return err.reason
  if (isUnreached(err)) return 'provider_unreachable'
  const client = await import('openid-client')
  if (err instanceof client.AuthorizationResponseError) return 'provider_refused'
  const refusals = [client.ResponseBodyError, client.WWWAuthenticateChallengeError]
  if (refusals.some((one) => err instanceof one)) return 'client_refused'
  if (err instanceof Error && 'code' in err && ofToken.has(String(err.code))) return 'token_invalid'
  return 'answer_invalid'
}

/** Omits `none`, and all algorithms with a shared secret. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']

type Claims = JWTPayload

interface Verification {
  provider: KnownProvider
  config: OidcConfig
  now: Date
}

/** Whether the present claims fit a token for this client. The libraries do not compare `iat` with the clock. */
const isForUs = (claims: Claims, { config, now }: Verification): boolean => {
  const { issuer, client_id: clientId } = config
  const { iss = issuer, aud = clientId, azp = clientId, iat = 0 } = claims
  const isAhead = iat > now.getTime() / 1000 + driftSeconds
  return iss === issuer && [aud].flat().includes(clientId) && azp === clientId && !isAhead
}

/**
 * The claims of a token, if a key of the issuer signed it. Unavailable keys are an error of the provider, not of the
 * token.
 */
const verify = async (token: string, by: Verification, requiredClaims: string[]): Promise<Claims> => {
  const options = { algorithms, requiredClaims, clockTolerance: driftSeconds, currentDate: by.now }
  const { payload } = await jwtVerify(token, by.provider.keys, options).catch((err: unknown) => {
    throw new Refused(isUnreached(err) ? 'provider_unreachable' : 'token_invalid', err)
  })
  if (!isForUs(payload, by)) throw new Refused('token_invalid')
  return payload
}

/** 1 to 255 characters that every database can store. */
const subjectForm = /^\P{Cc}{1,255}$/u
const groupsMax = 500

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * The groups. Undefined if the claim is missing or incomplete: more than 500 groups, or the overage claim of Entra ID.
 */
const groupsOf = (claims: Claims, name: string): string[] | undefined => {
  const value = claims[name]
  const named = claims['_claim_names']
  if (typeof named === 'object' && named !== null && name in named) return undefined
  const all = typeof value === 'string' ? [value] : Array.isArray(value) ? value : undefined
  if (!all || all.length > groupsMax) return undefined
  return all.filter((one): one is string => typeof one === 'string' && one.length <= 256)
}

const valuesOf = (value: unknown): string[] =>
  [value].flat().map((one) => (typeof one === 'string' ? one : JSON.stringify(one ?? null)))

/** Claims of the protocol, which describe no person. */
const ofProtocol = new Set([
  'iss',
  'aud',
  'azp',
  'exp',
  'iat',
  'nbf',
  'nonce',
  'at_hash',
  'c_hash',
  's_hash',
  'jti',
])

const claimsOf = (claims: Claims, config: OidcConfig): Claim[] => {
  const { subject_claim: subject, email_claim: email, name_claim: name, groups_claim: groups } = config
  const read = new Set<string>([subject, email, name, groups])
  return Object.entries(claims)
    .filter(([key]) => !ofProtocol.has(key))
    .map(([key, value]) => ({ name: key, values: read.has(key) ? valuesOf(value) : null }))
}

/**
 * Anybody can have a Google account with a company's address. The service therefore accepts only accounts of the
 * organization itself.
 */
const google = 'https://accounts.google.com'

const requireHosted = ({ issuer }: OidcConfig, claims: Claims, email: string): void => {
  if (issuer !== google) return
  const domain = domainOf(email)
  if (email === '' || textOf(claims['hd']).toLowerCase() !== domain) throw new Refused('hosted_domain')
}

const providedBy = (claims: Claims, config: OidcConfig): AcceptedAnswer => {
  const subject = textOf(claims[config.subject_claim])
  if (!subjectForm.test(subject) || !subject.isWellFormed()) throw new Refused('subject_missing')
  const email = textOf(claims[config.email_claim]).trim()
  requireHosted(config, claims, email)
  return {
    person: {
      subject,
      email,
      name: nameFrom((key) => textOf(claims[key]), config.name_claim),
      groups: groupsOf(claims, config.groups_claim),
      sessionEndsAt: undefined,
    },
    claims: claimsOf(claims, config),
  }
}

const lacksOne = (
  claims: Claims,
  { email_claim: email, name_claim: name, groups_claim: groups }: OidcConfig,
) => [email, name, groups].some((one) => claims[one] === undefined)

/** Userinfo as JSON or as a JWT. In the JWT, issuer and audience can be missing (OpenID Connect Core 5.3.2). */
const readUserinfo = async (response: Response, by: Verification): Promise<Claims> => {
  const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(/[ ;]/)
  if (response.status !== 200) throw new Refused('userinfo_invalid')
  return type === 'application/jwt'
    ? verify(await response.text(), by, [])
    : ((await response.json()) as Claims)
}

const accept = new Headers({ accept: 'application/json, application/jwt' })

/** Adds the claims that the ID token lacks. The token's own claims take precedence. */
const withUserinfo = async (
  by: Verification,
  { claims, accessToken }: { claims: Claims; accessToken: string },
): Promise<Claims> => {
  const { provider, config } = by
  const { configuration } = provider
  const { userinfo_endpoint: address } = configuration.serverMetadata()
  if (!address || !lacksOne(claims, config)) return claims
  const client = await import('openid-client')
  try {
    const url = new URL(address)
    const response = await client.fetchProtectedResource(configuration, accessToken, url, 'GET', null, accept)
    const more = await readUserinfo(response, by)
    if (more.sub !== claims.sub) throw new Refused('userinfo_invalid')
    return { ...more, ...claims }
  } catch (err) {
    throw new Refused(isUnreached(err) ? 'provider_unreachable' : 'userinfo_invalid', err)
  }
}

/**
 * The person of a provider's answer, or the reason of its refusal. `answer` has the parameters that the browser
 * delivers.
 */
export const readOidc = async (
  by: Verification,
  { binding, callbackUrl, answer }: { binding: Binding; callbackUrl: string; answer: URLSearchParams },
): Promise<AcceptedAnswer | { refused: OidcReason }> => {
  const { provider, config } = by
  try {
    const client = await import('openid-client')
    const url = new URL(callbackUrl)
    url.search = answer.toString()
    const tokens = await client.authorizationCodeGrant(provider.configuration, url, {
      pkceCodeVerifier: derived(binding, 'verifier'),
      expectedNonce: derived(binding, 'nonce'),
      expectedState: binding.state,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims || !tokens.id_token) throw new Refused('token_invalid')
    await verify(tokens.id_token, by, ['iss', 'aud'])
    return providedBy(await withUserinfo(by, { claims, accessToken: tokens.access_token }), config)
  } catch (err) {
    return { refused: await reasonOf(err) }
  }
}
