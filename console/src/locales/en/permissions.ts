import type { PermissionCode } from '@tenantry/client'

/** The service names permissions in English only. */
export const permissionTexts = {
  'user:read': { name: 'View users', description: 'List the users of the tenant and read one' },
  'user:create': { name: 'Create users', description: 'Create users in the tenant' },
  'user:update': { name: 'Edit users', description: 'Edit, enable and disable users' },
  'user:delete': { name: 'Delete users', description: 'Delete users of the tenant' },
  'tenant:read': { name: 'View tenants', description: 'List all tenants and read one' },
  'tenant:create': { name: 'Create tenants', description: 'Create tenants' },
  'tenant:update': { name: 'Edit tenants', description: 'Rename, enable and disable tenants' },
  'tenant:delete': { name: 'Delete tenants', description: 'Delete a tenant and all its data' },
  'tenant:enter': {
    name: 'Enter tenants',
    description: 'Work in any tenant, with the permissions held at home',
  },
  'role:read': { name: 'View roles', description: 'Read roles, their permissions and holders' },
  'role:create': { name: 'Create roles', description: 'Create roles in the tenant' },
  'role:update': { name: 'Edit roles', description: 'Rename roles and replace their permissions' },
  'role:delete': { name: 'Delete roles', description: 'Delete roles that are not system roles' },
  'role:assign': { name: 'Assign roles', description: 'Assign roles to users, and remove them' },
  'audit:read': { name: 'View the audit log', description: 'Query the audit log of the tenant' },
  'setting:read': { name: 'View settings', description: 'Read global settings and the tenant’s own' },
  'setting:update': { name: 'Edit settings', description: 'Set settings of the tenant' },
  'setting:delete': { name: 'Delete settings', description: 'Delete settings of the tenant' },
  'setting:declare': {
    name: 'Declare settings',
    description: 'Declare which settings exist, with their schemas and defaults',
  },
  'setting:global': { name: 'Edit global settings', description: 'Set settings for all tenants' },
  'setting:secret': {
    name: 'Read secret settings',
    description: 'Read the values of secret settings, by the key of a service account',
  },
  'notification:send': { name: 'Send notifications', description: 'Notify users of the tenant' },
  'notification:read': { name: 'View notifications', description: 'Read other users’ notifications' },
  'notification:delete': { name: 'Delete notifications', description: 'Delete other users’ notifications' },
  'dashboard:read': { name: 'View the dashboard', description: 'Read the statistics of the tenant' },
  'authz:check': { name: 'Check permissions', description: 'Ask what other users of the tenant may do' },
  'service_account:read': {
    name: 'View service accounts',
    description: 'List service accounts and their keys',
  },
  'service_account:create': {
    name: 'Create service accounts',
    description: 'Create service accounts in the tenant',
  },
  'service_account:update': {
    name: 'Edit service accounts',
    description: 'Edit service accounts, create and revoke their keys',
  },
  'service_account:delete': {
    name: 'Delete service accounts',
    description: 'Delete service accounts and their keys',
  },
  'webhook:read': { name: 'View webhooks', description: 'List webhooks and their deliveries' },
  'webhook:manage': {
    name: 'Manage webhooks',
    description: 'Set up webhooks, which send audit records, with audit:read',
  },
  'application:read': {
    name: 'View applications',
    description: 'List the applications that people sign in to, and resources',
  },
  'application:manage': {
    name: 'Manage applications',
    description: 'Set up applications and their secrets, and with tenant:enter own ones and resources',
  },
  'flag:read': {
    name: 'View flags',
    description: 'List feature flags, and explain which variant a context gets',
  },
  'flag:manage': {
    name: 'Manage flags',
    description: 'Create, change and delete feature flags, and their variants for tenants',
  },
  'flag:evaluate': {
    name: 'Evaluate flags',
    description: 'Ask for the values of all feature flags, for any context',
  },
  'provider:read': {
    name: 'View providers',
    description: 'List the providers by which people sign in',
  },
  'provider:manage': {
    name: 'Manage providers',
    description: 'Set up providers by which people sign in, with every permission there is',
  },
  'sso:read': {
    name: 'View enterprise sign-in',
    description: 'List domains, connections, their sign-ins and the groups of a directory',
  },
  'sso:manage': {
    name: 'Manage enterprise sign-in',
    description: 'Set up domains and connections, with every permission of the tenant',
  },
  'scim:provision': {
    name: 'Provision users',
    description: 'Push users and groups from a directory, by the key of a service account',
  },
  'grant:read': { name: 'View consents', description: 'List the consents of users to applications' },
  'grant:revoke': {
    name: 'Revoke consents',
    description: 'Revoke consents of users, which ends the sessions of the application',
  },
  'catalogue:manage': {
    name: 'Manage permissions',
    description: 'Create permissions of the product, and roles of every tenant',
  },
} satisfies Record<PermissionCode, { name: string; description: string }>

export const systemRoles = {
  'platform-admin': 'Administers the installation: every permission in every tenant',
  admin: 'Administers the tenant: every permission within it',
  viewer: 'Reads everything in the tenant',
  member: 'What every user starts with',
}
