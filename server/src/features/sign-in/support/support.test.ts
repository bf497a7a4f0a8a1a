import { decodeJwt, decodeProtectedHeader } from 'jose'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { refusal, tally } from '../../../../test/answers.ts'
import { expireBefore } from '../../../../test/expired-periods.ts'
import { keyWith, newTenant, ok, platformAdmin, unique, type Caller } from '../../../../test/factories.ts'
import { bySso, insertActiveConnection } from '../../../../test/connection-rows.ts'
import { call, parts } from '../../../../test/harness.ts'
import { useMailServer } from '../../../../test/mail-queue.ts'
import { insertMember } from '../../../../test/people.ts'
import { signInWithCode, addTotp, withTokens } from '../../../../test/second-factors.ts'
import {
  allowed,
  asked,
  begin,
  careful,
  newStaff,
  openSupport,
  supported,
  within,
} from '../../../../test/support.ts'
import { systemCtx } from '../../../start/parts.ts'
import { endSupportSessions, expireSupport } from './ending.service.ts'

useMailServer()

const sessions = '/support/sessions'
const refused = refusal('supportRefused')
const shut = refusal('supportShut')
const gone = refusal('tokenInvalid')

const setMode = async (admin: Caller, key: string, value: unknown) =>
  ok(await admin.put(`/settings/tenant/auth.${key}`, { value }))

/** Moves a time of a support session, because a test cannot wait for it. */
const move = (tenantId: string, id: string, column: 'ends_at' | 'expires_at', seconds: number) =>
  parts.store.transaction({ tenantId }, (db) => {
    const end = sql`statement_timestamp() + ${seconds} * interval '1 second'`
    return db.run(
      column === 'ends_at'
        ? sql`update support_sessions set ends_at = ${end} where tenant_id = ${tenantId} and id = ${id}`
        : sql`update support_sessions set expires_at = ${end} where tenant_id = ${tenantId} and id = ${id}`,
    )
  })

const endAll = () => endSupportSessions(systemCtx(parts, 'maintenance'))

const recordsOf = async (admin: Caller, query: string) =>
  ok(await admin.get(`/audit/logs?include=actor&page_size=100&${query}`)).items

describe('a support session', () => {
  test('waits for the user, starts with its first token, and shows what the user sees', async () => {
    const { tenant, user, admin, staff } = await supported('user:read', 'setting:update')
    const question = { user_id: user.userId, ...asked }
    const made = ok(await staff.post(sessions, question))
    expect(made).toMatchObject({
      tenant_id: tenant.id,
      kind: 'act',
      status: 'waiting',
      actor: { id: staff.userId, name: staff.username, kind: 'platform' },
      user: { id: user.userId, name: user.username },
      permissions: ['setting:update', 'user:read'],
      decided_by: null,
      ends_at: '',
      ended_by: '',
    })
    const path = `${sessions}/${made.id}`
    expect(await staff.post(`${path}/token`)).toMatchObject(refusal('supportStatusWrong'))
    const { items: inbox } = ok(await user.get(`/notifications/user/${user.userId}`))
    expect(inbox[0].content).toContain('Ticket 4711')
    expect(ok(await user.post(`${path}/decide`, { allow: true }))).toMatchObject({
      status: 'ready',
      decided_by: { id: user.userId, name: user.username },
    })
    const { access_token: token, expires_in: seconds } = ok(await staff.post(`${path}/token`))
    expect(seconds).toBeGreaterThan(1700)
    const { typ, kid } = decodeProtectedHeader(token)
    expect(typ).toBe('support+jwt')
    const { keys } = (await call('GET', '//.well-known/jwks.json')).body
    expect(keys.map((key: { kid: string }) => key.kid)).not.toContain(kid)
    expect(decodeJwt(token)).toMatchObject({
      sub: String(user.userId),
      tid: tenant.id,
      aud: 'tenantry:support',
      act: { sub: String(staff.userId), name: staff.username },
      support: { id: made.id, kind: 'act' },
    })
    const inside = { token, tenant: tenant.id }
    expect(ok(await call('GET', '/profile', inside)).id).toBe(user.userId)
    expect(ok(await call('GET', '/users', inside)).total).toBeGreaterThan(1)
    expect(ok(await call('GET', '/authz/permissions', inside)).permissions).toEqual([
      'setting:update',
      'user:read',
    ])
    const shown = ok(await admin.get(`${path}?include=requests`))
    expect(shown).toMatchObject({ status: 'active' })
    expect(shown.requests).toContainEqual({ method: 'GET', path: '/api/v1/users', count: 1 })
    expect(ok(await staff.get(`${sessions}?mine=true`, { tenant: staff.tenantId })).items).toMatchObject([
      { id: made.id },
    ])
  })

  test('a session of the kind view only reads', async () => {
    const { user, staff } = await supported('user:read', 'setting:update', 'setting:read')
    const { session } = await openSupport(staff, user, { kind: 'view' })
    expect((await session.get('/settings/tenant')).status).toBe(200)
    expect(await session.put('/settings/tenant/color', { value: 1 })).toMatchObject(shut)
    expect((await session.post('/authz/check', { permissions: ['user:read'] })).data.allowed).toBe(true)
    expect(await session.post('/auth/logout')).toMatchObject({ status: 200 })
    expect(await session.get('/ping')).toMatchObject(gone)
  })

  test('records both people, and no filter shows the user as who acted', async () => {
    const { tenant, user, admin, staff } = await supported('setting:update')
    const { id, session } = await openSupport(staff, user)
    ok(await session.put('/settings/tenant/color', { value: 'red' }))
    const [record] = await recordsOf(admin, 'action=setting.create')
    const onBehalfOf = { id: user.userId, name: user.username }
    expect(record).toMatchObject({
      user_id: staff.userId,
      actor: { id: staff.userId, name: staff.username, kind: 'platform', on_behalf_of: onBehalfOf },
      detail: { support: { id, kind: 'act', on_behalf_of: onBehalfOf } },
    })
    const ids = async (query: string) => (await recordsOf(admin, query)).map((one: any) => one.id)
    expect(await ids(`user_id=${user.userId}`)).not.toContain(record.id)
    expect(await ids(`on_behalf_of=${user.userId}`)).toEqual([record.id])
    expect(await ids(`about_user_id=${user.userId}`)).toContain(record.id)
    expect(await ids(`user_id=${staff.userId}`)).toContain(record.id)
    // An imported tenant keeps its ids, so that the actor of another tenant can have the id of the user.
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      insert into audit_logs (tenant_id, user_id, on_behalf_of, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
      values (${tenant.id}, ${user.userId}, ${user.userId}, 'setting.update', 'setting', 'namesake', '{}', '', '', '', now())`)
    const own = await recordsOf(admin, `user_id=${user.userId}`)
    expect(
      own.filter(({ detail, resource_id }: any) => detail.support || resource_id === 'namesake'),
    ).toEqual([])
    expect(await ids(`on_behalf_of=${user.userId}`)).toHaveLength(2)
    const [version] = ok(await admin.get('/settings/tenant/color/history')).items
    expect(version.changed_by).toBe(staff.userId)
  })

  test('counts neither as presence nor as a request of the user', async () => {
    const { user, admin, staff } = await supported('user:read')
    const before = ok(await admin.get(`/users/${user.userId}`)).last_login
    const { id, session } = await openSupport(staff, user)
    ok(await session.get('/profile'))
    expect(ok(await admin.get(`/users/${user.userId}`)).last_login).toBe(before)
    const listed = ok(await user.get('/auth/sessions'))
    const ofSupport = listed.filter((one: any) => one.support !== null)
    expect(ofSupport).toMatchObject([
      { id, support: { id, kind: 'act', actor: { id: staff.userId, kind: 'platform' } }, is_current: false },
    ])
    expect(ok(await admin.get(`/users/${user.userId}/sessions`)).map((one: any) => one.id)).toContain(id)
    expect((await user.delete(`/auth/sessions/${id}`)).status).toBe(200)
    expect(await session.get('/ping')).toMatchObject(gone)
    expect(ok(await admin.get(`${sessions}/${id}`))).toMatchObject({ status: 'over', ended_by: 'user' })
  })

  test('is one at a time, and hangs on the session of the actor that started it', async () => {
    const { tenant, user, staff } = await supported('user:read')
    const other = await tenant.member()
    const [first, second] = [await allowed(staff, user), await allowed(staff, other)]
    await begin(staff, user, first)
    expect(await staff.post(`${sessions}/${second}/token`)).toMatchObject(refusal('supportActive'))
    expect((await staff.post(`${sessions}/${first}/token`)).status).toBe(200)
    ok(await staff.delete(`${sessions}/${first}`))
    const [one, two] = await Promise.all([
      staff.post(`${sessions}/${second}/token`),
      staff.post(`${sessions}/${second}/token`),
    ])
    expect(tally([one, two])).toEqual({ 200: 2 })
    expect(decodeJwt(one.data.access_token)['sid']).toBe(decodeJwt(two.data.access_token)['sid'])
  })
})

describe('a question', () => {
  test('is refused about oneself, disabled users, holders of platform permissions, and under off', async () => {
    const { tenant, user, admin, staff } = await supported('user:read')
    const ask = (userId: number, by: Caller = staff) => by.post(sessions, { user_id: userId, ...asked })
    expect(await ask(staff.userId, within(staff, staff.tenantId))).toMatchObject(refused)
    const root = await platformAdmin()
    expect(await ask(root.userId, within(staff, staff.tenantId))).toMatchObject(refused)
    const disabled = await tenant.member()
    ok(await tenant.admin.put(`/users/${disabled.userId}`, { status: 0 }))
    expect(await ask(disabled.userId)).toMatchObject(refused)
    const account = ok(await tenant.admin.post('/service-accounts', { name: unique() }))
    expect(await ask(account.id)).toMatchObject(refusal('userUnknown'))
    await setMode(admin, 'support_access', 'off')
    expect(await ask(user.userId)).toMatchObject(refused)
  })

  test('needs the permission of its kind and a second factor', async () => {
    const { tenant, user } = await supported('user:read')
    const colleague = await tenant.userWith('support:view', 'user:read')
    const question = { user_id: user.userId, ...asked }
    expect(await colleague.post(sessions, question)).toMatchObject(refusal('mfaRequired'))
    const proved = await careful(colleague)
    expect(await proved.post(sessions, question)).toMatchObject(refusal('permissionMissing'))
    expect((await proved.post(sessions, { ...question, kind: 'view' })).status).toBe(200)
  })

  test('is bounded: 3 wait for a user, and none comes within an hour after a refusal', async () => {
    const { user, staff } = await supported()
    const ask = () => staff.post(sessions, { user_id: user.userId, ...asked })
    const made = [ok(await ask()), ok(await ask()), ok(await ask())]
    expect(await ask()).toMatchObject(refusal('tooManyRequests'))
    ok(await user.post(`${sessions}/${made[0].id}/decide`, { allow: false }))
    expect(await ask()).toMatchObject(refusal('tooManyRequests'))
    expect(await user.post(`${sessions}/${made[0].id}/decide`, { allow: true })).toMatchObject(
      refusal('supportStatusWrong'),
    )
  })

  test('expires after a day', async () => {
    const { tenant, user, staff } = await supported()
    const { id } = ok(await staff.post(sessions, { user_id: user.userId, ...asked }))
    await move(tenant.id, id, 'expires_at', -1)
    expect(await user.post(`${sessions}/${id}/decide`, { allow: true })).toMatchObject(
      refusal('supportStatusWrong'),
    )
    expect(ok(await user.get(`${sessions}/${id}`)).status).toBe('expired')
  })

  test('under allowed is ready within the rank of the actor, and counts only what both hold', async () => {
    const { tenant, user, admin } = await supported('user:read', 'setting:read')
    await setMode(admin, 'support_colleagues', 'allowed')
    const role = await tenant.role('support:act', 'user:read', 'setting:read')
    const colleague = await tenant.userWith('support:act', 'user:read')
    const proved = await careful(colleague)
    const question = { user_id: user.userId, ...asked }
    expect(await proved.post(sessions, question)).toMatchObject(refusal('targetOutranksCaller'))
    ok(await tenant.admin.post(`/rbac/users/${colleague.userId}/roles`, { role_id: role.id }))
    const { id, status } = ok(await proved.post(sessions, question))
    expect(status).toBe('ready')
    const session = await begin(proved, user, id)
    expect((await session.get('/settings/tenant')).status).toBe(200)
    ok(await tenant.admin.delete(`/rbac/users/${colleague.userId}/roles/${role.id}`))
    expect(await session.get('/settings/tenant')).toMatchObject(refusal('permissionMissing'))
    expect((await session.get('/users')).status).toBe(200)
    await setMode(admin, 'support_colleagues', 'ask')
    expect(await session.get('/users')).toMatchObject(gone)
    expect(ok(await proved.get(`${sessions}/${id}`))).toMatchObject({ status: 'over', ended_by: 'tenant' })
  })
})

describe('a decision', () => {
  test('is that of the user, or of somebody within rank who may allow support', async () => {
    const { tenant, user, staff } = await supported('user:read')
    const { id } = ok(await staff.post(sessions, { user_id: user.userId, ...asked }))
    const decide = (caller: Caller) => caller.post(`${sessions}/${id}/decide`, { allow: true })
    const low = await careful(await tenant.userWith('support:allow'))
    expect(await decide(low)).toMatchObject(refusal('targetOutranksCaller'))
    expect(await decide(await tenant.userWith('support:allow', 'user:read'))).toMatchObject(
      refusal('mfaRequired'),
    )
    expect(await decide(await tenant.member())).toMatchObject(refusal('mfaRequired'))
    expect(await decide(await careful(await tenant.userWith('user:read')))).toMatchObject(
      refusal('permissionMissing'),
    )
    const staffElsewhere = within(await newStaff(), tenant.id)
    expect(await decide(staffElsewhere)).toMatchObject(refused)
    expect(await decide(staff)).toMatchObject(refused)
    const high = await careful(await tenant.userWith('support:allow', 'user:read'))
    expect((await decide(high)).data.decided_by.id).toBe(high.userId)
  })

  test('is not made by an assignment that the actor gave, nor by the second user of the actor', async () => {
    const { tenant, user, staff } = await supported('user:read')
    const accomplice = await careful(await tenant.member())
    const role = await tenant.role('support:allow', 'user:read')
    ok(await staff.post(`/rbac/users/${accomplice.userId}/roles`, { role_id: role.id }))
    const { id } = ok(await staff.post(sessions, { user_id: user.userId, ...asked }))
    const path = `${sessions}/${id}/decide`
    expect(await accomplice.post(path, { allow: true })).toMatchObject(refused)
    const { items } = ok(await user.get(`/notifications/user/${user.userId}`))
    expect(items.length).toBe(1)
  })
})

describe('the end', () => {
  const opened = async () => {
    const all = await supported('user:read')
    return { ...all, ...(await openSupport(all.staff, all.user)) }
  }

  test('comes by time, and is recorded once', async () => {
    const { tenant, admin, id, session } = await opened()
    await move(tenant.id, id, 'ends_at', -1)
    expect(await session.get('/ping')).toMatchObject(gone)
    expect(ok(await admin.get(`${sessions}/${id}`))).toMatchObject({ status: 'over', ended_by: 'time' })
    await Promise.all([endAll(), endAll()])
    const records = await recordsOf(admin, `action=support.end&resource_id=${id}`)
    expect(records).toMatchObject([{ user_id: 0, detail: { ended_by: { to: 'time' } } }])
  })

  test.each([
    ['the actor logs out', ({ staff }: any) => staff.post('/auth/logout')],
    [
      'the actor is disabled',
      async ({ staff }: any) =>
        ok(await (await platformAdmin()).put(`/users/${staff.userId}`, { status: 0 })),
    ],
    [
      'the user is disabled',
      ({ tenant, user }: any) => tenant.admin.put(`/users/${user.userId}`, { status: 0 }),
    ],
    [
      'the user’s sessions end',
      ({ tenant, user }: any) => tenant.admin.delete(`/users/${user.userId}/sessions`),
    ],
    ['the user ends all other sessions', ({ user }: any) => user.delete('/auth/sessions')],
    [
      'the tenant is disabled',
      async ({ tenant }: any) =>
        ok(await (await platformAdmin()).put(`/org/tenants/${tenant.id}`, { status: 0 })),
    ],
    [
      'the actor loses the role',
      async ({ staff }: any) =>
        ok(await (await platformAdmin()).delete(`/rbac/users/${staff.userId}/roles/1`)),
    ],
  ])('comes when %s', async (_name, act) => {
    const { tenant, id, session, ...others } = await opened()
    expect((await session.get('/users')).status).toBe(200)
    await act({ tenant, ...others })
    expect(await session.get('/users')).toMatchObject(gone)
    const root = await platformAdmin()
    expect(ok(await root.get(`${sessions}/${id}`, { tenant: tenant.id }))).toMatchObject({
      status: 'over',
      ended_by: 'authority',
    })
    await endAll()
    const [row] = await parts.store
      .scoped({ tenantId: tenant.id })
      .many<any>(sql`select status, ended_by from support_sessions where id = ${id}`)
    expect(row).toEqual({ status: 'over', ended_by: 'authority' })
  })

  test('comes by off at once, and by DELETE of both people and the tenant', async () => {
    const { admin, id, session } = await opened()
    await setMode(admin, 'support_access', 'off')
    expect(await session.get('/users')).toMatchObject(gone)
    expect(ok(await admin.get(`${sessions}/${id}`)).ended_by).toBe('tenant')
    const other = await opened()
    ok(await other.staff.delete(`${sessions}/${other.id}`))
    expect(await other.session.get('/users')).toMatchObject(gone)
    const third = await opened()
    const stranger = await third.tenant.member()
    expect(await stranger.delete(`${sessions}/${third.id}`)).toMatchObject(refusal('permissionMissing'))
    ok(await third.tenant.admin.delete(`${sessions}/${third.id}`))
    expect(await third.tenant.admin.delete(`${sessions}/${third.id}`)).toMatchObject(
      refusal('supportStatusWrong'),
    )
    expect(await third.session.get('/users')).toMatchObject(gone)
  })

  test('goes with the audit records of its time, with requests and openings', async () => {
    const { tenant, user, admin, staff, id, session } = await opened()
    ok(await session.get('/users'))
    ok(await user.delete(`${sessions}/${id}`))
    const waiting = ok(await staff.post(sessions, { user_id: user.userId, ...asked })).id
    const active = await openSupport(staff, await tenant.member())
    const idsAfter = async (hours: number) => {
      await expireBefore(tenant.id, new Date(Date.now() + hours * 3_600_000), expireSupport)
      return ok(await admin.get(sessions)).items.map((one: any) => one.id)
    }
    const requests = () =>
      parts.store.scoped({ tenantId: tenant.id }).many(sql`
        select from support_requests where tenant_id = ${tenant.id} and support_id = ${id}`)
    expect(await idsAfter(-1)).toEqual([active.id, waiting, id])
    expect(await requests()).toHaveLength(1)
    expect(await idsAfter(1)).toEqual([active.id, waiting])
    expect(await requests()).toEqual([])
    // A question can be answered for a day. An active session stays.
    expect(await idsAfter(25)).toEqual([active.id])
  })

  test('comes by the user in a session in another tenant, but in none of a connection', async () => {
    const { tenant, user, admin, staff } = await supported('user:read')
    const home = await newTenant()
    await insertMember(user, home)
    const there = withTokens(
      { ...user, tenantId: home.id },
      ok(await user.post('/auth/switch', { tenant_id: home.id })),
    )
    const endings = [`${sessions}/`, '/auth/sessions/']
    for (const path of endings) {
      const { id, session } = await openSupport(staff, user)
      expect(ok(await there.get('/auth/sessions')).map((one: any) => one.id)).toContain(id)
      ok(await there.delete(`${path}${id}`))
      expect(await session.get('/users')).toMatchObject(gone)
      expect(ok(await admin.get(`${sessions}/${id}`))).toMatchObject({ status: 'over', ended_by: 'user' })
      const records = await recordsOf(admin, `action=support.end&resource_id=${id}`)
      const actor = { id: user.userId, name: user.username, kind: 'user' }
      expect(records).toMatchObject([{ user_id: user.userId, actor, ip: '', user_agent: '' }])
    }
    const waiting = ok(await staff.post(sessions, { user_id: user.userId, ...asked })).id
    ok(await there.delete(`${sessions}/${waiting}`))
    expect(await there.delete(`${sessions}/${waiting}`)).toMatchObject(refusal('supportStatusWrong'))
    const { id, session } = await openSupport(staff, user)
    const connection = await insertActiveConnection(home)
    const bySomebody = await bySso(there, connection)
    for (const path of endings) expect(await bySomebody.delete(`${path}${id}`)).toMatchObject({ status: 404 })
    const stranger = await home.member()
    for (const path of endings) expect(await stranger.delete(`${path}${id}`)).toMatchObject({ status: 404 })
    expect((await session.get('/users')).status).toBe(200)
    expect((await tenant.admin.delete(`${sessions}/${id}`)).status).toBe(200)
  })

  test('leaves the sessions of both people', async () => {
    const { user, staff, id } = await opened()
    ok(await user.delete(`${sessions}/${id}`))
    expect((await staff.get('/ping')).status).toBe(200)
    expect((await user.get('/ping')).status).toBe(200)
  })
})

describe('an attack', () => {
  test('staff, keys and global values do not change the settings of a tenant', async () => {
    const { tenant, admin, staff } = await supported()
    const path = '/settings/tenant/auth.support_access'
    await setMode(admin, 'support_access', 'off')
    for (const attack of [
      () => staff.put(path, { value: 'allowed' }),
      () => staff.delete(path),
      () => staff.post(`${path}/revert`, { version: 1 }),
    ]) {
      expect(await attack()).toMatchObject(refused)
    }
    const weak = await careful(await tenant.userWith('setting:update', 'setting:delete'))
    expect(await weak.put(path, { value: 'ask' })).toMatchObject(refusal('permissionMissing'))
    const unproved = await tenant.userWith('setting:update', 'support:allow')
    expect(await unproved.put(path, { value: 'ask' })).toMatchObject(refusal('mfaRequired'))
    const key = await keyWith(tenant.id, ['setting:update', 'support:allow'])
    expect(await key.put(path, { value: 'ask' })).toMatchObject(refusal('ownSessionNeeded'))
    expect((await staff.put('/settings/global/auth.support_access', { value: 'allowed' })).status).toBe(400)
    const user = await tenant.member()
    expect(await staff.post(sessions, { user_id: user.userId, ...asked })).toMatchObject(refused)
  })

  test('the token of a support session is refused everywhere else', async () => {
    const { tenant, user, staff } = await supported('user:read', 'setting:update', 'setting:delete')
    const { id, session } = await openSupport(staff, user)
    const other = await newTenant()
    for (const attack of [
      () => session.get('/users', { tenant: other.id }),
      () => session.post('/auth/switch', { tenant_id: other.id }),
      () => session.get('/auth/sessions'),
      () => session.get('/audit/export'),
      () => session.put('/notifications/read-all'),
      () => session.put('/settings/tenant/auth.support_access', { value: 'allowed' }),
      () => session.put('/settings/tenant/tenantry.any', { value: 1 }),
      () => session.delete('/settings/tenant/auth.support_access'),
      () => session.post(sessions, { user_id: staff.userId, ...asked }),
      () => session.delete(`${sessions}/${id}`),
      () => session.get('/authz/permissions?user_id=1'),
      () => session.post('/password', { old_password: 'x', new_password: 'y' }),
    ]) {
      expect(await attack()).toMatchObject(shut)
    }
    const refreshed = await call('POST', '/auth/refresh', { body: { refresh_token: session.token } })
    expect(refreshed.status).toBe(401)
    const flags = await call('POST', '//ofrep/v1/evaluate/flags', {
      token: session.token,
      body: { context: {} },
    })
    expect(flags.status).toBe(200)
    for (const path of ['//oauth2/userinfo', '//scim/v2/Users']) {
      expect((await call('GET', path, { token: session.token })).status).toBeGreaterThanOrEqual(401)
    }
    expect(ok(await user.get('/profile')).tenant_id).toBe(tenant.id)
  })

  test('the set does not grow with the permissions of the user', async () => {
    const { tenant, user, staff } = await supported('user:read')
    const { session } = await openSupport(staff, user)
    const role = await tenant.role('audit:read')
    ok(await tenant.admin.post(`/rbac/users/${user.userId}/roles`, { role_id: role.id }))
    expect((await user.get('/audit/logs')).status).toBe(200)
    expect(await session.get('/audit/logs')).toMatchObject(refusal('permissionMissing'))
  })

  test('another session of the actor gets no token', async () => {
    const { tenant, user } = await supported('user:read')
    const colleague = await tenant.userWith('support:act', 'user:read')
    const app = await addTotp(colleague)
    const one = await signInWithCode(colleague, app)
    const two = await signInWithCode(colleague, app)
    const { id } = await openSupport(one, user)
    expect(await two.post(`${sessions}/${id}/token`)).toMatchObject(refusal('supportStatusWrong'))
    expect((await one.post(`${sessions}/${id}/token`)).status).toBe(200)
  })
})
