import sql from 'sql-template-tag'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import {
  assign,
  builtIn,
  clearCatalogue,
  countAuditRecords,
  keyWith,
  newTenant,
  nobodysId,
  ok,
  onlyPlatformAdmin,
  permissionIds,
  platformAdmin,
  systemRoleId,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { eventually } from '../../../../test/waits.ts'
import { builtInTenant, type PermissionCode } from '../../../access/permissions.ts'
import type { Change } from './preview.schemas.ts'

const preview = (by: Caller, ...changes: Change[]) => by.post('/authz/preview', { changes })

const replacing = (role_id: number, ...codes: PermissionCode[]): Change => ({
  kind: 'replace_permissions',
  role_id,
  permission_ids: permissionIds(...codes),
})
const assigning = (user_id: number, role_id: number): Change => ({ kind: 'assign_role', user_id, role_id })
const unassigning = (user_id: number, role_id: number): Change => ({
  kind: 'unassign_role',
  user_id,
  role_id,
})
const deleting = (role_id: number): Change => ({ kind: 'delete_role', role_id })
const setting = (user_id: number, status: 0 | 1): Change => ({ kind: 'set_user_status', user_id, status })

/** Makes a change through its own endpoint. */
const make = (by: Caller, change: Change) => {
  const { kind, role_id, user_id, permission_ids, status } = change
  const made = {
    replace_permissions: () => by.put(`/rbac/roles/${role_id}/permissions`, { permission_ids }),
    assign_role: () => by.post(`/rbac/users/${user_id}/roles`, { role_id }),
    unassign_role: () => by.delete(`/rbac/users/${user_id}/roles/${role_id}`),
    delete_role: () => by.delete(`/rbac/roles/${role_id}`),
    set_user_status: () => by.put(`/users/${user_id}`, { status }),
  }
  return made[kind]()
}

const effect = ({ userId, username }: Caller, ...permissions: string[]) => ({
  user_id: userId,
  username,
  permissions,
})

const holder = async (tenant: Tenant, ...roleIds: number[]) => {
  const user = await tenant.member()
  for (const id of roleIds) await assign(tenant.id, user.userId, id)
  return user
}

describe('a preview', () => {
  test('names service accounts as well: they hold roles', async () => {
    const tenant = await newTenant()
    const account = await keyWith(tenant.id, [])
    const role = await tenant.role('audit:read')
    expect(ok(await preview(tenant.admin, assigning(account.userId, role.id)))).toMatchObject({
      gains: [effect(account, 'audit:read')],
      losses: [],
      affected_users: 1,
    })
    await assign(tenant.id, account.userId, role.id)
    expect(ok(await preview(tenant.admin, deleting(role.id)))).toMatchObject({
      losses: [effect(account, 'audit:read')],
      affected_users: 1,
    })
  })

  test('shows which holders gain and lose permissions, and not those whose other roles decide the same', async () => {
    const tenant = await newTenant()
    const [role, other] = [await tenant.role('user:read', 'audit:read'), await tenant.role('audit:read')]
    const [one, both] = [await holder(tenant, role.id), await holder(tenant, role.id, other.id)]
    expect(ok(await preview(tenant.admin, replacing(role.id, 'user:read', 'setting:read')))).toStrictEqual({
      gains: [effect(one, 'setting:read'), effect(both, 'setting:read')],
      losses: [effect(one, 'audit:read')],
      affected_users: 2,
      refused: null,
    })
    expect(ok(await preview(tenant.admin, replacing(other.id)))).toMatchObject({ affected_users: 0 })
    expect(ok(await preview(tenant.admin, deleting(role.id)))).toStrictEqual({
      gains: [],
      losses: [effect(one, 'audit:read', 'user:read'), effect(both, 'user:read')],
      affected_users: 2,
      refused: null,
    })
  })

  test('a preview of several changes shows their effect together', async () => {
    const tenant = await newTenant()
    const role = await tenant.role('user:read')
    const [one, two] = [await holder(tenant, role.id), await holder(tenant)]
    const answer = await preview(
      tenant.admin,
      assigning(two.userId, role.id),
      replacing(role.id, 'audit:read'),
      unassigning(one.userId, role.id),
      setting(tenant.admin.userId, 1),
    )
    expect(ok(answer)).toStrictEqual({
      gains: [effect(two, 'audit:read')],
      losses: [effect(one, 'user:read')],
      affected_users: 2,
      refused: null,
    })
    const back = [assigning(two.userId, role.id), unassigning(two.userId, role.id)]
    expect(ok(await preview(tenant.admin, ...back))).toMatchObject({
      gains: [],
      losses: [],
      affected_users: 0,
    })
  })

  test('a preview of a status shows everything that the user gains or loses by it', async () => {
    const tenant = await newTenant()
    const user = await tenant.userWith('user:read', 'audit:read')
    const all = [effect(user, 'audit:read', 'user:read')]
    expect(ok(await preview(tenant.admin, setting(user.userId, 0)))).toMatchObject({ gains: [], losses: all })
    expect(await user.get('/profile')).toMatchObject({ status: 200 })
    ok(await tenant.admin.put(`/users/${user.userId}`, { status: 0 }))
    expect(ok(await preview(tenant.admin, setting(user.userId, 1)))).toMatchObject({ gains: all, losses: [] })
    const role = await tenant.role('setting:read')
    expect(ok(await preview(tenant.admin, assigning(user.userId, role.id)))).toMatchObject({
      affected_users: 0,
    })
  })

  test('a preview in a disabled tenant shows no user: they hold nothing before and after', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const role = await tenant.role('user:read')
    const user = await holder(tenant, role.id)
    const changes = [replacing(role.id, 'audit:read'), setting(user.userId, 0)]
    const ask = () => root.post('/authz/preview', { changes }, { tenant: tenant.id })
    expect(ok(await ask())).toMatchObject({ losses: [{ user_id: user.userId }], affected_users: 1 })
    ok(await root.put(`/org/tenants/${tenant.id}`, { status: 0 }))
    expect(ok(await ask())).toStrictEqual({ gains: [], losses: [], affected_users: 0, refused: null })
  })

  test('says what then happens, change by change', async () => {
    const tenant = await newTenant()
    const role = await tenant.role('user:read')
    const user = await holder(tenant, role.id)
    const heldBy = async () =>
      ok(await tenant.admin.get(`/authz/permissions?user_id=${user.userId}`)).permissions as string[]
    const changes = [
      replacing(role.id, 'user:read', 'audit:read'),
      unassigning(user.userId, role.id),
      assigning(user.userId, role.id),
      setting(user.userId, 0),
      setting(user.userId, 1),
      deleting(role.id),
    ]
    for (const change of changes) {
      const before = await heldBy()
      const { gains, losses, refused } = ok(await preview(tenant.admin, change))
      expect(await heldBy()).toEqual(before)
      ok(await make(tenant.admin, change))
      const after = await heldBy()
      expect(refused).toBeNull()
      expect([gains, losses].map((list) => list[0]?.permissions ?? [])).toEqual([
        after.filter((code) => !before.includes(code)),
        before.filter((code) => !after.includes(code)),
      ])
    }
  })

  test('leaves no trace: no change, no audit record, no message to other replicas', async () => {
    const tenant = await newTenant()
    const role = await tenant.role('user:read')
    const user = await holder(tenant, role.id)
    const state = async () => [
      ok(await tenant.admin.get('/rbac/roles')),
      ok(await tenant.admin.get(`/rbac/users/${user.userId}/roles`)),
      ok(await tenant.admin.get('/users')),
      await countAuditRecords(tenant.id),
    ]
    const before = await state()
    const heard: unknown[] = []
    parts.cache.subscribe((change) => heard.push(change))
    const forgetting = vi.spyOn(parts.cache, 'forgetPresence')
    ok(await preview(tenant.admin, setting(user.userId, 0), replacing(role.id), deleting(role.id)))
    expect(heard).toEqual([])
    expect(forgetting).not.toHaveBeenCalled()
    forgetting.mockRestore()
    expect(await state()).toEqual(before)
    expect(await user.get('/users')).toMatchObject({ status: 200 })
  })

  test('names the change that would be refused, with the error of its endpoint, and no users', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith(
      'user:read',
      'user:update',
      'role:read',
      'role:update',
      'role:delete',
      'role:assign',
    )
    const [weak, strong] = [await tenant.role('user:read'), await tenant.role('audit:read')]
    const [member, above] = [await holder(tenant, weak.id), await holder(tenant, strong.id)]
    const systemRole = systemRoleId('member')
    const changes = [
      replacing(weak.id, 'audit:read'),
      replacing(strong.id),
      replacing(nobodysId),
      { ...replacing(weak.id), permission_ids: [999] },
      { ...replacing(weak.id), permission_ids: permissionIds('tenant:read') },
      replacing(systemRole),
      assigning(member.userId, weak.id),
      assigning(member.userId, strong.id),
      assigning(nobodysId, weak.id),
      unassigning(above.userId, strong.id),
      unassigning(clerk.userId, weak.id),
      deleting(strong.id),
      deleting(systemRole),
      setting(above.userId, 0),
      setting(clerk.userId, 0),
      setting(nobodysId, 0),
    ]
    for (const change of changes) {
      const real = await make(clerk, change)
      expect(real.status).not.toBe(200)
      const { data } = await preview(clerk, replacing(weak.id, 'role:read'), change)
      const { code, message } = real.body
      expect([change, data]).toStrictEqual([
        change,
        { gains: [], losses: [], affected_users: 0, refused: { index: 1, error: { code, message } } },
      ])
    }
  })

  test('refuses a change for which the caller lacks the permission, as its endpoint does', async () => {
    const tenant = await newTenant()
    const reader = await tenant.userWith('user:read', 'role:read')
    const role = await tenant.role()
    const user = await holder(tenant, role.id)
    const changes = [
      replacing(role.id),
      assigning(reader.userId, role.id),
      unassigning(user.userId, role.id),
      deleting(role.id),
      setting(user.userId, 0),
    ]
    for (const change of changes) {
      const { code, message } = (await make(reader, change)).body
      expect(code).toBe(40301)
      expect(ok(await preview(reader, change)).refused).toStrictEqual({ index: 0, error: { code, message } })
    }
  })

  test('knows that an earlier change takes the permission for a later one', async () => {
    const tenant = await newTenant()
    const role = await tenant.role('user:read', 'role:read', 'role:update', 'role:delete')
    const clerk = await holder(tenant, role.id)
    const other = await tenant.role()
    const [first, second] = [replacing(role.id, 'user:read', 'role:read'), deleting(other.id)]
    const { refused } = ok(await preview(clerk, first, second))
    ok(await make(clerk, first))
    const { code, message } = (await make(clerk, second)).body
    expect(code).toBe(40301)
    expect(refused).toStrictEqual({ index: 1, error: { code, message } })
  })

  test('keeps the last platform administrator', async () => {
    const root = await onlyPlatformAdmin()
    const role = systemRoleId('platform-admin')
    const [one] = [await builtIn.member()]
    ok(await root.post(`/rbac/users/${one.userId}/roles`, { role_id: role }))
    expect(ok(await preview(root, setting(one.userId, 0))).refused).toBeNull()
    const both = await preview(root, setting(one.userId, 0), unassigning(root.userId, role))
    expect(ok(both).refused).toMatchObject({ index: 1, error: { code: 40007 } })
    ok(await root.delete(`/rbac/users/${one.userId}/roles/${role}`))
  })

  test('needs role:read and user:read', async () => {
    const tenant = await newTenant()
    const role = await tenant.role()
    for (const code of ['role:read', 'user:read'] as const) {
      const caller = await tenant.userWith(code, 'role:update')
      expect(await preview(caller, replacing(role.id))).toMatchObject(refusal('permissionMissing'))
    }
  })

  test('a preview is 400 without a needed field, without changes, and with more than 20', async () => {
    const { admin } = await newTenant()
    const missing: [Change, string][] = [
      [{ kind: 'replace_permissions', role_id: 1 }, 'permission_ids'],
      [{ kind: 'assign_role', user_id: 1 }, 'role_id'],
      [{ kind: 'unassign_role', role_id: 1 }, 'user_id'],
      [{ kind: 'delete_role' }, 'role_id'],
      [{ kind: 'set_user_status', user_id: 1 }, 'status'],
    ]
    for (const [change, field] of missing) {
      expect(await preview(admin, deleting(1), change)).toMatchObject(refusalOf(`changes.1.${field}`))
    }
    expect(await admin.post('/authz/preview', { changes: [{ kind: 'drop_role' }] })).toMatchObject(
      refusalOf('changes.0.kind'),
    )
    expect(await preview(admin)).toMatchObject(refusalOf('changes'))
    expect(await preview(admin, ...Array<Change>(21).fill(deleting(1)))).toMatchObject(refusalOf('changes'))
  })

  test('names 200 users on each side, and counts all', async () => {
    const tenant = await newTenant()
    const [one, other] = [await tenant.role('user:read'), await tenant.role('audit:read')]
    await manyHolders(tenant, one.id, 1500)
    // A busy machine can take longer than the time limit of a preview.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { gains, losses, affected_users } = ok(
      await preview(tenant.admin, replacing(one.id, 'setting:read')),
    )
    expect([gains.length, losses.length, affected_users]).toEqual([200, 200, 1500])
    const ids = (gains as { user_id: number }[]).map(({ user_id }) => user_id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(ok(await preview(tenant.admin, replacing(other.id)))).toMatchObject({ affected_users: 0 })
  })
})

describe('a preview of a role template', () => {
  afterEach(clearCatalogue)

  const template = async (...codes: PermissionCode[]) => {
    const root = await platformAdmin()
    const body = { name: unique('template'), permission_ids: permissionIds(...codes) }
    return { root, id: ok(await root.post('/rbac/role-templates', body)).id as number }
  }

  const previewIn = (tenantId: string, by: Caller, ...changes: Change[]) =>
    by.post('/authz/preview', { changes }, { tenant: tenantId })

  test('shows which users of the tenant in scope would gain and lose, and changes nothing', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const { root, id } = await template('user:read', 'audit:read')
    const role = await tenant.role('audit:read')
    const [one, both] = [await holder(tenant, id), await holder(tenant, id, role.id)]
    const elsewhere = await holder(other, id)
    const home = await builtIn.member()
    await assign(builtInTenant.id, home.userId, id)
    const before = ok(await root.get('/rbac/role-templates'))
    const records = await countAuditRecords(builtInTenant.id)
    const change = replacing(id, 'user:read', 'setting:read')
    expect(ok(await previewIn(tenant.id, root, change))).toStrictEqual({
      gains: [effect(one, 'setting:read'), effect(both, 'setting:read')],
      losses: [effect(one, 'audit:read')],
      affected_users: 2,
      refused: null,
    })
    expect(ok(await previewIn(other.id, root, deleting(id)))).toStrictEqual({
      gains: [],
      losses: [effect(elsewhere, 'audit:read', 'user:read')],
      affected_users: 1,
      refused: null,
    })
    expect(ok(await preview(root, deleting(id))).losses).toEqual([effect(home, 'audit:read', 'user:read')])
    expect(ok(await root.get('/rbac/role-templates'))).toEqual(before)
    expect(await countAuditRecords(builtInTenant.id)).toBe(records)
  })

  test('goes together with changes of the tenant, before and after it', async () => {
    const tenant = await newTenant()
    const { root, id } = await template('user:read')
    const [one, two] = [await holder(tenant, id), await holder(tenant)]
    const changes = [assigning(two.userId, id), replacing(id, 'audit:read'), unassigning(one.userId, id)]
    expect(ok(await previewIn(tenant.id, root, ...changes))).toStrictEqual({
      gains: [effect(two, 'audit:read')],
      losses: [effect(one, 'user:read')],
      affected_users: 2,
      refused: null,
    })
  })

  test('names the refusal of the endpoint of the catalogue', async () => {
    const { root, id } = await template('user:read')
    const strong = await template('audit:read')
    const manager = await builtIn.userWith('catalogue:manage', 'role:read', 'user:read')
    const changes: [Caller, Change][] = [
      [root, replacing(id, 'tenant:read')],
      [root, { ...replacing(id), permission_ids: [999] }],
      [root, replacing(998)],
      [root, deleting(998)],
      [root, replacing(systemRoleId('admin'))],
      [root, deleting(systemRoleId('member'))],
      [manager, replacing(id, 'audit:read')],
      [manager, deleting(strong.id)],
    ]
    for (const [caller, change] of changes) {
      const { kind, role_id, permission_ids } = change
      const path = `/rbac/role-templates/${role_id}`
      const isDeletion = kind === 'delete_role'
      const real = await (isDeletion ? caller.delete(path) : caller.put(path, { permission_ids }))
      expect(real.status).not.toBe(200)
      const { code, message } = real.body
      expect([change, ok(await preview(caller, change)).refused]).toStrictEqual([
        change,
        { index: 0, error: { code, message } },
      ])
    }
  })

  test('is that of a system role for callers without catalogue:manage, whom it refuses', async () => {
    const { id } = await template('user:read')
    const { admin } = await newTenant()
    for (const change of [replacing(id, 'audit:read'), deleting(id)]) {
      const real = await make(admin, change)
      expect(real).toMatchObject(refusal('systemRole'))
      const { code, message } = real.body
      expect(ok(await preview(admin, change)).refused).toStrictEqual({ index: 0, error: { code, message } })
    }
  })

  test('lets changes of authority and of the catalogue continue afterwards', async () => {
    const { root, id } = await template('user:read')
    const tenant = await newTenant()
    const [member, role] = [await tenant.member(), await tenant.role()]
    const answers = await Promise.all([
      previewIn(tenant.id, root, deleting(id)),
      assign(tenant.id, member.userId, id),
      tenant.admin.put(`/rbac/roles/${role.id}`, { name: unique('other') }),
      root.put(`/rbac/role-templates/${id}`, { description: 'changed' }),
    ])
    expect(answers[0]).toMatchObject({ status: 200 })
    expect(ok(await root.delete(`/rbac/role-templates/${id}`))).toBeNull()
  })
})

/** Inserts holders of a role by SQL. */
const manyHolders = async (tenant: Tenant, roleId: number, count: number): Promise<void> => {
  const db = parts.store.scoped({ tenantId: tenant.id })
  await db.run(sql`
    with added as (
      insert into accounts (email, email_folded, password_hash, password_scheme, created_at, updated_at)
      select n || ${`@${tenant.slug}.example.com`}, n || ${`@${tenant.slug}.example.com`}, 'none', 'bcrypt', now(), now()
      from generate_series(1, ${count}::int) n
      returning id, email
    ), people as (
      insert into users (tenant_id, account_id, email, username, username_folded, search_folded, created_at, updated_at)
      select ${tenant.id}::uuid, id, email, 'many' || id, 'many' || id, email, now(), now() from added
      returning tenant_id, id
    )
    insert into user_roles (tenant_id, user_id, role_id) select tenant_id, id, ${roleId}::bigint from people
    returning role_id`)
}

describe('previews of a caller', () => {
  test('run one at a time, and each ends after 2 seconds', async () => {
    const tenant = await newTenant()
    const role = await tenant.role('user:read')
    // This request caches the caller. The embedded database has only one session, which the transaction below takes.
    ok(await tenant.admin.get('/profile'))
    const blocked = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    // Holds the authority lock of the tenant. On the embedded database, holds its only session.
    const blocking = parts.store.transaction({ tenantId: tenant.id }, async (db) => {
      await db.one(
        sql`select pg_advisory_xact_lock(hashtext('tenantry authority'), hashtext(${tenant.id})) is null`,
      )
      started.resolve()
      await blocked.promise
    })
    await started.promise
    const [first, second] = [
      preview(tenant.admin, deleting(role.id)),
      preview(tenant.admin, deleting(role.id)),
    ]
    const answers = [first, second].map(async (answer) => (await answer).status)
    await expect(Promise.race(answers)).resolves.toBe(429)
    const late = (await Promise.all([first, second])).find(({ status }) => status !== 429)
    expect(late?.status).toBe(503)
    blocked.resolve()
    await blocking
    await eventually(async () =>
      expect(await preview(tenant.admin, deleting(role.id))).toMatchObject({ status: 200 }),
    )
  })
})
