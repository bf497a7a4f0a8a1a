/** The person of a connection's answer by OpenID Connect. */
import {
  beginCodeFlow,
  isSubject,
  reasonOf,
  redeemCode,
  Refused,
  textOf,
  withUserinfo,
  type Binding,
  type Claims,
  type OidcReason,
} from '../../../protocols/oidc/code-flow.ts'
import type { KnownProvider } from '../../../protocols/oidc/known-providers.ts'
import { nameFrom } from '../../../protocols/person-names.ts'
import { domainOf } from '../../../values/text.ts'
import type { Claim, AcceptedAnswer } from '../linking/persons.service.ts'
import type { OidcConfig } from './oidc.ts'

/** The address of the provider's page. */
export const beginOidc = (
  provider: KnownProvider,
  { scopes }: OidcConfig,
  { binding, callbackUrl, loginHint }: { binding: Binding; callbackUrl: string; loginHint: string },
): Promise<string> =>
  beginCodeFlow(provider, {
    binding,
    callbackUrl,
    scopes,
    ...(loginHint !== '' && { more: { login_hint: loginHint } }),
  })

const groupsMax = 500

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
  if (!isSubject(subject)) throw new Refused('subject_missing')
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

/**
 * The person of a provider's answer, or the reason of its refusal. `answer` has the parameters that the browser
 * delivers.
 */
export const readOidc = async (
  { provider, config, now }: { provider: KnownProvider; config: OidcConfig; now: Date },
  received: { binding: Binding; callbackUrl: string; answer: URLSearchParams },
): Promise<AcceptedAnswer | { refused: OidcReason }> => {
  try {
    const by = { provider, clientId: config.client_id, issuerOf: () => config.issuer, now }
    const redeemed = await redeemCode(by, received)
    const { claims } = redeemed
    return providedBy(lacksOne(claims, config) ? await withUserinfo(by, redeemed) : claims, config)
  } catch (err) {
    return { refused: await reasonOf(err) }
  }
}
