import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { refusal } from '../../../../test/answers.ts'
import {
  assign,
  auditRecords,
  builtIn,
  countAuditRecords,
  keyWith,
  newTenant,
  ok,
  onlyPlatformAdmin,
  platformAdmin,
  signIn,
  systemRoleId,
  unique,
} from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'

const path = '/service-accounts'

describe('a service account', () => {
  test('has exactly the fields of the contract, and neither roles nor keys at first', async () => {
    const { admin, id: tenant_id } = await newTenant()
    const account = ok(await admin.post(path, { name: ' Billing ', description: 'Invoices' }))
    expect(account).toStrictEqual({
      id: expect.any(Number),
      tenant_id,
      name: 'Billing',
      description: 'Invoices',
      status: 1,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      last_used_at: '',
    })
    expect(ok(await admin.get(`${path}/${account.id}`))).toStrictEqual(account)
    expect(ok(await admin.get(`/rbac/users/${account.id}/roles`))).toEqual([])
    expect(ok(await admin.get(`${path}/${account.id}/keys`))).toEqual([])
  })

  test('has an id of its own among the users, and is none of them', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const before = ok(await admin.get('/dashboard/stats'))
    const { id } = ok(await admin.post(path, { name: 'any' }))
    const later = await tenant.member()
    expect(later.userId).toBeGreaterThan(id)
    expect(await admin.get(`/users/${id}`)).toMatchObject(refusal('userUnknown'))
    const listed = ok(await admin.get('/users'))
    expect(listed.items.map((user: { id: number }) => user.id)).toEqual([admin.userId, later.userId])
    expect(ok(await admin.get('/dashboard/stats')).userCount).toBe(before.userCount + 1)
    const note = { user_id: id, title: 'Hello' }
    expect(await admin.post('/notifications', note)).toMatchObject(refusal('userUnknown'))
    expect(await admin.get(`/notifications/user/${id}`)).toMatchObject(refusal('userUnknown'))
  })

  test('has a name that is unique in the tenant without case, and free elsewhere', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    ok(await one.admin.post(path, { name: 'Straße' }))
    expect(await one.admin.post(path, { name: 'STRAßE' })).toMatchObject(refusal('serviceAccountNameTaken'))
    const { id } = ok(await one.admin.post(path, { name: 'second' }))
    const renaming = one.admin.put(`${path}/${id}`, { name: 'straße' })
    expect(await renaming).toMatchObject(refusal('serviceAccountNameTaken'))
    ok(await other.admin.post(path, { name: 'Straße' }))
  })

  test.each([
    [{}],
    [{ name: ' ' }],
    [{ name: 'x'.repeat(65) }],
    [{ name: 'x', description: 'x'.repeat(256) }],
  ])('is not created from %j', async (body) => {
    const { admin } = await newTenant()
    expect(await admin.post(path, body)).toMatchObject({ status: 400, body: { code: 40001 } })
  })

  test('is found by part of its name without case, and by its status', async () => {
    const { admin } = await newTenant()
    const ids: number[] = []
    for (const name of ['Billing', 'Mail', 'BILLS_100%']) ids.push(ok(await admin.post(path, { name })).id)
    ok(await admin.put(`${path}/${ids[2]}`, { status: 0 }))
    const found = async (query: string) => {
      const page = ok(await admin.get(`${path}?${query}`))
      return [page.total, page.items.map(({ id }: { id: number }) => ids.indexOf(id))]
    }
    expect(await found('search=bill')).toEqual([2, [0, 2]])
    expect(await found('search=bill&status=1')).toEqual([1, [0]])
    expect(await found(`search=${encodeURIComponent('_100%')}`)).toEqual([1, [2]])
    expect(await found('page=2&page_size=2')).toEqual([3, [2]])
  })

  test('leaves one record for each change, and none without a change', async () => {
    const { admin, id: tenantId } = await newTenant()
    const { id } = ok(await admin.post(path, { name: 'any' }))
    ok(await admin.put(`${path}/${id}`, { description: 'new', status: 0 }))
    const records = await countAuditRecords(tenantId)
    ok(await admin.put(`${path}/${id}`, {}))
    ok(await admin.put(`${path}/${id}`, { description: 'new' }))
    expect(await countAuditRecords(tenantId)).toBe(records)
    ok(await admin.delete(`${path}/${id}`))
    const found = await auditRecords(tenantId, 'service_account', id)
    expect(found.map(({ action }) => action)).toEqual([
      'service_account.delete',
      'service_account.update',
      'service_account.create',
    ])
    expect(found[1]?.detail).toMatchObject({
      description: { from: '', to: 'new' },
      status: { from: 1, to: 0 },
    })
  })

  test('a tenant has at most 1,000 of them', async () => {
    const { admin, id } = await newTenant()
    await fill(id, 999)
    ok(await admin.post(path, { name: 'the last' }))
    expect(await admin.post(path, { name: 'one more' })).toMatchObject(refusal('serviceAccountsFull'))
    expect(ok(await admin.get(`${path}?page_size=1`)).total).toBe(1000)
  })
})

const fill = (tenantId: string, count: number) =>
  parts.store.scoped({ tenantId }).run(sql`
    insert into service_accounts (tenant_id, name, name_folded, created_at)
    select ${tenantId}::uuid, 'n' || n, 'n' || n, now() from generate_series(1, ${count}::int) n
    returning id`)

describe('the roles of a service account', () => {
  test('are given, listed and taken as those of users, and counted as no users', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const { id } = ok(await admin.post(path, { name: 'any' }))
    const role = await tenant.role('user:read')
    const member = await tenant.member()
    for (const holder of [id, member.userId]) {
      ok(await admin.post(`/rbac/users/${holder}/roles`, { role_id: role.id }))
    }
    const again = admin.post(`/rbac/users/${id}/roles`, { role_id: role.id })
    expect(await again).toMatchObject(refusal('roleAlreadyHeld'))
    expect(ok(await admin.get(`/rbac/users/${id}/roles`))).toMatchObject([{ id: role.id }])
    const holders = ok(await admin.get(`/rbac/roles/${role.id}/users`))
    expect([holders.total, holders.items[0].id]).toEqual([1, member.userId])
    const [given] = (await auditRecords(tenant.id, 'role', role.id)).filter(
      ({ detail }) => detail['user_id']?.to === id,
    )
    expect(given).toMatchObject({ action: 'role.assign', detail: { username: { to: 'any' } } })
    ok(await admin.delete(`/rbac/users/${id}/roles/${role.id}`))
    expect(ok(await admin.get(`/rbac/users/${id}/roles`))).toEqual([])
  })

  test('never include platform-admin', async () => {
    const root = await platformAdmin()
    const { id } = ok(await root.post(path, { name: unique() }))
    const role_id = systemRoleId('platform-admin')
    const answer = await root.post(`/rbac/users/${id}/roles`, { role_id })
    expect(answer).toMatchObject({ status: 400, data: { errors: [{ field: 'role_id' }] } })
  })

  test('go with the account: its id gives nobody a role any more', async () => {
    const tenant = await newTenant()
    const { id } = ok(await tenant.admin.post(path, { name: 'any' }))
    const user = await tenant.member()
    await assign(tenant.id, id, systemRoleId('viewer'))
    ok(await tenant.admin.delete(`${path}/${id}`))
    ok(await tenant.admin.delete(`/users/${user.userId}`))
    const left = await parts.store
      .scoped({ tenantId: tenant.id })
      .many(sql`select from user_roles where user_id = any (${[id, user.userId]})`)
    expect(left).toEqual([])
    expect(await tenant.admin.get(`/rbac/users/${id}/roles`)).toMatchObject(refusal('userUnknown'))
  })
})

describe('rank', () => {
  test('changing, deleting, giving a key and revoking one need every permission of the account', async () => {
    const tenant = await newTenant()
    const codes = ['service_account:update', 'service_account:delete', 'service_account:create'] as const
    const clerk = await tenant.userWith(...codes)
    const { userId: id, keyId } = await keyWith(tenant.id, ['audit:read'])
    const records = await countAuditRecords(tenant.id)
    const target = `${path}/${id}`
    for (const answer of [
      await clerk.put(target, { status: 0 }),
      await clerk.delete(target),
      await clerk.post(`${target}/keys`, { name: 'mine' }),
      await clerk.delete(`${target}/keys/${keyId}`),
    ]) {
      expect(answer).toMatchObject(refusal('targetOutranksCaller'))
    }
    expect(await countAuditRecords(tenant.id)).toBe(records)
    const weak = await keyWith(tenant.id, ['service_account:create'])
    ok(await clerk.post(`${path}/${weak.userId}/keys`, { name: 'second' }))
    ok(await clerk.delete(`${path}/${weak.userId}`))
  })

  test('a service account is no platform administrator who could be the last one', async () => {
    const root = await onlyPlatformAdmin()
    const role = systemRoleId('platform-admin')
    await keyWith(builtIn.id, ['tenant:enter', 'tenant:read'])
    const own = root.delete(`/rbac/users/${root.userId}/roles/${role}`)
    expect(await own).toMatchObject(refusal('lastPlatformAdmin'))
    expect((await signIn(root)).userId).toBe(root.userId)
  })
})
