/**
 * Exceptions to the rules that name and describe the SDK's methods. `npm run docs` writes client/src/endpoints.ts from
 * these tables and from the API description, which has the examples of values and bodies.
 */
export interface Method {
  /** In place of an example by rule. */
  example?: string
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

/** `createKey` is `create` of the group: the noun is all that follows the verb. */
export const groupsOfNouns: Record<string, string> = {
  ApplicationSecret: 'applications.secrets',
  AuditLog: 'audit',
  EffectiveSetting: 'settings.effective',
  Factor: 'factors',
  FlagTenant: 'flags.tenants',
  GlobalSetting: 'settings.global',
  Grant: 'grants',
  Invitation: 'invitations',
  Key: 'serviceAccounts.keys',
  OwnSetting: 'settings.own',
  Permission: 'permissions',
  Profile: 'profile',
  Resource: 'resources',
  RoleTemplate: 'roleTemplates',
  SecretSetting: 'settings.secrets',
  SettingDefinition: 'settings.definitions',
  TenantSetting: 'settings.tenant',
  UserSetting: 'settings.users',
}

/** Names that no rule gives. */
export const methodNames: Record<string, string[]> = {
  addPasskey: ['factors.addPasskey'],
  addTotp: ['factors.addTotp'],
  beginPasskey: ['factors.beginPasskey'],
  checkPermissions: ['authz.check'],
  checkUpgrade: ['system.upgrade'],
  confirmTotp: ['factors.confirmTotp'],
  createBroadcast: ['notifications.broadcast'],
  explainPermission: ['authz.explain'],
  getHeldPermissions: ['authz.permissions'],
  listGlobalSettingVersions: ['settings.global.history'],
  listRoleUsers: ['roles.holders'],
  listTenantSettingVersions: ['settings.tenant.history'],
  listTenants: ['tenants.find', 'tenants.list'],
  listUsage: ['tenants.usages'],
  listUserRoles: ['roles.ofUser'],
  lockSetting: ['settings.definitions.lock'],
  previewChanges: ['authz.preview'],
  renewRecoveryCodes: ['factors.renewRecoveryCodes'],
  resendDelivery: ['webhooks.resend'],
  unlockSetting: ['settings.definitions.unlock'],
}

/** In place of the description of the tag, or for a group without one. */
export const abouts: Record<string, string> = {
  applications: 'The applications that people sign in to with this installation.',
  'applications.secrets': 'The secrets of a web application: at most two at a time.',
  audit: 'The audit log of the tenant in scope.',
  auth: 'The sessions of the user, their password, e-mail and tenants.',
  authz:
    "Decisions about permissions. Without `user_id`, and with the caller's own, a question is about the caller and needs no permission.",
  factors:
    'The own second factors. Where one exists, a change needs a session that was opened with a second factor. The first factor gives its own session that proof, and ends all others.',
  flags: 'Feature flags of the installation. OpenFeature evaluates them: docs/feature-flags.md.',
  'flags.tenants': 'Tenants that have a variant of a flag as their own.',
  grants: 'The consents of users of the tenant in scope to applications of other people.',
  invitations: 'Invitations to the tenant in scope.',
  notifications: 'Notifications in the tenant in scope.',
  permissions: 'The catalogue of permissions.',
  profile: 'The user who is signed in.',
  resources: 'Services of the product that take tokens of applications.',
  roleTemplates: 'Role templates: roles of every tenant, which the tenants can assign and cannot change.',
  roles: 'Roles of the tenant in scope, with their permissions and holders.',
  serviceAccounts:
    'Callers without e-mail and password, such as the backend of a product. Roles are given to them as to users: `roles.assign({ userId: account.id, roleId })`.',
  'serviceAccounts.keys': 'The keys of a service account.',
  'settings.definitions': 'Which settings exist, of which type, with which default.',
  'settings.effective':
    'The values that count: of the user, else the tenant, else the installation, else the default.',
  'settings.global': 'Settings for all tenants.',
  'settings.own': 'Values that the caller has set for themselves.',
  'settings.secrets': 'Secrets, for the key of a service account.',
  'settings.tenant': 'Settings of the tenant in scope.',
  'settings.users': 'Values of other users.',
  system: 'Probes and versions without a session, and `ping` with one.',
  tenants: "Tenants of the installation. All but the user's own tenant are for platform administrators.",
  webhooks:
    'Webhooks send the audit records of the tenant to a URL, in order and at least once. The receiver checks them by `verifyWebhook`.',
}

const bodyOfFile = "The answer's `body` is a stream, and `json()` reads the whole file."

/** Methods of which a rule would say too little, by their names. */
export const methods: Record<string, Method> = {
  'applications.create': {
    example: `const { client_id, secret } = await client.applications.create({
  name: 'Shop',
  kind: 'web',
  redirect_uris: ['https://shop.example.com/callback'],
})
console.log(client_id, secret)`,
  },
  'audit.list': {
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
  'audit.export': {
    example: `const file = await client.audit.export({ format: 'csv', from: '2026-01-01T00:00:00Z' })
console.log((await file.blob()).size)`,
    note: "The answer's `body` is a stream, and `blob()` reads the whole file. `timeoutMs` ends when the file begins. Reading rejects when the connection breaks off, so that no file is cut short unnoticed.",
  },
  'auth.endSession': {
    example: `for (const { id, ip } of await client.auth.sessions()) {
  if (ip === '203.0.113.7') await client.auth.endSession(id)
}`,
  },
  'auth.exportAccount': {
    example: `const file = await client.auth.exportAccount({ password: 'correct horse battery' })
const { account, memberships } = (await file.json()) as AccountExport
console.log(account.email, memberships.length)`,
    note: bodyOfFile,
    isFile: true,
  },
  'auth.forgotPassword': { note: 'The link leads to the console, with its token after `#token=`.' },
  'auth.lookUpInvitation': {
    example: `const token = location.hash.slice('#token='.length)
const { tenant, proof } = await client.auth.lookUpInvitation({ token }, { include: 'proof' })
console.log(tenant.name, proof === 'password' ? 'asks for the password' : 'asks for a new password')`,
  },
  'auth.registration': {
    example: `const { open, first_becomes_admin } = await client.auth.registration()
console.log(first_becomes_admin ? 'create the first account' : open ? 'welcome' : 'ask an administrator')`,
  },
  'authz.check': {
    example: `const { allowed } = await client.authz.check({ permissions: ['user:read', 'audit:read'] })
console.log(allowed ? 'may read users and records' : 'may not')`,
  },
  'authz.preview': {
    example: `const [role] = await client.roles.list()
const changes = [{ kind: 'delete_role' as const, role_id: role?.id ?? 0 }]
const { losses, refused } = await client.authz.preview({ changes })
console.log(refused?.error.message ?? \`\${losses.length} users lose permissions\`)`,
    note: 'One that takes too long is not retried, because it would hold up changes in its tenant again.',
    input: 'lasting: 503',
  },
  'factors.addPasskey': {
    example: `const options = await client.factors.beginPasskey({ password: 'correct horse battery' })
const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
const passkey = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
await client.factors.addPasskey({ name: 'Laptop', response: passkey.toJSON() as RegistrationResponseJSON })`,
  },
  'factors.remove': {
    example: `const [factor] = (await client.factors.list()).factors
if (factor) await client.factors.remove(factor.id, { password: 'correct horse battery' })`,
  },
  'attributes.patch': { params: 'values: Record<string, unknown>', body: 'values' },
  'attributes.patchTenant': { params: 'id: string, values: Record<string, unknown>', body: 'values' },
  'attributes.patchUser': { params: 'id: number, values: Record<string, unknown>', body: 'values' },
  'flags.tenants.put': {
    example: `await client.flags.tenants.put('checkout.new', '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b', 'on')`,
    params: 'key: string, tenantId: string, variant: string',
    body: '{ variant }',
  },
  'flags.update': {
    example: `const { version } = await client.flags.get('checkout.new')
await client.flags.update('checkout.new', { enabled: false }, { ifMatch: \`"\${version}"\` })`,
  },
  'invitations.create': {
    example: `const { link } = await client.invitations.create({ email: 'grace@example.com', role_ids: [3] })
console.log(link || 'the link was mailed')`,
  },
  'notifications.broadcast': {
    example: `let sending = await client.notifications.broadcast({ title: 'Maintenance at noon', type: 'warning' })
while (!sending.is_done) sending = await client.notifications.sendBatch(sending.id)`,
  },
  'notifications.list': {
    all: {
      name: 'all',
      example: `for await (const { created_at, title } of client.notifications.all(7)) console.log(created_at, title)`,
    },
  },
  'profile.get': {
    example: `const { username, email, email_confirmed } = await client.profile.get({ include: 'email_confirmed' })
console.log(username, email, email_confirmed)`,
  },
  'roles.assign': {
    example: `await client.roles.assign({ userId: 7, roleId: 8 })`,
    params: '{ userId, roleId, expiresAt }: Assignment & { expiresAt?: string | undefined }',
    body: '{ role_id: roleId, ...(expiresAt === undefined ? {} : { expires_at: expiresAt }) }',
  },
  'roles.create': {
    example: `const role = await client.roles.create({ name: 'Editors', description: 'May edit settings' })
await client.roles.replacePermissions(role.id, [15, 16])`,
  },
  'roles.holders': {
    all: {
      name: 'allHolders',
      example: `for await (const user of client.roles.allHolders(8)) console.log(user.email)`,
    },
  },
  'roles.changeAssignmentEnd': {
    example: `await client.roles.changeAssignmentEnd({ userId: 7, roleId: 8 }, '2026-01-31T09:30:00.000Z')`,
    params: '{ userId, roleId }: Assignment, expiresAt: string | null',
    body: '{ expires_at: expiresAt }',
  },
  'roles.assignments': {
    all: {
      name: 'allAssignments',
      example: `for await (const { user, role } of client.roles.allAssignments()) console.log(user.name, role.name)`,
    },
  },
  'reviews.export': {
    example: `const file = await client.reviews.export(3)
const { review, items } = (await file.json()) as { review: { name: string }; items: unknown[] }
console.log(review.name, items.length)`,
    note: bodyOfFile,
    isFile: true,
  },
  'reviews.items': {
    all: {
      name: 'allItems',
      example: `for await (const item of client.reviews.allItems(3)) console.log(item.subject.name, item.outcome)`,
    },
  },
  'roles.replacePermissions': {
    example: `const readable = (await client.permissions.list()).filter(({ code }) => code.endsWith(':read'))
await client.roles.replacePermissions(8, readable.map(({ id }) => id))`,
    params: 'id: number, permissionIds: number[]',
    body: '{ permission_ids: permissionIds }',
  },
  'roles.unassign': {
    example: `await client.roles.unassign({ userId: 7, roleId: 8 })`,
    params: '{ userId, roleId }: Assignment',
  },
  'serviceAccounts.create': {
    example: `const account = await client.serviceAccounts.create({ name: 'Billing' })
await client.roles.assign({ userId: account.id, roleId: 8 })`,
  },
  'serviceAccounts.keys.create': {
    example: `const { secret } = await client.serviceAccounts.keys.create(12, { name: 'Production' })
console.log(secret)`,
  },
  'serviceAccounts.keys.delete': {
    example: `await client.serviceAccounts.keys.delete({ accountId: 12, keyId: 31 })`,
    params: '{ accountId: id, keyId }: KeyOfAccount',
  },
  'system.readiness': {
    example: `const { status, database, cache } = await client.system.readiness()
if (status === 'unready') console.log(\`database \${database}, cache \${cache}\`)`,
    note: 'The status `unready` is an answer here, not an error.',
    input: 'alsoOk: 503',
  },
  'tenants.create': {
    example: `const tenant = await client.tenants.create({ name: 'Analytical Engines', slug: 'analytical-engines' })
await client.inTenant(tenant.id).roles.create({ name: 'Editors' })`,
  },
  'tenants.find': {
    example: `const { items, total } = await client.tenants.find({ search: 'engines', page: 1, page_size: 50 })
console.log(items.length, total)`,
  },
  'tenants.list': {
    example: `for (const { id, name } of await client.tenants.list()) console.log(id, name)`,
    note: 'Without a page: all tenants.',
    params: '',
  },
  'users.export': {
    example: `const file = await client.users.export(7)
const { user, records_about } = (await file.json()) as UserExport
console.log(user.email, records_about.length)`,
    note: bodyOfFile,
    isFile: true,
  },
  'users.import': {
    example: `const { results } = await client.users.import({ rows: [{ email: 'grace@example.com' }, { email: 'ada@example.com' }] })
for (const { status, error } of results) console.log(status, error?.message ?? '')`,
    note: 'Each row is created or refused for itself.',
  },
  'users.list': {
    example: `const { items, total, isCapped } = await client.users.list({ search: 'ada', page_size: 50 })
console.log(items.length, isCapped ? \`more than \${total}\` : total)`,
    note: 'More than 10,000 matches come by id: the page then has `isSortIgnored`.',
    all: {
      name: 'all',
      example: `for await (const user of client.users.all({ search: 'example.com', status: 1 })) console.log(user.email)`,
    },
  },
  'users.resetFactor': {
    example: `const { security } = await client.users.get(7, { include: 'security' })
const lost = security?.factors.find(({ name }) => name === 'Telephone')
if (lost) await client.users.resetFactor(7, lost.id)`,
  },
  'webhooks.create': {
    example: `const { id, secret } = await client.webhooks.create({ url: 'https://example.com/hook', events: ['user.*'] })
console.log(secret)
await client.webhooks.test(id)`,
  },
  'webhooks.delivery': {
    example: `const { history, request } = await client.webhooks.delivery(3, 812)
console.log(history.map(({ response }) => response), request.body)`,
  },
  'webhooks.previewReplay': {
    example: `console.log(await client.webhooks.previewReplay(3, { from_id: 812 }))`,
  },
  'webhooks.replay': { example: `await client.webhooks.replay(3, { from: '2026-01-01T00:00:00Z' })` },
}
