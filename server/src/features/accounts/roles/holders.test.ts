/** The holders of a role: `GET /rbac/roles/{id}/users`. */
import { beforeAll, describe, expect, test } from 'vitest'
import {
  badIds,
  newTenant,
  nobodysId,
  ok,
  platformAdmin,
  systemRoleId,
  type Tenant,
} from '../../../../test/factories.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { call } from '../../../../test/harness.ts'

interface Item {
  id: number
}

describe('the holders of a role', () => {
  let tenant: Tenant
  let path: string
  let holders: number[]

  beforeAll(async () => {
    tenant = await newTenant()
    const role = await tenant.role('setting:read')
    path = `/rbac/roles/${role.id}/users`
    const members = [await tenant.member(), await tenant.member(), await tenant.member()]
    holders = members.map(({ userId }) => userId)
    for (const id of holders.toReversed()) {
      ok(await tenant.admin.post(`/rbac/users/${id}/roles`, { role_id: role.id }))
    }
    await tenant.member()
  })

  test('are users as the list of users shows them, ordered by id, with their total', async () => {
    const { data } = await tenant.admin.get(path)
    expect(data).toEqual({ items: expect.any(Array), total: 3, page: 1 })
    expect(data.items.map(({ id }: Item) => id)).toEqual(holders)
    const { items } = ok(await tenant.admin.get('/users'))
    expect(data.items).toEqual(items.filter(({ id }: Item) => holders.includes(id)))
  })

  test('come in pages, of which one past the end is empty', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => tenant.admin.get(`${path}?page=${page}&page_size=2`)),
    )
    expect(pages.map(({ data }) => [data.page, data.total, data.items.map(({ id }: Item) => id)])).toEqual([
      [1, 3, holders.slice(0, 2)],
      [2, 3, holders.slice(2)],
      [3, 3, []],
    ])
  })

  test('are read on after one of them', async () => {
    const { data } = await tenant.admin.get(`${path}?after_id=${holders[0]}&page_size=1`)
    expect([data.total, data.page, data.items.map(({ id }: Item) => id)]).toEqual([3, 1, [holders[1]]])
    const second = (await tenant.admin.get(`${path}?after_id=${holders[0]}&page_size=1&page=2`)).data
    expect(second.items.map(({ id }: Item) => id)).toEqual([holders[2]])
    expect((await tenant.admin.get(`${path}?after_id=${holders[2]}`)).data.items).toEqual([])
    expect(await tenant.admin.get(`${path}?after_id=0`)).toMatchObject(refusalOf('after_id'))
  })

  test('are none for a new role, and the remaining ones after a role was taken away', async () => {
    const role = await tenant.role()
    const own = `/rbac/roles/${role.id}/users`
    expect((await tenant.admin.get(own)).data).toEqual({ items: [], total: 0, page: 1 })
    const [first = 0, second = 0] = holders
    for (const id of [first, second]) {
      ok(await tenant.admin.post(`/rbac/users/${id}/roles`, { role_id: role.id }))
    }
    ok(await tenant.admin.delete(`/rbac/users/${first}/roles/${role.id}`))
    expect((await tenant.admin.get(own)).data).toMatchObject({ items: [{ id: second }], total: 1 })
  })

  test('are shown to a platform administrator with any tenant in scope', async () => {
    const root = await platformAdmin()
    expect((await root.get(path, { tenant: tenant.id })).data.total).toBe(3)
  })

  test('are shown only with the permissions to see roles and users', async () => {
    const [roles, users, both] = await Promise.all([
      tenant.userWith('role:read'),
      tenant.userWith('user:read'),
      tenant.userWith('role:read', 'user:read'),
    ])
    expect(await roles.get(path)).toMatchObject(refusal('permissionMissing'))
    expect(await roles.get(`/rbac/roles/${nobodysId}/users`)).toMatchObject(refusal('permissionMissing'))
    expect(await users.get(path)).toMatchObject(refusal('permissionMissing'))
    expect((await both.get(path)).data.total).toBe(3)
    expect(await call('GET', path, { tenant: tenant.id })).toMatchObject(refusal('tokenMissing'))
  })

  test('the holders of an unknown role are 404', async () => {
    expect(await tenant.admin.get(`/rbac/roles/${nobodysId}/users`)).toMatchObject(refusal('roleUnknown'))
  })

  test('need a sound id, page and tenant header', async () => {
    for (const id of badIds) {
      expect(await tenant.admin.get(`/rbac/roles/${id}/users`)).toMatchObject(refusalOf('id'))
    }
    expect(await tenant.admin.get(`${path}?page=0`)).toMatchObject(refusalOf('page'))
    expect(await tenant.admin.get(`${path}?page_size=201`)).toMatchObject(refusalOf('page_size'))
    const bare = await call('GET', path, { token: tenant.admin.token })
    expect(bare).toMatchObject(refusal('tenantHeaderMissing'))
  })
})

describe('the number of holders', () => {
  const countOf = async ({ admin }: Tenant, roleId: number): Promise<number> =>
    ok(await admin.get('/rbac/roles?include=holders')).find(({ id }: Item) => id === roleId).holders

  test('is in the list of roles only on demand', async () => {
    const { admin } = await newTenant()
    const plain = ok(await admin.get('/rbac/roles'))
    const counted = ok(await admin.get('/rbac/roles?include=holders'))
    expect(counted).toStrictEqual(plain.map((role: Item) => ({ ...role, holders: expect.any(Number) })))
    for (const include of ['Holders', 'holders,users']) {
      expect(await admin.get(`/rbac/roles?include=${include}`)).toMatchObject(refusalOf('include'))
    }
  })

  test('counts the users of the tenant, and neither service accounts nor users of others', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const role = await tenant.role('setting:read')
    const [one, two] = [await tenant.member(), await tenant.member()]
    await other.member()
    const account = ok(await tenant.admin.post('/service-accounts', { name: 'Builder' }))
    for (const id of [one.userId, two.userId, account.id]) {
      ok(await tenant.admin.post(`/rbac/users/${id}/roles`, { role_id: role.id }))
    }
    expect(await countOf(tenant, role.id)).toBe(2)
    expect(await countOf(tenant, systemRoleId('member'))).toBe(3)
    ok(await tenant.admin.delete(`/users/${one.userId}`))
    expect(await countOf(tenant, role.id)).toBe(1)
  })

  test('is shown only with the permission to see users', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith('role:read')
    expect(await clerk.get('/rbac/roles?include=holders')).toMatchObject(refusal('permissionMissing'))
    expect((await clerk.get('/rbac/roles')).status).toBe(200)
  })
})
