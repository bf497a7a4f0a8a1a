/** The fields of connections that their types have. */
import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import type { CreateConnection, UpdateConnection } from './connections.schemas.ts'
import { requireIssuer } from './issuers.ts'
import { requireProvider, type OidcConfig } from './oidc.ts'
import { newRequestKey } from './saml-certificates.ts'
import { replacedSamlConfig, samlConfigOf, warningOf, type SamlConfig } from './saml-connection.ts'

/** The row that a secret is bound to. */
export const bindingOf = (id: string): string => `connection_secrets ${id}`

export type ConnectionConfig = OidcConfig | SamlConfig

export const isSaml = (config: ConnectionConfig): config is SamlConfig => 'entity_id' in config

const required = <Key extends keyof CreateConnection>(
  input: CreateConnection,
  key: Key,
): NonNullable<CreateConnection[Key]> =>
  input[key] ??
  (() => {
    throw invalid(key, `is required for the type ${input.type}`)
  })()

const oidcConfigOf = (input: CreateConnection): OidcConfig => ({
  issuer: required(input, 'issuer'),
  client_id: required(input, 'client_id'),
  auth_method: input.auth_method ?? 'client_secret_basic',
  scopes: input.scopes ?? 'openid profile email',
  subject_claim: input.subject_claim ?? 'sub',
  email_claim: input.email_claim ?? 'email',
  name_claim: input.name_claim ?? 'name',
  groups_claim: input.groups_claim ?? 'groups',
})

const requireScopes = (config: OidcConfig): OidcConfig => {
  if (!config.scopes.split(' ').includes('openid')) throw invalid('scopes', 'must contain openid')
  return config
}

const samlOf = ({ parts }: Ctx, input: CreateConnection): SamlConfig =>
  samlConfigOf(
    {
      metadata: required(input, 'metadata'),
      subject: input.subject ?? 'name_id',
      email_attribute: input.email_attribute ?? 'email',
      name_attribute: input.name_attribute ?? 'name',
      groups_attribute: input.groups_attribute ?? 'groups',
    },
    parts.provider.hasAllowedScheme,
  )

/** The configuration of a new connection. `secret` resolves when its provider has proved what it has to. Throws 400. */
export const newConfig = (
  ctx: Ctx,
  input: CreateConnection,
): { config: ConnectionConfig; secret: () => Promise<string> } => {
  if (input.type === 'saml') return { config: samlOf(ctx, input), secret: newRequestKey }
  const config = oidcConfigOf(input)
  const secret = required(input, 'client_secret')
  const { provider } = ctx.parts
  requireIssuer(config.issuer, provider.hasAllowedScheme)
  requireScopes(config)
  return { config, secret: () => requireProvider(provider, config, secret).then(() => secret) }
}

/** Takes from a change the fields of the type that it names. Throws 400 where the provider would be another. */
export const mergedConfig = (
  ctx: Ctx,
  config: ConnectionConfig,
  input: UpdateConnection,
): ConnectionConfig => {
  if (isSaml(config)) {
    const after = samlOf(ctx, { ...config, ...input, type: 'saml', name: '' })
    return replacedSamlConfig(config, after)
  }
  const pick = <Key extends keyof OidcConfig & keyof UpdateConnection>(key: Key) => input[key] ?? config[key]
  return requireScopes({
    ...config,
    client_id: pick('client_id'),
    auth_method: pick('auth_method'),
    scopes: pick('scopes'),
    email_claim: pick('email_claim'),
    name_claim: pick('name_claim'),
    groups_claim: pick('groups_claim'),
  })
}

/** The fields that audit records show. */
export const recordedConfig = (config: ConnectionConfig): object => {
  if (isSaml(config)) {
    const { entity_id, sso_url, certificates, subject } = config
    return { entity_id, sso_url, certificates, subject }
  }
  const { issuer, client_id, subject_claim } = config
  return { issuer, client_id, subject_claim }
}

/** When managers hear of a certificate that ends. */
export const warnAtOf = (config: ConnectionConfig): Date | null => (isSaml(config) ? warningOf(config) : null)

/** Whether a test of the one says nothing about the other. */
export const isAnother = (before: ConnectionConfig, after: ConnectionConfig): boolean =>
  !isDeepStrictEqual(before, after)

/** When managers hear of a certificate that ends, after a change: other certificates have another end. */
export const warnAtAfter = (
  { config, warn_at: warnAt }: { config: ConnectionConfig; warn_at: Date | null },
  after: ConnectionConfig,
): Date | null => {
  const isKept = isSaml(config) && isSaml(after) && config.metadata === after.metadata
  return isKept ? warnAt : warnAtOf(after)
}
