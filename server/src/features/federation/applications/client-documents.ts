/**
 * Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document-02): the client id is the document's
 * address.
 */
import type { Config } from '../../../config/config.ts'
import { OAuthError } from '../../../errors/oauth-error.ts'
import { isDocumentAddress } from './addresses.ts'
import { readMetadata, type ClientMetadata, type SentMetadata } from './client-metadata.ts'
import type { Client } from './clients.store.ts'

/**
 * Bounds of the time for which a document is cached by its headers (docs/contract.md, "Clients that register
 * themselves").
 */
const lifeSeconds = { least: 300, most: 86_400 }

/** Whether the configuration allows a client id that is a document's address. */
export const isServedDocument = (
  { clientDocuments: served }: Pick<Config, 'clientDocuments'>,
  clientId: string,
): boolean => {
  if (served === 'off' || !isDocumentAddress(clientId)) return false
  return served === 'open' || served.includes(new URL(clientId).host)
}

/** The seconds for which a document is cached, from its header Cache-Control. */
export const documentSeconds = (cacheControl: string): number => {
  const isKept = !/\b(?:no-store|no-cache)\b/i.test(cacheControl)
  const [, seconds = '0'] = /\bmax-age="?(\d{1,9})/i.exec(cacheControl) ?? []
  return isKept ? Math.min(Math.max(Number(seconds), lifeSeconds.least), lifeSeconds.most) : lifeSeconds.least
}

const invalid = (message: string) => new OAuthError('invalid_client_metadata', message)

/** Reads a document. Throws an OAuthError if the document names another client, or a client that is not public. */
export const readDocument = (clientId: string, document: unknown): ClientMetadata => {
  if (typeof document !== 'object' || document === null) throw invalid('The document is no object')
  const sent = document as SentMetadata & Record<string, unknown>
  if (sent['client_id'] !== clientId) throw invalid('The document is about another client')
  const method = sent['token_endpoint_auth_method'] ?? 'none'
  if (method !== 'none' || sent['client_secret'] !== undefined) {
    throw invalid('A client whose name is the address of its metadata is public')
  }
  return readMetadata(sent)
}

/** A client whose document was not read. The service sends nothing to the redirect address of its request. */
export const unknownClient = (clientId: string): Client => ({
  id: 0,
  client_id: clientId,
  origin: 'document',
  name: new URL(clientId).host,
  kind: 'native',
  is_third_party: true,
  status: 1,
  redirect_uris: [],
  post_logout_redirect_uris: [],
  backchannel_logout_uri: '',
  allowed_origins: [],
  grant_types: ['authorization_code', 'refresh_token'],
  resource_ids: [],
  require_mfa: false,
  session_seconds: 300,
  tenant_ids: null,
  required_permission: null,
  tenantry_api: false,
  logo: '',
  home_url: '',
  support_uri: '',
  document_until: null,
  secret_hashes: [],
})

/** Whether the client's metadata were read, or are not in a document. */
export const isKnown = ({ id }: Pick<Client, 'id'>): boolean => id !== 0
