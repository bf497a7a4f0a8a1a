import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import {
  builtIn,
  newTenant,
  password,
  platformAdmin,
  signIn,
  unique,
  type Caller,
} from '../../../test/factories.ts'
import { clock, parts } from '../../../test/harness.ts'
import { growth } from './dashboard.service.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const stats = async (who: Caller, options = {}) => (await who.get('/dashboard/stats', options)).data

test('the statistics of a new tenant count its users, roles and itself', async () => {
  const { admin } = await newTenant()
  expect(await stats(admin)).toEqual({
    userCount: 1,
    roleCount: 3,
    tenantCount: 1,
    onlineCount: 1,
    todayActiveUsers: 1,
    userGrowth: 100,
    roleGrowth: 100,
    tenantGrowth: 100,
  })
})

test('growth is the percentage by which a count exceeds that of 30 days ago, to one decimal', async () => {
  const tenant = await newTenant()
  await tenant.member()
  await tenant.member()
  clock.advance(30 * dayMs + minuteMs)
  const root = await signIn(await platformAdmin())
  const inTenant = { tenant: tenant.id }
  const user = { email: `${unique()}@example.com`, username: unique(), password }
  expect((await root.post('/users', user, inTenant)).status).toBe(200)
  expect((await root.post('/rbac/roles', { name: 'Editors' }, inTenant)).status).toBe(200)
  const grown = await stats(await signIn(tenant.admin))
  expect(grown).toMatchObject({
    userCount: 4,
    roleCount: 4,
    userGrowth: 33.3,
    roleGrowth: 33.3,
    tenantGrowth: 0,
  })
})

test('growth counts who had been created 30 days ago to the minute, also on that day', async () => {
  const { id, admin } = await newTenant()
  const now = clock.now().getTime()
  const moments = [-40, -31, -30 - 1 / 1440, -30 + 1 / 1440, -29.5, -1].map(
    (days) => new Date(now + days * dayMs),
  )
  const created = unique()
  await parts.store.scoped({ tenantId: id }).run(sql`
    with added as (
      insert into accounts (email, email_folded, password_hash, created_at)
      select ${created}::text || at, ${created}::text || at, '', at from unnest(${moments}::timestamptz[]) as at
      returning id, email, created_at
    )
    insert into users (tenant_id, account_id, email, username, username_folded, search_folded, created_at, updated_at)
    select ${id}::uuid, id, email, email, email, email, created_at, created_at from added`)
  // 7 now, 3 then.
  expect(await stats(admin)).toMatchObject({ userCount: 7, userGrowth: 133.3 })
})

test('growth is negative when there are fewer, 0 of nothing and 100 from nothing', () => {
  expect(growth({ count: 3, earlier: 4 })).toBe(-25)
  expect(growth({ count: 0, earlier: 4 })).toBe(-100)
  expect(growth({ count: 0, earlier: 0 })).toBe(0)
  expect(growth({ count: 7, earlier: 0 })).toBe(100)
  expect(growth({ count: 4, earlier: 3 })).toBe(33.3)
  expect(growth({ count: 9, earlier: 1 })).toBe(800)
})

test('users are online for 5 minutes after their last request', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  await user.get('/profile')
  expect((await stats(tenant.admin)).onlineCount).toBe(2)
  clock.advance(4 * minuteMs)
  const later = await signIn(tenant.admin)
  expect((await stats(later)).onlineCount).toBe(2)
  clock.advance(minuteMs + 1000)
  expect((await stats(later)).onlineCount).toBe(1)
})

test('a disabled or deleted user is not online', async () => {
  const tenant = await newTenant()
  const [one, other] = [await tenant.member(), await tenant.member()]
  expect((await stats(tenant.admin)).onlineCount).toBe(3)
  await tenant.admin.put(`/users/${one.userId}`, { status: 0 })
  await tenant.admin.delete(`/users/${other.userId}`)
  expect((await stats(tenant.admin)).onlineCount).toBe(1)
})

test('who was seen since 00:00 UTC was active today', async () => {
  const tenant = await newTenant()
  await (await tenant.member()).get('/profile')
  expect((await stats(tenant.admin)).todayActiveUsers).toBe(2)
  clock.advance(dayMs)
  expect((await stats(await signIn(tenant.admin))).todayActiveUsers).toBe(1)
})

test('a platform administrator sees the number of all tenants, and the counts of the tenant in scope', async () => {
  const root = await platformAdmin()
  const { id, admin } = await newTenant()
  const listed = (await root.get('/org/tenants')).data.length
  const own = await stats(root)
  expect(own.tenantCount).toBe(listed)
  expect(await stats(root, { tenant: id })).toMatchObject({ userCount: 1, roleCount: 3, tenantCount: listed })
  expect((await stats(admin)).tenantCount).toBe(1)
  await root.delete(`/org/tenants/${id}`)
  expect((await stats(root)).tenantCount).toBe(listed - 1)
})

test('a user of the built-in tenant who is no platform administrator sees one tenant', async () => {
  const reader = await builtIn.userWith('dashboard:read', 'tenant:read')
  expect((await stats(reader)).tenantCount).toBe(1)
})

test('the dashboard needs dashboard:read, which every member has', async () => {
  const tenant = await newTenant()
  expect((await (await tenant.member()).get('/dashboard/stats')).status).toBe(200)
  expect((await (await tenant.userWith('user:read')).get('/dashboard/stats')).status).toBe(403)
})

test('nothing of another tenant is counted', async () => {
  const [one, other] = [await newTenant(), await newTenant()]
  for (let index = 0; index < 3; index += 1) await other.member()
  await other.role()
  expect(await stats(one.admin)).toMatchObject({
    userCount: 1,
    roleCount: 3,
    onlineCount: 1,
    todayActiveUsers: 1,
  })
})
