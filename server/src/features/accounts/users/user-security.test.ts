import { describe, expect, test } from 'vitest'
import { postLogin, recordsOf } from '../../../../test/accounts.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import {
  auditRecords,
  keyWith,
  newTenant,
  ok,
  password,
  unique,
  type Caller,
} from '../../../../test/factories.ts'
import { call, clock, startApp } from '../../../../test/harness.ts'
import { deliver, useMailServer } from '../../../../test/mail-queue.ts'
import { joinTenant, newPerson } from '../../../../test/people.ts'
import { addPasskey, addTotp, beginTotp, proveTwice } from '../../../../test/second-factors.ts'

const server = useMailServer()

const linksTo = async (email: string) => {
  await deliver(server)
  return server.to(email).filter(({ link }) => link?.includes('reset'))
}

describe('the safety of a user', () => {
  const security = async (by: Caller, id: number) =>
    ok(await by.get(`/users/${id}?include=security`)).security

  test('is in the answer only on demand', async () => {
    const { admin } = await newTenant()
    const path = `/users/${admin.userId}`
    const { security: asked, ...user } = ok(await admin.get(`${path}?include=security`))
    expect(Object.keys(asked).toSorted()).toEqual([
      'connections',
      'created_at',
      'directory',
      'email_confirmed',
      'factors',
      'last_ip',
      'missing_permissions',
    ])
    expect(ok(await admin.get(path))).toStrictEqual(user)
    for (const include of ['roles', 'security,roles', 'Security']) {
      expect(await admin.get(`${path}?include=${include}`)).toMatchObject(refusalOf('include'))
    }
  })

  test('names the permissions for which a change of the user is refused: held ones and eligible ones', async () => {
    const tenant = await newTenant()
    const helper = await tenant.userWith('user:read', 'user:update')
    const [equal, above] = [await tenant.userWith('user:read'), await tenant.userWith('user:delete')]
    const missing = async ({ userId }: Caller) => (await security(helper, userId)).missing_permissions
    expect(await missing(equal)).toEqual([])
    expect(await missing(helper)).toEqual([])
    expect(await missing(above)).toEqual(['user:delete'])
    expect(await helper.put(`/users/${above.userId}`, { nickname: 'x' })).toMatchObject(
      refusal('targetOutranksCaller'),
    )
    await proveTwice(tenant.admin)
    const { id } = await tenant.role('audit:read')
    const eligible = { role_id: id, max_minutes: 60 }
    ok(await tenant.admin.post(`/rbac/users/${equal.userId}/eligible-roles`, eligible))
    expect(await missing(equal)).toEqual(['audit:read'])
  })

  test('tells the factors that count, and none of their secrets', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    expect((await security(tenant.admin, user.userId)).factors).toEqual([])
    const app = await addTotp(user, 'Telephone')
    const passkey = await addPasskey(user)
    ok(await beginTotp(user, 'Begun'))
    const answer = await tenant.admin.get(`/users/${user.userId}?include=security`)
    const created_at = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(answer.data.security.factors).toEqual([
      { id: app.id, type: 'totp', name: 'Telephone', created_at, last_used_at: '' },
      { id: passkey.id, type: 'passkey', name: 'Laptop', created_at, last_used_at: '' },
    ])
    for (const secret of [app.secret, ...app.recoveryCodes]) expect(answer.text).not.toContain(secret)
  })

  test('shows whether the present address is confirmed', async () => {
    const tenant = await newTenant()
    const person = await newPerson(server, tenant)
    expect(await security(tenant.admin, person.userId)).toMatchObject({ email_confirmed: true })
    ok(await tenant.admin.put(`/users/${person.userId}`, { email: `${unique()}@example.com` }))
    expect(await security(tenant.admin, person.userId)).toMatchObject({ email_confirmed: false })
  })

  test('shows when the user was created, and where they last signed in, also after they signed out', async () => {
    const proxied = await startApp({ trustedProxies: ['127.0.0.1'] })
    try {
      const tenant = await newTenant()
      const username = unique()
      const email = `${username}@example.com`
      const { id } = ok(await tenant.admin.post('/users', { email, username, password }))
      const [listed] = ok(await tenant.admin.get(`/users?search=${username}&include=created_at`)).items
      expect(await security(tenant.admin, id)).toMatchObject({ created_at: listed.created_at, last_ip: '' })
      const from = { at: proxied, headers: { 'x-forwarded-for': '203.0.113.7:51008' } }
      const { access_token: token } = ok(await postLogin(email, password, from))
      ok(await call('POST', '/auth/logout', { token }))
      expect(await security(tenant.admin, id)).toMatchObject({ last_ip: '203.0.113.7' })
      await postLogin(email, 'not the password')
      expect(await security(tenant.admin, id)).toMatchObject({ last_ip: '203.0.113.7' })
    } finally {
      await proxied.app.close()
    }
  })

  test('tells the administrators of a tenant nothing of the addresses in another one', async () => {
    const proxied = await startApp({ trustedProxies: ['127.0.0.1'] })
    try {
      const [home, away] = [await newTenant(), await newTenant()]
      const person = await newPerson(server, home)
      const there = await joinTenant(server, person, away)
      const body = { email: person.email, password, tenant_id: away.id }
      const headers = { 'x-forwarded-for': '203.0.113.9' }
      ok(await call('POST', '/auth/login', { at: proxied, headers, body }))
      expect(await security(home.admin, person.userId)).toMatchObject({ last_ip: '127.0.0.1' })
      expect(await security(away.admin, there.userId)).toMatchObject({ last_ip: '203.0.113.9' })
    } finally {
      await proxied.app.close()
    }
  })

  test('needs user:read and user:update, whatever the id', async () => {
    const tenant = await newTenant()
    const [reader, clerk] = [await tenant.userWith('user:read'), await tenant.userWith('user:update')]
    const both = await tenant.userWith('user:read', 'user:update')
    for (const id of [tenant.admin.userId, reader.userId, 999_999]) {
      for (const caller of [reader, clerk]) {
        expect(await caller.get(`/users/${id}?include=security`)).toMatchObject(refusal('permissionMissing'))
      }
    }
    expect((await both.get(`/users/${tenant.admin.userId}?include=security`)).status).toBe(200)
    const key = await keyWith(tenant.id, ['user:read', 'user:update'])
    expect((await key.get(`/users/${tenant.admin.userId}?include=security`)).status).toBe(200)
  })

  test('the safety of a service account is 404', async () => {
    const tenant = await newTenant()
    const { userId } = await keyWith(tenant.id, [])
    expect(await tenant.admin.get(`/users/${userId}?include=security`)).toMatchObject(refusal('userUnknown'))
  })
})

describe('an administrator who mails a user the link to a new password', () => {
  const send = (by: Caller, id: number) => by.post(`/users/${id}/password-reset`)

  test('never sees it, and the person sets a password by it', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const answer = await send(tenant.admin, user.userId)
    expect(answer).toMatchObject({ status: 200, data: null })
    const [mail, ...more] = await linksTo(user.email)
    expect([mail?.subject, more]).toEqual(['Reset your password', []])
    const body = { token: mail?.token, new_password: 'another good password' }
    ok(await call('POST', '/auth/password/reset', { body }))
    ok(await postLogin(user.email, 'another good password'))
    expect(await send(tenant.admin, user.userId)).toMatchObject({ status: 200 })
  })

  test('leaves one record, of the own act, without the token', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    ok(await send(tenant.admin, user.userId))
    const records = await auditRecords(tenant.id, 'user', user.userId)
    expect(records.filter(({ action }) => action === 'user.password_reset')).toMatchObject([
      {
        user_id: tenant.admin.userId,
        detail: { username: { from: user.username, to: user.username } },
      },
    ])
    const [mail] = await linksTo(user.email)
    expect(JSON.stringify(records)).not.toContain(mail?.token)
    expect((await recordsOf(user)).map(({ action }) => action)).not.toContain('auth.password_forgot')
  })

  test('changes nothing by it: password, sessions and factors stay', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    await addTotp(user)
    ok(await send(tenant.admin, user.userId))
    expect((await user.get('/ping')).status).toBe(200)
    expect(await postLogin(user.email)).toMatchObject({ status: 401, body: { code: 40108 } })
  })

  test('shares the five e-mails of an hour with the person and with other administrators', async () => {
    const [home, away] = [await newTenant(), await newTenant()]
    const person = await newPerson(server, home)
    const there = await joinTenant(server, person, away)
    for (let count = 0; count < 2; count += 1) {
      ok(await send(home.admin, person.userId))
      ok(await call('POST', '/auth/password/forgot', { body: { email: person.email } }))
    }
    ok(await send(away.admin, there.userId))
    ok(await send(home.admin, person.userId))
    ok(await send(away.admin, there.userId))
    const links = await linksTo(person.email)
    expect(links).toHaveLength(5)
    const records = await auditRecords(home.id, 'user', person.userId)
    expect(records.filter(({ action }) => action === 'user.password_reset')).toHaveLength(2)
    clock.advance(60 * 60_000)
    ok(await send(home.admin, person.userId))
    expect(await linksTo(person.email)).toHaveLength(6)
  })

  test('sends five of ten at once', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(tenant.admin, user.userId)))
    expect(tally(answers)).toEqual({ 200: 10 })
    expect(await linksTo(user.email)).toHaveLength(5)
  })

  test('counts for the source like asking oneself: the 61st within 15 minutes is 429', async () => {
    const limited = await startApp({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
    try {
      const tenant = await newTenant()
      const user = await tenant.member()
      const from = { at: limited, headers: { 'x-forwarded-for': '203.0.113.61' } }
      const path = `/users/${user.userId}/password-reset`
      const answers = []
      for (let count = 0; count < 61; count += 1) {
        answers.push(await tenant.admin.post(path, undefined, from))
      }
      expect(tally(answers)).toEqual({ 200: 60, 429: 1 })
      expect(answers.at(-1)).toMatchObject(refusal('tooManyRequests'))
    } finally {
      await limited.app.close()
    }
  })

  test('needs user:update, and stands no lower than the user', async () => {
    const tenant = await newTenant()
    const { email, userId } = tenant.admin
    const [reader, clerk] = [await tenant.userWith('user:read'), await tenant.userWith('user:update')]
    expect(await send(reader, userId)).toMatchObject(refusal('permissionMissing'))
    expect(await send(clerk, userId)).toMatchObject(refusal('targetOutranksCaller'))
    const key = await keyWith(tenant.id, ['user:update'])
    expect(await send(key, userId)).toMatchObject(refusal('targetOutranksCaller'))
    expect(await linksTo(email)).toEqual([])
  })

  test('gets 404 for a user of another tenant and for a service account, and nobody gets an e-mail', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const { userId } = await keyWith(tenant.id, [])
    for (const id of [other.admin.userId, userId]) {
      expect(await send(tenant.admin, id)).toMatchObject(refusal('userUnknown'))
    }
    expect(await linksTo(other.admin.email)).toEqual([])
  })

  test('may do so for a disabled user, who cannot sign in all the same', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    ok(await tenant.admin.put(`/users/${user.userId}`, { status: 0 }))
    ok(await send(tenant.admin, user.userId))
    const [mail] = await linksTo(user.email)
    const body = { token: mail?.token, new_password: 'another good password' }
    ok(await call('POST', '/auth/password/reset', { body }))
    expect(await postLogin(user.email, 'another good password')).toMatchObject(refusal('accountDisabled'))
  })

  test('sends to the present address: a link to the former one is dead after its change', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    ok(await send(tenant.admin, user.userId))
    const [mail] = await linksTo(user.email)
    const email = `${unique()}@example.com`
    ok(await tenant.admin.put(`/users/${user.userId}`, { email }))
    const body = { token: mail?.token, new_password: 'another good password' }
    expect(await call('POST', '/auth/password/reset', { body })).toMatchObject(refusal('linkDead'))
    ok(await send(tenant.admin, user.userId))
    expect(await linksTo(email)).toHaveLength(1)
  })

  test('gets 503 where e-mail is off', async () => {
    const silent = await startApp({}, undefined, { mailer: undefined })
    try {
      const tenant = await newTenant()
      const user = await tenant.member()
      const answer = await tenant.admin.post(`/users/${user.userId}/password-reset`, undefined, {
        at: silent,
      })
      expect(answer).toMatchObject(refusal('mailOff'))
    } finally {
      await silent.app.close()
    }
  })
})
