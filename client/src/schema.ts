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
  status: 'ok' | 'stopping'
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
  /** In UTC. ISO 8601 with an offset. */
  checked_at: string
  current_version: string
  latest_version: string
  manifest: Manifest
}

export interface KeySet {
  keys: Array<{
    kty: string
    /** The curve of an EdDSA or ES256 key. */
    crv?: string
    /** The point of an EdDSA or ES256 key. */
    x?: string
    /** The second coordinate of an ES256 key. */
    y?: string
    /** The modulus of an RS256 key. */
    n?: string
    /** The exponent of an RS256 key. */
    e?: string
    kid: string
    alg: string
    use: string
  }>
}

export interface ServerMetadata {
  /** The `iss` of tokens. */
  issuer: string
  jwks_uri: string
  /** Empty: there is no OAuth flow. */
  response_types_supported: Array<string>
  subject_types_supported: Array<string>
  /** Algorithms of access tokens, as verifiers may meet them. */
  id_token_signing_alg_values_supported: Array<string>
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
  /** JWT, only for POST /auth/refresh. Lives 7 days, works once. */
  refresh_token: string
  /** Lifetime of the access token in seconds. */
  expires_in: number
}

export interface Login {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** 1 to 1024 characters. */
  password: string
  /** One of the tenants of the person; without it, the tenant used last. UUID. */
  tenant_id?: string
}

export interface PasskeyAnswer {
  /** base64url. 1 to 1364 characters, `^[A-Za-z0-9_-]+$`. */
  id: string
  /** base64url. 1 to 1364 characters, `^[A-Za-z0-9_-]+$`. */
  rawId: string
  /** `^public-key$`. */
  type: string
  response: {
    /** base64url. 1 to 4096 characters, `^[A-Za-z0-9_-]+$`. */
    clientDataJSON: string
    /** base64url. 1 to 4096 characters, `^[A-Za-z0-9_-]+$`. */
    authenticatorData: string
    /** base64url. 1 to 4096 characters, `^[A-Za-z0-9_-]+$`. */
    signature: string
    /** base64url. 1 to 128 characters, `^[A-Za-z0-9_-]+$`. */
    userHandle?: string
  }
}

export interface LoginFactor {
  /** 1 to 128 characters. */
  challenge: string
  /** The six digits that an authenticator app shows. 1 to 16 characters. */
  code?: string
  /** 1 to 64 characters. */
  recovery_code?: string
  passkey?: PasskeyAnswer
}

export interface PasskeyRequestOptions {
  challenge: string
  rpId: string
  /** Milliseconds. */
  timeout: number
  userVerification: 'required'
  /** Empty: any passkey of this host. */
  allowCredentials: Array<{
    id: string
    type: 'public-key'
    transports: Array<'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'>
  }>
}

export interface PasskeyLogin {
  response: PasskeyAnswer
  /** One of the tenants of the person; without it, the tenant used last. UUID. */
  tenant_id?: string
}

export interface Refresh {
  /** 1 to 4096 characters. */
  refresh_token: string
}

export interface AuthOptions {
  /** Whether anybody may register. */
  registration: boolean
  /** Whether a forgotten password can be reset. */
  password_reset: boolean
  /** Whether the installation sends e-mails. */
  mail: boolean
  /** Whether one can sign in with a passkey. */
  passkeys: boolean
}

export interface ForgotPassword {
  /** White space around it is removed. Up to 254 characters. */
  email: string
}

export interface ResetPassword {
  /** 1 to 128 characters. */
  token: string
  /** 8 to 128 characters. */
  new_password: string
}

export interface LookUpInvitation {
  /** 1 to 128 characters. */
  token: string
}

export interface InvitationFound {
  tenant: {
    /** UUID. */
    id: string
    name: string
  }
  email: string
  /** Whether the address has an account, whose password accepts the invitation. */
  account_exists: boolean
}

export interface AcceptInvitation {
  /** 1 to 128 characters. */
  token: string
  /** White space around it is removed. 3 to 64 characters, `^[A-Za-z0-9._@+-]+$`. */
  username: string
  /** 1 to 1024 characters. */
  password?: string
  /** 8 to 128 characters. */
  new_password?: string
  /** White space around it is removed. Up to 64 characters. */
  nickname?: string
}

export interface ChangePassword {
  /** 1 to 1024 characters. */
  old_password: string
  /** 8 to 128 characters. */
  new_password: string
}

export interface VerifyEmail {
  /** 1 to 128 characters. */
  token: string
}

export interface ChangeEmail {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** 1 to 1024 characters. */
  password: string
}

export interface UserSession {
  /** UUID. */
  id: string
  /** UUID. */
  tenant_id: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC, at most 5 minutes before the last use. ISO 8601 with an offset. */
  last_used_at: string
  /** The address of the sign-in; "" if unknown. */
  ip: string
  /** The user agent of the sign-in; "" if unknown. */
  user_agent: string
  /** Whether this request uses the session. */
  is_current: boolean
}

export interface Membership {
  tenant: {
    /** UUID. */
    id: string
    name: string
    slug: string
    /** 1 enabled, 0 disabled. */
    status: 0 | 1
  }
  /** 1 or more. */
  user_id: number
  username: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** Whether the session of this request is in the tenant. */
  is_current: boolean
}

export interface SwitchTenant {
  /** UUID. */
  tenant_id: string
}

export interface DeleteAccount {
  /** 1 to 1024 characters. */
  password: string
}

export interface Factor {
  /** UUID. */
  id: string
  type: 'totp' | 'passkey'
  name: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** ISO 8601 in UTC, "" before the first use. */
  last_used_at: string
}

export interface Factors {
  factors: Array<Factor>
  recovery_codes_left: number
}

export interface AddTotp {
  /** White space around it is removed. 1 to 64 characters. */
  name: string
  /** The own password. 1 to 1024 characters. */
  password: string
}

export interface TotpSecret {
  /** UUID. */
  id: string
  /** base32, to type into an authenticator app. It is shown once. */
  secret: string
  /** The same for a QR code. */
  otpauth_uri: string
}

export interface ConfirmTotp {
  /** The six digits that an authenticator app shows. 1 to 16 characters. */
  code: string
}

export interface TotpConfirmed {
  /** Ten codes with the first factor, each of which works once; else none. They are shown once. */
  recovery_codes: Array<string>
}

export interface ProvePassword {
  /** The own password. 1 to 1024 characters. */
  password: string
}

export interface PasskeyCreationOptions {
  challenge: string
  rp: {
    id: string
    name: string
  }
  user: {
    id: string
    name: string
    displayName: string
  }
  pubKeyCredParams: Array<{
    alg: number
    type: 'public-key'
  }>
  /** Milliseconds. */
  timeout: number
  attestation: 'none'
  excludeCredentials: Array<{
    id: string
    type: 'public-key'
    transports: Array<'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'>
  }>
  authenticatorSelection: {
    residentKey: 'required'
    requireResidentKey: boolean
    userVerification: 'required'
  }
}

export interface NewPasskey {
  /** base64url. 1 to 1364 characters, `^[A-Za-z0-9_-]+$`. */
  id: string
  /** base64url. 1 to 1364 characters, `^[A-Za-z0-9_-]+$`. */
  rawId: string
  /** `^public-key$`. */
  type: string
  response: {
    /** base64url. 1 to 4096 characters, `^[A-Za-z0-9_-]+$`. */
    clientDataJSON: string
    /** base64url. 1 to 16384 characters, `^[A-Za-z0-9_-]+$`. */
    attestationObject: string
    /** Up to 10 items. */
    transports?: Array<string>
  }
}

export interface AddPasskey {
  /** White space around it is removed. 1 to 64 characters. */
  name: string
  response: NewPasskey
}

export interface PasskeyAdded {
  /** UUID. */
  id: string
  /** Ten codes with the first factor, each of which works once; else none. They are shown once. */
  recovery_codes: Array<string>
}

export interface RecoveryCodes {
  /** Ten codes, each of which works once. They are shown once. */
  recovery_codes: Array<string>
}

export interface User {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  username: string
  email: string
  nickname: string
  /** A JPEG as a data URL, "" where there is none. */
  avatar: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** ISO 8601 in UTC, "" before the first sign-in. */
  last_login: string
}

export interface UpdateProfile {
  /** White space around it is removed. Up to 64 characters. */
  nickname?: string
  /** A JPEG of at most 256 by 256 pixels as a data URL, or "" for none. Up to 4096 characters, `^(?:data:image/jpeg;base64,[A-Za-z0-9+/]+={0,2})?$`. */
  avatar?: string
}

export interface ListedUser {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  username: string
  email: string
  nickname: string
  /** A JPEG as a data URL, "" where there is none. */
  avatar: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** ISO 8601 in UTC, "" before the first sign-in. */
  last_login: string
  /** Only with `include=roles`. Templates come before the roles of the tenant. */
  roles?: Array<{
    /** 1 or more. */
    id: number
    name: string
  }>
  /** Only with `include=created_at`. ISO 8601 with an offset. */
  created_at?: string
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

/** Only with `include=security`. */
export interface Security {
  factors: Array<Factor>
  /** Whether the person has proved the mailbox of the present address. */
  email_confirmed: boolean
  /** When the user was created. In UTC. ISO 8601 with an offset. */
  created_at: string
  /** The address of the last sign-in to this tenant, "" before the first one. */
  last_ip: string
}

export interface UserDetails {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  username: string
  email: string
  nickname: string
  /** A JPEG as a data URL, "" where there is none. */
  avatar: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** ISO 8601 in UTC, "" before the first sign-in. */
  last_login: string
  security?: Security
}

export interface UpdateUser {
  /** White space around it is removed. Up to 254 characters. */
  email?: string
  /** White space around it is removed. Up to 64 characters. */
  nickname?: string
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
}

export interface Invitation {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  email: string
  /** Roles that the person gets, beside those of every new user. */
  role_ids: Array<number>
  nickname: string
  /** The user or service account that invited; 0 for an import. */
  invited_by: number
  status: 'pending' | 'accepted' | 'revoked' | 'expired'
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  expires_at: string
  /** "" when the link was mailed. Where e-mail is off, the answer that makes the link shows it, and no other one. */
  link: string
}

export interface CreateInvitation {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** Up to 20 items. */
  role_ids?: Array<number>
  /** White space around it is removed. Up to 64 characters. */
  nickname?: string
}

export interface ServiceAccount {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  name: string
  description: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** ISO 8601 in UTC, up to 5 minutes before the last request; "" when never used. */
  last_used_at: string
}

export interface CreateServiceAccount {
  /** White space around it is removed. 1 to 64 characters. */
  name: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
}

export interface UpdateServiceAccount {
  /** White space around it is removed. 1 to 64 characters. */
  name?: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
}

export interface Key {
  /** 1 or more. */
  id: number
  name: string
  /** The first 12 characters of the key. */
  prefix: string
  /** The user or service account who created it. */
  created_by: number
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** ISO 8601 in UTC, "" for a key without an end. */
  expires_at: string
  /** ISO 8601 in UTC, up to 5 minutes before the last request; "" when never used. */
  last_used_at: string
  /** Addresses and ranges that the key may be used from; empty: all. */
  allowed_cidrs: Array<string>
}

export interface CreateKey {
  /** White space around it is removed. 1 to 64 characters. */
  name: string
  /** Up to 35 characters, ISO 8601 with an offset. */
  expires_at?: string
  /** Up to 20 items. */
  allowed_cidrs?: Array<string>
}

export interface CreatedKey {
  /** 1 or more. */
  id: number
  name: string
  /** The first 12 characters of the key. */
  prefix: string
  /** The user or service account who created it. */
  created_by: number
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** ISO 8601 in UTC, "" for a key without an end. */
  expires_at: string
  /** ISO 8601 in UTC, up to 5 minutes before the last request; "" when never used. */
  last_used_at: string
  /** Addresses and ranges that the key may be used from; empty: all. */
  allowed_cidrs: Array<string>
  /** The key itself. No later answer shows it. */
  secret: string
}

export interface Tenant {
  /** UUID. */
  id: string
  name: string
  slug: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
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

export interface CreatePermission {
  /** module:action, of lower case letters, digits, `_` and `-`; it never changes. `^[a-z0-9_-]{1,32}:[a-z0-9_-]{1,32}$`. */
  code: string
  /** White space around it is removed. 1 to 64 characters. */
  name: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
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

export interface UpdatePermission {
  /** White space around it is removed. 1 to 64 characters. */
  name?: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
}

export interface RoleTemplate {
  /** 1 or more. */
  id: number
  name: string
  description: string
  permissions: Array<Permission>
  /** A built-in template cannot be changed or deleted. */
  is_builtin: boolean
  /** Every new user of every tenant gets the role. */
  given_to_new_users: boolean
}

export interface CreateRoleTemplate {
  /** White space around it is removed. 1 to 64 characters. */
  name: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
  /** Up to 1000 items. */
  permission_ids?: Array<number>
}

export interface UpdateRoleTemplate {
  /** White space around it is removed. 1 to 64 characters. */
  name?: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
  /** Up to 1000 items. */
  permission_ids?: Array<number>
  /** Every new user of every tenant gets the role. */
  given_to_new_users?: boolean
}

/** Only with `include=actor`. */
export interface AuditActor {
  /** As `user_id`. */
  id: number
  /** The username, or the name of the service account, as it was then; empty where nobody is known. */
  name: string
  /** A user or a service account of the tenant; `platform` for one of the built-in tenant that entered this one; `system` where nobody is known. */
  kind: 'user' | 'service_account' | 'platform' | 'system'
}

export interface AuditLog {
  id: number
  /** UUID. */
  tenant_id: string
  /** The acting user; 0 if unknown. */
  user_id: number
  /** `resource.verb` */
  action: string
  resource: string
  resource_id: string
  /** The changed fields, and the names of the things: `{ field: { from, to } }`. Never a secret. */
  detail: Record<string, unknown>
  ip: string
  user_agent: string
  trace_id: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  actor?: AuditActor
}

export interface Setting {
  key: string
  /** Any JSON. */
  value: unknown
  scope: 'global' | 'tenant'
  /** "" for a global setting. */
  tenant_id: string
  /** In UTC. ISO 8601 with an offset. */
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
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
}

export interface ReceivedNotification {
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
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** Only with `include=sender`: the name of the user or service account that sent it; empty where it is not known. */
  sender?: string
}

export interface Sending {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  /** The one recipient; 0 for a role or everyone. */
  user_id: number
  /** The role whose holders get it; 0 otherwise. */
  role_id: number
  /** The name of the user or the role at that time; empty for everyone. */
  recipient: string
  title: string
  content: string
  type: 'info' | 'success' | 'warning' | 'error'
  /** How many users were to get it when it began. */
  total: number
  /** How many have got it. */
  sent: number
  /** false: send the next batch. */
  is_done: boolean
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
}

export interface CreateBroadcast {
  /** Only to the holders of this role; needs role:read besides. 1 or more. */
  role_id?: number
  /** White space around it is removed. 1 to 200 characters. */
  title: string
  /** Up to 10000 characters. */
  content?: string
  type?: 'info' | 'success' | 'warning' | 'error'
}

export interface UnreadCount {
  count: number
}

export interface Webhook {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  url: string
  events: Array<string>
  description: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** Whether it hears every tenant. */
  all_tenants: boolean
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** Why nothing is sent; "" while it is. */
  disabled_reason: string
  /** Sealed records that wait, counted over at most 10,000 seals. */
  backlog: number
  /** ISO 8601 in UTC; "" before the first delivery. */
  last_delivered_at: string
  /** Only with `include=health`: the first failure of the delivery that is tried again; "" while it works. */
  failing_since?: string
  /** Only with `include=health`: why the last attempt failed; "" while it works. */
  last_error?: string
}

export interface CreateWebhook {
  /** https in production, to a public address, without user and password. White space around it is removed. 1 to 2048 characters. */
  url: string
  /** Actions (`user.create`), resources (`user.*`) or `*`. Up to 50 items. */
  events: Array<string>
  /** White space around it is removed. Up to 255 characters. */
  description?: string
  /** In the built-in tenant, with `tenant:enter`: the events of every tenant. */
  all_tenants?: boolean
}

export interface CreatedWebhook {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  url: string
  events: Array<string>
  description: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** Whether it hears every tenant. */
  all_tenants: boolean
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** Why nothing is sent; "" while it is. */
  disabled_reason: string
  /** Sealed records that wait, counted over at most 10,000 seals. */
  backlog: number
  /** ISO 8601 in UTC; "" before the first delivery. */
  last_delivered_at: string
  /** Signs the deliveries (Standard Webhooks). No later answer shows it. */
  secret: string
}

export interface UpdateWebhook {
  /** https in production, to a public address, without user and password. White space around it is removed. 1 to 2048 characters. */
  url?: string
  /** Actions (`user.create`), resources (`user.*`) or `*`. Up to 50 items. */
  events?: Array<string>
  /** White space around it is removed. Up to 255 characters. */
  description?: string
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
}

export interface RotateWebhookSecret {
  /** Hours in which deliveries carry both signatures; 24 when left out. 0 to 24. */
  keep_old_hours?: number
}

export interface WebhookSecret {
  /** Signs the deliveries (Standard Webhooks). No later answer shows it. */
  secret: string
}

export interface WebhookTest {
  /** The HTTP status of the answer; 0 without one. */
  status: number
  /** Why the test failed; "" if it did not. */
  error: string
  duration_ms: number
  /** The first 1 kB of the answer. */
  answer: string
}

export interface Delivery {
  /** 1 or more. */
  id: number
  /** The id of the audit record; 0 for `webhook.gap`. */
  event_id: number
  event: string
  /** `pending`: tried again at `next_attempt_at`; `failed`: the hook was disabled over it, and goes on with it when it is enabled; `dead`: skipped by a replay, and never sent. */
  status: 'pending' | 'delivered' | 'failed' | 'dead'
  attempts: number
  /** Of the last attempt; 0 without an answer. */
  response_status: number
  /** Why the last attempt failed. */
  error: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** ISO 8601 in UTC; "" unless it is tried again. */
  next_attempt_at: string
  /** ISO 8601 in UTC; "" unless it was delivered. */
  delivered_at: string
}

export interface DeliveryAttempt {
  /** In UTC. ISO 8601 with an offset. */
  at: string
  duration_ms: number
  /** 0 without an answer. */
  response_status: number
  /** Why it failed; "" if it did not. */
  error: string
  /** The first 1 kB of the answer. */
  response: string
}

/** The request as it was sent, but for the signatures. */
export interface DeliveryRequest {
  headers: {
    'content-type': string
    'user-agent': string
    'webhook-id': string
    /** Of the last attempt. */
    'webhook-timestamp': string
  }
  /** "" for a caller without `audit:read`, and once the record has expired. */
  body: string
}

export interface DeliveryDetails {
  /** 1 or more. */
  id: number
  /** The id of the audit record; 0 for `webhook.gap`. */
  event_id: number
  event: string
  /** `pending`: tried again at `next_attempt_at`; `failed`: the hook was disabled over it, and goes on with it when it is enabled; `dead`: skipped by a replay, and never sent. */
  status: 'pending' | 'delivered' | 'failed' | 'dead'
  attempts: number
  /** Of the last attempt; 0 without an answer. */
  response_status: number
  /** Why the last attempt failed. */
  error: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** ISO 8601 in UTC; "" unless it is tried again. */
  next_attempt_at: string
  /** ISO 8601 in UTC; "" unless it was delivered. */
  delivered_at: string
  /** The last 20 attempts, the newest last. */
  history: Array<DeliveryAttempt>
  request: DeliveryRequest
}

/** Either `from_id` or `from`. */
export interface ReplayWebhook {
  /** The next record to deliver; of this tenant, and sealed. 1 or more. */
  from_id?: number
  /** The next record to deliver is the first of this moment or later. Up to 35 characters, ISO 8601 with an offset. */
  from?: string
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
  /** Percent by which the count now exceeds the count at the end of the day (UTC) 30 days ago, to one decimal. */
  userGrowth: number
  /** Percent by which the count now exceeds the count at the end of the day (UTC) 30 days ago, to one decimal. */
  roleGrowth: number
  /** Percent by which the count now exceeds the count at the end of the day (UTC) 30 days ago, to one decimal. */
  tenantGrowth: number
}

export interface DayActivity {
  /** The day in UTC. YYYY-MM-DD. */
  date: string
  /** Users created on this day. 0 or more. */
  sign_ups: number
  /** Users seen on this day. 0 or more. */
  active_users: number
}

export interface Activity {
  items: Array<DayActivity>
}

export interface HeldPermissions {
  /** 1 or more. */
  user_id: number
  /** UUID. */
  tenant_id: string
  permissions: Array<string>
}

export interface CheckQuestion {
  /** Up to 100 items. */
  permissions: Array<string>
  /** The user whom the question is about; the caller unless given. 1 or more. */
  user_id?: number
}

export interface CheckAnswer {
  /** Whether the user holds all of them. */
  allowed: boolean
  results: Array<{
    permission: string
    allowed: boolean
  }>
}

export interface ExplainQuestion {
  /** 1 or more. */
  user_id: number
  /** 1 to 65 characters. */
  permission: string
}

export interface Explanation {
  allowed: boolean
  /** The roles of the user that carry the permission. */
  roles: Array<{
    /** 1 or more. */
    id: number
    name: string
  }>
  reason: 'granted' | 'not_granted' | 'user_disabled' | 'tenant_disabled'
}

export interface Change {
  /** `replace_permissions` needs `role_id` and `permission_ids`; `assign_role` and `unassign_role` need `user_id` and `role_id`; `delete_role` needs `role_id`; `set_user_status` needs `user_id` and `status`. For callers with `catalogue:manage`, `replace_permissions` and `delete_role` also take the id of a role template, and tell about users of the tenant in scope. */
  kind: 'replace_permissions' | 'assign_role' | 'unassign_role' | 'delete_role' | 'set_user_status'
  /** 1 or more. */
  role_id?: number
  /** 1 or more. */
  user_id?: number
  /** Up to 1000 items. */
  permission_ids?: Array<number>
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
}

export interface PreviewQuestion {
  /** Up to 20 items. */
  changes: Array<Change>
}

export interface Effect {
  /** 1 or more. */
  user_id: number
  username: string
  permissions: Array<string>
}

export interface Preview {
  /** Up to 200 users who gain permissions, by id. */
  gains: Array<Effect>
  /** Up to 200 users who lose permissions, by id. */
  losses: Array<Effect>
  /** Users who gain or lose something. A number above 10,000 is given as 10,000. */
  affected_users: number
  /** The first change that would be refused. Nothing is then said about users. */
  refused: null | {
  /** The place of the change in the list, from 0. */
  index: number
  error: {
    code: number
    message: string
  }
}
}

/** The caller got a notification. */
export interface NotificationEvent {
  event: 'notification'
  data: {
    notification: Notification
    /** Unread notifications of the caller. */
    unread_count: number
  }
}

/** The caller read or deleted notifications. */
export interface UnreadEvent {
  event: 'unread'
  data: {
    count: number
  }
}

/** Forget what you remember about the permissions of these. */
export interface AuthorityEvent {
  event: 'authority'
  data: {
    /** The tenant; "" for all tenants. */
    tenant_id: string
    /** The user or service account; 0 for all. */
    user_id: number
    /** The session; "" for all. */
    session_id: string
  }
}

/** An audit record was sealed. Needs `audit:read`. */
export interface ChangeEvent {
  event: 'change'
  /** The place of the record. */
  id: string
  data: {
    /** The id of the audit record. */
    id: number
    /** UUID. */
    tenant_id: string
    action: string
    resource: string
    resource_id: string
  }
}

/** Changes after the last event id are lost, or the id is not readable. Forget everything that you remember. */
export interface GapEvent {
  event: 'gap'
  data: {
  }
}

/** The last event: the token or key expired, the session ended, or the caller lost what the stream needs. */
export interface EndEvent {
  event: 'end'
  data: {
    reason: 'expired' | 'signed_out' | 'not_allowed'
  }
}

/** An event of the stream, by its fields. */
export type StreamEvent = NotificationEvent | UnreadEvent | AuthorityEvent | ChangeEvent | GapEvent | EndEvent

export interface SecondStep {
  /** For POST /auth/login/factor. Lives 5 minutes, and bears 5 wrong answers. */
  challenge: string
  /** The kinds of answer that the account can give. */
  methods: Array<'totp' | 'passkey' | 'recovery_code'>
  /** Null where the account has no passkey that works here. */
  passkey_options: PasskeyRequestOptions | null
}

export interface ListUsersQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only rows that come after the one of this id; `page` counts from there, and `total` stays what it is. 1 or more. */
  after_id?: number | undefined
  /** Part of username, e-mail or nickname, without case. Up to 254 characters. */
  search?: string | undefined
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1 | undefined
  /** Only users who hold this role. Needs `role:read` as well. 1 or more. */
  role_id?: number | undefined
  /** Adds fields to each user. `roles` needs `role:read` as well. */
  include?: 'created_at' | 'roles' | 'created_at,roles' | undefined
  /** Ascending by this field, or descending with `-` in front. `created_at` is the order of ids. More than 10,000 matches come by id, with the header `X-Sort-Ignored: true`. Default "id". */
  sort?: 'id' | '-id' | 'username' | '-username' | 'email' | '-email' | 'status' | '-status' | 'created_at' | '-created_at' | 'last_login' | '-last_login' | undefined
}

export interface GetUserQuery {
  /** Adds the safety of the account. Needs `user:update` as well. */
  include?: 'security' | undefined
}

export interface ListInvitationsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only invitations of this status. */
  status?: 'pending' | 'accepted' | 'revoked' | 'expired' | undefined
}

export interface ListServiceAccountsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Part of the name, without case. Up to 64 characters. */
  search?: string | undefined
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1 | undefined
}

export interface ListTenantsQuery {
  /** Part of name or slug, without case. Up to 128 characters. */
  search?: string | undefined
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1 | undefined
  /** Ascending by this field, or descending with `-` in front; otherwise in the order of creation. */
  sort?: 'created_at' | '-created_at' | 'name' | '-name' | 'slug' | '-slug' | 'status' | '-status' | 'updated_at' | '-updated_at' | undefined
  /** Page of the list, from 1. A page past the end is empty. 1 or more. */
  page?: number | undefined
  /** How many items a page has. 1 to 200. */
  page_size?: number | undefined
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
  /** Only rows that come after the one of this id; `page` counts from there, and `total` stays what it is. 1 or more. */
  after_id?: number | undefined
}

export interface ListAuditLogsQuery {
  /** Only records of what this user did. 0 or more. */
  user_id?: number | undefined
  /** Only records of this action. 1 to 128 characters. */
  action?: string | undefined
  /** Only records about this kind of resource. 1 to 128 characters. */
  resource?: string | undefined
  /** The id of the object, as its records have it. Needs `resource` or `action`. 1 to 128 characters. */
  resource_id?: string | undefined
  /** Only records about this user: changes of the user, and roles assigned and removed. 1 or more. */
  about_user_id?: number | undefined
  /** Only records of this moment or later. Up to 35 characters, ISO 8601 with an offset. */
  from?: string | undefined
  /** Only records before this moment. Up to 35 characters, ISO 8601 with an offset. */
  to?: string | undefined
  /** Adds `actor`. */
  include?: 'actor' | undefined
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only rows before the one of this id, so older ones; `page` counts from there, and `total` stays what it is. 1 or more. */
  before_id?: number | undefined
}

export interface GetAuditLogQuery {
  /** Adds `actor`. */
  include?: 'actor' | undefined
}

export interface GetNotificationQuery {
  /** Adds `sender`. */
  include?: 'sender' | undefined
}

export interface ListNotificationsQuery {
  /** Adds `sender`. */
  include?: 'sender' | undefined
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only rows before the one of this id, so older ones; `page` counts from there, and `total` stays what it is. 1 or more. */
  before_id?: number | undefined
  /** false: only the unread ones; true: only those read. */
  is_read?: boolean | undefined
}

export interface ListSentQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only rows before the one of this id, so older ones; `page` counts from there, and `total` stays what it is. 1 or more. */
  before_id?: number | undefined
}

export interface ListWebhooksQuery {
  /** Adds the fields `failing_since` and `last_error`. */
  include?: 'health' | undefined
}

export interface GetWebhookQuery {
  /** Adds the fields `failing_since` and `last_error`. */
  include?: 'health' | undefined
}

export interface ListDeliveriesQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** `pending`: tried again at `next_attempt_at`; `failed`: the hook was disabled over it, and goes on with it when it is enabled; `dead`: skipped by a replay, and never sent. */
  status?: 'pending' | 'delivered' | 'failed' | 'dead' | undefined
}

export interface GetActivityQuery {
  /** How many days, the last of which is today. 7 to 90, default 30. */
  days?: number | undefined
}

export interface GetHeldPermissionsQuery {
  /** The user whom the question is about; the caller unless given. 1 or more. */
  user_id?: number | undefined
  /** A session of this user, the claim `sid` of a token. The answer is 404 when it is over. UUID. */
  session_id?: string | undefined
}

export interface ExportAuditLogsQuery {
  /** Only records of what this user did. 0 or more. */
  user_id?: number | undefined
  /** Only records of this action. 1 to 128 characters. */
  action?: string | undefined
  /** Only records about this kind of resource. 1 to 128 characters. */
  resource?: string | undefined
  /** The id of the object, as its records have it. Needs `resource` or `action`. 1 to 128 characters. */
  resource_id?: string | undefined
  /** Only records about this user: changes of the user, and roles assigned and removed. 1 or more. */
  about_user_id?: number | undefined
  /** Only records of this moment or later. Up to 35 characters, ISO 8601 with an offset. */
  from?: string | undefined
  /** Only records before this moment. Up to 35 characters, ISO 8601 with an offset. */
  to?: string | undefined
  /** Adds `actor`. */
  include?: 'actor' | undefined
  /** One JSON object a line; comma-separated values with a head line; or the whole audit chain, which takes no filter: JSON lines with the public keys and the signed head first, and after the records of each seal the seal. Default "ndjson". */
  format?: 'ndjson' | 'csv' | 'sealed' | undefined
}

export interface StreamEventsQuery {
  /** Hear the changes of every tenant; needs `tenant:enter`. */
  all_tenants?: boolean | undefined
}

/** A permission of the catalogue, as the `permissions` of a role hold it. */
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
  | 'tenant:enter'
  | 'catalogue:manage'
  | 'service_account:read'
  | 'service_account:create'
  | 'service_account:update'
  | 'service_account:delete'
  | 'authz:check'
  | 'webhook:read'
  | 'webhook:manage'
