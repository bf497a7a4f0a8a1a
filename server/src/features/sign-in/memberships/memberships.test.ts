import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { actionsOf, pingStatus, postLogin, postRefresh, recordsOf } from '../../../../test/accounts.ts'
import { refusal, tally } from '../../../../test/answers.ts'
import {
  builtIn,
  assign,
  keyWith,
  newTenant,
  ok,
  onlyPlatformAdmin,
  password,
  platformAdmin,
  systemRoleId,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { call, clock, startApp, type Answer } from '../../../../test/harness.ts'
import { useMailServer } from '../../../../test/mail-queue.ts'
import { accept, claimsOf, invite, joinTenant, newPerson, type Person } from '../../../../test/people.ts'
import { addTotp, proveBy, withTokens } from '../../../../test/second-factors.ts'

const day = 24 * 3_600_000

const server = useMailServer()

interface PersonOfTwo {
  home: Tenant
  away: Tenant
  /** The person in the first tenant. */
  here: Person
  /** The person in the second tenant, with a separate sign-in. */
  there: Person
}

const personOfTwo = async (): Promise<PersonOfTwo> => {
  const [home, away] = [await newTenant(), await newTenant()]
  const here = await newPerson(server, home)
  return { home, away, here, there: await joinTenant(server, here, away) }
}

const memberships = (token: string) => call('GET', '/auth/memberships', { token })
const switchTo = (token: string, tenantId: string) =>
  call('POST', '/auth/switch', { token, body: { tenant_id: tenantId } })
const leave = (token: string, tenantId: string) => call('DELETE', `/auth/memberships/${tenantId}`, { token })
const deleteAccount = (token: string, given = password) =>
  call('POST', '/auth/account/delete', { token, body: { password: given } })
const loginTo = (email: string, tenantId: string, given = password) =>
  call('POST', '/auth/login', { body: { email, password: given, tenant_id: tenantId } })

describe('the own memberships', () => {
  test('are listed with tenant, username and status, and the current one is marked', async () => {
    const root = await platformAdmin()
    const { home, away, here, there } = await personOfTwo()
    ok(await root.put(`/org/tenants/${away.id}`, { status: 0 }))
    const list = ok(await memberships(here.token))
    expect(list).toHaveLength(2)
    expect(list).toContainEqual({
      tenant: { id: home.id, name: `Tenant ${home.slug}`, slug: home.slug, status: 1 },
      user_id: here.userId,
      username: expect.any(String),
      status: 1,
      is_current: true,
    })
    expect(list).toContainEqual(
      expect.objectContaining({
        tenant: expect.objectContaining({ id: away.id, status: 0 }),
        user_id: there.userId,
        is_current: false,
      }),
    )
  })

  test('are read by a person of a disabled tenant, and never by a key', async () => {
    const root = await platformAdmin()
    const { away, there } = await personOfTwo()
    ok(await root.put(`/org/tenants/${away.id}`, { status: 0 }))
    expect(ok(await memberships(there.token))).toHaveLength(2)
    const { token } = await keyWith(away.id, ['user:read'])
    ok(await root.put(`/org/tenants/${away.id}`, { status: 1 }))
    expect(await memberships(token)).toMatchObject(refusal('permissionMissing'))
    expect(await switchTo(token, away.id)).toMatchObject(refusal('permissionMissing'))
    expect(await deleteAccount(token)).toMatchObject(refusal('permissionMissing'))
  })

  test('leave out a removed tenant', async () => {
    const root = await platformAdmin()
    const { away, here } = await personOfTwo()
    ok(await root.delete(`/org/tenants/${away.id}`))
    expect(ok(await memberships(here.token))).toHaveLength(1)
    expect(await switchTo(here.token, away.id)).toMatchObject(refusal('membershipUnknown'))
  })
})

describe('switching', () => {
  test('signs in to the other tenant, with a record there', async () => {
    const { away, here, there } = await personOfTwo()
    const { access_token: token } = ok(await switchTo(here.token, away.id.toUpperCase()))
    expect(claimsOf(token)).toMatchObject({ userId: there.userId, tenantId: away.id })
    expect(ok(await call('GET', '/profile', { token }))).toMatchObject({
      id: there.userId,
      tenant_id: away.id,
    })
    expect((await actionsOf(there)).at(-1)).toBe('auth.switch')
    expect(await pingStatus(here.token)).toBe(200)
  })

  test('does not outlive the logout of the session it came from, nor the other way round', async () => {
    const { away, here, there } = await personOfTwo()
    const switched = ok(await switchTo(here.token, away.id))
    ok(await call('POST', '/auth/logout', { token: here.token }))
    expect(await pingStatus(switched.access_token)).toBe(401)
    expect(await postRefresh(switched.refresh_token)).toMatchObject({ status: 401 })
    const back = ok(await switchTo(there.token, here.tenantId))
    ok(await call('POST', '/auth/logout', { token: back.access_token }))
    expect(await pingStatus(there.token)).toBe(401)
  })

  test('ends with the theft of a token of the session it came from', async () => {
    const { away, here } = await personOfTwo()
    const switched = ok(await switchTo(here.token, away.id))
    ok(await postRefresh(here.refreshToken))
    clock.advance(11_000)
    expect(await postRefresh(here.refreshToken)).toMatchObject({ status: 401 })
    expect(await pingStatus(switched.access_token)).toBe(401)
  })

  test('a switch during the logout leaves no session behind', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { away, here } = await personOfTwo()
      const [out, ...answers] = await Promise.all([
        call('POST', '/auth/logout', { token: here.token }),
        ...Array.from({ length: 4 }, () => switchTo(here.token, away.id)),
      ])
      expect(out?.status).toBe(200)
      expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true)
      const opened = answers.filter(({ status }) => status === 200)
      const alive = await Promise.all(opened.map(({ data }) => pingStatus(data.access_token)))
      expect(alive).toEqual(opened.map(() => 401))
    }
  })

  test('gives no day more than the session it came from has, however often it is refreshed or switched', async () => {
    const { home, away, here } = await personOfTwo()
    clock.advance(6.9 * day)
    const { access_token: alive } = ok(await postRefresh(here.refreshToken))
    // A pair of tokens whose session has seven days left.
    let pair = ok(await switchTo(alive, away.id))
    clock.advance(6.9 * day)
    pair = ok(await postRefresh(pair.refresh_token))
    pair = ok(await switchTo(pair.access_token, home.id))
    clock.advance(0.2 * day)
    expect(await pingStatus(pair.access_token)).toBe(401)
    expect(await postRefresh(pair.refresh_token)).toMatchObject({ status: 401 })
  })

  test('is 403 where the person or the tenant is disabled, and 404 where the person is no user', async () => {
    const root = await platformAdmin()
    const { home, away, here, there } = await personOfTwo()
    ok(await away.admin.put(`/users/${there.userId}`, { status: 0 }))
    expect(await switchTo(here.token, away.id)).toMatchObject(refusal('membershipDisabled'))
    ok(await away.admin.put(`/users/${there.userId}`, { status: 1 }))
    ok(await root.put(`/org/tenants/${away.id}`, { status: 0 }))
    expect(await switchTo(here.token, away.id)).toMatchObject(refusal('membershipDisabled'))
    for (const id of [(await newTenant()).id, randomUUID()]) {
      expect(await switchTo(here.token, id)).toMatchObject(refusal('membershipUnknown'))
    }
    expect(await switchTo(home.admin.token, away.id)).toMatchObject(refusal('membershipUnknown'))
  })

  test('leads out of a disabled tenant', async () => {
    const root = await platformAdmin()
    const { home, away, there } = await personOfTwo()
    ok(await root.put(`/org/tenants/${away.id}`, { status: 0 }))
    const { access_token: token } = ok(await switchTo(there.token, home.id))
    expect(await pingStatus(token)).toBe(200)
  })

  test('gives the rights of the user there, and none of the user here', async () => {
    const { home, away, here } = await personOfTwo()
    await assign(home.id, here.userId, systemRoleId('admin'))
    expect((await call('GET', '/users', { token: here.token })).status).toBe(200)
    const { access_token: token } = ok(await switchTo(here.token, away.id))
    expect(await call('GET', '/users', { token })).toMatchObject(refusal('permissionMissing'))
    expect(await call('GET', '/users', { token, tenant: home.id })).toMatchObject(refusal('tenantForeign'))
  })
})

describe('a membership that an administrator ends', () => {
  const ends: [string, (admin: Caller, id: number) => Promise<Answer>][] = [
    ['disabled', (admin, id) => admin.put(`/users/${id}`, { status: 0 })],
    ['deleted', (admin, id) => admin.delete(`/users/${id}`)],
  ]

  const expectEnded = async (pair: { access_token: string; refresh_token: string }) => {
    expect(await pingStatus(pair.access_token)).toBe(401)
    expect(await postRefresh(pair.refresh_token)).toMatchObject({ status: 401 })
  }

  const expectStanding = async (pair: { access_token: string; refresh_token: string }) => {
    expect(await pingStatus(pair.access_token)).toBe(200)
    expect(await postRefresh(pair.refresh_token)).toMatchObject({ status: 200 })
  }

  test.each(ends)(
    'the end of a %s user ends the sign-ins of its sessions, and no other',
    async (_how, end) => {
      const { home, away, here, there } = await personOfTwo()
      const first = ok(await loginTo(here.email, home.id))
      const switched = ok(await switchTo(first.access_token, away.id))
      const back = ok(await switchTo(switched.access_token, home.id))
      const other = ok(await loginTo(here.email, home.id))
      ok(await end(away.admin, there.userId))
      for (const pair of [first, switched, back]) await expectEnded(pair)
      await expectStanding(other)
      expect(await pingStatus(here.token)).toBe(200)
      expect(await loginTo(here.email, home.id)).toMatchObject({ status: 200 })
    },
  )

  test.each(ends)(
    'the end of a %s user ends a sign-in that began there, in the other tenant too',
    async (_how, end) => {
      const { home, away, here, there } = await personOfTwo()
      const elsewhere = ok(await switchTo(there.token, home.id))
      ok(await end(away.admin, there.userId))
      await expectEnded(elsewhere)
      expect(await pingStatus(there.token)).toBe(401)
      expect(await pingStatus(here.token)).toBe(200)
    },
  )

  test.each(ends)(
    'the end of a %s user during a switch leaves no session of that sign-in',
    async (_how, end) => {
      for (let round = 0; round < 5; round += 1) {
        const { away, here, there } = await personOfTwo()
        const switches = Array.from({ length: 4 }, () => switchTo(here.token, away.id))
        const [ended, ...answers] = await Promise.all([end(away.admin, there.userId), ...switches])
        ok(ended)
        const switched = answers.filter(({ status }) => status === 200).map(({ data }) => data)
        for (const pair of switched) await expectEnded(pair)
        expect(await pingStatus(here.token)).toBe(switched.length > 0 ? 401 : 200)
      }
    },
  )
})

describe('signing in', () => {
  test('leads to the tenant that is named, and to none that is not the person’s', async () => {
    const { home, away, here } = await personOfTwo()
    for (const { id } of [home, away]) {
      const { data } = await loginTo(here.email, id.toUpperCase())
      expect(claimsOf(data.access_token).tenantId).toBe(id)
    }
    for (const id of [(await newTenant()).id, randomUUID()]) {
      expect(await loginTo(here.email, id)).toMatchObject(refusal('credentialsWrong'))
    }
    expect(await loginTo(here.email, away.id, 'wrong')).toMatchObject(refusal('credentialsWrong'))
    expect(await loginTo(here.email, 'no tenant')).toMatchObject({ status: 400 })
  })

  test('leads to the tenant used last in which person and tenant are enabled', async () => {
    const root = await platformAdmin()
    const { home, away, here, there } = await personOfTwo()
    const tenantOfLogin = async () => claimsOf((await postLogin(here.email)).data.access_token).tenantId
    expect(await tenantOfLogin()).toBe(away.id)
    clock.advance(1000)
    ok(await loginTo(here.email, home.id))
    expect(await tenantOfLogin()).toBe(home.id)
    clock.advance(1000)
    ok(await switchTo(here.token, away.id))
    expect(await tenantOfLogin()).toBe(away.id)
    ok(await away.admin.put(`/users/${there.userId}`, { status: 0 }))
    expect(await tenantOfLogin()).toBe(home.id)
    ok(await away.admin.put(`/users/${there.userId}`, { status: 1 }))
    expect(await tenantOfLogin()).toBe(home.id)
    clock.advance(1000)
    ok(await loginTo(here.email, away.id))
    ok(await root.put(`/org/tenants/${away.id}`, { status: 0 }))
    expect(await tenantOfLogin()).toBe(home.id)
  })
})

describe('leaving a tenant', () => {
  test('ends the membership with its sessions, and the person works on elsewhere', async () => {
    const { home, away, here, there } = await personOfTwo()
    const replica = await startApp()
    expect((await call('GET', '/ping', { token: there.token, at: replica })).status).toBe(200)
    expect(await leave(here.token, away.id)).toMatchObject({ status: 200, body: { data: null } })
    expect((await call('GET', '/ping', { token: there.token, at: replica })).status).toBe(401)
    expect(await pingStatus(here.token)).toBe(200)
    expect(await away.admin.get(`/users/${there.userId}`)).toMatchObject(refusal('userUnknown'))
    expect(await leave(here.token, away.id)).toMatchObject(refusal('membershipUnknown'))
    expect((await actionsOf(there)).at(-1)).toBe('auth.leave')
    expect(await leave(here.token, home.id)).toMatchObject(refusal('lastMembership'))
    await replica.app.close()
  })

  test('leaving the current tenant ends the session in use', async () => {
    const { home, here, there } = await personOfTwo()
    ok(await leave(here.token, home.id))
    expect(await pingStatus(here.token)).toBe(401)
    expect(await pingStatus(there.token)).toBe(200)
  })

  test('ends no session elsewhere, also not one of the same sign-in', async () => {
    const { home, away, here } = await personOfTwo()
    const switched = ok(await switchTo(here.token, away.id))
    ok(await leave(switched.access_token, home.id))
    expect(await pingStatus(here.token)).toBe(401)
    expect(await pingStatus(switched.access_token)).toBe(200)
    expect(await postRefresh(switched.refresh_token)).toMatchObject({ status: 200 })
  })

  test('leaving all tenants at once keeps one', async () => {
    const { home, away, here, there } = await personOfTwo()
    const answers = await Promise.all([leave(here.token, away.id), leave(there.token, home.id)])
    expect(tally(answers)[200]).toBe(1)
    expect((await postLogin(here.email)).status).toBe(200)
  })

  test('is 404 for a tenant of others, and 400 for the last platform administrator', async () => {
    const { here } = await personOfTwo()
    expect(await leave(here.token, (await newTenant()).id)).toMatchObject(refusal('membershipUnknown'))
    expect(await leave(here.token, 'x')).toMatchObject({ status: 400 })
    const root = await platformAdmin()
    expect(await leave(root.token, builtIn.id)).toMatchObject(refusal('lastMembership'))
  })
})

describe('deleting the own account', () => {
  test('erases the person in every tenant, ends all sessions and frees the address', async () => {
    const { home, away, here, there } = await personOfTwo()
    expect(await deleteAccount(here.token, 'wrong')).toMatchObject(refusal('oldPasswordWrong'))
    expect(await deleteAccount(here.token)).toMatchObject({ status: 200, body: { data: null } })
    for (const { token } of [here, there]) expect(await pingStatus(token)).toBe(401)
    expect(await home.admin.get(`/users/${here.userId}`)).toMatchObject({ status: 404 })
    expect(await away.admin.get(`/users/${there.userId}`)).toMatchObject({ status: 404 })
    expect(await postLogin(here.email)).toMatchObject(refusal('credentialsWrong'))
    for (const [user, isPlaced] of [
      [here, true],
      [there, false],
    ] as const) {
      const record = (await recordsOf(user)).at(-1)
      expect(record).toMatchObject({ action: 'auth.account_delete' })
      expect(record?.['ip'] !== '').toBe(isPlaced)
    }
    const { token } = await invite(server, home.admin, { email: here.email })
    expect((await accept(token, { password })).status).toBe(200)
  })

  test('deleting an account with a second factor takes a session that was opened with it', async () => {
    const home = await newTenant()
    const person = await newPerson(server, home)
    const pair = { access_token: person.token, refresh_token: person.refreshToken }
    await addTotp(withTokens(await home.member(), pair))
    await proveBy(person, 'pwd')
    expect(await deleteAccount(person.token)).toMatchObject(refusal('mfaRequired'))
    await proveBy(person, 'pwd', 'otp', 'mfa')
    expect(await deleteAccount(person.token)).toMatchObject({ status: 200 })
  })

  test('is 400 for the last platform administrator, of whom nothing is erased', async () => {
    const root = await onlyPlatformAdmin()
    expect(await root.post('/auth/account/delete', { password })).toMatchObject(refusal('lastPlatformAdmin'))
    expect(await root.get('/profile')).toMatchObject({ status: 200 })
  })

  test('deleting the account while it joins a tenant leaves no user without an account', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [home, away] = [await newTenant(), await newTenant()]
      const person = await newPerson(server, home)
      const { token } = await invite(server, away.admin, { email: person.email })
      const [erased, joined] = await Promise.all([
        deleteAccount(person.token),
        accept(token, {}, { token: person.token }),
      ])
      expect(erased.status).toBe(200)
      expect([200, 400, 401, 403]).toContain(joined.status)
      expect(ok(await away.admin.get('/users')).total).toBe(1)
      expect(await postLogin(person.email)).toMatchObject(refusal('credentialsWrong'))
    }
  })
})

test('ending all other sessions leaves a record in each tenant, and the address in one', async () => {
  const { here, there } = await personOfTwo()
  ok(await call('DELETE', '/auth/sessions', { token: here.token }))
  expect(await pingStatus(there.token)).toBe(401)
  const placed = await Promise.all(
    [here, there].map(async (user) => {
      const record = (await recordsOf(user)).find(({ action }) => action === 'auth.other_sessions_end')
      return record && record['ip'] !== ''
    }),
  )
  expect(placed).toEqual([true, false])
})
