import { describe, expect, test } from 'vitest'
import {
  builtIn,
  newTenant,
  nobodysId,
  platformAdmin,
  unique,
  type Tenant,
} from '../../../../test/factories.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { builtInTenant } from '../../../access/permissions.ts'

const isoWithOffset = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
const unknownId = '00000000-0000-4000-8000-0000000000ff'

const shown = (tenant: Tenant) => ({
  id: tenant.id,
  name: `Tenant ${tenant.slug}`,
  slug: tenant.slug,
  status: 1,
  created_at: isoWithOffset,
  updated_at: isoWithOffset,
})

describe('tenants', () => {
  test('the list holds all tenants, each with exactly the fields of the specification', async () => {
    const [root, one, two] = [await platformAdmin(), await newTenant(), await newTenant()]
    const answer = await root.get('/org/tenants')
    expect(answer.data).toEqual(expect.arrayContaining([shown(one), shown(two)]))
    expect(answer.data).toContainEqual(
      expect.objectContaining({ id: builtInTenant.id, slug: 'default', status: 1 }),
    )
  })

  test('the list is searched by name and slug without case, and a page of it is an array with the total in a header', async () => {
    const root = await platformAdmin()
    const mark = unique('m')
    const ids: string[] = []
    for (const name of ['Works', 'works 50%', 'Other']) {
      const { data } = await root.post('/org/tenants', {
        name: `${mark.toUpperCase()} ${name}`,
        slug: unique(mark),
      })
      ids.push(data.id)
    }
    const read = async (query: string) => {
      const { data, headers } = await root.get(`/org/tenants?${query}`)
      return [headers.get('x-total-count'), ...data.map(({ id }: Tenant) => id)]
    }
    expect(await read(`search=${mark} WORKS`)).toEqual(['2', ids[0], ids[1]])
    expect(await read(`search=${mark}`)).toEqual(['3', ...ids])
    expect(await read(`search=${mark}&page=2&page_size=2`)).toEqual(['3', ids[2]])
    expect(await read(`search=${mark}&page=9`)).toEqual(['3'])
    expect(await read(`search=${mark} works 5_`)).toEqual(['0'])
    expect(await read(`search=${encodeURIComponent(`${mark} works 50%`)}`)).toEqual(['1', ids[1]])
    const [total, ...all] = await read('')
    expect(all).toHaveLength(Number(total))
    expect(await read('page_size=1')).toEqual([total, all[0]])
    for (const query of [
      'page=0',
      'page_size=201',
      'page=x',
      'sort=age',
      'status=2',
      `search=${'x'.repeat(129)}`,
    ]) {
      expect((await root.get(`/org/tenants?${query}`)).status).toBe(400)
    }
  })

  test('the list shows the figures of each tenant and is ordered by them, for callers who may enter tenants', async () => {
    const root = await platformAdmin()
    const [one, two] = [await newTenant(), await newTenant()]
    const members = [await two.member(), await two.member()]
    await root.put(`/users/${members[1]?.userId}`, { status: 0 }, { tenant: two.id })
    await root.put('/settings/tenant/tenantry.limits', { value: { users: 3 } }, { tenant: two.id })
    const read = async (query: string) => {
      const { data } = await root.get(`/org/tenants?${query}`)
      return data.filter(({ id }: Tenant) => [one.id, two.id].includes(id))
    }
    const usage = (await root.get('/org/usage', { tenant: two.id })).data
    expect(usage.users).toEqual({ used: 2, limit: 3 })
    const today = new Date().toISOString().slice(0, 10)
    const ofOne = { users: 1, administrators: 1, last_seen_on: today, limit_share: null }
    const ofTwo = { users: 3, administrators: 1, last_seen_on: today, limit_share: 67 }
    for (const [sort, found] of [
      ['users', [ofOne, ofTwo]],
      ['-users', [ofTwo, ofOne]],
      ['limit_share', [ofTwo, ofOne]],
      ['-limit_share', [ofTwo, ofOne]],
    ] as const) {
      const listed = await read(`include=figures&sort=${sort}`)
      expect(listed.map(({ figures }: { figures: object }) => figures)).toEqual(found)
    }
    expect(await read('include=attributes,figures&sort=-administrators')).toHaveLength(2)
    expect((await read('sort=last_seen_on'))[0]).not.toHaveProperty('figures')
    const reader = await builtIn.userWith('tenant:read')
    for (const query of ['include=figures', 'sort=-users']) {
      expect(await reader.get(`/org/tenants?${query}`)).toMatchObject(refusal('permissionMissing'))
    }
  })

  test('the list is ordered by a field in either direction, and narrowed to one status', async () => {
    const root = await platformAdmin()
    const mark = unique('s')
    const ids: string[] = []
    for (const [name, slug] of [
      ['beta', 'c'],
      ['Alpha', 'b'],
      ['gamma', 'a'],
    ] as const) {
      const { data } = await root.post('/org/tenants', { name: `${name} ${mark}`, slug: `${slug}-${mark}` })
      ids.push(data.id)
    }
    const [beta, alpha, gamma] = ids
    await root.put(`/org/tenants/${beta}`, { status: 0 })
    const read = async (query: string) => {
      const { data, headers } = await root.get(`/org/tenants?search=${mark}&page_size=2&${query}`)
      return [headers.get('x-total-count'), ...data.map(({ id }: Tenant) => id)]
    }
    expect(await read('sort=name')).toEqual(['3', alpha, beta])
    expect(await read('sort=-name&page=2')).toEqual(['3', alpha])
    expect(await read('sort=slug')).toEqual(['3', gamma, alpha])
    expect(await read('sort=status')).toEqual(['3', beta, String(alpha) < String(gamma) ? alpha : gamma])
    expect(await read('sort=-created_at')).toEqual(['3', gamma, alpha])
    expect(await read('sort=-updated_at')).toEqual(['3', beta, gamma])
    expect(await read('status=0')).toEqual(['1', beta])
    expect(await read('status=1&sort=name')).toEqual(['2', alpha, gamma])
  })

  test('the list and another tenant need tenant:read', async () => {
    const [reader, outsider, tenant] = [
      await builtIn.userWith('tenant:read'),
      await builtIn.member(),
      await newTenant(),
    ]
    expect((await reader.get('/org/tenants')).status).toBe(200)
    expect((await reader.get(`/org/tenants/${tenant.id}`)).data).toEqual(shown(tenant))
    for (const caller of [outsider, tenant.admin]) {
      expect(await caller.get('/org/tenants')).toMatchObject(refusal('permissionMissing'))
    }
    expect(await outsider.get(`/org/tenants/${tenant.id}`)).toMatchObject(refusal('tenantUnknown'))
  })

  test('the own tenant needs no permission, in either case of its id', async () => {
    const tenant = await newTenant()
    const nobody = await tenant.userWith()
    for (const id of [tenant.id, tenant.id.toUpperCase()]) {
      expect((await nobody.get(`/org/tenants/${id}`)).data).toEqual(shown(tenant))
    }
  })

  test('another tenant looks like none without tenant:read', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const answers = await Promise.all(
      [other.id, builtInTenant.id, unknownId].map((id) => tenant.admin.get(`/org/tenants/${id}`)),
    )
    for (const answer of answers) {
      expect(answer).toMatchObject(refusal('tenantUnknown'))
      expect(answer.body.message).toBe(answers[0]?.body.message)
    }
  })

  test('an unknown id is 404', async () => {
    const root = await platformAdmin()
    const path = `/org/tenants/${unknownId}`
    expect(await root.get(path)).toMatchObject(refusal('tenantUnknown'))
    expect(await root.put(path, { name: 'x' })).toMatchObject(refusal('tenantUnknown'))
    expect(await root.put(path, {})).toMatchObject(refusal('tenantUnknown'))
    expect(await root.delete(path)).toMatchObject(refusal('tenantUnknown'))
  })

  test.each([
    '1',
    'abc',
    'default',
    `${unknownId}0`,
    unknownId.slice(1),
    `{${unknownId}}`,
    unknownId.replaceAll('-', ''),
    '%20',
  ])('the id %j is 400', async (id) => {
    const root = await platformAdmin()
    expect(await root.get(`/org/tenants/${id}`)).toMatchObject(refusalOf('id'))
    expect(await root.put(`/org/tenants/${id}`, {})).toMatchObject(refusalOf('id'))
    expect(await root.delete(`/org/tenants/${id}`)).toMatchObject(refusalOf('id'))
  })

  test('creating, changing and deleting each need their permission, before the id is looked at', async () => {
    const tenant = await newTenant()
    const reader = await builtIn.userWith('tenant:read', 'user:read')
    for (const caller of [tenant.admin, reader]) {
      for (const id of [tenant.id, unknownId]) {
        expect(await caller.put(`/org/tenants/${id}`, { name: 'x' })).toMatchObject(
          refusal('permissionMissing'),
        )
        expect(await caller.delete(`/org/tenants/${id}`)).toMatchObject(refusal('permissionMissing'))
      }
      const body = { name: 'x', slug: unique() }
      expect(await caller.post('/org/tenants', body)).toMatchObject(refusal('permissionMissing'))
    }
  })

  test('each permission is enough for its endpoint', async () => {
    const creator = await builtIn.userWith('tenant:create')
    const { id } = (await creator.post('/org/tenants', { name: 'Made', slug: unique() })).data
    const editor = await builtIn.userWith('tenant:update')
    expect((await editor.put(`/org/tenants/${id}`, { name: 'Edited' })).data.name).toBe('Edited')
    const remover = await builtIn.userWith('tenant:delete')
    expect(await remover.delete(`/org/tenants/${id}`)).toMatchObject({ status: 200, body: { data: null } })
  })

  test('no other permission about tenants opens a foreign tenant: that needs tenant:enter', async () => {
    const tenant = await newTenant()
    const all = [
      'tenant:read',
      'tenant:create',
      'tenant:update',
      'tenant:delete',
      'setting:global',
      'user:read',
    ] as const
    const caller = await builtIn.userWith(...all)
    const answers = await Promise.all(
      ['/users', `/users/${nobodysId}`, '/org/tenants', '/ping'].map((path) =>
        caller.get(path, { tenant: tenant.id }),
      ),
    )
    for (const answer of answers) expect(answer).toMatchObject(refusal('tenantForeign'))
  })
})
