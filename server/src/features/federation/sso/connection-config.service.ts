/** The fields of a connection that depend on its type. */
import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../errors/app-error.ts'
import type { CreateConnection, UpdateConnection } from './connections.schemas.ts'
import type { ConnectionRow } from './connections.store.ts'
import { requireIssuer } from './issuers.ts'
import { readAddress } from './metadata-address.ts'
import { requireProvider, type OidcConfig } from './oidc.ts'
import { newRequestKey } from './saml-certificates.ts'
import { replacedSamlConfig, samlConfigOf, warningOf, type SamlConfig } from './saml-connection.ts'

/** The row to which the encryption binds a secret. */
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
      metadata_url: input.metadata_url ?? '',
      subject: input.subject ?? 'name_id',
      email_attribute: input.email_attribute ?? 'email',
      name_attribute: input.name_attribute ?? 'name',
      groups_attribute: input.groups_attribute ?? 'groups',
    },
    parts.provider.hasAllowedScheme,
  )

type Described = Pick<UpdateConnection, 'metadata' | 'metadata_url'>

/** Adds the metadata at `metadata_url` to an input. Throws 400 if the address has none. */
export const withMetadata = async <Input extends Described>({ parts }: Ctx, input: Input): Promise<Input> => {
  if (!input.metadata_url) return input
  if (input.metadata !== undefined) throw invalid('metadata_url', 'must stand without metadata')
  return { ...input, metadata: await readAddress(parts.provider, input.metadata_url) }
}

const lookMs = 24 * 3_600_000

export const nextLookAfter = (now: Date): Date => new Date(now.getTime() + lookMs)

/** The time of the next read of the metadata; null without an address. */
export const lookAtOf = (config: ConnectionConfig, now: Date): Date | null =>
  isSaml(config) && config.metadata_url !== '' ? nextLookAfter(now) : null

/** The configuration as the API shows it. Omits metadata that come from an address. */
export const shownConfig = (config: ConnectionConfig): Partial<ConnectionConfig> => {
  if (!isSaml(config) || config.metadata_url === '') return config
  const { metadata: _, ...others } = config
  return others
}

/**
 * The configuration of a new connection. `secret` resolves after the check of the provider's metadata. Throws 400 for
 * invalid metadata.
 */
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

/**
 * Applies the changed fields that belong to the connection's type. Throws 400 if they would describe another provider.
 */
export const mergedConfig = (
  ctx: Ctx,
  { config, found_metadata: found }: Pick<ConnectionRow, 'config' | 'found_metadata'>,
  input: UpdateConnection,
): ConnectionConfig => {
  if (isSaml(config)) {
    const sent = input.metadata === undefined ? { metadata: found ?? config.metadata } : { metadata_url: '' }
    const after = samlOf(ctx, { ...config, ...sent, ...input, type: 'saml', name: '' })
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
    const { metadata_url, entity_id, sso_url, certificates, subject } = config
    return { metadata_url, entity_id, sso_url, certificates, subject }
  }
  const { issuer, client_id, subject_claim } = config
  return { issuer, client_id, subject_claim }
}

/** The time at which managers are notified of an expiring certificate. */
export const warnAtOf = (config: ConnectionConfig): Date | null => (isSaml(config) ? warningOf(config) : null)

/** True if the configurations differ. A test of one then proves nothing about the other. */
export const isAnother = (before: ConnectionConfig, after: ConnectionConfig): boolean =>
  !isDeepStrictEqual(before, after)

/** The time of that notice after a change. Other certificates give another time. */
export const warnAtAfter = (
  { config, warn_at: warnAt }: { config: ConnectionConfig; warn_at: Date | null },
  after: ConnectionConfig,
): Date | null => {
  const isKept = isSaml(config) && isSaml(after) && config.metadata === after.metadata
  return isKept ? warnAt : warnAtOf(after)
}

/** The time of the next read of the metadata, after a change. For a new address it is a day later. */
export const lookAtAfter = (
  { config, look_at: lookAt }: Pick<ConnectionRow, 'config' | 'look_at'>,
  after: ConnectionConfig,
  now: Date,
): Date | null => {
  const isKept = isSaml(config) && isSaml(after) && config.metadata_url === after.metadata_url
  return isKept ? lookAt : lookAtOf(after, now)
}
