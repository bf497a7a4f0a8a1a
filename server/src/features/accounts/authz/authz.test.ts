import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import sql from 'sql-template-tag'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import {
  builtIn,
  keyWith,
  newTenant,
  nobodysId,
  ok,
  permissionIds,
  platformAdmin,
  signIn,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import type { ChannelListener } from 'node:diagnostics_channel'
import type { PermissionCode } from '../../../access/permissions.ts'
import { statementStep } from '../../../traced-steps.ts'
import { clock, parts, type Answer } from '../../../../test/harness.ts'
import { eventually } from '../../../../test/waits.ts'

let tenant: Tenant
/** A backend of the product that has only the permission `authz:check`. */
let backend: Caller

beforeAll(async () => {
  tenant = await newTenant()
  backend = await tenant.userWith('authz:check')
})

const sessionOf = ({ token }: Caller): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid as string

const check = (caller: Caller, userId: number | undefined, ...permissions: string[]) =>
  caller.post('/authz/check', { user_id: userId, permissions })

describe('a check', () => {
  test('a check about oneself needs no permission, and answers each code in the order of the request', async () => {
    const user = await tenant.userWith('user:read', 'audit:read')
    const codes = ['audit:read', 'tenant:read', 'user:read', 'audit:read']
    const answer = {
      allowed: false,
      results: codes.map((permission) => ({ permission, allowed: permission !== 'tenant:read' })),
    }
    expect(ok(await check(user, undefined, ...codes))).toStrictEqual(answer)
    expect(ok(await check(user, user.userId, ...codes))).toStrictEqual(answer)
    expect(ok(await check(user, undefined, 'user:read', 'audit:read'))).toMatchObject({ allowed: true })
    const powerless = await tenant.userWith()
    expect(ok(await check(powerless, undefined, 'user:read'))).toMatchObject({ allowed: false })
  })

  test('a check about another user needs authz:check before anything else is examined', async () => {
    const reader = await tenant.userWith('user:read', 'role:read')
    for (const userId of [backend.userId, nobodysId]) {
      expect(await check(reader, userId, 'user:read')).toMatchObject(refusal('permissionMissing'))
      expect(await check(reader, userId, 'user:raed')).toMatchObject(refusal('permissionMissing'))
    }
    expect(ok(await check(backend, reader.userId, 'user:read', 'role:read'))).toMatchObject({ allowed: true })
    expect(ok(await check(backend, reader.userId, 'user:read', 'audit:read'))).toMatchObject({
      allowed: false,
      results: [{ allowed: true }, { allowed: false }],
    })
  })

  test('a check of a code that the catalogue lacks is 400 and names it', async () => {
    for (const userId of [undefined, tenant.admin.userId]) {
      const answer = await check(backend, userId, 'authz:check', 'user:raed', 'x')
      expect(answer).toMatchObject(refusalOf('permissions', 'unknownPermission'))
      expect(answer.body.message).toContain('user:raed, x')
    }
  })

  test('a check of no code, of more than 100, and of anything but codes is 400', async () => {
    const many = Array<string>(101).fill('user:read')
    for (const permissions of [[], many, [''], ['x'.repeat(66)], [1], 'user:read', undefined]) {
      const { status, body } = await backend.post('/authz/check', { permissions })
      expect([status, body.code]).toEqual([400, 40001])
    }
  })

  test('takes 100 codes', async () => {
    const { data } = await check(backend, undefined, ...Array<string>(100).fill('authz:check'))
    expect(data).toMatchObject({ allowed: true })
    expect(data.results).toHaveLength(100)
  })

  test('a check about an unknown user is 404', async () => {
    expect(await check(backend, nobodysId, 'user:read')).toMatchObject(refusal('userUnknown'))
  })

  test('allows a disabled user nothing until the user is enabled again', async () => {
    const user = await tenant.userWith('user:read')
    const allowed = async () => ok(await check(backend, user.userId, 'user:read')).allowed as boolean
    expect(await allowed()).toBe(true)
    ok(await tenant.admin.put(`/users/${user.userId}`, { status: 0 }))
    expect(await allowed()).toBe(false)
    ok(await tenant.admin.put(`/users/${user.userId}`, { status: 1 }))
    expect(await allowed()).toBe(true)
  })

  test('allows the users of a disabled tenant nothing', async () => {
    const [root, { id, admin }] = [await platformAdmin(), await newTenant()]
    const ask = () =>
      root.post('/authz/check', { user_id: admin.userId, permissions: ['user:read'] }, { tenant: id })
    expect(ok(await ask())).toMatchObject({ allowed: true })
    ok(await root.put(`/org/tenants/${id}`, { status: 0 }))
    expect(ok(await ask())).toMatchObject({ allowed: false })
  })

  test('a second check about the same user costs no statement', async () => {
    const user = await tenant.userWith('user:read')
    const root = await platformAdmin()
    const code = `${unique('area')}:read`
    const { id } = ok(await root.post('/rbac/permissions', { code, name: 'Read' }))
    onTestFinished(async () => void ok(await root.delete(`/rbac/permissions/${id}`)))
    const key = await keyWith(tenant.id, ['authz:check'])
    const texts: string[] = []
    const note = ({ text }: { text: string }) => void texts.push(text)
    const { start } = statementStep
    start.subscribe(note as ChannelListener)
    onTestFinished(() => {
      start.unsubscribe(note as ChannelListener)
    })
    const askBoth = async () => {
      for (const caller of [key, user]) ok(await check(caller, user.userId, 'role:read', 'user:read', code))
    }
    // A slow machine needs several attempts to ask twice within 1.5 seconds.
    await eventually(async () => {
      await askBoth()
      texts.length = 0
      await askBoth()
      expect(texts.filter((text) => text.includes('permissions'))).toEqual([])
    })
  })

  test('follows at once every change of what a user holds, although it was asked a moment ago', async () => {
    const [root, other] = [await platformAdmin(), await newTenant()]
    const { admin } = other
    const user = await other.member()
    const role = await other.role('setting:read')
    const roles = `/rbac/users/${user.userId}/roles`
    const answer = async (permission = 'setting:read') => {
      const question = { user_id: user.userId, permissions: [permission] }
      const { status, data } = await root.post('/authz/check', question, { tenant: other.id })
      return status === 200 ? (data.allowed as boolean) : status
    }
    const template = { name: unique('template'), permission_ids: permissionIds('setting:read') }
    let templateId = 0
    const setIds = (...codes: PermissionCode[]) =>
      admin.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: permissionIds(...codes) })
    const makeTemplate = async () => {
      const made = await root.post('/rbac/role-templates', template, { tenant: root.tenantId })
      templateId = ok(made).id as number
      return admin.post(roles, { role_id: templateId })
    }
    const ofTemplate = () => `/rbac/role-templates/${templateId}`
    const steps: [change: () => Promise<Answer>, expected: boolean | number][] = [
      [() => admin.post(roles, { role_id: role.id }), true],
      [() => setIds('user:read'), false],
      [() => setIds('setting:read'), true],
      [() => admin.put(`/users/${user.userId}`, { status: 0 }), false],
      [() => admin.put(`/users/${user.userId}`, { status: 1 }), true],
      [() => root.put(`/org/tenants/${other.id}`, { status: 0 }), false],
      [() => root.put(`/org/tenants/${other.id}`, { status: 1 }), true],
      [() => admin.delete(`${roles}/${role.id}`), false],
      [() => admin.post(roles, { role_id: role.id }), true],
      [() => admin.delete(`/rbac/roles/${role.id}`), false],
      [makeTemplate, true],
      [() => root.put(ofTemplate(), { permission_ids: [] }, { tenant: root.tenantId }), false],
      [() => root.put(ofTemplate(), template, { tenant: root.tenantId }), true],
      [() => root.delete(ofTemplate(), { tenant: root.tenantId }), false],
      [() => admin.delete(`/users/${user.userId}`), 404],
    ]
    await answer()
    for (const [index, [change, expected]] of steps.entries()) {
      ok(await change())
      expect([index, await answer(), await answer()]).toEqual([index, expected, expected])
    }
  })

  test('follows a permission of the product from its creation to its removal', async () => {
    const root = await platformAdmin()
    const code = `${unique('area')}:read`
    const ask = async () => (await check(backend, tenant.admin.userId, code)).status
    expect(await ask()).toBe(400)
    const { id } = ok(await root.post('/rbac/permissions', { code, name: 'Read' }))
    expect(ok(await check(backend, tenant.admin.userId, code)).allowed).toBe(true)
    ok(await root.delete(`/rbac/permissions/${id}`))
    expect(await ask()).toBe(400)
  })

  test('follows a change of roles at once', async () => {
    const user = await tenant.member()
    const role = await tenant.role('setting:read')
    const path = `/rbac/users/${user.userId}/roles`
    for (let round = 0; round < 3; round++) {
      ok(await tenant.admin.post(path, { role_id: role.id }))
      expect(ok(await check(user, undefined, 'setting:read')).allowed).toBe(true)
      expect(ok(await check(backend, user.userId, 'setting:read')).allowed).toBe(true)
      ok(await tenant.admin.delete(`${path}/${role.id}`))
      expect(ok(await check(user, undefined, 'setting:read')).allowed).toBe(false)
      expect(ok(await check(backend, user.userId, 'setting:read')).allowed).toBe(false)
    }
  })
})

describe('the permissions of a user', () => {
  test('are those in force, sorted', async () => {
    const user = await tenant.userWith('user:read', 'audit:read')
    const held = {
      user_id: user.userId,
      tenant_id: tenant.id,
      permissions: ['audit:read', 'user:read'],
    }
    expect(ok(await user.get('/authz/permissions'))).toStrictEqual(held)
    expect(ok(await user.get(`/authz/permissions?user_id=${user.userId}`))).toStrictEqual(held)
    expect(ok(await backend.get(`/authz/permissions?user_id=${user.userId}`))).toStrictEqual(held)
    ok(await tenant.admin.put(`/users/${user.userId}`, { status: 0 }))
    expect(ok(await backend.get(`/authz/permissions?user_id=${user.userId}`))).toStrictEqual({
      ...held,
      permissions: [],
    })
  })

  test('are none in a disabled tenant, as the answer says, and its sessions stay', async () => {
    const [root, { id, admin }] = [await platformAdmin(), await newTenant()]
    ok(await root.put(`/org/tenants/${id}`, { status: 0 }))
    const path = `/authz/permissions?user_id=${admin.userId}&session_id=${sessionOf(admin)}&include=is_enabled`
    expect(ok(await root.get(path, { tenant: id }))).toMatchObject({ is_enabled: false, permissions: [] })
  })

  test('need authz:check for others, and are 404 in another tenant', async () => {
    const [member, other] = [await tenant.member(), await newTenant()]
    const of = (caller: Caller, userId: number) => caller.get(`/authz/permissions?user_id=${userId}`)
    expect(await of(member, backend.userId)).toMatchObject(refusal('permissionMissing'))
    expect(await of(backend, other.admin.userId)).toMatchObject(refusal('userUnknown'))
  })

  test('are 404 for a session that has ended, has expired, or belongs to another user', async () => {
    const user = await tenant.userWith('user:read')
    const second = await signIn(user)
    const of = (caller: Caller, sid: string) =>
      caller.get(`/authz/permissions?user_id=${user.userId}&session_id=${sid}`)
    for (const caller of [user, backend]) {
      for (const sid of [sessionOf(user), sessionOf(user).toUpperCase(), sessionOf(second)]) {
        expect(ok(await of(caller, sid))).toMatchObject({ user_id: user.userId, permissions: ['user:read'] })
      }
      expect(await of(caller, sessionOf(backend))).toMatchObject(refusal('sessionUnknown'))
      expect(await of(caller, '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')).toMatchObject(
        refusal('sessionUnknown'),
      )
      expect(await of(caller, 'none')).toMatchObject(refusalOf('session_id'))
    }
    await expire(sessionOf(second))
    for (const caller of [user, backend]) {
      expect(await of(caller, sessionOf(second))).toMatchObject(refusal('sessionUnknown'))
    }
    ok(await tenant.admin.put(`/users/${user.userId}`, { status: 0 }))
    expect(await of(backend, sessionOf(user))).toMatchObject(refusal('sessionUnknown'))
  })

  /** Moves the end of a session into the past. Moving the tests' clock would end the sessions of all callers. */
  const expire = (sid: string) =>
    parts.store
      .scoped({ tenantId: tenant.id })
      .run(sql`update sessions set expires_at = ${clock.now()} where id = ${sid}`)
})

/**
 * Gives a tenant's administrator another id. Two tenants can have users with the same id, because imported tenants keep
 * ids.
 */
const giveId = (tenantId: string, from: number, to: number) =>
  parts.store.scoped({ tenantId }).run(sql`
    with gone as (delete from users where tenant_id = ${tenantId} and id = ${from} returning *)
    insert into users
      (tenant_id, id, account_id, email, username, username_folded, search_folded, created_at, updated_at)
    overriding system value
    select tenant_id, ${to}::bigint, account_id, email, username, username_folded, search_folded,
      created_at, updated_at from gone
    returning id`)

describe('one’s own id', () => {
  test('the own id of a key means the user of the tenant in scope in a question with a session', async () => {
    const { id, admin } = await newTenant()
    const key = await keyWith(builtIn.id, ['authz:check', 'tenant:enter'])
    await giveId(id, admin.userId, key.userId)
    const user = await signIn(admin)
    const path = `/authz/permissions?user_id=${key.userId}`
    const about = await key.get(`${path}&session_id=${sessionOf(user)}`, { tenant: id })
    expect(ok(about)).toMatchObject({ user_id: key.userId, tenant_id: id, permissions: [] })
    const other = sessionOf(await platformAdmin())
    expect(await key.get(`${path}&session_id=${other}`, { tenant: id })).toMatchObject(
      refusal('sessionUnknown'),
    )
    expect(ok(await key.get(path, { tenant: id }))).toMatchObject({ tenant_id: key.tenantId })
    const powerless = await keyWith(builtIn.id, ['tenant:enter'])
    const own = `/authz/permissions?user_id=${powerless.userId}&session_id=${sessionOf(user)}`
    expect(await powerless.get(own, { tenant: id })).toMatchObject(refusal('permissionMissing'))
  })

  test('means the caller in any tenant, although another user there has the same id', async () => {
    const [root, { id, admin }] = [await platformAdmin(), await newTenant()]
    await giveId(id, admin.userId, root.userId)
    for (const query of ['', `?user_id=${root.userId}`]) {
      const held = ok(await root.get(`/authz/permissions${query}`, { tenant: id }))
      expect(held).toMatchObject({ user_id: root.userId, tenant_id: root.tenantId })
      expect(held.permissions).toContain('tenant:delete')
    }
    const sid = sessionOf(root)
    const answer = await root.get(`/authz/permissions?session_id=${sid}`, { tenant: id })
    expect(answer).toMatchObject({ status: 200 })
    const second = sessionOf(await signIn(root))
    expect(await root.get(`/authz/permissions?session_id=${second}`, { tenant: id })).toMatchObject({
      status: 200,
    })
    const question = { permissions: ['tenant:delete'], user_id: root.userId }
    expect(ok(await root.post('/authz/check', question, { tenant: id })).allowed).toBe(true)
  })
})
