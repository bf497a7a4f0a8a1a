/**
 * The metadata of clients that register themselves (RFC 7591): public third-party clients with the redirect rules of
 * native programs.
 */
import { OAuthError } from '../../../errors/oauth-error.ts'
import { nameFrom } from '../../../values/text.ts'
import { isReturnAddress } from './addresses.ts'

/** docs/contract.md, "Applications". */
const redirectUrisMax = 20
const addressLengthMax = 512
const nameLengthMax = 64

/** The metadata as the client sends them, unchecked. */
export interface SentMetadata {
  client_name?: unknown
  redirect_uris?: unknown
  grant_types?: unknown
}

export interface ClientMetadata {
  name: string
  redirectUris: string[]
  grantTypes: string[]
}

const invalidRedirect = (message: string) => new OAuthError('invalid_redirect_uri', message)

const isReturn = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= addressLengthMax && isReturnAddress('native', text)

const readRedirectUris = (sent: unknown): string[] => {
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > redirectUrisMax) {
    throw invalidRedirect(`redirect_uris must have 1 to ${redirectUrisMax} addresses`)
  }
  if (!sent.every(isReturn)) {
    throw invalidRedirect(
      'redirect_uris must be https, http of the same machine, or a scheme of the program itself, without fragment and user',
    )
  }
  return [...new Set(sent)]
}

/** The host of an address, or the scheme of a private address. */
const hostOrSchemeOf = (address: string): string => {
  const { host, protocol } = new URL(address)
  return /^https?:$/.test(protocol) ? host : protocol
}

/** A name on one line, without invisible characters, which could imitate another name. */
const readName = (sent: unknown, redirectUris: string[]): string => {
  const name = typeof sent === 'string' ? nameFrom(sent, nameLengthMax) : ''
  return name || hostOrSchemeOf(redirectUris[0] ?? '').slice(0, nameLengthMax)
}

const readGrantTypes = (sent: unknown): string[] => {
  if (sent !== undefined && !Array.isArray(sent)) {
    throw new OAuthError('invalid_client_metadata', 'grant_types must be a list')
  }
  const wantsRefresh = sent?.includes('refresh_token') === true
  return wantsRefresh ? ['authorization_code', 'refresh_token'] : ['authorization_code']
}

/** Reads and checks the metadata. Omits grants that these clients cannot use. Throws an OAuthError of RFC 7591. */
export const readMetadata = (sent: SentMetadata): ClientMetadata => {
  const redirectUris = readRedirectUris(sent.redirect_uris)
  return {
    name: readName(sent.client_name, redirectUris),
    redirectUris,
    grantTypes: readGrantTypes(sent.grant_types),
  }
}
