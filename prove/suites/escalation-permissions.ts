/**
 * What each operation asks for by the contract (Roles and permissions), written down here a second time on purpose: the
 * service's own document is made from what the service does, so the two agree also when both are wrong.
 */
const groups: Record<string, string[]> = {
  caller: [
    'POST /password',
    'GET /profile',
    'GET /ping',
    'GET /org/tenants/{id}',
    'GET /rbac/users/{userId}/roles',
    'GET /notifications/{id}',
    'DELETE /notifications/{id}',
    'GET /notifications/user/{userId}',
    'PUT /notifications/{id}/read',
    'PUT /notifications/read-all',
    'GET /notifications/unread-count',
  ],
  'user:read': ['GET /users', 'GET /users/{id}'],
  'user:create': ['POST /users'],
  'user:update': ['PUT /users/{id}'],
  'user:delete': ['DELETE /users/{id}'],
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
  'setting:global': ['PUT /settings/global/{key}'],
  'notification:send': ['POST /notifications'],
  'dashboard:read': ['GET /dashboard/stats', 'GET /dashboard/activity'],
}

const wanted = new Map(
  Object.entries(groups).flatMap(([permission, all]) => all.map((one) => [one, permission])),
)

/** What the contract has an operation ask for; undefined for one that nobody has written down here. */
export const contractPermission = ({ method, path }: { method: string; path: string }): string | undefined =>
  wanted.get(`${method} ${path.replace(/^\/api\/v1/, '')}`)
