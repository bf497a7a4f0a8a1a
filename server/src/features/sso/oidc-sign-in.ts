/** The ways of OpenID Connect to a provider and back (OpenID Connect Core 3.1, RFC 7636, RFC 9207). */
import { createHmac } from 'node:crypto'
import { errors, jwtVerify } from 'jose'
import type { IDToken, UserInfoResponse } from 'openid-client'
import { Unreachable } from '../../outbound/addresses.ts'
import { Unanswered } from '../../outbound/exchange.ts'
import { domainOf } from '../../text.ts'
import type { Claim, Provided } from '../linking/persons.service.ts'
import { driftSeconds, type OidcConfig } from './oidc.ts'
import { nameFrom } from './person-names.ts'
import type { KnownProvider } from './providers.service.ts'
import type { OidcReason } from './reasons.ts'

/** The values that bind an answer to an attempt. */
export interface Binding {
  /** 256 random bits, which the provider sends back. */
  state: string
  /** The cookie that names the browser: 256 random bits that the provider never sees. */
  browser: string
}

/**
 * Verifier and nonce are made of the browser's cookie and the state, so that nobody keeps them: an answer in another
 * browser has others (decision 0258).
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

/** An answer of a provider that is refused. */
class Refused extends Error {
  readonly reason: OidcReason

  constructor(reason: OidcReason, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

const isUnreached = (err: unknown): boolean =>
  err instanceof Unreachable ||
  err instanceof Unanswered ||
  (err instanceof Error && 'code' in err && ['OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes(String(err.code))) ||
  (err instanceof Error && err.cause !== undefined && isUnreached(err.cause))

/** Codes of `openid-client` for an ID token that does not fit. */
const ofToken = new Set([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
])

/** Providers refuse a client in the body, or by a header too (RFC 6749, 5.2). */
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

/** Never `none`, and never a secret that both sides know. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']

/** Verifies the signature by a key of the issuer. Keys that cannot be had are no fault of the token. */
const verify = async (
  idToken: string,
  { keys }: KnownProvider,
  { issuer, client_id: audience }: OidcConfig,
): Promise<void> => {
  const options = { algorithms, issuer, audience, clockTolerance: driftSeconds }
  const { payload } = await jwtVerify(idToken, keys, options).catch((err: unknown) => {
    throw isUnreached(err) || err instanceof errors.JWKSTimeout
      ? new Refused('provider_unreachable', err)
      : new Refused('token_invalid', err)
  })
  if (payload['azp'] !== undefined && payload['azp'] !== audience) throw new Refused('token_invalid')
  // The libraries compare `iat` with no clock.
  if ((payload.iat ?? 0) > Date.now() / 1000 + driftSeconds) throw new Refused('token_invalid')
}

type Claims = IDToken | UserInfoResponse

/** 1 to 255 characters that every database holds. */
const subjectForm = /^\P{Cc}{1,255}$/u
const groupsMax = 500

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Undefined where the claim is missing, or does not say all: more than 500, or the overage of Entra ID. */
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

/** Claims that say nothing of a person. */
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

/** Anybody can have an account of Google under a company's address: only the organization's own count. */
const google = 'https://accounts.google.com'

const requireHosted = ({ issuer }: OidcConfig, claims: Claims, email: string): void => {
  if (issuer !== google) return
  const domain = domainOf(email)
  if (email === '' || textOf(claims['hd']).toLowerCase() !== domain) throw new Refused('hosted_domain')
}

const providedBy = (claims: Claims, config: OidcConfig): Provided => {
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

/** Fills in the claims that the ID token lacks. Its own come first. */
const withUserinfo = async (
  { configuration }: KnownProvider,
  config: OidcConfig,
  { claims, accessToken }: { claims: IDToken; accessToken: string },
): Promise<Claims> => {
  if (!configuration.serverMetadata().userinfo_endpoint || !lacksOne(claims, config)) return claims
  const client = await import('openid-client')
  const more = await client.fetchUserInfo(configuration, accessToken, claims.sub).catch((err: unknown) => {
    throw new Refused(isUnreached(err) ? 'provider_unreachable' : 'userinfo_invalid', err)
  })
  return { ...more, ...claims }
}

/** The person of a provider's answer, or why it is refused. `answer` has the parameters that the browser brought. */
export const readOidc = async (
  provider: KnownProvider,
  config: OidcConfig,
  { binding, callbackUrl, answer }: { binding: Binding; callbackUrl: string; answer: URLSearchParams },
): Promise<Provided | { refused: OidcReason }> => {
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
    await verify(tokens.id_token, provider, config)
    return providedBy(
      await withUserinfo(provider, config, { claims, accessToken: tokens.access_token }),
      config,
    )
  } catch (err) {
    return { refused: await reasonOf(err) }
  }
}
