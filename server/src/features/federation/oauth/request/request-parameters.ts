/** Reads the parameters of `/oauth2/authorize` (RFC 6749, RFC 7636, RFC 8707, OpenID Connect Core 3.1.2.1). */
import type { Client } from '../../applications/clients.service.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { invalidRequest, noPermissionGranted } from './grant-errors.ts'
import {
  isPermissionScope,
  openIdScopes,
  type AuthorizationRequest,
  type Prompt,
} from './authorization-request.ts'

/** Parameters by name. A repeated parameter has an array of values. */
export type Parameters = Record<string, unknown>

/** docs/contract.md, "Sign in with Tenantry". */
const textLengthMax = 1024
const scopesMax = 100
/** Parameters with higher limits: clients store data in `state`, and `scope` has up to a hundred codes. */
const longTexts = new Map([
  ['scope', 8192],
  ['id_token_hint', 8192],
  ['state', 4096],
  ['nonce', 4096],
])
/** Characters of a URL that every program accepts (RFC 9110, 4.1). */
const urlLengthMax = 8000

/** The value of a parameter; undefined if empty or missing. Throws for a repeated or too long parameter. */
export const textOf = (
  params: Parameters,
  name: string,
  max = longTexts.get(name) ?? textLengthMax,
): string | undefined => {
  const value = params[name]
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string') throw invalidRequest(`${name} was given more than once`)
  if (value.length > max) throw invalidRequest(`${name} has more than ${max} characters`)
  return value
}

const wordsOf = (params: Parameters, name: string): string[] =>
  (textOf(params, name) ?? '').split(' ').filter((one) => one !== '')

const knownNames = [
  'response_type',
  'response_mode',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'nonce',
  'prompt',
  'max_age',
  'acr_values',
  'login_hint',
  'id_token_hint',
  'ui_locales',
  'tenant',
  'connection',
  'provider',
]

const isLoopback = (hostname: string): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)

const parsedOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/** Whether two loopback addresses differ only in the port. */
const isSameBesidePort = (registered: string, given: string): boolean => {
  const [one, other] = [parsedOf(registered), parsedOf(given)]
  if (one?.protocol !== 'http:' || !isLoopback(one.hostname) || !other) return false
  other.port = one.port
  // The text without its port. No other spelling of the address is accepted.
  const withoutPort = (text: string) => text.replace(/^(http:\/\/(?:\[::1\]|[^/:?#]+))(?::\d{1,5})?/, '$1')
  return other.href === one.href && withoutPort(registered) === withoutPort(given)
}

/** Whether the client has registered an address. A native program at loopback may use any port (RFC 8252, 7.3). */
export const isRedirectOf = ({ kind, redirect_uris: own }: Client, given: string): boolean =>
  own.includes(given) || (kind === 'native' && own.some((one) => isSameBesidePort(one, given)))

const isWithinUrl = (params: Record<string, string>): boolean =>
  new URLSearchParams(params).toString().length <= urlLengthMax

/** The parameters that an error response needs. An unreadable value counts as missing. */
export const readResponseParameters = (
  params: Parameters,
): Pick<AuthorizationRequest, 'responseMode' | 'state'> => {
  const { state, response_mode: mode } = params
  const isReadable = typeof state === 'string' && state !== '' && isWithinUrl({ state })
  return {
    responseMode: mode === 'form_post' ? 'form_post' : 'query',
    ...(isReadable ? { state } : {}),
  }
}

/** Throws an OAuthError for unsupported, repeated and too long parameters. */
export const requireReadable = (params: Parameters): void => {
  for (const name of knownNames) textOf(params, name)
  if (params['request'] !== undefined) {
    throw new OAuthError('request_not_supported', 'request is not supported')
  }
  if (params['request_uri'] !== undefined) {
    throw new OAuthError('request_uri_not_supported', 'request_uri is not supported')
  }
  requireResponse(params)
}

const requireResponse = (params: Parameters): void => {
  const type = textOf(params, 'response_type')
  if (type === undefined) throw invalidRequest('response_type is missing')
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code')
  const mode = textOf(params, 'response_mode')
  if (mode !== undefined && mode !== 'query' && mode !== 'form_post') {
    throw invalidRequest('response_mode must be query or form_post')
  }
}

/**
 * The distinct scopes that exist. Throws if the request names permissions and none of them exists: without a permission
 * the session would not be narrowed.
 */
export const readScopes = (params: Parameters, codes: ReadonlySet<string>): string[] => {
  const named = [...new Set(wordsOf(params, 'scope'))]
  if (named.length > scopesMax) {
    throw new OAuthError('invalid_scope', `scope has more than ${scopesMax} values`)
  }
  const basic: readonly string[] = openIdScopes
  const known = named.filter((one) => basic.includes(one) || codes.has(one))
  if (named.some(isPermissionScope) && !known.some(isPermissionScope)) throw noPermissionGranted()
  return known
}

const readPrompt = (params: Parameters, prompts: Prompt[]): Prompt[] => {
  const named = wordsOf(params, 'prompt')
  const known = prompts.filter((one) => named.includes(one))
  if (known.length < new Set(named).size) throw invalidRequest(`prompt must be of ${prompts.join(', ')}`)
  if (known.includes('none') && known.length > 1) throw invalidRequest('prompt=none stands alone')
  return known
}

const readMaxAge = (params: Parameters): number | undefined => {
  const text = textOf(params, 'max_age')
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw invalidRequest('max_age must be a number of seconds')
  return Number(text)
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const readConnection = (params: Parameters): string | undefined => {
  const text = textOf(params, 'connection')
  if (text !== undefined && !uuid.test(text)) throw invalidRequest('connection must be an id')
  return text?.toLowerCase()
}

const readProvider = (params: Parameters): string | undefined => {
  const text = textOf(params, 'provider')
  if (text !== undefined && !/^[a-z0-9-]{1,32}$/.test(text)) throw invalidRequest('provider must be a slug')
  return text
}

/** Whether PKCE is optional: for first-party web applications with `openid` and `nonce` (OAuth 2.1, 7.6). */
const isExempt = ({ kind, is_third_party }: Client, params: Parameters, scopes: string[]): boolean =>
  kind === 'web' && !is_third_party && scopes.includes('openid') && textOf(params, 'nonce') !== undefined

const readChallenge = (client: Client, params: Parameters, scopes: string[]): string | undefined => {
  const challenge = textOf(params, 'code_challenge')
  const method = textOf(params, 'code_challenge_method')
  if (challenge === undefined && method === undefined) {
    if (isExempt(client, params, scopes)) return undefined
    throw invalidRequest('code_challenge is required (PKCE)')
  }
  if (method !== 'S256') throw invalidRequest('code_challenge_method must be S256')
  if (challenge === undefined || !/^[\w-]{43}$/.test(challenge)) {
    throw invalidRequest('code_challenge must be the SHA-256 of the verifier in base64url')
  }
  return challenge
}

const defined = <T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>
  }

/** The values that the database and the configuration add to a request. */
export interface RequestFacts {
  prompts: Prompt[]
  redirectUri: string
  /** The codes that can be scopes. */
  codes: ReadonlySet<string>
  resource: { id: number; identifier: string } | undefined
  hintedUser: { tenantId: string; userId: number } | undefined
}

/** Validates the parameters. Throws an OAuthError that the redirect address gets. Call `requireReadable` first. */
export const requestOf = (client: Client, params: Parameters, facts: RequestFacts): AuthorizationRequest => {
  const scopes = readScopes(params, facts.codes).filter(
    (scope) => scope !== 'offline_access' || client.grant_types.includes('refresh_token'),
  )
  const { redirectUri, resource, hintedUser } = facts
  return {
    applicationId: client.id,
    clientId: client.client_id,
    redirectUri,
    responseMode: readResponseParameters(params).responseMode,
    scopes,
    prompt: readPrompt(params, facts.prompts),
    needsMfa: wordsOf(params, 'acr_values').includes('mfa'),
    loginHint: textOf(params, 'login_hint', 254) ?? '',
    tenant: textOf(params, 'tenant', 64) ?? '',
    ...defined({
      state: textOf(params, 'state'),
      nonce: textOf(params, 'nonce'),
      codeChallenge: readChallenge(client, params, scopes),
      maxAge: readMaxAge(params),
      connection: readConnection(params),
      provider: readProvider(params),
      resource,
      hintedUser,
    }),
  }
}
