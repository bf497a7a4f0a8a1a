import { beforeAll, describe, expect, test } from 'vitest'
import { builtIn, newTenant, password, platformAdmin, register, signIn } from '../../../../test/factories.ts'
import { clock } from '../../../../test/harness.ts'
import {
  actionsOf,
  credentials,
  postLogin,
  postRefresh,
  postRegister,
  recordsOf,
} from '../../../../test/accounts.ts'

beforeAll(() => platformAdmin())

const elevenSeconds = 11_000

describe('audit records of signing in', () => {
  test('registering leaves one record with the user and the address', async () => {
    const mine = credentials()
    const answer = await postRegister(
      { ...mine, nickname: 'Ada' },
      { headers: { 'user-agent': 'tests/1.0' } },
    )
    const { userId } = await signIn({ ...mine, userId: 0, tenantId: builtIn.id }).then(async (user) => {
      const { data } = await user.get('/profile')
      return { userId: data.id as number }
    })
    const [record, ...others] = await recordsOf({ userId, tenantId: builtIn.id })
    expect(record).toMatchObject({
      tenant_id: builtIn.id,
      user_id: userId,
      action: 'auth.register',
      resource: 'auth',
      resource_id: String(userId),
      ip: '127.0.0.1',
      user_agent: 'tests/1.0',
      trace_id: answer.body.trace_id,
      detail: {
        email: { from: null, to: mine.email },
        username: { from: null, to: mine.username },
        nickname: { from: null, to: 'Ada' },
      },
    })
    expect(others.map(({ action }) => action)).toEqual(['auth.login'])
  })

  test('a refused registration leaves no record', async () => {
    const root = await platformAdmin()
    const count = async () => (await root.get('/audit/logs?action=auth.register')).data.total
    const user = await register()
    const before = await count()
    expect(await postRegister({ ...credentials(), email: user.email })).toMatchObject({ status: 409 })
    expect(await postRegister({ ...credentials(), username: user.username })).toMatchObject({ status: 409 })
    expect(await postRegister({ ...credentials(), username: '' })).toMatchObject({ status: 400 })
    expect(await count()).toBe(before)
  })

  test('a login leaves one record in the tenant of the user', async () => {
    const user = await (await newTenant()).member()
    const answer = await postLogin(user.email)
    const records = await recordsOf(user)
    expect(records.map(({ action }) => action)).toEqual(['auth.login', 'auth.login'])
    expect(records.at(-1)).toMatchObject({ trace_id: answer.body.trace_id, resource: 'auth', detail: {} })
  })

  test('a failed login on a known account leaves one record', async () => {
    const user = await (await newTenant()).member()
    const answer = await postLogin(user.email.toUpperCase(), 'not the password')
    expect(await actionsOf(user)).toEqual(['auth.login', 'auth.login_failed'])
    expect((await recordsOf(user)).at(-1)).toMatchObject({
      user_id: user.userId,
      resource_id: String(user.userId),
      trace_id: answer.body.trace_id,
    })
  })

  test('a failed login on a disabled account leaves one record, with the right password or a wrong one', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const user = await tenant.member()
    await admin.put(`/users/${user.userId}`, { status: 0 })
    await postLogin(user.email)
    expect(await actionsOf(user)).toEqual(['auth.login', 'auth.login_failed'])
    await postLogin(user.email, 'not the password')
    expect(await actionsOf(user)).toEqual(['auth.login', 'auth.login_failed', 'auth.login_failed'])
  })

  test('a login into a disabled tenant leaves one record', async () => {
    const root = await platformAdmin()
    const tenant = await newTenant()
    await root.put(`/org/tenants/${tenant.id}`, { status: 0 })
    await postLogin(tenant.admin.email)
    expect(await actionsOf(tenant.admin)).toEqual(['auth.login', 'auth.login_failed'])
  })

  test('a failed login on an unknown e-mail leaves no record anywhere', async () => {
    const root = await platformAdmin()
    const count = async () => (await root.get('/audit/logs?action=auth.login_failed')).data.total
    const byNobody = () => recordsOf({ userId: 0, tenantId: builtIn.id })
    const before = [await count(), await byNobody()]
    await postLogin(credentials().email)
    expect([await count(), await byNobody()]).toEqual(before)
  })

  test('a password change leaves one record, without a word of the passwords', async () => {
    const user = await (await newTenant()).member()
    await user.post('/password', { old_password: password, new_password: 'another good password' })
    expect(await actionsOf(user)).toEqual(['auth.login', 'auth.password_change'])
    const text = JSON.stringify(await recordsOf(user))
    expect(text).not.toContain(password)
    expect(text).not.toContain('another good password')
  })

  test('a refresh that goes well leaves no record', async () => {
    const user = await (await newTenant()).member()
    expect(await postRefresh(user.refreshToken)).toMatchObject({ status: 200 })
    expect(await postRefresh(user.refreshToken)).toMatchObject({ status: 200 })
    expect(await actionsOf(user)).toEqual(['auth.login'])
  })

  test('a refresh token used again leaves one record, however often it is tried', async () => {
    const user = await (await newTenant()).member()
    await postRefresh(user.refreshToken)
    clock.advance(elevenSeconds)
    await Promise.all(Array.from({ length: 5 }, () => postRefresh(user.refreshToken)))
    await postRefresh(user.refreshToken)
    expect(await actionsOf(user)).toEqual(['auth.login', 'auth.refresh_reused'])
  })

  test('a refresh token that is no token leaves no record', async () => {
    const user = await (await newTenant()).member()
    expect(await postRefresh(`${user.refreshToken}x`)).toMatchObject({ status: 401 })
    expect(await postRefresh(user.token)).toMatchObject({ status: 401 })
    expect(await actionsOf(user)).toEqual(['auth.login'])
  })
})
