/**
 * Every endpoint that writes for a signed-in caller is in one of two tables: an operation of approval policies covers it, or it is
 * exempt. Where a tenant asks for approvals of everything, the covered ones are 403, and the others answer as ever.
 */
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { operations, platformOperations } from '../src/access/operations.ts'
import { builtInTenant } from '../src/access/permissions.ts'
import { PolicyOperation } from '../src/features/tenancy/approvals/policies.schemas.ts'
import { insertPolicies } from './approval-rows.ts'
import { insertActiveConnection } from './connection-rows.ts'
import { endpoints } from './endpoints.ts'
import { keyWith, newTenant, ok, permissionIds, platformAdmin, unique, type Caller } from './factories.ts'
import { parts } from './harness.ts'
import { addTotp, proveBy } from './second-factors.ts'

interface Known {
  admin: Caller
  userId: number
  factorUserId: number
  factorId: string
  roleId: number
  otherRoleId: number
  eligibleRoleId: number
  ownEligibleRoleId: number
  invitationId: number
  serviceAccountId: number
  domainId: number
  connectionId: string
  webhookId: number
}

type Request = (known: Known) => [path: string, body?: object]

interface Covered {
  operation: string
  /** Undefined for a request that needs another server: its record is that of a covered one. */
  request?: Request
}

const covered = (operation: string, request?: Request): Covered => ({
  operation,
  ...(request && { request }),
})

/** The endpoints of tenants. */
const ofTenants: Record<string, Covered> = {
  'POST /users': covered('user.create', () => [
    '/users',
    { email: `${unique()}@example.com`, username: unique(), password: 'correct horse battery' },
  ]),
  'POST /users/import': covered('user.create', () => [
    '/users/import',
    { rows: [{ email: `${unique()}@example.com` }] },
  ]),
  'POST /users/status': covered('user.disable', ({ userId }) => [
    '/users/status',
    { user_ids: [userId], status: 0 },
  ]),
  'PUT /users/:id': covered('user.recover', ({ userId }) => [
    `/users/${userId}`,
    { email: `${unique()}@example.com` },
  ]),
  'DELETE /users/:id': covered('user.delete', ({ userId }) => [`/users/${userId}`]),
  'DELETE /users/:id/factors': covered('user.recover', ({ factorUserId }) => [
    `/users/${factorUserId}/factors`,
  ]),
  'DELETE /users/:id/factors/:factorId': covered('user.recover', ({ factorUserId, factorId }) => [
    `/users/${factorUserId}/factors/${factorId}`,
  ]),
  'POST /users/:id/password-expiry': covered('user.recover', ({ userId }) => [
    `/users/${userId}/password-expiry`,
  ]),
  'POST /users/:id/password-reset': covered('user.recover', ({ userId }) => [
    `/users/${userId}/password-reset`,
  ]),
  'POST /invitations': covered('authority.give', ({ roleId }) => [
    '/invitations',
    { email: `${unique()}@example.com`, role_ids: [roleId] },
  ]),
  'POST /invitations/:id/resend': covered('authority.give', ({ invitationId }) => [
    `/invitations/${invitationId}/resend`,
  ]),
  'POST /service-accounts/:id/keys': covered('key.create', ({ serviceAccountId }) => [
    `/service-accounts/${serviceAccountId}/keys`,
    { name: 'any' },
  ]),
  'POST /domains': covered('sso.change', () => ['/domains', { domain: `${unique()}.example.com` }]),
  'POST /domains/:id/verify': covered('sso.change'),
  'DELETE /domains/:id': covered('sso.change', ({ domainId }) => [`/domains/${domainId}`]),
  'POST /connections': covered('sso.change'),
  'PUT /connections/:id': covered('sso.change', ({ connectionId }) => [
    `/connections/${connectionId}`,
    { name: unique() },
  ]),
  'DELETE /connections/:id': covered('sso.change', ({ connectionId }) => [`/connections/${connectionId}`]),
  'DELETE /users/:id/sso': covered('sso.change'),
  'POST /setup-links': covered('sso.change'),
  'PUT /users/:id/sso-exemption': covered('sso.change', ({ factorUserId }) => [
    `/users/${factorUserId}/sso-exemption`,
    { exempt: true },
  ]),
  'POST /webhooks': covered('webhook.change', () => [
    '/webhooks',
    { url: 'http://127.0.0.1:9', events: ['*'] },
  ]),
  'PUT /webhooks/:id': covered('webhook.change', ({ webhookId }) => [
    `/webhooks/${webhookId}`,
    { description: unique() },
  ]),
  'DELETE /webhooks/:id': covered('webhook.change', ({ webhookId }) => [`/webhooks/${webhookId}`]),
  'POST /webhooks/:id/secret': covered('webhook.change', ({ webhookId }) => [
    `/webhooks/${webhookId}/secret`,
    {},
  ]),
  'DELETE /rbac/roles/:id': covered('authority.take', ({ roleId }) => [`/rbac/roles/${roleId}`]),
  'PUT /rbac/roles/:id/permissions': covered('authority.give', ({ roleId }) => [
    `/rbac/roles/${roleId}/permissions`,
    { permission_ids: permissionIds('user:read', 'user:update') },
  ]),
  'POST /rbac/roles/:id/users': covered('authority.give', ({ otherRoleId, userId }) => [
    `/rbac/roles/${otherRoleId}/users`,
    { user_ids: [userId], held: true },
  ]),
  'POST /rbac/users/:userId/roles': covered('authority.give', ({ otherRoleId, userId }) => [
    `/rbac/users/${userId}/roles`,
    { role_id: otherRoleId },
  ]),
  'DELETE /rbac/users/:userId/roles/:roleId': covered('authority.take', ({ roleId, userId }) => [
    `/rbac/users/${userId}/roles/${roleId}`,
  ]),
  'PUT /rbac/users/:userId/roles/:roleId': covered('authority.take', ({ roleId, userId }) => [
    `/rbac/users/${userId}/roles/${roleId}`,
    { expires_at: new Date(Date.now() + 86_400_000).toISOString() },
  ]),
  'POST /rbac/users/:userId/eligible-roles': covered('authority.give', ({ otherRoleId, userId }) => [
    `/rbac/users/${userId}/eligible-roles`,
    { role_id: otherRoleId, max_minutes: 60 },
  ]),
  'DELETE /rbac/users/:userId/eligible-roles/:roleId': covered(
    'authority.take',
    ({ eligibleRoleId, userId }) => [`/rbac/users/${userId}/eligible-roles/${eligibleRoleId}`],
  ),
  'POST /elevations': covered('elevation.start', ({ ownEligibleRoleId }) => [
    '/elevations',
    { role_id: ownEligibleRoleId, minutes: 5, reason: 'A ticket' },
  ]),
  'PUT /approval-policies/:operation': covered('policy.change'),
  'DELETE /approval-policies/:operation': covered('policy.change', () => [
    '/approval-policies/webhook.change',
  ]),
  'PUT /settings/tenant/:key': covered('setting.security', () => [
    '/settings/tenant/audit.retention_days',
    { value: 400 },
  ]),
  'DELETE /settings/tenant/:key': covered('setting.security', () => [
    '/settings/tenant/auth.require_second_factor',
  ]),
  'POST /settings/tenant/:key/revert': covered('setting.security'),
}

/** The endpoints of the installation. Their policies are those of the built-in tenant. */
const ofInstallation: Record<string, Covered> = {
  'PUT /org/tenants/:id': covered('tenant.change'),
  'DELETE /org/tenants/:id': covered('tenant.change'),
  'POST /rbac/permissions': covered('catalogue.change', () => [
    '/rbac/permissions',
    { code: `${unique('m')}:read`, name: 'Read' },
  ]),
  'PUT /rbac/permissions/:id': covered('catalogue.change'),
  'DELETE /rbac/permissions/:id': covered('catalogue.change'),
  'POST /rbac/role-templates': covered('catalogue.change', () => [
    '/rbac/role-templates',
    { name: unique('role') },
  ]),
  'PUT /rbac/role-templates/:id': covered('catalogue.change'),
  'DELETE /rbac/role-templates/:id': covered('catalogue.change'),
  'PUT /attributes/:subject/:key': covered('catalogue.change', () => [
    '/attributes/user/approvals_walk',
    { schema: { type: 'string' } },
  ]),
  'DELETE /attributes/:subject/:key': covered('catalogue.change'),
  'POST /applications': covered('application.change', () => [
    '/applications',
    { name: unique(), kind: 'web', redirect_uris: ['https://shop.example.com/callback'] },
  ]),
  'PUT /applications/:id': covered('application.change'),
  'DELETE /applications/:id': covered('application.change'),
  'POST /applications/:id/secrets': covered('application.change'),
  'POST /resources': covered('application.change'),
  'PUT /resources/:id': covered('application.change'),
  'DELETE /resources/:id': covered('application.change'),
  'POST /providers': covered('application.change', () => [
    '/providers',
    { kind: 'google', slug: unique('p'), name: 'Google', client_id: 'tenantry', client_secret: 'secret' },
  ]),
  'PUT /providers/:id': covered('application.change'),
  'DELETE /providers/:id': covered('application.change'),
  'PUT /settings/global/:key': covered('global.change', () => ['/settings/global/color', { value: 'red' }]),
  'DELETE /settings/global/:key': covered('global.change'),
  'POST /settings/global/:key/revert': covered('global.change'),
  'PUT /settings/global/:key/lock': covered('global.change'),
  'DELETE /settings/global/:key/lock': covered('global.change'),
  'PUT /settings/definitions/:key': covered('global.change', () => [
    '/settings/definitions/approvals.walk',
    { schema: {}, scopes: ['tenant'] },
  ]),
  'DELETE /settings/definitions/:key': covered('global.change'),
}

/** They change no authority, end something, act on the caller alone, or only ask. */
const exempt = new Set([
  // Somebody must allow them, and they give nothing for longer than minutes.
  'POST /support/sessions',
  'POST /support/sessions/:id/decide',
  'POST /support/sessions/:id/token',
  'POST /support/sessions/:id/code',
  // Reviewers decide; revoking by a review is covered by its effect.
  'POST /reviews',
  'POST /reviews/:id/close',
  'POST /reviews/:id/decide',
  // Ends of sessions, keys, links, consents and elevations.
  'DELETE /users/:id/sessions',
  'DELETE /invitations/:id',
  'DELETE /service-accounts/:id/keys/:keyId',
  'DELETE /setup-links/:id',
  'DELETE /applications/:id/secrets/:secretId',
  'DELETE /grants/:id',
  'DELETE /elevations/:id',
  // Service accounts hold nothing before a role or a key.
  'POST /service-accounts',
  'PUT /service-accounts/:id',
  'DELETE /service-accounts/:id',
  'POST /rbac/roles',
  'PUT /rbac/roles/:id',
  // Deliveries of what happened.
  'POST /webhooks/:id/test',
  'POST /webhooks/:id/deliveries/:deliveryId/resend',
  'POST /webhooks/:id/replay/preview',
  'POST /webhooks/:id/replay',
  'POST /connections/:id/test',
  'POST /providers/:id/test',
  // The organization of a new tenant, facts, values and messages.
  'POST /org/tenants',
  'PATCH /users/:id/attributes',
  'PATCH /org/tenants/:id/attributes',
  'PUT /settings/user/:key',
  'DELETE /settings/user/:key',
  'PUT /settings/users/:id/:key',
  'DELETE /settings/users/:id/:key',
  'POST /settings/secrets/read',
  'POST /flags',
  'PUT /flags/:key',
  'DELETE /flags/:key',
  'PUT /flags/:key/tenants/:tenantId',
  'DELETE /flags/:key/tenants/:tenantId',
  'POST /notifications',
  'POST /notifications/broadcasts',
  'POST /notifications/broadcasts/:id/batches',
  'DELETE /notifications/:id',
  'PUT /notifications/:id/read',
  'PUT /notifications/read-all',
  // Approvals themselves, and questions.
  'POST /approvals',
  'POST /approvals/:id/decide',
  'DELETE /approvals/:id',
  'POST /authz/check',
  'POST /authz/explain',
  'POST /authz/preview',
  'POST /flags/:key/explain',
])

/** Endpoints of the own account, of guests, and without a caller, are exempt. */
const callersExempt = new Set(['nobody', 'account', 'suspendedAccount', 'guest'])

const isWrite = (method: string) => method !== 'GET'

test('every endpoint that writes is covered or exempt, and not both', () => {
  const writing = endpoints.filter(({ method, caller }) => isWrite(method) && !callersExempt.has(caller))
  const names = writing.map(({ name }) => name).filter((name) => /^\w+ \/(?!\/)/.test(name))
  const known = [...Object.keys(ofTenants), ...Object.keys(ofInstallation), ...exempt]
  expect(names.filter((name) => !known.includes(name))).toEqual([])
  expect(known.filter((name) => !names.includes(name))).toEqual([])
  expect(new Set(known).size).toBe(known.length)
})

test('the schema of policies names every operation', () => {
  expect((PolicyOperation as unknown as { enum: string[] }).enum).toEqual([...operations])
})

const know = async (): Promise<Known> => {
  const tenant = await newTenant()
  const { admin, id: tenantId } = tenant
  await addTotp(admin)
  await proveBy(admin, 'pwd', 'otp', 'mfa')
  const [user, factorUser] = [await tenant.member(), await tenant.member()]
  const role = await tenant.role('user:read')
  const [other, eligible, own] = [
    await tenant.role('audit:read'),
    await tenant.role('user:read'),
    await tenant.role('user:read'),
  ]
  ok(await admin.post(`/rbac/users/${user.userId}/roles`, { role_id: role.id }))
  for (const [userId, roleId] of [
    [user.userId, eligible.id],
    [admin.userId, own.id],
  ]) {
    ok(await admin.post(`/rbac/users/${userId}/eligible-roles`, { role_id: roleId, max_minutes: 60 }))
  }
  ok(await admin.put('/settings/tenant/auth.require_second_factor', { value: false }))
  const known = {
    admin,
    userId: user.userId,
    factorUserId: factorUser.userId,
    factorId: (await addTotp(factorUser)).id,
    roleId: role.id,
    otherRoleId: other.id,
    eligibleRoleId: eligible.id,
    ownEligibleRoleId: own.id,
    invitationId: ok(await admin.post('/invitations', { email: `${unique()}@example.com` })).id,
    serviceAccountId: (await keyWith(tenantId, [])).userId,
    domainId: ok(await admin.post('/domains', { domain: `${unique()}.example.com` })).id,
    connectionId: await insertActiveConnection(tenant),
    webhookId: ok(await admin.post('/webhooks', { url: 'http://127.0.0.1:9', events: ['*'] })).id,
  }
  await insertPolicies(
    tenantId,
    operations.filter((one) => !platformOperations.has(one)),
  )
  return known
}

const refusedFor = async (by: Caller, name: string, request: Request, known: Known) => {
  const [method = ''] = name.split(' ')
  const [path, body] = request(known)
  const send: Record<string, () => ReturnType<Caller['get']>> = {
    POST: () => by.post(path, body),
    PUT: () => by.put(path, body),
    DELETE: () => by.delete(path),
  }
  const { status, body: answer } = (await send[method]?.()) ?? { status: 0, body: {} }
  return [name, status, answer.code, answer.data?.operations]
}

describe('a tenant that asks for approvals of everything', () => {
  test('each covered endpoint of a tenant is 403, and changes nothing', async () => {
    const known = await know()
    for (const [name, { operation, request }] of Object.entries(ofTenants)) {
      if (!request) continue
      expect(await refusedFor(known.admin, name, request, known)).toEqual([
        name,
        403,
        40350,
        expect.arrayContaining([operation]),
      ])
    }
    expect(ok(await known.admin.get(`/users/${known.userId}`)).status).toBe(1)
  })

  test('each covered endpoint of the installation is 403', async () => {
    const root = await platformAdmin()
    await insertPolicies(builtInTenant.id, [...platformOperations])
    try {
      const known = { admin: root } as Known
      for (const [name, { operation, request }] of Object.entries(ofInstallation)) {
        if (!request) continue
        expect(await refusedFor(root, name, request, known)).toEqual([name, 403, 40350, [operation]])
      }
      const there = { tenant: (await newTenant()).id }
      expect(await root.put('/settings/global/color', { value: 'red' }, there)).toMatchObject({
        status: 403,
        body: { code: 40350 },
      })
    } finally {
      await parts.store
        .scoped({ tenantId: builtInTenant.id })
        .run(sql`delete from approval_policies where tenant_id = ${builtInTenant.id}`)
    }
  })
})
