import { describe, expect, test } from 'vitest'
import {
  badIds,
  builtIn,
  newTenant,
  nobodysId,
  permissionIds,
  platformAdmin,
  systemRoleId,
} from '../../../../test/factories.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { builtInPermissions, permissions, platformAdminId } from '../../../access/permissions.ts'

interface Coded {
  code: string
}
interface Named {
  name: string
}

const codes = permissions.map(({ code }) => code)
/** The catalogue in the form of the list. */
const shown = ({ id, code, name, module, description }: (typeof builtInPermissions)[number]) => ({
  id,
  code,
  name,
  module,
  description,
})
const inTenants = builtInPermissions.filter((permission) => !permission.platform_only)
const tenantCodes = inTenants.map(({ code }) => code)

describe('roles', () => {
  test('a role has exactly the fields of the specification', async () => {
    const tenant = await newTenant()
    const { id, name } = await tenant.role('user:read')
    const role = {
      id,
      tenant_id: tenant.id,
      name,
      description: '',
      is_system: false,
      permissions: [
        { id: 1, code: 'user:read', name: 'View users', module: 'user', description: expect.any(String) },
      ],
    }
    expect((await tenant.admin.get(`/rbac/roles/${id}`)).data).toStrictEqual(role)
    const listed = (await tenant.admin.get('/rbac/roles')).data as { id: number }[]
    expect(listed.find((one) => one.id === id)).toStrictEqual(role)
    expect((await tenant.admin.get(`/rbac/roles/${id}/permissions`)).data).toStrictEqual(role.permissions)
  })

  test.each([
    ['admin', tenantCodes],
    ['viewer', tenantCodes.filter((code) => code.endsWith(':read'))],
    ['member', ['dashboard:read']],
  ])('every tenant has the system role %s', async (name, held) => {
    const tenant = await newTenant()
    const id = systemRoleId(name)
    const { data } = await tenant.admin.get(`/rbac/roles/${id}`)
    expect(data).toMatchObject({ name, is_system: true, tenant_id: tenant.id })
    expect(data.permissions.map(({ code }: Coded) => code)).toEqual(held)
  })

  test('platform-admin exists only in the built-in tenant, and holds everything', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const id = systemRoleId('platform-admin')
    const { data } = await root.get(`/rbac/roles/${id}`)
    expect(data.permissions.map(({ code }: Coded) => code)).toEqual(codes)
    const names = ((await tenant.admin.get('/rbac/roles')).data as Named[]).map(({ name }) => name)
    expect(names.toSorted()).toEqual(['admin', 'member', 'viewer'])
  })

  test('a system role cannot be deleted, renamed, described anew or given other permissions', async () => {
    const [tenant, root] = [await newTenant(), await platformAdmin()]
    for (const caller of [tenant.admin, root]) {
      const roles = (await caller.get('/rbac/roles')).data as { id: number; is_system: boolean }[]
      for (const role of roles.filter((one) => one.is_system)) {
        const path = `/rbac/roles/${role.id}`
        expect(await caller.delete(path)).toMatchObject(refusal('systemRole'))
        expect(await caller.put(path, { name: 'renamed' })).toMatchObject(refusal('systemRole'))
        expect(await caller.put(path, { description: 'new' })).toMatchObject(refusal('systemRole'))
        expect(await caller.put(`${path}/permissions`, { permission_ids: [] })).toMatchObject(
          refusal('systemRole'),
        )
        expect(await caller.put(path, {})).toMatchObject({ status: 200, data: role })
        expect((await caller.get(path)).data).toStrictEqual(role)
      }
    }
  })

  test.each(badIds)('the id %s is 400 wherever a path holds it', async (id) => {
    const { admin } = await newTenant()
    const own = admin.userId
    expect(await admin.get(`/rbac/roles/${id}`)).toMatchObject(refusalOf('id'))
    expect(await admin.put(`/rbac/roles/${id}`, {})).toMatchObject(refusalOf('id'))
    expect(await admin.delete(`/rbac/roles/${id}`)).toMatchObject(refusalOf('id'))
    expect(await admin.get(`/rbac/roles/${id}/permissions`)).toMatchObject(refusalOf('id'))
    expect(await admin.put(`/rbac/roles/${id}/permissions`, { permission_ids: [] })).toMatchObject(
      refusalOf('id'),
    )
    expect(await admin.get(`/rbac/users/${id}/roles`)).toMatchObject(refusalOf('userId'))
    expect(await admin.post(`/rbac/users/${id}/roles`, { role_id: 1 })).toMatchObject(refusalOf('userId'))
    expect(await admin.delete(`/rbac/users/${id}/roles/1`)).toMatchObject(refusalOf('userId'))
    expect(await admin.delete(`/rbac/users/${own}/roles/${id}`)).toMatchObject(refusalOf('roleId'))
  })

  test('an unknown role is 404 in a tenant, and so is platform-admin', async () => {
    const { admin } = await newTenant()
    for (const id of [nobodysId, platformAdminId]) {
      const path = `/rbac/roles/${id}`
      expect(await admin.get(path)).toMatchObject(refusal('roleUnknown'))
      expect(await admin.put(path, {})).toMatchObject(refusal('roleUnknown'))
      expect(await admin.put(path, { name: 'mine now' })).toMatchObject(refusal('roleUnknown'))
      expect(await admin.delete(path)).toMatchObject(refusal('roleUnknown'))
      expect(await admin.get(`${path}/permissions`)).toMatchObject(refusal('roleUnknown'))
      expect(await admin.put(`${path}/permissions`, { permission_ids: [1] })).toMatchObject(
        refusal('roleUnknown'),
      )
    }
  })
})

describe('the permission catalogue', () => {
  test('is listed whole in the built-in tenant, and elsewhere without platform permissions', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    expect((await root.get('/rbac/permissions')).data).toStrictEqual(builtInPermissions.map(shown))
    const elsewhere = inTenants.map(shown)
    expect((await tenant.admin.get('/rbac/permissions')).data).toStrictEqual(elsewhere)
    expect((await root.get('/rbac/permissions', { tenant: tenant.id })).data).toStrictEqual(elsewhere)
  })

  test.each([
    ['user', ['user:read', 'user:create', 'user:update', 'user:delete']],
    ['rbac', ['role:read', 'role:create', 'role:update', 'role:delete', 'role:assign']],
    ['setting', ['setting:read', 'setting:update', 'setting:delete']],
    ['tenant', []],
    ['role', []],
    ['USER', []],
    ['%', []],
    ['unknown', []],
  ])('the module %s holds %j in a tenant', async (module, held) => {
    const { admin } = await newTenant()
    const { data } = await admin.get(`/rbac/permissions?module=${encodeURIComponent(module)}`)
    expect(data.map(({ code }: Coded) => code)).toEqual(held)
  })

  test('is open to every holder of role:read, in the built-in tenant with permissions that they cannot hand out', async () => {
    const reader = await builtIn.userWith('role:read')
    const { data } = await reader.get('/rbac/permissions?module=tenant')
    expect(data.map(({ id }: { id: number }) => id)).toEqual(
      permissionIds('tenant:read', 'tenant:create', 'tenant:update', 'tenant:delete', 'tenant:enter'),
    )
  })
})
