/** The fields that a form of a provider shows, by its kind. */
import type { CreateProvider, Provider, UpdateProvider } from '@tenantry/client'

export const kinds = ['google', 'microsoft', 'apple', 'github', 'oidc'] as const
export type Kind = Provider['kind']

type OwnField = 'issuer' | 'tenant' | 'team_id' | 'key_id' | 'trusts_email'

const ownFields: Record<Kind, OwnField[]> = {
  google: [],
  microsoft: ['tenant'],
  apple: ['team_id', 'key_id'],
  github: [],
  oidc: ['issuer', 'trusts_email'],
}

/** No change sends these. */
const lasting: OwnField[] = ['issuer', 'tenant']

/** The fields have the names of the API, so that its refusals appear beside them. */
export interface Values extends Record<string, unknown> {
  kind: Kind
  slug: string
  name: string
  client_id: string
  client_secret: string
  scopes: string
  allow_new: boolean
  issuer: string
  tenant: string
  team_id: string
  key_id: string
  trusts_email: boolean
}

export const begin = (kind: Kind, name: string): Values => ({
  kind,
  slug: kind,
  name,
  client_id: '',
  client_secret: '',
  scopes: '',
  allow_new: true,
  issuer: '',
  tenant: 'common',
  team_id: '',
  key_id: '',
  trusts_email: false,
})

export const valuesOf = (provider: Provider): Values => ({
  ...begin(provider.kind, provider.name),
  ...provider,
  client_secret: '',
})

/** Many users copy the address of the discovery document, which begins with the issuer. */
const issuerOf = (text: string): string => text.replace(/\/\.well-known\/openid-configuration$/, '')

const trimmed = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  ) as Values

const pick = (values: Values, names: OwnField[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Pick<Values, OwnField>>

/** Without scopes, the service takes those that the kind needs. */
export const createdFields = (typed: Values): CreateProvider => {
  const values = trimmed(typed)
  const { kind, slug, name, client_id, client_secret, scopes, allow_new, issuer } = values
  return {
    kind,
    slug,
    name,
    client_id,
    client_secret,
    allow_new,
    ...(scopes === '' ? {} : { scopes }),
    ...pick({ ...values, issuer: issuerOf(issuer) }, ownFields[kind]),
  }
}

/** An empty secret keeps the present one. */
export const changedFields = (typed: Values): UpdateProvider => {
  const values = trimmed(typed)
  const { kind, name, client_id, client_secret, scopes, allow_new } = values
  return {
    name,
    client_id,
    scopes,
    allow_new,
    ...(client_secret === '' ? {} : { client_secret }),
    ...pick(
      values,
      ownFields[kind].filter((field) => !lasting.includes(field)),
    ),
  }
}

/** docs/contract.md, "Providers". */
export const isSlug = (text: string): boolean => /^[a-z0-9-]{1,32}$/.test(text.trim())
