import { afterEach, describe, expect, test } from 'vitest'
import sql from 'sql-template-tag'
import {
  assign,
  auditRecords,
  builtIn,
  clearCatalogue,
  newTenant,
  nobodysId,
  ok,
  permissionIds,
  platformAdmin,
  systemRoleId,
  unique,
  type Caller,
} from '../../../../test/factories.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { parts } from '../../../../test/harness.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { sweepCatalogue } from './sweep.service.ts'

interface Coded {
  code: string
}

const codesOf = async (caller: Caller): Promise<string[]> =>
  (ok(await caller.get(`/rbac/users/${caller.userId}/roles`)) as { permissions: Coded[] }[]).flatMap(
    ({ permissions }) => permissions.map(({ code }) => code),
  )

const define = async (action = 'read') => {
  const root = await platformAdmin()
  const code = `${unique('m')}:${action}`
  const permission = ok(await root.post('/rbac/permissions', { code, name: 'An action' }))
  return { root, code, id: permission.id as number, path: `/rbac/permissions/${permission.id}` }
}

afterEach(clearCatalogue)

describe('a permission of the product', () => {
  test('has an id from 1000, and is in the catalogue of every tenant', async () => {
    const { id, code } = await define()
    expect(id).toBeGreaterThanOrEqual(1000)
    const { admin } = await newTenant()
    const expected = { id, code, name: 'An action', module: code.split(':')[0], description: '' }
    expect((await admin.get('/rbac/permissions')).data).toContainEqual(expected)
    expect((await admin.get(`/rbac/permissions?module=${expected.module}`)).data).toStrictEqual([expected])
  })

  test.each([
    ['read', ['platform-admin', 'admin', 'viewer']],
    ['write', ['platform-admin', 'admin']],
  ])('a permission with the action %s is at once held by %j, by rule', async (action, holders) => {
    const tenant = await newTenant()
    const before = await codesOf(tenant.admin)
    const { root, code } = await define(action)
    expect((await codesOf(tenant.admin)).toSorted()).toEqual([...before, code].toSorted())
    const roles = ok(await root.get('/rbac/roles')) as { name: string; permissions: Coded[] }[]
    const carrying = roles.filter(({ permissions }) => permissions.some((one) => one.code === code))
    expect(carrying.map(({ name }) => name)).toEqual(holders)
  })

  test('can be given by roles of a tenant, by those who hold it', async () => {
    const tenant = await newTenant()
    const { id, code } = await define('write')
    const [role, member] = [await tenant.role(), await tenant.member()]
    ok(await tenant.admin.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: [id] }))
    ok(await tenant.admin.post(`/rbac/users/${member.userId}/roles`, { role_id: role.id }))
    expect(await codesOf(member)).toContain(code)
    const clerk = await tenant.userWith('role:update')
    expect(await clerk.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: [id] })).toMatchObject(
      refusal('targetOutranksCaller'),
    )
  })

  test('is created by catalogue:manage alone, whatever tenant is in scope, with a record in the built-in tenant', async () => {
    const manager = await builtIn.userWith('catalogue:manage')
    const tenant = await newTenant()
    const body = { code: `${unique('m')}:go`, name: ' Go ', description: 'x' }
    const { id } = ok(await manager.post('/rbac/permissions', body))
    const [record] = await auditRecords(builtInTenant.id, 'permission', id)
    expect(record).toMatchObject({
      action: 'permission.create',
      user_id: manager.userId,
      detail: { code: { to: body.code }, name: { to: 'Go' }, description: { to: 'x' } },
    })
    for (const caller of [tenant.admin, await builtIn.userWith('role:create')]) {
      expect(await caller.post('/rbac/permissions', body)).toMatchObject(refusal('permissionMissing'))
    }
  })

  test.each(['a', 'a:', ':b', 'A:b', 'a:B', 'a:b:c', 'a b:c', `${'a'.repeat(33)}:b`, '', 7])(
    'is refused with the code %j',
    async (code) => {
      const root = await platformAdmin()
      expect(await root.post('/rbac/permissions', { code, name: 'x' })).toMatchObject(refusalOf('code'))
    },
  )

  test.each([
    'user',
    'role',
    'rbac',
    'tenantry',
    'auth',
    'catalogue',
    'invitation',
    'application',
    'resource',
    'flag',
  ])('is refused in the module %s, which belongs to the service', async (module) => {
    const root = await platformAdmin()
    expect(await root.post('/rbac/permissions', { code: `${module}:fly`, name: 'x' })).toMatchObject(
      refusalOf('code', 'moduleReserved'),
    )
  })

  test('has a code of its own, which is free again after it is deleted, with another id', async () => {
    const { root, code, id, path } = await define()
    expect(await root.post('/rbac/permissions', { code, name: 'x' })).toMatchObject(
      refusal('permissionCodeTaken'),
    )
    ok(await root.delete(path))
    const again = ok(await root.post('/rbac/permissions', { code, name: 'x' }))
    expect(again.id).toBeGreaterThan(id)
  })

  test('changes name and description, and never the code', async () => {
    const { root, code, id, path } = await define()
    const changed = ok(await root.put(path, { name: 'New', description: 'text', code: 'other:code' }))
    expect(changed).toMatchObject({ id, code, name: 'New', description: 'text' })
    const records = async () => (await auditRecords(builtInTenant.id, 'permission', id)).length
    const before = await records()
    for (const body of [{}, { name: 'New' }]) expect(ok(await root.put(path, body))).toEqual(changed)
    expect(await records()).toBe(before)
  })

  test('counts nowhere from the answer of its deletion on, and its rows go later', async () => {
    const { root, code, id, path } = await define('write')
    const tenant = await newTenant()
    const role = await tenant.role()
    ok(await tenant.admin.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: [id] }))
    const member = await tenant.userWith()
    await assign(tenant.id, member.userId, role.id)
    expect(await codesOf(member)).toEqual([code])
    ok(await root.delete(path))
    expect([await codesOf(member), await codesOf(tenant.admin)].flat()).not.toContain(code)
    expect((await tenant.admin.get(`/rbac/roles/${role.id}/permissions`)).data).toEqual([])
    expect((await root.get('/rbac/permissions')).data).not.toContainEqual(expect.objectContaining({ id }))
    expect(
      await tenant.admin.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: [id] }),
    ).toMatchObject(refusalOf('permission_ids', 'unknownPermission'))
    expect(await root.delete(path)).toMatchObject(refusal('permissionUnknown'))
    const rows = () =>
      parts.store
        .scoped({ tenantId: tenant.id })
        .many(sql`select from role_permissions where permission_id = ${id}`)
    expect(await rows()).toHaveLength(1)
    await sweepCatalogue(parts)
    expect(await rows()).toHaveLength(0)
  })

  test('is 404 with an unknown id; a built-in one is neither changed nor deleted', async () => {
    const root = await platformAdmin()
    for (const id of [nobodysId, 999]) {
      expect(await root.put(`/rbac/permissions/${id}`, { name: 'x' })).toMatchObject(
        refusal('permissionUnknown'),
      )
      expect(await root.delete(`/rbac/permissions/${id}`)).toMatchObject(refusal('permissionUnknown'))
    }
    expect(await root.put('/rbac/permissions/1', { name: 'x' })).toMatchObject(refusal('builtInPermission'))
    expect(await root.delete('/rbac/permissions/1')).toMatchObject(refusal('builtInPermission'))
  })
})

describe('a role template', () => {
  const create = async (body: object = {}) => {
    const root = await platformAdmin()
    const name = unique('Template ')
    const template = ok(await root.post('/rbac/role-templates', { name, ...body }))
    return { root, template, path: `/rbac/role-templates/${template.id}` }
  }

  test('is a role of every tenant, present and future, that nobody there can change', async () => {
    const before = await newTenant()
    const { template, root } = await create({ permission_ids: permissionIds('user:read'), description: 'd' })
    expect(template.id).toBeLessThan(1000)
    const after = await newTenant()
    for (const { id: tenantId, admin } of [before, after]) {
      const path = `/rbac/roles/${template.id}`
      const { name, permissions } = template
      const role = {
        id: template.id,
        tenant_id: tenantId,
        name,
        description: 'd',
        is_system: true,
        permissions,
      }
      expect((await admin.get(path)).data).toStrictEqual(role)
      expect((await admin.get('/rbac/roles')).data).toContainEqual(role)
      for (const caller of [admin, root]) {
        const options = { tenant: tenantId }
        expect(await caller.put(path, { name: 'mine' }, options)).toMatchObject(refusal('systemRole'))
        expect(await caller.delete(path, options)).toMatchObject(refusal('systemRole'))
      }
      const member = await newTenant().then(() => (tenantId === before.id ? before : after).member())
      ok(await admin.post(`/rbac/users/${member.userId}/roles`, { role_id: template.id }))
      expect(await codesOf(member)).toContain('user:read')
    }
    expect((await after.admin.get('/rbac/role-templates')).data).toContainEqual(template)
  })

  test('changes at once for its holders in every tenant, and is taken from them when it is deleted', async () => {
    const { template, root, path } = await create()
    const tenant = await newTenant()
    const member = await tenant.member()
    await assign(tenant.id, member.userId, template.id)
    expect((await member.get('/users')).status).toBe(403)
    ok(await root.put(path, { permission_ids: permissionIds('user:read') }))
    expect((await member.get('/users')).status).toBe(200)
    ok(await root.delete(path))
    expect((await member.get('/users')).status).toBe(403)
    expect(await codesOf(member)).toEqual(['dashboard:read'])
    expect(await tenant.admin.get(`/rbac/roles/${template.id}`)).toMatchObject(refusal('roleUnknown'))
    const rows = () =>
      parts.store
        .scoped({ tenantId: tenant.id })
        .many(sql`select from user_roles where role_id = ${template.id}`)
    expect(await rows()).toHaveLength(1)
    await sweepCatalogue(parts)
    expect(await rows()).toHaveLength(0)
    const next = await create()
    expect(next.template.id).toBeGreaterThan(template.id)
  })

  test('renames roles of tenants that have its name, with a record there', async () => {
    const name = `${'N'.repeat(50)}${unique('')}`
    const [one, two] = [await newTenant(), await newTenant()]
    const own = ok(await one.admin.post('/rbac/roles', { name: name.toLowerCase() }))
    const other = ok(await two.admin.post('/rbac/roles', { name }))
    const short = name.slice(0, 64 - ' (tenant)'.length)
    ok(await two.admin.post('/rbac/roles', { name: `${short} (tenant)` }))
    await create({ name })
    const nameIn = async ({ admin }: typeof one, id: number) => ok(await admin.get(`/rbac/roles/${id}`)).name
    expect(await nameIn(one, own.id)).toBe(`${short.toLowerCase()} (tenant)`)
    expect(await nameIn(two, other.id)).toBe(`${name.slice(0, 64 - ' (tenant 2)'.length)} (tenant 2)`)
    const [record] = (await auditRecords(one.id, 'role', own.id)).filter(
      ({ action }) => action === 'role.update',
    )
    expect(record?.detail).toEqual({ name: { from: own.name, to: await nameIn(one, own.id) } })
    expect(await one.admin.post('/rbac/roles', { name })).toMatchObject(refusal('roleNameTaken'))
    expect(await one.admin.put(`/rbac/roles/${own.id}`, { name })).toMatchObject(refusal('roleNameTaken'))
  })

  test('has a name of its own, without regard to case', async () => {
    const { root, template, path } = await create()
    const { template: other } = await create()
    for (const name of [template.name.toUpperCase(), 'Admin', 'platform-admin']) {
      expect(await root.post('/rbac/role-templates', { name })).toMatchObject(refusal('templateNameTaken'))
      expect(await root.put(`/rbac/role-templates/${other.id}`, { name })).toMatchObject(
        refusal('templateNameTaken'),
      )
    }
    expect(ok(await root.put(path, { name: template.name.toUpperCase() })).id).toBe(template.id)
  })

  test('holds no platform-only permission, and none that the author lacks', async () => {
    const { root, path } = await create()
    for (const send of [
      (body: object) => root.put(path, body),
      (body: object) => root.post('/rbac/role-templates', { name: unique(), ...body }),
    ]) {
      const refused = await send({ permission_ids: permissionIds('tenant:read') })
      expect(refused).toMatchObject(refusalOf('permission_ids', 'platformOnlyPermission'))
      expect(await send({ permission_ids: [999] })).toMatchObject(
        refusalOf('permission_ids', 'unknownPermission'),
      )
    }
    const manager = await builtIn.userWith('catalogue:manage', 'user:read')
    const beyond = { permission_ids: permissionIds('user:read', 'user:delete') }
    expect(await manager.post('/rbac/role-templates', { name: unique(), ...beyond })).toMatchObject(
      refusal('grantExceedsOwn'),
    )
    const within = { name: unique(), permission_ids: permissionIds('user:read') }
    const { id } = ok(await manager.post('/rbac/role-templates', within))
    expect(await manager.put(`/rbac/role-templates/${id}`, beyond)).toMatchObject(refusal('grantExceedsOwn'))
    ok(await root.put(`/rbac/role-templates/${id}`, beyond))
    for (const body of [{ name: unique() }, { given_to_new_users: true }, { permission_ids: [] }]) {
      expect(await manager.put(`/rbac/role-templates/${id}`, body)).toMatchObject(
        refusal('targetOutranksCaller'),
      )
    }
    expect(await manager.delete(`/rbac/role-templates/${id}`)).toMatchObject(refusal('targetOutranksCaller'))
  })

  test('creating a user needs the permissions of the template that new users get', async () => {
    const { root, path, template } = await create({ permission_ids: permissionIds('audit:read') })
    const tenant = await newTenant()
    const account = () => ({ email: `${unique()}@example.com`, username: unique(), password: 'long enough' })
    const clerk = await tenant.userWith('user:create')
    ok(await root.put(path, { given_to_new_users: true }))
    expect(await clerk.post('/users', account())).toMatchObject(refusal('grantExceedsOwn'))
    const { id } = ok(await tenant.admin.post('/users', account()))
    const roles: { id: number }[] = ok(await tenant.admin.get(`/rbac/users/${id}/roles`))
    expect(roles.map((role) => role.id)).toEqual([systemRoleId('member'), template.id])
    ok(await root.put(path, { given_to_new_users: false }))
    expect((await clerk.post('/users', account())).status).toBe(200)
  })

  test('a built-in template cannot be changed or deleted', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const listed = ok(await root.get('/rbac/role-templates')) as { id: number; name: string }[]
    expect(listed.map(({ name }) => name)).toEqual(['platform-admin', 'admin', 'viewer', 'member'])
    expect(listed).toStrictEqual(
      listed.map((one) => ({ ...one, is_builtin: true, given_to_new_users: one.name === 'member' })),
    )
    for (const { id } of listed) {
      for (const body of [{ name: 'x' }, { given_to_new_users: false }, { permission_ids: [] }]) {
        expect(await root.put(`/rbac/role-templates/${id}`, body)).toMatchObject(refusal('systemRole'))
      }
      expect(await root.delete(`/rbac/role-templates/${id}`)).toMatchObject(refusal('systemRole'))
    }
    expect((await tenant.admin.get('/rbac/role-templates')).data).toStrictEqual(listed.slice(1))
    expect(await root.put(`/rbac/role-templates/99`, {})).toMatchObject(refusal('templateUnknown'))
  })

  test('leaves a record in the built-in tenant for each change', async () => {
    const { root, path, template } = await create()
    ok(await root.put(path, { description: 'new', given_to_new_users: false }))
    ok(await root.delete(path))
    const records = await auditRecords(builtInTenant.id, 'role_template', template.id)
    expect(records.map(({ action }) => action).toReversed()).toEqual([
      'role_template.create',
      'role_template.update',
      'role_template.delete',
    ])
    expect(records[1]?.detail).toEqual({
      name: { from: template.name, to: template.name },
      description: { from: '', to: 'new' },
    })
  })
})
