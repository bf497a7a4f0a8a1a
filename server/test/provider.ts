/** A sign-in provider of OpenID Connect on loopback: `oidc-provider`, as a customer of a tenant would run one. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface TestProvider {
  issuer: string
  stop: () => Promise<void>
}

export const providerSecret = 'a secret of the provider'

/** `changes` makes it lie about itself. */
export const startProvider = async (
  callbackUrls: string[] = ['http://localhost/callback'],
  { path = '', ...changes }: { path?: string } = {},
): Promise<TestProvider> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(`${issuer}${path}`, {
    clients: [{ client_id: 'tenantry', client_secret: providerSecret, redirect_uris: callbackUrls }],
    ...changes,
  })
  const answer = provider.callback()
  server.on('request', (request, response) => void answer(request, response))
  return {
    issuer,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
