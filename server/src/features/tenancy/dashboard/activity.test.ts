/** Sign-ups and active users by day: stored figures for past days, counted figures for today. */
import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../test/answers.ts'
import { newTenant, ok, platformAdmin, signIn, unique, type Caller } from '../../../../test/factories.ts'
import { clock, parts } from '../../../../test/harness.ts'
import { writeDay, writeDays, writeDaysOf } from './days.service.ts'

const dayMs = 24 * 3_600_000

interface Day {
  date: string
  sign_ups: number
  active_users: number
}

const activity = async (who: Caller, query = '', tenant = who.tenantId): Promise<Day[]> =>
  ok(await who.get(`/dashboard/activity${query}`, { tenant })).items

/** The day `days` days before the service's clock. */
const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs).toISOString().slice(0, 10)

/** The last days as `[sign_ups, active_users]`. */
const lately = async (who: Caller, days: number) =>
  (await activity(who)).slice(-days).map((day) => [day.sign_ups, day.active_users])

const change = (tenantId: string, statement: Sql) => parts.store.scoped({ tenantId }).run(statement)

/** Inserts users who were created and seen on a day, like an import by SQL. */
const importUsers = (tenantId: string, count: number, day: string) =>
  change(
    tenantId,
    sql`
    with created as (
      insert into accounts (email, email_folded, password_hash)
      select e, e, '' from generate_series(1, ${count}::int) n, lateral (select ${unique()}::text || n as e) s
      returning id, email
    )
    insert into users (tenant_id, account_id, email, username, username_folded, search_folded, last_seen_on,
      created_at, updated_at)
    select ${tenantId}::uuid, id, email, email, email, email, ${day}, ${day}, now() from created
    returning id`,
  )

describe('the activity of a tenant', () => {
  test('has one item for each of the last 30 days, the oldest first, with zeros', async () => {
    const { admin } = await newTenant()
    const items = await activity(admin)
    expect(items.map(({ date }) => date)).toEqual(
      Array.from({ length: 30 }, (_, index) => daysAgo(29 - index)),
    )
    expect(items.slice(0, -1).filter((day) => day.sign_ups + day.active_users > 0)).toEqual([])
    expect(items.at(-1)).toEqual({ date: daysAgo(0), sign_ups: 1, active_users: 1 })
  })

  test('reaches back 7 to 90 days', async () => {
    const { admin } = await newTenant()
    expect(await activity(admin, '?days=7')).toHaveLength(7)
    expect(await activity(admin, '?days=90')).toHaveLength(90)
    for (const days of ['6', '91', '0', '-7', '7.5', 'all']) {
      expect(await admin.get(`/dashboard/activity?days=${days}`)).toMatchObject(refusalOf('days'))
    }
  })

  test('counts a user once a day, by any request', async () => {
    const { admin, ...tenant } = await newTenant()
    const member = await tenant.member()
    await Promise.all([member.get('/profile'), admin.get('/users'), signIn(member), signIn(member)])
    expect(await lately(admin, 2)).toEqual([
      [0, 0],
      [2, 2],
    ])
    clock.advance(dayMs)
    const later = await signIn(admin)
    await later.get('/users')
    expect(await lately(later, 2)).toEqual([
      [2, 2],
      [0, 1],
    ])
  })

  test('counts a past day once, also users seen again before that', async () => {
    const { id, admin, ...tenant } = await newTenant()
    const member = await tenant.member()
    clock.advance(dayMs)
    const later = await signIn(admin)
    await signIn(admin)
    await writeDays(parts)
    await signIn(member)
    ok(await later.delete(`/users/${member.userId}`))
    await Promise.all([writeDays(parts), writeDaysOf(parts, id)])
    expect(await lately(later, 3)).toEqual([
      [0, 0],
      [2, 2],
      [0, 1],
    ])
  })

  test('catches up on days that ended while the service was down', async () => {
    const { id, admin, ...tenant } = await newTenant()
    await tenant.member()
    clock.advance(3 * dayMs)
    const later = await signIn(admin)
    await writeDaysOf(parts, id)
    const rows = sql`select users, roles, tenants, sign_ups, active_users from tenant_days order by day`
    const row = { users: 2, roles: 3, tenants: 1, sign_ups: 0, active_users: 0 }
    const written = await parts.store.scoped({ tenantId: id }).many(rows)
    expect(written).toEqual([{ ...row, sign_ups: 2, active_users: 2 }, row, row])
    expect(await lately(later, 4)).toEqual([
      [2, 2],
      [0, 0],
      [0, 0],
      [0, 1],
    ])
  })

  test('is written for no tenant that is being removed', async () => {
    const { id } = await newTenant()
    const root = await platformAdmin()
    ok(await root.delete(`/org/tenants/${id}`))
    expect(await writeDay(parts, id, daysAgo(1))).toBe(0)
  })

  test('counts imported users on the days of their creation and last request', async () => {
    const { id, admin } = await newTenant()
    await importUsers(id, 40, daysAgo(3))
    await importUsers(id, 2, daysAgo(100))
    await writeDaysOf(parts, id)
    expect(await lately(admin, 4)).toEqual([
      [40, 40],
      [0, 0],
      [0, 0],
      [1, 1],
    ])
  })

  test('the activity of another tenant is shown only to platform administrators', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    await importUsers(one.id, 5, daysAgo(1))
    expect(await lately(other.admin, 2)).toEqual([
      [0, 0],
      [1, 1],
    ])
    const root = await platformAdmin()
    expect((await activity(root, '?days=7', one.id)).at(-2)).toMatchObject({ sign_ups: 5, active_users: 5 })
  })
})
