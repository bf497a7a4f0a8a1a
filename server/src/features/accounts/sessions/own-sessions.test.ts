import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  auditRecords,
  keyWith,
  newTenant,
  ok,
  password,
  platformAdmin,
  signIn,
  type Caller,
} from '../../../../test/factories.ts'
import { actionsOf, pingStatus, postLogin, postRefresh } from '../../../../test/accounts.ts'
import { refusal } from '../../../../test/answers.ts'
import { call, clock, parts, startApp } from '../../../../test/harness.ts'
import { insertMember } from '../../../../test/people.ts'

beforeAll(() => platformAdmin())

const member = async (): Promise<Caller> => (await newTenant()).member()

interface Shown {
  id: string
  tenant_id: string
  last_used_at: string
  is_current: boolean
}

const sessionsOf = async (caller: Caller): Promise<Shown[]> => ok(await caller.get('/auth/sessions'))
const currentOf = async (caller: Caller) => (await sessionsOf(caller)).find((one) => one.is_current)

/** The tokens of a second user of the same person: in another tenant, with a session of the same sign-in. */
const userElsewhere = async (user: Caller) => {
  const other = await newTenant()
  const userId = await insertMember(user, other)
  const { access_token: token } = ok(await user.post('/auth/switch', { tenant_id: other.id }))
  return { tenant: other, userId, token: token as string }
}

const expectEnded = async ({ token, refreshToken }: Caller) => {
  expect(await pingStatus(token)).toBe(401)
  expect(await postRefresh(refreshToken)).toMatchObject(refusal('refreshTokenInvalid'))
}

describe('the own sessions', () => {
  test('are listed with device, address and times, and the current one is marked', async () => {
    const user = await member()
    await postLogin(user.email, password, { headers: { 'user-agent': 'a browser' } })
    const sessions = await sessionsOf(user)
    expect(sessions).toHaveLength(2)
    expect(sessions.filter((one) => one.is_current)).toHaveLength(1)
    const other = sessions.find((one) => !one.is_current)
    expect(Object.keys(other ?? {}).toSorted()).toEqual([
      'application',
      'created_at',
      'id',
      'ip',
      'is_current',
      'last_used_at',
      'support',
      'tenant_id',
      'user_agent',
    ])
    expect(other).toMatchObject({
      tenant_id: user.tenantId,
      ip: '127.0.0.1',
      user_agent: 'a browser',
      created_at: other?.last_used_at,
    })
  })

  test('are those of all tenants of the person, and of nobody else', async () => {
    const user = await member()
    const stranger = await member()
    const elsewhere = await userElsewhere(user)
    expect((await sessionsOf(user)).map((one) => one.tenant_id).toSorted()).toEqual(
      [user.tenantId, elsewhere.tenant.id].toSorted(),
    )
    expect(ok(await call('GET', '/auth/sessions', { token: elsewhere.token }))).toHaveLength(2)
    const ids = (await sessionsOf(user)).map((one) => one.id)
    for (const { id } of await sessionsOf(stranger)) expect(ids).not.toContain(id)
  })

  test('leave out a session that has expired', async () => {
    const user = await member()
    clock.advance(-8 * 24 * 3_600_000)
    await signIn(user)
    clock.advance(8 * 24 * 3_600_000)
    expect(await sessionsOf(user)).toHaveLength(1)
  })

  test('show the last use to 5 minutes, at one write in that time', async () => {
    const user = await member()
    const used = async () => (await currentOf(user))?.last_used_at ?? ''
    // A replica that has just started and has no caller in its cache.
    const useAtNewReplica = async () => {
      const replica = await startApp()
      await user.get('/ping', { at: replica })
      await replica.app.close()
    }
    const atFirst = await used()
    clock.advance(4 * 60_000)
    await useAtNewReplica()
    expect(await used()).toBe(atFirst)
    clock.advance(2 * 60_000)
    await useAtNewReplica()
    expect(Date.parse(await used()) - Date.parse(atFirst)).toBeGreaterThanOrEqual(6 * 60_000)
  })

  test('are at most the 200 used last', async () => {
    const user = await member()
    await parts.store.scoped({ tenantId: user.tenantId }).run(sql`
      insert into sessions (tenant_id, id, user_id, account_id, rotated_at, created_at, last_used_at, expires_at)
      select tenant_id, gen_random_uuid(), user_id, account_id, now(), now(), now() - interval '1 day',
        now() + interval '1 day'
      from sessions, generate_series(1, 250) where tenant_id = ${user.tenantId} and user_id = ${user.userId}
      returning id`)
    const sessions = await sessionsOf(user)
    expect(sessions).toHaveLength(200)
    expect(sessions[0]).toMatchObject({ is_current: true })
  })
})

describe('ending one of the own sessions', () => {
  test('refuses its tokens at once on each replica, and the others continue', async () => {
    const user = await member()
    const other = await signIn(user)
    const replica = await startApp()
    expect((await other.get('/ping', { at: replica })).status).toBe(200)
    const id = (await currentOf(other))?.id
    expect(await user.delete(`/auth/sessions/${id}`)).toMatchObject({ status: 200, body: { data: null } })
    expect((await other.get('/ping', { at: replica })).status).toBe(401)
    await expectEnded(other)
    expect(await pingStatus(user.token)).toBe(200)
    await replica.app.close()
  })

  test('is 404 for a session of another person, an ended one and an unknown one', async () => {
    const user = await member()
    const stranger = await member()
    const other = await signIn(user)
    const ended = (await currentOf(other))?.id
    ok(await user.delete(`/auth/sessions/${ended}`))
    const foreign = (await currentOf(stranger))?.id
    for (const id of [foreign, ended, crypto.randomUUID()]) {
      expect(await user.delete(`/auth/sessions/${id}`)).toMatchObject(refusal('sessionUnknown'))
    }
    expect(await pingStatus(stranger.token)).toBe(200)
    expect(await user.delete('/auth/sessions/7')).toMatchObject({ status: 400, body: { code: 40001 } })
  })

  test('reaches a session in another tenant of the person, with its whole sign-in', async () => {
    const user = await member()
    const second = await signIn(user)
    const elsewhere = await userElsewhere(user)
    const [session] = (await sessionsOf(second)).filter((one) => one.tenant_id === elsewhere.tenant.id)
    ok(await second.delete(`/auth/sessions/${session?.id}`))
    expect(await pingStatus(elsewhere.token)).toBe(401)
    await expectEnded(user)
    expect(await pingStatus(second.token)).toBe(200)
  })

  test('leaves one record with the id of the session', async () => {
    const user = await member()
    const id = (await currentOf(await signIn(user)))?.id
    ok(await user.delete(`/auth/sessions/${id}`))
    const [record] = await auditRecords(user.tenantId, 'auth', user.userId)
    expect(record).toMatchObject({
      action: 'auth.session_end',
      user_id: user.userId,
      detail: { session: { from: id, to: null } },
    })
  })
})

describe('ending all other sessions', () => {
  test('ends each in every tenant, keeps the current one, and is recorded', async () => {
    const user = await member()
    const others = [await signIn(user), await signIn(user)]
    const elsewhere = await userElsewhere(user)
    expect(await user.delete('/auth/sessions')).toMatchObject({ status: 200, body: { data: null } })
    for (const other of others) await expectEnded(other)
    expect(await pingStatus(elsewhere.token)).toBe(401)
    expect(await pingStatus(user.token)).toBe(200)
    expect(await postRefresh(user.refreshToken)).toMatchObject({ status: 200 })
    expect(await sessionsOf(user)).toHaveLength(1)
    expect((await actionsOf(user)).at(-1)).toBe('auth.other_sessions_end')
  })

  test('a password change ends the sessions in all other tenants', async () => {
    const user = await member()
    const elsewhere = await userElsewhere(user)
    expect(await pingStatus(elsewhere.token)).toBe(200)
    ok(await user.post('/password', { old_password: password, new_password: 'another good password' }))
    expect(await pingStatus(elsewhere.token)).toBe(401)
    expect(await pingStatus(user.token)).toBe(200)
  })
})

describe('signing out', () => {
  test('ends the session on each replica at once, and no other one', async () => {
    const user = await member()
    const other = await signIn(user)
    const replica = await startApp()
    expect((await user.get('/ping', { at: replica })).status).toBe(200)
    expect(await user.post('/auth/logout')).toMatchObject({ status: 200, body: { data: null } })
    expect((await user.get('/ping', { at: replica })).status).toBe(401)
    await expectEnded(user)
    expect(await pingStatus(other.token)).toBe(200)
    expect((await actionsOf(user)).at(-1)).toBe('auth.logout')
    await replica.app.close()
  })

  test('ends the sessions of the same sign-in in other tenants', async () => {
    const user = await member()
    const elsewhere = await userElsewhere(user)
    ok(await user.post('/auth/logout'))
    expect(await pingStatus(elsewhere.token)).toBe(401)
  })

  test('works while the tenant is disabled, and so do the list and the ends of sessions', async () => {
    const root = await platformAdmin()
    const tenant = await newTenant()
    const user = await tenant.member()
    const other = await signIn(user)
    const id = (await currentOf(other))?.id
    ok(await root.put(`/org/tenants/${tenant.id}`, { status: 0 }))
    expect(await user.get('/profile')).toMatchObject(refusal('tenantDisabled'))
    expect(await sessionsOf(user)).toHaveLength(2)
    ok(await user.delete(`/auth/sessions/${id}`))
    ok(await user.delete('/auth/sessions'))
    ok(await user.post('/auth/logout'))
    expect(await user.get('/auth/sessions')).toMatchObject(refusal('tokenInvalid'))
  })

  test('is 401 for a disabled user, whose sessions have ended in all tenants of the sign-in', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const elsewhere = await userElsewhere(user)
    ok(await tenant.admin.put(`/users/${user.userId}`, { status: 0 }))
    expect(await user.post('/auth/logout')).toMatchObject(refusal('tokenInvalid'))
    expect(await pingStatus(elsewhere.token)).toBe(401)
  })
})

describe('the endpoints of the own account', () => {
  test('ignore X-Tenant-ID, whatever it names', async () => {
    const user = await member()
    const foreign = await newTenant()
    for (const tenant of ['nonsense', foreign.id, crypto.randomUUID()]) {
      expect(await user.get('/profile', { tenant })).toMatchObject({ data: { id: user.userId } })
      expect(ok(await user.get('/auth/sessions', { tenant }))).toHaveLength(1)
      ok(await user.delete('/auth/sessions', { tenant }))
    }
    ok(await user.post('/auth/logout', undefined, { tenant: foreign.id }))
  })

  test('are 403 for a key', async () => {
    const { id } = await newTenant()
    const { token } = await keyWith(id, ['user:read', 'user:update'])
    for (const [method, path] of [
      ['GET', '/auth/sessions'],
      ['DELETE', '/auth/sessions'],
      ['DELETE', `/auth/sessions/${crypto.randomUUID()}`],
      ['POST', '/auth/logout'],
    ] as const) {
      expect(await call(method, path, { token })).toMatchObject(refusal('permissionMissing'))
    }
  })
})

describe('a refresh token used again', () => {
  test('ends the whole sign-in', async () => {
    const user = await member()
    const elsewhere = await userElsewhere(user)
    ok(await postRefresh(user.refreshToken))
    clock.advance(11_000)
    expect(await postRefresh(user.refreshToken)).toMatchObject({ status: 401 })
    expect(await pingStatus(elsewhere.token)).toBe(401)
  })
})
