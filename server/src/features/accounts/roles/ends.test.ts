import { decodeJwt } from 'jose'
import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { warnOfRoleEnds } from '../../delivery/notifications/role-ends.service.ts'
import { systemCtx } from '../../../start/parts.ts'
import { auditRecords, newTenant, newUser, password, type Caller } from '../../../../test/factories.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import { clock, parts, startApp } from '../../../../test/harness.ts'
import { useMailServer } from '../../../../test/mail-queue.ts'
import { accept, invite } from '../../../../test/people.ts'
import { endAssignments } from './ended.service.ts'

const server = useMailServer()

const minutes = 60_000
const days = 24 * 60 * minutes
const ahead = (ms: number): string => new Date(Date.now() + ms).toISOString()

/** Moves the end of an assignment, because a test cannot wait for it. */
const moveEnd = (tenantId: string, userId: number, roleId: number, seconds: number) =>
  parts.store.transaction({ tenantId }, (db) =>
    db.run(sql`
      update user_roles set warn_at = null, expires_at = statement_timestamp() + ${seconds} * interval '1 second'
      where tenant_id = ${tenantId} and user_id = ${userId} and role_id = ${roleId}`),
  )

const systemic = () => systemCtx(parts, 'maintenance')

const tenantWithMember = async () => {
  const tenant = await newTenant()
  const member = await tenant.member()
  const role = await tenant.role('user:read')
  const path = `/rbac/users/${member.userId}/roles`
  const list = async (query = `user_id=${member.userId}`, caller: Caller = tenant.admin) =>
    (await caller.get(`/rbac/assignments?${query}`)).data
  return { tenant, member, role, path, list }
}

describe('a role with an end', () => {
  test('counts until its end and nowhere from then on, without any job', async () => {
    const { tenant, member, role, path, list } = await tenantWithMember()
    const end = ahead(10 * minutes)
    expect((await tenant.admin.post(path, { role_id: role.id, expires_at: end })).status).toBe(200)
    expect((await member.get('/users')).status).toBe(200)
    const { items } = await list(`role_id=${role.id}`)
    expect(items).toMatchObject([
      {
        user: { id: member.userId, name: member.username, type: 'user' },
        role: { id: role.id, name: role.name },
        source: 'manual',
        assigned_by: { id: tenant.admin.userId, name: tenant.admin.username },
        expires_at: end,
      },
    ])
    await moveEnd(tenant.id, member.userId, role.id, -1)
    await parts.cache.publish({ kind: 'user', tenantId: tenant.id, userId: member.userId, sessionId: '' })
    expect((await member.get('/users')).status).toBe(403)
    expect((await tenant.admin.get(path)).data.map(({ name }: any) => name)).toEqual(['member'])
    expect((await tenant.admin.get(`/rbac/roles/${role.id}/users`)).data.total).toBe(0)
    expect((await tenant.admin.get(`/users?role_id=${role.id}`)).data.total).toBe(0)
    expect((await list(`role_id=${role.id}`)).items).toEqual([])
    expect(await tenant.admin.put(`${path}/${role.id}`, { expires_at: null })).toMatchObject(
      refusal('assignmentUnknown'),
    )
    expect(await tenant.admin.delete(`${path}/${role.id}`)).toMatchObject(refusal('assignmentUnknown'))
  })

  test('is given to many users at once, while a role that is taken has no end', async () => {
    const { tenant, member, role, list } = await tenantWithMember()
    const other = await tenant.member()
    const path = `/rbac/roles/${role.id}/users`
    const user_ids = [member.userId, other.userId]
    const end = ahead(10 * minutes)
    const tooLate = { user_ids, held: true, expires_at: ahead(401 * days) }
    expect(await tenant.admin.post(path, tooLate)).toMatchObject(refusalOf('expires_at'))
    expect(await tenant.admin.post(path, { user_ids, held: false, expires_at: end })).toMatchObject(
      refusalOf('expires_at'),
    )
    expect((await tenant.admin.post(path, { user_ids, held: true, expires_at: end })).data).toMatchObject({
      results: [{ status: 'changed' }, { status: 'changed' }],
    })
    expect((await list(`role_id=${role.id}`)).items).toMatchObject([{ expires_at: end }, { expires_at: end }])
    const [record] = await auditRecords(tenant.id, 'role', role.id)
    expect(record).toMatchObject({ action: 'role.assign', detail: { expires_at: { from: null, to: end } } })
  })

  test('stops counting for a remembered caller within 2 seconds', async () => {
    const { tenant, member, role, path } = await tenantWithMember()
    await tenant.admin.post(path, { role_id: role.id, expires_at: ahead(10 * minutes) })
    await moveEnd(tenant.id, member.userId, role.id, 1)
    const startedAt = performance.now()
    await expect.poll(async () => (await member.get('/users')).status, { interval: 100 }).toBe(403)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })

  test('leaves one record of the system and a change for the replicas', async () => {
    const { tenant, member, role, path } = await tenantWithMember()
    await tenant.admin.post(path, { role_id: role.id, expires_at: ahead(10 * minutes) })
    await moveEnd(tenant.id, member.userId, role.id, -1)
    await Promise.all([endAssignments(systemic()), endAssignments(systemic())])
    const records = await auditRecords(tenant.id, 'role', role.id)
    const ended = records.filter(({ action }: any) => action === 'role.expire')
    expect(ended).toMatchObject([
      {
        user_id: 0,
        detail: {
          user_id: { from: member.userId, to: null },
          username: { from: member.username },
          role: { from: role.name },
        },
      },
    ])
  })

  test('can be given again before any job has run, and the end is recorded once', async () => {
    const { tenant, member, role, path } = await tenantWithMember()
    await tenant.admin.post(path, { role_id: role.id, expires_at: ahead(10 * minutes) })
    expect(await tenant.admin.post(path, { role_id: role.id })).toMatchObject(refusal('roleAlreadyHeld'))
    await moveEnd(tenant.id, member.userId, role.id, -1)
    const many = await Promise.all(
      Array.from({ length: 4 }, () => tenant.admin.post(path, { role_id: role.id })),
    )
    expect(tally(many)).toEqual({ 200: 1, 409: 3 })
    await endAssignments(systemic())
    const actions = (await auditRecords(tenant.id, 'role', role.id)).map(({ action }: any) => action)
    expect(actions.filter((action: string) => action === 'role.expire')).toHaveLength(1)
    await moveEnd(tenant.id, member.userId, role.id, -1)
    const bulk = await tenant.admin.post(`/rbac/roles/${role.id}/users`, {
      user_ids: [member.userId],
      held: true,
    })
    expect(bulk.data).toMatchObject({ results: [{ status: 'changed' }] })
  })

  test.each([
    ['4 minutes', 4 * minutes],
    ['yesterday', -days],
    ['401 days', 401 * days],
  ])('cannot end in %s', async (_when, ms) => {
    const { tenant, role, path } = await tenantWithMember()
    const expires_at = ahead(ms)
    expect(await tenant.admin.post(path, { role_id: role.id, expires_at })).toMatchObject({ status: 400 })
    await tenant.admin.post(path, { role_id: role.id })
    expect(await tenant.admin.put(`${path}/${role.id}`, { expires_at })).toMatchObject({ status: 400 })
  })

  test('is told to holder and giver 7 days and 1 day before, and only when the time is over twice that', async () => {
    const { tenant, member, role, path } = await tenantWithMember()
    const titles = async (caller: Caller) =>
      (await caller.get(`/notifications/user/${caller.userId}`)).data.items.map(({ title }: any) => title)
    const comeTo = (hours: number): Promise<unknown> =>
      parts.store.transaction({ tenantId: tenant.id }, (db) =>
        db.run(sql`
          update user_roles set warn_at = statement_timestamp(),
            expires_at = statement_timestamp() + ${hours} * interval '1 hour'
          where tenant_id = ${tenant.id} and warn_at is not null`),
      )
    await tenant.admin.post(path, { role_id: role.id, expires_at: ahead(days) })
    await comeTo(12)
    await warnOfRoleEnds(systemic())
    expect(await titles(member)).toEqual([])
    await tenant.admin.put(`${path}/${role.id}`, { expires_at: ahead(20 * days) })
    for (const [count, hours] of [
      [1, 7 * 24],
      [2, 24],
      [2, 12],
    ] as const) {
      await comeTo(hours)
      await warnOfRoleEnds(systemic())
      expect(await titles(member)).toEqual(Array(count).fill('One of your roles ends soon'))
      expect(await titles(tenant.admin)).toEqual(Array(count).fill('A role that you assigned ends soon'))
    }
  })
})

describe('changing an end', () => {
  test('shortens by rank, lengthens as assigning, and is recorded', async () => {
    const { tenant, role, path } = await tenantWithMember()
    await tenant.admin.post(path, { role_id: role.id })
    const assigner = await tenant.userWith('role:assign', 'user:read', 'dashboard:read')
    const soon = ahead(10 * minutes)
    expect((await assigner.put(`${path}/${role.id}`, { expires_at: soon })).status).toBe(200)
    const [record] = await auditRecords(tenant.id, 'role', role.id)
    expect(record).toMatchObject({ action: 'role.change_end', user_id: assigner.userId })
    expect(record?.detail).toMatchObject({ expires_at: { from: '', to: soon } })
    expect((await assigner.put(`${path}/${role.id}`, { expires_at: null })).status).toBe(200)
    expect(await assigner.put(`${path}/${role.id}`, {})).toMatchObject({ status: 400 })
    const lesser = await tenant.userWith('role:assign')
    expect(await lesser.put(`${path}/${role.id}`, { expires_at: soon })).toMatchObject(
      refusal('targetOutranksCaller'),
    )
  })
})

describe('nobody hands out longer than they hold', () => {
  const withEndingAdmin = async () => {
    const tenant = await newTenant()
    const [giver, member] = [await tenant.userWith('role:read', 'dashboard:read'), await tenant.member()]
    const role = await tenant.role(
      'user:read',
      'user:create',
      'user:update',
      'role:assign',
      'role:update',
      'role:create',
    )
    const end = ahead(2 * 60 * minutes)
    await tenant.admin.post(`/rbac/users/${giver.userId}/roles`, { role_id: role.id, expires_at: end })
    const small = await tenant.role('user:read')
    return { tenant, giver, member, small, end }
  }

  test('a role, a permission of a role and an invitation', async () => {
    const { tenant, giver, member, small, end } = await withEndingAdmin()
    const path = `/rbac/users/${member.userId}/roles`
    const tooLong = refusal('grantOutlastsOwn')
    const later = ahead(3 * 60 * minutes)
    expect(await giver.post(path, { role_id: small.id })).toMatchObject(tooLong)
    expect(await giver.post(path, { role_id: small.id, expires_at: later })).toMatchObject(tooLong)
    expect(
      await giver.post(`/rbac/roles/${small.id}/users`, { user_ids: [member.userId], held: true }),
    ).toMatchObject(tooLong)
    expect((await giver.post(path, { role_id: small.id, expires_at: end })).status).toBe(200)
    expect(await giver.put(`${path}/${small.id}`, { expires_at: later })).toMatchObject(tooLong)
    expect(await giver.put(`${path}/${small.id}`, { expires_at: null })).toMatchObject(tooLong)
    const created = await giver.post('/rbac/roles', { name: 'Readers' })
    expect(
      await giver.put(`/rbac/roles/${created.data.id}/permissions`, { permission_ids: [1] }),
    ).toMatchObject(tooLong)
    const email = `${crypto.randomUUID()}@example.com`
    expect(await giver.post('/invitations', { email, role_ids: [small.id] })).toMatchObject(tooLong)
    const invitation = await giver.post('/invitations', { email, role_ids: [small.id], roles_expire_at: end })
    expect(invitation.data).toMatchObject({ roles_expire_at: end })
    expect(tenant.id).toBe(invitation.data.tenant_id)
  })

  test("another's e-mail, and a key", async () => {
    const { tenant, giver, small, end } = await withEndingAdmin()
    const target = await newUser(tenant.id)
    await tenant.admin.post(`/rbac/users/${target.userId}/roles`, { role_id: small.id })
    const email = `${crypto.randomUUID()}@example.com`
    expect(await giver.put(`/users/${target.userId}`, { email })).toMatchObject(refusal('grantOutlastsOwn'))
    const account = await tenant.admin.post('/service-accounts', { name: 'Robot' })
    await tenant.admin.post(`/rbac/users/${account.data.id}/roles`, { role_id: small.id })
    const keys = `/service-accounts/${account.data.id}/keys`
    const keeper = await tenant.role('service_account:update')
    await tenant.admin.post(`/rbac/users/${giver.userId}/roles`, { role_id: keeper.id })
    expect(await giver.post(keys, { name: 'k' })).toMatchObject(refusal('grantOutlastsOwn'))
    expect((await giver.post(keys, { name: 'k', expires_at: end })).status).toBe(200)
  })
})

describe('an invitation with an end of its roles', () => {
  test('gives the roles until then, and never beyond the end of its inviter', async () => {
    const tenant = await newTenant()
    const role = await tenant.role('user:read')
    const inviter = await tenant.userWith('user:create')
    await tenant.admin.post(`/rbac/users/${inviter.userId}/roles`, { role_id: role.id })
    const [first, second] = [ahead(30 * minutes), ahead(60 * minutes)]
    const inviteUntil = async (roles_expire_at: string) => {
      const body = { email: `${crypto.randomUUID()}@example.com`, role_ids: [role.id], roles_expire_at }
      return (await invite(server, inviter, body)).token
    }
    const acceptBy = async (token: string) => {
      const { data } = await accept(token, { password })
      const userId = decodeJwt(data.access_token).sub
      const { items } = (await tenant.admin.get(`/rbac/assignments?user_id=${userId}`)).data
      return items.find((one: any) => one.role.id === role.id)
    }
    const [early, late] = [await inviteUntil(first), await inviteUntil(second)]
    await tenant.admin.put(`/rbac/users/${inviter.userId}/roles/${role.id}`, {
      expires_at: ahead(45 * minutes),
    })
    expect(await acceptBy(early)).toMatchObject({ source: 'invitation', expires_at: first })
    const capped = await acceptBy(late)
    expect(new Date(capped.expires_at).getTime()).toBeLessThan(Date.now() + 46 * minutes)
    expect(capped.assigned_by).toEqual({ id: inviter.userId, name: inviter.username })
  })
})

test('an end is that of the database, however wrong the clock of a replica is', async () => {
  const { tenant, member, role, path, list } = await tenantWithMember()
  const at = await startApp({}, undefined, { now: () => new Date(clock.now().getTime() - 10 * minutes) })
  onTestFinished(() => at.app.close())
  const past = { role_id: role.id, expires_at: ahead(-minutes) }
  expect((await tenant.admin.post(path, past, { at })).status).toBe(200)
  expect((await member.get('/users', { at })).status).toBe(403)
  expect((await list(`role_id=${role.id}`)).items).toEqual([])
  const now = ahead(minutes)
  expect((await tenant.admin.post(path, { ...past, expires_at: now }, { at })).status).toBe(200)
  expect((await member.get('/users')).status).toBe(200)
  await moveEnd(tenant.id, member.userId, role.id, -1)
  await parts.cache.publish({ kind: 'user', tenantId: tenant.id, userId: member.userId, sessionId: '' })
  for (const where of [{}, { at }]) expect((await member.get('/users', where)).status).toBe(403)
})

test('assignments page by id, and nobody reads those of others without both permissions', async () => {
  const { tenant, member, role, path, list } = await tenantWithMember()
  await tenant.admin.post(path, { role_id: role.id, expires_at: ahead(days) })
  const whole = (await list('page_size=200')).items
  const [first] = (await list('page_size=1')).items
  expect((await list(`page_size=200&after_id=${first.id}`)).items).toEqual(whole.slice(1))
  expect((await list(`expires_before=${ahead(2 * days)}`)).items).toHaveLength(1)
  expect((await list(`expires_before=${ahead(minutes)}`)).items).toEqual([])
  expect((await list(undefined, member)).items).toHaveLength(2)
  const half = await tenant.userWith('role:read')
  expect(await half.get('/rbac/assignments')).toMatchObject(refusal('permissionMissing'))
  expect(await member.get('/rbac/assignments')).toMatchObject(refusal('permissionMissing'))
})
