// Written by `npm run docs`; a test fails when it is stale.
export interface Health {
  status: 'ok' | 'degraded'
  database: 'up' | 'down'
  cache: 'up' | 'down'
  /** Unix seconds. */
  timestamp: number
  trace_id: string
  version: string
}

export interface Liveness {
  status: string
}

export interface Readiness {
  status: 'ready' | 'unready'
  database: 'up' | 'down'
  cache: 'up' | 'down'
}

export interface Version {
  version: string
  commit: string
  build_date: string
  /** The version of the runtime. */
  go_version: string
  os: string
  arch: string
}

export interface Manifest {
  version: string
  min_version: string
  critical: boolean
  changelog: string
  /** ISO 8601 in UTC, "" when it is not known. */
  published_at: string
  download_url: string
  checksum_sha256: string
  /** Bytes of the download, 0 when that is not known. */
  size: number
}

export interface UpgradeStatus {
  available: boolean
  critical: boolean
  /** ISO 8601 in UTC. */
  checked_at: string
  current_version: string
  latest_version: string
  manifest: Manifest
}

export interface KeySet {
  keys: Array<{
    kty: string
    crv: string
    x: string
    kid: string
    alg: string
    use: string
  }>
}

export interface Registration {
  /** Whether anybody may register. */
  open: boolean
  /** Whether nobody has registered yet, and who registers first becomes platform administrator. */
  first_becomes_admin: boolean
}

export interface Register {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** White space around it is removed. 3 to 64 characters, `^[A-Za-z0-9._@+-]+$`. */
  username: string
  /** 8 to 128 characters. */
  password: string
  /** White space around it is removed. Up to 64 characters. */
  nickname?: string
}

export interface TokenPair {
  /** JWT, to send as `Authorization: Bearer …`. Lives 2 hours. */
  access_token: string
  /** JWT, for POST /auth/refresh alone. Lives 7 days, works once. */
  refresh_token: string
  /** Lifetime of the access token in seconds. */
  expires_in: number
}

export interface Login {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** 1 to 1024 characters. */
  password: string
}

export interface Refresh {
  /** 1 to 4096 characters. */
  refresh_token: string
}

export interface ChangePassword {
  /** 1 to 1024 characters. */
  old_password: string
  /** 8 to 128 characters. */
  new_password: string
}

export interface User {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  username: string
  email: string
  nickname: string
  avatar: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** ISO 8601 in UTC, "" before the first sign-in. */
  last_login: string
}

export interface CreateUser {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** White space around it is removed. 3 to 64 characters, `^[A-Za-z0-9._@+-]+$`. */
  username: string
  /** 8 to 128 characters. */
  password: string
  /** White space around it is removed. Up to 64 characters. */
  nickname?: string
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
}

export interface UpdateUser {
  /** White space around it is removed. Up to 254 characters. */
  email?: string
  /** White space around it is removed. Up to 64 characters. */
  nickname?: string
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
}

export interface Tenant {
  /** UUID. */
  id: string
  name: string
  slug: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** ISO 8601 in UTC. */
  created_at: string
  /** ISO 8601 in UTC. */
  updated_at: string
}

export interface CreateTenant {
  /** White space around it is removed. 1 to 128 characters. */
  name: string
  /** Lower-case letters and digits, with single `-` or `_` between them. 1 to 64 characters, `^[a-z0-9]+(?:[-_][a-z0-9]+)*$`. */
  slug: string
}

export interface UpdateTenant {
  /** White space around it is removed. 1 to 128 characters. */
  name?: string
  /** Lower-case letters and digits, with single `-` or `_` between them. 1 to 64 characters, `^[a-z0-9]+(?:[-_][a-z0-9]+)*$`. */
  slug?: string
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
}

export interface Permission {
  /** 1 or more. */
  id: number
  code: string
  name: string
  module: string
  description: string
}

export interface Role {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  name: string
  description: string
  /** A system role cannot be changed or deleted. */
  is_system: boolean
  permissions: Array<Permission>
}

export interface CreateRole {
  /** White space around it is removed. 1 to 64 characters. */
  name: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
}

export interface UpdateRole {
  /** White space around it is removed. 1 to 64 characters. */
  name?: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
}

export interface ReplacePermissions {
  /** Up to 1000 items. */
  permission_ids: Array<number>
}

export interface AssignRole {
  /** 1 or more. */
  role_id: number
}

export interface AuditLog {
  id: number
  /** UUID. */
  tenant_id: string
  /** Who acted; 0 when nobody is known. */
  user_id: number
  /** `resource.verb` */
  action: string
  resource: string
  resource_id: string
  /** What changed: `{ field: { from, to } }`. Never a secret. */
  detail: Record<string, unknown>
  ip: string
  user_agent: string
  trace_id: string
  /** ISO 8601 in UTC. */
  created_at: string
}

export interface Setting {
  key: string
  /** Any JSON. */
  value: unknown
  scope: 'global' | 'tenant'
  /** "" for a global setting. */
  tenant_id: string
  /** ISO 8601 in UTC. */
  updated_at: string
}

export interface UpdateSetting {
  /** Any JSON, up to 64 KiB as UTF-8 text. */
  value: unknown
}

export interface CreateNotification {
  /** 1 or more. */
  user_id: number
  /** White space around it is removed. 1 to 200 characters. */
  title: string
  /** Up to 10000 characters. */
  content?: string
  type?: 'info' | 'success' | 'warning' | 'error'
}

export interface Notification {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  /** The recipient. */
  user_id: number
  title: string
  content: string
  type: 'info' | 'success' | 'warning' | 'error'
  is_read: boolean
  /** ISO 8601 in UTC. */
  created_at: string
}

export interface UnreadCount {
  count: number
}

export interface Stats {
  /** 0 or more. */
  userCount: number
  /** 0 or more. */
  roleCount: number
  /** 0 or more. */
  tenantCount: number
  /** 0 or more. */
  onlineCount: number
  /** 0 or more. */
  todayActiveUsers: number
  /** Percent by which the count today exceeds the count 30 days ago, to one decimal. */
  userGrowth: number
  /** Percent by which the count today exceeds the count 30 days ago, to one decimal. */
  roleGrowth: number
  /** Percent by which the count today exceeds the count 30 days ago, to one decimal. */
  tenantGrowth: number
}

export interface DayActivity {
  /** The day in UTC. YYYY-MM-DD. */
  date: string
  /** Users created on this day, as far as they are still there. 0 or more. */
  sign_ups: number
  /** Users seen on this day, also those who were deleted since. 0 or more. */
  active_users: number
}

export interface Activity {
  items: Array<DayActivity>
}

export interface ListUsersQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Part of username, e-mail or nickname, without case. Up to 254 characters. */
  search?: string | undefined
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1 | undefined
  /** By id, the oldest first; -id: the newest first. Default "id". */
  sort?: 'id' | '-id' | undefined
}

export interface ListPermissionsQuery {
  /** Only permissions of this module. 1 to 64 characters. */
  module?: string | undefined
}

export interface ListRoleUsersQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
}

export interface ListAuditLogsQuery {
  /** Only records of what this user did. 0 or more. */
  user_id?: number | undefined
  /** Only records of this action. 1 to 128 characters. */
  action?: string | undefined
  /** Only records about this kind of resource. 1 to 128 characters. */
  resource?: string | undefined
  /** Only records of this moment or later. Up to 35 characters, ISO 8601 with an offset. */
  from?: string | undefined
  /** Only records before this moment. Up to 35 characters, ISO 8601 with an offset. */
  to?: string | undefined
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
}

export interface ListNotificationsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** false: only the unread ones; true: only those read. */
  is_read?: boolean | undefined
}

export interface GetActivityQuery {
  /** How many days, the last of which is today. 7 to 90, default 30. */
  days?: number | undefined
}

export interface ExportAuditLogsQuery {
  /** Only records of what this user did. 0 or more. */
  user_id?: number | undefined
  /** Only records of this action. 1 to 128 characters. */
  action?: string | undefined
  /** Only records about this kind of resource. 1 to 128 characters. */
  resource?: string | undefined
  /** Only records of this moment or later. Up to 35 characters, ISO 8601 with an offset. */
  from?: string | undefined
  /** Only records before this moment. Up to 35 characters, ISO 8601 with an offset. */
  to?: string | undefined
  /** One JSON object a line; comma-separated values with a head line; or the whole audit chain, which takes no filter: JSON lines with the public keys and the signed head first, and after the records of each seal the seal. Default "ndjson". */
  format?: 'ndjson' | 'csv' | 'sealed' | undefined
}

/** What a role can permit; `permissions` of a role holds such codes. */
export type PermissionCode =
  | 'user:read'
  | 'user:create'
  | 'user:update'
  | 'user:delete'
  | 'tenant:read'
  | 'tenant:create'
  | 'tenant:update'
  | 'tenant:delete'
  | 'role:read'
  | 'role:create'
  | 'role:update'
  | 'role:delete'
  | 'role:assign'
  | 'audit:read'
  | 'setting:read'
  | 'setting:update'
  | 'setting:delete'
  | 'setting:global'
  | 'notification:send'
  | 'notification:read'
  | 'notification:delete'
  | 'dashboard:read'
