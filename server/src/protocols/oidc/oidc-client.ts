/** OpenID Connect providers, through `openid-client`. */
import type { ClientAuth, Configuration } from 'openid-client'
import { invalid } from '../../errors/app-error.ts'
import type { ProviderFetch } from '../../outbound/fetch.ts'

/** Our registration at a provider. */
export interface OidcClient {
  issuer: string
  client_id: string
}

/** The allowed difference between clocks. */
export const driftSeconds = 60

/** Loads the library with the first connection. */
const library = () => import('openid-client')

/** Does not encode `-`, `_`, `.` and `~`, unlike the library: providers that do not decode would refuse the secret. */
export const basicAuth =
  (secret: string): ClientAuth =>
  (_provider, { client_id: clientId }, _body, headers) => {
    const text = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`
    headers.set('authorization', `Basic ${Buffer.from(text).toString('base64')}`)
  }

/** The secret in the body. `read` runs before each request, for a secret that the client signs. */
export const postAuth =
  (read: () => string | Promise<string>): ClientAuth =>
  async (_provider, { client_id: clientId }, body) => {
    body.set('client_id', clientId)
    body.set('client_secret', await read())
  }

/** Reads the metadata of an issuer by the rules for its addresses. Throws if the metadata name another issuer. */
export const discover = async (
  { ask }: ProviderFetch,
  { issuer, client_id: clientId }: OidcClient,
  authentication: ClientAuth,
): Promise<Configuration> => {
  const client = await library()
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
export const requireMetadata = (provider: ProviderFetch, issuer: string, found: Configuration): void => {
  const metadata = found.serverMetadata()
  const { authorization_endpoint: page, token_endpoint: tokens, jwks_uri: keys } = metadata
  // In the metadata of Entra ID, the issuer can have a placeholder, which could mean any organization.
  if (metadata.issuer !== issuer) {
    throw invalid('issuer', `names itself otherwise in its metadata: ${metadata.issuer.slice(0, namedMax)}`)
  }
  if (!page || !tokens || !keys) throw invalid('issuer', 'has no authorization, token or key endpoint')
  const url = URL.parse(page)
  if (!url || !provider.hasAllowedScheme(url)) throw invalid('issuer', 'has a sign-in page without https')
}
