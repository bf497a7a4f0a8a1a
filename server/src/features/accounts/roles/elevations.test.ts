import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { systemCtx } from '../../../start/parts.ts'
import { refusal } from '../../../../test/answers.ts'
import { expireBefore } from '../../../../test/expired-periods.ts'
import { auditRecords, keyWith, newTenant, signIn, type Caller } from '../../../../test/factories.ts'
import { call, parts } from '../../../../test/harness.ts'
import { addTotp, proveTwice } from '../../../../test/second-factors.ts'
import { endElevations, expireElevations } from './elevations.service.ts'

const systemic = () => systemCtx(parts, 'maintenance')

/** A tenant whose administrator has a second factor, and a member who is eligible for a role. */
const tenantWithEligible = async () => {
  const tenant = await newTenant()
  const [member, role] = [await tenant.member(), await tenant.role('user:read')]
  await Promise.all([proveTwice(tenant.admin), proveTwice(member)])
  const path = `/rbac/users/${member.userId}/eligible-roles`
  const made = await tenant.admin.post(path, { role_id: role.id, max_minutes: 30 })
  expect(made.status).toBe(200)
  const start = (caller: Caller = member, fields: object = {}) =>
    caller.post('/elevations', { role_id: role.id, minutes: 30, reason: 'Ticket 4711', ...fields })
  const mayRead = async (caller: Caller = member) => (await caller.get('/users')).status === 200
  return { tenant, member, role, path, start, mayRead }
}

const backdate = (tenantId: string, table: 'elevations' | 'eligible_roles') =>
  parts.store.transaction({ tenantId }, (db) =>
    db.run(
      table === 'elevations'
        ? sql`update elevations set ends_at = statement_timestamp() - interval '1 second' where tenant_id = ${tenantId}`
        : sql`update eligible_roles set expires_at = statement_timestamp() - interval '1 second' where tenant_id = ${tenantId}`,
    ),
  )

const forget = ({ tenantId, userId }: Caller) =>
  parts.cache.publish({ kind: 'user', tenantId, userId, sessionId: '' })

describe('eligibility', () => {
  test('carries nothing, and is listed with its giver', async () => {
    const { tenant, member, role, path, mayRead } = await tenantWithEligible()
    expect(await mayRead()).toBe(false)
    expect((await member.get(path)).data).toMatchObject([
      {
        role: { id: role.id, name: role.name },
        max_minutes: 30,
        given_by: { id: tenant.admin.userId, name: tenant.admin.username },
        expires_at: '',
      },
    ])
    const [record] = await auditRecords(tenant.id, 'role', role.id)
    expect(record).toMatchObject({ action: 'role.eligible', user_id: tenant.admin.userId })
  })

  test('counts for rank: nobody acts on a user who could start more than they hold', async () => {
    const { tenant, member } = await tenantWithEligible()
    const clerk = await tenant.userWith('user:update', 'dashboard:read')
    expect(await clerk.put(`/users/${member.userId}`, { nickname: 'x' })).toMatchObject(
      refusal('targetOutranksCaller'),
    )
  })

  test('is refused twice, for a held role, for a service account, and without a second factor', async () => {
    const { tenant, member, role, path } = await tenantWithEligible()
    const input = { role_id: role.id, max_minutes: 30 }
    expect(await tenant.admin.post(path, input)).toMatchObject(refusal('roleAlreadyEligible'))
    const held = await tenant.role('user:read')
    await tenant.admin.post(`/rbac/users/${member.userId}/roles`, { role_id: held.id })
    expect(await tenant.admin.post(path, { ...input, role_id: held.id })).toMatchObject(
      refusal('roleAlreadyHeld'),
    )
    const account = await keyWith(tenant.id, [])
    expect(await tenant.admin.post(`/rbac/users/${account.userId}/eligible-roles`, input)).toMatchObject(
      refusal('userUnknown'),
    )
    expect(await tenant.admin.post(path, { ...input, max_minutes: 481 })).toMatchObject({ status: 400 })
    const plain = await tenant.userWith('role:assign', 'user:read')
    expect(await plain.post(path, input)).toMatchObject(refusal('mfaRequired'))
    const key = await keyWith(tenant.id, ['role:assign', 'user:read'])
    expect(await key.post(path, input)).toMatchObject(refusal('ownSessionNeeded'))
  })

  test('cannot be given beyond the own authority, in permissions and in time', async () => {
    const { tenant, member } = await tenantWithEligible()
    const giver = await tenant.userWith('role:assign', 'role:read')
    await proveTwice(giver)
    const strong = await tenant.role('audit:read')
    const path = `/rbac/users/${member.userId}/eligible-roles`
    const input = { role_id: strong.id, max_minutes: 5 }
    expect(await giver.post(path, input)).toMatchObject(refusal('grantExceedsOwn'))
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    await tenant.admin.post(`/rbac/users/${giver.userId}/roles`, { role_id: strong.id, expires_at })
    expect(await giver.post(path, input)).toMatchObject(refusal('grantOutlastsOwn'))
    expect((await giver.post(path, { ...input, expires_at })).status).toBe(200)
  })
})

describe('an elevation', () => {
  test('counts in the session that asked alone, and is recorded', async () => {
    const { tenant, member, role, start, mayRead } = await tenantWithEligible()
    const other = await signIn(member)
    const { data } = await start()
    expect(data).toMatchObject({
      user: { id: member.userId },
      role: { name: role.name },
      status: 'active',
      reason: 'Ticket 4711',
    })
    expect(await mayRead()).toBe(true)
    expect(await mayRead(other)).toBe(false)
    const [record] = await auditRecords(tenant.id, 'elevation', data.id)
    expect(record).toMatchObject({ action: 'elevation.start', user_id: member.userId })
    expect(await start()).toMatchObject(refusal('elevationActive'))
  })

  test('needs eligibility for so long, and an own session with a second factor', async () => {
    const { tenant, member, start } = await tenantWithEligible()
    expect(await start(member, { minutes: 31 })).toMatchObject(refusal('notEligible'))
    expect(await start(member, { reason: ' ' })).toMatchObject({ status: 400 })
    await proveTwice(tenant.admin)
    expect(await start(tenant.admin)).toMatchObject(refusal('notEligible'))
    expect(await start(await signIn(member))).toMatchObject(refusal('mfaRequired'))
  })

  test.each([
    ['its time', ({ tenant }) => backdate(tenant.id, 'elevations')],
    ['the time of the eligibility', ({ tenant }) => backdate(tenant.id, 'eligible_roles')],
    ['the eligibility', ({ tenant, path, role }) => tenant.admin.delete(`${path}/${role.id}`)],
    ['the role', ({ tenant, role }) => tenant.admin.delete(`/rbac/roles/${role.id}`)],
  ] satisfies [string, (made: Awaited<ReturnType<typeof tenantWithEligible>>) => Promise<unknown>][])(
    'ends with %s, and leaves one record',
    async (_what, endIt) => {
      const made = await tenantWithEligible()
      const { tenant, member, start, mayRead } = made
      const { data } = await start()
      await endIt(made)
      await forget(member)
      expect(await mayRead()).toBe(false)
      await Promise.all([endElevations(systemic()), endElevations(systemic())])
      const actions = (await auditRecords(tenant.id, 'elevation', data.id)).map(({ action }: any) => action)
      expect(actions.filter((action: string) => action === 'elevation.end')).toHaveLength(1)
      const { items } = (await tenant.admin.get('/elevations')).data
      expect(items).toMatchObject([{ id: data.id, status: 'over' }])
    },
  )

  test('ends in time for its streams: at its own end, or at an earlier one of the eligibility', async () => {
    const { tenant, start } = await tenantWithEligible()
    const eligibleFor = (seconds: number) =>
      parts.store.scoped({ tenantId: tenant.id }).run(sql`
        update eligible_roles set expires_at = statement_timestamp() + ${seconds} * interval '1 second'
        where tenant_id = ${tenant.id}`)
    await start()
    await eligibleFor(86_400)
    expect(await endElevations(systemic())).toBeLessThanOrEqual(30 * 60_000)
    await eligibleFor(20)
    const ms = await endElevations(systemic())
    expect(ms).toBeGreaterThan(0)
    expect(ms).toBeLessThanOrEqual(20_000)
  })

  test('goes with the audit records of the time of its end', async () => {
    const { tenant, member, start } = await tenantWithEligible()
    const { data: first } = await start()
    await member.delete(`/elevations/${first.id}`)
    const { data: second } = await start()
    const { items } = (await tenant.admin.get('/elevations?status=over')).data
    const ended = Date.parse(items[0].ends_at)
    const idsAfter = async (ms: number) => {
      await expireBefore(tenant.id, new Date(ms), expireElevations)
      return (await tenant.admin.get('/elevations')).data.items.map(({ id }: any) => id)
    }
    expect(await idsAfter(ended - 1000)).toEqual([second.id, first.id])
    // An active elevation has no end yet.
    expect(await idsAfter(ended + 3_600_000)).toEqual([second.id])
  })

  test('ends with its session and by a removed second factor', async () => {
    const { tenant, member, start, mayRead } = await tenantWithEligible()
    const { id } = await addTotp(member)
    await proveTwice(member)
    await start()
    expect(await mayRead()).toBe(true)
    await parts.store.scoped({}).run(sql`delete from factors where id = ${id}`)
    await forget(member)
    expect(await mayRead()).toBe(false)
    await endElevations(systemic())
    await start()
    await call('POST', '/auth/logout', { token: member.token })
    await endElevations(systemic())
    const { items } = (await tenant.admin.get('/elevations?status=over')).data
    expect(items).toHaveLength(2)
  })

  test('is ended by its person, and by others with role:assign and rank', async () => {
    const { tenant, member, start, mayRead } = await tenantWithEligible()
    const first = (await start()).data
    expect((await member.delete(`/elevations/${first.id}`)).status).toBe(200)
    expect(await mayRead()).toBe(false)
    const second = (await start()).data
    const clerk = await tenant.userWith('role:assign')
    await proveTwice(clerk)
    expect(await clerk.delete(`/elevations/${second.id}`)).toMatchObject(refusal('targetOutranksCaller'))
    const stranger = await tenant.member()
    await proveTwice(stranger)
    expect(await stranger.delete(`/elevations/${second.id}`)).toMatchObject(refusal('permissionMissing'))
    expect((await tenant.admin.delete(`/elevations/${second.id}`)).status).toBe(200)
    expect(await mayRead()).toBe(false)
  })

  test('gives nobody anything beyond its own end', async () => {
    const { tenant, member, start } = await tenantWithEligible()
    const assigner = await tenant.role('role:assign')
    await tenant.admin.post(`/rbac/users/${member.userId}/roles`, { role_id: assigner.id })
    await start()
    const other = await tenant.member()
    const small = await tenant.role('user:read')
    const body = { role_id: small.id }
    expect(await member.post(`/rbac/users/${other.userId}/roles`, body)).toMatchObject(
      refusal('grantOutlastsOwn'),
    )
    const expires_at = new Date(Date.now() + 10 * 60_000).toISOString()
    expect((await member.post(`/rbac/users/${other.userId}/roles`, { ...body, expires_at })).status).toBe(200)
  })

  test('starts ten times a day for a person', async () => {
    const { member, start } = await tenantWithEligible()
    for (let count = 0; count < 10; count += 1) {
      const { data } = await start()
      await member.delete(`/elevations/${data.id}`)
    }
    expect(await start()).toMatchObject({ status: 429 })
  })
})
