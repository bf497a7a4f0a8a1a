/** Attacks on approvals that must fail (docs/contract.md, "Approvals"). */
import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { refusal, tally } from '../../../../test/answers.ts'
import { insertPolicies } from '../../../../test/approval-rows.ts'
import {
  approve,
  approvedBy,
  ask,
  carrying,
  isNeeded,
  proved,
  withPolicy,
} from '../../../../test/approving.ts'
import { insertActiveConnection } from '../../../../test/connection-rows.ts'
import { expireBefore } from '../../../../test/expired-periods.ts'
import { newTenant, nobodysId, ok, permissionIds, unique } from '../../../../test/factories.ts'
import { call, clock, parts, startApp } from '../../../../test/harness.ts'
import { systemCtx } from '../../../start/parts.ts'
import { inTenant } from '../../../context.ts'
import { expireApprovals } from './expiry.service.ts'
import { deletePoliciesByOperator } from './policies.service.ts'

/** A second replica, whose clock is five seconds ahead. */
const startAnother = async () => {
  const running = await startApp({}, undefined, { now: () => new Date(clock.now().getTime() + 5_000) })
  onTestFinished(() => running.app.close())
  return running
}

describe('two at once', () => {
  test('use an approval once, at two replicas with different clocks', async () => {
    const { tenant, asker, decider } = await withPolicy('webhook.change')
    const at = await startAnother()
    for (let round = 0; round < 3; round += 1) {
      const body = { url: 'http://127.0.0.1:9', events: ['*'] }
      const asked = await approvedBy(decider, ok(await ask(asker, 'POST', '/webhooks', body)))
      const answers = await Promise.all(
        [{}, { at }, {}, { at }].map((where) =>
          asker.post('/webhooks', body, { ...where, ...carrying(asked.id) }),
        ),
      )
      expect(tally(answers)).toEqual({ 200: 1, 409: 3 })
    }
    expect(ok(await tenant.admin.get('/webhooks'))).toHaveLength(3)
  })

  test('leave one of approval, rejection and cancelling', async () => {
    const { asker, decider, other } = await withPolicy('webhook.change')
    const at = await startAnother()
    const asked = ok(await ask(asker, 'POST', '/webhooks', { url: 'http://127.0.0.1:9', events: ['*'] }))
    const decide = { digest: asked.digest }
    const answers = await Promise.all([
      decider.post(`/approvals/${asked.id}/decide`, { ...decide, approve: false }, { at }),
      other.post(`/approvals/${asked.id}/decide`, { ...decide, approve: false }),
      asker.delete(`/approvals/${asked.id}`, { at }),
    ])
    expect(tally(answers)).toEqual({ 200: 1, 409: 2 })
  })

  test('are both refused by a policy that another replica has just set', async () => {
    const { tenant, asker } = await withPolicy('user.delete')
    const at = await startAnother()
    const members = await Promise.all([1, 2, 3, 4].map(() => tenant.member()))
    await insertPolicies(tenant.id, ['user.disable'])
    const answers = await Promise.all(
      members.map(({ userId }) => asker.put(`/users/${userId}`, { status: 0 }, { at })),
    )
    expect(tally(answers)).toEqual({ 403: 4 })
  })
})

describe('an approval', () => {
  test('needs two people where the policy asks for two, each once', async () => {
    const { tenant, asker, decider, other } = await withPolicy('user.delete', { approvals: 2 })
    const member = await tenant.member()
    const path = `/users/${member.userId}`
    const asked = ok(await ask(asker, 'DELETE', path))
    expect(ok(await approve(decider, asked)).status).toBe('pending')
    expect(await approve(decider, asked)).toMatchObject(refusal('alreadyDecided'))
    expect(await asker.delete(path, carrying(asked.id))).toMatchObject(refusal('approvalOver'))
    expect(ok(await approve(other, asked)).status).toBe('approved')
    ok(await asker.delete(path, carrying(asked.id)))
    expect(await asker.delete(path, carrying(asked.id))).toMatchObject(refusal('approvalOver'))
  })

  test('counts only while the policies ask for no more people', async () => {
    const { tenant, asker, decider } = await withPolicy('user.delete')
    const member = await tenant.member()
    const path = `/users/${member.userId}`
    const asked = await approvedBy(decider, ok(await ask(asker, 'DELETE', path)))
    await parts.store
      .scoped({ tenantId: tenant.id })
      .run(sql`update approval_policies set approvals = 2 where tenant_id = ${tenant.id}`)
    expect(await asker.delete(path, carrying(asked.id))).toMatchObject(refusal('approverMissing'))
  })

  test('counts only while the approver could make the change', async () => {
    const { tenant, asker, other } = await withPolicy('user.delete')
    const clerk = await proved(await tenant.userWith('approval:decide', 'user:delete', 'dashboard:read'))
    const member = await tenant.member()
    const path = `/users/${member.userId}`
    const asked = await approvedBy(clerk, ok(await ask(asker, 'DELETE', path)))
    const [role] = ok(await other.get(`/rbac/users/${clerk.userId}/roles`))
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      delete from role_permissions where tenant_id = ${tenant.id} and role_id = ${role.id}
        and permission_id = any (${permissionIds('user:delete')}::bigint[])`)
    expect(await asker.delete(path, carrying(asked.id))).toMatchObject(refusal('approverMissing'))
  })

  test('counts as long as the elevation of its decider lasts', async () => {
    const { tenant, asker } = await withPolicy('webhook.change')
    const body = { url: 'http://127.0.0.1:9', events: ['*'] }
    const clerk = await proved(await tenant.userWith('webhook:manage', 'audit:read', 'dashboard:read'))
    const role = await tenant.role('approval:decide')
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      insert into eligible_roles (tenant_id, user_id, role_id, max_minutes, given_by, given_at)
      values (${tenant.id}, ${clerk.userId}, ${role.id}, 60, ${asker.userId}, now())`)
    const start = { role_id: role.id, minutes: 30, reason: 'A ticket' }
    const { id } = ok(await clerk.post('/elevations', start))
    clock.advance(2_000)
    const [first, second] = [
      await approvedBy(clerk, ok(await ask(asker, 'POST', '/webhooks', body))),
      await approvedBy(clerk, ok(await ask(asker, 'POST', '/webhooks', body))),
    ]
    ok(await asker.post('/webhooks', body, carrying(first.id)))
    ok(await clerk.delete(`/elevations/${id}`))
    expect(await asker.post('/webhooks', body, carrying(second.id))).toMatchObject(refusal('approverMissing'))
  })

  test('ends after 72 hours of the database', async () => {
    const { tenant, asker, decider } = await withPolicy('user.delete')
    const path = `/users/${(await tenant.member()).userId}`
    const asked = await approvedBy(decider, ok(await ask(asker, 'DELETE', path)))
    const hoursLeft = (Date.parse(asked.expires_at) - Date.parse(asked.created_at)) / 3_600_000
    expect(hoursLeft).toBe(72)
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      update approvals set expires_at = now() - interval '1 second' where tenant_id = ${tenant.id}`)
    expect(await asker.delete(path, carrying(asked.id))).toMatchObject(refusal('approvalOver'))
    expect(ok(await asker.get(`/approvals/${asked.id}`)).status).toBe('expired')
  })

  test('is for another change when a role has grown meanwhile', async () => {
    const { tenant, asker, decider } = await withPolicy('user.delete')
    const role = await tenant.role('user:read')
    ok(await asker.put(`/rbac/roles/${role.id}`, { description: 'before' }))
    await insertPolicies(tenant.id, ['authority.give'])
    const path = `/rbac/users/${(await tenant.member()).userId}/roles`
    const asked = await approvedBy(decider, ok(await ask(asker, 'POST', path, { role_id: role.id })))
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      insert into role_permissions (tenant_id, role_id, permission_id, platform_only)
      select ${tenant.id}, ${role.id}, id, false from permissions where code = 'user:delete'`)
    expect(await asker.post(path, { role_id: role.id }, carrying(asked.id))).toMatchObject(
      refusal('approvalOutdated'),
    )
  })

  test('is a number in its header, and nothing else', async () => {
    const { asker } = await withPolicy('user.delete')
    for (const text of ['x', '0', '-1', '1.5', '1 2', '9'.repeat(20)]) {
      const headers = { 'x-approval-id': text }
      expect(await asker.delete(`/users/${nobodysId}`, { headers })).toMatchObject({ status: 400 })
    }
    expect(await asker.delete(`/users/${nobodysId}`, carrying(nobodysId))).toMatchObject(
      refusal('approvalUnknown'),
    )
  })
})

describe('another way to the same effect', () => {
  test('is asked too: many users, holders, an invitation, an import and a mapping', async () => {
    const { tenant, asker } = await withPolicy('authority.give', {
      approvals: 1,
      permission_codes: ['user:delete'],
    })
    await insertPolicies(tenant.id, ['user.disable'])
    const member = await tenant.member()
    const [weak, strong] = [await tenant.role('user:read'), await tenant.role('user:delete')]
    const connection = await insertActiveConnection(tenant)
    const given = { operations: ['authority.give'], approvals: 1, break_glass: false }
    const email = () => `${unique()}@example.com`
    const link = (id: number) => ({ email: email(), parts: ['connection'], role_ids: [id] })
    const ways: [string, string, (roleId: number) => object][] = [
      ['POST', `/rbac/users/${member.userId}/roles`, (role_id) => ({ role_id })],
      ['POST', '/invitations', (id) => ({ email: email(), role_ids: [id] })],
      ['POST', '/users/import', (id) => ({ rows: [{ email: email(), role_ids: [id] }] })],
      ['PUT', `/connections/${connection}`, (role_id) => ({ group_mappings: [{ group: 'staff', role_id }] })],
      ['PUT', `/connections/${connection}`, (id) => ({ default_role_ids: [id] })],
    ]
    for (const [method, path, body] of ways) {
      const send = (id: number) => (method === 'PUT' ? asker.put(path, body(id)) : asker.post(path, body(id)))
      expect([path, await send(strong.id)]).toMatchObject([path, isNeeded(given)])
      expect([path, (await send(weak.id)).status]).toEqual([path, 200])
    }
    expect(await asker.post('/setup-links', link(strong.id))).toMatchObject(isNeeded(given))
    ok(await asker.post('/setup-links', link(weak.id)))
    const held = { user_ids: [member.userId], held: true }
    expect(await asker.post(`/rbac/roles/${strong.id}/users`, held)).toMatchObject(isNeeded(given))
    const many = { user_ids: [member.userId], status: 0 }
    expect(await asker.post('/users/status', many)).toMatchObject({ status: 403 })
  })

  test('recovers nobody who may decide, whatever the policy is about', async () => {
    const { asker, decider } = await withPolicy('webhook.change')
    const needed = isNeeded({ operations: ['user.recover'], approvals: 1, break_glass: false })
    const at = `/users/${decider.userId}`
    expect(await asker.put(at, { email: `${unique()}@example.com` })).toMatchObject(needed)
    expect(await asker.delete(`${at}/factors`)).toMatchObject(needed)
    expect(await asker.post(`${at}/password-expiry`)).toMatchObject(needed)
    expect(await asker.post(`${at}/password-reset`)).toMatchObject(needed)
  })

  test('makes nobody who may decide: by a role that is given, eligible or changed', async () => {
    const { tenant, asker } = await withPolicy('webhook.change')
    const needed = isNeeded({ operations: ['authority.give'], approvals: 1, break_glass: false })
    const member = await tenant.member()
    const [role, empty] = [await tenant.role('approval:decide'), await tenant.role()]
    const at = `/rbac/users/${member.userId}`
    expect(await asker.post(`${at}/roles`, { role_id: role.id })).toMatchObject(needed)
    const eligible = { role_id: role.id, max_minutes: 60 }
    expect(await asker.post(`${at}/eligible-roles`, eligible)).toMatchObject(needed)
    const ids = { permission_ids: permissionIds('approval:manage') }
    expect(await asker.put(`/rbac/roles/${empty.id}/permissions`, ids)).toMatchObject(needed)
  })
})

describe('breaking the glass', () => {
  const urgent = (path: string) => ({
    method: 'DELETE',
    path,
    break_glass: true,
    reason: 'The account is attacked right now',
  })

  test('needs its permission, a policy that allows it, and an own user', async () => {
    const { tenant, asker, decider } = await withPolicy('user.delete', { approvals: 1, break_glass: true })
    const path = `/users/${(await tenant.member()).userId}`
    const clerk = await proved(await tenant.userWith('user:delete', 'dashboard:read'))
    expect(await clerk.post('/approvals', urgent(path))).toMatchObject(refusal('permissionMissing'))
    await insertPolicies(tenant.id, ['user.disable'])
    const role = await tenant.role('approval:decide')
    const give = {
      ...urgent(`/rbac/users/${clerk.userId}/roles`),
      method: 'POST',
      body: { role_id: role.id },
    }
    expect(await asker.post('/approvals', give)).toMatchObject(refusal('breakGlassOff'))
    const asked = ok(await asker.post('/approvals', urgent(path)))
    const notices = ok(await decider.get(`/notifications/user/${decider.userId}`)).items
    expect(notices).toEqual(
      expect.arrayContaining([expect.objectContaining({ title: 'A change was made without approval' })]),
    )
    const [{ count } = { count: 0 }] = await parts.store.scoped({}).many<{ count: number }>(sql`
      select count(*)::int as count from mail_queue where kind = 'glass_broken' and email = ${decider.email}`)
    expect(count).toBe(1)
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      update approval_policies set break_glass = false where tenant_id = ${tenant.id}`)
    expect(await asker.delete(path, carrying(asked.id))).toMatchObject(refusal('breakGlassOff'))
  })

  test('is possible five times an hour', async () => {
    const { tenant, asker } = await withPolicy('user.delete', { approvals: 1, break_glass: true })
    const path = `/users/${(await tenant.member()).userId}`
    for (let times = 0; times < 5; times += 1) ok(await asker.post('/approvals', urgent(path)))
    expect(await asker.post('/approvals', urgent(path))).toMatchObject({ status: 429 })
  })
})

test('a requester has at most 100 requests that wait', async () => {
  const { tenant, asker } = await withPolicy('user.delete')
  const path = `/users/${(await tenant.member()).userId}`
  const asked = ok(await ask(asker, 'DELETE', path))
  await parts.store.scoped({ tenantId: tenant.id }).run(sql`
    insert into approvals (tenant_id, requester_id, requester_account, requester_name, operations, approvals, method, path,
      body, change, concerned, reason, digest, break_glass, status, created_at, expires_at)
    select tenant_id, requester_id, requester_account, requester_name, operations, approvals, method, path, body, change,
      concerned, reason, digest, break_glass, status, created_at, expires_at
    from approvals, generate_series(1, 99) where tenant_id = ${tenant.id}`)
  expect(await ask(asker, 'DELETE', path)).toMatchObject({ status: 429 })
  ok(await asker.delete(`/approvals/${asked.id}`))
  ok(await ask(asker, 'DELETE', path))
})

test('approvals go with the records of their time, and not before', async () => {
  const { tenant, asker, decider } = await withPolicy('user.delete')
  const path = `/users/${(await tenant.member()).userId}`
  const asked = await approvedBy(decider, ok(await ask(asker, 'DELETE', path)))
  const expire = (ms: number) =>
    expireBefore(tenant.id, new Date(Date.parse(asked.created_at) + ms), expireApprovals)
  await expire(-1000)
  expect(ok(await asker.get(`/approvals/${asked.id}`)).decisions).toHaveLength(1)
  await expire(1000)
  expect(await asker.get(`/approvals/${asked.id}`)).toMatchObject(refusal('approvalUnknown'))
  const decisions = await parts.store
    .scoped({ tenantId: tenant.id })
    .many(sql`select approval_id from approval_decisions`)
  expect(decisions).toEqual([])
})

test('the operator turns the policies of a tenant off', async () => {
  const { tenant, asker } = await withPolicy('user.delete')
  const ctx = inTenant(systemCtx(parts, 'approvals off'), tenant.id)
  expect(await deletePoliciesByOperator(ctx)).toBe(1)
  ok(await asker.delete(`/users/${(await tenant.member()).userId}`))
  const other = await newTenant()
  expect(await call('GET', '/approval-policies', { token: other.admin.token })).toMatchObject({ data: [] })
})
