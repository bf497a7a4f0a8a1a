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

/** As the client sends it, unchecked. */
export interface GivenMetadata {
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

const readRedirectUris = (given: unknown): string[] => {
  if (!Array.isArray(given) || given.length === 0 || given.length > redirectUrisMax) {
    throw invalidRedirect(`redirect_uris must have 1 to ${redirectUrisMax} addresses`)
  }
  if (!given.every(isReturn)) {
    throw invalidRedirect(
      'redirect_uris must be https, http of the same machine, or a scheme of the program itself, without fragment and user',
    )
  }
  return [...new Set(given)]
}

/** The host of an address, or the scheme of a private one. */
const hostOrSchemeOf = (address: string): string => {
  const { host, protocol } = new URL(address)
  return /^https?:$/.test(protocol) ? host : protocol
}

/** A name in one line, without invisible characters, which could imitate another name. */
const readName = (given: unknown, redirectUris: string[]): string => {
  const name = typeof given === 'string' ? nameFrom(given, nameLengthMax) : ''
  return name || hostOrSchemeOf(redirectUris[0] ?? '').slice(0, nameLengthMax)
}

const readGrantTypes = (given: unknown): string[] => {
  if (given !== undefined && !Array.isArray(given)) {
    throw new OAuthError('invalid_client_metadata', 'grant_types must be a list')
  }
  const wantsRefresh = given?.includes('refresh_token') === true
  return wantsRefresh ? ['authorization_code', 'refresh_token'] : ['authorization_code']
}

/** Reads and checks the metadata. Leaves out grants that these clients cannot use. Throws an OAuthError of RFC 7591. */
export const readMetadata = (given: GivenMetadata): ClientMetadata => {
  const redirectUris = readRedirectUris(given.redirect_uris)
  return {
    name: readName(given.client_name, redirectUris),
    redirectUris,
    grantTypes: readGrantTypes(given.grant_types),
  }
}
