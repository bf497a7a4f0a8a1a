/** Roles that end, and roles that a session starts for a time, in a real browser (`npm run test:browser`). */
import { expect, test } from 'vitest'
import { newTenant, ok } from '../../server/test/factories.ts'
import { proveTwice } from '../../server/test/second-factors.ts'
import { expectSoon, inspect, signIn, visit } from './visit.ts'

test('a role is given for a week, shows its end and its giver, and gets another end', async () => {
  const tenant = await newTenant()
  const [member, role] = [await tenant.member(), await tenant.role('user:read')]
  const { page, complaints } = await visit()
  await signIn(page, tenant.admin.email, `users/${member.userId}?tab=access`)
  await page.getByRole('combobox', { name: 'Assign role' }).click()
  await page.getByRole('option', { name: role.name }).click()
  await page.getByRole('combobox', { name: 'Ends' }).click()
  await page.getByRole('option', { name: 'After 7 days' }).click()
  await inspect(page, 'role-ends-give')
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByText('Role assigned.').waitFor()
  await page.getByText(new RegExp(`^Until .* Assigned by ${tenant.admin.username}`)).waitFor()
  await page.getByRole('button', { name: `Change the end date of ${role.name}` }).click()
  await inspect(page, 'role-ends-change')
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Last day').inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await dialog.getByRole('combobox', { name: 'Ends' }).click()
  await page.getByRole('option', { name: 'Never' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('End date changed.').waitFor()
  const query = `user_id=${member.userId}&role_id=${role.id}`
  const { items } = ok(await tenant.admin.get(`/rbac/assignments?${query}`))
  expect(items).toMatchObject([{ expires_at: '' }])
  expect(complaints).toEqual([])
})

test('an eligible user starts a role with a reason, sees more until the end, and ends it', async () => {
  const tenant = await newTenant()
  const [member, role] = [await tenant.member(), await tenant.role('user:read')]
  const { page, complaints } = await visit()
  await signIn(page, tenant.admin.email, `users/${member.userId}?tab=access`)
  await page.getByRole('button', { name: 'Make eligible' }).waitFor()
  await proveTwice(tenant.admin)
  await page.getByRole('button', { name: 'Make eligible' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: role.name }).click()
  await inspect(page, 'role-ends-eligible')
  await dialog.getByRole('button', { name: 'Make eligible' }).click()
  await page.getByText('The user can activate this role from now on.').waitFor()
  await page.getByText('For at most 60 minutes.').waitFor()

  const own = await visit()
  await signIn(own.page, member.email)
  await own.page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await proveTwice(member)
  await own.page.getByRole('button', { name: 'Account' }).click()
  await own.page.getByRole('menuitem', { name: 'Activate a role' }).click()
  const start = own.page.getByRole('dialog')
  await start.getByRole('textbox', { name: 'Reason' }).fill('Ticket 4711')
  await inspect(own.page, 'elevation-start')
  await start.getByRole('button', { name: 'Activate' }).click()
  await own.page.getByRole('link', { name: 'Users', exact: true }).waitFor()
  await own.page.getByText(new RegExp(`^${role.name} until `)).waitFor()
  await inspect(own.page, 'elevation-bar')
  await own.page.getByRole('button', { name: 'End now' }).click()
  await own.page.getByText('The role has ended.').waitFor()
  await expectSoon(() => own.page.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0)
  expect([...complaints, ...own.complaints]).toEqual([])
})
