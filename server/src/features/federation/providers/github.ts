/** The sign-in at GitHub: OAuth 2.0 alone, whose errors come with 200. */
import { challengeOf } from '../../../crypto/pkce.ts'
import type { ProviderFetch } from '../../../outbound/fetch.ts'
import { derived, Refused, textOf, type Binding, type Claims } from '../../../protocols/oidc/code-flow.ts'
import type { ProviderConfig } from './provider-config.ts'
import { personOfGitHub, type DescribedPerson } from './provider-person.ts'

const pages = 'https://github.com/login/oauth'
const api = 'https://api.github.com'

/** The address of GitHub's page. */
export const beginGitHub = (
  { client_id, scopes }: ProviderConfig,
  { binding, callbackUrl }: { binding: Binding; callbackUrl: string },
): string => {
  const params = new URLSearchParams({
    client_id,
    redirect_uri: callbackUrl,
    scope: scopes,
    state: binding.state,
    code_challenge: challengeOf(derived(binding, 'verifier')),
    code_challenge_method: 'S256',
  })
  return `${pages}/authorize?${params.toString()}`
}

const jsonOf = async (response: Response): Promise<Claims> => {
  const read: unknown = await response.json().catch(() => undefined)
  if (typeof read !== 'object' || read === null) throw new Refused('answer_invalid')
  return read as Claims
}

const redeem = async (
  { ask }: ProviderFetch,
  { config: { client_id }, secret }: { config: ProviderConfig; secret: string },
  { binding, callbackUrl, code }: { binding: Binding; callbackUrl: string; code: string },
): Promise<string> => {
  const body = new URLSearchParams({
    client_id,
    client_secret: secret,
    code,
    redirect_uri: callbackUrl,
    code_verifier: derived(binding, 'verifier'),
  })
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await jsonOf(await ask(`${pages}/access_token`, { method: 'POST', headers, body }))
  if (answer['error'] !== undefined) throw new Refused('client_refused')
  const token = textOf(answer['access_token'])
  if (!/^[!-~]{1,512}$/.test(token)) throw new Refused('answer_invalid')
  return token
}

const get = async ({ ask }: ProviderFetch, path: string, token: string): Promise<Claims> => {
  const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${token}` }
  const response = await ask(`${api}${path}`, { method: 'GET', headers })
  if (response.status !== 200) throw new Refused('userinfo_invalid')
  return jsonOf(response)
}

/** The person of GitHub's answer. Throws `Refused`. */
export const readGitHub = async (
  provider: ProviderFetch,
  client: { config: ProviderConfig; secret: string },
  { answer, ...bound }: { binding: Binding; callbackUrl: string; answer: URLSearchParams },
): Promise<DescribedPerson> => {
  if (answer.has('error')) throw new Refused('provider_refused')
  const code = answer.get('code') ?? ''
  if (!/^[!-~]{1,512}$/.test(code)) throw new Refused('answer_invalid')
  const token = await redeem(provider, client, { ...bound, code })
  const user = await get(provider, '/user', token)
  return personOfGitHub(user, await get(provider, '/user/emails', token))
}
