/** OpenID Connect providers, through `openid-client`. */
import type { ClientAuth, Configuration } from 'openid-client'
import { invalid } from '../../../errors/app-error.ts'
import type { ProviderFetch } from '../../../outbound/fetch.ts'

/** The stored fields of a connection of this type. */
export interface OidcConfig {
  issuer: string
  client_id: string
  auth_method: 'client_secret_basic' | 'client_secret_post'
  scopes: string
  subject_claim: 'sub' | 'oid'
  email_claim: string
  name_claim: string
  groups_claim: string
}

/** The allowed difference between clocks. */
export const driftSeconds = 60

/** Loads the library with the first connection. */
const library = () => import('openid-client')

/** Does not encode `-`, `_`, `.` and `~`, unlike the library: providers that do not decode would refuse the secret. */
const basic =
  (secret: string): ClientAuth =>
  (_provider, { client_id: clientId }, _body, headers) => {
    const text = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`
    headers.set('authorization', `Basic ${Buffer.from(text).toString('base64')}`)
  }

/** Reads the metadata of an issuer by the rules for its addresses. Throws if the metadata name another issuer. */
export const discover = async (
  { ask }: ProviderFetch,
  { issuer, client_id: clientId, auth_method: method }: OidcConfig,
  secret: string,
): Promise<Configuration> => {
  const client = await library()
  const authentication = method === 'client_secret_basic' ? basic(secret) : client.ClientSecretPost(secret)
  return client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: driftSeconds },
    authentication,
    {
      [client.customFetch]: (url, sent) => ask(url, sent),
      // oxlint-disable-next-line typescript/no-deprecated -- `ask` decides which addresses may be http
      execute: [client.allowInsecureRequests],
      timeout: 5,
    },
  )
}

/** The most characters of an issuer that an error quotes. */
const namedMax = 200

/** Throws 400 unless the metadata name the issuer, and are complete enough for a sign-in. */
export const requireMetadata = (provider: ProviderFetch, config: OidcConfig, found: Configuration): void => {
  const metadata = found.serverMetadata()
  const { authorization_endpoint: page, token_endpoint: tokens, jwks_uri: keys } = metadata
  // In the metadata of Entra ID, the issuer can have a placeholder, which could mean any organization.
  if (metadata.issuer !== config.issuer) {
    throw invalid('issuer', `names itself otherwise in its metadata: ${metadata.issuer.slice(0, namedMax)}`)
  }
  if (!page || !tokens || !keys) throw invalid('issuer', 'has no authorization, token or key endpoint')
  const url = URL.parse(page)
  if (!url || !provider.hasAllowedScheme(url)) throw invalid('issuer', 'has a sign-in page without https')
}

/** Throws 400 unless the issuer answers with its own metadata, complete enough for a sign-in. */
export const requireProvider = async (
  provider: ProviderFetch,
  config: OidcConfig,
  secret: string,
): Promise<void> => {
  const found = await discover(provider, config, secret).catch(() => {
    throw invalid('issuer', 'does not answer with metadata of its own at /.well-known/openid-configuration')
  })
  requireMetadata(provider, config, found)
}
