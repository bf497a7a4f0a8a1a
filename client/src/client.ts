import { createApi } from './api.ts'
import { auditEndpoints } from './endpoints/audit.ts'
import { authEndpoints } from './endpoints/auth.ts'
import { dashboardEndpoints } from './endpoints/dashboard.ts'
import { notificationEndpoints } from './endpoints/notifications.ts'
import { profileEndpoints } from './endpoints/profile.ts'
import { permissionEndpoints, roleEndpoints } from './endpoints/roles.ts'
import { settingEndpoints } from './endpoints/settings.ts'
import { systemEndpoints } from './endpoints/system.ts'
import { tenantEndpoints } from './endpoints/tenants.ts'
import { userEndpoints } from './endpoints/users.ts'
import type { SignedOutListener } from './known.ts'
import type { TokenPair } from './schema.ts'
import { createSession, type SessionHolder } from './session.ts'
import { memoryTokens, type TokenStorage } from './storage.ts'
import { createWire, type Wire } from './wire.ts'

export type { Page } from './api.ts'
export type { Assignment } from './endpoints/roles.ts'
export { errorCodes, type ErrorName } from './error-codes.ts'
export { ApiError, type ApiErrorDetails, type ErrorReason, type FieldError } from './errors.ts'
export type { SignedOutListener } from './known.ts'
export type {
  Activity,
  AuditLog,
  ChangePassword,
  CreateNotification,
  CreateRole,
  CreateTenant,
  CreateUser,
  DayActivity,
  ExportAuditLogsQuery,
  GetActivityQuery,
  Health,
  KeySet,
  ListAuditLogsQuery,
  ListNotificationsQuery,
  ListPermissionsQuery,
  ListRoleUsersQuery,
  ListUsersQuery,
  Liveness,
  Login,
  Manifest,
  Notification,
  Permission,
  PermissionCode,
  Readiness,
  Register,
  Registration,
  Role,
  Setting,
  Stats,
  Tenant,
  UnreadCount,
  UpdateRole,
  UpdateTenant,
  UpdateUser,
  UpgradeStatus,
  User,
  Version,
} from './schema.ts'
export type { CallOptions } from './send.ts'
export { browserTokens, memoryTokens, type Tokens, type TokenStorage } from './storage.ts'
export type { Session } from './tokens.ts'

export interface ClientOptions {
  /**
   * Where the service is, as in `https://admin.example.com`: what stands before `/api/v1`. In a page that the service or
   * its proxy serves it can be left out.
   */
  baseUrl?: string
  /** Where the session is kept: `memoryTokens()` by default, `browserTokens()` for all tabs, or one of your own. */
  storage?: TokenStorage
  /** Sends the requests instead of the platform's `fetch`: to add headers, or for a proxy. */
  fetch?: typeof globalThis.fetch
  /** Milliseconds that a call may take, all attempts included; 30,000 by default, `Infinity` for no limit. */
  timeoutMs?: number
  /**
   * How often a call is sent again: 2 by default, after a pause that grows with each try, or the one that the service asks
   * for if it is at most 10 seconds. A GET after a network failure or 429, 502, 503, 504; a write only when the service has
   * refused it before doing anything (`tooManyRequests`, `overloaded`): if its answer was lost, nobody but you can tell
   * whether doing it again is right.
   */
  retries?: number
  /**
   * Called once when the session that was there is gone. `cause` is the answer that refused its renewal; it is undefined
   * after `signOut`, or when another tab has signed out or signed in somebody else. What it throws is an uncaught error.
   */
  onSignedOut?: SignedOutListener
}

interface Shared {
  wire: Wire
  session: SessionHolder
  timeoutMs: number
}

/**
 * The API, one method for each endpoint. Any of them can reject with an `ApiError`, besides those named with it: `network`,
 * `timeout`, `unknown`, 500 `internal`, 503 `databaseUnavailable`; those that send the token, besides, 401 `tokenMissing` or
 * `refreshTokenInvalid` when nobody is signed in any more, 403 `tenantForeign` or `tenantDisabled`, 404 `tenantUnknown`, 429
 * `tooManyRequests`, and `storage`. An id that is no whole number from 1, or a UUID that is none, is 400 `invalidInput`.
 */
export interface Client {
  auth: ReturnType<typeof authEndpoints>
  profile: ReturnType<typeof profileEndpoints>
  users: ReturnType<typeof userEndpoints>
  tenants: ReturnType<typeof tenantEndpoints>
  roles: ReturnType<typeof roleEndpoints>
  permissions: ReturnType<typeof permissionEndpoints>
  audit: ReturnType<typeof auditEndpoints>
  settings: ReturnType<typeof settingEndpoints>
  notifications: ReturnType<typeof notificationEndpoints>
  dashboard: ReturnType<typeof dashboardEndpoints>
  system: ReturnType<typeof systemEndpoints>
  /**
   * The same session with another tenant in scope: for platform administrators. Without it, the tenant in scope is the own
   * one of who is signed in.
   *
   * @example
   * for (const tenant of await client.tenants.list()) {
   *   const { total } = await client.inTenant(tenant.id).users.list({ page_size: 1 })
   *   console.log(tenant.name, total)
   * }
   */
  inTenant(tenantId: string): Client
  /**
   * Lets go of what outlives the client: it does not notice any more what other tabs do. For clients that come and go in one
   * page; the one of a page, or one with `memoryTokens()`, needs no closing.
   *
   * @example
   * const client = createClient({ storage: browserTokens('tenantry.preview') })
   * client.close()
   */
  close(): void
}

const clientOf = (shared: Shared, tenantId?: string): Client => {
  const api = createApi({ ...shared, tenantId })
  return {
    auth: authEndpoints(api, shared.session, shared.timeoutMs),
    profile: profileEndpoints(api),
    users: userEndpoints(api),
    tenants: tenantEndpoints(api),
    roles: roleEndpoints(api),
    permissions: permissionEndpoints(api),
    audit: auditEndpoints(api),
    settings: settingEndpoints(api),
    notifications: notificationEndpoints(api),
    dashboard: dashboardEndpoints(api),
    system: systemEndpoints(api),
    inTenant: (other) => clientOf(shared, other),
    close: shared.session.close,
  }
}

/**
 * Creates a client of one service, with one session.
 *
 * @throws TypeError when `baseUrl` is no address, or missing outside of a page
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8080', onSignedOut: () => console.log('Sign in again') })
 * await client.auth.login({ email: 'ada@example.com', password: 'correct horse battery' })
 * console.log((await client.profile.get()).username)
 */
export const createClient = (options: ClientOptions = {}): Client => {
  const { storage = memoryTokens(), timeoutMs = 30_000, retries = 2, onSignedOut = () => undefined } = options
  const { baseUrl = '', fetch = (...request) => globalThis.fetch(...request) } = options
  const wire = createWire(baseUrl.replace(/\/+$/, ''), fetch, retries)
  const refresh = async (refreshToken: string, signal: AbortSignal): Promise<TokenPair> => {
    const body = { refresh_token: refreshToken }
    const answer = await wire.exchange({ method: 'POST', path: '/api/v1/auth/refresh', body, signal })
    return answer.data as TokenPair
  }
  return clientOf({ wire, session: createSession(storage, refresh, onSignedOut), timeoutMs })
}
