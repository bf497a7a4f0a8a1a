import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actionsOf, pingStatus, postLogin } from '../../../../test/accounts.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { auditRecords, keyWith, newTenant, ok, platformAdmin } from '../../../../test/factories.ts'
import { startMailServer, type MailServer } from '../../../../../lab/mail-server.ts'
import { deliver } from '../../../../test/mail-queue.ts'
import {
  addPasskey,
  addTotp,
  beginTotp,
  postFactor,
  secondStepOf,
  withTokens,
} from '../../../../test/second-factors.ts'

let server: MailServer
beforeAll(async () => {
  server = await startMailServer()
  await platformAdmin()
})
afterAll(() => server.stop())

describe('an administrator who removes the factors of a user', () => {
  test('removes all of them with the recovery codes, and ends the sessions of the person', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const app = await addTotp(user)
    await addPasskey(user)
    const { challenge } = await secondStepOf(user.email)
    ok(await tenant.admin.delete(`/users/${user.userId}/factors`))
    expect(await pingStatus(user.token)).toBe(401)
    expect(await postFactor({ challenge, code: app.nextCode() })).toMatchObject(refusal('challengeDead'))
    ok(await postLogin(user.email))
    const [record] = await auditRecords(tenant.id, 'factor', user.userId)
    expect(record).toMatchObject({
      action: 'factor.reset',
      user_id: tenant.admin.userId,
      detail: { factors: { from: ['App', 'Laptop'], to: [] } },
    })
    expect(await actionsOf(user)).not.toContain('factor.remove')
  })

  test('removes one of them, ends the sessions of the person and tells them, and the others stay', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const app = await addTotp(user, 'Lost telephone')
    const { authenticator } = await addPasskey(user)
    const before = await secondStepOf(user.email)
    ok(await tenant.admin.delete(`/users/${user.userId}/factors/${app.id.toUpperCase()}`))
    expect(await pingStatus(user.token)).toBe(401)
    expect(await postFactor({ challenge: before.challenge, code: app.nextCode() })).toMatchObject(
      refusal('challengeDead'),
    )
    const { challenge, methods, passkey_options: options } = await secondStepOf(user.email)
    expect(methods).toEqual(['passkey', 'recovery_code'])
    ok(await postFactor({ challenge, passkey: authenticator.get(options) }))
    const [record] = await auditRecords(tenant.id, 'factor', user.userId)
    expect(record).toMatchObject({
      action: 'factor.reset',
      user_id: tenant.admin.userId,
      detail: { factors: { from: ['Lost telephone', 'Laptop'], to: ['Laptop'] } },
    })
    await deliver(server)
    const notice = server
      .to(user.email)
      .find(({ subject }) => subject === 'Two-step verification: method removed')
    expect(notice?.source).toContain('Lost telephone')
  })

  test('removes the recovery codes with the last one', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const { id } = await addTotp(user)
    ok(await tenant.admin.delete(`/users/${user.userId}/factors/${id}`))
    const pair = ok(await postLogin(user.email))
    expect(ok(await withTokens(user, pair).get('/auth/factors'))).toEqual({
      factors: [],
      recovery_codes_left: 0,
      has_password: true,
      accepted_passkeys: null,
    })
  })

  test('gets 404 for a factor of somebody else, for one that does not count yet, and for none', async () => {
    const tenant = await newTenant()
    const [user, other] = [await tenant.member(), await tenant.member()]
    const [own, foreign] = [await addTotp(user), await addTotp(other)]
    const { id: begun } = ok(await beginTotp(user))
    for (const id of [foreign.id, begun, randomUUID()]) {
      expect(await tenant.admin.delete(`/users/${user.userId}/factors/${id}`)).toMatchObject(
        refusal('factorUnknown'),
      )
    }
    expect(await tenant.admin.delete(`/users/${user.userId}/factors/7`)).toMatchObject(refusalOf('factorId'))
    expect(await pingStatus(user.token)).toBe(200)
    const { challenge } = await secondStepOf(user.email)
    ok(await postFactor({ challenge, code: own.nextCode() }))
  })

  test('needs user:update, and stands no lower than the user', async () => {
    const tenant = await newTenant()
    const app = await addTotp(tenant.admin)
    const clerk = await tenant.userWith('user:update')
    const reader = await tenant.userWith('user:read')
    const all = `/users/${tenant.admin.userId}/factors`
    for (const path of [all, `${all}/${app.id}`]) {
      expect(await reader.delete(path)).toMatchObject(refusal('permissionMissing'))
      expect(await clerk.delete(path)).toMatchObject(refusal('targetOutranksCaller'))
    }
    const { challenge } = await secondStepOf(tenant.admin.email)
    ok(await postFactor({ challenge, code: app.nextCode() }))
  })

  test('cannot remove the own factors in this way, which asks for no password', async () => {
    const { admin } = await newTenant()
    const { id } = await addTotp(admin)
    const all = `/users/${admin.userId}/factors`
    for (const path of [all, `${all}/${id}`]) {
      expect(await admin.delete(path)).toMatchObject(refusal('ownAccount'))
    }
    expect((await secondStepOf(admin.email)).methods).toContain('totp')
  })

  test('gets 404 for a service account', async () => {
    const tenant = await newTenant()
    const all = `/users/${(await keyWith(tenant.id, [])).userId}/factors`
    for (const path of [all, `${all}/${randomUUID()}`]) {
      expect(await tenant.admin.delete(path)).toMatchObject(refusal('userUnknown'))
    }
  })

  test('may be a platform administrator who has entered the tenant', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    await addTotp(tenant.admin)
    ok(await root.delete(`/users/${tenant.admin.userId}/factors`, { tenant: tenant.id }))
    expect((await postLogin(tenant.admin.email)).status).toBe(200)
  })
})
