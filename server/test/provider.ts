/** A sign-in provider of OpenID Connect on loopback: `oidc-provider`, as a customer of a tenant would run one. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface TestProvider {
  issuer: string
  /** The person who signs in there, by their claims. Undefined: the person refuses. */
  person: Record<string, unknown> | undefined
  /** Lets its client be answered at one more address. */
  allow: (callbackUrl: string) => void
  stop: () => Promise<void>
}

export const providerSecret = 'a secret of the provider'

/** The page of the provider signs its person in at once. */
const interactionPath = '/interaction/'

/** The ID token has every claim, for all scopes. */
const claims = {
  openid: `sub oid email name groups hd email_verified _claim_names department level teams plan`.split(' '),
}

const anyCallback = 'http://localhost/callback'

/** `changes` makes it lie about itself. */
export const startProvider = async (
  callbackUrls: string[] = [],
  { path = '', ...changes }: { path?: string } & Record<string, unknown> = {},
): Promise<TestProvider> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const test: TestProvider = {
    issuer,
    person: undefined,
    allow: (callbackUrl) => callbackUrls.push(callbackUrl),
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  /** Everybody who signed in there. */
  const people = new Map<string, Record<string, unknown>>()
  const provider: Provider = new Provider(`${issuer}${path}`, {
    clients: [{ client_id: 'tenantry', client_secret: providerSecret, redirect_uris: [anyCallback] }],
    claims,
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `${interactionPath}${uid}` },
    findAccount: async (_ctx: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...people.get(accountId) }),
    }),
    loadExistingGrant: async ({ oidc }: { oidc: { session?: { accountId?: string } } }) => {
      const grant = new provider.Grant({ clientId: 'tenantry', accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ...changes,
  })
  // A client is fixed when the provider starts, and addresses of ours become known later.
  provider.Client.prototype.redirectUriAllowed = (address: string) => callbackUrls.includes(address)
  const signIn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { person } = test
    const accountId = String(person?.['sub'])
    if (person) people.set(accountId, person)
    const result = person ? { login: { accountId } } : { error: 'access_denied' }
    await provider.interactionFinished(request, response, result)
  }
  const answer = provider.callback()
  server.on('request', (request, response) => {
    void (request.url?.startsWith(interactionPath) ? signIn(request, response) : answer(request, response))
  })
  return test
}

/** Follows the pages of a provider with cookies of its own, until it sends the browser back. Returns that address. */
export const signInAt = async (
  { issuer }: Pick<TestProvider, 'issuer'>,
  address: string,
): Promise<string> => {
  const cookies = new Map<string, string>()
  for (let url = address, hops = 0; hops < 10; hops += 1) {
    if (!url.startsWith(issuer)) return url
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) {
      throw new Error(`the provider stopped: ${response.status} ${await response.text()}`)
    }
    url = new URL(location, url).href
  }
  throw new Error('the provider sends the browser in circles')
}
