/** Menus and dialogs that no other test opens, each in light, dark and narrow (`npm run test:browser`). */
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import {
  manyTenants,
  newTenant,
  ok,
  platformAdmin,
  unique,
  type Tenant,
} from '../../server/test/factories.ts'
import { chooseAction, expectSoon, inspect, open, refuseStream, settle, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
  await manyTenants(unique(), 20)
})

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name }).first().click()
const cancel = (page: Page) => dialog(page).getByRole('button', { name: 'Cancel' }).click()

test('the menus of the header, and a page that is not there', async () => {
  const { page, complaints } = await visit()
  await signIn(page, (await platformAdmin()).email)
  await open(page, 'no-such-page')
  await page.getByText('Page not found').waitFor()
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  await inspect(page, 'not-found')
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await inspect(page, 'account-menu')
  await page.keyboard.press('Escape')
  await page.getByTitle('Choose an organization').click()
  await page.getByRole('option').first().waitFor()
  await inspect(page, 'tenant-switcher')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Audit log' }).waitFor()
  await inspect(page, 'navigation-open')
  expect(complaints).toEqual([])
})

test('the questions before a user is deleted or loses a role', async () => {
  const { page, complaints } = await visit()
  const member = await tenant.member()
  await signIn(page, tenant.admin.email, `users/${member.userId}?tab=access`)
  await chooseAction(page, 'Delete')
  await dialog(page).getByText(`Delete ${member.username}?`).waitFor()
  await inspect(page, 'user-delete')
  await cancel(page)
  await press(page, 'Remove member')
  await dialog(page).getByText('Loses “View the dashboard”').waitFor()
  await inspect(page, 'user-take-role')
  expect(complaints).toEqual([])
})

test('the questions before a role is changed or deleted', async () => {
  const { page, complaints } = await visit()
  const { id } = await tenant.role('user:read')
  await signIn(page, tenant.admin.email, `roles/${id}`)
  await press(page, 'Edit')
  await dialog(page).getByLabel('Description').waitFor()
  await inspect(page, 'role-edit')
  await cancel(page)
  await chooseAction(page, 'Delete')
  await dialog(page).getByText('This can’t be undone').waitFor()
  await inspect(page, 'role-delete')
  expect(complaints).toEqual([])
})

test('the actions on a tenant', async () => {
  const { page, complaints } = await visit()
  await signIn(page, (await platformAdmin()).email, `tenants?search=${tenant.slug}`)
  await press(page, 'Actions for')
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  await inspect(page, 'tenant-menu')
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog(page).getByLabel('Slug').waitFor()
  await inspect(page, 'tenant-edit')
  expect(complaints).toEqual([])
})

test('a setting without permission to change it, and the question before one is deleted', async () => {
  const { page, complaints } = await visit()
  ok(await tenant.admin.put('/settings/tenant/mail.limits', { value: { perHour: 100, to: ['a', 'b'] } }))
  await signIn(page, tenant.admin.email, 'settings?key=mail.limits')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete mail.limits?' }).waitFor()
  await inspect(page, 'setting-delete')
  const reader = await visit()
  await signIn(reader.page, (await tenant.userWith('setting:read')).email, 'settings?key=mail.limits')
  await dialog(reader.page).getByText('perHour').first().waitFor()
  await inspect(reader.page, 'setting-read')
  expect([...complaints, ...reader.complaints]).toEqual([])
})

test('the time since a notification goes on, and a question comes before it is deleted', async () => {
  const { page, complaints } = await visit()
  const member = await tenant.member()
  ok(await tenant.admin.post('/notifications', { user_id: member.userId, title: 'To be gone' }))
  await page.clock.install()
  await signIn(page, member.email, 'notifications')
  await page.getByRole('link', { name: 'Open: To be gone' }).waitFor()
  await page.clock.fastForward('10:00')
  await page.getByRole('main').getByText('10 minutes ago').waitFor()
  await page.getByRole('link', { name: 'Open: To be gone' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete this notification?' }).waitFor()
  await inspect(page, 'notification-delete')
  expect(complaints).toEqual([])
})

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }

/** The links and controls that a finger misses 11 pixels beside their middle. A link within a sentence may be smaller. */
const findSmall = `(() => {
  const isWithinText = (target) =>
    getComputedStyle(target).display === 'inline' && target.parentElement.textContent !== target.textContent
  const isHit = (target, x, y) => {
    const hit = document.elementFromPoint(x, y)
    return target.contains(hit) || [...(target.labels ?? [])].some((label) => label.contains(hit))
  }
  // The headers of a list, which the focus shows.
  const isHeader = (target) => getComputedStyle(target.closest('th') ?? target).clipPath !== 'none'
  const targets = [...document.querySelectorAll('a[href], button:enabled, input:enabled, select')].filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[inert], .skip') && !isHeader(one) && !isWithinText(one))
  const small = targets.filter((target) => {
    target.scrollIntoView({ block: 'center' })
    const shown = target.closest('label') ?? (target.offsetWidth === 0 ? target.labels[0] : target)
    const { x, y, width, height } = shown.getBoundingClientRect()
    const [middle, center] = [x + width / 2, y + height / 2]
    return [[11, 0], [-11, 0], [0, 11], [0, -11]].some(([dx, dy]) => !isHit(target, middle + dx, center + dy))
  })
  return { targets: targets.length, small: small.map((one) => one.outerHTML.slice(0, 200)) }
})()`

const expectBigTargets = async (page: Page): Promise<void> => {
  const { targets, small } = await page.evaluate<{ targets: number; small: string[] }>(findSmall)
  expect(targets).toBeGreaterThan(10)
  expect(small).toEqual([])
}

/** Neither the text nor the control is beyond an edge of the screen. */
const expectOnScreen = async (place: Locator): Promise<void> => {
  await place.scrollIntoViewIfNeeded()
  const { x = -1, width = 0 } = (await place.boundingBox()) ?? {}
  expect(x).toBeGreaterThanOrEqual(0)
  expect(x + width).toBeLessThanOrEqual(phone.viewport.width)
}

test('a phone shows each row of a list with its actions, which a finger can touch', async () => {
  const { page, complaints } = await visit(phone)
  await refuseStream(page)
  const { id } = ok(await tenant.admin.post('/service-accounts', { name: 'Billing' }))
  const allowed_cidrs = ['10.0.0.0/8', '192.168.0.0/16', '203.0.113.0/24']
  ok(await tenant.admin.post(`/service-accounts/${id}/keys`, { name: 'A build server', allowed_cidrs }))
  await signIn(page, tenant.admin.email, `service-accounts/${id}`)
  const row = page.getByRole('table', { name: 'Keys' }).getByRole('row', { name: 'A build server' })
  await row.waitFor()
  expect(await row.getByRole('cell').count()).toBe(await page.getByRole('columnheader').count())
  await expectOnScreen(row.getByText('203.0.113.0/24'))
  await expectOnScreen(row.getByRole('button', { name: 'Revoke' }))
  await open(page, 'users')
  await settle(page)
  await expectOnScreen(page.getByRole('cell', { name: tenant.admin.email }))
  await expectOnScreen(page.getByRole('combobox', { name: 'Sort by' }))
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Name ↓')
  await expectSoon(() => page.url()).toMatch(/sort=-/)
  await expectBigTargets(page)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Audit log' }).waitFor()
  const link = await page.getByRole('link', { name: 'Audit log' }).boundingBox()
  expect(link?.height).toBeGreaterThanOrEqual(44)
  await open(page, `roles/${(await tenant.role('user:read')).id}`)
  await settle(page)
  await expectBigTargets(page)
  expect(complaints).toEqual([])
})

test('a phone shows the whole name of another organization', async () => {
  const { page, complaints } = await visit(phone)
  const root = await platformAdmin()
  ok(await root.put(`/org/tenants/${tenant.id}`, { name: 'Acme Manufacturing of Rotterdam' }))
  await signIn(page, root.email, `tenants?search=${tenant.slug}`)
  await expectOnScreen(page.getByRole('button', { name: 'Actions for Acme Manufacturing' }))
  await open(page, `users?tenant=${tenant.id}`)
  await page.getByText('Not your organization: Acme Manufacturing of Rotterdam').waitFor()
  const cut = `(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
    scrollHeight > clientHeight || scrollWidth > clientWidth)(document.querySelector('.elsewhere b'))`
  expect(await page.evaluate(cut)).toBe(false)
  expect(complaints).toEqual([])
})
