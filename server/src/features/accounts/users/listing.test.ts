import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../test/answers.ts'
import {
  assign,
  newTenant,
  ok,
  password,
  signIn,
  systemRoleId,
  unique,
  type Tenant,
} from '../../../../test/factories.ts'
import { clock, parts } from '../../../../test/harness.ts'

interface Item {
  id: number
  username: string
  email: string
  status: number
  last_login: string
  roles?: { id: number; name: string }[]
  created_at?: string
}

let tenant: Tenant
let editors: { id: number; name: string }

/** Six users besides the administrator: two are disabled, two have signed in, three are editors. */
beforeAll(async () => {
  tenant = await newTenant()
  editors = await tenant.role('user:read')
  for (const [index, name] of ['cy', 'Ada', 'bob', 'Dan', 'eve', 'Fay'].entries()) {
    const username = unique(name)
    const body = {
      username,
      email: `${unique(`${5 - index}`)}@Example.com`,
      password,
      status: index % 3 ? 1 : 0,
    }
    const { id } = ok(await tenant.admin.post('/users', body))
    if (index % 2) ok(await tenant.admin.post(`/rbac/users/${id}/roles`, { role_id: editors.id }))
  }
  for (let count = 0; count < 2; count += 1) {
    clock.advance(60_000)
    await tenant.member()
  }
})

const ask = async (query: string): Promise<{ total: number; items: Item[] }> =>
  ok(await tenant.admin.get(`/users?${query}`))

const byValue: Record<string, (user: Item) => string> = {
  username: ({ username }) => username.toLowerCase(),
  email: ({ email }) => email.toLowerCase(),
  status: ({ status }) => String(status),
  last_login: ({ last_login: time }) => time,
  created_at: ({ id }) => String(id).padStart(20, '0'),
}

describe('the order of the list of users', () => {
  test.each(Object.entries(byValue))(
    'is that of %s, and backwards with a minus in front',
    async (name, value) => {
      const { items } = await ask('page_size=200')
      const keys = items.map((user) => ({ id: user.id, key: value(user) }))
      const wanted = keys
        .toSorted((a, b) => (a.key === b.key ? a.id - b.id : a.key < b.key ? -1 : 1))
        .map(({ id }) => id)
      const ids = async (query: string) => (await ask(query)).items.map(({ id }) => id)
      expect(await ids(`sort=${name}`)).toEqual(wanted)
      expect(await ids(`sort=-${name}`)).toEqual(wanted.toReversed())
      const pages = [await ids(`sort=${name}&page_size=4`), await ids(`sort=${name}&page_size=4&page=2`)]
      expect(pages.flat()).toEqual(wanted.slice(0, 8))
    },
  )

  test('holds with each filter, and with all of them', async () => {
    const names = async (query: string) =>
      (await ask(`sort=username&${query}`)).items.map(({ username }) => username)
    const all = await names('')
    const editorNames = (await ask(`role_id=${editors.id}`)).items.map(({ username }) => username)
    expect(await names(`role_id=${editors.id}`)).toEqual(all.filter((name) => editorNames.includes(name)))
    const disabled = (await ask('status=0')).items.map(({ username }) => username)
    expect(await names('status=0')).toEqual(all.filter((name) => disabled.includes(name)))
    const addresses = (await ask('search=EXAMPLE.com&page_size=3')).items
    expect(addresses).toHaveLength(3)
    expect(await names('search=EXAMPLE.com')).toEqual(all)
    expect(await names('search=EXAMPLE.com&page_size=2&page=2')).toEqual(all.slice(2, 4))
    const both = disabled.filter((name) => editorNames.includes(name))
    expect(both).toHaveLength(1)
    expect(await names(`search=example.com&status=0&role_id=${editors.id}`)).toEqual(both)
  })

  test('more than 10,000 matches are ordered by id, and a header says so', async () => {
    const large = await newTenant()
    const db = parts.store.scoped({ tenantId: large.id })
    await db.run(sql`
      insert into accounts (email, email_folded, password_hash)
      select 'x' || n || ${large.slug} || '@example.com', 'x' || n || ${large.slug} || '@example.com', 'none'
      from generate_series(1, 10000) n
      returning id`)
    await db.run(sql`
      insert into users (tenant_id, account_id, email, username, username_folded, search_folded, created_at, updated_at)
      select ${large.id}::uuid, id, email, 'u' || (20000000 - id), 'u' || (20000000 - id), email, now(), now()
      from accounts where email like ${`x%${large.slug}@example.com`}
      returning id`)
    const read = async (query: string) => {
      const { data, headers } = await large.admin.get(`/users?page_size=5&${query}`)
      return { header: headers.get('x-sort-ignored'), ids: (data.items as Item[]).map(({ id }) => id) }
    }
    const plain = await read('')
    expect(plain.header).toBeNull()
    expect(await read('sort=-username')).toEqual({ ...plain, header: 'true' })
    expect(await read(`sort=username&role_id=${systemRoleId('member')}`)).toMatchObject({
      header: null,
    })
    expect((await read('sort=username&search=example.com')).header).toBe('true')
  })

  test.each(['username', '-status', 'last_login'])(
    'an order by %s cannot be combined with after_id',
    async (sort) => {
      expect(await tenant.admin.get(`/users?sort=${sort}&after_id=1`)).toMatchObject(refusalOf('after_id'))
    },
  )
})

test('the users of some ids are listed, those of the tenant, and filtered further', async () => {
  const { items } = await ask('page_size=200')
  const [first, , third] = items.map(({ id }) => id)
  const stranger = await newTenant()
  const ids = `ids=${third},${first},${first},${stranger.admin.userId},999999999999999`
  const found = await ask(ids)
  expect(found.total).toBe(2)
  expect(found.items.map(({ id }) => id)).toEqual([first, third])
  expect((await ask(`${ids}&sort=-id&page_size=1`)).items.map(({ id }) => id)).toEqual([third])
  expect((await ask(`ids=${first}&search=${items[0]?.username}`)).total).toBe(1)
  expect((await ask(`ids=${first}&search=${items[2]?.username}`)).total).toBe(0)
  expect((await ask(`ids=${first}&role_id=${editors.id}&sort=email`)).total).toBe(
    (await ask(`role_id=${editors.id}`)).items.some(({ id }) => id === first) ? 1 : 0,
  )
  for (const wrong of ['ids=0', 'ids=1,', 'ids=x', `ids=${'1,'.repeat(200)}1`, 'ids=1&seen=today']) {
    expect(await tenant.admin.get(`/users?${wrong}`)).toMatchObject(refusalOf('ids'))
  }
})

test('the list says on demand when each user was created, with roles or without', async () => {
  const start = Date.parse((await ask('include=created_at')).items[0]?.created_at ?? '')
  expect(Math.abs(Date.now() - start)).toBeLessThan(3_600_000)
  const { items } = await ask('page_size=200&include=created_at,roles&sort=-created_at')
  const moments = items.map(({ created_at: at = '' }) => at)
  expect(moments).toEqual(moments.toSorted().toReversed())
  expect(items.every(({ roles = [] }) => roles.length > 0)).toBe(true)
  expect((await ask('sort=username&include=created_at')).items.every((item) => item.created_at)).toBe(true)
  expect(Object.keys((await ask('include=roles')).items[0] ?? {})).not.toContain('created_at')
  expect(await tenant.admin.get('/users?include=password')).toMatchObject(refusalOf('include'))
})

describe('the roles of users in the list', () => {
  test('come on demand, templates first, and are those that each user holds', async () => {
    const { items } = await ask('page_size=200&include=roles')
    for (const { id, roles = [] } of items) {
      const held: Item[] = ok(await tenant.admin.get(`/rbac/users/${id}/roles`))
      expect(roles).toEqual(
        held.map(({ id: roleId, name }: { id: number; name?: string }) => ({ id: roleId, name })),
      )
    }
    expect(items.some(({ roles = [] }) => roles.length > 1)).toBe(true)
    expect(Object.keys((await ask('')).items[0] ?? {})).not.toContain('roles')
  })

  test('filter the list, without service accounts and roles of other tenants', async () => {
    const { id: robot } = ok(await tenant.admin.post('/service-accounts', { name: 'Robot' }))
    await assign(tenant.id, robot, editors.id)
    const { items, total } = await ask(`role_id=${editors.id}&include=roles`)
    expect([total, items.length]).toEqual([3, 3])
    expect(items.every(({ roles }) => roles?.some(({ id }) => id === editors.id))).toBe(true)
    const [first] = items
    const following = (await ask(`role_id=${editors.id}&after_id=${first?.id}`)).items
    expect(following.map(({ id }) => id)).toEqual(items.slice(1).map(({ id }) => id))
    expect((await ask(`role_id=${editors.id}&sort=-id&page_size=1`)).items[0]?.id).toBe(items[2]?.id)
    expect((await ask(`role_id=${editors.id}&search=${first?.username}`)).total).toBe(1)
    const other = await newTenant()
    expect(ok(await other.admin.get(`/users?role_id=${editors.id}`))).toMatchObject({ items: [], total: 0 })
  })

  test('need role:read as well', async () => {
    const reader = await tenant.userWith('user:read')
    expect((await reader.get('/users?sort=username')).status).toBe(200)
    expect((await reader.get('/users?include=roles')).status).toBe(403)
    expect((await reader.get(`/users?role_id=${editors.id}`)).status).toBe(403)
    const both = await tenant.userWith('user:read', 'role:read')
    expect((await both.get(`/users?role_id=${editors.id}&include=roles`)).status).toBe(200)
  })
})

test('users who are online or were seen today are listed as the dashboard counts them, and filtered further', async () => {
  const stats = ok(await tenant.admin.get('/dashboard/stats'))
  const [online, today] = [await ask('seen=online'), await ask('seen=today&sort=-username')]
  expect([online.total, today.total]).toEqual([stats.onlineCount, stats.todayActiveUsers])
  expect(online.items.map(({ id }) => id)).toContain(tenant.admin.userId)
  expect(today.items).toHaveLength(today.total)
  expect((await ask(`seen=today&search=${tenant.admin.username}`)).items).toMatchObject([
    { id: tenant.admin.userId },
  ])
  expect(await ask('seen=online&status=0')).toMatchObject({ total: 0, items: [] })
  expect((await ask(`seen=online&role_id=${editors.id}`)).items).toEqual([])
  clock.advance(24 * 3_600_000)
  const later = await signIn(tenant.admin)
  expect(ok(await later.get('/users?seen=today')).items).toMatchObject([{ id: tenant.admin.userId }])
})
