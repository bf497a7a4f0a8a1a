/** The endpoints of the service API, with the statuses it declares, who may call them, and a body that is well. */
import { password, unique } from './factories.ts'

export interface Endpoint {
  /** Method and path, as in the specification; what stands at the host root starts with `//`. */
  name: string
  method: string
  path: string
  /** A permission; `caller`: whoever is signed in; `nobody`: no token is needed. */
  caller: string
  /** Declared in the specification, and by the contract ("Also with the envelope"). */
  statuses: number[]
  body?: ((known: Known) => unknown) | undefined
}

/** What a body can refer to. */
interface Known {
  userId: number
  roleId: number
  email?: string
  refreshToken?: string
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

export const endpoints: Endpoint[] = [
  // Ours: what a page before the sign-in has to know.
  publicly('GET /auth/registration', [200, 400]),
  publicly('POST /auth/register', [200, 400, 403, 409], account),
  publicly('POST /auth/login', [200, 400, 401], ({ email }) => ({ email, password })),
  publicly('POST /auth/refresh', [200, 400, 401], ({ refreshToken }) => ({ refresh_token: refreshToken })),
  bound('POST /password', 'caller', [200, 400], () => ({ old_password: password, new_password: password })),
  bound('GET /profile', 'caller', [200, 404]),

  bound('GET /users', 'user:read', [200, 400]),
  bound('POST /users', 'user:create', [200, 400, 409], account),
  bound('GET /users/:id', 'user:read', [200, 400, 404]),
  bound('PUT /users/:id', 'user:update', [200, 400, 404, 409], () => ({ nickname: 'Ada' })),
  bound('DELETE /users/:id', 'user:delete', [200, 400, 404]),

  bound('GET /org/tenants', 'tenant:read', [200]),
  bound('POST /org/tenants', 'tenant:create', [200, 400, 409], () => ({ name: 'New', slug: unique('t') })),
  bound('GET /org/tenants/:id', 'caller', [200, 400, 404]),
  bound('PUT /org/tenants/:id', 'tenant:update', [200, 400, 404, 409], () => ({ name: 'Renamed' })),
  bound('DELETE /org/tenants/:id', 'tenant:delete', [200, 400, 404]),

  bound('GET /rbac/permissions', 'role:read', [200, 400]),
  bound('GET /rbac/roles', 'role:read', [200, 400]),
  bound('POST /rbac/roles', 'role:create', [200, 400, 409], () => ({ name: unique('role') })),
  bound('GET /rbac/roles/:id', 'role:read', [200, 400, 404]),
  bound('PUT /rbac/roles/:id', 'role:update', [200, 400, 404, 409], () => ({ name: unique('role') })),
  bound('DELETE /rbac/roles/:id', 'role:delete', [200, 400, 404]),
  bound('GET /rbac/roles/:id/permissions', 'role:read', [200, 400, 404]),
  bound('PUT /rbac/roles/:id/permissions', 'role:update', [200, 400, 404], () => ({ permission_ids: [] })),
  // Ours: who holds a role.
  bound('GET /rbac/roles/:id/users', 'role:read', [200, 400, 404]),
  bound('GET /rbac/users/:userId/roles', 'caller', [200, 400, 404]),
  bound('POST /rbac/users/:userId/roles', 'role:assign', [200, 400, 404, 409], ({ roleId }) => ({
    role_id: roleId,
  })),
  bound('DELETE /rbac/users/:userId/roles/:roleId', 'role:assign', [200, 400, 404]),

  bound('GET /audit/logs', 'audit:read', [200, 400]),
  // Ours: one record by its id, and the export.
  bound('GET /audit/logs/:id', 'audit:read', [200, 400, 404]),
  bound('GET /audit/export', 'audit:read', [200, 400]),

  bound('GET /settings', 'setting:read', [200]),
  bound('GET /settings/global/:key', 'setting:read', [200, 400, 404]),
  bound('PUT /settings/global/:key', 'setting:global', [200, 400], () => ({ value: 1 })),
  bound('GET /settings/tenant', 'setting:read', [200]),
  bound('GET /settings/tenant/:key', 'setting:read', [200, 400, 404]),
  bound('PUT /settings/tenant/:key', 'setting:update', [200, 400], () => ({ value: 1 })),
  bound('DELETE /settings/tenant/:key', 'setting:delete', [200, 400, 404]),

  bound('POST /notifications', 'notification:send', [200, 400, 404], ({ userId }) => ({
    user_id: userId,
    title: 'Hello',
  })),
  bound('GET /notifications/:id', 'caller', [200, 400, 404]),
  bound('DELETE /notifications/:id', 'caller', [200, 400, 404]),
  bound('GET /notifications/user/:userId', 'caller', [200, 400, 404]),
  bound('PUT /notifications/:id/read', 'caller', [200, 400, 404]),
  bound('PUT /notifications/read-all', 'caller', [200, 400]),
  bound('GET /notifications/unread-count', 'caller', [200, 400]),

  bound('GET /dashboard/stats', 'dashboard:read', [200]),
  // Ours: sign-ups and active users by day.
  bound('GET /dashboard/activity', 'dashboard:read', [200, 400]),
  bound('GET /ping', 'caller', [200]),
  bound('GET //ping', 'caller', [200]),
]

/** What is answered without a token, besides the endpoints above. */
export const open: string[] = [
  'GET //.well-known/jwks.json',
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
