/** The endpoints of the specification: their callers, a second time, and a valid body. */
import { nobodysId, password, unique } from './factories.ts'

export interface Endpoint {
  /** Method and path, as in the specification; a path at the host root starts with `//`. */
  name: string
  method: string
  path: string
  /**
   * A permission; `caller`: any signed-in caller; `user`, `account`, `suspendedAccount`: the same without keys, by
   * `Allow`. `guest`: the guest of a setup link; `nobody`: no token is needed.
   */
  caller: string
  body?: ((known: Known) => unknown) | undefined
}

/** Ids that a body can name. */
interface Known {
  userId: number
  roleId: number
  permissionId?: number
  applicationId?: number
  /** Of a review. */
  itemId?: number
  tenantId?: string
  email?: string
  refreshToken?: string
  identityId?: string
  /** Of a sign-in provider that answers. */
  issuer?: string
  /** Tokens of links that were mailed to the caller. */
  resetToken?: string
  verifyToken?: string
  invitationToken?: string
  signUpToken?: string
  emailCode?: { challenge: string; code: string }
  /** A setup link of the tenant, with a code of it. */
  setup?: { token: string; challenge: string; code: string }
  /** The code of a sign-in by a connection. */
  /** An answer of a second factor of the caller. */
  factor?: { code?: string; challenge?: string; passkey?: unknown } | undefined
}

type Body = (known: Known) => unknown

const endpoint = (name: string, caller: string, body?: Body): Endpoint => {
  const [method = '', path = ''] = name.split(' ')
  return { name, method, path, caller, body }
}

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
  endpoint('GET /auth/registration', 'nobody'),
  endpoint('POST /auth/register', 'nobody', account),
  endpoint('POST /auth/login', 'nobody', ({ email }) => ({ email, password })),
  endpoint('POST /auth/refresh', 'nobody', ({ refreshToken }) => ({ refresh_token: refreshToken })),
  endpoint('GET /auth/options', 'nobody'),
  endpoint('GET /auth/challenge', 'nobody'),
  endpoint('POST /auth/password/forgot', 'nobody', ({ email }) => ({ email })),
  endpoint('POST /auth/password/reset', 'nobody', ({ resetToken = 'unknown' }) => ({
    token: resetToken,
    new_password: password,
  })),
  endpoint('POST /auth/invitations/lookup', 'nobody', ({ invitationToken = 'unknown' }) => ({
    token: invitationToken,
  })),
  endpoint('POST /auth/invitations/accept', 'nobody', ({ invitationToken = 'unknown' }) => ({
    token: invitationToken,
    username: unique('user'),
    password,
  })),
  endpoint('POST /auth/discover', 'nobody', ({ email }) => ({ email })),
  // Strangers create no organizations, unless the operator lets them.
  endpoint('POST /auth/sign-up', 'nobody', () => ({
    organization: 'Acme',
    email: `${unique()}@example.com`,
  })),
  endpoint('POST /auth/sign-up/lookup', 'nobody', ({ signUpToken = 'unknown' }) => ({
    token: signUpToken,
  })),
  endpoint('POST /auth/sign-up/confirm', 'nobody', ({ signUpToken = 'unknown' }) => ({
    token: signUpToken,
    username: unique('user'),
    password,
  })),
  endpoint('POST /auth/organizations', 'account', () => ({
    organization: 'Acme',
    username: unique('user'),
  })),
  endpoint('POST /auth/email/verify', 'account', ({ verifyToken = 'unknown' }) => ({
    token: verifyToken,
  })),
  endpoint('POST /auth/email/verification', 'account'),
  endpoint('POST /auth/email', 'account', () => ({ email: `${unique()}@example.com`, password })),
  endpoint('POST /password', 'account', () => ({ old_password: password, new_password: password })),
  endpoint('GET /profile', 'account'),
  // Beyond the specification.
  endpoint('PUT /profile', 'account', () => ({ nickname: 'Ada' })),
  endpoint('GET /auth/sessions', 'suspendedAccount'),
  endpoint('DELETE /auth/sessions', 'suspendedAccount'),
  endpoint('DELETE /auth/sessions/:id', 'suspendedAccount'),
  endpoint('POST /auth/logout', 'suspendedAccount'),
  endpoint('GET /auth/memberships', 'suspendedAccount'),
  endpoint('POST /auth/switch', 'suspendedAccount', ({ tenantId }) => ({
    tenant_id: tenantId,
  })),
  endpoint('DELETE /auth/memberships/:tenantId', 'suspendedAccount'),
  endpoint('POST /auth/account/delete', 'account', () => ({ password })),
  endpoint('POST /auth/account/export', 'account', () => ({ password })),

  endpoint('GET /auth/identities', 'account'),
  endpoint('POST /auth/identities', 'account', ({ identityId }) => ({
    // The maker of the id makes the provider.
    provider: identityId === '' ? '' : 'house',
    password,
  })),
  endpoint('POST /auth/identities/:id/remove', 'account', () => ({ password })),
  endpoint('GET /auth/factors', 'account'),
  endpoint('POST /auth/factors/totp', 'account', () => ({ name: 'App', password })),
  endpoint('POST /auth/factors/totp/:id/confirm', 'account', ({ factor }) => ({
    code: factor?.code ?? '000000',
  })),
  endpoint('POST /auth/factors/passkey/options', 'account', () => ({ password })),
  endpoint('POST /auth/factors/passkey', 'account', ({ factor }) => ({
    name: 'Laptop',
    response: factor?.passkey,
  })),
  endpoint('POST /auth/factors/:id/remove', 'account', () => ({ password })),
  endpoint('POST /auth/factors/recovery-codes', 'account', () => ({ password })),
  endpoint('POST /auth/password/remove', 'account', () => ({ password })),
  endpoint('POST /auth/login/factor', 'nobody', ({ factor }) => ({
    challenge: factor?.challenge,
    code: factor?.code,
  })),
  endpoint('POST /auth/email-code', 'nobody', ({ email }) => ({ email })),
  endpoint('POST /auth/login/email-code', 'nobody', ({ emailCode }) => ({
    challenge: emailCode?.challenge ?? 'unknown',
    code: '492039',
  })),
  endpoint('POST /auth/passkey/options', 'nobody'),
  endpoint('POST /auth/passkey', 'nobody', ({ factor }) => ({
    response: factor?.passkey,
  })),

  endpoint('GET /users', 'user:read'),
  endpoint('POST /users', 'user:create', account),
  // Beyond the specification.
  endpoint('POST /users/import', 'user:create', () => ({
    rows: [{ email: `${unique()}@example.com` }],
  })),
  endpoint('POST /users/status', 'user:update', ({ userId }) => ({ user_ids: [userId], status: 1 })),
  endpoint('GET /users/:id', 'user:read'),
  endpoint('GET /users/:id/export', 'user:read'),
  endpoint('PUT /users/:id', 'user:update', () => ({ nickname: 'Ada' })),
  endpoint('DELETE /users/:id', 'user:delete'),
  endpoint('GET /users/:id/sessions', 'user:read'),
  endpoint('DELETE /users/:id/sessions', 'user:update'),
  endpoint('DELETE /users/:id/factors', 'user:update'),
  endpoint('DELETE /users/:id/factors/:factorId', 'user:update'),
  endpoint('POST /users/:id/password-expiry', 'user:update'),
  endpoint('POST /users/:id/password-reset', 'user:update'),

  endpoint('GET /invitations', 'user:read'),
  endpoint('POST /invitations', 'user:create', ({ roleId }) => ({
    email: `${unique()}@example.com`,
    role_ids: [roleId],
  })),
  endpoint('POST /invitations/:id/resend', 'user:create'),
  endpoint('DELETE /invitations/:id', 'user:create'),

  endpoint('GET /service-accounts', 'service_account:read'),
  endpoint('POST /service-accounts', 'service_account:create', () => ({ name: unique() })),
  endpoint('GET /service-accounts/:id', 'service_account:read'),
  endpoint('PUT /service-accounts/:id', 'service_account:update', () => ({
    name: unique(),
  })),
  endpoint('DELETE /service-accounts/:id', 'service_account:delete'),
  endpoint('GET /service-accounts/:id/keys', 'service_account:read'),
  endpoint('POST /service-accounts/:id/keys', 'service_account:update', () => ({
    name: 'Production',
  })),
  endpoint('DELETE /service-accounts/:id/keys/:keyId', 'service_account:update'),
  endpoint('GET /directory/groups', 'sso:read'),
  endpoint('GET /domains', 'sso:read'),
  endpoint('POST /domains', 'sso:manage', () => ({ domain: `${unique()}.example.com` })),
  endpoint('POST /domains/:id/verify', 'sso:manage'),
  endpoint('DELETE /domains/:id', 'sso:manage'),
  endpoint('GET /connections', 'sso:read'),
  endpoint('GET /connections/:id', 'sso:read'),
  endpoint('POST /connections', 'sso:manage', ({ issuer = 'http://127.0.0.1:9' }) => ({
    type: 'oidc',
    name: 'Entra ID',
    issuer,
    client_id: 'tenantry',
    client_secret: 'secret',
  })),
  endpoint('PUT /connections/:id', 'sso:manage', () => ({ name: unique('c') })),
  endpoint('DELETE /connections/:id', 'sso:manage'),
  endpoint('POST /connections/:id/test', 'sso:manage'),
  endpoint('GET /connections/:id/attempts', 'sso:read'),
  endpoint('DELETE /users/:id/sso', 'sso:manage'),
  endpoint('GET /setup-links', 'sso:read'),
  endpoint('POST /setup-links', 'sso:manage', () => ({
    email: `${unique('it')}@example.com`,
    parts: ['connection'],
  })),
  endpoint('DELETE /setup-links/:id', 'sso:manage'),
  endpoint('POST /setup/directory', 'guest'),
  endpoint('POST /setup/open', 'nobody', ({ setup }) => ({ token: setup?.token ?? 'unknown' })),
  endpoint('POST /setup/enter', 'nobody', ({ setup }) => ({
    token: setup?.token ?? 'unknown',
    challenge: setup?.challenge ?? 'unknown',
    code: setup?.code ?? '000000',
  })),
  endpoint('GET /sso-exemptions', 'sso:read'),
  endpoint('GET /sso-exemptions/effect', 'sso:read'),
  endpoint('PUT /users/:id/sso-exemption', 'sso:manage', () => ({ exempt: false })),
  endpoint('GET /providers', 'provider:read'),
  endpoint('GET /providers/:id', 'provider:read'),
  endpoint('POST /providers', 'provider:manage', () => ({
    kind: 'google',
    slug: unique('p'),
    name: 'Google',
    client_id: 'tenantry',
    client_secret: 'secret',
  })),
  endpoint('PUT /providers/:id', 'provider:manage', () => ({ name: unique('p') })),
  endpoint('DELETE /providers/:id', 'provider:manage'),
  endpoint('POST /providers/:id/test', 'provider:manage'),
  endpoint('GET /webhooks', 'webhook:read'),
  endpoint('POST /webhooks', 'webhook:manage', () => ({ url: 'http://127.0.0.1:9', events: ['*'] })),
  endpoint('GET /webhooks/:id', 'webhook:read'),
  endpoint('PUT /webhooks/:id', 'webhook:manage', () => ({ description: unique() })),
  endpoint('DELETE /webhooks/:id', 'webhook:manage'),
  endpoint('POST /webhooks/:id/secret', 'webhook:manage', () => ({})),
  endpoint('POST /webhooks/:id/test', 'webhook:manage'),
  endpoint('GET /webhooks/:id/deliveries', 'webhook:read'),
  endpoint('GET /webhooks/:id/deliveries/:deliveryId', 'webhook:read'),
  endpoint('POST /webhooks/:id/deliveries/:deliveryId/resend', 'webhook:manage'),
  endpoint('POST /webhooks/:id/replay/preview', 'webhook:manage', () => ({
    from: '2026-01-01T00:00:00Z',
  })),
  endpoint('POST /webhooks/:id/replay', 'webhook:manage', () => ({
    from: '2026-01-01T00:00:00Z',
  })),

  endpoint('GET /org/tenants', 'tenant:read'),
  endpoint('POST /org/tenants', 'tenant:create', () => ({ name: 'New', slug: unique('t') })),
  endpoint('GET /org/tenants/:id', 'caller'),
  endpoint('PUT /org/tenants/:id', 'tenant:update', () => ({ name: 'Renamed' })),
  endpoint('DELETE /org/tenants/:id', 'tenant:delete'),
  endpoint('GET /org/usage', 'caller'),
  endpoint('GET /org/usage/tenants', 'tenant:read'),

  endpoint('GET /rbac/permissions', 'role:read'),
  endpoint('POST /rbac/permissions', 'catalogue:manage', () => ({
    code: `${unique('m')}:read`,
    name: 'Read',
  })),
  endpoint('PUT /rbac/permissions/:id', 'catalogue:manage', () => ({ name: 'Look' })),
  endpoint('DELETE /rbac/permissions/:id', 'catalogue:manage'),
  endpoint('GET /rbac/role-templates', 'role:read'),
  endpoint('POST /rbac/role-templates', 'catalogue:manage', () => ({ name: unique('role') })),
  endpoint('PUT /rbac/role-templates/:id', 'catalogue:manage', () => ({
    name: unique('role'),
  })),
  endpoint('DELETE /rbac/role-templates/:id', 'catalogue:manage'),
  endpoint('GET /applications', 'application:read'),
  endpoint('POST /applications', 'application:manage', () => ({
    name: unique(),
    kind: 'web',
    redirect_uris: ['https://shop.example.com/callback'],
  })),
  endpoint('GET /applications/:id', 'application:read'),
  endpoint('PUT /applications/:id', 'application:manage', () => ({ name: unique() })),
  endpoint('DELETE /applications/:id', 'application:manage'),
  endpoint('POST /applications/:id/secrets', 'application:manage', () => ({})),
  endpoint('DELETE /applications/:id/secrets/:secretId', 'application:manage'),
  endpoint('GET /resources', 'application:read'),
  endpoint('POST /resources', 'application:manage', ({ permissionId }) => ({
    identifier: `https://${unique('r')}.example.com`,
    name: 'Any',
    permission_ids: [permissionId],
  })),
  endpoint('PUT /resources/:id', 'application:manage', () => ({ name: unique() })),
  endpoint('DELETE /resources/:id', 'application:manage'),
  endpoint('GET /auth/grants', 'account'),
  endpoint('DELETE /auth/grants/:id', 'account'),
  endpoint('GET /grants', 'grant:read'),
  endpoint('DELETE /grants/:id', 'grant:revoke'),

  endpoint('GET /rbac/roles', 'role:read'),
  endpoint('POST /rbac/roles', 'role:create', () => ({ name: unique('role') })),
  endpoint('GET /rbac/roles/:id', 'role:read'),
  endpoint('PUT /rbac/roles/:id', 'role:update', () => ({ name: unique('role') })),
  endpoint('DELETE /rbac/roles/:id', 'role:delete'),
  endpoint('GET /rbac/roles/:id/permissions', 'role:read'),
  endpoint('PUT /rbac/roles/:id/permissions', 'role:update', () => ({ permission_ids: [] })),
  // Beyond the specification: the holders of a role.
  endpoint('GET /rbac/roles/:id/users', 'role:read'),
  endpoint('POST /rbac/roles/:id/users', 'role:assign', ({ userId }) => ({ user_ids: [userId], held: true })),
  endpoint('GET /rbac/users/:userId/roles', 'caller'),
  endpoint('POST /rbac/users/:userId/roles', 'role:assign', ({ roleId }) => ({
    role_id: roleId,
  })),
  endpoint('DELETE /rbac/users/:userId/roles/:roleId', 'role:assign'),
  endpoint('PUT /rbac/users/:userId/roles/:roleId', 'role:assign', () => ({ expires_at: null })),
  endpoint('GET /rbac/assignments', 'caller'),
  endpoint('GET /rbac/users/:userId/eligible-roles', 'caller'),
  endpoint('POST /rbac/users/:userId/eligible-roles', 'role:assign', ({ roleId }) => ({
    role_id: roleId,
    max_minutes: 60,
  })),
  endpoint('DELETE /rbac/users/:userId/eligible-roles/:roleId', 'role:assign'),
  endpoint('GET /elevations', 'caller'),
  endpoint('POST /elevations', 'user', ({ roleId }) => ({ role_id: roleId, minutes: 5, reason: 'A ticket' })),
  endpoint('DELETE /elevations/:id', 'user'),
  endpoint('GET /support/sessions', 'user'),
  endpoint('GET /support/sessions/:id', 'user'),
  endpoint('POST /support/sessions', 'user', ({ userId }) => ({
    user_id: userId,
    kind: 'view',
    reason: 'A ticket',
    minutes: 5,
  })),
  endpoint('POST /support/sessions/:id/decide', 'user', () => ({ allow: true })),
  endpoint('POST /support/sessions/:id/token', 'user'),
  endpoint('POST /support/sessions/:id/code', 'user', ({ applicationId = 1 }) => ({
    application_id: applicationId,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  })),
  endpoint('DELETE /support/sessions/:id', 'suspendedAccount'),

  endpoint('GET /approval-policies', 'approval:read'),
  endpoint('PUT /approval-policies/:operation', 'approval:manage', () => ({ approvals: 1 })),
  endpoint('DELETE /approval-policies/:operation', 'approval:manage'),
  endpoint('GET /approvals', 'caller'),
  endpoint('POST /approvals', 'caller', () => ({
    method: 'DELETE',
    path: '/webhooks/1',
    reason: 'A ticket',
  })),
  endpoint('GET /approvals/:id', 'caller'),
  endpoint('POST /approvals/:id/decide', 'approval:decide', () => ({
    approve: true,
    digest: '0'.repeat(64),
  })),
  endpoint('DELETE /approvals/:id', 'caller'),

  endpoint('GET /reviews', 'caller'),
  endpoint('POST /reviews', 'review:manage', ({ userId }) => ({
    name: 'First quarter',
    kinds: ['roles'],
    reviewer_ids: [userId],
    due_at: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  })),
  endpoint('GET /reviews/:id', 'caller'),
  endpoint('GET /reviews/:id/items', 'caller'),
  endpoint('GET /reviews/:id/report', 'caller'),
  endpoint('POST /reviews/:id/close', 'review:manage'),
  endpoint('POST /reviews/:id/decide', 'user', ({ itemId = nobodysId }) => ({
    item_ids: [itemId],
    decision: 'keep',
  })),

  endpoint('GET /authz/permissions', 'caller'),
  endpoint('POST /authz/check', 'caller', ({ userId }) => ({
    permissions: ['user:read', 'audit:read'],
    user_id: userId,
  })),
  endpoint('POST /authz/explain', 'role:read', ({ userId }) => ({
    user_id: userId,
    permission: 'user:read',
  })),
  endpoint('POST /authz/preview', 'role:read', ({ userId, roleId }) => ({
    changes: [{ kind: 'assign_role', user_id: userId, role_id: roleId }],
  })),

  endpoint('GET /audit/logs', 'audit:read'),
  // Beyond the specification: one record by its id, and the export.
  endpoint('GET /audit/logs/:id', 'audit:read'),
  endpoint('GET /audit/export', 'audit:read'),

  // Beyond the specification: a stream, which has no end.
  endpoint('GET /events/stream', 'caller'),

  endpoint('GET /settings', 'setting:read'),
  endpoint('GET /settings/global/:key', 'setting:read'),
  endpoint('PUT /settings/global/:key', 'setting:global', () => ({ value: 1 })),
  // Beyond the specification.
  endpoint('DELETE /settings/global/:key', 'setting:global'),
  endpoint('GET /settings/tenant', 'setting:read'),
  endpoint('GET /settings/tenant/:key', 'setting:read'),
  endpoint('PUT /settings/tenant/:key', 'setting:update', () => ({ value: 1 })),
  endpoint('DELETE /settings/tenant/:key', 'setting:delete'),
  endpoint('GET /settings/definitions', 'setting:read'),
  endpoint('PUT /settings/definitions/:key', 'setting:declare', () => ({
    schema: {},
    scopes: ['global', 'tenant', 'user'],
  })),
  endpoint('DELETE /settings/definitions/:key', 'setting:declare'),
  endpoint('PUT /settings/global/:key/lock', 'setting:global'),
  endpoint('GET /attributes', 'caller'),
  endpoint('PUT /attributes/:subject/:key', 'attribute:declare', () => ({ schema: { type: 'string' } })),
  endpoint('DELETE /attributes/:subject/:key', 'attribute:declare'),
  endpoint('GET /users/:id/attributes', 'user:read'),
  endpoint('PATCH /users/:id/attributes', 'user:update', () => ({})),
  endpoint('GET /profile/attributes', 'account'),
  endpoint('PATCH /profile/attributes', 'account', () => ({})),
  endpoint('GET /org/tenants/:id/attributes', 'caller'),
  endpoint('PATCH /org/tenants/:id/attributes', 'caller', () => ({})),
  endpoint('DELETE /settings/global/:key/lock', 'setting:global'),
  endpoint('GET /settings/global/:key/history', 'setting:global'),
  endpoint('POST /settings/global/:key/revert', 'setting:global', () => ({ version: 1 })),
  endpoint('GET /settings/tenant/:key/history', 'setting:read'),
  endpoint('POST /settings/tenant/:key/revert', 'setting:update', () => ({ version: 1 })),
  endpoint('GET /settings/effective', 'caller'),
  endpoint('GET /settings/effective/:key', 'caller'),
  endpoint('POST /settings/secrets/read', 'setting:secret', () => ({ keys: ['color'] })),
  endpoint('GET /settings/user/:key', 'user'),
  endpoint('PUT /settings/user/:key', 'user', () => ({ value: 1 })),
  endpoint('DELETE /settings/user/:key', 'user'),
  endpoint('GET /settings/users/:id/:key', 'setting:read'),
  endpoint('PUT /settings/users/:id/:key', 'setting:update', () => ({ value: 1 })),
  endpoint('DELETE /settings/users/:id/:key', 'setting:delete'),

  // Beyond the specification: feature flags.
  endpoint('GET /flags', 'flag:read'),
  endpoint('POST /flags', 'flag:manage', () => newFlag(unique('flag'))),
  endpoint('GET /flags/:key', 'flag:read'),
  endpoint('PUT /flags/:key', 'flag:manage', () => ({ description: unique() })),
  endpoint('DELETE /flags/:key', 'flag:manage'),
  endpoint('POST /flags/:key/explain', 'flag:read', () => ({
    context: { targetingKey: 'ada' },
  })),
  endpoint('GET /flags/:key/tenants', 'flag:read'),
  endpoint('PUT /flags/:key/tenants/:tenantId', 'flag:manage', () => ({ variant: 'on' })),
  endpoint('DELETE /flags/:key/tenants/:tenantId', 'flag:manage'),

  endpoint('POST /notifications', 'notification:send', ({ userId }) => ({
    user_id: userId,
    title: 'Hello',
  })),
  // Beyond the specification: broadcasts, and what the caller has sent.
  endpoint('GET /notifications/sent', 'notification:send'),
  endpoint('POST /notifications/broadcasts', 'notification:send', () => ({ title: 'Hello' })),
  endpoint('POST /notifications/broadcasts/:id/batches', 'notification:send'),
  endpoint('GET /notifications/:id', 'caller'),
  endpoint('DELETE /notifications/:id', 'caller'),
  endpoint('GET /notifications/user/:userId', 'caller'),
  endpoint('PUT /notifications/:id/read', 'user'),
  endpoint('PUT /notifications/read-all', 'user'),
  endpoint('GET /notifications/unread-count', 'user'),

  endpoint('GET /dashboard/stats', 'dashboard:read'),
  // Beyond the specification: sign-ups and active users by day.
  endpoint('GET /dashboard/activity', 'dashboard:read'),
  endpoint('GET /portal', 'user'),
  endpoint('GET /ping', 'caller'),
  endpoint('GET //ping', 'caller'),
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
  'POST //oauth2/interactions/:id/email-code',
  'POST //oauth2/interactions/:id/proof',
  'POST //oauth2/interactions/:id/register',
  'POST //oauth2/interactions/:id/sign-up',
  'POST //oauth2/interactions/:id/enrol',
  'POST //oauth2/interactions/:id/enrol/confirm',
  'POST //oauth2/interactions/:id/new-password',
  'POST //oauth2/interactions/:id/skip',
  'POST //oauth2/interactions/:id/verification',
  'POST //oauth2/interactions/:id/email',
  'POST //oauth2/interactions/:id/tenant',
  'POST //oauth2/interactions/:id/consent',
  'POST //oauth2/interactions/:id/cancel',
  'POST //oauth2/verify-email',
  'POST //oauth2/way-back',
  'POST //oauth2/look',
  'GET //oauth2/links/reader',
  'POST //oauth2/links/interaction',
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
