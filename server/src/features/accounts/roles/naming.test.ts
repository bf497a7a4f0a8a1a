import { describe, expect, test } from 'vitest'
import {
  auditRecords,
  countAuditRecords,
  newTenant,
  permissionIds,
  systemRoleId,
  unique,
} from '../../../../test/factories.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'

/** Pairs of names that look alike. */
const alike = [
  ['Editors', 'EDITORS'],
  ['Redaktörer', 'REDAKTÖRER'],
  ['Caf\u00e9', 'Cafe\u0301'],
  ['Team', 'Ｔｅａｍ'],
  ['ﬁnance', 'FINANCE'],
  ['Straße', 'STRAẞE'],
  ['Office', '\u2009 office \u00a0'],
  ['Editors', 'Edit\u200Cors'],
] as const

const badNames = [
  '',
  '   ',
  'Edit\u200Bors',
  'Edit\u202Eors',
  'Edit\nors',
  '\u200D\uFE0F',
  'n'.repeat(65),
  '😀'.repeat(65),
  7,
  null,
  ['x'],
]

describe('creating a role', () => {
  test('answers the role, without permissions and trimmed, and is recorded once', async () => {
    const tenant = await newTenant()
    const { data } = await tenant.admin.post('/rbac/roles', {
      name: '  Editors\t',
      description: ' May edit ',
    })
    expect(data).toStrictEqual({
      id: expect.any(Number),
      tenant_id: tenant.id,
      name: 'Editors',
      description: 'May edit',
      is_system: false,
      permissions: [],
    })
    const records = await auditRecords(tenant.id, 'role', data.id)
    expect(records).toMatchObject([{ user_id: tenant.admin.userId, action: 'role.create' }])
    expect(records[0]?.detail).toStrictEqual({
      name: { from: null, to: 'Editors' },
      description: { from: null, to: 'May edit' },
    })
  })

  test.each(['x', 'n'.repeat(64), '😀'.repeat(64), '👩\u200D💻\uFE0F', 'می\u200Cخواهم'])(
    'accepts the name %j',
    async (name) => {
      const { admin } = await newTenant()
      expect((await admin.post('/rbac/roles', { name })).data).toMatchObject({ name, description: '' })
    },
  )

  test.each(badNames)('refuses the name %j', async (name) => {
    const { admin } = await newTenant()
    expect(await admin.post('/rbac/roles', { name })).toMatchObject(refusalOf('name'))
  })

  test.each(['a\0b', 'a\udfffb'])('refuses %j, which is no text', async (text) => {
    const { admin } = await newTenant()
    expect((await admin.post('/rbac/roles', { name: text })).status).toBe(400)
    expect((await admin.post('/rbac/roles', { name: 'fine', description: text })).status).toBe(400)
  })

  test('needs a name', async () => {
    const { admin } = await newTenant()
    expect(await admin.post('/rbac/roles', { description: 'x' })).toMatchObject(refusalOf('name'))
  })

  test.each(['', 'd'.repeat(255), '😀'.repeat(255)])('accepts the description %j', async (description) => {
    const { admin } = await newTenant()
    expect((await admin.post('/rbac/roles', { name: 'x', description })).data.description).toBe(description)
  })

  test.each(['d'.repeat(256), '😀'.repeat(256), 7, null])(
    'refuses the description %j',
    async (description) => {
      const { admin } = await newTenant()
      expect(await admin.post('/rbac/roles', { name: 'x', description })).toMatchObject(
        refusalOf('description'),
      )
    },
  )

  test('sets nothing that the specification does not list', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const more = { id: 1, tenant_id: other.id, is_system: true, permissions: [1], permission_ids: [1] }
    const { data } = await tenant.admin.post('/rbac/roles', { name: 'x', ...more })
    expect(data).toMatchObject({ tenant_id: tenant.id, is_system: false, permissions: [] })
  })

  test.each(alike)(
    'a role %j keeps another from the name %j: case and Unicode form do not count',
    async (first, second) => {
      const tenant = await newTenant()
      expect((await tenant.admin.post('/rbac/roles', { name: first })).data.name).toBe(first)
      const records = await countAuditRecords(tenant.id)
      expect(await tenant.admin.post('/rbac/roles', { name: second })).toMatchObject(refusal('roleNameTaken'))
      expect(await countAuditRecords(tenant.id)).toBe(records)
    },
  )

  test('refuses the names of system roles, in any case', async () => {
    const { admin } = await newTenant()
    for (const name of ['admin', 'Viewer', 'MEMBER']) {
      expect(await admin.post('/rbac/roles', { name })).toMatchObject(refusal('roleNameTaken'))
    }
  })

  test('one of many requests for one role at once succeeds', async () => {
    const { admin } = await newTenant()
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        admin.post('/rbac/roles', { name: index % 2 === 0 ? 'Race' : 'RACE' }),
      ),
    )
    expect(tally(answers)).toEqual({ 200: 1, 409: 15 })
  })
})

describe('changing a role', () => {
  const tenantWithRole = async () => {
    const tenant = await newTenant()
    const role = await tenant.role('user:read')
    return { tenant, role, path: `/rbac/roles/${role.id}` }
  }

  test('sets name and description, keeps the permissions, and is recorded once', async () => {
    const { tenant, role, path } = await tenantWithRole()
    const before = (await tenant.admin.get(path)).data
    const { data } = await tenant.admin.put(path, { name: ' Renamed ', description: 'New' })
    expect(data).toStrictEqual({ ...before, name: 'Renamed', description: 'New' })
    expect((await tenant.admin.get(path)).data).toStrictEqual(data)
    const [record] = await auditRecords(tenant.id, 'role', role.id)
    expect(record).toMatchObject({ user_id: tenant.admin.userId, action: 'role.update' })
    expect(record?.detail).toStrictEqual({
      name: { from: role.name, to: 'Renamed' },
      description: { from: '', to: 'New' },
    })
  })

  test.each([{}, { is_system: true, permission_ids: [] }])(
    'a change with the body %j changes nothing',
    async (body) => {
      const { tenant, path } = await tenantWithRole()
      const before = (await tenant.admin.get(path)).data
      const records = await countAuditRecords(tenant.id)
      expect(await tenant.admin.put(path, body)).toMatchObject({ status: 200, data: before })
      expect((await tenant.admin.get(path)).data).toStrictEqual(before)
      expect(await countAuditRecords(tenant.id)).toBe(records)
    },
  )

  test('a change to the present values leaves no record', async () => {
    const { tenant, role, path } = await tenantWithRole()
    const records = await countAuditRecords(tenant.id)
    expect((await tenant.admin.put(path, { name: role.name, description: '' })).status).toBe(200)
    expect(await countAuditRecords(tenant.id)).toBe(records)
  })

  test('an id in the body names no other role', async () => {
    const { tenant, role, path } = await tenantWithRole()
    const victim = `/rbac/roles/${systemRoleId('viewer')}`
    const before = (await tenant.admin.get(victim)).data
    const { data } = await tenant.admin.put(path, { id: before.id, name: 'renamed', is_system: true })
    expect(data).toMatchObject({ id: role.id, name: 'renamed', is_system: false })
    expect((await tenant.admin.get(victim)).data).toStrictEqual(before)
  })

  test.each(badNames)('refuses the name %j', async (name) => {
    const { tenant, path } = await tenantWithRole()
    expect(await tenant.admin.put(path, { name })).toMatchObject(refusalOf('name'))
  })

  test.each(['d'.repeat(256), 7, null])('refuses the description %j', async (description) => {
    const { tenant, path } = await tenantWithRole()
    expect(await tenant.admin.put(path, { description })).toMatchObject(refusalOf('description'))
  })

  test.each(alike)(
    'a role %j keeps another from a change to %j, which changes nothing',
    async (first, second) => {
      const { tenant, path } = await tenantWithRole()
      await tenant.admin.post('/rbac/roles', { name: first })
      const before = (await tenant.admin.get(path)).data
      const answer = await tenant.admin.put(path, { name: second, description: 'changed' })
      expect(answer).toMatchObject(refusal('roleNameTaken'))
      expect((await tenant.admin.get(path)).data).toStrictEqual(before)
    },
  )

  test.each(alike)('renames %j to %j: its own name in another form', async (first, second) => {
    const { tenant, path } = await tenantWithRole()
    await tenant.admin.put(path, { name: first })
    expect((await tenant.admin.put(path, { name: second })).data.name).toBe(second.trim())
  })

  test('frees the name it had', async () => {
    const { tenant, role, path } = await tenantWithRole()
    await tenant.admin.put(path, { name: unique('renamed') })
    expect((await tenant.admin.post('/rbac/roles', { name: role.name })).status).toBe(200)
  })
})

describe('deleting a role', () => {
  test('takes it from its holders at once, frees its name, and is recorded once', async () => {
    const tenant = await newTenant()
    const user = await tenant.userWith('user:read')
    const [role] = (await user.get(`/rbac/users/${user.userId}/roles`)).data
    expect((await user.get('/users')).status).toBe(200)
    expect(await tenant.admin.delete(`/rbac/roles/${role.id}`)).toMatchObject({
      status: 200,
      body: { data: null },
    })
    expect(await user.get('/users')).toMatchObject(refusal('permissionMissing'))
    expect((await user.get(`/rbac/users/${user.userId}/roles`)).data).toEqual([])
    const [record] = await auditRecords(tenant.id, 'role', role.id)
    expect(record).toMatchObject({ user_id: tenant.admin.userId, action: 'role.delete' })
    expect(record?.detail).toStrictEqual({
      name: { from: role.name, to: null },
      description: { from: '', to: null },
      permissions: { from: ['user:read'], to: null },
      created_at: { from: expect.stringMatching(/^\d{4}-.*Z$/), to: null },
    })
    const again = await tenant.admin.post('/rbac/roles', { name: role.name })
    expect(again.data.permissions).toEqual([])
    expect(permissionIds('user:read')).toEqual([1])
  })

  test('is 404 the second time, and happens once when asked for many times at once', async () => {
    const tenant = await newTenant()
    const { id } = await tenant.role('user:read')
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => tenant.admin.delete(`/rbac/roles/${id}`)),
    )
    expect(tally(answers)).toEqual({ 200: 1, 404: 7 })
    const actions = (await auditRecords(tenant.id, 'role', id)).map(({ action }) => action)
    expect(actions.filter((action) => action === 'role.delete')).toHaveLength(1)
  })
})
