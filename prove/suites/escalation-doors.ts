import { patiently } from '../attack.ts'
import type { Answer, Session } from '../client.ts'
import { idsOf, type Stage } from './escalation-stage.ts'

/** An attempt, and the statuses with which it may be refused. */
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
]

/** Nobody hands out what they do not hold. */
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
  return [...replacing, ...assigning]
}

/** Nobody acts on what stands above them. */
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
    { method: 'DELETE', path: `/rbac/users/${admin.userId}/roles/${adminRole}` },
    { method: 'PUT', path: role, body: { name: 'mine' } },
    { method: 'PUT', path: role, body: { description: 'mine' } },
    { method: 'DELETE', path: role },
    { method: 'PUT', path: `${role}/permissions`, body: { permission_ids: [] } },
  ]
  const absent = [
    { method: 'DELETE', path: `/users/${root.userId}` },
    { method: 'PUT', path: `/users/${root.userId}`, body: { status: 0 } },
  ]
  return [
    ...attempts.map((one) => refused([403], { by: clerk, ...one })),
    ...absent.map((one) => refused([404], { by: clerk, ...one })),
  ]
}

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

const platformOnly = ['tenant:read', 'tenant:create', 'tenant:update', 'tenant:delete', 'setting:global']

/** Permissions about the installation are held in the built-in tenant alone, whoever gives them. */
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

/** A header chooses no scope that its sender does not have. */
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

/** Administration of tenants belongs to the platform: an administrator of one cannot even change that one. */
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

/** Promises, and the attempts that would break them. */
export const doors = (stage: Stage): Record<string, Door[]> => ({
  'nobody hands out a permission they do not hold': granting(stage),
  'nobody acts on a user or a role above them': rising(stage),
  'a system role cannot be changed or deleted, by anyone': systemRoles(stage),
  'a platform-only permission exists in the built-in tenant alone': platformPermissions(stage),
  'a tenant header gives nobody a scope they do not have': headerScope(stage),
  'nobody deletes or disables themselves': oneself(stage),
  'an administrator of a tenant administers no tenants': tenants(stage),
})
