import { describe, expect, test } from 'vitest'
import { refusal, tally } from '../../test/answers.ts'
import {
  assign,
  auditRecords,
  builtIn,
  countAuditRecords,
  newTenant,
  ok,
  permissionIds,
  platformAdmin,
  systemRoleId,
  type Caller,
} from '../../test/factories.ts'
import { builtInTenant, permissions, type PermissionCode } from './permissions.ts'

interface Held {
  id: number
  name: string
  permissions: { code: PermissionCode }[]
}

const rolesOf = async ({ admin }: { admin: Caller }, userId: number): Promise<Held[]> =>
  ok(await admin.get(`/rbac/users/${userId}/roles`))

const replace = (caller: Caller, roleId: number, ...codes: PermissionCode[]) =>
  caller.put(`/rbac/roles/${roleId}/permissions`, { permission_ids: permissionIds(...codes) })

describe('handing out permissions', () => {
  test('a caller cannot put a permission into a role without holding it', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith('role:update', 'role:create', 'user:read')
    const role = ok(await clerk.post('/rbac/roles', { name: 'of the clerk' }))
    const records = await countAuditRecords(tenant.id)
    expect(await replace(clerk, role.id, 'user:delete')).toMatchObject(refusal('grantExceedsOwn'))
    expect(await replace(clerk, role.id, 'user:read', 'audit:read')).toMatchObject(refusal('grantExceedsOwn'))
    expect(await countAuditRecords(tenant.id)).toBe(records)
    expect((await replace(clerk, role.id, 'user:read', 'role:create')).status).toBe(200)
  })

  test('a caller cannot assign a role with a permission that they lack, to themselves least of all', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith('role:assign', 'user:read')
    const member = await tenant.member()
    const strong = await tenant.role('user:read', 'user:delete')
    const records = await countAuditRecords(tenant.id)
    for (const role_id of [strong.id, systemRoleId('admin')]) {
      for (const { userId } of [member, clerk]) {
        const answer = await clerk.post(`/rbac/users/${userId}/roles`, { role_id })
        expect(answer).toMatchObject(refusal('grantExceedsOwn'))
      }
    }
    expect(await countAuditRecords(tenant.id)).toBe(records)
    const fitting = await tenant.role('user:read', 'role:assign')
    for (const { userId } of [member, clerk]) {
      expect((await clerk.post(`/rbac/users/${userId}/roles`, { role_id: fitting.id })).status).toBe(200)
    }
  })

  test('an administrator of the built-in tenant makes no platform administrator, nor gives platform permissions', async () => {
    const admin = await builtIn.member()
    await assign(builtInTenant.id, admin.userId, systemRoleId('admin'))
    const role_id = systemRoleId('platform-admin')
    expect(await admin.post(`/rbac/users/${admin.userId}/roles`, { role_id })).toMatchObject(
      refusal('grantExceedsOwn'),
    )
    const role = await builtIn.role()
    expect(await replace(admin, role.id, 'tenant:read')).toMatchObject(refusal('grantExceedsOwn'))
  })

  test('a user cannot hand out a permission after losing it', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith('role:assign', 'role:read', 'user:read')
    const [own] = await rolesOf(tenant, clerk.userId)
    const member = await tenant.member()
    const role = await tenant.role('user:read')
    ok(await replace(tenant.admin, own?.id ?? 0, 'role:assign', 'role:read'))
    const answer = await clerk.post(`/rbac/users/${member.userId}/roles`, { role_id: role.id })
    expect(answer).toMatchObject(refusal('grantExceedsOwn'))
  })
})

describe('acting on users and roles above oneself', () => {
  const everyUserRight = ['user:read', 'user:update', 'user:delete', 'role:assign', 'dashboard:read'] as const

  test('a caller cannot change, disable or delete a user with more permissions', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith(...everyUserRight)
    const auditor = await tenant.userWith('audit:read')
    for (const target of [tenant.admin, auditor]) {
      const path = `/users/${target.userId}`
      const before = ok(await tenant.admin.get(path))
      const records = await countAuditRecords(tenant.id)
      for (const body of [
        { nickname: 'x' },
        { email: 'taken-over@example.com' },
        { status: 0 },
        { status: 1 },
      ]) {
        expect(await clerk.put(path, body)).toMatchObject(refusal('targetOutranksCaller'))
      }
      expect(await clerk.delete(path)).toMatchObject(refusal('targetOutranksCaller'))
      expect(await countAuditRecords(tenant.id)).toBe(records)
      expect(ok(await tenant.admin.get(path))).toStrictEqual(before)
    }
  })

  test('a caller can change, disable and delete a user with the same permissions or fewer', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith(...everyUserRight)
    const equal = await tenant.userWith(...everyUserRight)
    const member = await tenant.member()
    for (const { userId } of [equal, member]) {
      expect((await clerk.put(`/users/${userId}`, { nickname: 'x' })).status).toBe(200)
      expect((await clerk.put(`/users/${userId}`, { status: 0 })).status).toBe(200)
      expect((await clerk.delete(`/users/${userId}`)).status).toBe(200)
    }
  })

  test('a disabled user keeps their rank', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith(...everyUserRight)
    const auditor = await tenant.userWith('audit:read')
    ok(await tenant.admin.put(`/users/${auditor.userId}`, { status: 0 }))
    const path = `/users/${auditor.userId}`
    expect(await clerk.put(path, { status: 1 })).toMatchObject(refusal('targetOutranksCaller'))
    expect(await clerk.delete(path)).toMatchObject(refusal('targetOutranksCaller'))
  })

  test('a caller cannot take a role from a user with more permissions, not even one that they hold too', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith(...everyUserRight)
    const member = systemRoleId('member')
    const target = `/rbac/users/${tenant.admin.userId}/roles`
    for (const role of await rolesOf(tenant, tenant.admin.userId)) {
      expect(await clerk.delete(`${target}/${role.id}`)).toMatchObject(refusal('targetOutranksCaller'))
    }
    expect((await rolesOf(tenant, tenant.admin.userId)).map(({ id }) => id)).toContain(member)
  })

  test('a caller cannot change, empty or delete a role with more permissions', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith('role:read', 'role:update', 'role:delete', 'user:read')
    const strong = await tenant.role('user:read', 'audit:read')
    const path = `/rbac/roles/${strong.id}`
    const records = await countAuditRecords(tenant.id)
    expect(await clerk.put(path, { name: 'x' })).toMatchObject(refusal('targetOutranksCaller'))
    expect(await clerk.put(path, { description: 'x' })).toMatchObject(refusal('targetOutranksCaller'))
    expect(await replace(clerk, strong.id)).toMatchObject(refusal('targetOutranksCaller'))
    expect(await replace(clerk, strong.id, 'user:read')).toMatchObject(refusal('targetOutranksCaller'))
    expect(await clerk.delete(path)).toMatchObject(refusal('targetOutranksCaller'))
    expect(await countAuditRecords(tenant.id)).toBe(records)
    const weak = await tenant.role('user:read')
    expect((await clerk.put(`/rbac/roles/${weak.id}`, { name: 'renamed' })).status).toBe(200)
    expect((await replace(clerk, weak.id, 'role:read')).status).toBe(200)
    expect((await clerk.delete(`/rbac/roles/${weak.id}`)).status).toBe(200)
  })

  test('a platform administrator is above all other users of the built-in tenant', async () => {
    const root = await platformAdmin()
    const admin = await builtIn.member()
    await assign(builtInTenant.id, admin.userId, systemRoleId('admin'))
    const role = systemRoleId('platform-admin')
    expect(await admin.put(`/users/${root.userId}`, { nickname: 'x' })).toMatchObject(
      refusal('targetOutranksCaller'),
    )
    expect(await admin.delete(`/users/${root.userId}`)).toMatchObject(refusal('targetOutranksCaller'))
    const strip = await admin.delete(`/rbac/users/${root.userId}/roles/${role}`)
    expect(strip).toMatchObject(refusal('targetOutranksCaller'))
  })

  test('a platform administrator does everything in the scope of another tenant', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const scope = { tenant: tenant.id }
    const role = ok(await root.post('/rbac/roles', { name: 'from above' }, scope))
    const all = permissionIds(
      ...((await tenant.admin.get('/rbac/permissions')).data as { code: PermissionCode }[]).map(
        ({ code }) => code,
      ),
    )
    ok(await root.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: all }, scope))
    ok(await root.post(`/rbac/users/${tenant.admin.userId}/roles`, { role_id: role.id }, scope))
    ok(await root.delete(`/rbac/users/${tenant.admin.userId}/roles/${role.id}`, scope))
    ok(await root.delete(`/rbac/roles/${role.id}`, scope))
    ok(await root.put(`/users/${tenant.admin.userId}`, { status: 0 }, scope))
    ok(await root.delete(`/users/${tenant.admin.userId}`, scope))
    const records = await auditRecords(tenant.id, 'user', tenant.admin.userId)
    expect(records.map(({ action, user_id }) => [action, user_id])).toEqual([
      ['user.delete', root.userId],
      ['user.update', root.userId],
      ['user.create', root.userId],
    ])
  })
})

describe('permissions in force', () => {
  test('every permission but tenant:enter opens no foreign tenant, nor the role platform-admin', async () => {
    const tenant = await newTenant()
    const codes = permissions.map(({ code }) => code).filter((code) => code !== 'tenant:enter')
    const caller = await builtIn.userWith(...codes)
    expect((await caller.get('/org/tenants')).status).toBe(200)
    for (const path of ['/users', '/ping', '/rbac/roles']) {
      expect(await caller.get(path, { tenant: tenant.id })).toMatchObject(refusal('tenantForeign'))
    }
    const role_id = systemRoleId('platform-admin')
    const answer = await caller.post(`/rbac/users/${caller.userId}/roles`, { role_id })
    expect(answer).toMatchObject(refusal('grantExceedsOwn'))
  })

  test('a caller with tenant:enter has in another tenant the permissions held at home, and no more', async () => {
    const tenant = await newTenant()
    const scope = { tenant: tenant.id }
    const caller = await builtIn.userWith('tenant:enter', 'user:read', 'user:update', 'role:assign')
    const member = await tenant.member()
    expect((await caller.get('/users', scope)).data.total).toBe(2)
    expect(await caller.get('/audit/logs', scope)).toMatchObject(refusal('permissionMissing'))
    const rename = (userId: number) => caller.put(`/users/${userId}`, { nickname: 'x' }, scope)
    expect(await rename(tenant.admin.userId)).toMatchObject(refusal('targetOutranksCaller'))
    const role_id = systemRoleId('admin')
    const granting = caller.post(`/rbac/users/${member.userId}/roles`, { role_id }, scope)
    expect(await granting).toMatchObject(refusal('grantExceedsOwn'))
    const weak = await tenant.role('user:read')
    ok(await caller.post(`/rbac/users/${member.userId}/roles`, { role_id: weak.id }, scope))
  })

  test('taking tenant:enter away closes other tenants with the next request', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const caller = await builtIn.userWith('tenant:enter', 'user:read')
    const [role] = await rolesOf({ admin: root }, caller.userId)
    expect((await caller.get('/users', { tenant: tenant.id })).status).toBe(200)
    ok(await replace(root, role?.id ?? 0, 'user:read'))
    expect(await caller.get('/users', { tenant: tenant.id })).toMatchObject(refusal('tenantForeign'))
  })

  test('a change reaches every session of a user on the next request', async () => {
    const tenant = await newTenant()
    const member = await tenant.member()
    const role_id = systemRoleId('viewer')
    const path = `/rbac/users/${member.userId}/roles`
    for (let round = 0; round < 5; round++) {
      expect((await member.get('/users')).status).toBe(403)
      ok(await tenant.admin.post(path, { role_id }))
      expect((await member.get('/users')).status).toBe(200)
      ok(await tenant.admin.delete(`${path}/${role_id}`))
    }
  })

  test('one of two administrators who strip each other at once stays', async () => {
    for (let round = 0; round < 3; round++) {
      const tenant = await newTenant()
      const other = await tenant.member()
      const role = systemRoleId('admin')
      await assign(tenant.id, other.userId, role)
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => {
          const [caller, target] = index % 2 === 0 ? [tenant.admin, other] : [other, tenant.admin]
          return caller.delete(`/rbac/users/${target.userId}/roles/${role}`)
        }),
      )
      expect(tally(answers)[200]).toBe(1)
      for (const { status } of answers) expect([200, 403, 404]).toContain(status)
      const left = await Promise.all([tenant.admin.get('/users'), other.get('/users')])
      expect(tally(left)).toEqual({ 200: 1, 403: 1 })
    }
  })

  test('a caller cannot hand out a role while losing it', async () => {
    for (let round = 0; round < 3; round++) {
      const tenant = await newTenant()
      const clerk = await tenant.userWith('role:assign', 'role:read', 'audit:read')
      const [own] = await rolesOf(tenant, clerk.userId)
      const member = await tenant.member()
      const role = await tenant.role('audit:read')
      const [taken, given] = await Promise.all([
        replace(tenant.admin, own?.id ?? 0, 'role:assign', 'role:read'),
        clerk.post(`/rbac/users/${member.userId}/roles`, { role_id: role.id }),
      ])
      expect(taken.status).toBe(200)
      expect([200, 403]).toContain(given.status)
      const order = (await auditRecords(tenant.id, 'role', role.id)).filter(
        ({ action }) => action === 'role.assign',
      )
      expect(order).toHaveLength(given.status === 200 ? 1 : 0)
    }
  })
})
