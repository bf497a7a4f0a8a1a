/** Menus and dialogs that no other test opens, each in light, dark and narrow (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import {
  manyTenants,
  newTenant,
  ok,
  platformAdmin,
  unique,
  type Tenant,
} from '../../server/test/factories.ts'
import { inspect, open, signIn, visit } from './visit.ts'

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
  await press(page, 'Delete')
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
  await press(page, 'Delete')
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
