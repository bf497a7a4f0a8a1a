/** The console as a client of its own installation. It has no registration. */
import { consoleClientId } from '../../../config/front-door.ts'
import type { Client } from './clients.store.ts'

/** docs/contract.md, "Authentication": the sessions of the console. */
const consoleSeconds = 7 * 24 * 3600

/**
 * The console exchanges its code only at `POST /console/session`, so the token endpoint grants it nothing. Its redirect
 * addresses are paths: the browser can know this installation by another name than the public one. The second one is of
 * the pages of the own account.
 */
export const consoleClient: Client = {
  // In rows the console is null. Id 0 means a client whose metadata were not read.
  id: -1,
  client_id: consoleClientId,
  origin: 'managed',
  name: 'Tenantry',
  kind: 'browser',
  is_third_party: false,
  status: 1,
  redirect_uris: ['/console/signed-in', '/account/signed-in'],
  post_logout_redirect_uris: [],
  backchannel_logout_uri: '',
  allowed_origins: [],
  grant_types: [],
  resource_ids: [],
  require_mfa: false,
  session_seconds: consoleSeconds,
  tenant_ids: null,
  required_permission: null,
  tenantry_api: true,
  logo: '',
  home_url: '/console/',
  support_uri: '',
  document_until: null,
  secret_hashes: [],
}
