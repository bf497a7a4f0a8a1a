import { describe, expect, test } from 'vitest'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import { insertPolicies } from '../../../../test/approval-rows.ts'
import {
  administrators,
  approve,
  ask,
  carrying,
  isNeeded,
  platformAdministrator,
  proved,
  withPolicy,
} from '../../../../test/approving.ts'
import { declareAttribute } from '../../../../test/declared-attributes.ts'
import { auditRecords, nobodysId, ok, unique } from '../../../../test/factories.ts'
import { call } from '../../../../test/harness.ts'

describe('policies', () => {
  test('need one more who may decide than they ask', async () => {
    const { tenant, all } = await administrators(1)
    const body = { approvals: 1 }
    expect(await tenant.admin.put('/approval-policies/authority.give', body)).toMatchObject(
      refusal('approversFew'),
    )
    await proved(all[1])
    expect(ok(await all[0].put('/approval-policies/authority.give', body))).toEqual({
      operation: 'authority.give',
      approvals: 1,
      permission_codes: [],
      break_glass: false,
    })
    expect(ok(await all[0].get('/approval-policies'))).toHaveLength(1)
    expect(await all[2].put('/approval-policies/user.delete', body)).toMatchObject(refusal('mfaRequired'))
  })

  test('nothing changes for a tenant without a policy', async () => {
    const { tenant, all } = await administrators()
    const member = await tenant.member()
    const role = await tenant.role('user:read')
    ok(await all[0].post(`/rbac/users/${member.userId}/roles`, { role_id: role.id }))
    expect(
      await all[0].post('/approvals', {
        method: 'POST',
        path: `/rbac/users/${member.userId}/roles`,
        body: { role_id: (await tenant.role('audit:read')).id },
        reason: 'none',
      }),
    ).toMatchObject(refusal('approvalUnasked'))
  })
})

describe('a covered change', () => {
  test('is 403 without an approval, and passes once with one', async () => {
    const { tenant, asker, decider, other } = await withPolicy('authority.give')
    const member = await tenant.member()
    const role = await tenant.role('user:read', 'user:delete')
    const path = `/rbac/users/${member.userId}/roles`
    const body = { role_id: role.id }
    expect(await asker.post(path, body)).toMatchObject(
      isNeeded({ operations: ['authority.give'], approvals: 1, break_glass: false }),
    )
    const asked = ok(await ask(asker, 'POST', path, body))
    expect(asked).toMatchObject({
      operations: ['authority.give'],
      status: 'pending',
      approvals: 1,
      requested_by: { id: asker.userId, name: asker.username },
      change: {
        records: [{ action: 'role.assign', resource_id: String(role.id), about_user_id: member.userId }],
        gives: ['user:delete', 'user:read'],
        takes: [],
      },
      decisions: [],
    })
    expect(await asker.post(path, body, carrying(asked.id))).toMatchObject(refusal('approvalOver'))
    expect(await approve(asker, asked)).toMatchObject(refusal('ownApproval'))
    expect(await approve(decider, { ...asked, digest: '0'.repeat(64) })).toMatchObject(
      refusal('approvalOutdated'),
    )
    expect(ok(await approve(decider, asked))).toMatchObject({
      status: 'approved',
      decisions: [{ user: { id: decider.userId }, approve: true }],
    })
    expect(await approve(other, asked)).toMatchObject(refusal('approvalOver'))
    expect(await decider.post(path, body, carrying(asked.id))).toMatchObject(refusal('approvalUnknown'))
    const another = await tenant.role('user:read')
    expect(await asker.post(path, { role_id: another.id }, carrying(asked.id))).toMatchObject(
      refusal('approvalOutdated'),
    )
    expect(ok(await asker.get(`/approvals/${asked.id}`)).status).toBe('approved')
    const answers = await Promise.all([1, 2, 3].map(() => asker.post(path, body, carrying(asked.id))))
    expect(tally(answers)[200]).toBe(1)
    expect(ok(await asker.get(`/approvals/${asked.id}`)).status).toBe('done')
    const roles = ok(await asker.get(`/rbac/users/${member.userId}/roles`)) as { id: number }[]
    expect(roles.map(({ id }) => id)).toContain(role.id)
    const [record] = await auditRecords(tenant.id, 'role', role.id)
    expect(record).toMatchObject({
      action: 'role.assign',
      user_id: asker.userId,
      detail: {
        approval: {
          id: asked.id,
          reason: 'Ticket 4711',
          approved_by: [{ id: decider.userId, name: decider.username }],
        },
      },
    })
  })

  test('narrowed by permissions asks by effect', async () => {
    const { tenant, asker } = await withPolicy('authority.give', {
      approvals: 1,
      permission_codes: ['user:delete'],
    })
    const member = await tenant.member()
    const [harmless, strong] = [await tenant.role('user:read'), await tenant.role('user:delete')]
    const path = `/rbac/users/${member.userId}/roles`
    ok(await asker.post(path, { role_id: harmless.id }))
    expect(await asker.post(path, { role_id: strong.id })).toMatchObject({ status: 403 })
    const ids = (ok(await asker.get('/rbac/permissions')) as { id: number; code: string }[])
      .filter(({ code }) => code === 'user:read' || code === 'user:delete')
      .map(({ id }) => id)
    expect(await asker.put(`/rbac/roles/${harmless.id}/permissions`, { permission_ids: ids })).toMatchObject({
      status: 403,
      body: { code: 40350 },
    })
  })

  test('creates a user with a secret, and a digest that does not depend on new ids', async () => {
    const { asker, decider } = await withPolicy('user.create')
    const body = {
      email: `x${Date.now()}@example.com`,
      username: `x${Date.now()}`,
      password: 'a long password 1',
    }
    const asked = ok(await ask(asker, 'POST', '/users', body))
    expect(JSON.stringify(asked)).not.toContain(body.password)
    expect(asked.body.password).toMatch(/^secret:/)
    ok(await approve(decider, asked))
    expect(
      await asker.post('/users', { ...body, password: 'another long one' }, carrying(asked.id)),
    ).toMatchObject(refusal('approvalOutdated'))
    ok(await asker.post('/users', body, carrying(asked.id)))
  })

  test('stores no value of an attribute that its records withhold', async () => {
    const { tenant, asker, decider } = await withPolicy('user.create')
    const open = await declareAttribute({ schema: { type: 'string' }, administrators: 'write' })
    const sensitive = await declareAttribute({
      schema: { type: 'string' },
      administrators: 'write',
      sensitive: true,
    })
    const rowsWith = (attributes: object) => ({
      rows: [{ email: `x${tenant.id}@example.com`, attributes }],
    })
    const shown = ok(await ask(asker, 'POST', '/users/import', rowsWith({ [open]: 'V12345' })))
    expect(shown.body.rows[0].attributes).toEqual({ [open]: 'V12345' })
    const body = rowsWith({ [open]: 'area', [sensitive]: 'V12345' })
    const asked = ok(await ask(asker, 'POST', '/users/import', body))
    expect(asked.body.rows[0].attributes).toMatch(/^secret:/)
    expect(JSON.stringify(ok(await decider.get(`/approvals/${asked.id}`)))).not.toContain('V12345')
    ok(await approve(decider, asked))
    const other = rowsWith({ [open]: 'area', [sensitive]: 'V99999' })
    expect(await asker.post('/users/import', other, carrying(asked.id))).toMatchObject(
      refusal('approvalOutdated'),
    )
    const { results } = ok(await asker.post('/users/import', body, carrying(asked.id)))
    expect(results[0].status).toBe('created')
  })

  test('a change of a policy, and the gift of a decision, need it too', async () => {
    const { tenant, asker, decider } = await withPolicy('webhook.change')
    expect(await asker.delete('/approval-policies/webhook.change')).toMatchObject(
      isNeeded({ operations: ['policy.change'], approvals: 1, break_glass: false }),
    )
    const role = await tenant.role('approval:decide')
    const member = await tenant.member()
    expect(await asker.post(`/rbac/users/${member.userId}/roles`, { role_id: role.id })).toMatchObject(
      isNeeded({ operations: ['authority.give'], approvals: 1, break_glass: false }),
    )
    expect(await asker.post(`/users/${decider.userId}/password-expiry`)).toMatchObject({ status: 403 })
    const asked = ok(await ask(asker, 'DELETE', '/approval-policies/webhook.change'))
    ok(await approve(decider, asked))
    ok(await asker.delete('/approval-policies/webhook.change', carrying(asked.id)))
    expect(ok(await asker.get('/approval-policies'))).toEqual([])
  })

  test('approvers count only as long as they may decide', async () => {
    const { tenant, all, asker, decider } = await withPolicy('user.delete')
    const member = await tenant.member()
    const asked = ok(await ask(asker, 'DELETE', `/users/${member.userId}`))
    ok(await approve(decider, asked))
    ok(await all[2].put(`/users/${decider.userId}`, { status: 0 }))
    expect(await asker.delete(`/users/${member.userId}`, carrying(asked.id))).toMatchObject(
      refusal('approverMissing'),
    )
    expect(ok(await asker.get(`/users/${member.userId}`)).id).toBe(member.userId)
  })

  test('breaks the glass at once, where the policy allows it', async () => {
    const { tenant, asker } = await withPolicy('user.delete', { approvals: 1, break_glass: true })
    const member = await tenant.member()
    const path = `/users/${member.userId}`
    const urgent = { method: 'DELETE', path, break_glass: true }
    expect(await asker.post('/approvals', { ...urgent, reason: 'short' })).toMatchObject({ status: 400 })
    const asked = ok(
      await asker.post('/approvals', { ...urgent, reason: 'The account is attacked right now' }),
    )
    expect(asked).toMatchObject({ status: 'approved', break_glass: true })
    ok(await asker.delete(path, carrying(asked.id)))
  })
})

describe('whoever asks', () => {
  test('may be a key, whose maker does not decide', async () => {
    const { tenant, asker, decider } = await withPolicy('user.delete')
    const account = ok(await asker.post('/service-accounts', { name: 'robot' }))
    const role = await tenant.role('user:read', 'user:delete', 'dashboard:read')
    ok(await asker.post(`/rbac/users/${account.id}/roles`, { role_id: role.id }))
    const { secret } = ok(await asker.post(`/service-accounts/${account.id}/keys`, { name: 'any' }))
    const member = await tenant.member()
    const path = `/users/${member.userId}`
    const own = { token: secret, tenant: tenant.id }
    const robot = (method: string, at: string, body?: object, more: object = {}) =>
      call(method, at, { ...own, ...(body && { body }), ...more })
    const asked = ok(await robot('POST', '/approvals', { method: 'DELETE', path, reason: 'cleaning' }))
    expect(await approve(asker, asked)).toMatchObject(refusal('ownApproval'))
    ok(await approve(decider, asked))
    ok(await robot('DELETE', path, undefined, carrying(asked.id)))
  })

  test('needs the permission of the change, and so does whoever decides', async () => {
    const { tenant, asker } = await withPolicy('user.delete')
    const weak = await proved(await tenant.userWith('approval:decide', 'approval:read'))
    const member = await tenant.member()
    expect(await ask(weak, 'DELETE', `/users/${member.userId}`)).toMatchObject(refusal('permissionMissing'))
    const asked = ok(await ask(asker, 'DELETE', `/users/${member.userId}`))
    expect(await approve(weak, asked)).toMatchObject(refusal('permissionMissing'))
    const strong = await proved(await tenant.userWith('approval:decide', 'user:delete'))
    const admin = ok(await ask(asker, 'DELETE', `/users/${weak.userId}`))
    expect(await approve(strong, admin)).toMatchObject(refusal('targetOutranksCaller'))
    expect(await approve(weak, admin)).toMatchObject(refusal('ownApproval'))
  })

  test('asks from another tenant, but decides nothing there', async () => {
    const { tenant, decider } = await withPolicy('user.delete')
    const root = await platformAdministrator()
    const there = { tenant: tenant.id }
    const member = await tenant.member()
    const path = `/users/${member.userId}`
    expect(await root.delete(path, there)).toMatchObject({ status: 403, body: { code: 40350 } })
    expect(await root.put('/approval-policies/user.create', { approvals: 1 }, there)).toMatchObject(
      refusal('approvalElsewhere'),
    )
    const body = { method: 'DELETE', path, reason: 'the owner wrote to us' }
    const asked = ok(await root.post('/approvals', body, there))
    const { id, digest } = asked
    expect(await root.post(`/approvals/${id}/decide`, { approve: true, digest }, there)).toMatchObject(
      refusal('approvalElsewhere'),
    )
    ok(await approve(decider, asked))
    ok(await root.delete(path, { ...there, ...carrying(id) }))
  })

  test('cancels, and ends with the user', async () => {
    const { tenant, asker, decider, other } = await withPolicy('user.delete')
    const member = await tenant.member()
    const path = `/users/${member.userId}`
    const cancelled = ok(await ask(asker, 'DELETE', path))
    ok(await asker.delete(`/approvals/${cancelled.id}`))
    expect(await approve(decider, cancelled)).toMatchObject(refusal('approvalOver'))
    const asked = ok(await ask(other, 'DELETE', path))
    ok(await approve(decider, asked))
    ok(await asker.put(`/users/${other.userId}`, { status: 0 }))
    ok(await asker.put(`/users/${other.userId}`, { status: 1 }))
    expect(ok(await decider.get(`/approvals/${asked.id}`)).status).toBe('cancelled')
  })

  test('gets 404 for approvals of others without a permission', async () => {
    const { tenant, asker } = await withPolicy('user.delete')
    const member = await tenant.member()
    const asked = ok(await ask(asker, 'DELETE', `/users/${member.userId}`))
    expect(await member.get(`/approvals/${asked.id}`)).toMatchObject(refusal('approvalUnknown'))
    expect(await member.delete(`/approvals/${asked.id}`)).toMatchObject(refusal('approvalUnknown'))
    expect(ok(await member.get('/approvals')).items).toEqual([])
    expect(ok(await asker.get('/approvals?status=pending')).items).toHaveLength(1)
    expect(ok(await asker.get(`/approvals?before_id=${asked.id}`)).items).toHaveLength(0)
  })
})

describe('a rehearsal', () => {
  test('changes nothing, reaches no public endpoint, and asks for nothing that needs no approval', async () => {
    const { tenant, asker } = await withPolicy('user.delete')
    const member = await tenant.member()
    ok(await ask(asker, 'DELETE', `/users/${member.userId}`))
    expect(ok(await asker.get(`/users/${member.userId}`)).id).toBe(member.userId)
    const unasked = refusal('approvalUnasked')
    const login = { email: member.email, password: 'correct horse battery' }
    expect(await ask(asker, 'POST', '/auth/login', login)).toMatchObject(unasked)
    expect(await ask(asker, 'POST', '/approvals', {})).toMatchObject(unasked)
    expect(await ask(asker, 'DELETE', '/no/such/path')).toMatchObject(unasked)
    expect(await ask(asker, 'POST', '/../../oauth2/token')).toMatchObject(refusalOf('path'))
    expect(await ask(asker, 'POST', '/no/such/token')).toMatchObject(unasked)
    expect(await ask(asker, 'DELETE', `/users/${nobodysId}`)).toMatchObject(refusal('userUnknown'))
    expect(await ask(asker, 'PUT', `/users/${member.userId}`, { nickname: 'Ada' })).toMatchObject(unasked)
  })

  test('a decider rehearses an elevation as an assignment', async () => {
    const { tenant, asker, decider } = await withPolicy('elevation.start')
    const role = await tenant.role('audit:read')
    ok(
      await decider.post(`/rbac/users/${asker.userId}/eligible-roles`, { role_id: role.id, max_minutes: 60 }),
    )
    const body = { role_id: role.id, minutes: 30, reason: 'A ticket' }
    expect(await asker.post('/elevations', body)).toMatchObject({ status: 403 })
    const asked = ok(await ask(asker, 'POST', '/elevations', body))
    const weak = await proved(await tenant.userWith('approval:decide', 'role:assign'))
    expect(await approve(weak, asked)).toMatchObject(refusal('grantExceedsOwn'))
    ok(await approve(decider, asked))
    ok(await asker.post('/elevations', body, carrying(asked.id)))
  })

  test('a taken name leaves the approval as it was', async () => {
    const { asker, decider } = await withPolicy('user.create')
    const name = unique()
    const body = { email: `${name}@example.com`, username: name, password: 'correct horse battery' }
    const [first, second] = [
      ok(await ask(asker, 'POST', '/users', body)),
      ok(await ask(asker, 'POST', '/users', body)),
    ]
    ok(await approve(decider, first))
    ok(await approve(decider, second))
    ok(await asker.post('/users', body, carrying(first.id)))
    expect(await asker.post('/users', body, carrying(second.id))).toMatchObject({
      status: 409,
      body: { code: refusal('emailTaken').body.code },
    })
    expect(ok(await asker.get(`/approvals/${second.id}`)).status).toBe('approved')
  })

  test('the digest of a key, an import and a webhook is that of the real call', async () => {
    const { tenant, asker, decider } = await withPolicy('key.create')
    await insertPolicies(tenant.id, ['user.create', 'webhook.change', 'authority.give', 'setting.security'])
    const account = ok(await asker.post('/service-accounts', { name: 'robot' }))
    const role = await tenant.role('user:read')
    const changes: [string, string, object][] = [
      ['POST', `/service-accounts/${account.id}/keys`, { name: 'any' }],
      ['POST', '/users/import', { rows: [{ email: `${unique()}@example.com`, role_ids: [role.id] }] }],
      ['POST', '/webhooks', { url: 'http://127.0.0.1:9', events: ['*'] }],
      ['POST', '/invitations', { email: `${unique()}@example.com`, role_ids: [role.id] }],
      ['PUT', '/settings/tenant/auth.require_second_factor', { value: false }],
    ]
    for (const [method, path, body] of changes) {
      const asked = ok(await ask(asker, method, path, body))
      ok(await approve(decider, asked))
      const sent = { tenant: asker.tenantId, token: asker.token, body, ...carrying(asked.id) }
      expect([path, (await call(method, path, sent)).status]).toEqual([path, 200])
    }
  })
})
