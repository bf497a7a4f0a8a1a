import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../test/answers.ts'
import { declareAttribute } from '../../../../test/declared-attributes.ts'
import { newTenant, ok, platformAdmin, type Caller } from '../../../../test/factories.ts'

const shared = { administrators: 'write', indexed: true }

const idsOf = async (caller: Caller, path: string): Promise<(number | string)[]> =>
  ok(await caller.get(path)).items.map(({ id }: { id: number }) => id)

describe('the list of users', () => {
  test('filters by up to three indexed attributes, texts without case, beside its other filters', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const [area, level, active] = [
      await declareAttribute(shared),
      await declareAttribute({ ...shared, schema: { type: 'number' } }),
      await declareAttribute({ ...shared, schema: { type: 'boolean' } }),
    ]
    const [one, two, three] = [await tenant.member(), await tenant.member(), await tenant.member()]
    const set = async (who: Caller, values: object) =>
      ok(await admin.patch(`/users/${who.userId}/attributes`, values))
    await set(one, { [area]: 'Sales', [level]: 1.5, [active]: true })
    await set(two, { [area]: 'SALES', [level]: 2, [active]: true })
    await set(three, { [area]: 'Legal', [level]: 2, [active]: false })
    const found = (query: string) => idsOf(admin, `/users?${query}`)
    expect(await found(`attribute.${area}=sales`)).toEqual([one.userId, two.userId])
    expect(await found(`attribute.${area}=sales&sort=-id`)).toEqual([two.userId, one.userId])
    expect(await found(`attribute.${area}=sales&after_id=${one.userId}`)).toEqual([two.userId])
    expect(await found(`attribute.${level}=2.0`)).toEqual([two.userId, three.userId])
    expect(await found(`attribute.${level}=2&attribute.${area}=Sales&attribute.${active}=true`)).toEqual([
      two.userId,
    ])
    expect(await found(`attribute.${area}=sales&search=${one.username}`)).toEqual([one.userId])
    expect(await found(`attribute.${area}=sales&sort=-username&page_size=200`)).toHaveLength(2)
    ok(await admin.put(`/users/${two.userId}`, { status: 0 }))
    expect(await found(`attribute.${area}=sales&status=0`)).toEqual([two.userId])
    const role = await tenant.role()
    ok(await admin.post(`/rbac/users/${one.userId}/roles`, { role_id: role.id }))
    expect(await found(`attribute.${area}=sales&role_id=${role.id}`)).toEqual([one.userId])
    expect(await found(`attribute.${area}=sales&seen=today`)).toEqual([one.userId, two.userId])
    const page = ok(await admin.get(`/users?attribute.${area}=sales&page_size=1&page=2`))
    expect([page.total, page.items.length]).toEqual([2, 1])
    await set(two, { [area]: null })
    expect(await found(`attribute.${area}=sales`)).toEqual([one.userId])
    const other = await newTenant()
    expect(await idsOf(other.admin, `/users?attribute.${area}=sales`)).toEqual([])
  })

  test('refuses a filter that is undeclared or hidden alike, not indexed, of another type, or a fourth', async () => {
    const { admin } = await newTenant()
    const [hidden, loose, level] = [
      await declareAttribute({ self: 'read', indexed: true }),
      await declareAttribute({ administrators: 'read' }),
      await declareAttribute({ ...shared, schema: { type: 'integer' } }),
    ]
    const list = async (query: string) => (await admin.get(`/users?${query}`)).body
    const refused = await list(`attribute.${hidden}=x`)
    const unknown = await list('attribute.nobody=x')
    expect(refused.message.replace(hidden, 'nobody')).toBe(unknown.message)
    for (const key of [hidden, 'nobody', loose]) {
      expect(await admin.get(`/users?attribute.${key}=x`)).toMatchObject(refusalOf(`attribute.${key}`))
    }
    expect(await admin.get(`/users?attribute.${level}=1.5`)).toMatchObject(refusalOf(`attribute.${level}`))
    const four = ['a', 'b', 'c', 'd'].map((key) => `attribute.${key}=x`).join('&')
    expect((await admin.get(`/users?${four}`)).status).toBe(400)
  })

  test('shows the values that the caller may read, and no sensitive one', async () => {
    const { admin, id } = await newTenant()
    const root = await platformAdmin()
    const [plain, secret, hidden] = [
      await declareAttribute(shared),
      await declareAttribute({ administrators: 'write', sensitive: true }),
      await declareAttribute({ self: 'write' }),
    ]
    const values = { [plain]: 'p', [secret]: 's', [hidden]: 'h' }
    ok(await root.patch(`/users/${admin.userId}/attributes`, values, { tenant: id }))
    const [shown] = ok(await admin.get('/users?include=attributes')).items
    expect(shown.attributes).toEqual({ [plain]: 'p' })
    const [bare] = ok(await admin.get('/users')).items
    expect('attributes' in bare).toBe(false)
    const [whole] = ok(await root.get('/users?include=attributes,created_at', { tenant: id })).items
    expect(whole.attributes).toEqual({ [plain]: 'p', [hidden]: 'h' })
  })
})

test('the list of tenants filters by attributes and shows them', async () => {
  const [one, two, root] = [await newTenant(), await newTenant(), await platformAdmin()]
  const [plan, seats] = [
    await declareAttribute({ subject: 'tenant', indexed: true }),
    await declareAttribute({ subject: 'tenant', sensitive: true }),
  ]
  for (const { id } of [one, two]) {
    ok(await root.patch(`/org/tenants/${id}/attributes`, { [plan]: 'Gold', [seats]: '7' }))
  }
  const query = `attribute.${plan}=gold`
  const found = ok(await root.get(`/org/tenants?${query}&include=attributes`))
  expect(found.map(({ id }: { id: string }) => id)).toEqual([one.id, two.id])
  expect(found[0].attributes).toEqual({ [plan]: 'Gold' })
  const page = await root.get(`/org/tenants?${query}&page_size=1`)
  expect([page.data.length, page.headers.get('x-total-count')]).toEqual([1, '2'])
  expect(ok(await root.get(`/org/tenants?${query}&search=${two.slug}`))).toHaveLength(1)
  expect(ok(await root.get(`/org/tenants?attribute.${plan}=silver`))).toEqual([])
  expect(await root.get(`/org/tenants?attribute.${seats}=7`)).toMatchObject(refusalOf(`attribute.${seats}`))
})
