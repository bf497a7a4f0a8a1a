import { randomUUID } from 'node:crypto'
import { patiently } from '../../attack.ts'
import type { Answer, Session } from '../../../lab/client.ts'
import { idsOf, type Stage } from './stage.ts'

/** An attempt, and the statuses that may refuse it. */
export interface Door {
  what: string
  expected: number[]
  open: () => Promise<Answer>
}

interface Attempt {
  by: Session
  method: string
  path: string
  body?: unknown
  tenant?: string
}

const refused = (expected: number[], { by, method, path, body, tenant }: Attempt): Door => ({
  what: `${method} ${path} ${JSON.stringify(body) ?? ''}`,
  expected,
  open: () => patiently(() => by.call(method, path, body, tenant === undefined ? {} : { tenant })),
})

const clerkLacks = [
  'setting:read',
  'setting:update',
  'setting:delete',
  'audit:read',
  'notification:send',
  'notification:read',
  'notification:delete',
  'sso:read',
  'sso:manage',
  'scim:provision',
]

/** Attempts to give permissions that the caller does not hold. */
const granting = ({
  clerk,
  clerkRole,
  emptyRole,
  higherRole,
  adminRole,
  member,
  permissions,
}: Stage): Door[] => {
  const by = clerk
  const replacing = [clerkRole, emptyRole].flatMap((role) =>
    [...clerkLacks.map((code) => [code]), ['user:read', 'audit:read'], clerkLacks].map((codes) =>
      refused([403], {
        by,
        method: 'PUT',
        path: `/rbac/roles/${role}/permissions`,
        body: { permission_ids: idsOf(permissions, codes) },
      }),
    ),
  )
  const assigning = [clerk, member].flatMap(({ userId }) =>
    [adminRole, higherRole].map((role) =>
      refused([403], { by, method: 'POST', path: `/rbac/users/${userId}/roles`, body: { role_id: role } }),
    ),
  )
  const inviting = [adminRole, higherRole].map((role) =>
    refused([403], {
      by,
      method: 'POST',
      path: '/invitations',
      body: { email: 'invited.higher@example.com', role_ids: [role] },
    }),
  )
  return [...replacing, ...assigning, ...inviting]
}

/** Attempts on users and roles above the caller. */
const rising = ({ clerk, admin, adminRole, higherRole, root }: Stage): Door[] => {
  const bodies = [
    { status: 0 },
    { status: 1, nickname: 'x' },
    { email: 'taken.over@example.com' },
    { nickname: 'x' },
  ]
  const role = `/rbac/roles/${higherRole}`
  const attempts: Omit<Attempt, 'by'>[] = [
    ...bodies.map((body) => ({ method: 'PUT', path: `/users/${admin.userId}`, body })),
    { method: 'DELETE', path: `/users/${admin.userId}` },
    { method: 'DELETE', path: `/users/${admin.userId}/sessions` },
    { method: 'DELETE', path: `/users/${admin.userId}/factors` },
    { method: 'DELETE', path: `/users/${admin.userId}/factors/${randomUUID()}` },
    { method: 'POST', path: `/users/${admin.userId}/password-reset` },
    { method: 'DELETE', path: `/rbac/users/${admin.userId}/roles/${adminRole}` },
    { method: 'PUT', path: role, body: { name: 'mine' } },
    { method: 'PUT', path: role, body: { description: 'mine' } },
    { method: 'DELETE', path: role },
    { method: 'PUT', path: `${role}/permissions`, body: { permission_ids: [] } },
  ]
  const absent = [
    { method: 'DELETE', path: `/users/${root.userId}` },
    { method: 'DELETE', path: `/users/${root.userId}/sessions` },
    { method: 'PUT', path: `/users/${root.userId}`, body: { status: 0 } },
  ]
  return [
    ...attempts.map((one) => refused([403], { by: clerk, ...one })),
    ...absent.map((one) => refused([404], { by: clerk, ...one })),
  ]
}

/** Attempts to change sign-in, which would make the caller any user of the tenant. */
const signIn = ({ gatekeeper: by, admin }: Stage): Door[] => [
  refused([403], { by, method: 'PUT', path: `/users/${by.userId}/sso-exemption`, body: { exempt: true } }),
  refused([403], { by, method: 'DELETE', path: `/users/${admin.userId}/sso` }),
  refused([403], { by, method: 'POST', path: '/domains', body: { domain: 'taken.example.com' } }),
  refused([403], {
    by,
    method: 'POST',
    path: '/connections',
    body: {
      type: 'oidc',
      name: 'Mine',
      issuer: 'https://login.example.com',
      client_id: 'mine',
      client_secret: 'mine',
    },
  }),
]

const systemRoles = ({ admin, root, tenant, adminRole, permissions }: Stage): Door[] =>
  [admin, root].flatMap((by) => {
    const path = `/rbac/roles/${adminRole}`
    const all = { permission_ids: idsOf(permissions, ['user:read']) }
    return [
      refused([403], { by, tenant, method: 'DELETE', path }),
      refused([403], { by, tenant, method: 'PUT', path, body: { name: 'other' } }),
      refused([403], { by, tenant, method: 'PUT', path, body: { description: 'other' } }),
      refused([403], { by, tenant, method: 'PUT', path: `${path}/permissions`, body: all }),
      refused([403], {
        by,
        tenant,
        method: 'PUT',
        path: `${path}/permissions`,
        body: { permission_ids: [] },
      }),
    ]
  })

const platformOnly = [
  'tenant:read',
  'tenant:create',
  'tenant:update',
  'tenant:delete',
  'tenant:enter',
  'setting:global',
  'setting:declare',
  'setting:secret',
  'flag:read',
  'flag:manage',
  'flag:evaluate',
  'catalogue:manage',
]

/**
 * Only the built-in tenant holds permissions about the installation, even when a platform administrator assigns them.
 */
const platformPermissions = ({
  admin,
  root,
  tenant,
  emptyRole,
  member,
  platformRole,
  permissions,
}: Stage): Door[] =>
  [admin, root].flatMap((by) => [
    ...platformOnly.map((code) =>
      refused([400], {
        by,
        tenant,
        method: 'PUT',
        path: `/rbac/roles/${emptyRole}/permissions`,
        body: { permission_ids: idsOf(permissions, [code]) },
      }),
    ),
    refused([400], {
      by,
      tenant,
      method: 'PUT',
      path: `/rbac/roles/${emptyRole}/permissions`,
      body: { permission_ids: [...permissions.values()] },
    }),
    refused([400], {
      by,
      tenant,
      method: 'PUT',
      path: `/rbac/roles/${emptyRole}/permissions`,
      body: { permission_ids: [1_000_000] },
    }),
    refused([404], {
      by,
      tenant,
      method: 'POST',
      path: `/rbac/users/${member.userId}/roles`,
      body: { role_id: platformRole },
    }),
    refused([404], { by, tenant, method: 'DELETE', path: `/rbac/roles/${platformRole}` }),
  ])

/** Attempts to enter a tenant by its header. */
const headerScope = ({ admin, clerk, builtIn, otherTenant, platformRole, root, adminRole }: Stage): Door[] =>
  [admin, clerk].flatMap((by) =>
    [builtIn, otherTenant].flatMap((tenant) => [
      refused([403], {
        by,
        tenant,
        method: 'POST',
        path: `/rbac/users/${by.userId}/roles`,
        body: { role_id: platformRole },
      }),
      refused([403], {
        by,
        tenant,
        method: 'POST',
        path: `/rbac/users/${by.userId}/roles`,
        body: { role_id: adminRole },
      }),
      refused([403], { by, tenant, method: 'PUT', path: `/users/${root.userId}`, body: { status: 0 } }),
      refused([403], { by, tenant, method: 'DELETE', path: `/users/${root.userId}` }),
      refused([403], { by, tenant, method: 'POST', path: '/rbac/roles', body: { name: 'mine' } }),
      refused([403], { by, tenant, method: 'GET', path: '/users' }),
    ]),
  )

const oneself = ({ admin, clerk }: Stage): Door[] =>
  [admin, clerk].flatMap((by) => [
    refused([400], { by, method: 'DELETE', path: `/users/${by.userId}` }),
    refused([400], { by, method: 'PUT', path: `/users/${by.userId}`, body: { status: 0 } }),
  ])

/** Only the platform administers tenants: an administrator of a tenant cannot change even that tenant. */
const tenants = ({ admin, clerk, tenant, otherTenant, builtIn }: Stage): Door[] =>
  [admin, clerk].flatMap((by) => [
    refused([403], { by, method: 'GET', path: '/org/tenants' }),
    refused([403], { by, method: 'POST', path: '/org/tenants', body: { name: 'Mine', slug: 'mine' } }),
    ...[tenant, otherTenant, builtIn].flatMap((id) => [
      refused([403], { by, method: 'PUT', path: `/org/tenants/${id}`, body: { name: 'Mine' } }),
      refused([403], { by, method: 'DELETE', path: `/org/tenants/${id}` }),
    ]),
    refused([403], { by, method: 'PUT', path: '/settings/global/prove.mine', body: { value: 1 } }),
  ])

/** Maps each promise to the attempts that would break it. */
export const doors = (stage: Stage): Record<string, Door[]> => ({
  'no caller gives a permission that the caller does not hold': granting(stage),
  'no caller acts on a user or a role above the caller': rising(stage),
  'nobody decides who signs in without all permissions of the tenant': signIn(stage),
  'no caller changes or deletes a system role': systemRoles(stage),
  'only the built-in tenant holds platform permissions': platformPermissions(stage),
  'a tenant header gives access to no other tenant': headerScope(stage),
  'no caller deletes or disables their own account': oneself(stage),
  'an administrator of a tenant cannot administer tenants': tenants(stage),
})
