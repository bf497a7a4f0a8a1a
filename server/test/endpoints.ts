/** The endpoints of the specification: their statuses, their callers, and a valid body. */
import { password, unique } from './factories.ts'

export interface Endpoint {
  /** Method and path, as in the specification; what stands at the host root starts with `//`. */
  name: string
  method: string
  path: string
  /**
   * A permission; `caller`: any signed-in caller; `user`, `account`, `suspendedAccount`: the same without keys, by `Allow`; `nobody`: no
   * token is needed.
   */
  caller: string
  /** Declared in the specification. */
  statuses: number[]
  body?: ((known: Known) => unknown) | undefined
}

/** Ids that a body can name. */
interface Known {
  userId: number
  roleId: number
  permissionId?: number
  tenantId?: string
  email?: string
  refreshToken?: string
  /** Of a sign-in provider that answers. */
  issuer?: string
  /** Tokens of links that were mailed to the caller. */
  resetToken?: string
  verifyToken?: string
  invitationToken?: string
  signUpToken?: string
  /** The code of a sign-in by a connection. */
  /** An answer of a second factor of the caller. */
  factor?: { code?: string; challenge?: string; passkey?: unknown } | undefined
}

type Body = (known: Known) => unknown

const endpoint = (name: string, caller: string, statuses: number[], body?: Body): Endpoint => {
  const [method = '', path = ''] = name.split(' ')
  return { name, method, path, caller, statuses, body }
}

/** Every endpoint that asks for a token: with the envelope's own statuses. */
const bound = (name: string, caller: string, statuses: number[], body?: Body): Endpoint =>
  endpoint(name, caller, [...statuses, 401, 403, 429, 500, 503, ...(body ? [413, 415] : [])], body)

const publicly = (name: string, statuses: number[], body?: Body): Endpoint =>
  endpoint(name, 'nobody', [...statuses, 429, 500, 503, ...(body ? [413, 415] : [])], body)

const account = () => ({ email: `${unique()}@example.com`, username: unique('user'), password })

/** The fields of a new flag. */
export const newFlag = (key: string) => ({
  key,
  type: 'boolean',
  variants: { on: true, off: false },
  enabled: true,
  off_variant: 'off',
  default_variant: 'off',
})

export const endpoints: Endpoint[] = [
  // Beyond the specification: settings of the page before the sign-in.
  publicly('GET /auth/registration', [200, 400]),
  publicly('POST /auth/register', [200, 400, 403, 409], account),
  publicly('POST /auth/login', [200, 400, 401], ({ email }) => ({ email, password })),
  publicly('POST /auth/refresh', [200, 400, 401], ({ refreshToken }) => ({ refresh_token: refreshToken })),
  publicly('GET /auth/options', [200, 400]),
  publicly('POST /auth/password/forgot', [200, 400], ({ email }) => ({ email })),
  publicly('POST /auth/password/reset', [200, 400], ({ resetToken = 'unknown' }) => ({
    token: resetToken,
    new_password: password,
  })),
  publicly('POST /auth/invitations/lookup', [200, 400], ({ invitationToken = 'unknown' }) => ({
    token: invitationToken,
  })),
  publicly('POST /auth/invitations/accept', [200, 400, 401, 403, 409], ({ invitationToken = 'unknown' }) => ({
    token: invitationToken,
    username: unique('user'),
    password,
  })),
  publicly('POST /auth/discover', [200, 400], ({ email }) => ({ email })),
  // Strangers create no organizations, unless the operator lets them.
  publicly('POST /auth/sign-up', [200, 400, 403], () => ({
    organization: 'Acme',
    email: `${unique()}@example.com`,
  })),
  publicly('POST /auth/sign-up/lookup', [200, 400, 403], ({ signUpToken = 'unknown' }) => ({
    token: signUpToken,
  })),
  publicly('POST /auth/sign-up/confirm', [200, 400, 401, 403, 409], ({ signUpToken = 'unknown' }) => ({
    token: signUpToken,
    username: unique('user'),
    password,
  })),
  bound('POST /auth/organizations', 'account', [200, 400, 409], () => ({
    organization: 'Acme',
    username: unique('user'),
  })),
  bound('POST /auth/email/verify', 'account', [200, 400, 409], ({ verifyToken = 'unknown' }) => ({
    token: verifyToken,
  })),
  bound('POST /auth/email/verification', 'account', [200, 400]),
  bound('POST /auth/email', 'account', [200, 400], () => ({ email: `${unique()}@example.com`, password })),
  bound('POST /password', 'account', [200, 400], () => ({ old_password: password, new_password: password })),
  bound('GET /profile', 'account', [200, 404]),
  // Beyond the specification.
  bound('PUT /profile', 'account', [200, 400, 404], () => ({ nickname: 'Ada' })),
  bound('GET /auth/sessions', 'suspendedAccount', [200]),
  bound('DELETE /auth/sessions', 'suspendedAccount', [200]),
  bound('DELETE /auth/sessions/:id', 'suspendedAccount', [200, 400, 404]),
  bound('POST /auth/logout', 'suspendedAccount', [200]),
  bound('GET /auth/memberships', 'suspendedAccount', [200]),
  bound('POST /auth/switch', 'suspendedAccount', [200, 400, 404], ({ tenantId }) => ({
    tenant_id: tenantId,
  })),
  bound('DELETE /auth/memberships/:tenantId', 'suspendedAccount', [200, 400, 404]),
  bound('POST /auth/account/delete', 'account', [200, 400], () => ({ password })),
  bound('POST /auth/account/export', 'account', [200, 400], () => ({ password })),

  bound('GET /auth/factors', 'account', [200]),
  bound('POST /auth/factors/totp', 'account', [200, 400], () => ({ name: 'App', password })),
  bound('POST /auth/factors/totp/:id/confirm', 'account', [200, 400, 404], ({ factor }) => ({
    code: factor?.code ?? '000000',
  })),
  bound('POST /auth/factors/passkey/options', 'account', [200, 400], () => ({ password })),
  bound('POST /auth/factors/passkey', 'account', [200, 400], ({ factor }) => ({
    name: 'Laptop',
    response: factor?.passkey,
  })),
  bound('POST /auth/factors/:id/remove', 'account', [200, 400, 404], () => ({ password })),
  bound('POST /auth/factors/recovery-codes', 'account', [200, 400], () => ({ password })),
  publicly('POST /auth/login/factor', [200, 400, 401], ({ factor }) => ({
    challenge: factor?.challenge,
    code: factor?.code,
  })),
  publicly('POST /auth/passkey/options', [200, 400, 403]),
  publicly('POST /auth/passkey', [200, 400, 401, 403], ({ factor }) => ({
    response: factor?.passkey,
  })),

  bound('GET /users', 'user:read', [200, 400]),
  bound('POST /users', 'user:create', [200, 400, 409], account),
  // Beyond the specification.
  bound('POST /users/import', 'user:create', [200, 400], () => ({
    rows: [{ email: `${unique()}@example.com` }],
  })),
  bound('GET /users/:id', 'user:read', [200, 400, 404]),
  bound('GET /users/:id/export', 'user:read', [200, 400, 404]),
  bound('PUT /users/:id', 'user:update', [200, 400, 404, 409], () => ({ nickname: 'Ada' })),
  bound('DELETE /users/:id', 'user:delete', [200, 400, 404]),
  bound('GET /users/:id/sessions', 'user:read', [200, 400, 404]),
  bound('DELETE /users/:id/sessions', 'user:update', [200, 400, 404]),
  bound('DELETE /users/:id/factors', 'user:update', [200, 400, 404]),
  bound('DELETE /users/:id/factors/:factorId', 'user:update', [200, 400, 404]),
  bound('POST /users/:id/password-reset', 'user:update', [200, 400, 404]),

  bound('GET /invitations', 'user:read', [200, 400]),
  bound('POST /invitations', 'user:create', [200, 400, 404, 409], ({ roleId }) => ({
    email: `${unique()}@example.com`,
    role_ids: [roleId],
  })),
  bound('POST /invitations/:id/resend', 'user:create', [200, 400, 404]),
  bound('DELETE /invitations/:id', 'user:create', [200, 400, 404]),

  bound('GET /service-accounts', 'service_account:read', [200, 400]),
  bound('POST /service-accounts', 'service_account:create', [200, 400, 409], () => ({ name: unique() })),
  bound('GET /service-accounts/:id', 'service_account:read', [200, 400, 404]),
  bound('PUT /service-accounts/:id', 'service_account:update', [200, 400, 404, 409], () => ({
    name: unique(),
  })),
  bound('DELETE /service-accounts/:id', 'service_account:delete', [200, 400, 404]),
  bound('GET /service-accounts/:id/keys', 'service_account:read', [200, 400, 404]),
  bound('POST /service-accounts/:id/keys', 'service_account:update', [200, 400, 404], () => ({
    name: 'Production',
  })),
  bound('DELETE /service-accounts/:id/keys/:keyId', 'service_account:update', [200, 400, 404]),
  bound('GET /directory/groups', 'sso:read', [200, 400]),
  bound('GET /domains', 'sso:read', [200, 400]),
  bound('POST /domains', 'sso:manage', [200, 400, 409], () => ({ domain: `${unique()}.example.com` })),
  bound('POST /domains/:id/verify', 'sso:manage', [200, 400, 404, 409]),
  bound('DELETE /domains/:id', 'sso:manage', [200, 400, 404]),
  bound('GET /connections', 'sso:read', [200, 400]),
  bound('GET /connections/:id', 'sso:read', [200, 400, 404]),
  bound('POST /connections', 'sso:manage', [200, 400], ({ issuer = 'http://127.0.0.1:9' }) => ({
    type: 'oidc',
    name: 'Entra ID',
    issuer,
    client_id: 'tenantry',
    client_secret: 'secret',
  })),
  bound('PUT /connections/:id', 'sso:manage', [200, 400, 404], () => ({ name: unique('c') })),
  bound('DELETE /connections/:id', 'sso:manage', [200, 400, 404]),
  bound('POST /connections/:id/test', 'sso:manage', [200, 400, 404]),
  bound('GET /connections/:id/attempts', 'sso:read', [200, 400, 404]),
  bound('DELETE /users/:id/sso', 'sso:manage', [200, 400, 404]),
  bound('GET /sso-exemptions', 'sso:read', [200, 400]),
  bound('PUT /users/:id/sso-exemption', 'sso:manage', [200, 400, 404], () => ({ exempt: false })),
  bound('GET /webhooks', 'webhook:read', [200, 400]),
  bound('POST /webhooks', 'webhook:manage', [200, 400], () => ({ url: 'http://127.0.0.1:9', events: ['*'] })),
  bound('GET /webhooks/:id', 'webhook:read', [200, 400, 404]),
  bound('PUT /webhooks/:id', 'webhook:manage', [200, 400, 404], () => ({ description: unique() })),
  bound('DELETE /webhooks/:id', 'webhook:manage', [200, 400, 404]),
  bound('POST /webhooks/:id/secret', 'webhook:manage', [200, 400, 404], () => ({})),
  bound('POST /webhooks/:id/test', 'webhook:manage', [200, 400, 404]),
  bound('GET /webhooks/:id/deliveries', 'webhook:read', [200, 400, 404]),
  bound('GET /webhooks/:id/deliveries/:deliveryId', 'webhook:read', [200, 400, 404]),
  bound('POST /webhooks/:id/deliveries/:deliveryId/resend', 'webhook:manage', [200, 400, 404, 409]),
  bound('POST /webhooks/:id/replay/preview', 'webhook:manage', [200, 400, 404], () => ({
    from: '2026-01-01T00:00:00Z',
  })),
  bound('POST /webhooks/:id/replay', 'webhook:manage', [200, 400, 404], () => ({
    from: '2026-01-01T00:00:00Z',
  })),

  bound('GET /org/tenants', 'tenant:read', [200, 400]),
  bound('POST /org/tenants', 'tenant:create', [200, 400, 409], () => ({ name: 'New', slug: unique('t') })),
  bound('GET /org/tenants/:id', 'caller', [200, 400, 404]),
  bound('PUT /org/tenants/:id', 'tenant:update', [200, 400, 404, 409], () => ({ name: 'Renamed' })),
  bound('DELETE /org/tenants/:id', 'tenant:delete', [200, 400, 404]),

  bound('GET /rbac/permissions', 'role:read', [200, 400]),
  bound('POST /rbac/permissions', 'catalogue:manage', [200, 400, 409], () => ({
    code: `${unique('m')}:read`,
    name: 'Read',
  })),
  bound('PUT /rbac/permissions/:id', 'catalogue:manage', [200, 400, 404], () => ({ name: 'Look' })),
  bound('DELETE /rbac/permissions/:id', 'catalogue:manage', [200, 400, 404]),
  bound('GET /rbac/role-templates', 'role:read', [200, 400]),
  bound('POST /rbac/role-templates', 'catalogue:manage', [200, 400, 409], () => ({ name: unique('role') })),
  bound('PUT /rbac/role-templates/:id', 'catalogue:manage', [200, 400, 404, 409], () => ({
    name: unique('role'),
  })),
  bound('DELETE /rbac/role-templates/:id', 'catalogue:manage', [200, 400, 404]),
  bound('GET /applications', 'application:read', [200, 400]),
  bound('POST /applications', 'application:manage', [200, 400], () => ({
    name: unique(),
    kind: 'web',
    redirect_uris: ['https://shop.example.com/callback'],
  })),
  bound('GET /applications/:id', 'application:read', [200, 400, 404]),
  bound('PUT /applications/:id', 'application:manage', [200, 400, 404], () => ({ name: unique() })),
  bound('DELETE /applications/:id', 'application:manage', [200, 400, 404]),
  bound('POST /applications/:id/secrets', 'application:manage', [200, 400, 404], () => ({})),
  bound('DELETE /applications/:id/secrets/:secretId', 'application:manage', [200, 400, 404]),
  bound('GET /resources', 'application:read', [200, 400]),
  bound('POST /resources', 'application:manage', [200, 400, 409], ({ permissionId }) => ({
    identifier: `https://${unique('r')}.example.com`,
    name: 'Any',
    permission_ids: [permissionId],
  })),
  bound('PUT /resources/:id', 'application:manage', [200, 400, 404, 409], () => ({ name: unique() })),
  bound('DELETE /resources/:id', 'application:manage', [200, 400, 404]),
  bound('GET /auth/grants', 'account', [200]),
  bound('DELETE /auth/grants/:id', 'account', [200, 400, 404]),
  bound('GET /grants', 'grant:read', [200, 400]),
  bound('DELETE /grants/:id', 'grant:revoke', [200, 400, 404]),

  bound('GET /rbac/roles', 'role:read', [200, 400]),
  bound('POST /rbac/roles', 'role:create', [200, 400, 409], () => ({ name: unique('role') })),
  bound('GET /rbac/roles/:id', 'role:read', [200, 400, 404]),
  bound('PUT /rbac/roles/:id', 'role:update', [200, 400, 404, 409], () => ({ name: unique('role') })),
  bound('DELETE /rbac/roles/:id', 'role:delete', [200, 400, 404]),
  bound('GET /rbac/roles/:id/permissions', 'role:read', [200, 400, 404]),
  bound('PUT /rbac/roles/:id/permissions', 'role:update', [200, 400, 404], () => ({ permission_ids: [] })),
  // Beyond the specification: the holders of a role.
  bound('GET /rbac/roles/:id/users', 'role:read', [200, 400, 404]),
  bound('GET /rbac/users/:userId/roles', 'caller', [200, 400, 404]),
  bound('POST /rbac/users/:userId/roles', 'role:assign', [200, 400, 404, 409], ({ roleId }) => ({
    role_id: roleId,
  })),
  bound('DELETE /rbac/users/:userId/roles/:roleId', 'role:assign', [200, 400, 404]),

  bound('GET /authz/permissions', 'caller', [200, 400, 404]),
  bound('POST /authz/check', 'caller', [200, 400, 404], ({ userId }) => ({
    permissions: ['user:read', 'audit:read'],
    user_id: userId,
  })),
  bound('POST /authz/explain', 'role:read', [200, 400, 404], ({ userId }) => ({
    user_id: userId,
    permission: 'user:read',
  })),
  bound('POST /authz/preview', 'role:read', [200, 400], ({ userId, roleId }) => ({
    changes: [{ kind: 'assign_role', user_id: userId, role_id: roleId }],
  })),

  bound('GET /audit/logs', 'audit:read', [200, 400]),
  // Beyond the specification: one record by its id, and the export.
  bound('GET /audit/logs/:id', 'audit:read', [200, 400, 404]),
  bound('GET /audit/export', 'audit:read', [200, 400]),

  // Beyond the specification: a stream, which has no end.
  bound('GET /events/stream', 'caller', [200, 400]),

  bound('GET /settings', 'setting:read', [200]),
  bound('GET /settings/global/:key', 'setting:read', [200, 400, 404]),
  bound('PUT /settings/global/:key', 'setting:global', [200, 400, 412], () => ({ value: 1 })),
  // Beyond the specification.
  bound('DELETE /settings/global/:key', 'setting:global', [200, 400, 404, 412]),
  bound('GET /settings/tenant', 'setting:read', [200]),
  bound('GET /settings/tenant/:key', 'setting:read', [200, 400, 404]),
  bound('PUT /settings/tenant/:key', 'setting:update', [200, 400, 412], () => ({ value: 1 })),
  bound('DELETE /settings/tenant/:key', 'setting:delete', [200, 400, 404, 412]),
  bound('GET /settings/definitions', 'setting:read', [200, 400]),
  bound('PUT /settings/definitions/:key', 'setting:declare', [200, 400], () => ({
    schema: {},
    scopes: ['global', 'tenant', 'user'],
  })),
  bound('DELETE /settings/definitions/:key', 'setting:declare', [200, 400, 404]),
  bound('PUT /settings/global/:key/lock', 'setting:global', [200, 400, 404]),
  bound('DELETE /settings/global/:key/lock', 'setting:global', [200, 400, 404]),
  bound('GET /settings/global/:key/history', 'setting:global', [200, 400]),
  bound('POST /settings/global/:key/revert', 'setting:global', [200, 400, 404, 412], () => ({ version: 1 })),
  bound('GET /settings/tenant/:key/history', 'setting:read', [200, 400]),
  bound('POST /settings/tenant/:key/revert', 'setting:update', [200, 400, 404, 412], () => ({ version: 1 })),
  bound('GET /settings/effective', 'caller', [200, 304, 400, 404]),
  bound('GET /settings/effective/:key', 'caller', [200, 304, 400, 404]),
  bound('POST /settings/secrets/read', 'setting:secret', [200, 400], () => ({ keys: ['color'] })),
  bound('GET /settings/user/:key', 'user', [200, 400, 404]),
  bound('PUT /settings/user/:key', 'user', [200, 400, 404], () => ({ value: 1 })),
  bound('DELETE /settings/user/:key', 'user', [200, 400, 404]),
  bound('GET /settings/users/:id/:key', 'setting:read', [200, 400, 404]),
  bound('PUT /settings/users/:id/:key', 'setting:update', [200, 400, 404], () => ({ value: 1 })),
  bound('DELETE /settings/users/:id/:key', 'setting:delete', [200, 400, 404]),

  // Beyond the specification: feature flags.
  bound('GET /flags', 'flag:read', [200, 400]),
  bound('POST /flags', 'flag:manage', [200, 400, 409], () => newFlag(unique('flag'))),
  bound('GET /flags/:key', 'flag:read', [200, 400, 404]),
  bound('PUT /flags/:key', 'flag:manage', [200, 400, 404, 412], () => ({ description: unique() })),
  bound('DELETE /flags/:key', 'flag:manage', [200, 400, 404, 412]),
  bound('POST /flags/:key/explain', 'flag:read', [200, 400, 404], () => ({
    context: { targetingKey: 'ada' },
  })),
  bound('GET /flags/:key/tenants', 'flag:read', [200, 400, 404]),
  bound('PUT /flags/:key/tenants/:tenantId', 'flag:manage', [200, 400, 404], () => ({ variant: 'on' })),
  bound('DELETE /flags/:key/tenants/:tenantId', 'flag:manage', [200, 400, 404]),

  bound('POST /notifications', 'notification:send', [200, 400, 404], ({ userId }) => ({
    user_id: userId,
    title: 'Hello',
  })),
  // Beyond the specification: broadcasts, and what the caller has sent.
  bound('GET /notifications/sent', 'notification:send', [200, 400]),
  bound('POST /notifications/broadcasts', 'notification:send', [200, 400, 404], () => ({ title: 'Hello' })),
  bound('POST /notifications/broadcasts/:id/batches', 'notification:send', [200, 400, 404]),
  bound('GET /notifications/:id', 'caller', [200, 400, 404]),
  bound('DELETE /notifications/:id', 'caller', [200, 400, 404]),
  bound('GET /notifications/user/:userId', 'caller', [200, 400, 404]),
  bound('PUT /notifications/:id/read', 'user', [200, 400, 404]),
  bound('PUT /notifications/read-all', 'user', [200, 400]),
  bound('GET /notifications/unread-count', 'user', [200, 400]),

  bound('GET /dashboard/stats', 'dashboard:read', [200]),
  // Beyond the specification: sign-ups and active users by day.
  bound('GET /dashboard/activity', 'dashboard:read', [200, 400]),
  bound('GET /ping', 'caller', [200]),
  bound('GET //ping', 'caller', [200]),
]

/** Further paths that need no token. */
export const open: string[] = [
  'GET //.well-known/jwks.json',
  'GET //.well-known/openid-configuration',
  'GET //.well-known/oauth-authorization-server',
  // Endpoints of OAuth 2.0 and of the pages of the sign-in: clients prove themselves, and browsers by cookies.
  // Evaluation checks its callers in its own form.
  'POST //ofrep/v1/evaluate/flags/:key',
  'POST //ofrep/v1/evaluate/flags',
  // Directories prove themselves by keys, in the form of SCIM.
  'GET //scim/v2/Users',
  'POST //scim/v2/Users',
  'GET //scim/v2/Users/:id',
  'PUT //scim/v2/Users/:id',
  'PATCH //scim/v2/Users/:id',
  'DELETE //scim/v2/Users/:id',
  'GET //scim/v2/Groups',
  'POST //scim/v2/Groups',
  'GET //scim/v2/Groups/:id',
  'PUT //scim/v2/Groups/:id',
  'PATCH //scim/v2/Groups/:id',
  'DELETE //scim/v2/Groups/:id',
  'GET //scim/v2/ServiceProviderConfig',
  'GET //scim/v2/ResourceTypes',
  'GET //scim/v2/ResourceTypes/:id',
  'GET //scim/v2/Schemas',
  'GET //scim/v2/Schemas/:id',
  'POST //oauth2/token',
  'POST //oauth2/device_authorization',
  'POST //oauth2/introspect',
  'POST //oauth2/revoke',
  'GET //oauth2/userinfo',
  'POST //oauth2/userinfo',
  'GET //oauth2/interactions/:id',
  'POST //oauth2/interactions',
  'POST //oauth2/interactions/:id/identify',
  'POST //oauth2/interactions/:id/password',
  'POST //oauth2/interactions/:id/forgot',
  'POST //oauth2/interactions/:id/factor',
  'POST //oauth2/interactions/:id/passkey/options',
  'POST //oauth2/interactions/:id/passkey',
  'POST //oauth2/interactions/:id/proof',
  'POST //oauth2/interactions/:id/register',
  'POST //oauth2/interactions/:id/sign-up',
  'POST //oauth2/interactions/:id/enrol',
  'POST //oauth2/interactions/:id/enrol/confirm',
  'POST //oauth2/interactions/:id/verification',
  'POST //oauth2/interactions/:id/email',
  'POST //oauth2/interactions/:id/tenant',
  'POST //oauth2/interactions/:id/consent',
  'POST //oauth2/interactions/:id/cancel',
  'POST //oauth2/verify-email',
  'POST //oauth2/way-back',
  'GET //oauth2/links/reader',
  'POST //oauth2/links/invitation',
  'POST //oauth2/links/sign-up',
  'POST //oauth2/links/factor',
  'POST //oauth2/register',
  'POST //oauth2/logout/question',
  'POST //oauth2/logout/confirm',
  ...['', '/'].flatMap((root) => [
    `GET ${root}/health`,
    `HEAD ${root}/health`,
    `GET ${root}/healthz`,
    `HEAD ${root}/healthz`,
    `GET ${root}/readyz`,
    `HEAD ${root}/readyz`,
    `GET ${root}/api/version`,
    `GET ${root}/api/upgrade/check`,
  ]),
]
