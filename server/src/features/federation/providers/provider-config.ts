/** The fields of a provider that depend on its kind. */
import { createPrivateKey } from 'node:crypto'
import { invalid } from '../../../errors/app-error.ts'
import type { CreateProvider, Provider, UpdateProvider } from './providers.schemas.ts'

export type ProviderKind = Provider['kind']

/** The stored fields. A kind has no others than those of the table `fieldsOf`. */
export interface ProviderConfig {
  client_id: string
  scopes: string
  /** Of `oidc` alone. */
  issuer?: string
  trusts_email?: boolean
  /** Of `microsoft` alone. */
  tenant?: string
  /** Of `apple` alone. */
  team_id?: string
  key_id?: string
}

type OwnField = 'issuer' | 'trusts_email' | 'tenant' | 'team_id' | 'key_id'

/** The fields of one kind alone, and whether a new provider needs them. */
const fieldsOf: Record<ProviderKind, Partial<Record<OwnField, 'needed' | 'optional'>>> = {
  google: {},
  microsoft: { tenant: 'needed' },
  apple: { team_id: 'needed', key_id: 'needed' },
  github: {},
  oidc: { issuer: 'needed', trusts_email: 'optional' },
}

const ownFields: OwnField[] = ['issuer', 'trusts_email', 'tenant', 'team_id', 'key_id']

const usualScopes: Record<ProviderKind, string> = {
  google: 'openid email profile',
  microsoft: 'openid email profile',
  apple: 'openid email name',
  github: 'read:user user:email',
  oidc: 'openid email profile',
}

/** Issuers that have a kind of their own, whose rules an administrator must not avoid. */
const kindOfHost: Record<string, ProviderKind> = {
  'accounts.google.com': 'google',
  'appleid.apple.com': 'apple',
  'account.apple.com': 'apple',
  'login.microsoftonline.com': 'microsoft',
  'login.live.com': 'microsoft',
  'sts.windows.net': 'microsoft',
}

const requireIssuer = (issuer: string, hasAllowedScheme: (url: URL) => boolean): void => {
  const url = URL.parse(issuer)
  if (!url || !hasAllowedScheme(url)) throw invalid('issuer', 'must be an address with https')
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw invalid('issuer', 'must not contain user, password, query or fragment')
  }
  const kind = kindOfHost[url.hostname]
  if (kind) throw invalid('issuer', `has a kind of its own: ${kind}`)
}

/** Throws 400 unless the secret is a private key that can sign with ES256. */
const requireAppleKey = (pem: string): void => {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    if (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1') return
  } catch {
    // Node refuses what is no key.
  }
  throw invalid('client_secret', 'must be the content of the .p8 file: a private key of the curve P-256')
}

export const requireSecret = (kind: ProviderKind, secret: string): void => {
  if (kind === 'apple') requireAppleKey(secret)
}

const requireScopes = (kind: ProviderKind, { scopes }: ProviderConfig): void => {
  if (kind !== 'github' && !scopes.split(' ').includes('openid')) {
    throw invalid('scopes', 'must contain openid')
  }
}

/** Throws 400 for a field that the kind does not have. */
const requireOwnFields = (kind: ProviderKind, input: Partial<Record<OwnField, unknown>>): void => {
  const foreign = ownFields.find((field) => input[field] !== undefined && !fieldsOf[kind][field])
  if (foreign) throw invalid(foreign, `is no field of the kind ${kind}`)
}

/** The given fields of one kind alone. */
const given = (input: { [Field in OwnField]?: ProviderConfig[Field] | undefined }): Pick<
  ProviderConfig,
  OwnField
> =>
  Object.fromEntries(
    ownFields.filter((field) => input[field] !== undefined).map((field) => [field, input[field]]),
  )

/** The fields of a new provider. Throws 400 for a field that is missing or belongs to another kind. */
export const newConfig = (
  { kind, client_id, scopes = usualScopes[kind], ...input }: CreateProvider,
  hasAllowedScheme: (url: URL) => boolean,
): ProviderConfig => {
  requireOwnFields(kind, input)
  const missing = ownFields.find((field) => fieldsOf[kind][field] === 'needed' && input[field] === undefined)
  if (missing) throw invalid(missing, `is required for the kind ${kind}`)
  if (input.issuer !== undefined) requireIssuer(input.issuer, hasAllowedScheme)
  const tenant = input.tenant?.toLowerCase()
  const own = { trusts_email: kind === 'oidc' ? false : undefined, ...input, tenant }
  const config = { client_id, scopes, ...given(own) }
  requireScopes(kind, config)
  return config
}

/** Applies the changed fields. Throws 400 for a field of another kind. */
export const mergedConfig = (
  { kind, config }: { kind: ProviderKind; config: ProviderConfig },
  { client_id, scopes, team_id, key_id, trusts_email }: UpdateProvider,
): ProviderConfig => {
  requireOwnFields(kind, { team_id, key_id, trusts_email })
  const sent = { client_id, scopes }
  const known = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  const merged = { ...config, ...known, ...given({ team_id, key_id, trusts_email }) }
  requireScopes(kind, merged)
  return merged
}
