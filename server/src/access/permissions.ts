/**
 * The built-in part of the catalogue. A new permission is one line. The next start writes it to the database, and gives
 * it to the built-in templates that hold it by rule. Ids are public: never reuse one. Ids from 1000 belong to the
 * product.
 */
export const permissions = [
  { id: 1, code: 'user:read', name: 'View users', description: 'List the users of the tenant and read one' },
  { id: 2, code: 'user:create', name: 'Create users', description: 'Create users in the tenant' },
  { id: 3, code: 'user:update', name: 'Edit users', description: 'Edit, enable and disable users' },
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
    description: 'Assign roles to users, and remove them',
  },
  { id: 14, code: 'audit:read', name: 'View the audit log', description: 'Query the audit log' },
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
  { id: 22, code: 'dashboard:read', name: 'View the dashboard', description: 'Read the statistics' },
  {
    id: 23,
    code: 'tenant:enter',
    name: 'Enter tenants',
    description: 'Work in any tenant, with the permissions held at home',
  },
  {
    id: 24,
    code: 'catalogue:manage',
    name: 'Manage the catalogue',
    description: 'Create permissions of the product, and roles of every tenant',
  },
  {
    id: 25,
    code: 'service_account:read',
    name: 'View service accounts',
    description: 'List service accounts and their keys',
  },
  {
    id: 26,
    code: 'service_account:create',
    name: 'Create service accounts',
    description: 'Create service accounts in the tenant',
  },
  {
    id: 27,
    code: 'service_account:update',
    name: 'Edit service accounts',
    description: 'Edit service accounts, create and revoke their keys',
  },
  {
    id: 28,
    code: 'service_account:delete',
    name: 'Delete service accounts',
    description: 'Delete service accounts and their keys',
  },
  {
    id: 29,
    code: 'authz:check',
    name: 'Check permissions',
    description: 'Ask what other users of the tenant may do',
  },
  {
    id: 30,
    code: 'webhook:read',
    name: 'View webhooks',
    description: 'List webhooks and their deliveries',
  },
  {
    id: 31,
    code: 'webhook:manage',
    name: 'Manage webhooks',
    description: 'Set up webhooks, which send audit records, with audit:read',
  },
  {
    id: 32,
    code: 'application:read',
    name: 'View applications',
    description: 'List the applications that people sign in to, and resources',
  },
  {
    id: 33,
    code: 'application:manage',
    name: 'Manage applications',
    description: 'Set up applications and their secrets, and with tenant:enter own ones and resources',
  },
  {
    id: 34,
    code: 'grant:read',
    name: 'View consents',
    description: 'List the consents of users to applications',
  },
  {
    id: 35,
    code: 'grant:revoke',
    name: 'Revoke consents',
    description: 'Revoke consents of users, which ends the sessions of the application',
  },
  {
    id: 36,
    code: 'setting:declare',
    name: 'Declare settings',
    description: 'Declare which settings exist, with their schemas and defaults',
  },
  {
    id: 37,
    code: 'setting:secret',
    name: 'Read secret settings',
    description: 'Read the values of secret settings, by the key of a service account',
  },
  {
    id: 38,
    code: 'sso:read',
    name: 'View enterprise sign-in',
    description: 'List domains, connections, their sign-ins and the groups of a directory',
  },
  {
    id: 39,
    code: 'sso:manage',
    name: 'Manage enterprise sign-in',
    description: 'Set up domains and connections, with every permission of the tenant',
  },
  {
    id: 40,
    code: 'flag:read',
    name: 'View flags',
    description: 'List feature flags, and explain which variant a context gets',
  },
  {
    id: 41,
    code: 'flag:manage',
    name: 'Manage flags',
    description: 'Create, change and delete feature flags, and their variants for tenants',
  },
  {
    id: 42,
    code: 'flag:evaluate',
    name: 'Evaluate flags',
    description: 'Ask for the values of all feature flags, for any context',
  },
  {
    id: 43,
    code: 'scim:provision',
    name: 'Provision users',
    description: 'Push users and groups from a directory, by the key of a service account',
  },
  {
    id: 44,
    code: 'provider:read',
    name: 'View providers',
    description: 'List the providers by which people sign in',
  },
  {
    id: 45,
    code: 'provider:manage',
    name: 'Manage providers',
    description: 'Set up providers by which people sign in, with every permission there is',
  },
  { id: 46, code: 'attribute:declare', name: 'Declare attributes', description: 'Declare which exist' },
  {
    id: 47,
    code: 'support:view',
    name: 'View as a user',
    description: 'Ask to see what a user sees, for some minutes',
  },
  {
    id: 48,
    code: 'support:act',
    name: 'Act as a user',
    description: 'Ask to work as a user, for some minutes',
  },
  {
    id: 49,
    code: 'support:allow',
    name: 'Allow support',
    description: 'Allow, refuse and end support sessions, and set their rules',
  },
  { id: 50, code: 'approval:read', name: 'View approvals', description: 'List approvals and policies' },
  { id: 51, code: 'approval:manage', name: 'Manage approvals', description: 'Set policies; cancel requests' },
  { id: 52, code: 'approval:decide', name: 'Decide approvals', description: 'Approve and reject changes' },
  { id: 53, code: 'approval:break_glass', name: 'Break the glass', description: 'Pass policies at once' },
  { id: 54, code: 'review:read', name: 'View reviews', description: 'Read access reviews' },
  { id: 55, code: 'review:manage', name: 'Manage reviews', description: 'Open and close access reviews' },
] as const

export type PermissionCode = (typeof permissions)[number]['code']

const builtInCodes: ReadonlySet<string> = new Set(permissions.map(({ code }) => code))

export const isBuiltIn = (code: string): boolean => builtInCodes.has(code)

/**
 * The permission that a signed-in route needs, or the kind of caller that it serves.
 *
 * - `caller`: policies.ts decides, or only the caller is concerned.
 * - `user`: the route concerns something that a service account lacks.
 * - `account`: a user; the route concerns the person's own account, and ignores the tenant in scope.
 * - `suspendedAccount`: like `account`, and serves users of a disabled tenant as well.
 * - `guest`: a guest of a setup link.
 */
export type Allow = PermissionCode | 'caller' | 'user' | 'account' | 'suspendedAccount' | 'guest'

/** The parts of a tenant's sign-in that a setup link can open. */
export type GuestPart = 'domains' | 'connection' | 'directory'

/** Permissions about the whole installation. Only roles of the built-in tenant can hold them. */
const platformOnlyCodes: ReadonlySet<PermissionCode> = new Set([
  'tenant:read',
  'tenant:create',
  'tenant:update',
  'tenant:delete',
  'tenant:enter',
  'setting:global',
  'setting:declare',
  'setting:secret',
  'catalogue:manage',
  'application:read',
  'application:manage',
  'flag:read',
  'flag:manage',
  'flag:evaluate',
  'provider:read',
  'provider:manage',
  'attribute:declare',
])

const prefixOf = (code: string): string => code.slice(0, code.indexOf(':'))

/** The module is the part of a code before the colon. Permissions about roles are in the module `rbac`. */
export const moduleOf = (code: string): string => {
  const prefix = prefixOf(code)
  return prefix === 'role' ? 'rbac' : prefix
}

/** Modules of this and of later versions. The product cannot define a permission in them. */
export const reservedModules: ReadonlySet<string> = new Set(
  permissions
    .map(({ code }) => prefixOf(code))
    .concat('rbac', 'role', 'auth', 'session', 'invitation', 'event', 'key', 'factor', 'tenantry')
    .concat('resource', 'sso', 'domain', 'connection', 'scim', 'directory', 'flag', 'provider', 'identity')
    .concat('approval', 'elevation', 'review', 'support', 'setup', 'mcp'),
)

/** Higher ids belong to the product's permissions and to the tenants' own roles. */
export const builtInIdMax = 999

/** The role whose holders administer the installation. It exists only in the built-in tenant. */
export const platformAdminRole = 'platform-admin'
/** The template's id. A constraint of `user_roles` names it as well. */
export const platformAdminId = 1
/** The role that every new user starts with. */
export const startingRole = 'member'

export const builtInPermissions = permissions.map(({ id, code, name, description }) => ({
  id,
  code,
  name,
  module: moduleOf(code),
  description,
  platform_only: platformOnlyCodes.has(code),
}))

/** The built-in tenant: platform administrators live here, and open registration joins it. */
export const builtInTenant = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Default',
  slug: 'default',
} as const
