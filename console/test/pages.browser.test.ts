/** Pages of lists, behind the end and across selections, in a real browser: `npm run test:browser`. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, password, platformAdmin, unique, type Tenant } from '../../server/test/factories.ts'
import { inspect, open, signIn, visit } from './visit.ts'

let tenant: Tenant

/** One more than fits on two pages. */
const many = Array.from({ length: 41 }, (_, number) => number)
const mark = unique('p')

beforeAll(async () => {
  tenant = await newTenant()
  const { admin } = tenant
  const role = await tenant.role('user:read')
  for (const number of many) {
    const username = `${mark}${number}`
    const { id } = ok(await admin.post('/users', { email: `${username}@example.com`, username, password }))
    ok(await admin.post(`/rbac/users/${id}/roles`, { role_id: role.id }))
    ok(await admin.put(`/settings/tenant/${mark}.${number}`, { value: number }))
    ok(await admin.post('/notifications', { user_id: admin.userId, title: `Number ${number}` }))
  }
}, 60_000)

/** A page is there later than `poll` waits by itself. */
const slow = { timeout: 5000 }

const search = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

const pageNow = (page: Page) =>
  page.locator('[aria-current=page][aria-label^=Page]').getAttribute('aria-label')

test('a page behind the last one gives way to the last one, and the way back does not lead there again', async () => {
  const { page, complaints } = await visit()
  const [role] = (ok(await tenant.admin.get('/rbac/roles')) as { id: number; is_system: boolean }[]).filter(
    ({ is_system }) => !is_system,
  )
  await signIn(page, tenant.admin.email, 'users')
  const lists = [
    ['users', `search=${mark}`],
    ['audit', 'action=user.create'],
    ['notifications', ''],
    [`roles/${role?.id}`, ''],
  ] as const
  for (const [path, filter] of lists) {
    await open(page, `${path}?${filter}`)
    await page.getByText(/^4[12] entries$/).waitFor()
    await open(page, `${path}?${filter}&page=99`)
    await expect.poll(() => search(page)['page'], { ...slow, message: path }).toBe('3')
    await expect.poll(() => pageNow(page), slow).toBe('Page 3')
    expect(
      await page.getByText(/There are no users|Nothing has been|Nothing was sent|Nobody holds/).count(),
    ).toBe(0)
    await page.goBack()
    await expect.poll(() => pageNow(page), slow).toBe('Page 1')
  }
  expect(complaints).toEqual([])
}, 60_000)

test('lists that come whole show their last page in place of one behind it', async () => {
  const { page, complaints } = await visit()
  await signIn(page, tenant.admin.email, `settings?search=${mark}&page=99`)
  await expect.poll(() => pageNow(page), slow).toBe('Page 3')
  expect(await page.getByRole('link', { name: `Open ${mark}` }).count()).toBe(1)
  await page.getByRole('button', { name: 'Page 1', exact: true }).click()
  await expect.poll(() => page.getByRole('link', { name: `Open ${mark}` }).count()).toBe(20)
  expect(complaints).toEqual([])
})

test('tenants behind the last page are those of the last one', async () => {
  const { page } = await visit()
  await signIn(page, (await platformAdmin()).email, `tenants?search=${tenant.slug}&page=99`)
  await page.getByRole('link', { name: `Tenant ${tenant.slug}` }).waitFor()
  expect(await page.getByText('1 entry').count()).toBe(1)
})

test('what is deleted from the last page alone leaves the one before it in sight', async () => {
  const { page, complaints } = await visit()
  const own = await newTenant()
  for (const number of many.slice(0, 20)) {
    const username = `${mark}d${number}`
    ok(await own.admin.post('/users', { email: `${username}@example.com`, username, password }))
  }
  await signIn(page, own.admin.email, 'users?page=2')
  await page.getByText('21 entries').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('1')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('20 entries').waitFor()
  await page.getByText(own.admin.email).waitFor()
  expect(search(page)).toEqual({})
  await inspect(page, 'users-after-last')
  expect(complaints).toEqual([])
})

describe('a selection', () => {
  test('holds those of other pages when all of this one are chosen, or no more', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, `users?search=${mark}`)
    const all = page.getByRole('checkbox', { name: 'Select all' })
    const next = page.getByRole('button', { name: 'Next page' })
    await all.check()
    await page.getByText('20 selected').waitFor()
    await next.click()
    await expect.poll(() => all.isChecked()).toBe(false)
    await all.check()
    await page.getByText('40 selected').waitFor()
    await all.uncheck()
    await page.getByText('20 selected').waitFor()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expect.poll(() => all.isChecked()).toBe(true)
    await inspect(page, 'users-selected')
  })
})
