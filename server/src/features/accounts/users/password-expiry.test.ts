import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { pingStatus, postLogin, postRefresh } from '../../../../test/accounts.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { endpoints } from '../../../../test/endpoints.ts'
import {
  auditRecords,
  newTenant,
  nobodysId,
  ok,
  password,
  platformAdmin,
  signIn,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { call } from '../../../../test/harness.ts'
import { insertLink } from '../../../../test/mail-queue.ts'
import { accept, insertMember, inviteShown } from '../../../../test/people.ts'
import { addPasskey, addTotp, signInWithCode, withTokens } from '../../../../test/second-factors.ts'

beforeAll(() => platformAdmin())

const next = 'another good password'
const restricted = refusal('passwordExpired')

const expire = async ({ admin }: Tenant, user: Pick<Caller, 'userId'>): Promise<void> => {
  ok(await admin.post(`/users/${user.userId}/password-expiry`))
}

/** A user whose next password session is restricted, and that session. */
const expiredUser = async () => {
  const tenant = await newTenant()
  const before = await tenant.member()
  await expire(tenant, before)
  return { tenant, before, user: await signIn(before) }
}

const change = (user: Caller, chosen = next) =>
  user.post('/password', { old_password: password, new_password: chosen })

const anyPath = (path: string): string =>
  path
    .replaceAll(/:(?:id|userId|roleId|keyId)/g, /^\/(?:auth|org)\//.test(path) ? crypto.randomUUID() : '1')
    .replace(':key', 'any')

describe('the next session by an expired password', () => {
  test('reaches profile, logout, password and the end of support, and nothing else', async () => {
    const { tenant, user } = await expiredUser()
    const open = [
      'GET /profile',
      'PUT /profile',
      'POST /auth/logout',
      'POST /password',
      'DELETE /support/sessions/:id',
    ]
    for (const { name, method, path, caller } of endpoints) {
      if (caller === 'nobody' || name === 'POST /auth/logout') continue
      const { status, body } = await call(method, anyPath(path), {
        token: user.token,
        tenant: tenant.id,
        body: method === 'GET' ? undefined : {},
      })
      const isRestricted = status === 403 && body.code === 40381
      expect([name, isRestricted]).toEqual([name, !open.includes(name)])
    }
    expect((await user.post('/auth/logout')).status).toBe(200)
  })

  test('stays restricted when it is refreshed, and offline verifiers refuse its tokens', async () => {
    const { user } = await expiredUser()
    const pair = ok(await postRefresh(user.refreshToken))
    expect(decodeJwt(pair.access_token).aud).not.toEqual(decodeJwt((await signInElse()).token).aud)
    expect(await withTokens(user, pair).get('/ping')).toMatchObject(restricted)
  })

  test('is free at once when the password is changed, as are later ones', async () => {
    const { user } = await expiredUser()
    expect((await change(user)).status).toBe(200)
    expect(await pingStatus(user.token)).toBe(200)
    expect(await pingStatus(ok(await postRefresh(user.refreshToken)).access_token)).toBe(200)
    expect(await pingStatus(ok(await postLogin(user.email, next)).access_token)).toBe(200)
  })

  test('is not free by the same password again', async () => {
    const { user, before } = await expiredUser()
    expect(await change(user, password)).toMatchObject(refusalOf('new_password'))
    expect(await change(before, password)).toMatchObject(refusalOf('new_password'))
    expect(await user.get('/ping')).toMatchObject(restricted)
  })

  test('is restricted with a second factor as well', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const app = await addTotp(user)
    await expire(tenant, user)
    expect(await (await signInWithCode(user, app)).get('/ping')).toMatchObject(restricted)
  })

  test('accepts no invitation', async () => {
    const { user } = await expiredUser()
    const token = await inviteShown((await newTenant()).admin, user.email)
    expect(await accept(token, {}, { token: user.token })).toMatchObject(restricted)
  })
})

const signInElse = async (): Promise<Caller> => (await newTenant()).member()

describe('an expired password', () => {
  test('restricts no session that was open, and none by a passkey', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const { authenticator } = await addPasskey(user)
    await expire(tenant, user)
    expect(await pingStatus(user.token)).toBe(200)
    expect(await pingStatus(ok(await postRefresh(user.refreshToken)).access_token)).toBe(200)
    const response = authenticator.get(ok(await call('POST', '/auth/passkey/options')))
    const { access_token } = ok(await call('POST', '/auth/passkey', { body: { response } }))
    expect(await pingStatus(access_token)).toBe(200)
  })

  test('is over after a reset by a mailed link', async () => {
    const { user } = await expiredUser()
    const token = await insertLink(user, 'reset')
    ok(await call('POST', '/auth/password/reset', { body: { token, new_password: next } }))
    expect(await pingStatus(ok(await postLogin(user.email, next)).access_token)).toBe(200)
  })

  test('stays expired when it expires again', async () => {
    const { tenant, user } = await expiredUser()
    await expire(tenant, user)
    expect(await user.get('/ping')).toMatchObject(restricted)
  })

  test('leaves a record', async () => {
    const { tenant, user } = await expiredUser()
    const records = await auditRecords(tenant.id, 'user', user.userId)
    expect(records.map(({ action }) => action)).toContain('user.password_expire')
  })
})

describe('a demand for a new password', () => {
  test('needs rank, and a user of the own tenant', async () => {
    const tenant = await newTenant()
    const helper = await tenant.userWith('user:update')
    const path = (id: number) => `/users/${id}/password-expiry`
    expect((await helper.post(path((await tenant.userWith()).userId))).status).toBe(200)
    expect(await helper.post(path(tenant.admin.userId))).toMatchObject(refusal('targetOutranksCaller'))
    expect(await helper.post(path((await signInElse()).userId))).toMatchObject(refusal('userUnknown'))
    expect(await helper.post(path(nobodysId))).toMatchObject(refusal('userUnknown'))
    const reader = await tenant.userWith('user:read')
    expect(await reader.post(path(helper.userId))).toMatchObject(refusal('permissionMissing'))
  })

  test('is refused for a person of several tenants', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const user = await tenant.member()
    await insertMember(user, other)
    const answer = await tenant.admin.post(`/users/${user.userId}/password-expiry`)
    expect(answer).toMatchObject(refusal('emailOfPerson'))
  })
})

test('a user can be created with a password for the first session alone', async () => {
  const { admin, id: tenantId } = await newTenant()
  const username = unique('user')
  const email = `${username}@example.com`
  const body = { email, username, password, must_change_password: true }
  const { id: userId } = ok(await admin.post('/users', body))
  const user = await signIn({ userId, tenantId, email, username })
  expect(await user.get('/ping')).toMatchObject(restricted)
  expect((await change(user)).status).toBe(200)
  expect(await pingStatus(user.token)).toBe(200)
  expect(await admin.post('/users', { ...body, must_change_password: 'yes' })).toMatchObject(
    refusalOf('must_change_password'),
  )
})
