import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, password, unique, type Tenant } from '../../../../test/factories.ts'
import { refusalOf } from '../../../../test/answers.ts'

interface Item {
  id: number
  status: number
}

describe('the list of users', () => {
  let tenant: Tenant
  /** 25 users: the administrator and 24 others, every third of them disabled. */
  const total = 25

  beforeAll(async () => {
    tenant = await newTenant()
    await Promise.all(
      Array.from({ length: total - 1 }, async (_, index) => {
        const username = unique('p')
        const body = { username, email: `${username}@example.com`, password, status: index % 3 === 0 ? 0 : 1 }
        ok(await tenant.admin.post('/users', body))
      }),
    )
  })

  const list = async (query: string) => (await tenant.admin.get(`/users${query}`)).data

  test('has items, total and page, and 20 users on a page by default', async () => {
    const data = await list('')
    expect(Object.keys(data).toSorted()).toEqual(['items', 'page', 'total'])
    expect(data).toMatchObject({ total, page: 1 })
    expect(data.items).toHaveLength(20)
  })

  test('is ordered by id, and its pages join without gap or repetition', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?page=${page}&page_size=7`)))
    expect(pages.map((page) => page.items.length)).toEqual([7, 7, 7, 4])
    expect(pages.map((page) => page.page)).toEqual([1, 2, 3, 4])
    const ids = pages.flatMap((page) => page.items.map((user: Item) => user.id))
    expect(ids).toEqual([...new Set<number>(ids)].toSorted((a, b) => a - b))
    expect(ids).toHaveLength(total)
  })

  test('begins with the newest when asked for -id, and its pages join likewise', async () => {
    const ascending = (await list('?sort=id&page_size=200')).items
    expect((await list('?sort=-id&page_size=200')).items).toEqual(ascending.toReversed())
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => list(`?sort=-id&page=${page}&page_size=7`)))
    expect(pages.flatMap((page) => page.items)).toEqual(ascending.toReversed())
    expect(pages.map((page) => page.total)).toEqual([total, total, total, total, total])
    const disabled = ascending.filter((user: Item) => user.status === 0)
    expect((await list('?sort=-id&status=0')).items).toEqual(disabled.toReversed())
    expect((await list('?sort=-id&search=example.com&page_size=5&page=5')).items).toHaveLength(5)
    expect((await list('?sort=-id&search=example.com&page_size=200')).items).toEqual(ascending.toReversed())
  })

  test.each(['nickname', '--username', 'ID', 'id,-id', '+id'])('refuses the sort %j', async (value) => {
    const answer = await tenant.admin.get(`/users?sort=${encodeURIComponent(value)}`)
    expect(answer).toMatchObject(refusalOf('sort'))
  })

  test('holds 1 to 200 users on a page', async () => {
    expect((await list('?page_size=1')).items).toHaveLength(1)
    expect((await list('?page_size=200')).items).toHaveLength(total)
    expect((await list(`?page_size=${total}`)).items).toHaveLength(total)
  })

  test('is empty past the end, with the exact total', async () => {
    expect(await list('?page=3')).toEqual({ items: [], total, page: 3 })
    expect(await list('?page=2&page_size=25')).toEqual({ items: [], total, page: 2 })
    expect(await list('?page=1000000&page_size=200')).toEqual({ items: [], total, page: 1_000_000 })
  })

  test.each(['0', '-1', '1.5', '1e1', 'abc', '%20', '99999999999999999999', '9007199254740992'])(
    'refuses the page %j',
    async (value) => {
      expect(await tenant.admin.get(`/users?page=${value}`)).toMatchObject(refusalOf('page'))
    },
  )

  test.each(['0', '-1', '201', '1.5', '1e1', 'abc'])('refuses the page_size %j', async (value) => {
    expect(await tenant.admin.get(`/users?page_size=${value}`)).toMatchObject(refusalOf('page_size'))
  })

  test('reads on after a user, in either order, with the same total', async () => {
    for (const query of ['', '&status=1', '&search=example.com', '&sort=-id', '&sort=-id&status=0']) {
      const all = await list(`?page_size=200${query}`)
      const read: Item[] = []
      for (let after = ''; ;) {
        const page = await list(`?page_size=4${query}${after}`)
        expect([page.total, page.page]).toEqual([all.total, 1])
        if (page.items.length === 0) break
        read.push(...page.items)
        after = `&after_id=${page.items.at(-1).id}`
      }
      expect(read).toEqual(all.items)
      const third = all.items[2].id as number
      expect((await list(`?page_size=3&page=2${query}&after_id=${third}`)).items).toEqual(
        all.items.slice(6, 9),
      )
    }
  })

  test.each(['0', '-1', '1.5', '1e1', 'abc', '9007199254740992'])(
    'refuses the after_id %j',
    async (value) => {
      expect(await tenant.admin.get(`/users?after_id=${value}`)).toMatchObject(refusalOf('after_id'))
    },
  )

  test('refuses a parameter that is given twice', async () => {
    expect(await tenant.admin.get('/users?page=1&page=2')).toMatchObject(refusalOf('page'))
  })

  test('ignores a parameter that it does not know', async () => {
    expect((await list('?order=username&limit=3')).items).toHaveLength(20)
  })

  test('can be filtered by status, with the total of the matching users', async () => {
    const [enabled, disabled] = await Promise.all([
      list('?status=1&page_size=200'),
      list('?status=0&page_size=3'),
    ])
    expect(enabled.total).toBe(17)
    expect(enabled.items).toHaveLength(17)
    expect(disabled.total).toBe(8)
    expect(disabled.items).toHaveLength(3)
    expect(enabled.items.every((user: Item) => user.status === 1)).toBe(true)
    expect(disabled.items.every((user: Item) => user.status === 0)).toBe(true)
  })

  test.each(['2', '-1', 'enabled', 'true'])('refuses the status %j', async (value) => {
    expect(await tenant.admin.get(`/users?status=${value}`)).toMatchObject(refusalOf('status'))
  })

  test('holds only the users of one tenant', async () => {
    const other = await newTenant()
    const answer = await other.admin.get('/users?page_size=200')
    expect(answer.data).toMatchObject({ total: 1, items: [{ id: other.admin.userId, tenant_id: other.id }] })
  })
})
