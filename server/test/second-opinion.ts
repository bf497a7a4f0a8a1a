/** `oidc-provider`, the certified authorization server of the field, with the addresses and the clients of ours. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { errors, Provider } from 'oidc-provider'
import { redirectUri, type TestApplication } from './front-door.ts'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

interface OfClient {
  application: TestApplication
  kind: 'web' | 'browser' | 'native'
  grantTypes: string[]
}

const metadataOf = ({ application: { clientId, secret }, kind, grantTypes }: OfClient) => ({
  client_id: clientId,
  ...(secret === '' ? {} : { client_secret: secret }),
  token_endpoint_auth_method: secret === '' ? 'none' : 'client_secret_post',
  application_type: kind === 'native' ? 'native' : 'web',
  redirect_uris: [redirectUri],
  post_logout_redirect_uris: [redirectUri],
  grant_types: grantTypes,
  response_types: ['code'],
})

const configurationFor = (clients: OfClient[], known: string) => ({
  clients: clients.map(metadataOf),
  cookies: { keys: [randomBytes(16).toString('hex')] },
  jwks: {
    keys: [
      {
        ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
        alg: 'RS256',
        use: 'sig',
      },
    ],
  },
  allowOmittingSingleRegisteredRedirectUri: false,
  pkce: { required: () => true },
  responseTypes: ['code'],
  scopes: ['openid', 'profile', 'email', 'offline_access'],
  routes: {
    authorization: '/oauth2/authorize',
    token: '/oauth2/token',
    device_authorization: '/oauth2/device_authorization',
    introspection: '/oauth2/introspect',
    revocation: '/oauth2/revoke',
    userinfo: '/oauth2/userinfo',
    end_session: '/oauth2/logout',
  },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_ctx: unknown, resource: string) => {
        if (resource !== known) throw new errors.InvalidTarget()
        return { scope: '', accessTokenFormat: 'opaque' }
      },
    },
  },
  findAccount: (_ctx: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  issueRefreshToken: () => true,
  renderError: (ctx: { body: string }, { error }: { error: string }) => void (ctx.body = error),
  ttl: Object.fromEntries(
    ['AccessToken', 'DeviceCode', 'Grant', 'IdToken', 'Interaction', 'RefreshToken', 'Session'].map(
      (name) => [name, 600],
    ),
  ),
  interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
})

/** Lets everybody in as the same person, who consents to everything. */
const admitting =
  (provider: Provider, clientIdOf: () => string) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const grant = new provider.Grant({ accountId: '7', clientId: clientIdOf() })
    grant.addOIDCScope('openid profile email offline_access')
    const consent = { grantId: await grant.save() }
    await provider.interactionFinished(request, response, { login: { accountId: '7' }, consent })
  }

export const startSecondOpinion = async (clients: OfClient[], resource: string) => {
  let admitted = ''
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, configurationFor(clients, resource))
  const signIn = admitting(provider, () => admitted)
  const serve = provider.callback()
  server.on('request', (request, response) => {
    void (request.url?.startsWith('/sign-in/') ? signIn(request, response) : serve(request, response))
  })
  return {
    url,
    /** The client whose person signs in next. */
    admit: (clientId: string) => void (admitted = clientId),
    stop: () => server.close(),
  }
}
