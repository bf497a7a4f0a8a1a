/** Pages of lists, behind the end and with selections, in a real browser (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, password, platformAdmin, unique, type Tenant } from '../../server/test/factories.ts'
import { chooseAction, expectSoon, inspect, open, signIn, visit } from './visit.ts'

let tenant: Tenant

/** One user more than two pages hold. */
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
})

const search = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

const pageNow = (page: Page) =>
  page.locator('[aria-current=page][aria-label^=Page]').getAttribute('aria-label')

test('a page behind the last one leads to the last one, and stays out of the history', async () => {
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
    await expectSoon(() => search(page)['page'], path).toBe('3')
    await expectSoon(() => pageNow(page)).toBe('Page 3')
    expect(await page.getByText(/No users|No activity|No notifications|No records/).count()).toBe(0)
    await page.goBack()
    await expectSoon(() => pageNow(page)).toBe('Page 1')
  }
  expect(complaints).toEqual([])
})

test('lists that come whole show their last page in place of one behind it', async () => {
  const { page, complaints } = await visit()
  await signIn(page, tenant.admin.email, `settings?search=${mark}&page=99`)
  await expectSoon(() => pageNow(page)).toBe('Page 3')
  expect(await page.getByRole('link', { name: `Open ${mark}` }).count()).toBe(1)
  await page.getByRole('button', { name: 'Page 1', exact: true }).click()
  await expectSoon(() => page.getByRole('link', { name: `Open ${mark}` }).count()).toBe(20)
  expect(complaints).toEqual([])
})

test('tenants behind the last page are those of the last one', async () => {
  const { page } = await visit()
  await signIn(page, (await platformAdmin()).email, `tenants?search=${tenant.slug}&page=99`)
  await page.getByRole('link', { name: `Tenant ${tenant.slug}` }).waitFor()
  expect(await page.getByText('1 entry').count()).toBe(1)
})

test('an empty list shows its empty state alone, and screen readers read the total', async () => {
  const { page } = await visit()
  await signIn(page, tenant.admin.email, 'users?search=nobody-at-all')
  await page.getByText('No users match').waitFor()
  const total = page.getByRole('main').getByRole('status').filter({ hasText: '0 entries' })
  expect((await total.boundingBox())?.height ?? 0).toBe(0)
})

test('deleting the last row of the last page leads to the page before', async () => {
  const { page, complaints } = await visit()
  const own = await newTenant()
  for (const number of many.slice(0, 20)) {
    const username = `${mark}d${number}`
    ok(await own.admin.post('/users', { email: `${username}@example.com`, username, password }))
  }
  await signIn(page, own.admin.email, 'users?page=2')
  await page.getByText('21 entries').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await chooseAction(page, 'Delete', 'Actions')
  await page.getByRole('dialog').getByRole('textbox').fill(`${mark}d${many[19]}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('20 entries').waitFor()
  await page.getByText(own.admin.email).waitFor()
  expect(search(page)).toEqual({})
  await inspect(page, 'users-after-last')
  expect(complaints).toEqual([])
})

describe('a selection', () => {
  test('keeps users of other pages when all of this page are selected or deselected', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, `users?search=${mark}`)
    const all = page.getByRole('checkbox', { name: 'Select all' })
    const next = page.getByRole('button', { name: 'Next page' })
    await all.check()
    await page.getByText('20 selected').waitFor()
    await next.click()
    await expectSoon(() => all.isChecked()).toBe(false)
    await all.check()
    await page.getByText('40 selected').waitFor()
    await all.uncheck()
    await page.getByText('20 selected').waitFor()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expectSoon(() => all.isChecked()).toBe(true)
    await inspect(page, 'users-selected')
  })
})

describe('the audit log', () => {
  const idsOf = async (query: string): Promise<number[]> =>
    (ok(await tenant.admin.get(`/audit/logs?${query}`)).items as { id: number }[]).map(({ id }) => id)

  /** The records of the rows, by their links. */
  const shown = (page: Page) =>
    page
      .getByRole('link', { name: 'Open the record' })
      .evaluateAll((links) =>
        (links as unknown as { href: string }[]).map(({ href }) =>
          Number(new URL(href).searchParams.get('id')),
        ),
      )

  test('reads on by the last record of a page, and returns by Newer', async () => {
    const { page, complaints } = await visit()
    const filter = 'action=role.assign'
    const all = await idsOf(`${filter}&page_size=200`)
    expect(all).toHaveLength(42)
    await signIn(page, tenant.admin.email, `audit?${filter}`)
    await page.getByText('42 entries').waitFor()
    const older = page.getByRole('button', { name: 'Older' })
    const newer = page.getByRole('button', { name: 'Newer', exact: true })
    expect(await newer.isDisabled()).toBe(true)
    await older.click()
    await expectSoon(() => shown(page)).toEqual(all.slice(20, 40))
    const second = { action: 'role.assign', page: '2', before_id: String(all[19]) }
    expect(search(page)).toEqual(second)
    await older.click()
    await expectSoon(() => shown(page)).toEqual(all.slice(40))
    expect(await older.isDisabled()).toBe(true)
    expect(await pageNow(page)).toBe('Page 3')
    await page.getByRole('link', { name: 'Open the record' }).first().click()
    await page.getByRole('dialog').getByText('Trace ID').waitFor()
    await page.reload()
    await page.getByRole('dialog').getByText('Trace ID').waitFor()
    await page.keyboard.press('Escape')
    await newer.click()
    await expectSoon(() => shown(page)).toEqual(all.slice(20, 40))
    await newer.focus()
    await page.keyboard.press('Enter')
    await expectSoon(() => shown(page)).toEqual(all.slice(0, 20))
    expect(search(page)).toEqual({ action: 'role.assign' })
    await older.click()
    await expectSoon(() => search(page)).toEqual(second)
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('50')
    await expectSoon(() => search(page)).toEqual({ action: 'role.assign', size: '50' })
    await expectSoon(() => shown(page)).toEqual(all)
    expect(complaints).toEqual([])
  })

  test('begins behind the record that the address names', async () => {
    const { page, complaints } = await visit()
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search: query } = new URL(request.url())
      if (pathname === '/api/v1/audit/logs') asked.push(query)
    })
    const all = await idsOf('page_size=200')
    await signIn(page, tenant.admin.email, `audit?before_id=${all[70]}&page=4`)
    await page.getByText('entries').waitFor()
    await expectSoon(() => shown(page)).toEqual(all.slice(71, 91))
    expect(await pageNow(page)).toBe('Page 4')
    await page.getByRole('button', { name: 'Newer', exact: true }).click()
    await expectSoon(() => asked).toEqual([
      `?include=actor&page_size=20&before_id=${all[70]}`,
      '?include=actor&page_size=20&page=3',
    ])
    expect(search(page)).toEqual({ page: '3' })
    await open(page, 'audit?before_id=1')
    await page.getByText('No older records').waitFor()
    await page.getByRole('button', { name: 'Newer', exact: true }).click()
    await page.getByRole('link', { name: 'Open the record: Signed in' }).first().waitFor()
    expect(search(page)).toEqual({})
    expect(complaints).toEqual([])
  })
})

test('a total that the service stopped counting ends with a plus, in both languages', async () => {
  const { page, complaints } = await visit()
  await page.route(/\/api\/v1\/(users|audit\/logs|rbac\/roles\/\d+\/users)\?/, async (route) => {
    const response = await route.fetch()
    const { data, ...envelope } = (await response.json()) as { data: object }
    await route.fulfill({
      headers: { ...response.headers(), 'x-total-capped': 'true' },
      json: { ...envelope, data: { ...data, total: 10_000 } },
    })
  })
  const [role] = (ok(await tenant.admin.get('/rbac/roles')) as { id: number; is_system: boolean }[]).filter(
    ({ is_system }) => !is_system,
  )
  await signIn(page, tenant.admin.email)
  for (const path of ['users?status=1', `audit?action=user.create`, `roles/${role?.id}`]) {
    await open(page, path)
    await page.getByText('10,000+ entries').waitFor()
  }
  await page.evaluate("localStorage.setItem('tenantry.language', 'zh')")
  await open(page, 'audit?action=role.assign&page=900&before_id=9007199254740991')
  await page.getByText('共 10,000+ 条').waitFor()
  await page.getByRole('button', { name: '较早' }).click()
  await page.locator('[aria-current=page][aria-label="第 901 页"]').waitFor()
  expect(complaints).toEqual([])
})
