import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { auditRecords, newTenant, platformAdmin } from '../../../test/factories.ts'
import { call } from '../../../test/harness.ts'

describe('the own profile', () => {
  test('the profile has exactly the fields of a user, and none is null', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const { status, data } = await user.get('/profile')
    expect(status).toBe(200)
    expect(data).toEqual({
      id: user.userId,
      tenant_id: tenant.id,
      username: user.username,
      email: user.email,
      nickname: '',
      avatar: '',
      status: 1,
      last_login: expect.stringMatching(/^\d{4}-/),
    })
  })

  test('the profile needs no permission', async () => {
    const tenant = await newTenant()
    const nobody = await tenant.userWith()
    expect(await nobody.get('/dashboard/stats')).toMatchObject({ status: 403 })
    expect(await nobody.get('/profile')).toMatchObject({ status: 200 })
  })

  test('the profile follows a change at once', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const user = await tenant.member()
    await admin.put(`/users/${user.userId}`, { nickname: 'Nick' })
    expect(await user.get('/profile')).toMatchObject({ data: { nickname: 'Nick' } })
  })

  test('the own nickname changes without a permission, and nothing else, with one audit record', async () => {
    const tenant = await newTenant()
    const user = await tenant.userWith()
    const before = (await user.get('/profile')).data
    const body = { nickname: ' Nick ', email: 'other@example.com', status: 0, id: tenant.admin.userId }
    const { status, data } = await user.put('/profile', body)
    expect([status, data]).toEqual([200, { ...before, nickname: 'Nick' }])
    expect((await user.get('/profile')).data).toEqual(data)
    expect((await user.put('/profile', { nickname: 'Nick' })).data).toEqual(data)
    const records = await auditRecords(tenant.id, 'user', user.userId)
    expect(records.filter(({ action }) => action === 'user.update')).toHaveLength(1)
    expect((await user.put('/profile', { nickname: 'x'.repeat(65) })).status).toBe(400)
    expect((await call('PUT', '/profile', { body: { nickname: 'x' } })).status).toBe(401)
  })

  test('a platform administrator changes their own nickname with any tenant in scope', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const { data } = await root.put('/profile', { nickname: 'Root' }, { tenant: tenant.id })
    expect(data).toMatchObject({ id: root.userId, tenant_id: root.tenantId, nickname: 'Root' })
    expect((await tenant.admin.get('/profile')).data.nickname).toBe('')
    await root.put('/profile', { nickname: '' })
  })

  test('the profile without identity is 401', async () => {
    expect(await call('GET', '/profile')).toMatchObject({ status: 401, body: { code: 40101, data: null } })
    expect(await call('GET', '/profile', { token: 'nonsense' })).toMatchObject({
      status: 401,
      body: { code: 40102 },
    })
  })

  test('a platform administrator reads their own profile with any tenant in scope', async () => {
    const root = await platformAdmin()
    const { id } = await newTenant()
    expect(await root.get('/profile', { tenant: id })).toMatchObject({
      status: 200,
      data: { id: root.userId, tenant_id: root.tenantId },
    })
  })

  test('the profile is the own one, whatever tenant the header names', async () => {
    const root = await platformAdmin()
    const answer = await root.get('/profile', { tenant: randomUUID() })
    expect(answer).toMatchObject({ status: 200, data: { id: root.userId } })
  })
})
