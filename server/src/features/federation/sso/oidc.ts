/** The OpenID Connect provider of a connection. */
import type { ClientAuth } from 'openid-client'
import { invalid } from '../../../errors/app-error.ts'
import type { ProviderFetch } from '../../../outbound/fetch.ts'
import {
  basicAuth,
  discover,
  postAuth,
  requireMetadata,
  type OidcClient,
} from '../../../protocols/oidc/oidc-client.ts'

/** The stored fields of a connection of this type. */
export interface OidcConfig extends OidcClient {
  auth_method: 'client_secret_basic' | 'client_secret_post'
  scopes: string
  subject_claim: 'sub' | 'oid'
  email_claim: string
  name_claim: string
  groups_claim: string
}

/** The authentication of our client. */
export const authOf = ({ auth_method: method }: OidcConfig, secret: string): ClientAuth =>
  method === 'client_secret_basic' ? basicAuth(secret) : postAuth(() => secret)

/** Throws 400 unless the issuer answers with its own metadata, complete enough for a sign-in. */
export const requireProvider = async (
  provider: ProviderFetch,
  config: OidcConfig,
  secret: string,
): Promise<void> => {
  const found = await discover(provider, config, authOf(config, secret)).catch(() => {
    throw invalid('issuer', 'does not answer with metadata of its own at /.well-known/openid-configuration')
  })
  requireMetadata(provider, config.issuer, found)
}
