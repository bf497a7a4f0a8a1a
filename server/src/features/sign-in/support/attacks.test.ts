import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStream } from '../../../../test/event-streams.ts'
import { refusal, tally } from '../../../../test/answers.ts'
import { builtIn, ok, type Caller } from '../../../../test/factories.ts'
import { parts, startApp } from '../../../../test/harness.ts'
import { useMailServer, waitingFor } from '../../../../test/mail-queue.ts'
import { insertMember } from '../../../../test/people.ts'
import { withTokens } from '../../../../test/second-factors.ts'
import { allowed, asked, careful, openSupport, supported, within } from '../../../../test/support.ts'

useMailServer()

const sessions = '/support/sessions'
const refused = refusal('supportRefused')
const gone = refusal('tokenInvalid')

const putSetting = (tenantId: string, key: string, value: string) =>
  parts.store.scoped({ tenantId }).run(sql`
    insert into tenant_settings (tenant_id, key, value, updated_at) values (${tenantId}, ${key}, ${value}::jsonb, now())`)

describe('a question', () => {
  test('is never allowed by another user of the same person', async () => {
    const { tenant, user, staff } = await supported('user:read')
    const userId = await insertMember(staff, tenant)
    const pair = ok(await staff.post('/auth/switch', { tenant_id: tenant.id }))
    const second = { ...withTokens({ ...staff, tenantId: tenant.id }, pair), userId }
    const role = await tenant.role('support:allow', 'user:read')
    ok(await tenant.admin.post(`/rbac/users/${second.userId}/roles`, { role_id: role.id }))
    const { id } = ok(await staff.post(sessions, { user_id: user.userId, ...asked }))
    expect(await second.post(`${sessions}/${id}/decide`, { allow: true })).toMatchObject(refused)
    expect(await staff.post(sessions, { user_id: second.userId, ...asked })).toMatchObject(refused)
  })

  test('is not allowed by a role that another user of the asking person gave, here or elsewhere', async () => {
    const { tenant, user, staff } = await supported('user:read')
    const userId = await insertMember(staff, tenant)
    const pair = ok(await staff.post('/auth/switch', { tenant_id: tenant.id }))
    const second = { ...withTokens({ ...staff, tenantId: tenant.id }, pair), userId }
    const role = await tenant.role('support:allow', 'user:read', 'support:act', 'role:assign', 'role:read')
    ok(await tenant.admin.post(`/rbac/users/${second.userId}/roles`, { role_id: role.id }))
    const [bySecond, byStaff] = [await careful(await tenant.member()), await careful(await tenant.member())]
    ok(await second.post(`/rbac/users/${bySecond.userId}/roles`, { role_id: role.id }))
    ok(await staff.post(`/rbac/users/${byStaff.userId}/roles`, { role_id: role.id }))
    const decide = (caller: Caller, id: string) => caller.post(`${sessions}/${id}/decide`, { allow: true })
    const ofStaff = ok(await staff.post(sessions, { user_id: user.userId, ...asked }))
    const ofSecond = ok(await second.post(sessions, { user_id: user.userId, ...asked }))
    for (const { id } of [ofStaff, ofSecond]) {
      expect(await decide(bySecond, id)).toMatchObject(refused)
      expect(await decide(byStaff, id)).toMatchObject(refused)
    }
    // The account stays the same without the user who gave the role.
    ok(await tenant.admin.delete(`/users/${second.userId}`))
    expect(await decide(bySecond, ofStaff.id)).toMatchObject(refused)
    ok(await tenant.admin.delete(`/rbac/users/${bySecond.userId}/roles/${role.id}`))
    ok(await tenant.admin.post(`/rbac/users/${bySecond.userId}/roles`, { role_id: role.id }))
    ok(await decide(bySecond, ofStaff.id))
  })

  test('is decided once, however many decide', async () => {
    const { user, admin, staff } = await supported()
    const { id } = ok(await staff.post(sessions, { user_id: user.userId, ...asked }))
    const decide = (caller: Caller, allow: boolean) => caller.post(`${sessions}/${id}/decide`, { allow })
    const answers = await Promise.all([
      decide(user, true),
      decide(user, false),
      decide(admin, true),
      decide(admin, false),
    ])
    expect(tally(answers)).toEqual({ 200: 1, 409: 3 })
    const records = ok(await admin.get(`/audit/logs?resource=support&resource_id=${id}`)).items
    expect(records).toHaveLength(2)
  })

  test('reaches the user and holders of support:allow by e-mail, and with notices off only these', async () => {
    const { user, admin, staff } = await supported()
    const kinds = async ({ email }: Caller) => (await waitingFor(email)).map(({ kind }) => kind)
    await openSupport(staff, user)
    expect(await kinds(user)).toEqual(['support_asked', 'support_started'])
    expect(await kinds(admin)).toContain('support_question')
    const other = await supported()
    ok(await other.admin.put('/settings/tenant/auth.support_notice', { value: false }))
    const { id } = ok(await other.staff.post(sessions, { user_id: other.user.userId, ...asked }))
    ok(await other.admin.post(`${sessions}/${id}/decide`, { allow: true }))
    ok(await other.staff.post(`${sessions}/${id}/token`))
    expect(await kinds(other.user)).toEqual([])
    expect(await kinds(other.admin)).toContain('support_question')
  })

  test('counts what the user is eligible for as rank', async () => {
    const { tenant, user, admin } = await supported('user:read')
    const colleague = await careful(await tenant.userWith('support:act', 'user:read'))
    const question = { user_id: user.userId, ...asked }
    const role = await tenant.role('audit:read')
    ok(await admin.post(`/rbac/users/${user.userId}/eligible-roles`, { role_id: role.id, max_minutes: 60 }))
    expect(await colleague.post(sessions, question)).toMatchObject(refusal('targetOutranksCaller'))
  })

  test('under any other value counts as off', async () => {
    const { tenant, user, staff } = await supported()
    await putSetting(tenant.id, 'auth.support_access', '"yes"')
    expect(await staff.post(sessions, { user_id: user.userId, ...asked })).toMatchObject(refused)
  })
})

describe('staff', () => {
  test('staff without rank wait under allowed, too, and staff within rank do not', async () => {
    const { tenant, user, admin, staff } = await supported('user:read', 'audit:read')
    ok(await admin.put('/settings/tenant/auth.support_access', { value: 'allowed' }))
    const low = within(await careful(await builtIn.userWith('tenant:enter', 'support:view')), tenant.id)
    const question = { user_id: user.userId, ...asked, kind: 'view' }
    const { id, status } = ok(await low.post(sessions, question))
    expect(status).toBe('waiting')
    ok(await user.post(`${sessions}/${id}/decide`, { allow: true }))
    const { access_token: token } = ok(await low.post(`${sessions}/${id}/token`))
    expect((await user.get('/audit/logs', { token })).status).toBe(200)
    expect(ok(await staff.post(sessions, question)).status).toBe('ready')
  })

  test('staff never get in against off, whichever comes first', async () => {
    const { user, admin, staff } = await supported('user:read')
    const id = await allowed(staff, user)
    const path = '/settings/tenant/auth.support_access'
    const [started] = await Promise.all([
      staff.post(`${sessions}/${id}/token`),
      admin.put(path, { value: 'off' }),
    ])
    expect([200, 403]).toContain(started.status)
    const token = String(started.data?.access_token ?? 'none')
    expect(await user.get('/users', { token })).toMatchObject(gone)
    expect(await staff.post(`${sessions}/${id}/token`)).toMatchObject({ data: null })
  })
})

describe('a support session', () => {
  test('does not start where the tenant accepts no sign-in like that of the actor', async () => {
    const { tenant, user, staff } = await supported('user:read')
    const id = await allowed(staff, user)
    await putSetting(tenant.id, 'auth.ways', '{"password": false}')
    expect(await staff.post(`${sessions}/${id}/token`)).toMatchObject(refused)
    expect(ok(await staff.get(`${sessions}/${id}`)).status).toBe('ready')
  })

  test('ends with a closed way, and with single sign-on', async () => {
    const { tenant, user, staff } = await supported('user:read')
    const { session } = await openSupport(staff, user)
    await putSetting(tenant.id, 'auth.sso', '"required"')
    expect(await session.get('/users')).toMatchObject(gone)
  })

  test('ends on every replica at once, and in streams within 2 seconds', async () => {
    const { user, staff } = await supported('user:read')
    const { session } = await openSupport(staff, user)
    const replica = await startApp()
    onTestFinished(() => replica.app.close())
    expect((await session.get('/users', { at: replica })).status).toBe(200)
    const stream = await openStream(session)
    const startedAt = performance.now()
    ok(await staff.post('/auth/logout', undefined, { tenant: staff.tenantId }))
    expect(await session.get('/users', { at: replica })).toMatchObject(gone)
    await stream.heard('end')
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  test('writes nothing after its end, however close', async () => {
    const { user, staff, admin } = await supported('setting:update')
    const { id, session } = await openSupport(staff, user)
    const [ended, ...written] = await Promise.all([
      user.delete(`${sessions}/${id}`),
      ...Array.from({ length: 8 }, (_none, n) => session.put(`/settings/tenant/race.${n}`, { value: n })),
    ])
    expect(ended.status).toBe(200)
    const page = ok(await admin.get('/audit/logs?page_size=100&include=actor')).items
    const end = page.find(({ action }: any) => action === 'support.end')
    const inside = page.filter(({ detail }: any) => detail.support?.id === id)
    expect(inside).toHaveLength(written.filter(({ status }) => status === 200).length)
    expect(inside.every((one: any) => one.id < end.id || one.user_id === staff.userId)).toBe(true)
    expect(await session.put('/settings/tenant/race.late', { value: 1 })).toMatchObject(gone)
  })

  test('gives no permission that only an elevation of the actor has', async () => {
    const { tenant, user, admin } = await supported('user:read', 'audit:read')
    ok(await admin.put('/settings/tenant/auth.support_colleagues', { value: 'allowed' }))
    const colleague = await careful(await tenant.userWith('support:act', 'user:read'))
    const role = await tenant.role('audit:read')
    ok(
      await admin.post(`/rbac/users/${colleague.userId}/eligible-roles`, {
        role_id: role.id,
        max_minutes: 60,
      }),
    )
    ok(await colleague.post('/elevations', { role_id: role.id, minutes: 5, reason: 'Any' }))
    expect((await colleague.get('/audit/logs')).status).toBe(200)
    const { id, status } = ok(await colleague.post(sessions, { user_id: user.userId, ...asked }))
    expect(status).toBe('ready')
    const { access_token: token } = ok(await colleague.post(`${sessions}/${id}/token`))
    expect((await colleague.get('/users', { token })).status).toBe(200)
    expect(await colleague.get('/audit/logs', { token })).toMatchObject(refusal('permissionMissing'))
  })
})
