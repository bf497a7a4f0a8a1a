/**
 * Names and examples of the SDK's methods, by group. `npm run docs` writes client/src/endpoints.ts from this table and
 * from the API description. An operation that the table does not name gets a name and an example by rule.
 */
export interface Method {
  /** The operation of the API description. */
  operation: string
  example: string
  /** A sentence that concerns the SDK only. */
  note?: string
  /** The method that loops over all pages of a list, with its example. */
  all?: { name: string; example: string }
  /** Parameters in place of those of the path and the body, and the body made of them. */
  params?: string
  body?: string
  /** Further input of `ask`. */
  input?: string
  /** The answer is a file, although it is JSON. */
  isFile?: boolean
}

export interface Group {
  about: string
  methods: Record<string, Method>
}

/** `settings.global` is a group within `settings`. */
export const groups: Record<string, Group> = {
  applications: {
    about: 'The applications that people sign in to with this installation.',
    methods: {
      list: {
        operation: 'listApplications',
        example: `const { items } = await client.applications.list({ kind: 'browser', search: 'shop' })
console.log(items.map(({ name, client_id }) => [name, client_id]))`,
      },
      get: {
        operation: 'getApplication',
        example: `console.log((await client.applications.get(7)).redirect_uris)`,
      },
      create: {
        operation: 'createApplication',
        example: `const { client_id, secret } = await client.applications.create({
  name: 'Shop',
  kind: 'web',
  redirect_uris: ['https://shop.example.com/callback'],
})
console.log(client_id, secret)`,
      },
      update: {
        operation: 'updateApplication',
        example: `await client.applications.update(7, { status: 0 })`,
      },
      delete: {
        operation: 'deleteApplication',
        example: `await client.applications.delete(7)`,
      },
    },
  },
  'applications.secrets': {
    about: 'The secrets of a web application: at most two at a time.',
    methods: {
      create: {
        operation: 'createApplicationSecret',
        example: `const { secret } = await client.applications.secrets.create(7)
console.log(secret)`,
      },
      delete: {
        operation: 'deleteApplicationSecret',
        example: `const [oldest] = (await client.applications.get(7)).secrets
if (oldest) await client.applications.secrets.delete(7, oldest.id)`,
      },
    },
  },
  resources: {
    about: 'Services of the product that take tokens of applications.',
    methods: {
      list: {
        operation: 'listResources',
        example: `console.log((await client.resources.list()).items.map(({ identifier }) => identifier))`,
      },
      create: {
        operation: 'createResource',
        example: `await client.resources.create({
  identifier: 'https://mcp.example.com/mcp',
  name: 'Invoices for assistants',
  permission_ids: [1000],
})`,
      },
      update: {
        operation: 'updateResource',
        example: `await client.resources.update(3, { allow_unregistered: true })`,
      },
      delete: {
        operation: 'deleteResource',
        example: `await client.resources.delete(3)`,
      },
    },
  },
  grants: {
    about: 'The consents of users of the tenant in scope to applications of other people.',
    methods: {
      list: {
        operation: 'listGrants',
        example: `const { items } = await client.grants.list({ user_id: 12 })
console.log(items.map(({ application, scopes }) => [application.name, scopes]))`,
      },
      revoke: {
        operation: 'revokeGrant',
        example: `await client.grants.revoke(9)`,
      },
    },
  },
  audit: {
    about: 'The audit log of the tenant in scope.',
    methods: {
      list: {
        operation: 'listAuditLogs',
        example: `const { items } = await client.audit.list({ action: 'role.create', include: 'actor', page: 1 })
for (const { actor, created_at, detail } of items) console.log(actor?.name, created_at, detail)`,
        all: {
          name: 'all',
          example: `for await (const record of client.audit.all({ resource: 'user' })) {
  if (record.created_at < '2026-01-01') break
  console.log(record.action, record.resource_id)
}`,
        },
      },
      get: {
        operation: 'getAuditLog',
        example: `console.log((await client.audit.get(812)).detail)`,
      },
      export: {
        operation: 'exportAuditLogs',
        example: `const file = await client.audit.export({ format: 'csv', from: '2026-01-01T00:00:00Z' })
console.log((await file.blob()).size)`,
        note: "The answer's `body` is a stream, and `blob()` reads the whole file. `timeoutMs` ends when the file begins. Reading rejects when the connection breaks off, so that no file is cut short unnoticed.",
      },
    },
  },
  auth: {
    about: 'The sessions of the user, their password, e-mail and tenants.',
    methods: {
      registration: {
        operation: 'getRegistration',
        example: `const { open, first_becomes_admin } = await client.auth.registration()
console.log(first_becomes_admin ? 'create the first account' : open ? 'welcome' : 'ask an administrator')`,
      },
      beginPasskeyLogin: {
        operation: 'beginPasskeyLogin',
        example: `const { challenge } = await client.auth.beginPasskeyLogin()
console.log(challenge)`,
      },
      sessions: {
        operation: 'listOwnSessions',
        example: `const sessions = await client.auth.sessions()
console.log(sessions.find((one) => one.is_current)?.last_used_at)`,
      },
      endSession: {
        operation: 'endOwnSession',
        example: `for (const { id, ip } of await client.auth.sessions()) {
  if (ip === '203.0.113.7') await client.auth.endSession(id)
}`,
      },
      grants: {
        operation: 'listOwnGrants',
        example: `for (const { application, scopes } of await client.auth.grants()) {
  console.log(application.name, application.host, scopes)
}`,
      },
      revokeGrant: {
        operation: 'revokeOwnGrant',
        example: `await client.auth.revokeGrant(9)`,
      },
      endOtherSessions: {
        operation: 'endOtherSessions',
        example: `await client.auth.endOtherSessions()`,
      },
      changePassword: {
        operation: 'changePassword',
        example: `await client.auth.changePassword({ old_password: 'correct horse battery', new_password: 'a fine long password' })`,
      },
      options: {
        operation: 'getAuthOptions',
        example: `const { password_reset } = await client.auth.options()
if (password_reset) console.log('Forgot your password?')`,
      },
      forgotPassword: {
        operation: 'forgotPassword',
        example: `await client.auth.forgotPassword({ email: 'ada@example.com' })`,
        note: 'The link leads to the console, with its token after `#token=`.',
      },
      resetPassword: {
        operation: 'resetPassword',
        example: `const token = 'q0yqYQkOmcVn1iM6Y4TLsfjZ7-1TtY2nYw0r5Q3mF0k'
await client.auth.resetPassword({ token, new_password: 'a fine long password' })`,
      },
      verifyEmail: {
        operation: 'verifyEmail',
        example: `await client.auth.verifyEmail({ token: 'q0yqYQkOmcVn1iM6Y4TLsfjZ7-1TtY2nYw0r5Q3mF0k' })`,
      },
      sendVerification: {
        operation: 'sendVerification',
        example: `await client.auth.sendVerification()`,
      },
      changeEmail: {
        operation: 'changeEmail',
        example: `await client.auth.changeEmail({ email: 'ada@example.org', password: 'correct horse battery' })`,
      },
      lookUpInvitation: {
        operation: 'lookUpInvitation',
        example: `const token = location.hash.slice('#token='.length)
const { tenant, proof } = await client.auth.lookUpInvitation({ token }, { include: 'proof' })
console.log(tenant.name, proof === 'password' ? 'asks for the password' : 'asks for a new password')`,
      },
      memberships: {
        operation: 'listMemberships',
        example: `const memberships = await client.auth.memberships()
console.log(memberships.map(({ tenant, is_current }) => [tenant.name, is_current]))`,
      },
      leaveTenant: {
        operation: 'leaveTenant',
        example: `await client.auth.leaveTenant('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')`,
      },
      deleteAccount: {
        operation: 'deleteAccount',
        example: `await client.auth.deleteAccount({ password: 'correct horse battery' })`,
      },
      exportAccount: {
        operation: 'exportAccount',
        isFile: true,
        example: `const file = await client.auth.exportAccount({ password: 'correct horse battery' })
const { account, memberships } = (await file.json()) as AccountExport
console.log(account.email, memberships.length)`,
        note: "The answer's `body` is a stream, and `json()` reads the whole file.",
      },
      keySet: {
        operation: 'getKeySet',
        example: `const { keys } = await client.auth.keySet()
console.log(keys.map(({ kid, alg }) => [kid, alg]))`,
      },
      serverMetadata: {
        operation: 'getServerMetadata',
        example: `const { issuer, jwks_uri } = await client.auth.serverMetadata()
console.log(issuer, jwks_uri)`,
      },
    },
  },
  authz: {
    about:
      "Decisions about permissions. Without `user_id`, and with the caller's own, a question is about the caller and needs no permission.",
    methods: {
      permissions: {
        operation: 'getHeldPermissions',
        example: `const { permissions } = await client.authz.permissions()
console.log(permissions.includes('user:read'))`,
      },
      check: {
        operation: 'checkPermissions',
        example: `const { allowed } = await client.authz.check({ permissions: ['user:read', 'audit:read'] })
console.log(allowed ? 'may read users and records' : 'may not')`,
      },
      explain: {
        operation: 'explainPermission',
        example: `const { id } = await client.profile.get()
const { reason, roles } = await client.authz.explain({ user_id: id, permission: 'user:read' })
console.log(reason, roles.map(({ name }) => name).join(', '))`,
      },
      preview: {
        operation: 'previewChanges',
        example: `const [role] = await client.roles.list()
const changes = [{ kind: 'delete_role' as const, role_id: role?.id ?? 0 }]
const { losses, refused } = await client.authz.preview({ changes })
console.log(refused?.error.message ?? \`\${losses.length} users lose permissions\`)`,
        note: 'One that takes too long is not retried, because it would hold up changes in its tenant again.',
        input: 'lasting: 503',
      },
    },
  },
  dashboard: {
    about: 'Statistics of the tenant in scope.',
    methods: {
      stats: {
        operation: 'getStats',
        example: `const { userCount, userGrowth } = await client.dashboard.stats()
console.log(\`\${userCount} users, \${userGrowth} %\`)`,
      },
      activity: {
        operation: 'getActivity',
        example: `const { items } = await client.dashboard.activity({ days: 7 })
for (const { date, sign_ups, active_users } of items) console.log(date, sign_ups, active_users)`,
      },
    },
  },
  factors: {
    about:
      'The own second factors. Where one exists, a change needs a session that was opened with a second factor. The first factor gives its own session that proof, and ends all others.',
    methods: {
      list: {
        operation: 'listFactors',
        example: `const { factors, recovery_codes_left } = await client.factors.list()
console.log(factors.map(({ name }) => name), recovery_codes_left)`,
      },
      addTotp: {
        operation: 'addTotp',
        example: `const { id, otpauth_uri } = await client.factors.addTotp({ name: 'Telephone', password: 'correct horse battery' })
console.log(id, otpauth_uri)`,
      },
      confirmTotp: {
        operation: 'confirmTotp',
        example: `const confirm = async (id: string) => {
  const { recovery_codes } = await client.factors.confirmTotp(id, { code: '492039' })
  console.log(recovery_codes)
}`,
      },
      beginPasskey: {
        operation: 'beginPasskey',
        example: `const options = await client.factors.beginPasskey({ password: 'correct horse battery' })
console.log(options.challenge)`,
      },
      addPasskey: {
        operation: 'addPasskey',
        example: `const options = await client.factors.beginPasskey({ password: 'correct horse battery' })
const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
const passkey = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
await client.factors.addPasskey({ name: 'Laptop', response: passkey.toJSON() as RegistrationResponseJSON })`,
      },
      remove: {
        operation: 'removeFactor',
        example: `const [factor] = (await client.factors.list()).factors
if (factor) await client.factors.remove(factor.id, { password: 'correct horse battery' })`,
      },
      renewRecoveryCodes: {
        operation: 'renewRecoveryCodes',
        example: `const { recovery_codes } = await client.factors.renewRecoveryCodes({ password: 'correct horse battery' })
console.log(recovery_codes)`,
      },
    },
  },
  invitations: {
    about: 'Invitations to the tenant in scope.',
    methods: {
      list: {
        operation: 'listInvitations',
        example: `const { items } = await client.invitations.list({ status: 'pending' })
console.log(items.map(({ email, expires_at }) => [email, expires_at]))`,
      },
      create: {
        operation: 'createInvitation',
        example: `const { link } = await client.invitations.create({ email: 'grace@example.com', role_ids: [3] })
console.log(link || 'the link was mailed')`,
      },
      resend: {
        operation: 'resendInvitation',
        example: `const { expires_at } = await client.invitations.resend(7)
console.log(expires_at)`,
      },
      revoke: {
        operation: 'revokeInvitation',
        example: `await client.invitations.revoke(7)`,
      },
    },
  },
  notifications: {
    about: 'Notifications in the tenant in scope.',
    methods: {
      create: {
        operation: 'createNotification',
        example: `await client.notifications.create({ user_id: 7, title: 'Welcome', content: 'Your account is ready.', type: 'success' })`,
      },
      broadcast: {
        operation: 'createBroadcast',
        example: `let sending = await client.notifications.broadcast({ title: 'Maintenance at noon', type: 'warning' })
while (!sending.is_done) sending = await client.notifications.sendBatch(sending.id)`,
      },
      sendBatch: {
        operation: 'sendBatch',
        example: `const { is_done, sent, total } = await client.notifications.sendBatch(3)
console.log(is_done ? 'done' : \`\${sent} of \${total}\`)`,
      },
      sent: {
        operation: 'listSent',
        example: `for (const { title, sent, total } of (await client.notifications.sent()).items) console.log(title, sent, total)`,
      },
      list: {
        operation: 'listNotifications',
        example: `const { items } = await client.notifications.list(7, { is_read: false, page_size: 10 })
console.log(items.map(({ title }) => title))`,
        all: {
          name: 'all',
          example: `for await (const { created_at, title } of client.notifications.all(7)) console.log(created_at, title)`,
        },
      },
      get: {
        operation: 'getNotification',
        example: `console.log((await client.notifications.get(12)).content)`,
      },
      delete: {
        operation: 'deleteNotification',
        example: `await client.notifications.delete(12)`,
      },
      markRead: {
        operation: 'markNotificationRead',
        example: `await client.notifications.markRead(12)`,
      },
      markAllRead: {
        operation: 'markAllNotificationsRead',
        example: `await client.notifications.markAllRead()`,
      },
      unreadCount: {
        operation: 'getUnreadCount',
        example: `const { count } = await client.notifications.unreadCount()
console.log(count)`,
      },
    },
  },
  profile: {
    about: 'The user who is signed in.',
    methods: {
      get: {
        operation: 'getProfile',
        example: `const { username, email, email_confirmed } = await client.profile.get({ include: 'email_confirmed' })
console.log(username, email, email_confirmed)`,
      },
      update: {
        operation: 'updateProfile',
        example: `await client.profile.update({ nickname: 'Ada' })`,
      },
    },
  },
  roles: {
    about: 'Roles of the tenant in scope, with their permissions and holders.',
    methods: {
      list: {
        operation: 'listRoles',
        example: `const own = (await client.roles.list({ include: 'holders' })).filter((role) => !role.is_system)
console.log(own.map(({ name, holders }) => [name, holders]))`,
      },
      get: {
        operation: 'getRole',
        example: `const { name, permissions } = await client.roles.get(8)
console.log(name, permissions.map(({ code }) => code))`,
      },
      create: {
        operation: 'createRole',
        example: `const role = await client.roles.create({ name: 'Editors', description: 'May edit settings' })
await client.roles.replacePermissions(role.id, [15, 16])`,
      },
      update: {
        operation: 'updateRole',
        example: `await client.roles.update(8, { name: 'Authors' })`,
      },
      delete: {
        operation: 'deleteRole',
        example: `await client.roles.delete(8)`,
      },
      permissions: {
        operation: 'listRolePermissions',
        example: `console.log((await client.roles.permissions(8)).map(({ code }) => code))`,
      },
      holders: {
        operation: 'listRoleUsers',
        example: `const { items, total } = await client.roles.holders(8, { page_size: 50 })
console.log(total, items.map(({ username }) => username))`,
        all: {
          name: 'allHolders',
          example: `for await (const user of client.roles.allHolders(8)) console.log(user.email)`,
        },
      },
      ofUser: {
        operation: 'listUserRoles',
        example: `const session = await client.auth.session()
const roles = await client.roles.ofUser(session?.userId ?? 0)
const codes = new Set(roles.flatMap((role) => role.permissions.map(({ code }) => code)))
console.log(codes.has('user:create'))`,
      },
      assign: {
        operation: 'assignRole',
        example: `await client.roles.assign({ userId: 7, roleId: 8 })`,
        params: '{ userId, roleId }: Assignment',
        body: '{ role_id: roleId }',
      },
      unassign: {
        operation: 'unassignRole',
        example: `await client.roles.unassign({ userId: 7, roleId: 8 })`,
        params: '{ userId, roleId }: Assignment',
      },
      replacePermissions: {
        operation: 'replaceRolePermissions',
        example: `const readable = (await client.permissions.list()).filter(({ code }) => code.endsWith(':read'))
await client.roles.replacePermissions(8, readable.map(({ id }) => id))`,
        params: 'id: number, permissionIds: number[]',
        body: '{ permission_ids: permissionIds }',
      },
    },
  },
  permissions: {
    about: 'The catalogue of permissions.',
    methods: {
      list: {
        operation: 'listPermissions',
        example: `console.log(await client.permissions.list({ module: 'user' }))`,
      },
      create: {
        operation: 'createPermission',
        example: `const permission = await client.permissions.create({ code: 'invoice:read', name: 'Read invoices' })
console.log(permission.id)`,
      },
      update: {
        operation: 'updatePermission',
        example: `await client.permissions.update(1000, { name: 'See invoices' })`,
      },
      delete: {
        operation: 'deletePermission',
        example: `await client.permissions.delete(1000)`,
      },
    },
  },
  roleTemplates: {
    about: 'Role templates: roles of every tenant, which the tenants can assign and cannot change.',
    methods: {
      list: {
        operation: 'listRoleTemplates',
        example: `const given = (await client.roleTemplates.list()).filter((template) => template.given_to_new_users)
console.log(given.map(({ name }) => name))`,
      },
      create: {
        operation: 'createRoleTemplate',
        example: `const template = await client.roleTemplates.create({ name: 'Clerk', permission_ids: [1] })
console.log(template.id)`,
      },
      update: {
        operation: 'updateRoleTemplate',
        example: `await client.roleTemplates.update(100, { given_to_new_users: true })`,
      },
      delete: {
        operation: 'deleteRoleTemplate',
        example: `await client.roleTemplates.delete(100)`,
      },
    },
  },
  serviceAccounts: {
    about:
      'Callers without e-mail and password, such as the backend of a product. Roles are given to them as to users: `roles.assign({ userId: account.id, roleId })`.',
    methods: {
      list: {
        operation: 'listServiceAccounts',
        example: `const { items } = await client.serviceAccounts.list({ search: 'bill' })
console.log(items.map(({ name }) => name))`,
      },
      get: {
        operation: 'getServiceAccount',
        example: `console.log((await client.serviceAccounts.get(12)).last_used_at)`,
      },
      create: {
        operation: 'createServiceAccount',
        example: `const account = await client.serviceAccounts.create({ name: 'Billing' })
await client.roles.assign({ userId: account.id, roleId: 8 })`,
      },
      update: {
        operation: 'updateServiceAccount',
        example: `await client.serviceAccounts.update(12, { status: 0 })`,
      },
      delete: {
        operation: 'deleteServiceAccount',
        example: `await client.serviceAccounts.delete(12)`,
      },
    },
  },
  'serviceAccounts.keys': {
    about: 'The keys of a service account.',
    methods: {
      list: {
        operation: 'listKeys',
        example: `console.log((await client.serviceAccounts.keys.list(12)).map(({ prefix }) => prefix))`,
      },
      create: {
        operation: 'createKey',
        example: `const { secret } = await client.serviceAccounts.keys.create(12, { name: 'Production' })
console.log(secret)`,
      },
      delete: {
        operation: 'deleteKey',
        example: `await client.serviceAccounts.keys.delete({ accountId: 12, keyId: 31 })`,
        params: '{ accountId: id, keyId }: KeyOfAccount',
      },
    },
  },
  flags: {
    about: 'Feature flags of the installation. OpenFeature evaluates them: docs/feature-flags.md.',
    methods: {
      list: {
        operation: 'listFlags',
        example: `console.log((await client.flags.list({ search: 'checkout' })).items.map(({ key, enabled }) => [key, enabled]))`,
      },
      get: {
        operation: 'getFlag',
        example: `console.log((await client.flags.get('checkout.new')).rules)`,
      },
      create: {
        operation: 'createFlag',
        example: `await client.flags.create({
  key: 'checkout.new',
  type: 'boolean',
  variants: { on: true, off: false },
  enabled: true,
  off_variant: 'off',
  default_variant: 'off',
  rules: [{ conditions: [{ attribute: 'plan', op: 'in', values: ['gold'] }], serve: 'on' }],
})`,
      },
      update: {
        operation: 'updateFlag',
        example: `const { version } = await client.flags.get('checkout.new')
await client.flags.update('checkout.new', { enabled: false }, { ifMatch: \`"\${version}"\` })`,
      },
      delete: {
        operation: 'deleteFlag',
        example: `await client.flags.delete('checkout.new')`,
      },
      explain: {
        operation: 'explainFlag',
        example: `const { variant, reason } = await client.flags.explain('checkout.new', { context: { plan: 'gold' } })
console.log(variant, reason)`,
      },
    },
  },
  'flags.tenants': {
    about: 'Tenants that have a variant of a flag as their own.',
    methods: {
      list: {
        operation: 'listFlagTenants',
        example: `console.log((await client.flags.tenants.list('checkout.new')).items)`,
      },
      put: {
        operation: 'putFlagTenant',
        example: `await client.flags.tenants.put('checkout.new', '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b', 'on')`,
        params: 'key: string, tenantId: string, variant: string',
        body: '{ variant }',
      },
      delete: {
        operation: 'deleteFlagTenant',
        example: `await client.flags.tenants.delete('checkout.new', '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')`,
      },
    },
  },
  'settings.global': {
    about: 'Settings for all tenants.',
    methods: {
      list: {
        operation: 'listGlobalSettings',
        example: `console.log(Object.fromEntries((await client.settings.global.list()).map(({ key, value }) => [key, value])))`,
      },
      get: {
        operation: 'getGlobalSetting',
        example: `console.log((await client.settings.global.get('mail.sender')).value)`,
      },
      put: {
        operation: 'putGlobalSetting',
        example: `await client.settings.global.put('mail.sender', 'no-reply@example.com')`,
        params: 'key: string, value: unknown',
        body: '{ value }',
      },
      delete: {
        operation: 'deleteGlobalSetting',
        example: `await client.settings.global.delete('mail.sender')`,
      },
      history: {
        operation: 'listGlobalSettingVersions',
        example: `const { items } = await client.settings.global.history('mail.sender')
console.log(items.map(({ version, changed_at }) => [version, changed_at]))`,
      },
      revert: {
        operation: 'revertGlobalSetting',
        example: `await client.settings.global.revert('mail.sender', { version: 1 })`,
      },
    },
  },
  'settings.tenant': {
    about: 'Settings of the tenant in scope.',
    methods: {
      list: {
        operation: 'listTenantSettings',
        example: `for (const { key, updated_at } of await client.settings.tenant.list()) console.log(key, updated_at)`,
      },
      get: {
        operation: 'getTenantSetting',
        example: `const { value } = await client.settings.tenant.get('theme')
console.log(value)`,
      },
      put: {
        operation: 'putTenantSetting',
        example: `await client.settings.tenant.put('theme', { dark: true })`,
        params: 'key: string, value: unknown',
        body: '{ value }',
      },
      delete: {
        operation: 'deleteTenantSetting',
        example: `await client.settings.tenant.delete('theme')`,
      },
      history: {
        operation: 'listTenantSettingVersions',
        example: `const { items } = await client.settings.tenant.history('theme')
console.log(items.map(({ version, changed_at }) => [version, changed_at]))`,
      },
      revert: {
        operation: 'revertTenantSetting',
        example: `await client.settings.tenant.revert('theme', { version: 1 })`,
      },
    },
  },
  'settings.definitions': {
    about: 'Which settings exist, of which type, with which default.',
    methods: {
      list: {
        operation: 'listSettingDefinitions',
        example: `const { items } = await client.settings.definitions.list({ prefix: 'mail.' })
console.log(items.map(({ key }) => key))`,
      },
      put: {
        operation: 'putSettingDefinition',
        example: `await client.settings.definitions.put('ui.density', {
  schema: { enum: ['compact', 'wide'] },
  default: 'wide',
  scopes: ['tenant', 'user'],
  public: true,
})`,
      },
      delete: {
        operation: 'deleteSettingDefinition',
        example: `await client.settings.definitions.delete('ui.density')`,
      },
      lock: {
        operation: 'lockSetting',
        example: `await client.settings.definitions.lock('ui.density')`,
      },
      unlock: {
        operation: 'unlockSetting',
        example: `await client.settings.definitions.unlock('ui.density')`,
      },
    },
  },
  'settings.effective': {
    about: 'The values that count: of the user, else the tenant, else the installation, else the default.',
    methods: {
      list: {
        operation: 'listEffectiveSettings',
        example: `for (const { key, value, origin } of await client.settings.effective.list({ prefix: 'ui.' })) {
  console.log(key, value, origin)
}`,
      },
      get: {
        operation: 'getEffectiveSetting',
        example: `const { value } = await client.settings.effective.get('ui.density')
console.log(value)`,
      },
    },
  },
  'settings.own': {
    about: 'Values that the caller has set for themselves.',
    methods: {
      get: {
        operation: 'getOwnSetting',
        example: `console.log((await client.settings.own.get('ui.density')).value)`,
      },
      put: {
        operation: 'putOwnSetting',
        example: `await client.settings.own.put('ui.density', 'compact')`,
        params: 'key: string, value: unknown',
        body: '{ value }',
      },
      delete: {
        operation: 'deleteOwnSetting',
        example: `await client.settings.own.delete('ui.density')`,
      },
    },
  },
  'settings.users': {
    about: 'Values of other users.',
    methods: {
      get: {
        operation: 'getUserSetting',
        example: `const { id } = await client.profile.get()
console.log((await client.settings.users.get(id, 'ui.density')).value)`,
      },
      put: {
        operation: 'putUserSetting',
        example: `const { id } = await client.profile.get()
await client.settings.users.put(id, 'ui.density', 'compact')`,
        params: 'id: number, key: string, value: unknown',
        body: '{ value }',
      },
      delete: {
        operation: 'deleteUserSetting',
        example: `const { id } = await client.profile.get()
await client.settings.users.delete(id, 'ui.density')`,
      },
    },
  },
  'settings.secrets': {
    about: 'Secrets, for the key of a service account.',
    methods: {
      read: {
        operation: 'readSecretSettings',
        example: `const [password] = await client.settings.secrets.read({ keys: ['smtp.password'] })
console.log(password?.origin)`,
      },
    },
  },
  system: {
    about: 'Probes and versions without a session, and `ping` with one.',
    methods: {
      health: {
        operation: 'getHealth',
        example: `const { status, database, cache } = await client.system.health()
console.log(status, database, cache)`,
      },
      liveness: {
        operation: 'getLiveness',
        example: `console.log((await client.system.liveness({ timeoutMs: 2000 })).status)`,
      },
      readiness: {
        operation: 'getReadiness',
        example: `const { status, database, cache } = await client.system.readiness()
if (status === 'unready') console.log(\`database \${database}, cache \${cache}\`)`,
        note: 'The status `unready` is an answer here, not an error.',
        input: 'alsoOk: 503',
      },
      version: {
        operation: 'getVersion',
        example: `console.log((await client.system.version()).version)`,
      },
      upgrade: {
        operation: 'checkUpgrade',
        example: `const { available, latest_version } = await client.system.upgrade()
if (available) console.log(latest_version)`,
      },
      ping: {
        operation: 'ping',
        example: `console.log(await client.system.ping())`,
      },
    },
  },
  tenants: {
    about: "Tenants of the installation. All but the user's own tenant are for platform administrators.",
    methods: {
      find: {
        operation: 'listTenants',
        example: `const { items, total } = await client.tenants.find({ search: 'engines', page: 1, page_size: 50 })
console.log(items.length, total)`,
      },
      get: {
        operation: 'getTenant',
        example: `const { tenant_id } = await client.profile.get()
console.log((await client.tenants.get(tenant_id)).name)`,
      },
      create: {
        operation: 'createTenant',
        example: `const tenant = await client.tenants.create({ name: 'Analytical Engines', slug: 'analytical-engines' })
await client.inTenant(tenant.id).roles.create({ name: 'Editors' })`,
      },
      update: {
        operation: 'updateTenant',
        example: `const [tenant] = await client.tenants.list()
if (tenant) await client.tenants.update(tenant.id, { status: 0 })`,
      },
      delete: {
        operation: 'deleteTenant',
        example: `await client.tenants.delete('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')`,
      },
      list: {
        operation: 'listTenants',
        example: `for (const { id, name } of await client.tenants.list()) console.log(id, name)`,
        note: 'Without a page: all tenants.',
        params: '',
      },
    },
  },
  users: {
    about: 'Users of the tenant in scope.',
    methods: {
      list: {
        operation: 'listUsers',
        example: `const { items, total, isCapped } = await client.users.list({ search: 'ada', page_size: 50 })
console.log(items.length, isCapped ? \`more than \${total}\` : total)`,
        note: 'More than 10,000 matches come by id: the page then has `isSortIgnored`.',
        all: {
          name: 'all',
          example: `for await (const user of client.users.all({ search: 'example.com', status: 1 })) console.log(user.email)`,
        },
      },
      get: {
        operation: 'getUser',
        example: `const { last_login, security } = await client.users.get(7, { include: 'security' })
console.log(last_login || 'never', security?.factors.map(({ name }) => name))`,
      },
      create: {
        operation: 'createUser',
        example: `const { id } = await client.users.create({
  email: 'grace@example.com',
  username: 'grace',
  password: 'a fine long password',
})
console.log(id)`,
      },
      import: {
        operation: 'importUsers',
        example: `const { results } = await client.users.import({ rows: [{ email: 'grace@example.com' }, { email: 'ada@example.com' }] })
for (const { status, error } of results) console.log(status, error?.message ?? '')`,
        note: 'Each row is created or refused for itself.',
      },
      update: {
        operation: 'updateUser',
        example: `await client.users.update(7, { nickname: 'Grace', status: 1 })`,
      },
      delete: {
        operation: 'deleteUser',
        example: `await client.users.delete(7)`,
      },
      sessions: {
        operation: 'listUserSessions',
        example: `const sessions = await client.users.sessions(7)
console.log(sessions.map(({ ip, last_used_at }) => [ip, last_used_at]))`,
      },
      endSessions: {
        operation: 'endUserSessions',
        example: `await client.users.endSessions(7)`,
      },
      resetFactors: {
        operation: 'resetUserFactors',
        example: `await client.users.resetFactors(7)`,
      },
      resetFactor: {
        operation: 'resetUserFactor',
        example: `const { security } = await client.users.get(7, { include: 'security' })
const lost = security?.factors.find(({ name }) => name === 'Telephone')
if (lost) await client.users.resetFactor(7, lost.id)`,
      },
      export: {
        operation: 'exportUser',
        isFile: true,
        example: `const file = await client.users.export(7)
const { user, records_about } = (await file.json()) as UserExport
console.log(user.email, records_about.length)`,
        note: "The answer's `body` is a stream, and `json()` reads the whole file.",
      },
      sendPasswordReset: {
        operation: 'sendPasswordReset',
        example: `await client.users.sendPasswordReset(7)`,
      },
    },
  },
  webhooks: {
    about:
      'Webhooks send the audit records of the tenant to a URL, in order and at least once. The receiver checks them by `verifyWebhook`.',
    methods: {
      list: {
        operation: 'listWebhooks',
        example: `for (const { url, backlog } of await client.webhooks.list()) console.log(url, backlog)`,
      },
      get: {
        operation: 'getWebhook',
        example: `console.log((await client.webhooks.get(3)).disabled_reason)`,
      },
      create: {
        operation: 'createWebhook',
        example: `const { id, secret } = await client.webhooks.create({ url: 'https://example.com/hook', events: ['user.*'] })
console.log(secret)
await client.webhooks.test(id)`,
      },
      update: {
        operation: 'updateWebhook',
        example: `await client.webhooks.update(3, { status: 1 })`,
      },
      delete: {
        operation: 'deleteWebhook',
        example: `await client.webhooks.delete(3)`,
      },
      rotateSecret: {
        operation: 'rotateWebhookSecret',
        example: `const { secret } = await client.webhooks.rotateSecret(3, { keep_old_hours: 1 })
console.log(secret)`,
      },
      test: {
        operation: 'testWebhook',
        example: `const { status, error } = await client.webhooks.test(3)
console.log(status, error)`,
      },
      deliveries: {
        operation: 'listDeliveries',
        example: `const { items } = await client.webhooks.deliveries(3, { status: 'pending' })
console.log(items.map(({ error }) => error))`,
      },
      delivery: {
        operation: 'getDelivery',
        example: `const { history, request } = await client.webhooks.delivery(3, 812)
console.log(history.map(({ response }) => response), request.body)`,
      },
      resend: {
        operation: 'resendDelivery',
        example: `const { status, error } = await client.webhooks.resend(3, 812)
console.log(status, error)`,
      },
      previewReplay: {
        operation: 'previewReplay',
        example: `const { again, skipped } = await client.webhooks.previewReplay(3, { from_id: 812 })
console.log(again, skipped)`,
      },
      replay: {
        operation: 'replayWebhook',
        example: `await client.webhooks.replay(3, { from: '2026-01-01T00:00:00Z' })`,
      },
    },
  },
}
