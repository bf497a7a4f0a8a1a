/** Search and filters in a large tenant find the same users, page by page, as a read of every user. */
import sql, { raw } from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, unique, type Tenant } from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { containing } from '../../../values/text.ts'
import * as store from './users.store.ts'

/** Enough users for a capped total and for a search by index. */
const many = 11_000
const totalMax = 10_000
let tenant: Tenant
let other: Tenant

/** Users whose names have common, rare and awkward parts; some are disabled. */
const fill = async ({ id }: Tenant, count: number, firm: string): Promise<void> => {
  const db = parts.store.scoped({ tenantId: id })
  // In batches, because a statement may take 4 s.
  for (let last = 0; last < count; last += 1000) {
    const name = raw(`md5(n::text || '${firm}') || n`)
    await db.run(sql`
      with created as (
        insert into accounts (email, email_folded, password_hash)
        select ${name} || ${`@${firm}.example`}, ${name} || ${`@${firm}.example`}, ''
        from generate_series(${last + 1}::int, ${Math.min(last + 1000, count)}::int) n
        returning id, email
      )
      insert into users
        (tenant_id, account_id, email, username, username_folded, search_folded, status, created_at, updated_at)
      select ${id}::uuid, id, email, email, email, email || E'\n' ||
          case when id % 100 = 0 then 'мария straße' when id % 77 = 0 then '100% a_b \\' else 'a.b.c' end,
        (id % 50 > 0)::int, now(), now()
      from created
      returning id`)
  }
}

/** Adds users that no search finds: updating the search index takes most of the time of an insertion. */
const fillUnfindable = (tenantId: string, count: number) =>
  parts.store.scoped({ tenantId }).run(sql`
    with created as (
      insert into accounts (email, email_folded, password_hash)
      select name, name, '' from generate_series(1, ${count}::int) n, concat(${unique('u')}::text, n) as name
      returning id, email
    )
    insert into users
      (tenant_id, account_id, email, username, username_folded, search_folded, created_at, updated_at)
    select ${tenantId}::uuid, id, email, email, email, '', now(), now()
    from created
    returning id`)

beforeAll(async () => {
  ;[tenant, other] = [await newTenant(), await newTenant()]
  await fill(tenant, many, 'acme')
  await fill(other, 100, 'globex')
})

interface Wanted {
  search?: string
  status?: number
  page?: number
  page_size?: number
  after_id?: number
  sort?: 'id' | '-id'
}

interface Found {
  total: number
  isCapped: boolean
  ids: number[]
}

const list = async (wanted: Wanted): Promise<Found> => {
  const answer = await tenant.admin.get(`/users?${new URLSearchParams(wanted as never).toString()}`)
  const { items, total } = ok(answer)
  return {
    total,
    isCapped: answer.headers.get('x-total-capped') === 'true',
    ids: items.map(({ id }: { id: number }) => id),
  }
}

const readMatching = async (search?: string, status?: number): Promise<number[]> => {
  const pattern = search === undefined ? null : containing(search)
  const rows = await parts.store.scoped({ tenantId: tenant.id }).many<{ id: number }>(sql`
    select id from users
    where tenant_id = ${tenant.id} and (${pattern}::text is null or search_folded || '' like ${pattern})
      and status = coalesce(${status}::smallint, status)
    order by id`)
  return rows.map(({ id }) => id)
}

/** Caches the ids of all matches by filter, because these users never change. */
const read = new Map<string, Promise<number[]>>()

const matching = (search?: string, status?: number): Promise<number[]> => {
  const filter = JSON.stringify([search, status])
  const ids = read.get(filter) ?? readMatching(search, status)
  read.set(filter, ids)
  return ids
}

/** The expected page, from a read of every user. */
const listByReading = async (wanted: Wanted): Promise<Found> => {
  const { search, status, page = 1, page_size = 20, sort } = wanted
  const ids = await matching(search, status)
  const isCapped = ids.length > totalMax && (search !== undefined || status !== undefined)
  const after = sort === '-id' ? descendingAfter(ids, wanted) : ascendingAfter(ids, wanted)
  const start = (page - 1) * page_size
  return { total: isCapped ? totalMax : ids.length, isCapped, ids: after.slice(start, start + page_size) }
}

const ascendingAfter = (ids: number[], { after_id = 0 }: Wanted) => ids.filter((id) => id > after_id)

const descendingAfter = (ids: number[], { after_id = Infinity }: Wanted) =>
  ids.filter((id) => id < after_id).toReversed()

/** Compares the pages in both orders. */
const expectSame = async (asked: Wanted) => {
  for (const sort of ['id', '-id'] as const) {
    const wanted = { ...asked, sort }
    expect([wanted, await list(wanted)]).toEqual([wanted, await listByReading(wanted)])
  }
}

/** The id of a user in the middle. */
const middle = async (): Promise<number> => (await listByReading({ page: 5500, page_size: 1 })).ids[0] ?? 0

describe('finding users', () => {
  test.each([
    'acme', // most users
    'md5 has none of these',
    'abc', // few users
    'abcde', // at most one user
    '0a1', // spans one field and the middle of a name
    'ab',
    '7',
    '%',
    '_',
    '\\',
    'a_b',
    '100% a',
    '@acme.ex',
    'мария',
    'рия straß',
    '.b.',
    'globex',
  ])('a search by %j finds the same users as reading every user, page by page', async (search) => {
    for (const wanted of [
      { search },
      { search, status: 0 },
      { search, status: 1, page_size: 3, page: 3 },
      { search, page_size: 200, page: 2 },
      { search, page: 1_000_000 },
      { search, after_id: await middle(), page_size: 7, page: 2 },
    ]) {
      await expectSame(wanted)
    }
  })

  test.each([undefined, 0, 1])(
    'a filter by status %s gives the same pages as reading every user',
    async (status) => {
      const filter = status === undefined ? {} : { status }
      for (const page of [1, 2, 55, 56, 57, 1_000_000]) await expectSame({ ...filter, page, page_size: 200 })
      await expectSame({ ...filter, after_id: await middle() })
      await expectSame({ ...filter, after_id: 1 })
      await expectSame({ ...filter, after_id: Number.MAX_SAFE_INTEGER })
    },
  )

  test('finds no user of another tenant', async () => {
    expect((await list({ search: 'globex' })).total).toBe(0)
    expect(ok(await other.admin.get('/users?search=globex')).total).toBe(100)
    expect(ok(await other.admin.get('/users?search=globex&page=2')).items).toHaveLength(20)
    expect(ok(await other.admin.get('/users?search=acme')).total).toBe(0)
    expect(ok(await other.admin.get('/users')).total).toBe(101)
  })
})

describe('the role that finds users', () => {
  const asFinder = <T>(work: Parameters<typeof parts.store.transaction<T>>[1]) =>
    parts.store.transaction({}, work, 'tenantry_search')

  test('gets the ids of users, not their names or e-mails, and cannot change them', async () => {
    const filter = { search: 'abc' }
    const found = await asFinder((db) =>
      store.selectFoundIds(db, tenant.id, filter, { limit: 200, offset: 0 }),
    )
    expect(found.length).toBeGreaterThan(10)
    const refused = [
      sql`select email from users`,
      sql`select * from users`,
      sql`select id from accounts`,
      sql`update users set status = 1`,
      sql`delete from users`,
      sql`select id from audit_logs`,
    ]
    for (const statement of refused) {
      await expect(asFinder((db) => db.many(statement))).rejects.toMatchObject({ code: '42501' })
    }
  })

  test('sees only these columns of users', async () => {
    const rows = await parts.store.scoped({}).many<{ name: string }>(sql`
      select column_name as name from information_schema.columns
      where table_name = 'users' and has_column_privilege('tenantry_search', 'users', column_name, 'select')
      order by 1`)
    expect(rows.map(({ name }) => name)).toEqual([
      'id',
      'last_seen_on',
      'search_folded',
      'status',
      'tenant_id',
    ])
  })
})

test('the schema has no function and no trigger that could pass row-level security', async () => {
  const rows = await parts.store.scoped({}).many(sql`
    select proname as name from pg_proc p
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select tgname from pg_trigger t where not tgisinternal
      and not exists (select from pg_depend d where d.objid = t.tgfoid and d.deptype = 'e')`)
  expect(rows).toEqual([])
})

describe('the total of all users', () => {
  test('is exact, and above 10,000 at most 5 seconds old', async () => {
    const { id, admin } = await newTenant()
    const total = async () => ok(await admin.get('/users?page_size=1')).total as number
    const remove = (count: number) =>
      parts.store.scoped({ tenantId: id }).run(sql`
        delete from users where tenant_id = ${id} and id in (
          select id from users where tenant_id = ${id} and id <> ${admin.userId} order by id limit ${count}::int)`)
    await fillUnfindable(id, 10_005)
    expect(await total()).toBe(10_006)
    expect((await admin.get('/users?page_size=1')).headers.get('x-total-capped')).toBeNull()
    await remove(10)
    await expect.poll(total, { timeout: 50_000, interval: 500 }).toBe(9996)
    // Up to 10,000 the total is exact immediately.
    await remove(1)
    expect(await total()).toBe(9995)
  })
})
