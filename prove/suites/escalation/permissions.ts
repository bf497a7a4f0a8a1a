/**
 * The permission that each operation needs (docs/contract.md, "Roles and permissions"). `caller` is open to users and
 * keys, `user` to users alone. This second copy is on purpose:
 * the service generates its own description, so both would agree on a mistake.
 */
const groups: Record<string, string[]> = {
  user: [
    'POST /password',
    'POST /auth/email',
    'POST /auth/email/verification',
    'POST /auth/email/verify',
    'GET /profile',
    'PUT /profile',
    'GET /auth/sessions',
    'DELETE /auth/sessions',
    'DELETE /auth/sessions/{id}',
    'POST /auth/logout',
    'GET /auth/memberships',
    'POST /auth/switch',
    'DELETE /auth/memberships/{tenantId}',
    'POST /auth/account/delete',
    'GET /auth/factors',
    'POST /auth/factors/totp',
    'POST /auth/factors/totp/{id}/confirm',
    'POST /auth/factors/passkey/options',
    'POST /auth/factors/passkey',
    'POST /auth/factors/{id}/remove',
    'POST /auth/factors/recovery-codes',
    'PUT /notifications/{id}/read',
    'PUT /notifications/read-all',
    'GET /notifications/unread-count',
  ],
  caller: [
    'GET /ping',
    'GET /org/tenants/{id}',
    'GET /rbac/users/{userId}/roles',
    'GET /authz/permissions',
    'POST /authz/check',
    'GET /notifications/{id}',
    'DELETE /notifications/{id}',
    'GET /notifications/user/{userId}',
  ],
  'user:read': ['GET /users', 'GET /users/{id}', 'GET /users/{id}/sessions', 'GET /invitations'],
  'user:create': [
    'POST /users',
    'POST /invitations',
    'POST /invitations/{id}/resend',
    'DELETE /invitations/{id}',
  ],
  'user:update': ['PUT /users/{id}', 'DELETE /users/{id}/sessions', 'DELETE /users/{id}/factors'],
  'user:delete': ['DELETE /users/{id}'],
  'service_account:read': [
    'GET /service-accounts',
    'GET /service-accounts/{id}',
    'GET /service-accounts/{id}/keys',
  ],
  'service_account:create': ['POST /service-accounts'],
  'service_account:update': [
    'PUT /service-accounts/{id}',
    'POST /service-accounts/{id}/keys',
    'DELETE /service-accounts/{id}/keys/{keyId}',
  ],
  'service_account:delete': ['DELETE /service-accounts/{id}'],
  'webhook:read': ['GET /webhooks', 'GET /webhooks/{id}', 'GET /webhooks/{id}/deliveries'],
  'webhook:manage': [
    'POST /webhooks',
    'PUT /webhooks/{id}',
    'DELETE /webhooks/{id}',
    'POST /webhooks/{id}/secret',
    'POST /webhooks/{id}/test',
    'POST /webhooks/{id}/replay',
  ],
  'tenant:read': ['GET /org/tenants'],
  'tenant:create': ['POST /org/tenants'],
  'tenant:update': ['PUT /org/tenants/{id}'],
  'tenant:delete': ['DELETE /org/tenants/{id}'],
  'role:read': [
    'GET /rbac/permissions',
    'GET /rbac/roles',
    'GET /rbac/roles/{id}',
    'GET /rbac/roles/{id}/permissions',
    'GET /rbac/roles/{id}/users',
    'GET /rbac/role-templates',
    'POST /authz/explain',
    'POST /authz/preview',
  ],
  'role:create': ['POST /rbac/roles'],
  'role:update': ['PUT /rbac/roles/{id}', 'PUT /rbac/roles/{id}/permissions'],
  'role:delete': ['DELETE /rbac/roles/{id}'],
  'role:assign': ['POST /rbac/users/{userId}/roles', 'DELETE /rbac/users/{userId}/roles/{roleId}'],
  'audit:read': ['GET /audit/logs', 'GET /audit/logs/{id}', 'GET /audit/export'],
  'setting:read': [
    'GET /settings',
    'GET /settings/global/{key}',
    'GET /settings/tenant',
    'GET /settings/tenant/{key}',
  ],
  'setting:update': ['PUT /settings/tenant/{key}'],
  'setting:delete': ['DELETE /settings/tenant/{key}'],
  'setting:global': ['PUT /settings/global/{key}', 'DELETE /settings/global/{key}'],
  'notification:send': [
    'POST /notifications',
    'GET /notifications/sent',
    'POST /notifications/broadcasts',
    'POST /notifications/broadcasts/{id}/batches',
  ],
  'catalogue:manage': [
    'POST /rbac/permissions',
    'PUT /rbac/permissions/{id}',
    'DELETE /rbac/permissions/{id}',
    'POST /rbac/role-templates',
    'PUT /rbac/role-templates/{id}',
    'DELETE /rbac/role-templates/{id}',
  ],
  'dashboard:read': ['GET /dashboard/stats', 'GET /dashboard/activity'],
}

const wanted = new Map(
  Object.entries(groups).flatMap(([permission, all]) => all.map((one) => [one, permission])),
)

/** Returns the permission that the contract names for an operation; undefined when this file lacks the operation. */
export const contractPermission = ({ method, path }: { method: string; path: string }): string | undefined =>
  wanted.get(`${method} ${path.replace(/^\/api\/v1/, '')}`)
