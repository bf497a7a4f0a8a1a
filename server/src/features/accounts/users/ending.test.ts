import { describe, expect, test } from 'vitest'
import {
  auditRecords,
  countAuditRecords,
  newTenant,
  ok,
  password,
  platformAdmin,
  signIn,
  unique,
  type Caller,
} from '../../../../test/factories.ts'
import { call } from '../../../../test/harness.ts'
import { refusal, tally } from '../../../../test/answers.ts'

const login = ({ email }: { email: string }, withPassword = password) =>
  call('POST', '/auth/login', { body: { email, password: withPassword } })

const refresh = ({ refreshToken }: Caller) =>
  call('POST', '/auth/refresh', { body: { refresh_token: refreshToken } })

describe('disabling a user', () => {
  test('ends their sessions at once and for good', async () => {
    const tenant = await newTenant()
    const member = await tenant.member()
    const elsewhere = await signIn(member)
    expect((await member.get('/ping')).status).toBe(200)
    expect((await tenant.admin.put(`/users/${member.userId}`, { status: 0 })).data.status).toBe(0)
    for (const session of [member, elsewhere]) {
      expect(await session.get('/profile')).toMatchObject(refusal('tokenInvalid'))
      expect(await refresh(session)).toMatchObject(refusal('refreshTokenInvalid'))
    }
    expect((await tenant.admin.put(`/users/${member.userId}`, { status: 1 })).data.status).toBe(1)
    for (const session of [member, elsewhere]) {
      expect(await session.get('/profile')).toMatchObject(refusal('tokenInvalid'))
      expect(await refresh(session)).toMatchObject(refusal('refreshTokenInvalid'))
    }
    expect((await (await signIn(member)).get('/profile')).status).toBe(200)
  })

  test('refuses the login from then on, and gives the reason only after the right password', async () => {
    const tenant = await newTenant()
    const member = await tenant.member()
    await tenant.admin.put(`/users/${member.userId}`, { status: 0 })
    expect(await login(member)).toMatchObject(refusal('accountDisabled'))
    expect(await login(member, 'wrong password')).toMatchObject(refusal('credentialsWrong'))
  })

  test('leaves no way in for a login that runs at the same moment', async () => {
    const tenant = await newTenant()
    const member = await tenant.member()
    const [disabled, ...logins] = await Promise.all([
      tenant.admin.put(`/users/${member.userId}`, { status: 0 }),
      ...Array.from({ length: 10 }, () => login(member)),
    ])
    expect(disabled?.status).toBe(200)
    for (const { status } of logins) expect([200, 401]).toContain(status)
    for (const { data } of logins.filter(({ status }) => status === 200)) {
      expect((await call('GET', '/ping', { token: data.access_token })).status).toBe(401)
    }
  })

  test('keeps the roles: enabling gives them back', async () => {
    const tenant = await newTenant()
    const user = await tenant.userWith('user:read')
    await tenant.admin.put(`/users/${user.userId}`, { status: 0 })
    await tenant.admin.put(`/users/${user.userId}`, { status: 1 })
    expect((await (await signIn(user)).get('/users')).status).toBe(200)
  })
})

describe('deleting a user', () => {
  test('answers null, ends their sessions at once and refuses the login as for a stranger', async () => {
    const tenant = await newTenant()
    const member = await tenant.member()
    expect((await member.get('/ping')).status).toBe(200)
    expect(await tenant.admin.delete(`/users/${member.userId}`)).toMatchObject({
      status: 200,
      body: { data: null },
    })
    expect(await member.get('/profile')).toMatchObject(refusal('tokenInvalid'))
    expect(await refresh(member)).toMatchObject(refusal('refreshTokenInvalid'))
    const [gone, stranger] = [await login(member), await login({ email: `${unique()}@example.com` })]
    expect(gone).toMatchObject(refusal('credentialsWrong'))
    expect({ ...gone.body, trace_id: '' }).toStrictEqual({ ...stranger.body, trace_id: '' })
  })

  test('takes the user out of every list, and is 404 the second time', async () => {
    const tenant = await newTenant()
    const member = await tenant.member()
    const path = `/users/${member.userId}`
    await tenant.admin.delete(path)
    expect(await tenant.admin.get(path)).toMatchObject(refusal('userUnknown'))
    expect(await tenant.admin.delete(path)).toMatchObject(refusal('userUnknown'))
    expect(await tenant.admin.get(`/rbac${path}/roles`)).toMatchObject(refusal('userUnknown'))
    expect((await tenant.admin.get('/users')).data.total).toBe(1)
  })

  test('frees e-mail and username', async () => {
    const tenant = await newTenant()
    const { userId, email, username } = await tenant.member()
    await tenant.admin.delete(`/users/${userId}`)
    const again = await tenant.admin.post('/users', { email, username, password })
    expect(again.status).toBe(200)
    expect(again.data.id).not.toBe(userId)
  })

  test('works for a user with notifications, roles and records, and the records stay', async () => {
    const tenant = await newTenant()
    const user = await tenant.userWith('user:read', 'role:create')
    const role = await user.post('/rbac/roles', { name: 'made by them' })
    await tenant.admin.post('/notifications', { user_id: user.userId, title: 'hello' })
    expect((await tenant.admin.delete(`/users/${user.userId}`)).status).toBe(200)
    expect(await auditRecords(tenant.id, 'role', role.data.id)).toMatchObject([{ user_id: user.userId }])
    expect(await auditRecords(tenant.id, 'user', user.userId)).toMatchObject([
      {
        user_id: tenant.admin.userId,
        action: 'user.delete',
        detail: { email: { from: user.email, to: null }, status: { from: 1, to: null } },
      },
      { action: 'user.create' },
    ])
  })

  test('one of many deletions at once succeeds', async () => {
    const tenant = await newTenant()
    const member = await tenant.member()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => tenant.admin.delete(`/users/${member.userId}`)),
    )
    expect(tally(answers)).toEqual({ 200: 1, 404: 7 })
    expect(await auditRecords(tenant.id, 'user', member.userId)).toHaveLength(2)
  })
})

describe('one’s own account', () => {
  test('users cannot disable or delete themselves', async () => {
    const tenant = await newTenant()
    const callers = [tenant.admin, await tenant.userWith('user:update', 'user:delete'), await platformAdmin()]
    for (const caller of callers) {
      const path = `/users/${caller.userId}`
      const records = await countAuditRecords(caller.tenantId)
      const { nickname } = ok(await caller.get('/profile'))
      expect(await caller.put(path, { status: 0, nickname: 'gone' })).toMatchObject(refusal('ownAccount'))
      expect(await caller.delete(path)).toMatchObject(refusal('ownAccount'))
      expect(ok(await caller.get('/profile'))).toMatchObject({ status: 1, nickname })
      expect(await countAuditRecords(caller.tenantId)).toBe(records)
    }
  })

  test('can be changed otherwise by a caller who may change users', async () => {
    const tenant = await newTenant()
    const path = `/users/${tenant.admin.userId}`
    expect((await tenant.admin.put(path, { nickname: 'Me', status: 1 })).data.nickname).toBe('Me')
    expect((await tenant.admin.get('/profile')).data.nickname).toBe('Me')
  })

  test('at most one of two administrators who disable each other at once succeeds', async () => {
    for (let round = 0; round < 3; round++) {
      const tenant = await newTenant()
      const root = await platformAdmin()
      const other = await tenant.member()
      const roles = (await tenant.admin.get('/rbac/roles')).data as { id: number; name: string }[]
      const role_id = roles.find(({ name }) => name === 'admin')?.id
      expect(
        (await root.post(`/rbac/users/${other.userId}/roles`, { role_id }, { tenant: tenant.id })).status,
      ).toBe(200)
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          index % 2 === 0
            ? tenant.admin.put(`/users/${other.userId}`, { status: 0 })
            : other.put(`/users/${tenant.admin.userId}`, { status: 0 }),
        ),
      )
      for (const { status } of answers) expect([200, 401, 403]).toContain(status)
      const users = (await root.get('/users', { tenant: tenant.id })).data.items as { status: number }[]
      expect(users.filter((user) => user.status === 1)).toHaveLength(1)
    }
  })
})
