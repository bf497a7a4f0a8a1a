/** Totals and growth come from counts that the database keeps: they equal the rows, whatever happened to them. */
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { builtIn, newTenant, ok, password, register, unique } from '../../../test/factories.ts'
import { parts } from '../../../test/harness.ts'
import { builtInTenant } from '../../permissions.ts'

interface Counts {
  part: string
  slot: number
  enabled: number
  disabled: number
}

/** What the counts say, and what counting says. */
const countsOf = async (tenantId: string): Promise<{ kept: Counts[]; counted: Counts[] }> => {
  const db = parts.store.scoped({ tenantId })
  const kept = await db.many<Counts>(sql`
    select part, slot, enabled, disabled from user_counts where enabled <> 0 or disabled <> 0 order by part, slot`)
  const counted = await db.many<Counts>(sql`
    select part, slot, count(*) filter (where status = 1) as enabled, count(*) filter (where status = 0) as disabled
    from users, lateral (values ('all', 0::bigint), ('block', id / 8192),
      ('day', floor(extract(epoch from created_at) / 86400)::bigint)) as s (part, slot)
    group by part, slot order by part collate "C", slot`)
  return { kept, counted }
}

const expectExact = async (tenantId: string, total?: number): Promise<void> => {
  const { kept, counted } = await countsOf(tenantId)
  expect(kept).toEqual(counted)
  if (total !== undefined) expect(kept[0]).toMatchObject({ part: 'all', slot: 0 })
  if (total !== undefined) expect(Number(kept[0]?.enabled) + Number(kept[0]?.disabled)).toBe(total)
}

const newUser = () => ({ username: unique(), email: `${unique()}@example.com`, password })

/** As docs/importing-users.md does it, some disabled, created on different days. */
const importUsers = (tenantId: string, count: number, after: () => Promise<void> = async () => {}) =>
  parts.store.transaction({ tenantId }, async (db) => {
    const mark = unique('imported')
    await db.run(sql`
      with created as (
        insert into accounts (email, email_folded, password_hash)
        select e, e, '' from (select ${mark}::text || n || '@example.com' as e from generate_series(1, ${count}::int) n) s
        returning id, email
      )
      insert into users (tenant_id, account_id, email, username, username_folded, search_folded, status, created_at, updated_at)
      select ${tenantId}::uuid, id, email, email, email, email, (id % 3 > 0)::int, now() - id % 400 * interval '7 hours', now()
      from created`)
    await after()
  })

const deleteImported = (tenantId: string) =>
  parts.store
    .scoped({ tenantId })
    .run(sql`delete from users where tenant_id = ${tenantId} and username like 'imported%'`)

describe('the counts of users', () => {
  test('are exact after users were created, disabled, enabled, renamed and deleted', async () => {
    const { id, admin } = await newTenant()
    const users: { id: number }[] = []
    for (const status of [1, 0, 1, 1]) users.push(ok(await admin.post('/users', { ...newUser(), status })))
    await expectExact(id, 5)
    const [first, second, third, fourth] = users.map((user) => `/users/${user.id}`)
    ok(await admin.put(String(first), { status: 0 }))
    ok(await admin.put(String(second), { status: 1, nickname: 'renamed' }))
    ok(await admin.put(String(third), { status: 1, email: `${unique()}@example.com` }))
    await expectExact(id, 5)
    ok(await admin.delete(String(first)))
    ok(await admin.delete(String(fourth)))
    await expectExact(id, 3)
    expect(ok(await admin.get('/users')).total).toBe(3)
    expect(ok(await admin.get('/users?status=0')).total).toBe(0)
  })

  test('are exact after creations at once, of which some are refused', async () => {
    const { id, admin } = await newTenant()
    const same = newUser()
    const bodies = [...Array.from({ length: 12 }, newUser), same, same, same]
    const statuses = await Promise.all(bodies.map(async (body) => (await admin.post('/users', body)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(13)
    await expectExact(id, 14)
  })

  test('are exact after registrations', async () => {
    await Promise.all([register(), register(), register()])
    await expectExact(builtInTenant.id)
    expect(ok(await (await builtIn.userWith('user:read')).get('/users')).total).toBeGreaterThan(3)
  })

  test('are exact after an import by SQL, one that is taken back, and deletions of many', async () => {
    const { id } = await newTenant()
    await importUsers(id, 1000)
    await expectExact(id, 1001)
    const failing = importUsers(id, 100, async () => {
      throw new Error('taken back')
    })
    await expect(failing).rejects.toThrow('taken back')
    await expectExact(id, 1001)
    expect(await deleteImported(id)).toBe(1000)
    await expectExact(id, 1)
  })

  test('of two tenants that grow at once are kept apart', async () => {
    const [a, b] = [await newTenant(), await newTenant()]
    await Promise.all([importUsers(a.id, 50), importUsers(b.id, 70), importUsers(a.id, 30)])
    await expectExact(a.id, 81)
    await expectExact(b.id, 71)
  })

  test('are changed by no request but through users', async () => {
    const { id } = await newTenant()
    const db = parts.store.scoped({ tenantId: id })
    for (const statement of [
      sql`update user_counts set enabled = 0`,
      sql`delete from user_counts`,
      sql`insert into user_counts values (${id}, 'all', 1, 1, 1)`,
    ]) {
      await expect(db.run(statement)).rejects.toMatchObject({ code: '42501' })
    }
  })
})
