import { describe, expect, test } from 'vitest'
import { auditRecords, newTenant } from '../../../../test/factories.ts'
import { errorCodes, type ErrorName } from '../../../errors/app-error.ts'
import { refusal } from '../../../../test/answers.ts'

const tenantWithMembers = async () => {
  const tenant = await newTenant()
  const members = await Promise.all([tenant.member(), tenant.member(), tenant.member()])
  const ids = members.map(({ userId }) => userId).toSorted((one, other) => one - other)
  return { tenant, members, ids }
}

const result = (userId: number | undefined, status: string, name?: ErrorName) => ({
  user_id: userId,
  status,
  error: name === undefined ? null : { code: errorCodes[name], message: expect.any(String), field: '' },
})

describe('a change of the status of many users', () => {
  test('disables each, ends their sessions, and leaves a record for each', async () => {
    const { tenant, members, ids } = await tenantWithMembers()
    const { data } = await tenant.admin.post('/users/status', { user_ids: ids.toReversed(), status: 0 })
    expect(data.results).toEqual(ids.map((id) => result(id, 'changed')))
    for (const member of members) {
      expect((await member.get('/profile')).status).toBe(401)
      expect(await auditRecords(tenant.id, 'user', member.userId)).toMatchObject([
        { user_id: tenant.admin.userId, action: 'user.update', detail: { status: { from: 1, to: 0 } } },
        { action: 'user.create' },
      ])
    }
    const again = await tenant.admin.post('/users/status', { user_ids: ids, status: 0 })
    expect(again.data.results).toEqual(ids.map((id) => result(id, 'unchanged')))
    await tenant.admin.post('/users/status', { user_ids: ids.slice(0, 1), status: 1 })
    expect((await tenant.admin.get(`/users/${ids[0]}`)).data.status).toBe(1)
  })

  test('refuses only unknown users, the own user and users above the caller', async () => {
    const { tenant, ids } = await tenantWithMembers()
    const manager = await tenant.userWith('user:update', 'dashboard:read')
    const foreign = await (await newTenant()).member()
    const asked = [ids[0], tenant.admin.userId, manager.userId, foreign.userId]
    const { data } = await manager.post('/users/status', { user_ids: asked, status: 0 })
    expect(new Map(data.results.map((one: { user_id: number }) => [one.user_id, one]))).toEqual(
      new Map([
        [ids[0], result(ids[0], 'changed')],
        [tenant.admin.userId, result(tenant.admin.userId, 'refused', 'targetOutranksCaller')],
        [manager.userId, result(manager.userId, 'refused', 'ownAccount')],
        [foreign.userId, result(foreign.userId, 'refused', 'userUnknown')],
      ]),
    )
    expect((await foreign.get('/profile')).status).toBe(200)
    expect((await tenant.admin.get('/profile')).status).toBe(200)
  })

  test('takes 1 to 100 users, each once', async () => {
    const { tenant, ids } = await tenantWithMembers()
    const change = (userIds: unknown[]) =>
      tenant.admin.post('/users/status', { user_ids: userIds, status: 0 })
    const lists = [[], [ids[0], ids[0]], Array.from({ length: 101 }, (_, index) => index + 1)]
    for (const list of lists) {
      expect((await change(list)).status).toBe(400)
    }
  })
})

describe('a change of the holders of a role', () => {
  test('gives the role and takes it, with a record for each user', async () => {
    const { tenant, ids } = await tenantWithMembers()
    const { id: roleId, name } = (await tenant.admin.post('/rbac/roles', { name: 'Auditors' })).data
    const change = (userIds: number[], held: boolean) =>
      tenant.admin.post(`/rbac/roles/${roleId}/users`, { user_ids: userIds, held })
    expect((await change(ids.slice(1), true)).data.results).toEqual(
      ids.slice(1).map((id) => result(id, 'changed')),
    )
    expect((await change(ids, true)).data.results.map(({ status }: { status: string }) => status)).toEqual([
      'changed',
      'unchanged',
      'unchanged',
    ])
    const holders = (await tenant.admin.get(`/rbac/roles/${roleId}/users`)).data.items
    expect(holders.map(({ id }: { id: number }) => id)).toEqual(ids)
    expect((await change(ids, false)).data.results).toEqual(ids.map((id) => result(id, 'changed')))
    expect((await tenant.admin.get(`/rbac/roles/${roleId}/users`)).data.items).toEqual([])
    const records = await auditRecords(tenant.id, 'role', roleId)
    expect(records.map(({ action }) => action).toSorted()).toEqual([
      ...ids.map(() => 'role.assign'),
      'role.create',
      ...ids.map(() => 'role.unassign'),
    ])
    expect(records.find(({ action }) => action === 'role.assign')?.detail).toMatchObject({
      role: { to: name },
    })
  })

  test('is as much as the caller holds, and takes no role of a user above', async () => {
    const { tenant, ids } = await tenantWithMembers()
    const manager = await tenant.userWith('role:assign', 'dashboard:read')
    const { id: roleId } = (await tenant.admin.post('/rbac/roles', { name: 'Plain' })).data
    const path = `/rbac/roles/${roleId}/users`
    await tenant.admin.post(path, { user_ids: [ids[0], tenant.admin.userId], held: true })
    const { data } = await manager.post(path, { user_ids: [ids[0], tenant.admin.userId], held: false })
    expect(data.results.toSorted((one: any, other: any) => one.status.localeCompare(other.status))).toEqual([
      result(ids[0], 'changed'),
      result(tenant.admin.userId, 'refused', 'targetOutranksCaller'),
    ])
    const roles = (await tenant.admin.get('/rbac/roles')).data
    const adminRole = roles.find((role: { name: string }) => role.name === 'admin')
    const grant = await manager.post(`/rbac/roles/${adminRole.id}/users`, { user_ids: [ids[0]], held: true })
    expect(grant).toMatchObject(refusal('grantExceedsOwn'))
    expect((await manager.post('/rbac/roles/2000000000/users', { user_ids: ids, held: true })).status).toBe(
      404,
    )
  })
})
