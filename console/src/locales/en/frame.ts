/** The texts of the frame. */
export { ends, table } from './kit.ts'
export { permissionTexts, scopeTexts, systemRoles } from './permissions.ts'

/** The titles of pages, which links use as well. */
export const places = {
  application: 'Application',
  applications: 'Applications',
  flag: 'Feature flag',
  flags: 'Feature flags',
  grants: 'Consents',
  resources: 'Resources',
  approval: 'Approval',
  approvals: 'Approvals',
  attributes: 'Attributes',
  audit: 'Audit log',
  catalogue: 'Permissions',
  connection: 'Connection',
  connections: 'Single sign-on',
  newConnection: 'Create connection',
  newProvider: 'Create provider',
  provider: 'Provider',
  providers: 'Sign-in providers',
  changePassword: 'Change password',
  createRole: 'Create role',
  createServiceAccount: 'Create service account',
  createApplication: 'Create application',
  createConnection: 'Create connection',
  createFlag: 'Create flag',
  createTenant: 'Create organization',
  exportUsers: 'Export users',
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
  review: 'Access review',
  reviews: 'Access reviews',
  role: 'Role',
  roles: 'Roles',
  serviceAccount: 'Service account',
  serviceAccounts: 'Service accounts',
  settings: 'Settings',
  support: 'Support',
  supportSession: 'Support session',
  switchTenant: 'Switch organization',
  template: 'Role template',
  tenant: 'Organization',
  tenants: 'Organizations',
  user: 'User',
  userImport: 'Import users',
  users: 'Users',
  webhook: 'Webhook',
  webhooks: 'Webhooks',
}

/** A change of the status of a user. */
export const userStatus = {
  disable: 'Disable {{name}}',
  enable: 'Enable {{name}}',
  out_one: '{{name}} disabled. Signed out of {{count}} session.',
  out_other: '{{name}} disabled. Signed out of {{count}} sessions.',
}

/** A role that the session has for some minutes. */
export const elevation = {
  active: '{{role}} until {{time}}',
  end: 'End now',
  ended: 'The role has ended.',
  title: 'Activate a role',
}

export const logos = {
  logo: 'Logo',
  choose: 'Choose image',
  hint: 'PNG or JPEG. Large images are scaled down.',
  remove: 'Remove image',
  wrong: 'Choose a PNG or JPEG file. This one can’t be read as an image.',
}

/** The page of a resource that does not exist. */
export const missing = {
  title: '{{name}} not found',
  text: 'It no longer exists, or the link is wrong.',
  toList: 'Back to the list',
}
