import { expect, test } from 'vitest'
import {
  builtIn,
  newTenant,
  ok,
  password,
  platformAdmin,
  signIn,
  unique,
  type Caller,
} from '../../../../test/factories.ts'
import { clock, parts } from '../../../../test/harness.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { growth } from './dashboard.service.ts'
import { writeDay, writeDaysOf } from './days.service.ts'

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
  clock.advance(30 * dayMs)
  await writeDaysOf(parts, tenant.id)
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

test('growth compares with the end of the UTC day 30 days ago, with users and roles deleted since', async () => {
  const tenant = await newTenant()
  const [one, other] = [await tenant.member(), await tenant.member()]
  const role = await tenant.role()
  clock.advance(dayMs)
  await writeDaysOf(parts, tenant.id)
  clock.advance(29 * dayMs)
  const admin = await signIn(tenant.admin)
  for (const { userId } of [one, other]) await admin.delete(`/users/${userId}`)
  await admin.delete(`/rbac/roles/${role.id}`)
  // One user instead of three, and three roles instead of four.
  expect(await stats(admin)).toMatchObject({ userCount: 1, userGrowth: -66.7, roleCount: 3, roleGrowth: -25 })
  clock.advance(dayMs)
  // The day after that has no row.
  expect(await stats(await signIn(tenant.admin))).toMatchObject({
    userGrowth: 100,
    roleGrowth: 100,
    tenantGrowth: 100,
  })
})

test('the growth of the installation is shown to platform administrators', async () => {
  const root = await platformAdmin()
  await writeDaysOf(parts, builtInTenant.id)
  const { tenantCount } = await stats(root)
  const day = new Date(clock.now().getTime() + 5 * dayMs).toISOString().slice(0, 10)
  await writeDay(parts, builtInTenant.id, day)
  clock.advance(35 * dayMs)
  const { id } = ok(await (await signIn(root)).post('/org/tenants', { name: 'One more', slug: unique() }))
  expect(await stats(await signIn(root))).toMatchObject({
    tenantCount: tenantCount + 1,
    tenantGrowth: Math.round(1000 / tenantCount) / 10,
  })
  await (await signIn(root)).delete(`/org/tenants/${id}`)
})

test('growth is negative when there are fewer, 0 of nothing and 100 from nothing', () => {
  expect(growth(3, 4)).toBe(-25)
  expect(growth(0, 4)).toBe(-100)
  expect(growth(0, 0)).toBe(0)
  expect(growth(0)).toBe(0)
  expect(growth(7, 0)).toBe(100)
  expect(growth(7)).toBe(100)
  expect(growth(4, 3)).toBe(33.3)
  expect(growth(9, 1)).toBe(800)
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
  for (const user of [one, other]) await user.get('/profile')
  expect((await stats(tenant.admin)).onlineCount).toBe(3)
  await tenant.admin.put(`/users/${one.userId}`, { status: 0 })
  await tenant.admin.delete(`/users/${other.userId}`)
  expect((await stats(tenant.admin)).onlineCount).toBe(1)
})

test('a user seen since 00:00 UTC was active today', async () => {
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

test('the number of all tenants is shown to callers with tenant:read alone', async () => {
  const listed = (await (await platformAdmin()).get('/org/tenants')).data.length
  const [reader, other] = [
    await builtIn.userWith('dashboard:read', 'tenant:read'),
    await builtIn.userWith('dashboard:read', 'tenant:enter'),
  ]
  expect((await stats(reader)).tenantCount).toBe(listed)
  expect((await stats(other)).tenantCount).toBe(1)
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
