import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, password, platformAdmin, signIn } from '../../../../test/factories.ts'
import { service, startApp } from '../../../../test/harness.ts'
import { pingStatus, postLogin, postRefresh } from '../../../../test/accounts.ts'

beforeAll(() => platformAdmin())

describe('a disabled user', () => {
  const disabled = async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const user = await tenant.member()
    const second = await signIn(user)
    expect(await pingStatus(user.token)).toBe(200)
    expect(await admin.put(`/users/${user.userId}`, { status: 0 })).toMatchObject({ status: 200 })
    return { admin, user, second }
  }

  test('the tokens of a disabled user are 401 at once, in every session', async () => {
    const { user, second } = await disabled()
    for (const session of [user, second]) {
      expect(await session.get('/profile')).toMatchObject({ status: 401, body: { code: 40102 } })
      expect(await postRefresh(session.refreshToken)).toMatchObject({ status: 401, body: { code: 40106 } })
    }
  })

  test('the login of a disabled user is 401, with a code of its own only after the right password', async () => {
    const { user } = await disabled()
    const right = await postLogin(user.email)
    expect(right).toMatchObject({ status: 401, body: { code: 40104 } })
    expect(right.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(await postLogin(user.email, 'not the password')).toMatchObject({
      status: 401,
      body: { code: 40103, message: 'E-mail or password is wrong' },
    })
  })

  test('a user enabled again signs in anew, and their old sessions stay dead', async () => {
    const { admin, user, second } = await disabled()
    await admin.put(`/users/${user.userId}`, { status: 1 })
    expect(await pingStatus((await signIn(user)).token)).toBe(200)
    for (const session of [user, second]) {
      expect(await pingStatus(session.token)).toBe(401)
      expect(await postRefresh(session.refreshToken)).toMatchObject({ status: 401 })
    }
  })

  test('a user created as disabled cannot sign in', async () => {
    const { admin } = await newTenant()
    const email = `d${admin.email}`
    const body = { email, username: `d${admin.username}`, password, status: 0 }
    expect(await admin.post('/users', body)).toMatchObject({ status: 200, data: { status: 0 } })
    expect(await postLogin(email)).toMatchObject({ status: 401, body: { code: 40104 } })
  })

  test('disabling reaches other replicas at once', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const user = await tenant.member()
    const replica = await startApp()
    const pingAt = async (at: typeof service) => (await user.get('/ping', { at })).status
    expect([await pingAt(replica), await pingAt(service)]).toEqual([200, 200])
    await admin.put(`/users/${user.userId}`, { status: 0 }, { at: replica })
    expect([await pingAt(replica), await pingAt(service)]).toEqual([401, 401])
    await replica.app.close()
  })

  test('a login that runs while the user is disabled opens no lasting session', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const user = await tenant.member()
    const [, ...answers] = await Promise.all([
      admin.put(`/users/${user.userId}`, { status: 0 }),
      ...Array.from({ length: 10 }, () => postLogin(user.email)),
    ])
    expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true)
    const opened = answers.filter(({ status }) => status === 200)
    const alive = await Promise.all(opened.map(({ data }) => pingStatus(data.access_token)))
    expect(alive).toEqual(opened.map(() => 401))
  })
})

describe('a deleted user', () => {
  test('the tokens of a deleted user are 401 at once, and so is their login', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const user = await tenant.member()
    expect(await pingStatus(user.token)).toBe(200)
    await admin.delete(`/users/${user.userId}`)
    expect(await pingStatus(user.token)).toBe(401)
    expect(await postRefresh(user.refreshToken)).toMatchObject({ status: 401, body: { code: 40106 } })
    expect(await postLogin(user.email)).toMatchObject({ status: 401, body: { code: 40103 } })
  })
})

describe('a disabled tenant', () => {
  const suspended = async () => {
    const root = await platformAdmin()
    const tenant = await newTenant()
    const user = await tenant.member()
    expect(await pingStatus(user.token)).toBe(200)
    const set = (status: number) => root.put(`/org/tenants/${tenant.id}`, { status })
    expect(await set(0)).toMatchObject({ status: 200 })
    return { user, tenant, enable: () => set(1) }
  }

  test('a disabled tenant is 403 for its users with a token, its administrator too', async () => {
    const { user, tenant } = await suspended()
    for (const caller of [user, tenant.admin]) {
      expect(await caller.get('/ping')).toMatchObject({ status: 403, body: { code: 40303 } })
      expect(await caller.get('/profile', { tenant: undefined })).toMatchObject({ status: 403 })
    }
  })

  test('a platform administrator continues working in a disabled tenant', async () => {
    const root = await platformAdmin()
    const { tenant } = await suspended()
    expect(await root.get('/users', { tenant: tenant.id })).toMatchObject({ status: 200, data: { total: 2 } })
  })

  test('the login into a disabled tenant is 401, with a code of its own only after the right password', async () => {
    const { user } = await suspended()
    expect(await postLogin(user.email)).toMatchObject({ status: 401, body: { code: 40105 } })
    expect(await postLogin(user.email, 'not the password')).toMatchObject({
      status: 401,
      body: { code: 40103 },
    })
  })

  test('a refresh in a disabled tenant is 401 and does not consume the token', async () => {
    const { user, enable } = await suspended()
    for (let n = 0; n < 3; n += 1) {
      expect(await postRefresh(user.refreshToken)).toMatchObject({ status: 401, body: { code: 40105 } })
    }
    await enable()
    expect(await pingStatus(user.token)).toBe(200)
    const { status, data } = await postRefresh(user.refreshToken)
    expect(status).toBe(200)
    expect(await pingStatus(data.access_token)).toBe(200)
  })

  test('enabling the tenant lets its users continue, and sign in', async () => {
    const { user, enable } = await suspended()
    await enable()
    expect(await user.get('/profile')).toMatchObject({ status: 200 })
    expect(await postLogin(user.email)).toMatchObject({ status: 200 })
  })
})

describe('a deleted tenant', () => {
  test('the tokens and logins of a deleted tenant are 401 from the answer on', async () => {
    const root = await platformAdmin()
    const tenant = await newTenant()
    const user = await tenant.member()
    expect(await pingStatus(user.token)).toBe(200)
    expect(await root.delete(`/org/tenants/${tenant.id}`)).toMatchObject({ status: 200 })
    expect(await pingStatus(user.token)).toBe(401)
    expect(await postRefresh(user.refreshToken)).toMatchObject({ status: 401, body: { code: 40106 } })
    expect(await postLogin(user.email)).toMatchObject({ status: 401, body: { code: 40103 } })
  })

  test('the e-mails of a deleted tenant are free from the answer on', async () => {
    const root = await platformAdmin()
    const [tenant, other] = [await newTenant(), await newTenant()]
    const user = await tenant.member()
    await root.delete(`/org/tenants/${tenant.id}`)
    const { email, username } = user
    expect(await other.admin.post('/users', { email, username, password })).toMatchObject({ status: 200 })
    expect(await postLogin(email)).toMatchObject({ status: 200 })
  })
})
