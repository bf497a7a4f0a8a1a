import { describe, expect, test } from 'vitest'
import { badIds, newTenant, nobodysId, password, platformAdmin, unique } from '../../../../test/factories.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'

describe('users', () => {
  test('a user has exactly the fields of the specification, and no string is null', async () => {
    const tenant = await newTenant()
    const username = unique('u')
    const email = `${username}@Example.com`
    const created = await tenant.admin.post('/users', { email, username, password })
    const user = {
      id: expect.any(Number),
      tenant_id: tenant.id,
      username,
      email,
      nickname: '',
      avatar: '',
      status: 1,
      last_login: '',
    }
    expect(created.data).toStrictEqual(user)
    expect((await tenant.admin.get(`/users/${created.data.id}`)).data).toStrictEqual(user)
  })

  test('a sign-in shows as last_login, in ISO 8601 with an offset', async () => {
    const tenant = await newTenant()
    const { data } = await tenant.admin.get(`/users/${tenant.admin.userId}`)
    expect(data.last_login).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
    expect(Math.abs(Date.parse(data.last_login) - Date.now())).toBeLessThan(60_000)
  })

  test.each(badIds)('the id %s is 400 wherever a path holds it', async (id) => {
    const { admin } = await newTenant()
    expect(await admin.get(`/users/${id}`)).toMatchObject(refusalOf('id'))
    expect(await admin.put(`/users/${id}`, {})).toMatchObject(refusalOf('id'))
    expect(await admin.delete(`/users/${id}`)).toMatchObject(refusalOf('id'))
  })

  test('an unknown id is 404', async () => {
    const { admin } = await newTenant()
    for (const id of [nobodysId, 2 ** 31]) {
      expect(await admin.get(`/users/${id}`)).toMatchObject(refusal('userUnknown'))
      expect(await admin.put(`/users/${id}`, { nickname: 'x' })).toMatchObject(refusal('userUnknown'))
      expect(await admin.put(`/users/${id}`, {})).toMatchObject(refusal('userUnknown'))
      expect(await admin.delete(`/users/${id}`)).toMatchObject(refusal('userUnknown'))
    }
  })

  test('one permission is enough for its endpoint', async () => {
    const tenant = await newTenant()
    const target = await tenant.member()
    const take = `/rbac/users/${target.userId}/roles/${(await target.get(`/rbac/users/${target.userId}/roles`)).data[0].id}`
    expect((await tenant.admin.delete(take)).status).toBe(200)
    const path = `/users/${target.userId}`
    expect((await (await tenant.userWith('user:read')).get(path)).status).toBe(200)
    expect((await (await tenant.userWith('user:update')).put(path, { nickname: 'x' })).status).toBe(200)
    expect((await (await tenant.userWith('user:delete')).delete(path)).status).toBe(200)
    const username = unique()
    const body = { username, email: `${username}@example.com`, password }
    expect((await (await tenant.userWith('user:create')).post('/users', body)).status).toBe(200)
  })

  test('the list without a tenant header is that of the own tenant', async () => {
    const tenant = await newTenant()
    const answer = await tenant.admin.get('/users', { tenant: undefined })
    expect(answer.data.items.map((user: { id: number }) => user.id)).toEqual([tenant.admin.userId])
  })

  test('a platform administrator works in the tenant of the header', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const username = unique()
    const body = { username, email: `${username}@example.com`, password }
    const created = await root.post('/users', body, { tenant: tenant.id })
    expect(created.data.tenant_id).toBe(tenant.id)
    expect((await tenant.admin.get(`/users/${created.data.id}`)).status).toBe(200)
    expect(await root.get(`/users/${created.data.id}`)).toMatchObject(refusal('userUnknown'))
  })
})
