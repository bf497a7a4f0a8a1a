/** Initial values of the form for each provider. They match the guides of docs/guides. */
import type { Connection, CreateConnection, UpdateConnection } from '@tenantry/client'

export const providers = ['entra', 'okta', 'google', 'keycloak', 'other'] as const
export type Provider = (typeof providers)[number]

export const protocols = ['oidc', 'saml'] as const
export type Protocol = CreateConnection['type']

/** The fields that the provider decides, with the API's names. */
export interface ProviderFields {
  auth_method: 'client_secret_basic' | 'client_secret_post'
  scopes: string
  subject_claim: 'sub' | 'oid'
  email_claim: string
  name_claim: string
  groups_claim: string
  subject: string
  email_attribute: string
  name_attribute: string
  groups_attribute: string
}

export interface Preset {
  issuerExample: string
  fields: ProviderFields
}

/** The service's defaults. */
const usual: ProviderFields = {
  auth_method: 'client_secret_basic',
  scopes: 'openid profile email',
  subject_claim: 'sub',
  email_claim: 'email',
  name_claim: 'name',
  groups_claim: 'groups',
  subject: 'name_id',
  email_attribute: 'email',
  name_attribute: 'name',
  groups_attribute: 'groups',
}

const microsoft = 'http://schemas.microsoft.com'

export const presets: Record<Provider, Preset> = {
  entra: {
    issuerExample: 'https://login.microsoftonline.com/DIRECTORY/v2.0',
    fields: {
      ...usual,
      auth_method: 'client_secret_post',
      subject_claim: 'oid',
      subject: `${microsoft}/identity/claims/objectidentifier`,
      email_attribute: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
      name_attribute: `${microsoft}/identity/claims/displayname`,
      groups_attribute: `${microsoft}/ws/2008/06/identity/claims/groups`,
    },
  },
  okta: { issuerExample: 'https://example.okta.com', fields: { ...usual, subject: 'id' } },
  google: {
    issuerExample: 'https://accounts.google.com',
    fields: { ...usual, auth_method: 'client_secret_post' },
  },
  keycloak: { issuerExample: 'https://login.example.com/realms/REALM', fields: usual },
  other: { issuerExample: 'https://login.example.com', fields: usual },
}

const marks: [RegExp, Provider][] = [
  [/^https:\/\/(?:login\.microsoftonline\.(?:com|us)|sts\.windows\.net)\//, 'entra'],
  [/\.okta(?:preview|-emea)?\.com(?:\/|$)|^http:\/\/www\.okta\.com\//, 'okta'],
  [/^https:\/\/accounts\.google\.com(?:\/|$)/, 'google'],
  [/\/realms\/[^/]+$/, 'keycloak'],
]

/** The probable provider of a connection, which decides only hints. */
export const providerOf = ({ issuer, entity_id: entity = '' }: Connection): Provider =>
  marks.find(([mark]) => mark.test(issuer ?? entity))?.[1] ?? 'other'

/** The fields have the names of the API, so that its refusals appear beside them. */
export interface ProviderValues extends ProviderFields, Record<string, unknown> {
  issuer: string
  client_id: string
  client_secret: string
  metadata: string
  metadata_url: string
}

const oidc = ['client_id', 'auth_method', 'scopes', 'email_claim', 'name_claim', 'groups_claim'] as const
const saml = ['email_attribute', 'name_attribute', 'groups_attribute'] as const

type Sent = UpdateConnection & { issuer?: string; subject_claim?: 'sub' | 'oid' }

const pick = <Key extends string>(values: Record<string, unknown>, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, String(values[key]).trim()])) as Partial<Record<Key, string>>

/** The issuer. Many users copy the address of the discovery document, which begins with the issuer. */
const issuerOf = ({ issuer }: ProviderValues): string =>
  issuer.trim().replace(/\/\.well-known\/openid-configuration$/, '')

/**
 * The fields of the protocol for the API. Only a new connection sends issuer and subject. An empty secret keeps the
 * old one.
 */
export const sentFields = (type: Protocol, values: ProviderValues, { isNew }: { isNew: boolean }): Sent => {
  if (type === 'saml') {
    const described = values.metadata_url.trim() === '' ? 'metadata' : 'metadata_url'
    return pick(values, [...saml, described, ...(isNew ? (['subject'] as const) : [])])
  }
  const secret = values.client_secret === '' ? {} : { client_secret: values.client_secret }
  const sent = { ...(pick(values, oidc) as Sent), ...secret }
  return isNew ? { ...sent, issuer: issuerOf(values), subject_claim: values.subject_claim } : sent
}
