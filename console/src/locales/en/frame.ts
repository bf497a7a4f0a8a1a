/** The texts of the frame and the audit log. */
export { audit, auditActions } from './audit.ts'
export { auditFields, auditPhrases, auditResources } from './audit-records.ts'
export { table } from './kit.ts'
export { permissionTexts, systemRoles } from './permissions.ts'

/** The titles of pages, which links use as well. */
export const places = {
  application: 'Application',
  applications: 'Applications',
  flag: 'Feature flag',
  flags: 'Feature flags',
  grants: 'Consents',
  resources: 'Resources',
  audit: 'Audit log',
  catalogue: 'Permissions',
  connection: 'Connection',
  connections: 'Sign-in',
  newConnection: 'New connection',
  newProvider: 'New provider',
  provider: 'Provider',
  providers: 'Sign-in providers',
  changePassword: 'Change password',
  createUser: 'Create user',
  createWebhook: 'Create webhook',
  decisions: 'Decisions',
  dashboard: 'Dashboard',
  importShort: 'Import',
  invitations: 'Invitations',
  invite: 'Invite users',
  notifications: 'Notifications',
  openServiceAccount: 'Open the service account',
  profile: 'Your profile',
  reference: 'API reference',
  role: 'Role',
  roles: 'Roles',
  serviceAccount: 'Service account',
  serviceAccounts: 'Service accounts',
  settings: 'Settings',
  template: 'Role template',
  tenants: 'Tenants',
  user: 'User',
  userImport: 'Import users',
  users: 'Users',
  webhook: 'Webhook',
  webhooks: 'Webhooks',
}
