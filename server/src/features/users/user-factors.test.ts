import { beforeAll, describe, expect, test } from 'vitest'
import { actionsOf, pingStatus, postLogin } from '../../../test/accounts.ts'
import { refusal } from '../../../test/answers.ts'
import { auditRecords, keyWith, newTenant, ok, platformAdmin } from '../../../test/factories.ts'
import { addPasskey, addTotp, postFactor, secondStepOf } from '../../../test/second-factors.ts'

beforeAll(() => platformAdmin())

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

  test('needs user:update, and stands no lower than the user', async () => {
    const tenant = await newTenant()
    const app = await addTotp(tenant.admin)
    const clerk = await tenant.userWith('user:update')
    const reader = await tenant.userWith('user:read')
    const path = `/users/${tenant.admin.userId}/factors`
    expect(await reader.delete(path)).toMatchObject(refusal('permissionMissing'))
    expect(await clerk.delete(path)).toMatchObject(refusal('targetOutranksCaller'))
    const { challenge } = await secondStepOf(tenant.admin.email)
    ok(await postFactor({ challenge, code: app.nextCode() }))
  })

  test('cannot remove the own factors in this way, which asks for no password', async () => {
    const { admin } = await newTenant()
    await addTotp(admin)
    expect(await admin.delete(`/users/${admin.userId}/factors`)).toMatchObject(refusal('ownAccount'))
    expect((await secondStepOf(admin.email)).methods).toContain('totp')
  })

  test('gets 404 for a user of another tenant and for a service account', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const { userId } = await keyWith(tenant.id, [])
    for (const id of [other.admin.userId, userId]) {
      expect(await tenant.admin.delete(`/users/${id}/factors`)).toMatchObject(refusal('userUnknown'))
    }
  })

  test('may be a platform administrator who has entered the tenant', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    await addTotp(tenant.admin)
    ok(await root.delete(`/users/${tenant.admin.userId}/factors`, { tenant: tenant.id }))
    expect((await postLogin(tenant.admin.email)).status).toBe(200)
  })
})
