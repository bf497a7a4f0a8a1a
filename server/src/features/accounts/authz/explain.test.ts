import { describe, expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import {
  assign,
  keyWith,
  newTenant,
  nobodysId,
  ok,
  platformAdmin,
  systemRoleId,
  type Caller,
} from '../../../../test/factories.ts'

const explain = (by: Caller, userId: number, permission: string, tenant = by.tenantId) =>
  by.post('/authz/explain', { user_id: userId, permission }, { tenant })

describe('an explanation', () => {
  test('names the roles of the user that carry the permission', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const [one, other] = [await tenant.role('user:read'), await tenant.role('user:read', 'audit:read')]
    for (const { id } of [one, other]) await assign(tenant.id, user.userId, id)
    const { id, name } = other
    expect(ok(await explain(tenant.admin, user.userId, 'audit:read'))).toStrictEqual({
      allowed: true,
      roles: [{ id, name }],
      reason: 'granted',
    })
    expect(ok(await explain(tenant.admin, user.userId, 'user:read'))).toStrictEqual({
      allowed: true,
      roles: [one, other],
      reason: 'granted',
    })
    expect(ok(await explain(tenant.admin, user.userId, 'user:delete'))).toStrictEqual({
      allowed: false,
      roles: [],
      reason: 'not_granted',
    })
  })

  test('names a disabled user or tenant as the reason, and still the roles', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const user = await tenant.userWith('user:read')
    ok(await tenant.admin.put(`/users/${user.userId}`, { status: 0 }))
    expect(ok(await explain(tenant.admin, user.userId, 'user:read'))).toMatchObject({
      allowed: false,
      roles: [{}],
      reason: 'user_disabled',
    })
    ok(await root.put(`/org/tenants/${tenant.id}`, { status: 0 }))
    expect(ok(await explain(root, tenant.admin.userId, 'user:read', tenant.id))).toMatchObject({
      allowed: false,
      roles: [{ name: 'admin' }],
      reason: 'tenant_disabled',
    })
  })

  test('an explanation of one’s own id is about the caller in any tenant', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const id = systemRoleId('platform-admin')
    expect(ok(await explain(root, root.userId, 'tenant:delete', tenant.id))).toStrictEqual({
      allowed: true,
      roles: [{ id, name: 'platform-admin' }],
      reason: 'granted',
    })
  })

  test('is given about a service account as about a user', async () => {
    const tenant = await newTenant()
    const account = await keyWith(tenant.id, ['audit:read'])
    expect(ok(await explain(tenant.admin, account.userId, 'audit:read'))).toMatchObject({
      allowed: true,
      roles: [{}],
      reason: 'granted',
    })
    ok(await tenant.admin.put(`/service-accounts/${account.userId}`, { status: 0 }))
    expect(ok(await explain(tenant.admin, account.userId, 'audit:read'))).toMatchObject({
      allowed: false,
      reason: 'user_disabled',
    })
  })

  test('needs role:read and user:read, also about oneself', async () => {
    const tenant = await newTenant()
    for (const code of ['role:read', 'user:read'] as const) {
      const caller = await tenant.userWith(code)
      for (const id of [caller.userId, tenant.admin.userId, nobodysId]) {
        expect(await explain(caller, id, 'user:read')).toMatchObject(refusal('permissionMissing'))
      }
    }
    const caller = await tenant.userWith('role:read', 'user:read')
    expect(await explain(caller, caller.userId, 'user:read')).toMatchObject({ status: 200 })
  })

  test('an explanation of an unknown code is 400, and of an unknown user 404', async () => {
    const { admin } = await newTenant()
    expect(await explain(admin, admin.userId, 'user:raed')).toMatchObject(
      refusalOf('permission', 'unknownPermission'),
    )
    expect(await explain(admin, nobodysId, 'user:read')).toMatchObject(refusal('userUnknown'))
    expect(await admin.post('/authz/explain', { permission: 'user:read' })).toMatchObject(
      refusalOf('user_id'),
    )
  })
})
