/**
 * The catalogue of permissions (contract: Roles and permissions). To add one, add a line: it is written to the
 * database at the next start, and given to the system roles that hold it by rule. Ids are public: never reuse one.
 */
export const permissions = [
  { id: 1, code: 'user:read', name: 'View users', description: 'List the users of the tenant and read one' },
  { id: 2, code: 'user:create', name: 'Create users', description: 'Create users in the tenant' },
  { id: 3, code: 'user:update', name: 'Edit users', description: 'Change, enable and disable users' },
  { id: 4, code: 'user:delete', name: 'Delete users', description: 'Delete users of the tenant' },
  { id: 5, code: 'tenant:read', name: 'View tenants', description: 'List all tenants and read one' },
  { id: 6, code: 'tenant:create', name: 'Create tenants', description: 'Create tenants' },
  { id: 7, code: 'tenant:update', name: 'Edit tenants', description: 'Rename, enable and disable tenants' },
  { id: 8, code: 'tenant:delete', name: 'Delete tenants', description: 'Delete a tenant and all its data' },
  { id: 9, code: 'role:read', name: 'View roles', description: 'Read roles, their permissions and holders' },
  { id: 10, code: 'role:create', name: 'Create roles', description: 'Create roles in the tenant' },
  {
    id: 11,
    code: 'role:update',
    name: 'Edit roles',
    description: 'Rename roles and replace their permissions',
  },
  {
    id: 12,
    code: 'role:delete',
    name: 'Delete roles',
    description: 'Delete roles that are not system roles',
  },
  {
    id: 13,
    code: 'role:assign',
    name: 'Assign roles',
    description: 'Give roles to users and take them away',
  },
  {
    id: 14,
    code: 'audit:read',
    name: 'View the audit log',
    description: 'Query the audit log of the tenant',
  },
  {
    id: 15,
    code: 'setting:read',
    name: 'View settings',
    description: 'Read global settings and the tenant’s own',
  },
  { id: 16, code: 'setting:update', name: 'Edit settings', description: 'Set settings of the tenant' },
  { id: 17, code: 'setting:delete', name: 'Delete settings', description: 'Delete settings of the tenant' },
  {
    id: 18,
    code: 'setting:global',
    name: 'Edit global settings',
    description: 'Set settings for all tenants',
  },
  {
    id: 19,
    code: 'notification:send',
    name: 'Send notifications',
    description: 'Notify users of the tenant',
  },
  {
    id: 20,
    code: 'notification:read',
    name: 'View notifications',
    description: 'Read other users’ notifications',
  },
  {
    id: 21,
    code: 'notification:delete',
    name: 'Delete notifications',
    description: 'Delete other users’ notifications',
  },
  {
    id: 22,
    code: 'dashboard:read',
    name: 'View the dashboard',
    description: 'Read the statistics of the tenant',
  },
] as const

export type PermissionCode = (typeof permissions)[number]['code']

/** What a signed-in route needs: a permission, or `caller` for what acts only on the caller or decides by itself. */
export type Allow = PermissionCode | 'caller'

/** Permissions about the installation as a whole: only roles of the built-in tenant can hold them. */
const platformOnlyCodes: ReadonlySet<PermissionCode> = new Set([
  'tenant:read',
  'tenant:create',
  'tenant:update',
  'tenant:delete',
  'setting:global',
])

export const isPlatformOnly = (code: PermissionCode): boolean => platformOnlyCodes.has(code)

/** The part of a code before the colon groups it; roles' permissions are about `rbac` (contract: table of codes). */
export const moduleOf = (code: PermissionCode): string => {
  const prefix = code.slice(0, code.indexOf(':'))
  return prefix === 'role' ? 'rbac' : prefix
}

/** The role whose holders administer the installation; it exists in the built-in tenant alone. */
export const platformAdminRole = 'platform-admin'
/** The role a registered or created user starts with. */
export const startingRole = 'member'

interface SystemRole {
  name: string
  description: string
  platformOnly: boolean
  holds: (code: PermissionCode) => boolean
}

/** Roles that exist in every tenant (`platformOnly`: in the built-in one) and that nobody can change. */
export const systemRoles: readonly SystemRole[] = [
  {
    name: platformAdminRole,
    description: 'Administers the installation: every permission in every tenant',
    platformOnly: true,
    holds: () => true,
  },
  {
    name: 'admin',
    description: 'Administers the tenant: every permission within it',
    platformOnly: false,
    holds: (code) => !isPlatformOnly(code),
  },
  {
    name: 'viewer',
    description: 'Reads everything in the tenant',
    platformOnly: false,
    holds: (code) => !isPlatformOnly(code) && code.endsWith(':read'),
  },
  {
    name: startingRole,
    description: 'What every user starts with',
    platformOnly: false,
    holds: (code) => code === 'dashboard:read',
  },
]

/** The built-in tenant: platform administrators live here, and open registration joins it. */
export const builtInTenant = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Default',
  slug: 'default',
} as const
