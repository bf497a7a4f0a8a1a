/** The exchange with a provider, by the protocol of its kind. */
import { importPKCS8, SignJWT } from 'jose'
import type { ClientAuth } from 'openid-client'
import type { Ctx } from '../../../context.ts'
import {
  beginCodeFlow,
  reasonOf,
  redeemCode,
  Refused,
  withUserinfo,
  textOf,
  type Binding,
  type Claims,
  type OidcReason,
} from '../../../protocols/oidc/code-flow.ts'
import type { KnownProvider, NamedClient, Providers } from '../../../protocols/oidc/known-providers.ts'
import { basicAuth, postAuth } from '../../../protocols/oidc/oidc-client.ts'
import { beginGitHub, readGitHub } from './github.ts'
import type { ProviderConfig, ProviderKind } from './provider-config.ts'
import { personOfClaims, postedNameOf, type DescribedPerson } from './provider-person.ts'

/** A provider with its secret. */
export interface OpenedProvider {
  id: string
  slug: string
  kind: ProviderKind
  config: ProviderConfig
  changedAt: string
  secret: string
}

const apple = 'https://appleid.apple.com'
const microsoft = 'https://login.microsoftonline.com'

const issuerOf = (kind: ProviderKind, { issuer = '', tenant = '' }: ProviderConfig): string => {
  if (kind === 'google') return 'https://accounts.google.com'
  if (kind === 'apple') return apple
  return kind === 'microsoft' ? `${microsoft}/${tenant}/v2.0` : issuer
}

/** Microsoft's metadata for several tenants name a placeholder, and those for its own accounts the id of their tenant. */
const namedIssuers: Record<string, string> = {
  common: `${microsoft}/{tenantid}/v2.0`,
  organizations: `${microsoft}/{tenantid}/v2.0`,
  consumers: `${microsoft}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`,
}

/** 5 minutes: docs/contract.md, "Providers". */
const appleSecretMs = 5 * 60_000

/** The secret of our client at Apple: a token that its key signs for each exchange. */
const appleSecret = async (
  { parts }: Pick<Ctx, 'parts'>,
  { config, secret }: OpenedProvider,
): Promise<string> => {
  const now = parts.now().getTime()
  return new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: config.key_id ?? '' })
    .setIssuer(config.team_id ?? '')
    .setSubject(config.client_id)
    .setAudience(apple)
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor((now + appleSecretMs) / 1000))
    .sign(await importPKCS8(secret, 'ES256'))
}

const authOf = (ctx: Pick<Ctx, 'parts'>, opened: OpenedProvider): ClientAuth => {
  if (opened.kind === 'apple') return postAuth(() => appleSecret(ctx, opened))
  return opened.kind === 'oidc' ? basicAuth(opened.secret) : postAuth(() => opened.secret)
}

const clientOf = (ctx: Pick<Ctx, 'parts'>, opened: OpenedProvider): NamedClient => {
  const { id, kind, config, changedAt } = opened
  const namedIssuer = kind === 'microsoft' ? namedIssuers[config.tenant ?? ''] : undefined
  return {
    id,
    changedAt,
    client: { issuer: issuerOf(kind, config), client_id: config.client_id },
    authentication: authOf(ctx, opened),
    ...(namedIssuer !== undefined && { namedIssuer }),
  }
}

const moreOf = (kind: ProviderKind, loginHint: string): Record<string, string> => ({
  // Apple sends name and address only so.
  ...(kind === 'apple' && { response_mode: 'form_post' }),
  ...(loginHint !== '' && kind !== 'apple' && { login_hint: loginHint }),
})

/** The address of the provider's page. Throws if the provider does not answer. */
export const beginAt = async (
  ctx: Pick<Ctx, 'parts'>,
  providers: Providers,
  opened: OpenedProvider,
  { loginHint, ...bound }: { binding: Binding; callbackUrl: string; loginHint: string },
): Promise<string> => {
  const { kind, config } = opened
  if (kind === 'github') return beginGitHub(config, bound)
  const known = await providers.find(clientOf(ctx, opened))
  return beginCodeFlow(known, { ...bound, scopes: config.scopes, more: moreOf(kind, loginHint) })
}

/** Microsoft has one key set for all tenants: a key that names an issuer signs for that issuer alone. */
const requireKeyOfIssuer = (
  { keys }: KnownProvider,
  { claims, keyId }: { claims: Claims; keyId: string | undefined },
): void => {
  const named = (keys.jwks?.()?.keys ?? []).filter(({ kid }) => kid === keyId)
  const issuers = named.map((key) => (key as { issuer?: unknown }).issuer).filter((one) => one !== undefined)
  const own = issuers.every((one) => textOf(one).replace('{tenantid}', textOf(claims['tid'])) === claims.iss)
  if (!own) throw new Refused('token_invalid')
}

const readClaims = async (
  ctx: Pick<Ctx, 'parts'>,
  providers: Providers,
  opened: OpenedProvider & { kind: Exclude<ProviderKind, 'github'> },
  received: Received,
): Promise<DescribedPerson> => {
  const { kind, config } = opened
  const client = clientOf(ctx, opened)
  const provider = await providers.find(client).catch((err: unknown) => {
    throw new Refused('provider_unreachable', err)
  })
  const issuer = client.namedIssuer ?? client.client.issuer
  const by = {
    provider,
    clientId: config.client_id,
    issuerOf: ({ tid }: Claims) => issuer.replace('{tenantid}', textOf(tid)),
    now: ctx.parts.now(),
  }
  const { answer } = received
  const posted = postedNameOf(answer.get('user'))
  answer.delete('user')
  const redeemed = await redeemCode(by, received)
  if (kind === 'microsoft') requireKeyOfIssuer(provider, redeemed)
  const isMore =
    kind === 'oidc' && (redeemed.claims['email'] === undefined || redeemed.claims['name'] === undefined)
  const claims = isMore ? await withUserinfo(by, redeemed) : redeemed.claims
  return personOfClaims({ kind, config }, claims, kind === 'apple' ? posted : '')
}

interface Received {
  binding: Binding
  callbackUrl: string
  /** The parameters that the browser delivers. */
  answer: URLSearchParams
}

/** The person of a provider's answer, or the reason of its refusal. */
export const readAnswerOf = async (
  ctx: Pick<Ctx, 'parts'>,
  providers: Providers,
  opened: OpenedProvider,
  received: Received,
): Promise<DescribedPerson | { refused: OidcReason }> => {
  const { kind } = opened
  try {
    return kind === 'github'
      ? await readGitHub(ctx.parts.provider, opened, received)
      : await readClaims(ctx, providers, { ...opened, kind }, received)
  } catch (err) {
    return { refused: await reasonOf(err) }
  }
}
