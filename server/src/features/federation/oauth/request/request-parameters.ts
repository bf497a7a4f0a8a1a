/** Reads the parameters of `/oauth2/authorize` (RFC 6749, RFC 7636, RFC 8707, OpenID Connect Core 3.1.2.1). */
import type { Client } from '../../applications/clients.service.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { invalidRequest, noneGiven } from './grant-errors.ts'
import { isPermissionScope, openIdScopes, type AuthorizationRequest, type Prompt } from './authorization-request.ts'

/** Parameters by name; one that was given twice has several values. */
export type Parameters = Record<string, unknown>

/** docs/contract.md, "Sign in with Tenantry". */
const textLengthMax = 1024
const scopesMax = 100
/** Parameters that are longer: clients keep what they need in `state`, and `scope` has a hundred codes. */
const longTexts = new Map([
  ['scope', 8192],
  ['id_token_hint', 8192],
  ['state', 4096],
  ['nonce', 4096],
])
/** Every program takes a URL of so many characters (RFC 9110, 4.1). */
const urlLengthMax = 8000

/** The value of a parameter; undefined without one. Throws where it was given twice, or is too long. */
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

/** The values of a list that spaces separate. */
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
]

const isLoopback = (hostname: string): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)

const parsedOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/** The same address but for the port. */
const isSameBesidePort = (registered: string, given: string): boolean => {
  const [one, other] = [parsedOf(registered), parsedOf(given)]
  if (one?.protocol !== 'http:' || !isLoopback(one.hostname) || !other) return false
  other.port = one.port
  // The given text stands as it is, but for its port: no other form of the same address passes.
  const withoutPort = (text: string) => text.replace(/^(http:\/\/(?:\[::1\]|[^/:?#]+))(?::\d{1,5})?/, '$1')
  return other.href === one.href && withoutPort(registered) === withoutPort(given)
}

/** Whether an address is the client's own: the same text, but for the port of a native program at loopback (RFC 8252, 7.3). */
export const isRedirectOf = ({ kind, redirect_uris: own }: Client, given: string): boolean =>
  own.includes(given) || (kind === 'native' && own.some((one) => isSameBesidePort(one, given)))

const isWithinUrl = (params: Record<string, string>): boolean =>
  new URLSearchParams(params).toString().length <= urlLengthMax

/** The response mode and the state, as far as they can be read: an error is answered by them. */
export const readPlace = (params: Parameters): Pick<AuthorizationRequest, 'responseMode' | 'state'> => {
  const { state, response_mode: mode } = params
  const isReadable = typeof state === 'string' && state !== '' && isWithinUrl({ state })
  return {
    responseMode: mode === 'form_post' ? 'form_post' : 'query',
    ...(isReadable ? { state } : {}),
  }
}

/** Throws an OAuthError for parameters that are not supported, and for those that are given twice or are too long. */
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
 * The scopes that exist, each once. Unknown ones are ignored. Throws where permissions are asked for and none exists: a
 * request without permissions is not narrowed.
 */
export const readScopes = (params: Parameters, productCodes: ReadonlySet<string>): string[] => {
  const named = [...new Set(wordsOf(params, 'scope'))]
  if (named.length > scopesMax) {
    throw new OAuthError('invalid_scope', `scope has more than ${scopesMax} values`)
  }
  const basic: readonly string[] = openIdScopes
  const known = named.filter((one) => basic.includes(one) || productCodes.has(one))
  if (named.some(isPermissionScope) && !known.some(isPermissionScope)) throw noneGiven()
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

/** The connection that the sign-in begins with. */
const readConnection = (params: Parameters): string | undefined => {
  const text = textOf(params, 'connection')
  if (text !== undefined && !uuid.test(text)) throw invalidRequest('connection must be an id')
  return text?.toLowerCase()
}

/** PKCE is required but for an own web application with `openid` and `nonce` (OAuth 2.1, 7.6). */
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

/** Facts that the installation decides. */
export interface Looked {
  prompts: Prompt[]
  redirectUri: string
  productCodes: ReadonlySet<string>
  resource: { id: number; identifier: string } | undefined
  hintedUser: { tenantId: string; userId: number } | undefined
}

/** Throws an OAuthError that goes to the redirect address. Call `requireReadable` before. */
export const requestOf = (client: Client, params: Parameters, looked: Looked): AuthorizationRequest => {
  const scopes = readScopes(params, looked.productCodes).filter(
    (scope) => scope !== 'offline_access' || client.grant_types.includes('refresh_token'),
  )
  const { redirectUri, resource, hintedUser } = looked
  return {
    applicationId: client.id,
    clientId: client.client_id,
    redirectUri,
    responseMode: readPlace(params).responseMode,
    scopes,
    prompt: readPrompt(params, looked.prompts),
    needsMfa: wordsOf(params, 'acr_values').includes('mfa'),
    loginHint: textOf(params, 'login_hint', 254) ?? '',
    tenant: textOf(params, 'tenant', 64) ?? '',
    ...defined({
      state: textOf(params, 'state'),
      nonce: textOf(params, 'nonce'),
      codeChallenge: readChallenge(client, params, scopes),
      maxAge: readMaxAge(params),
      connection: readConnection(params),
      resource,
      hintedUser,
    }),
  }
}
