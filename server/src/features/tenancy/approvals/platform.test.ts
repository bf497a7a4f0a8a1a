/** Approvals of changes of the installation, which the built-in tenant asks for. */
import sql from 'sql-template-tag'
import { afterEach, expect, test } from 'vitest'
import { insertPolicies } from '../../../../test/approval-rows.ts'
import { approvedBy, ask, carrying, platformAdministrator } from '../../../../test/approving.ts'
import { clearCatalogue, newTenant, ok, platformAdmin, unique } from '../../../../test/factories.ts'
import { call, parts } from '../../../../test/harness.ts'
import { platformOperations } from '../../../access/operations.ts'
import { builtInTenant } from '../../../access/permissions.ts'

const { id: tenantId } = builtInTenant

const dropPolicies = () =>
  parts.store.scoped({ tenantId }).run(sql`delete from approval_policies where tenant_id = ${tenantId}`)

afterEach(async () => {
  await dropPolicies()
  await clearCatalogue()
})

test('each kind has the digest of its real call', async () => {
  const root = await platformAdministrator()
  const decider = await platformAdministrator()
  const [first, second] = [await newTenant(), await newTenant()]
  await insertPolicies(tenantId, [...platformOperations])
  const application = { name: unique(), kind: 'web', redirect_uris: ['https://shop.example.com/callback'] }
  const provider = {
    kind: 'google',
    slug: unique('p'),
    name: 'Google',
    client_id: 'x',
    client_secret: 'secret',
  }
  const changes: [string, string, object?][] = [
    ['PUT', `/org/tenants/${first.id}`, { status: 0 }],
    ['DELETE', `/org/tenants/${second.id}`],
    ['POST', '/rbac/permissions', { code: `${unique('m')}:read`, name: 'Read' }],
    ['POST', '/rbac/role-templates', { name: unique('role') }],
    ['PUT', '/attributes/user/approved', { schema: { type: 'string' } }],
    ['DELETE', '/attributes/user/approved'],
    ['POST', '/applications', application],
    ['POST', '/providers', provider],
    ['PUT', '/settings/global/color', { value: 'red' }],
    ['DELETE', '/settings/global/color'],
    ['PUT', '/settings/definitions/approved.color', { schema: {}, scopes: ['tenant'] }],
    ['DELETE', '/settings/definitions/approved.color'],
  ]
  for (const [method, path, body] of changes) {
    const asked = await approvedBy(decider, ok(await ask(root, method, path, body)))
    const sent = { token: root.token, tenant: tenantId, ...(body && { body }), ...carrying(asked.id) }
    const { status, data } = await call(method, path, sent)
    expect([method, path, status, data]).toEqual([method, path, 200, data])
    if (path === '/providers') await dropProvider(data.id)
  }
  expect((await first.admin.get('/profile')).status).toBe(403)
  expect((await second.admin.get('/profile')).status).toBe(401)
})

const dropProvider = async (id: string): Promise<void> => {
  await dropPolicies()
  ok(await (await platformAdmin()).delete(`/providers/${id}`))
  await insertPolicies(tenantId, [...platformOperations])
}

test('is asked for in the built-in tenant alone', async () => {
  const root = await platformAdministrator()
  const { id } = await newTenant()
  await insertPolicies(tenantId, [...platformOperations])
  const body = { method: 'DELETE', path: `/org/tenants/${id}`, reason: 'It is empty' }
  expect(await root.post('/approvals', body, { tenant: id })).toMatchObject({
    status: 403,
    body: { code: 40350 },
  })
})
