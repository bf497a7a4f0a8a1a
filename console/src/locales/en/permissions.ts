import type { PermissionCode } from '@tenantry/client'

/**
 * The service names permissions and system roles in English, for developers. Administrators read "organization" for
 * "tenant".
 */
export const permissionTexts: Partial<Record<PermissionCode, { name: string; description: string }>> = {
  'user:read': { name: 'View users', description: 'List the organization’s users and view their details' },
  'user:create': { name: 'Create users', description: 'Create users in the organization' },
  'user:delete': { name: 'Delete users', description: 'Delete users of the organization' },
  'tenant:read': { name: 'View organizations', description: 'List all organizations and view their details' },
  'tenant:create': { name: 'Create organizations', description: 'Create organizations' },
  'tenant:update': { name: 'Edit organizations', description: 'Rename, enable and disable organizations' },
  'tenant:delete': { name: 'Delete organizations', description: 'Delete an organization and all its data' },
  'tenant:enter': {
    name: 'Enter organizations',
    description: 'Work in any organization, with the permissions you have in your own',
  },
  'role:create': { name: 'Create roles', description: 'Create roles in the organization' },
  'setting:read': { name: 'View settings', description: 'Read global settings and the organization’s own' },
  'setting:update': { name: 'Edit settings', description: 'Change settings of the organization' },
  'setting:delete': { name: 'Delete settings', description: 'Delete settings of the organization' },
  'setting:global': { name: 'Edit global settings', description: 'Change settings for all organizations' },
  'notification:send': { name: 'Send notifications', description: 'Notify users of the organization' },
  'catalogue:manage': {
    name: 'Manage product permissions',
    description: 'Create, change and delete the product’s permissions and the roles of every organization',
  },
  'service_account:create': {
    name: 'Create service accounts',
    description: 'Create service accounts in the organization',
  },
  'authz:check': {
    name: 'Check permissions',
    description: 'Check what other users of the organization can do',
  },
  'application:manage': {
    name: 'Manage applications',
    description: 'Set up applications and their secrets. First-party ones and APIs also need tenant:enter',
  },
  'sso:read': {
    name: 'View single sign-on',
    description: 'List domains, connections, their sign-ins and the groups of a directory',
  },
  'sso:manage': {
    name: 'Manage single sign-on',
    description: 'Set up domains and connections. Needs every permission of the organization',
  },
  'flag:manage': {
    name: 'Manage flags',
    description: 'Create, change and delete feature flags, and their variants for organizations',
  },
}

/** A role without a description has the service's. */
export const systemRoles: Record<
  'platform-admin' | 'admin' | 'viewer' | 'member',
  { name: string; description?: string }
> = {
  'platform-admin': {
    name: 'Platform admin',
    description: 'Administers the installation: every permission in every organization',
  },
  admin: { name: 'Admin', description: 'Administers the organization: every permission within it' },
  viewer: { name: 'Viewer', description: 'Reads everything in the organization' },
  member: { name: 'Member' },
}

/** The scopes that are no permissions. */
export const scopeTexts = {
  email: 'See your e-mail',
  'mcp:read': 'Read whatever you can read in this organization, except secrets',
  offline_access: 'Stay connected while you’re away',
  openid: 'Confirm your identity',
  profile: 'See your name, language and organization',
}
