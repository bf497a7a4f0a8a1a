import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import {
  keyWith,
  newTenant,
  ok,
  password,
  platformAdmin,
  register,
  unique,
} from '../../../../test/factories.ts'
import { call, parts } from '../../../../test/harness.ts'
import { insertMember } from '../../../../test/people.ts'
import { asOwner, breachOf, sealRecords } from '../../../../test/audit-chain.ts'

interface Named {
  id: number
  user_id: number
  action: string
  detail: object
  actor?: { id: number; name: string; kind: string }
}

const newest = async (tenantId: string, query: string): Promise<Named> => {
  const root = await platformAdmin()
  const { items } = ok(await root.get(`/audit/logs?include=actor&page_size=1&${query}`, { tenant: tenantId }))
  return items[0]
}

describe('the actor of an audit record', () => {
  test('is shown only with include=actor: in the list, by id, and in the export', async () => {
    const { admin } = await newTenant()
    await admin.put('/settings/tenant/a', { value: 1 })
    const query = 'resource=setting'
    const [plain] = ok(await admin.get(`/audit/logs?${query}`)).items
    expect(plain).not.toHaveProperty('actor')
    expect(Object.keys(plain.detail).toSorted()).toEqual(['key', 'value'])
    const actor = { id: admin.userId, name: admin.username, kind: 'user' }
    const [named] = ok(await admin.get(`/audit/logs?${query}&include=actor`)).items
    expect(named).toEqual({ ...plain, actor })
    expect(ok(await admin.get(`/audit/logs/${plain.id}`))).toEqual(plain)
    expect(ok(await admin.get(`/audit/logs/${plain.id}?include=actor`))).toEqual(named)
    expect(JSON.parse((await admin.get(`/audit/export?${query}`)).text)).toEqual(plain)
    expect(JSON.parse((await admin.get(`/audit/export?${query}&include=actor`)).text)).toEqual(named)
    expect((await admin.get('/audit/logs?include=user')).status).toBe(400)
  })

  test('is in the CSV export by name and kind', async () => {
    const { admin } = await newTenant()
    await admin.put('/settings/tenant/a', { value: 1 })
    const [head = '', row = ''] = (await admin.get('/audit/export?format=csv&resource=setting')).text.split(
      '\r\n',
    )
    expect(head.split(',').slice(-2)).toEqual(['actor_name', 'actor_kind'])
    expect(row.split(',').slice(-2)).toEqual([admin.username, 'user'])
  })

  test('keeps the name of a deleted user, and of one who deleted the own account', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith('setting:update')
    await clerk.put('/settings/tenant/a', { value: 1 })
    ok(await tenant.admin.delete(`/users/${clerk.userId}`))
    const clerkActor = { id: clerk.userId, name: clerk.username, kind: 'user' }
    expect((await newest(tenant.id, 'resource=setting')).actor).toEqual(clerkActor)
    const leaver = await tenant.member()
    ok(await leaver.post('/auth/account/delete', { password }))
    expect((await newest(tenant.id, 'action=auth.account_delete')).actor).toEqual({
      id: leaver.userId,
      name: leaver.username,
      kind: 'user',
    })
  })

  test('is of the platform where a platform administrator entered the tenant, and a user at home', async () => {
    const tenant = await newTenant()
    const root = await platformAdmin()
    ok(await root.put('/settings/tenant/a', { value: 1 }, { tenant: tenant.id }))
    const named = { id: root.userId, name: root.username }
    const [seen] = ok(await tenant.admin.get('/audit/logs?include=actor&resource=setting')).items
    expect(seen.actor).toEqual({ ...named, kind: 'platform' })
    const key = unique()
    ok(await root.put(`/settings/tenant/${key}`, { value: 1 }))
    const atHome = await newest(root.tenantId, `resource=setting&resource_id=${key}`)
    expect(atHome.actor).toEqual({ ...named, kind: 'user' })
  })

  test('is a service account by the name that it had, before and after it was renamed', async () => {
    const tenant = await newTenant()
    const { token, userId } = await keyWith(tenant.id, ['setting:update'])
    const { name } = ok(await tenant.admin.get(`/service-accounts/${userId}`))
    ok(await call('PUT', '/settings/tenant/a', { token, body: { value: 1 } }))
    ok(await tenant.admin.put(`/service-accounts/${userId}`, { name: 'Renamed' }))
    ok(await call('PUT', '/settings/tenant/b', { token, body: { value: 1 } }))
    const { items } = ok(await tenant.admin.get(`/audit/logs?include=actor&user_id=${userId}`))
    expect(items.map(({ actor }: Named) => actor)).toEqual([
      { id: userId, name: 'Renamed', kind: 'service_account' },
      { id: userId, name, kind: 'service_account' },
    ])
  })

  test('is the person in records that carry no credential: registered, signed in, mistyped', async () => {
    const user = await register()
    await call('POST', '/auth/login', { body: { email: user.email, password: 'wrong password' } })
    const root = await platformAdmin()
    const { items } = ok(await root.get(`/audit/logs?include=actor&user_id=${user.userId}`))
    const actions = items.map(({ action }: Named) => action)
    expect(actions).toEqual(expect.arrayContaining(['auth.register', 'auth.login_failed']))
    const actor = { id: user.userId, name: user.username, kind: 'user' }
    expect(items.map((item: Named) => item.actor)).toEqual(items.map(() => actor))
  })

  test('the actor of an act on the account is the person, by the name in each tenant', async () => {
    const [home, other] = [await newTenant(), await newTenant()]
    const person = await home.member()
    const there = await insertMember({ ...person, username: unique() }, other)
    ok(await person.post('/password', { old_password: password, new_password: 'another good one' }))
    const action = 'action=auth.password_change'
    expect((await newest(home.id, action)).actor).toMatchObject({ id: person.userId, name: person.username })
    const elsewhere = (await newest(other.id, action)).actor
    expect(elsewhere).toMatchObject({ id: there, kind: 'user' })
    expect(elsewhere?.name).not.toBe(person.username)
  })

  test('is the system, without a name, where nobody is known; and one from before has no name', async () => {
    const { id } = await newTenant()
    const scope = parts.store.scoped({ tenantId: id })
    for (const [user, detail] of [
      [0, '{}'],
      [7, '{}'],
      [7, '{"actor":"forged"}'],
      [7, '{"actor":{"name":1,"kind":"root"}}'],
    ]) {
      await scope.run(sql`
        insert into audit_logs (tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
        values (${id}, ${user}, 'old.create', 'old', '1', ${detail}, '', '', '', now())`)
    }
    const root = await platformAdmin()
    const { items } = ok(await root.get('/audit/logs?include=actor&resource=old', { tenant: id }))
    const unnamed = { id: 7, name: '', kind: 'user' }
    expect(items.map(({ actor }: Named) => actor)).toEqual([
      unnamed,
      unnamed,
      unnamed,
      { id: 0, name: '', kind: 'system' },
    ])
    expect(items.map(({ detail }: Named) => detail)).toEqual([{}, {}, {}, {}])
  })

  test('is sealed with its record: the chain shows a name that was changed', async () => {
    const tenant = await newTenant()
    await tenant.admin.put('/settings/tenant/a', { value: 1 })
    await sealRecords(tenant.id)
    expect(await breachOf(tenant.id)).toBe(undefined)
    await asOwner(sql`
      update audit_logs set detail = replace(detail::text, ${tenant.admin.username}, 'somebody')::json
      where tenant_id = ${tenant.id} and resource = 'setting'`)
    expect(await breachOf(tenant.id)).toMatch(/^record \d+ was changed$/)
  })
})
