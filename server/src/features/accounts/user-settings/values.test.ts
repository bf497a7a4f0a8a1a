import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import {
  auditRecords,
  builtIn,
  keyWith,
  newTenant,
  ok,
  platformAdmin,
  unique,
} from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { declareSetting } from '../../../../test/setting-rows.ts'

const text = { type: 'string', maxLength: 5 }

describe('the effective value', () => {
  test('is that of the user, else the tenant, the installation, the default; a lock passes over both', async () => {
    const [root, { admin }] = [await platformAdmin(), await newTenant()]
    const key = await declareSetting({ schema: text, default: 'd' })
    const read = async () => (await admin.get(`/settings/effective/${key}`)).data
    const base = { key, is_locked: false, is_secret: false, is_set: true, updated_at: expect.any(String) }
    expect(await read()).toEqual({ ...base, value: 'd', origin: 'default', is_set: false, updated_at: '' })
    ok(await root.put(`/settings/global/${key}`, { value: 'g' }))
    expect(await read()).toEqual({ ...base, value: 'g', origin: 'global' })
    ok(await admin.put(`/settings/tenant/${key}`, { value: 't' }))
    expect(await read()).toEqual({ ...base, value: 't', origin: 'tenant' })
    ok(await admin.put(`/settings/user/${key}`, { value: 'u' }))
    expect(await read()).toEqual({ ...base, value: 'u', origin: 'user' })
    ok(await root.put(`/settings/global/${key}/lock`))
    expect(await read()).toEqual({ ...base, value: 'g', origin: 'global', is_locked: true })
    for (const path of [`/settings/tenant/${key}`, `/settings/user/${key}`]) {
      expect(await admin.put(path, { value: 'x' })).toMatchObject(refusal('settingLocked'))
    }
    expect(await admin.post(`/settings/tenant/${key}/revert`, { version: 1 })).toMatchObject(
      refusal('settingLocked'),
    )
    ok(await root.delete(`/settings/global/${key}/lock`))
    expect(await read()).toEqual({ ...base, value: 'u', origin: 'user' })
    ok(await root.delete(`/settings/definitions/${key}`))
    expect(await read()).toEqual({ ...base, value: 't', origin: 'tenant' })
    const actions = (await auditRecords(builtIn.id, 'setting', key)).map(({ action }) => action)
    expect(actions).toEqual(['setting.unlock', 'setting.lock', 'setting.create'])
  })

  test('the value of a public key is for every user of the tenant, any other only for setting:read', async () => {
    const tenant = await newTenant()
    const [mark, member] = [unique('p.'), await tenant.member()]
    await declareSetting({ schema: text, public: true, default: 'd' }, `${mark}.open`)
    await declareSetting({ schema: text, default: 'd' }, `${mark}.shut`)
    ok(await tenant.admin.put(`/settings/tenant/${mark}.loose`, { value: 1 }))
    const keysFor = async (who: typeof member, query: string) =>
      (await who.get(`/settings/effective?${query}`)).data.map(({ key }: { key: string }) => key)
    expect(await keysFor(member, `prefix=${mark}`)).toEqual([`${mark}.open`])
    expect(await keysFor(tenant.admin, `prefix=${mark}`)).toEqual(
      ['loose', 'open', 'shut'].map((end) => `${mark}.${end}`),
    )
    expect(await keysFor(member, `keys=${mark}.shut,${mark}.open,mail`)).toEqual([`${mark}.open`])
    expect(await member.get(`/settings/effective/${mark}.shut`)).toMatchObject(refusal('settingUnknown'))
    expect(await tenant.admin.get(`/settings/effective/${mark}.none`)).toMatchObject(
      refusal('settingUnknown'),
    )
    expect((await member.get(`/settings/effective?keys=${Array(101).fill('a').join(',')}`)).status).toBe(400)
  })

  test('the value of another user needs user:read, and a user of another tenant is 404', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const key = await declareSetting({ schema: text, default: 'd', public: true })
    const [member, service] = [await tenant.member(), await keyWith(tenant.id, ['setting:read'])]
    ok(await member.put(`/settings/user/${key}`, { value: 'mine' }))
    const of = (who: typeof member, id: number) => who.get(`/settings/effective/${key}?user_id=${id}`)
    expect((await of(tenant.admin, member.userId)).data).toMatchObject({ value: 'mine', origin: 'user' })
    expect((await of(member, member.userId)).data).toMatchObject({ value: 'mine' })
    expect((await of(member, tenant.admin.userId)).status).toBe(403)
    expect((await of(service, member.userId)).status).toBe(403)
    expect((await service.get(`/settings/effective/${key}`)).data).toMatchObject({ origin: 'default' })
    expect(await of(tenant.admin, other.admin.userId)).toMatchObject(refusal('userUnknown'))
    expect(await of(other.admin, member.userId)).toMatchObject(refusal('userUnknown'))
  })

  test('has a tag over what is answered, and an equal one is 304 until a change', async () => {
    const { admin } = await newTenant()
    const key = await declareSetting({ schema: text, default: 'd' })
    const path = `/settings/effective?prefix=${key}`
    const first = await admin.get(path)
    const tag = first.headers.get('etag') ?? ''
    const again = () => admin.get(path, { headers: { 'if-none-match': `"other", ${tag}` } })
    expect([tag.length > 20, (await again()).status, (await again()).text]).toEqual([true, 304, ''])
    ok(await admin.put(`/settings/user/${key}`, { value: 'u' }))
    expect(await again()).toMatchObject({ status: 200, data: [{ value: 'u' }] })
    ok(await admin.delete(`/settings/user/${key}`))
    expect((await again()).status).toBe(304)
  })
})

describe('a value of a user', () => {
  test('is the own one, without a permission, of a declared key with that scope only', async () => {
    const tenant = await newTenant()
    const member = await tenant.member()
    const [key, ofTenants] = [
      await declareSetting({ schema: text }),
      await declareSetting({ schema: {}, scopes: ['tenant'] }),
    ]
    for (const other of [ofTenants, unique('nobody.'), 'mail']) {
      expect(await member.put(`/settings/user/${other}`, { value: 'x' })).toMatchObject(refusalOf('key'))
    }
    expect(await member.put(`/settings/user/${key}`, { value: 'too long' })).toMatchObject(refusalOf('value'))
    ok(await member.put(`/settings/user/${key}`, { value: 'x' }))
    ok(await member.put(`/settings/user/${key}`, { value: 'x' }))
    expect((await member.get(`/settings/user/${key}`)).data).toMatchObject({ scope: 'user', value: 'x' })
    const service = await keyWith(tenant.id, ['setting:update'])
    expect((await service.put(`/settings/user/${key}`, { value: 'x' })).status).toBe(403)
    const { items } = (await tenant.admin.get(`/audit/logs?about_user_id=${member.userId}&resource=setting`))
      .data
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ action: 'setting.create', detail: { user_id: { to: member.userId } } })
    ok(await member.delete(`/settings/user/${key}`))
    expect(await member.delete(`/settings/user/${key}`)).toMatchObject(refusal('settingUnknown'))
    const root = await platformAdmin()
    const there = { tenant: tenant.id }
    expect(await root.put(`/settings/user/${key}`, { value: 'x' }, there)).toMatchObject(
      refusal('userUnknown'),
    )
  })

  test('is set for another one by those who stand not below, and goes with its user', async () => {
    const tenant = await newTenant()
    const key = await declareSetting({ schema: text })
    const [member, editor] = [
      await tenant.member(),
      await tenant.userWith('setting:read', 'setting:update', 'setting:delete', 'dashboard:read'),
    ]
    const at = (id: number) => `/settings/users/${id}/${key}`
    ok(await editor.put(at(member.userId), { value: 'x' }))
    expect((await editor.get(at(member.userId))).data.value).toBe('x')
    expect(await editor.put(at(tenant.admin.userId), { value: 'x' })).toMatchObject(
      refusal('targetOutranksCaller'),
    )
    expect(await editor.delete(at(tenant.admin.userId))).toMatchObject(refusal('targetOutranksCaller'))
    const stranger = (await newTenant()).admin
    expect(await stranger.put(at(member.userId), { value: 'x' })).toMatchObject(refusal('userUnknown'))
    expect(await stranger.get(at(member.userId))).toMatchObject(refusal('userUnknown'))
    ok(await tenant.admin.delete(`/users/${member.userId}`))
    const left = await parts.store
      .scoped({ tenantId: tenant.id })
      .many(sql`select from user_settings where user_id = ${member.userId}`)
    expect(left).toEqual([])
  })

  test('has room for 100 keys and 64 KiB', async () => {
    const { admin } = await newTenant()
    const mark = unique('room.')
    const insert = (count: number, length: number) =>
      parts.store.scoped({ tenantId: admin.tenantId }).run(sql`
        insert into user_settings (tenant_id, user_id, key, value, updated_at)
        select ${admin.tenantId}::uuid, ${admin.userId}::bigint, ${mark}::text || n, to_jsonb(repeat('x', ${length}::int)), now()
        from generate_series(1, ${count}::int) n returning key`)
    const key = await declareSetting({ schema: {} })
    await insert(100, 1)
    expect(await admin.put(`/settings/user/${key}`, { value: 1 })).toMatchObject(refusal('settingsFull'))
    const { admin: second } = await newTenant()
    ok(await second.put(`/settings/user/${key}`, { value: 'x'.repeat(65_000) }))
    const other = await declareSetting({ schema: {} })
    expect(await second.put(`/settings/user/${other}`, { value: 'x'.repeat(600) })).toMatchObject(
      refusal('settingsFull'),
    )
  })
})
