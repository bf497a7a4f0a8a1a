/** The sign-in at an OpenID Connect provider (OpenID Connect Core 3.1, RFC 7636, RFC 9207). */
import { createHmac } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose'
import { Unreachable } from '../../outbound/addresses.ts'
import { Unanswered } from '../../outbound/exchange.ts'
import type { KnownProvider } from './known-providers.ts'
import { driftSeconds } from './oidc-client.ts'

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
export const derived = ({ state, browser }: Binding, purpose: 'verifier' | 'nonce'): string =>
  createHmac('sha256', browser).update(`${purpose} ${state}`).digest('base64url')

/** The address of the provider's page. */
export const beginCodeFlow = async (
  { configuration }: KnownProvider,
  {
    binding,
    callbackUrl,
    scopes,
    more = {},
  }: { binding: Binding; callbackUrl: string; scopes: string; more?: Record<string, string> },
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
    ...more,
  }).href
}

/** Reasons to refuse the answer of a provider, with the numbers that pages show. A number never changes its meaning. */
export const oidcRefusals = {
  provider_refused: 101,
  provider_unreachable: 102,
  answer_invalid: 103,
  token_invalid: 104,
  userinfo_invalid: 105,
  subject_missing: 106,
  hosted_domain: 107,
  client_refused: 108,
} as const

export type OidcReason = keyof typeof oidcRefusals

/** Thrown for a refused answer. */
export class Refused extends Error {
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
export const reasonOf = async (err: unknown): Promise<OidcReason> => {
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

export type Claims = JWTPayload

export interface Verification {
  provider: KnownProvider
  clientId: string
  /** The only issuer of these claims. */
  issuerOf: (claims: Claims) => string
  now: Date
}

/** Whether the present claims fit a token for this client. The libraries do not compare `iat` with the clock. */
const isForUs = (claims: Claims, { clientId, issuerOf, now }: Verification): boolean => {
  const issuer = issuerOf(claims)
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

/** Whether a text can identify a person. */
export const isSubject = (text: string): boolean => subjectForm.test(text) && text.isWellFormed()

/** The text of a claim; "" for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

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
export const withUserinfo = async (
  by: Verification,
  { claims, accessToken }: { claims: Claims; accessToken: string },
): Promise<Claims> => {
  const { configuration } = by.provider
  const { userinfo_endpoint: address } = configuration.serverMetadata()
  if (!address) return claims
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
 * The claims of a provider's answer, which a key of the issuer signed. `answer` has the parameters that the browser
 * delivers. Throws for an answer that is refused: `reasonOf` has the reason.
 */
export const redeemCode = async (
  by: Verification,
  { binding, callbackUrl, answer }: { binding: Binding; callbackUrl: string; answer: URLSearchParams },
): Promise<{ claims: Claims; accessToken: string; keyId: string | undefined }> => {
  const client = await import('openid-client')
  const url = new URL(callbackUrl)
  url.search = answer.toString()
  const tokens = await client.authorizationCodeGrant(by.provider.configuration, url, {
    pkceCodeVerifier: derived(binding, 'verifier'),
    expectedNonce: derived(binding, 'nonce'),
    expectedState: binding.state,
    idTokenExpected: true,
  })
  if (!tokens.id_token) throw new Refused('token_invalid')
  const claims = await verify(tokens.id_token, by, ['iss', 'aud'])
  const { kid: keyId } = decodeProtectedHeader(tokens.id_token)
  return { claims, accessToken: tokens.access_token, keyId }
}
