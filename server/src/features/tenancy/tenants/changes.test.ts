import { describe, expect, test } from 'vitest'
import {
  auditRecords,
  countAuditRecords,
  newTenant,
  password,
  platformAdmin,
  signIn,
  unique,
  type Caller,
} from '../../../../test/factories.ts'
import { call } from '../../../../test/harness.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { builtInTenant } from '../../../access/permissions.ts'

const update = async (id: string, body: unknown) => (await platformAdmin()).put(`/org/tenants/${id}`, body)
const read = async (id: string) => (await (await platformAdmin()).get(`/org/tenants/${id}`)).data
const login = ({ email }: Caller, withPassword = password) =>
  call('POST', '/auth/login', { body: { email, password: withPassword } })
const refresh = (token: string) => call('POST', '/auth/refresh', { body: { refresh_token: token } })

describe('changing a tenant', () => {
  test('sets name and slug, moves updated_at and is recorded once', async () => {
    const tenant = await newTenant()
    const before = await read(tenant.id)
    const change = { name: ' New name ', slug: unique('moved') }
    const { data } = await update(tenant.id, change)
    const after = { ...before, name: 'New name', slug: change.slug, updated_at: data.updated_at }
    expect(data).toStrictEqual(after)
    expect(Date.parse(data.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    expect(await read(tenant.id)).toStrictEqual(after)
    const [record, ...older] = await auditRecords(builtInTenant.id, 'tenant', tenant.id)
    expect(record).toMatchObject({ action: 'tenant.update' })
    expect(record?.detail).toStrictEqual({
      name: { from: before.name, to: 'New name' },
      slug: { from: tenant.slug, to: change.slug },
    })
    expect(older.map(({ action }) => action)).toEqual(['tenant.create'])
  })

  test('frees the slug it had', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    await update(tenant.id, { slug: unique('moved') })
    expect((await root.post('/org/tenants', { name: 'Heir', slug: tenant.slug })).status).toBe(200)
  })

  test('refuses the slug of another tenant, and changes nothing', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const before = await read(tenant.id)
    for (const slug of [other.slug, 'default']) {
      expect(await update(tenant.id, { name: 'changed', slug })).toMatchObject(refusal('slugTaken'))
    }
    expect(await read(tenant.id)).toStrictEqual(before)
    expect(await auditRecords(builtInTenant.id, 'tenant', tenant.id)).toHaveLength(1)
  })

  test.each([{}, { created_at: 'x', deleted_at: '2020-01-01' }])(
    'a change with the body %j changes nothing',
    async (body) => {
      const tenant = await newTenant()
      const before = await read(tenant.id)
      const answer = await update(tenant.id, body)
      expect(answer.status).toBe(200)
      expect(answer.data).toStrictEqual(before)
      expect(await read(tenant.id)).toStrictEqual(before)
      expect(await auditRecords(builtInTenant.id, 'tenant', tenant.id)).toHaveLength(1)
    },
  )

  test('an id in the body names no other tenant', async () => {
    const [tenant, victim] = [await newTenant(), await newTenant()]
    const [before, own] = [await read(victim.id), await read(tenant.id)]
    const answer = await update(tenant.id, { id: victim.id, name: 'renamed', status: 0 })
    expect(answer.data).toMatchObject({ ...own, name: 'renamed', status: 0, updated_at: expect.any(String) })
    expect(await read(victim.id)).toStrictEqual(before)
    expect((await update(tenant.id, { id: builtInTenant.id, name: 'renamed too', status: 0 })).status).toBe(
      200,
    )
    expect(await read(builtInTenant.id)).toMatchObject({ name: 'Default', status: 1 })
  })

  test.each([
    ['name', ''],
    ['name', '  '],
    ['name', '😀'.repeat(129)],
    ['name', null],
    ['slug', 'Not A Slug'],
    ['slug', 'x'.repeat(65)],
    ['slug', null],
    ['status', 2],
    ['status', -1],
    ['status', '0'],
    ['status', false],
    ['status', null],
  ])('refuses %s %j', async (field, value) => {
    const tenant = await newTenant()
    expect(await update(tenant.id, { [field]: value })).toMatchObject(refusalOf(field))
    expect(await auditRecords(builtInTenant.id, 'tenant', tenant.id)).toHaveLength(1)
  })

  test('accepts a name of 128 characters', async () => {
    const tenant = await newTenant()
    expect((await update(tenant.id, { name: '😀'.repeat(128) })).data.name).toBe('😀'.repeat(128))
  })
})

describe('disabling a tenant', () => {
  test('suspends its users at once, and enabling lets them continue with the tokens they have', async () => {
    const tenant = await newTenant()
    const before = await read(tenant.id)
    expect((await tenant.admin.get('/users')).status).toBe(200)
    const { data } = await update(tenant.id, { status: 0 })
    expect(data.status).toBe(0)
    expect(Date.parse(data.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    for (const path of ['/users', '/profile', '/ping', `/org/tenants/${tenant.id}`]) {
      expect(await tenant.admin.get(path)).toMatchObject(refusal('tenantDisabled'))
    }
    expect((await tenant.admin.get('/users', { tenant: undefined })).status).toBe(403)
    expect(await login(tenant.admin)).toMatchObject(refusal('tenantSuspended'))
    expect(await login(tenant.admin, 'wrong password')).toMatchObject(refusal('credentialsWrong'))
    expect((await refresh(tenant.admin.refreshToken)).status).toBe(401)

    expect((await update(tenant.id, { status: 1 })).data.status).toBe(1)
    expect((await tenant.admin.get('/users')).status).toBe(200)
    expect((await refresh(tenant.admin.refreshToken)).status).toBe(200)
    expect((await signIn(tenant.admin)).userId).toBe(tenant.admin.userId)
  })

  test('leaves it open to platform administrators, and in the list', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    await update(tenant.id, { status: 0 })
    expect((await root.get('/users', { tenant: tenant.id })).data.total).toBe(1)
    const nickname = 'changed while disabled'
    const path = `/users/${tenant.admin.userId}`
    expect((await root.put(path, { nickname }, { tenant: tenant.id })).data.nickname).toBe(nickname)
    const tenants = (await root.get('/org/tenants')).data
    expect(tenants).toContainEqual(expect.objectContaining({ id: tenant.id, status: 0 }))
  })

  test('each change of status is recorded once, a repeated one not at all', async () => {
    const tenant = await newTenant()
    for (const status of [0, 0, 1, 1]) expect((await update(tenant.id, { status })).data.status).toBe(status)
    const records = await auditRecords(builtInTenant.id, 'tenant', tenant.id)
    expect(records.map(({ detail }) => detail['status'])).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 0 },
      { from: null, to: 1 },
    ])
  })
})

describe('the built-in tenant', () => {
  test('can be renamed, with its own slug and status in the body or without', async () => {
    try {
      const answer = await update(builtInTenant.id, { name: 'Head office', slug: 'default', status: 1 })
      expect(answer.data).toMatchObject({
        id: builtInTenant.id,
        name: 'Head office',
        slug: 'default',
        status: 1,
      })
    } finally {
      expect((await update(builtInTenant.id, { name: builtInTenant.name })).data.name).toBe('Default')
    }
  })

  test('keeps its slug, stays enabled and cannot be deleted', async () => {
    const root = await platformAdmin()
    const [before, records] = [await read(builtInTenant.id), await countAuditRecords(builtInTenant.id)]
    expect(await update(builtInTenant.id, { name: 'x', slug: unique('s') })).toMatchObject(
      refusal('builtInTenant'),
    )
    expect(await update(builtInTenant.id, { name: 'x', status: 0 })).toMatchObject(refusal('builtInTenant'))
    const deletions = Array.from({ length: 6 }, () => root.delete(`/org/tenants/${builtInTenant.id}`))
    for (const answer of await Promise.all(deletions)) expect(answer).toMatchObject(refusal('builtInTenant'))
    expect(await read(builtInTenant.id)).toStrictEqual(before)
    expect(await countAuditRecords(builtInTenant.id)).toBe(records)
  })
})
