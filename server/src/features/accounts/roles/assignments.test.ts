import { describe, expect, test } from 'vitest'
import { platformAdminId } from '../../../access/permissions.ts'
import {
  auditRecords,
  countAuditRecords,
  newTenant,
  nobodysId,
  platformAdmin,
  systemRoleId,
} from '../../../../test/factories.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'

interface Named {
  name: string
}

const tenantWithMember = async () => {
  const tenant = await newTenant()
  const member = await tenant.member()
  const role = await tenant.role('user:read')
  const path = `/rbac/users/${member.userId}/roles`
  const held = async () => ((await tenant.admin.get(path)).data as Named[]).map(({ name }) => name)
  return { tenant, member, role, path, held }
}

describe('assigning a role', () => {
  test('gives the user its permissions on their next request, and is recorded once', async () => {
    const { tenant, member, role, path, held } = await tenantWithMember()
    expect((await member.get('/users')).status).toBe(403)
    expect(await tenant.admin.post(path, { role_id: role.id })).toMatchObject({
      status: 200,
      body: { data: null },
    })
    expect((await member.get('/users')).status).toBe(200)
    expect(await held()).toEqual(['member', role.name])
    const [record] = await auditRecords(tenant.id, 'role', role.id)
    expect(record).toMatchObject({ user_id: tenant.admin.userId, action: 'role.assign' })
    expect(record?.detail).toStrictEqual({
      user_id: { from: null, to: member.userId },
      username: { from: null, to: member.username },
      role: { from: null, to: role.name },
    })
  })

  test('a second time is 409 and leaves no record', async () => {
    const { tenant, role, path } = await tenantWithMember()
    await tenant.admin.post(path, { role_id: role.id })
    const records = await countAuditRecords(tenant.id)
    expect(await tenant.admin.post(path, { role_id: role.id })).toMatchObject(refusal('roleAlreadyHeld'))
    expect(await countAuditRecords(tenant.id)).toBe(records)
  })

  test('one of many equal assignments at once succeeds', async () => {
    const { tenant, role, path, held } = await tenantWithMember()
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => tenant.admin.post(path, { role_id: role.id })),
    )
    expect(tally(answers)).toEqual({ 200: 1, 409: 15 })
    expect(await held()).toEqual(['member', role.name])
  })

  test('needs a role that exists in the tenant', async () => {
    const { tenant, path, held } = await tenantWithMember()
    const other = await newTenant()
    const theirs = await other.role('user:read')
    for (const role_id of [nobodysId, theirs.id, platformAdminId]) {
      expect(await tenant.admin.post(path, { role_id })).toMatchObject(refusal('roleUnknown'))
    }
    expect(await held()).toEqual(['member'])
  })

  test('needs a user of the tenant', async () => {
    const { tenant, role } = await tenantWithMember()
    const other = await newTenant()
    for (const id of [nobodysId, other.admin.userId, (await platformAdmin()).userId]) {
      const answer = await tenant.admin.post(`/rbac/users/${id}/roles`, { role_id: role.id })
      expect(answer).toMatchObject(refusal('userUnknown'))
    }
    expect((await other.admin.get(`/rbac/users/${other.admin.userId}/roles`)).data).toHaveLength(2)
  })

  test.each([undefined, null, 0, -1, 1.5, '1', 2 ** 53, [1], true])(
    'refuses the role_id %j',
    async (role_id) => {
      const { tenant, path } = await tenantWithMember()
      expect(await tenant.admin.post(path, { role_id })).toMatchObject(refusalOf('role_id'))
    },
  )

  test('assigning a role to a user who is being deleted either happens before or is 404', async () => {
    const { tenant, member, role, path } = await tenantWithMember()
    const [deleted, ...answers] = await Promise.all([
      tenant.admin.delete(`/users/${member.userId}`),
      ...Array.from({ length: 6 }, () => tenant.admin.post(path, { role_id: role.id })),
    ])
    expect(deleted?.status).toBe(200)
    for (const { status } of answers) expect([200, 404, 409]).toContain(status)
    expect(await tenant.admin.get(path)).toMatchObject(refusal('userUnknown'))
  })
})

describe('taking a role from a user', () => {
  test('takes its permissions on their next request, and is recorded once', async () => {
    const { tenant, member, role, path, held } = await tenantWithMember()
    await tenant.admin.post(path, { role_id: role.id })
    expect((await member.get('/users')).status).toBe(200)
    const answer = await tenant.admin.delete(`${path}/${role.id}`)
    expect(answer).toMatchObject({ status: 200, body: { data: null } })
    expect((await member.get('/users')).status).toBe(403)
    expect(await held()).toEqual(['member'])
    const [record] = await auditRecords(tenant.id, 'role', role.id)
    expect(record).toMatchObject({ user_id: tenant.admin.userId, action: 'role.unassign' })
    expect(record?.detail).toStrictEqual({
      user_id: { from: member.userId, to: null },
      username: { from: member.username, to: null },
      role: { from: role.name, to: null },
    })
  })

  test('taking a role from a user without it is 404 and leaves no record', async () => {
    const { tenant, role, path } = await tenantWithMember()
    const records = await countAuditRecords(tenant.id)
    expect(await tenant.admin.delete(`${path}/${role.id}`)).toMatchObject(refusal('assignmentUnknown'))
    expect(await countAuditRecords(tenant.id)).toBe(records)
  })

  test('one of many equal removals at once succeeds', async () => {
    const { tenant, role, path } = await tenantWithMember()
    await tenant.admin.post(path, { role_id: role.id })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => tenant.admin.delete(`${path}/${role.id}`)),
    )
    expect(tally(answers)).toEqual({ 200: 1, 404: 7 })
  })

  test('is 404 for an unknown user, and for an unknown role', async () => {
    const { tenant, role, path } = await tenantWithMember()
    expect(await tenant.admin.delete(`${path}/${nobodysId}`)).toMatchObject(refusal('roleUnknown'))
    expect(await tenant.admin.delete(`/rbac/users/${nobodysId}/roles/${role.id}`)).toMatchObject(
      refusal('userUnknown'),
    )
  })
})

describe('the roles of a user', () => {
  test('are listed whole, with their permissions', async () => {
    const { tenant, role, path } = await tenantWithMember()
    await tenant.admin.post(path, { role_id: role.id })
    const { data } = await tenant.admin.get(path)
    const all = (await tenant.admin.get('/rbac/roles')).data as (Named & { permissions: unknown[] })[]
    expect(data).toStrictEqual(all.filter(({ name }) => name === 'member' || name === role.name))
    expect(
      data.map((one: { permissions: { code: string }[] }) => one.permissions.map(({ code }) => code)),
    ).toEqual([['dashboard:read'], ['user:read']])
  })

  test('are open to the user, and to others with role:read alone', async () => {
    const { tenant, member, path } = await tenantWithMember()
    expect((await member.get(path)).data).toMatchObject([{ name: 'member' }])
    const [reader, nobody] = [await tenant.userWith('role:read'), await tenant.userWith()]
    expect((await reader.get(path)).data).toMatchObject([{ name: 'member' }])
    expect(await nobody.get(path)).toMatchObject(refusal('permissionMissing'))
    expect((await nobody.get(`/rbac/users/${nobody.userId}/roles`)).status).toBe(200)
  })

  test('the roles of an unknown or foreign user are 404', async () => {
    const { tenant } = await tenantWithMember()
    const other = await newTenant()
    for (const id of [nobodysId, other.admin.userId]) {
      expect(await tenant.admin.get(`/rbac/users/${id}/roles`)).toMatchObject(refusal('userUnknown'))
    }
  })

  test('a platform administrator reads their own with any tenant in scope', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const { data } = await root.get(`/rbac/users/${root.userId}/roles`, { tenant: tenant.id })
    expect(data.map(({ name }: Named) => name)).toContain('platform-admin')
  })

  test('may be none', async () => {
    const { tenant, member, path } = await tenantWithMember()
    const id = systemRoleId('member')
    expect((await tenant.admin.delete(`${path}/${id}`)).status).toBe(200)
    expect((await member.get(path)).data).toEqual([])
  })
})
