/** The console as an application of sign-ins by a connection. It has no registration. */
import type { Client } from '../applications/clients.service.ts'
import type { AuthorizationRequest } from './requests.ts'

/** docs/contract.md, "Authentication": the sessions of the console. */
const consoleSeconds = 7 * 24 * 3600

export const consoleClient: Client = {
  // 0 is the id of a client whose metadata were not read.
  id: -1,
  client_id: 'console',
  origin: 'managed',
  name: 'Tenantry',
  kind: 'web',
  is_third_party: false,
  status: 1,
  redirect_uris: [],
  post_logout_redirect_uris: [],
  backchannel_logout_uri: '',
  allowed_origins: [],
  grant_types: [],
  resource_ids: [],
  require_mfa: false,
  session_seconds: consoleSeconds,
  tenant_ids: null,
  tenantry_api: true,
  logo: '',
  home_url: '/console/',
  document_until: null,
  secret_hashes: [],
}

/** The page of the console that takes a code. */
const consolePage = '/console/sso'

const addressOfConsole = (publicUrl: string): string => `${publicUrl}${consolePage}`

/** The request of a sign-in to the console, in the tenant of a connection. */
export const consoleRequest = (publicUrl: string, tenantId: string): AuthorizationRequest => ({
  applicationId: 0,
  clientId: consoleClient.client_id,
  redirectUri: addressOfConsole(publicUrl),
  responseMode: 'query',
  scopes: [],
  prompt: [],
  needsMfa: false,
  loginHint: '',
  tenant: tenantId,
  isConsole: true,
})
