import type { UseFormReturnType } from '@mantine/form'
import type { UpdateConnection } from '@tenantry/client'
import type { Protocol, ProviderFields } from './presets.ts'

/** Named as in the API, so that its refusals appear beside the fields. */
export interface ProviderValues extends ProviderFields, Record<string, unknown> {
  issuer: string
  client_id: string
  client_secret: string
  metadata: string
  metadata_url: string
}

export type ProviderForm = Pick<UseFormReturnType<ProviderValues>, 'getInputProps'>

const oidc = ['client_id', 'auth_method', 'scopes', 'email_claim', 'name_claim', 'groups_claim'] as const
const saml = ['email_attribute', 'name_attribute', 'groups_attribute'] as const

type Sent = UpdateConnection & { issuer?: string; subject_claim?: 'sub' | 'oid' }

const pick = <Key extends string>(values: Record<string, unknown>, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, String(values[key]).trim()])) as Partial<Record<Key, string>>

/** Many users copy the address of the discovery document, which begins with the issuer. */
const issuerOf = ({ issuer }: ProviderValues): string =>
  issuer.trim().replace(/\/\.well-known\/openid-configuration$/, '')

/**
 * The fields of the protocol for the API. Only a new connection sends issuer and subject. An empty secret keeps the
 * old one.
 */
const sentFields = (type: Protocol, values: ProviderValues, { isNew }: { isNew: boolean }): Sent => {
  if (type === 'saml') {
    const described = values.metadata_url.trim() === '' ? 'metadata' : 'metadata_url'
    return pick(values, [...saml, described, ...(isNew ? (['subject'] as const) : [])])
  }
  const secret = values.client_secret === '' ? {} : { client_secret: values.client_secret }
  const sent = { ...(pick(values, oidc) as Sent), ...secret }
  return isNew ? { ...sent, issuer: issuerOf(values), subject_claim: values.subject_claim } : sent
}
