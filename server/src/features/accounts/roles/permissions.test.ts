import { describe, expect, test } from 'vitest'
import {
  auditRecords,
  builtIn,
  countAuditRecords,
  newTenant,
  ok,
  permissionIds,
  platformAdmin,
} from '../../../../test/factories.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import type { PermissionCode } from '../../../access/permissions.ts'

interface Coded {
  code: PermissionCode
}

const tenantWithRole = async (...codes: PermissionCode[]) => {
  const tenant = await newTenant()
  const role = await tenant.role(...codes)
  const path = `/rbac/roles/${role.id}/permissions`
  const held = async () => ((await tenant.admin.get(path)).data as Coded[]).map(({ code }) => code)
  const replace = (permission_ids: unknown) => tenant.admin.put(path, { permission_ids })
  return { tenant, role, path, held, replace }
}

describe('replacing the permissions of a role', () => {
  test('leaves exactly the set of the body, and one record of both sets', async () => {
    const { tenant, role, held, replace } = await tenantWithRole('user:read', 'role:read')
    const answer = await replace(permissionIds('role:read', 'audit:read', 'user:delete').toReversed())
    expect(answer).toMatchObject({ status: 200, body: { data: null } })
    expect(await held()).toEqual(['user:delete', 'role:read', 'audit:read'])
    const [record, ...older] = await auditRecords(tenant.id, 'role', role.id)
    expect(record).toMatchObject({ user_id: tenant.admin.userId, action: 'role.replace_permissions' })
    expect(record?.detail).toStrictEqual({
      name: { from: role.name, to: role.name },
      permissions: { from: ['user:read', 'role:read'], to: ['user:delete', 'role:read', 'audit:read'] },
    })
    expect(older.map(({ action }) => action)).toEqual(['role.replace_permissions', 'role.create'])
  })

  test('an empty array takes all permissions', async () => {
    const { held, replace } = await tenantWithRole('user:read')
    expect((await replace([])).status).toBe(200)
    expect(await held()).toEqual([])
  })

  test('counts a repeated id once', async () => {
    const { held, replace } = await tenantWithRole()
    expect((await replace([1, 9, 1, 9, 9])).status).toBe(200)
    expect(await held()).toEqual(['user:read', 'role:read'])
  })

  test('the same set, in any order, leaves no record', async () => {
    const { tenant, replace } = await tenantWithRole('user:read', 'role:read')
    const records = await countAuditRecords(tenant.id)
    const sameSets = [
      [1, 9],
      [9, 1],
      [1, 9, 1],
    ]
    for (const ids of sameSets) ok(await replace(ids))
    expect(await countAuditRecords(tenant.id)).toBe(records)
  })

  test('is in force on the next request of a holder, both ways', async () => {
    const tenant = await newTenant()
    const user = await tenant.userWith()
    const [role] = (await user.get(`/rbac/users/${user.userId}/roles`)).data
    const set = async (...codes: PermissionCode[]) => {
      const body = { permission_ids: permissionIds(...codes) }
      expect((await tenant.admin.put(`/rbac/roles/${role.id}/permissions`, body)).status).toBe(200)
    }
    for (let round = 0; round < 3; round++) {
      expect((await user.get('/users')).status).toBe(403)
      await set('user:read')
      expect((await user.get('/users')).status).toBe(200)
      await set('audit:read')
    }
  })

  test('needs the field permission_ids', async () => {
    const { path, tenant, held } = await tenantWithRole('user:read')
    expect(await tenant.admin.put(path, {})).toMatchObject(refusalOf('permission_ids'))
    expect(await tenant.admin.put(path, { permissions: [] })).toMatchObject(refusalOf('permission_ids'))
    expect(await held()).toEqual(['user:read'])
  })

  test.each([null, 1, '1', {}, ['1'], [1.5], [0], [-1], [null], [2 ** 53], [[1]], [true]])(
    'refuses %j, and changes nothing',
    async (ids) => {
      const { held, replace, tenant } = await tenantWithRole('user:read')
      const records = await countAuditRecords(tenant.id)
      expect((await replace(ids)).status).toBe(400)
      expect(await held()).toEqual(['user:read'])
      expect(await countAuditRecords(tenant.id)).toBe(records)
    },
  )

  test.each([[[9999]], [[1, 9999]], [[2 ** 31]], [[Number.MAX_SAFE_INTEGER]]])(
    'refuses the unknown permission in %j, and changes nothing',
    async (ids) => {
      const { held, replace } = await tenantWithRole('user:read')
      expect(await replace(ids)).toMatchObject(refusalOf('permission_ids', 'unknownPermission'))
      expect(await held()).toEqual(['user:read'])
    },
  )

  test.each([
    'tenant:read',
    'tenant:create',
    'tenant:update',
    'tenant:delete',
    'setting:global',
    'flag:read',
    'flag:manage',
    'flag:evaluate',
  ] as const)('gives %s only to roles of the built-in tenant, for every caller', async (code) => {
    const { tenant, path, held, replace } = await tenantWithRole('user:read')
    const root = await platformAdmin()
    const ids = permissionIds('user:read', code)
    expect(await replace(ids)).toMatchObject(refusalOf('permission_ids', 'platformOnlyPermission'))
    const asRoot = await root.put(path, { permission_ids: ids }, { tenant: tenant.id })
    expect(asRoot).toMatchObject(refusalOf('permission_ids', 'platformOnlyPermission'))
    expect(await held()).toEqual(['user:read'])
    const { id } = await builtIn.role(code)
    expect((await root.get(`/rbac/roles/${id}`)).data.permissions).toMatchObject([{ code }])
  })

  test('many replacements at once end with one whole set, and a record for each step', async () => {
    const { tenant, role, held, replace } = await tenantWithRole()
    const sets: PermissionCode[][] = [
      ['user:read', 'user:create', 'user:update'],
      ['role:read', 'role:create'],
      ['audit:read', 'setting:read', 'setting:update', 'setting:delete'],
      ['user:read', 'audit:read'],
    ]
    const requests = Array.from({ length: 40 }, (_, index) =>
      replace(permissionIds(...(sets[index % 4] ?? []))),
    )
    for (const answer of await Promise.all(requests)) expect(answer.status).toBe(200)
    const last = await held()
    expect(sets).toContainEqual(last)
    const steps = (await auditRecords(tenant.id, 'role', role.id))
      .toReversed()
      .filter(({ action }) => action === 'role.replace_permissions')
      .map(({ detail }) => detail['permissions'])
    steps.forEach((step, index) => {
      expect(step?.from).toEqual(index === 0 ? [] : steps[index - 1]?.to)
      expect(sets).toContainEqual(step?.to)
    })
    expect(steps.at(-1)?.to).toEqual(last)
  })

  test('replacements during the deletion of the role end without it, and without an error', async () => {
    const { tenant, role, replace } = await tenantWithRole('user:read')
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, (_, index) => replace(index % 2 === 0 ? [1, 9] : [1, 14])),
      tenant.admin.delete(`/rbac/roles/${role.id}`),
      ...Array.from({ length: 6 }, (_, index) => replace(index % 2 === 0 ? [1, 9] : [1, 14])),
    ])
    for (const { status } of answers) expect([200, 404]).toContain(status)
    expect(await tenant.admin.get(`/rbac/roles/${role.id}`)).toMatchObject(refusal('roleUnknown'))
  })
})
