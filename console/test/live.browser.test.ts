/** The live stream in the console, in a real browser (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { builtInTenant } from '../../server/src/access/permissions.ts'
import { sealRecords } from '../../server/test/audit-chain.ts'
import {
  newTenant,
  ok,
  password,
  platformAdmin,
  signIn as signInByApi,
  unique,
  type Caller,
  type Tenant,
} from '../../server/test/factories.ts'
import { parts } from '../../server/test/harness.ts'
import { chooseAction, expectSoon, inspect, open, signIn, visit } from './visit.ts'

/** How many streams the service has open. */
const streams = async (): Promise<number> => (await parts.metrics.streams.get()).values[0]?.value ?? 0

/** The paths that all tabs of the browser ask for. */
const watch = (page: Page): string[] => {
  const asked: string[] = []
  page.context().on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname.slice('/api/v1'.length) + search)
  })
  return asked
}

const countsAsked = (asked: string[]): number => asked.filter((one) => one.endsWith('/unread-count')).length
const streamsAsked = (asked: string[]): string[] => asked.filter((one) => one.startsWith('/events/stream'))

/** Signs in, and waits until the stream is open and the page has asked once more for the count. */
const signInLive = async (page: Page, email: string, path = ''): Promise<void> => {
  const isOpen = page.waitForResponse(/\/events\/stream/)
  await signIn(page, email, path)
  await isOpen
  await page.waitForResponse('**/unread-count')
}

/** Opens a page beside another one, and waits until it has joined that page's stream: then it asks again for the count. */
const openBeside = async (page: Page, path: string): Promise<void> => {
  let count = 0
  const hasJoined = page.waitForResponse((response) => {
    count += response.url().endsWith('/unread-count') ? 1 : 0
    return count === 2
  })
  await open(page, path)
  await hasJoined
}

const bell = (page: Page, unread: number) =>
  page.getByRole('button', { name: `Notifications: ${unread} unread` })

const notify = async (from: Caller, to: Caller, title = 'Hello'): Promise<void> =>
  void ok(await from.post('/notifications', { user_id: to.userId, title }))

/** A tenant whose records are all sealed, so that a page receives only later ones. */
const newSealed = async (): Promise<Tenant> => {
  const tenant = await newTenant()
  await sealRecords(tenant.id)
  return tenant
}

const create = async (tenant: Tenant, count: number): Promise<string[]> => {
  const names: string[] = []
  for (let index = 0; index < count; index += 1) {
    const username = unique('u')
    ok(await tenant.admin.post('/users', { email: `${username}@example.com`, username, password }))
    names.push(username)
  }
  await sealRecords(tenant.id)
  return names
}

const news = (page: Page, count: number) =>
  page.getByRole('main').getByRole('button', { name: `${count} new`, exact: true })

test('the bell rings and falls silent without asking', async () => {
  const { page, complaints } = await visit()
  const tenant = await newTenant()
  const user = await tenant.member()
  await page.clock.install()
  const asked = watch(page)
  await signInLive(page, user.email)
  await bell(page, 0).waitFor()
  await expectSoon(() => countsAsked(asked)).toBe(2)
  asked.length = 0
  await notify(tenant.admin, user)
  await bell(page, 1).waitFor()
  // Longer than the pause between two questions without the stream.
  await page.clock.fastForward(40_000)
  await notify(tenant.admin, user)
  await bell(page, 2).waitFor()
  await inspect(page, 'live-bell')
  ok(await user.put('/notifications/read-all'))
  await bell(page, 0).waitFor()
  expect([countsAsked(asked), streamsAsked(asked)]).toEqual([0, []])
  expect(complaints).toEqual([])
})

test('two tabs have one stream, and the second one takes it over when the first is closed', async () => {
  const { page, complaints } = await visit()
  const tenant = await newTenant()
  const user = await tenant.member()
  const before = await streams()
  const asked = watch(page)
  const leader = await page.context().newPage()
  await signInLive(leader, user.email)
  await openBeside(page, 'roles')
  await notify(tenant.admin, user)
  await Promise.all([bell(page, 1).waitFor(), bell(leader, 1).waitFor()])
  expect([streamsAsked(asked).length, await streams()]).toEqual([1, before + 1])
  const isTaken = page.waitForResponse(/\/events\/stream/)
  await leader.close()
  await isTaken
  await expectSoon(streams).toBe(before + 1)
  await notify(tenant.admin, user)
  await bell(page, 2).waitFor()
  expect(streamsAsked(asked)).toHaveLength(2)
  expect(complaints).toEqual([])
})

test('a list says how much others have changed, stays as it is, and shows it on request', async () => {
  const { page, complaints } = await visit()
  const tenant = await newSealed()
  await signInLive(page, tenant.admin.email, 'users')
  await page.getByRole('cell', { name: tenant.admin.email }).waitFor()
  const names = await create(tenant, 3)
  await news(page, 3).waitFor()
  expect(await page.getByText(names[0] ?? '').count()).toBe(0)
  await inspect(page, 'live-news')
  await news(page, 3).click()
  for (const name of names) await page.getByRole('cell', { name: `${name}@example.com` }).waitFor()
  await news(page, 3).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('the own changes of a tab are not new to it, but to another tab', async () => {
  const { page, complaints } = await visit()
  const tenant = await newSealed()
  await signInLive(page, tenant.admin.email, 'users')
  const other = await page.context().newPage()
  await openBeside(other, 'users')
  await other.getByRole('cell', { name: tenant.admin.email }).waitFor()
  await chooseAction(page, 'Create user')
  const dialog = page.getByRole('dialog', { name: 'Create user' })
  const username = unique('u')
  await dialog.getByLabel('E-mail').fill(`${username}@example.com`)
  await dialog.getByLabel('Username').fill(username)
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await expectSoon(async () => ok(await tenant.admin.get(`/users?search=${username}`)).total).toBe(1)
  await sealRecords(tenant.id)
  await news(other, 1).waitFor()
  await create(tenant, 1)
  // Changes come in order: had the own one counted, there would be two.
  await Promise.all([news(page, 1).waitFor(), news(other, 2).waitFor()])
  expect(complaints).toEqual([])
})

test('own changes of many users at once are no news', async () => {
  const { page, complaints } = await visit()
  const tenant = await newSealed()
  await create(tenant, 3)
  const { name } = await tenant.role('user:read')
  await sealRecords(tenant.id)
  await signInLive(page, tenant.admin.email, 'users')
  await sealRecords(tenant.id)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  const role = page.getByRole('dialog')
  await chooseAction(page, 'Assign role', 'Actions')
  await role.getByRole('combobox').fill(name)
  await page.getByRole('option', { name }).filter({ visible: true }).click()
  await role.getByRole('button', { name: /^Assign to \d/ }).click()
  await role.waitFor({ state: 'detached' })
  await sealRecords(tenant.id)
  await create(tenant, 1)
  await sealRecords(tenant.id)
  // Changes come in order: had the own ones counted, there would be more.
  await news(page, 1).waitFor()
  expect(complaints).toEqual([])
})

test.each([
  ['roles', async (tenant: Tenant) => void (await tenant.role('user:read'))],
  [
    'settings?section=product',
    async ({ admin }: Tenant) => void ok(await admin.put('/settings/tenant/color', { value: 1 })),
  ],
  ['audit', async ({ admin }: Tenant) => void ok(await admin.put('/settings/tenant/color', { value: 1 }))],
  [
    'service-accounts',
    async ({ admin }: Tenant) => void ok(await admin.post('/service-accounts', { name: 'Shop' })),
  ],
  [
    'webhooks',
    async ({ admin }: Tenant) =>
      void ok(await admin.post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['user.*'] })),
  ],
  [
    'users/invitations',
    async ({ admin }: Tenant) =>
      void ok(await admin.post('/invitations', { email: `${unique()}@example.com`, role_ids: [] })),
  ],
])('the page %s says that there is something new', async (path, change) => {
  const { page, complaints } = await visit()
  const tenant = await newSealed()
  await signInLive(page, tenant.admin.email, path)
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await change(tenant)
  await sealRecords(tenant.id)
  await page
    .getByRole('main')
    .getByRole('button', { name: /^\d+ new$/ })
    .waitFor()
  expect(complaints).toEqual([])
})

test('the catalogue says that there is something new', async () => {
  const { page, complaints } = await visit()
  const root = await platformAdmin()
  await sealRecords(builtInTenant.id)
  await signInLive(page, root.email, 'catalogue')
  await page.getByRole('button', { name: 'Create permission' }).waitFor()
  ok(await root.post('/rbac/permissions', { code: `${unique('shop')}:read`, name: 'Read the shop' }))
  await sealRecords(builtInTenant.id)
  await news(page, 1).click()
  await page.getByRole('cell', { name: /^Read the shop/ }).waitFor()
  expect(complaints).toEqual([])
})

test('the list of notifications says that one is new', async () => {
  const { page, complaints } = await visit()
  const tenant = await newTenant()
  const user = await tenant.member()
  await signInLive(page, user.email, 'notifications')
  await page.getByText('No notifications yet').waitFor()
  await notify(tenant.admin, user, 'Maintenance')
  await news(page, 1).click()
  await page.getByRole('cell', { name: 'Maintenance' }).waitFor()
  expect(complaints).toEqual([])
})

test('the menu follows a permission that was taken, without a reload', async () => {
  const { page, complaints } = await visit()
  const tenant = await newTenant()
  const user = await tenant.userWith('user:read', 'user:create')
  const [role] = ok(await tenant.admin.get(`/rbac/users/${user.userId}/roles`))
  await signInLive(page, user.email, 'users')
  const link = page.getByRole('navigation').getByRole('link', { name: 'Users', exact: true })
  await link.waitFor()
  await page.getByRole('button', { name: 'Invite users' }).waitFor()
  ok(await tenant.admin.delete(`/rbac/users/${user.userId}/roles/${role.id}`))
  await link.waitFor({ state: 'detached' })
  await page.getByText('You need the permission').waitFor()
  expect(await page.getByRole('button', { name: 'Invite users' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('the page signs out when its session was ended elsewhere', async () => {
  const { page } = await visit()
  const { admin } = await newTenant()
  await signInLive(page, admin.email)
  ok(await (await signInByApi(admin)).delete('/auth/sessions'))
  await page.getByText('Sign in to return to your page.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/sign-in')
})

test('the stream follows the tenant in scope, and covers all tenants for tabs in several', async () => {
  const { page, complaints } = await visit()
  const [root, tenant] = [await platformAdmin(), await newSealed()]
  const asked = watch(page)
  await signInLive(page, root.email, `users?tenant=${tenant.id}`)
  await page.getByRole('cell', { name: tenant.admin.email }).waitFor()
  await create(tenant, 1)
  await news(page, 1).waitFor()
  const isReopened = page.waitForResponse(/\/events\/stream\?all_tenants=true/)
  const other = await page.context().newPage()
  await open(other, 'users')
  await isReopened
  // The new stream begins with a gap: the list is loaded anew.
  await news(page, 1).waitFor({ state: 'detached' })
  await create(tenant, 1)
  await news(page, 1).waitFor()
  expect(streamsAsked(asked)).toEqual(['/events/stream?all_tenants=false', '/events/stream?all_tenants=true'])
  expect(complaints).toEqual([])
})

test('a page without a stream asks for the count', async () => {
  const { page, complaints } = await visit()
  const tenant = await newTenant()
  const user = await tenant.member()
  await page.route(/\/events\/stream/, (route) => route.abort())
  await page.clock.install()
  await signIn(page, user.email)
  await bell(page, 0).waitFor()
  await notify(tenant.admin, user)
  await page.clock.fastForward(31_000)
  await bell(page, 1).waitFor()
  expect(complaints).toEqual([])
})
