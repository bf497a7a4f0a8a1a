import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import {
  auditRecords,
  newTenant,
  password,
  platformAdmin,
  signIn,
  unique,
  type Caller,
} from '../../../../test/factories.ts'
import { call, parts } from '../../../../test/harness.ts'
import { refusal, tally } from '../../../../test/answers.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { lockTenantAgainstRemoval } from '../../../access/tenancy.store.ts'
import type { TransactionDb } from '../../../db/client.ts'

const remove = async (id: string) => (await platformAdmin()).delete(`/org/tenants/${id}`)
const lockRow = (id: string) => sql`select 1 from tenants where id = ${id} for key share`
const login = ({ email }: Caller) => call('POST', '/auth/login', { body: { email, password } })

describe('deleting a tenant', () => {
  test('leaves nothing of it within reach', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const member = await tenant.member()
    const elsewhere = await signIn(member)
    expect((await member.get('/ping')).status).toBe(200)
    expect(await remove(tenant.id)).toMatchObject({ status: 200, body: { data: null } })

    for (const caller of [tenant.admin, member, elsewhere]) {
      expect(await caller.get('/profile')).toMatchObject(refusal('tokenInvalid'))
      expect(await caller.get('/ping', { tenant: undefined })).toMatchObject(refusal('tokenInvalid'))
      expect(await login(caller)).toMatchObject(refusal('credentialsWrong'))
      const refreshed = await call('POST', '/auth/refresh', { body: { refresh_token: caller.refreshToken } })
      expect(refreshed).toMatchObject(refusal('refreshTokenInvalid'))
    }
    for (const path of ['/users', '/rbac/roles', '/audit/logs', '/settings/tenant', '/dashboard/stats']) {
      expect(await root.get(path, { tenant: tenant.id }), `GET ${path}`).toMatchObject(
        refusal('tenantUnknown'),
      )
    }
    expect(await root.get(`/org/tenants/${tenant.id}`)).toMatchObject(refusal('tenantUnknown'))
    expect(await root.put(`/org/tenants/${tenant.id}`, { name: 'x' })).toMatchObject(refusal('tenantUnknown'))
    expect(await remove(tenant.id)).toMatchObject(refusal('tenantUnknown'))
    const left = (await root.get('/org/tenants')).data as { id: string }[]
    expect(left.map(({ id }) => id)).not.toContain(tenant.id)
  })

  test('frees slug, e-mails and usernames at once', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const { email, username } = await tenant.member()
    const registered = await tenant.member()
    await remove(tenant.id)
    const heir = (await root.post('/org/tenants', { name: 'Heir', slug: tenant.slug })).data
    expect(heir).toMatchObject({ slug: tenant.slug, status: 1 })
    const again = await root.post(
      '/users',
      { email: email.toUpperCase(), username, password },
      { tenant: heir.id },
    )
    expect(again.data).toMatchObject({ tenant_id: heir.id, username })
    const { email: freed } = registered
    const joined = await call('POST', '/auth/register', {
      body: { email: freed, username: unique(), password },
    })
    expect(joined.status).toBe(200)
    expect((await login(registered)).status).toBe(200)
  })

  test('frees an e-mail for a user whose e-mail an administrator changes to it', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    await remove(tenant.id)
    const user = await other.member()
    const answer = await other.admin.put(`/users/${user.userId}`, { email: tenant.admin.email })
    expect(answer.data.email).toBe(tenant.admin.email)
    expect((await login(tenant.admin)).status).toBe(200)
  })

  test('is recorded once, in the built-in tenant', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    await remove(tenant.id)
    expect(await auditRecords(builtInTenant.id, 'tenant', tenant.id)).toMatchObject([
      {
        user_id: root.userId,
        action: 'tenant.delete',
        detail: { slug: { from: tenant.slug, to: null }, status: { from: 1, to: null } },
      },
      { action: 'tenant.create' },
    ])
  })

  test('works with the tenant itself in scope, and on a disabled one', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    await root.put(`/org/tenants/${tenant.id}`, { status: 0 })
    expect((await root.delete(`/org/tenants/${tenant.id}`, { tenant: tenant.id })).status).toBe(200)
    expect(await login(tenant.admin)).toMatchObject(refusal('credentialsWrong'))
  })

  test('one of many deletions at once succeeds', async () => {
    const tenant = await newTenant()
    const answers = await Promise.all(Array.from({ length: 8 }, () => remove(tenant.id)))
    expect(tally(answers)).toEqual({ 200: 1, 404: 7 })
    expect(await auditRecords(builtInTenant.id, 'tenant', tenant.id)).toHaveLength(2)
  })

  test.each([
    ['of a request', (db: TransactionDb, id: string) => lockTenantAgainstRemoval(db, id)],
    ['that locks the row', (db: TransactionDb, id: string) => db.run(lockRow(id))],
  ])('waits for a write in flight %s, which goes with the tenant', async (_, lock) => {
    const tenant = await newTenant()
    const order: string[] = []
    const gate = Promise.withResolvers<void>()
    const opened = Promise.withResolvers<void>()
    const write = parts.store.transaction({ tenantId: tenant.id }, async (db) => {
      await lock(db, tenant.id)
      opened.resolve()
      await gate.promise
      await db.run(sql`
        insert into roles (tenant_id, name, name_folded, created_at)
        values (${tenant.id}, 'in flight', 'in flight', now())`)
      order.push('write')
    })
    await opened.promise
    const removal = remove(tenant.id).then((answer) => {
      order.push('removal')
      return answer
    })
    // The time is so long that a removal that does not wait would finish first.
    setTimeout(gate.resolve, 300)
    await write
    expect((await removal).status).toBe(200)
    expect(order).toEqual(['write', 'removal'])
  })

  test('a write during the deletion either happened before or is refused', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const member = await tenant.member()
    const viewer = ((await tenant.admin.get('/rbac/roles')).data as { id: number; name: string }[]).find(
      ({ name }) => name === 'viewer',
    )
    const emails = Array.from({ length: 10 }, () => `${unique('w')}@example.com`)
    const scope = { tenant: tenant.id }
    const writes = emails.flatMap((email, index) => [
      root.post('/users', { email, username: unique(), password }, scope),
      tenant.admin.post('/rbac/roles', { name: unique() }),
      tenant.admin.put(`/users/${member.userId}`, { nickname: `n${index}` }),
      root.post(`/rbac/users/${member.userId}/roles`, { role_id: viewer?.id }, scope),
      root.put('/settings/tenant/key', { value: index }, scope),
    ])
    const [removal, ...answers] = await Promise.all([remove(tenant.id), ...writes])
    expect(removal?.status).toBe(200)
    for (const { status } of answers) expect([200, 401, 404, 409]).toContain(status)
    expect((await tenant.admin.get('/ping')).status).toBe(401)
    for (const email of emails) {
      expect((await call('POST', '/auth/login', { body: { email, password } })).status).toBe(401)
      const body = { email, username: unique(), password }
      expect((await call('POST', '/auth/register', { body })).status).toBe(200)
    }
  })
})
