import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { consent, newApplication } from '../../../../test/applications.ts'
import { refusal, tally } from '../../../../test/answers.ts'
import {
  auditRecords,
  keyWith,
  newTenant,
  nobodysId,
  ok,
  platformAdmin,
  systemRoleId,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { ofApplication } from '../../../../test/narrowed-sessions.ts'
import { insertMember } from '../../../../test/people.ts'
import {
  ahead,
  days,
  itemsOfReview,
  newReviewedTenant,
  openReview,
  withFactor,
} from '../../../../test/reviews.ts'

type Item = any

/** A tenant with a member who holds a role, and a review of it by two people: an administrator and a member. */
const reviewing = async () => {
  const tenant = await newReviewedTenant()
  const [member, low] = [await tenant.member(), await withFactor(await tenant.member())]
  const role = await tenant.role('user:read')
  ok(await tenant.admin.post(`/rbac/users/${member.userId}/roles`, { role_id: role.id }))
  const find = (items: Item[]): Item =>
    items.find((one) => one.what.id === role.id && one.subject.id === member.userId)
  return { tenant, admin: tenant.admin, member, low, role, find }
}

const started = async () => {
  const scene = await reviewing()
  const { tenant, admin, low, find } = scene
  const { id } = await openReview(tenant, [admin, low])
  const read = async () => find(await itemsOfReview(admin, id))
  return { ...scene, id, item: await read(), read }
}

const decide = (caller: Caller, id: number, items: Item[], decision: string) =>
  caller.post(`/reviews/${id}/decide`, { item_ids: items.map((one) => one.id), decision })

const rolesOf = async ({ admin }: Tenant, { userId }: Caller): Promise<number[]> =>
  ok(await admin.get(`/rbac/users/${userId}/roles`)).map((role: any) => role.id)

const countsOf = async ({ admin }: Tenant, id: number) => ok(await admin.get(`/reviews/${id}`)).counts

/** Makes an assignment look as if a group had given it. */
const giveByGroup = (tenantId: string, userId: number, roleId: number) =>
  parts.store.scoped({ tenantId }).run(sql`
    update user_roles set source = 'sso' where tenant_id = ${tenantId} and user_id = ${userId} and role_id = ${roleId}`)

describe('a reviewer', () => {
  test('keeps without any other change, and is recorded', async () => {
    const { tenant, admin, member, role, id, item, read } = await started()
    const answer = await admin.post(`/reviews/${id}/decide`, {
      item_ids: [item.id],
      decision: 'keep',
      comment: ' On the team ',
    })
    expect(answer.data).toEqual([{ id: item.id, outcome: 'kept' }])
    expect(await read()).toMatchObject({
      decision: 'keep',
      outcome: 'kept',
      comment: 'On the team',
      decided_by: { id: admin.userId, name: admin.username },
    })
    expect(await rolesOf(tenant, member)).toContain(role.id)
    expect(await countsOf(tenant, id)).toMatchObject({ kept: 1 })
    const [record] = await auditRecords(tenant.id, 'review', id)
    expect(record).toMatchObject({
      action: 'review.decide',
      user_id: admin.userId,
      detail: {
        item_id: { to: item.id },
        outcome: { from: 'pending', to: 'kept' },
        decision: { from: null, to: 'keep' },
        comment: { to: 'On the team' },
        what: { to: role.name },
      },
    })
  })

  test('revokes a role as its endpoint does, with the records of both', async () => {
    const { tenant, admin, member, role, id, item } = await started()
    expect((await decide(admin, id, [item], 'revoke')).data).toEqual([{ id: item.id, outcome: 'revoked' }])
    expect(await rolesOf(tenant, member)).not.toContain(role.id)
    expect((await member.get('/users')).status).toBe(403)
    const [unassigned] = await auditRecords(tenant.id, 'role', role.id)
    expect(unassigned).toMatchObject({ action: 'role.unassign', user_id: admin.userId })
    expect(await countsOf(tenant, id)).toMatchObject({ revoked: 1, kept: 0 })
  })

  test('revokes an eligibility, a key and a consent', async () => {
    const { tenant, admin, member, role } = await reviewing()
    const startable = await tenant.role('audit:read')
    const eligible = { role_id: startable.id, max_minutes: 30 }
    ok(await admin.post(`/rbac/users/${member.userId}/eligible-roles`, eligible))
    const key = await keyWith(tenant.id, ['user:read'])
    const application = await newApplication({ is_third_party: true })
    await consent(member, application)
    const { id } = await openReview(tenant, [admin])
    const items = await itemsOfReview(admin, id)
    const wanted = items.filter(
      (one: Item) =>
        one.source === 'eligible' ||
        one.kind !== 'roles' ||
        (one.what.id === role.id && one.kind === 'roles'),
    )
    expect(wanted).toHaveLength(4)
    expect((await key.get('/users')).status).toBe(200)
    const answer = await decide(admin, id, wanted, 'revoke')
    expect(answer.data).toEqual(wanted.map((one: Item) => ({ id: one.id, outcome: 'revoked' })))
    expect((await key.get('/users')).status).toBe(401)
    expect(ok(await admin.get(`/rbac/users/${member.userId}/eligible-roles`))).toEqual([])
    expect(ok(await admin.get(`/grants?user_id=${member.userId}`)).items).toEqual([])
    const again = await decide(admin, id, wanted, 'keep')
    expect(again.data).toEqual(answer.data)
  })

  test('is refused without the permission of the endpoint, and another reviewer then revokes', async () => {
    const { tenant, admin, low, member, role, id, item, read } = await started()
    expect((await decide(low, id, [item], 'revoke')).data).toEqual([{ id: item.id, outcome: 'refused' }])
    expect(await rolesOf(tenant, member)).toContain(role.id)
    expect(await read()).toMatchObject({
      decision: 'revoke',
      outcome: 'refused',
      decided_by: { id: low.userId },
    })
    expect(await countsOf(tenant, id)).toMatchObject({ refused: 1 })
    const actions = (await auditRecords(tenant.id, 'role', role.id)).map(({ action }) => action)
    expect(actions).not.toContain('role.unassign')
    expect((await decide(admin, id, [item], 'revoke')).data).toEqual([{ id: item.id, outcome: 'revoked' }])
    expect(await countsOf(tenant, id)).toMatchObject({ refused: 0, revoked: 1 })
  })

  test('is refused without the rank over the holder', async () => {
    const { tenant, admin, low } = await reviewing()
    const assigner = await tenant.role('role:assign')
    ok(await admin.post(`/rbac/users/${low.userId}/roles`, { role_id: assigner.id }))
    const { id } = await openReview(tenant, [low])
    const items = await itemsOfReview(admin, id)
    const ofAdmin = items.find((one: Item) => one.subject.id === admin.userId)
    expect((await decide(low, id, [ofAdmin], 'revoke')).data).toEqual([
      { id: ofAdmin.id, outcome: 'refused' },
    ])
    expect(await rolesOf(tenant, admin)).toContain(systemRoleId('admin'))
    const [record] = await auditRecords(tenant.id, 'review', id)
    expect(record?.detail['refusal']).toEqual({ from: null, to: 40306 })
  })

  test('leaves a role that a group gives', async () => {
    const { tenant, admin, low, member, role, find } = await reviewing()
    await giveByGroup(tenant.id, member.userId, role.id)
    const { id } = await openReview(tenant, [admin, low])
    const item = find(await itemsOfReview(admin, id))
    expect(item.source).toBe('sso')
    for (const caller of [low, admin]) {
      expect((await decide(caller, id, [item], 'revoke')).data).toEqual([
        { id: item.id, outcome: 'directory' },
      ])
    }
    expect(await rolesOf(tenant, member)).toContain(role.id)
    expect(find(await itemsOfReview(admin, id))).toMatchObject({ decided_by: { id: low.userId } })
  })

  test('finds an ended role gone', async () => {
    const { admin, member, role, id, item } = await started()
    ok(await admin.delete(`/rbac/users/${member.userId}/roles/${role.id}`))
    expect((await decide(admin, id, [item], 'keep')).data).toEqual([{ id: item.id, outcome: 'gone' }])
  })

  test('is asked anew about a role that changed, like each other reviewer', async () => {
    const { tenant, admin, low, member, role, id, item, read } = await started()
    const path = `/rbac/users/${member.userId}/roles/${role.id}`
    const end = ahead(20 * days)
    ok(await admin.put(path, { expires_at: end }))
    const changed = [{ id: item.id, outcome: 'changed' }]
    expect((await decide(low, id, [item], 'keep')).data).toEqual(changed)
    expect(await read()).toMatchObject({ outcome: 'changed', decision: '', expires_at: end })
    // This reviewer may have seen only the earlier state.
    expect((await decide(admin, id, [item], 'revoke')).data).toEqual(changed)
    expect(await rolesOf(tenant, member)).toContain(role.id)
    ok(await admin.delete(path))
    ok(await admin.post(`/rbac/users/${member.userId}/roles`, { role_id: role.id }))
    expect((await decide(admin, id, [item], 'revoke')).data).toEqual(changed)
    expect(await read()).toMatchObject({ outcome: 'changed', expires_at: '' })
    expect((await decide(admin, id, [item], 'revoke')).data).toEqual([{ id: item.id, outcome: 'revoked' }])
    expect(await countsOf(tenant, id)).toMatchObject({ changed: 0, revoked: 1 })
  })

  test('revokes the assignment that they saw, or none, while it changes', async () => {
    const { tenant, admin, member, role, id, item, read } = await started()
    const path = `/rbac/users/${member.userId}/roles/${role.id}`
    const end = ahead(20 * days)
    const [revoked, lengthened] = await Promise.all([
      decide(admin, id, [item], 'revoke'),
      admin.put(path, { expires_at: end }),
    ])
    const isHeld = (await rolesOf(tenant, member)).includes(role.id)
    expect([revoked.data[0].outcome, lengthened.status, isHeld]).toEqual(
      isHeld ? ['changed', 200, true] : ['revoked', 404, false],
    )
    expect(await read()).toMatchObject({ outcome: isHeld ? 'changed' : 'revoked' })
  })

  test('is asked anew about a consent with more scopes', async () => {
    const { tenant, admin, member } = await reviewing()
    const application = await newApplication({ is_third_party: true })
    const grantId = await consent(member, application)
    const { id } = await openReview(tenant, [admin], { kinds: ['grants'] })
    const [item] = await itemsOfReview(admin, id)
    await parts.store
      .scoped({ tenantId: tenant.id })
      .run(sql`update grants set scopes = scopes || '{user:read}' where id = ${grantId}`)
    expect((await decide(admin, id, [item], 'keep')).data).toEqual([{ id: item.id, outcome: 'changed' }])
    expect((await decide(admin, id, [item], 'keep')).data).toEqual([{ id: item.id, outcome: 'kept' }])
  })

  test('counts if no other one decided first, also at the same moment', async () => {
    const { tenant, admin, member, role } = await reviewing()
    const other = await withFactor(await tenant.userWith('role:assign', 'user:read', 'dashboard:read'))
    const { id } = await openReview(tenant, [admin, other])
    const items = (await itemsOfReview(admin, id)).filter((one: Item) => one.subject.id === member.userId)
    const answers = await Promise.all([
      decide(admin, id, items, 'keep'),
      decide(other, id, items, 'revoke'),
      decide(admin, id, items, 'keep'),
      decide(other, id, items, 'revoke'),
    ])
    expect(tally(answers)).toEqual({ 200: 4 })
    const decided = (await itemsOfReview(admin, id)).filter((one: Item) => one.subject.id === member.userId)
    const now = decided.map((one: Item) => ({ id: one.id, outcome: one.outcome }))
    for (const { data } of answers) {
      for (const one of data) expect(now).toContainEqual(one)
    }
    const held = await rolesOf(tenant, member)
    const outcome = decided.find((one: Item) => one.what.id === role.id).outcome
    expect(held.includes(role.id)).toBe(outcome === 'kept')
    const records = await auditRecords(tenant.id, 'review', id)
    expect(records.filter(({ action }) => action === 'review.decide')).toHaveLength(items.length)
  })
})

describe('nobody', () => {
  test('decides about themselves, and then nothing of the request happens', async () => {
    const { tenant, admin, low, member, role, id } = await started()
    const items = await itemsOfReview(admin, id)
    const mixed = items.filter((one: Item) => [admin.userId, member.userId].includes(one.subject.id))
    for (const decision of ['keep', 'revoke']) {
      expect(await decide(admin, id, mixed, decision)).toMatchObject(refusal('ownItem'))
    }
    expect(await countsOf(tenant, id)).toMatchObject({ pending: items.length })
    expect(await rolesOf(tenant, member)).toContain(role.id)
    const own = mixed.filter((one: Item) => one.subject.id === admin.userId)
    expect((await decide(low, id, own, 'keep')).data).toEqual(
      own.map((one: Item) => ({ id: one.id, outcome: 'kept' })),
    )
  })

  test('decides about their own person by joining again as another user', async () => {
    const { tenant, admin, role } = await reviewing()
    const person = (await newTenant()).admin
    const before = await insertMember(person, tenant)
    ok(await admin.post(`/rbac/users/${before}/roles`, { role_id: role.id }))
    const { id } = await openReview(tenant, [admin])
    const items = await itemsOfReview(admin, id)
    const theirs = items.filter((one: Item) => one.subject.id === before)
    expect(theirs.length).toBeGreaterThan(0)
    ok(await admin.delete(`/users/${before}`))
    const after = await insertMember(person, tenant)
    expect(after).not.toBe(before)
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      update reviews set reviewer_ids = array[${after}::bigint] where tenant_id = ${tenant.id} and id = ${id}`)
    const pair = ok(await person.post('/auth/switch', { tenant_id: tenant.id }))
    await withFactor({ ...person, tenantId: tenant.id, userId: after })
    const request = { item_ids: theirs.map((one: Item) => one.id), decision: 'keep' }
    expect(
      await person.post(`/reviews/${id}/decide`, request, { token: pair.access_token, tenant: tenant.id }),
    ).toMatchObject(refusal('ownItem'))
  })

  test('decides who is no reviewer, whatever permissions they hold', async () => {
    const { admin, member, id, item, low } = await started()
    const root = await withFactor(await platformAdmin())
    for (const [caller, error] of [
      [member, 'notReviewer'],
      [await withFactor(member), 'notReviewer'],
    ] as const) {
      expect(await decide(caller, id, [item], 'keep')).toMatchObject(refusal(error))
    }
    const asRoot = await root.post(
      `/reviews/${id}/decide`,
      { item_ids: [item.id], decision: 'keep' },
      { tenant: admin.tenantId },
    )
    expect(asRoot).toMatchObject(refusal('notReviewer'))
    expect(await decide(low, id, [{ id: nobodysId }], 'keep')).toMatchObject(refusal('reviewItemUnknown'))
    expect(await decide(low, nobodysId, [item], 'keep')).toMatchObject(refusal('reviewUnknown'))
    expect(await decide(low, id, [], 'keep')).toMatchObject({ status: 400 })
    expect(await decide(low, id, [item, item], 'keep')).toMatchObject({ status: 400 })
  })

  test('decides by the session of an application', async () => {
    const { tenant, id, item } = await started()
    const reviewer = await withFactor(await tenant.member())
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      update reviews set reviewer_ids = reviewer_ids || ${reviewer.userId}::bigint where tenant_id = ${tenant.id}`)
    await ofApplication(reviewer)
    expect((await decide(reviewer, id, [item], 'keep')).status).toBe(403)
    expect((await countsOf(tenant, id)).kept).toBe(0)
  })

  test('decides without a second factor, or by a key', async () => {
    const { tenant, admin, id, item } = await started()
    const reviewer = await tenant.member()
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      update reviews set reviewer_ids = reviewer_ids || ${reviewer.userId}::bigint where tenant_id = ${tenant.id}`)
    expect(await decide(reviewer, id, [item], 'keep')).toMatchObject(refusal('mfaRequired'))
    const key = await keyWith(tenant.id, ['review:read', 'review:manage'])
    expect(await decide(key, id, [item], 'keep')).toMatchObject(refusal('permissionMissing'))
    expect((await decide(admin, id, [item], 'keep')).status).toBe(200)
  })

  test('decides with the item of another review', async () => {
    const { tenant, admin, low, id, item } = await started()
    const other = await openReview(tenant, [admin, low])
    expect(await decide(low, other.id, [item], 'keep')).toMatchObject(refusal('reviewItemUnknown'))
    expect(await countsOf(tenant, id)).toMatchObject({ kept: 0 })
  })
})
