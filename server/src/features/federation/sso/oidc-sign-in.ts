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
  type Verification,
} from '../../../protocols/oidc/code-flow.ts'
import type { KnownProvider } from '../../../protocols/oidc/known-providers.ts'
import { nameFrom } from '../../../protocols/person-names.ts'
import { domainOf } from '../../../values/text.ts'
import { claimedBy, type AttributeMapping } from '../../configuration/attributes/filling.service.ts'
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

/** Whether another server has the claim: the overage claim of Entra ID. */
const isElsewhere = (claims: Claims, name: string): boolean => {
  const named = claims['_claim_names']
  return typeof named === 'object' && named !== null && name in named
}

/**
 * The groups. Undefined if the claim is missing or incomplete: more than 500 groups, or the overage claim of Entra ID.
 */
const groupsOf = (claims: Claims, name: string): string[] | undefined => {
  if (isElsewhere(claims, name)) return undefined
  const value = claims[name]
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

const providedBy = (claims: Claims, config: OidcConfig, mappings: AttributeMapping[]): AcceptedAnswer => {
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
      claimed: claimedBy(
        mappings.filter(({ claim }) => !isElsewhere(claims, claim)),
        (claim) => claims[claim],
      ),
      sessionEndsAt: undefined,
    },
    claims: claimsOf(claims, config),
  }
}

/** Adds userinfo where the token lacks a claim. A failure of userinfo refuses nobody for a claim of an attribute. */
const completed = async (
  by: Verification,
  redeemed: { claims: Claims; accessToken: string },
  { config, attributes }: Pick<OidcReading, 'config' | 'attributes'>,
): Promise<Claims> => {
  const { claims } = redeemed
  const lacksOne = (names: string[]) => names.some((one) => claims[one] === undefined)
  const { email_claim: email, name_claim: name, groups_claim: groups } = config
  if (lacksOne([email, name, groups])) return withUserinfo(by, redeemed)
  const isWhole = !lacksOne(attributes.map(({ claim }) => claim))
  return isWhole ? claims : withUserinfo(by, redeemed).catch(() => claims)
}

interface OidcReading {
  provider: KnownProvider
  config: OidcConfig
  attributes: AttributeMapping[]
  now: Date
}

/**
 * The person of a provider's answer, or the reason of its refusal. `answer` has the parameters that the browser
 * delivers.
 */
export const readOidc = async (
  { provider, config, attributes, now }: OidcReading,
  received: { binding: Binding; callbackUrl: string; answer: URLSearchParams },
): Promise<AcceptedAnswer | { refused: OidcReason }> => {
  try {
    const by = { provider, clientId: config.client_id, issuerOf: () => config.issuer, now }
    const redeemed = await redeemCode(by, received)
    return providedBy(await completed(by, redeemed, { config, attributes }), config, attributes)
  } catch (err) {
    return { refused: await reasonOf(err) }
  }
}
