/** What finds users across row-level security: the same users as reading each, of the tenant in scope, as ids. */
import sql, { raw } from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, type Tenant } from '../../../test/factories.ts'
import { parts } from '../../../test/harness.ts'
import { containing } from '../../text.ts'

/** Enough that a page starts at a block of its own, and that a search asks for an index where there is one. */
const many = 20_000
let tenant: Tenant
let other: Tenant

/** Users whose names have common, rare and awkward parts; some are disabled. */
const fill = async ({ id }: Tenant, count: number, firm: string): Promise<void> => {
  const db = parts.store.scoped({ tenantId: id })
  // In steps: a statement may take 4 s.
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
      from created`)
  }
}

beforeAll(async () => {
  ;[tenant, other] = [await newTenant(), await newTenant()]
  await fill(tenant, many, 'acme')
  await fill(other, 100, 'globex')
})

interface Found {
  total: number
  ids: string[]
}

interface Wanted {
  pattern?: string
  status?: number
  limit?: number
  offset?: number
  max?: number
  descending?: boolean
}

const find = (tenantId: string | undefined, { pattern, status, ...page }: Wanted) => {
  const { limit = 20, offset = 0, max = 100_000, descending = false } = page
  return parts.store
    .scoped(tenantId === undefined ? {} : { tenantId })
    .one<Found>(
      sql`select total, ids::text[] from list_users(${pattern}, ${status}, ${limit}, ${offset}, ${max}, ${descending})`,
    )
}

/** By reading every user. */
const findByReading = async (tenantId: string, { pattern, status, max, ...page }: Wanted) => {
  const { limit = 20, offset = 0, descending = false } = page
  const rows = await parts.store.scoped({ tenantId }).many<{ id: number }>(sql`
    select id from users
    where tenant_id = ${tenantId} and (${pattern}::text is null or search_folded || '' like ${pattern})
      and status = coalesce(${status}::smallint, status)
    order by id ${raw(descending ? 'desc' : '')}`)
  const total = pattern === undefined || max === undefined ? rows.length : Math.min(rows.length, max + 1)
  return { total, ids: rows.slice(offset, offset + limit).map(({ id }) => String(id)) }
}

/** From both ends. */
const expectSame = async (tenantId: string, asked: Wanted) => {
  for (const descending of [false, true]) {
    const wanted = { ...asked, descending }
    expect([wanted, await find(tenantId, wanted)]).toEqual([wanted, await findByReading(tenantId, wanted)])
  }
}

describe('finding users', () => {
  test.each([
    'acme', // everybody
    'md5 has none of these',
    'abc', // few
    'abcde', // one or none
    '0a1', // from one field into the middle of a name
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
  ])('by %j finds those that reading every user finds, page by page', async (keyword) => {
    const pattern = containing(keyword)
    for (const wanted of [
      { pattern },
      { pattern, status: 0 },
      { pattern, status: 1, limit: 3, offset: 5 },
      { pattern, limit: 200, offset: 150 },
      { pattern, max: 30 },
      { pattern, max: 30, limit: 7, offset: 28 },
      { pattern, offset: 2 ** 53 - 1 },
    ]) {
      await expectSame(tenant.id, wanted)
    }
  })

  test.each([undefined, 0, 1])(
    'of status %s gives every page that reading every user gives',
    async (status) => {
      for (const offset of [0, 1, 199, 8191, 8192, 8193, 16_385, many - 5, many + 1, many + 2, 2 ** 53 - 1]) {
        await expectSame(tenant.id, { offset, ...(status === undefined ? {} : { status }) })
      }
    },
  )

  test('goes on exactly after users of many blocks were deleted', async () => {
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      delete from users where tenant_id = ${tenant.id} and id % 3 = 0 and id <> ${tenant.admin.userId}`)
    for (const offset of [0, 4000, 8192, 10_000, 13_000]) {
      await expectSame(tenant.id, { offset })
    }
  })

  test('finds nobody of another tenant, whatever is asked for', async () => {
    expect(await find(tenant.id, { pattern: '%globex%' })).toEqual({ total: 0, ids: [] })
    expect((await find(other.id, { pattern: '%globex%' }))?.total).toBe(100)
    expect((await find(other.id, {}))?.total).toBe(101)
    expect(ok(await other.admin.get('/users?search=globex&page=2')).items).toHaveLength(20)
  })

  test('finds nobody and counts nobody without a tenant in scope', async () => {
    expect(await find(undefined, { pattern: '%' })).toEqual({ total: 0, ids: [] })
    expect(await find(undefined, {})).toEqual({ total: 0, ids: [] })
    const none = { now_here: 0, earlier_here: 0, seen_today: 0 }
    const counts = sql`select * from count_users_at(now(), current_date)`
    expect(await parts.store.scoped({}).one(counts)).toEqual(none)
  })

  test('is for the role of requests alone, and every function that passes row-level security is listed here', async () => {
    const rows = await parts.store.scoped({}).many(sql`
      select p.proname as name, p.prosecdef as definer, pg_get_userbyid(p.proowner) = 'tenantry_search' as owned,
        has_function_privilege('tenantry_app', p.oid, 'execute') as app,
        has_function_privilege('tenantry_purge', p.oid, 'execute')
          or has_function_privilege('tenantry_seal', p.oid, 'execute') as others,
        array_to_string(p.proconfig, ' ') like '%search_path=pg_catalog, public, pg_temp%' as fixed
      from pg_proc p
      where p.pronamespace = 'public'::regnamespace and pg_get_userbyid(p.proowner) = 'tenantry_search'
      order by 1`)
    const finder = { definer: true, owned: true, app: true, others: false, fixed: true }
    const counter = { ...finder, app: false }
    expect(rows).toEqual([
      { name: 'count_activity', ...counter },
      { name: 'count_users', ...counter },
      { name: 'count_users_at', ...finder },
      { name: 'list_users', ...finder },
      { name: 'list_users', ...finder },
      { name: 'recount_user', ...counter },
    ])
  })

  test('uses a role that sees ids, not people, and that nobody becomes by the service', async () => {
    const db = parts.store.scoped({})
    const columns = await db.many<{ name: string }>(sql`
      select column_name as name from information_schema.columns
      where table_name = 'users' and has_column_privilege('tenantry_search', 'users', column_name, 'select')
      order by 1`)
    expect(columns.map(({ name }) => name)).toEqual([
      'created_at',
      'id',
      'last_seen_on',
      'search_folded',
      'status',
      'tenant_id',
    ])
    const role = await db.one(sql`
      select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb,
        has_table_privilege('tenantry_search', 'users', 'insert, update, delete') as writes,
        exists (select from pg_auth_members m where m.member = r.oid) as is_member,
        (select bool_or(pg_has_role(o, 'tenantry_search', 'member'))
          from unnest(array['tenantry_app', 'tenantry_purge', 'tenantry_seal']) o) as reached
      from pg_roles r where rolname = 'tenantry_search'`)
    expect(new Set(Object.values(role ?? {}))).toEqual(new Set([false]))
  })
})
