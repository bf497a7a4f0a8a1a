/** Changing many users while requests fail or others change them too, in a real browser (`npm run test:browser`). */
import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { newTenant, ok, unique, type Caller, type Tenant } from '../../server/test/factories.ts'
import { chooseAction, expectSoon, inspect, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const dialog = (page: Page) => page.getByRole('dialog')

/** Users that one search finds, named `mark` and a number, in the order of their ids. */
const members = async (count: number): Promise<{ mark: string; users: Caller[] }> => {
  const mark = unique('m')
  const made = await Promise.all(Array.from({ length: count }, () => tenant.member()))
  const users = made.toSorted((one, other) => one.userId - other.userId)
  for (const [number, { userId }] of users.entries()) {
    ok(await tenant.admin.put(`/users/${userId}`, { nickname: `${mark} ${number}` }))
  }
  return { mark, users }
}

const statusesOf = async (mark: string): Promise<number[]> =>
  (ok(await tenant.admin.get(`/users?search=${mark}`)).items as { status: number }[]).map(
    ({ status }) => status,
  )

const chooseAll = async (page: Page, count: number): Promise<void> => {
  await page.getByText(`${count} entr`).waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
}

const disable = async (page: Page): Promise<void> => {
  await chooseAction(page, 'Disable', 'Actions')
  await dialog(page).getByRole('button', { name: 'Disable' }).click()
}

/** Holds back changes of users until `release`. */
const holdWrites = async (page: Page) => {
  const held: Route[] = []
  let isHeld = true
  await page.route('**/api/v1/users/*', async (route) => {
    if (isHeld && route.request().method() !== 'GET') held.push(route)
    else await route.continue()
  })
  const release = async (): Promise<void> => {
    isHeld = false
    await Promise.all(held.map((route) => route.continue()))
  }
  return { held, release }
}

test('Undo leaves users alone who were disabled by another administrator before', async () => {
  const { page, complaints } = await visit()
  const { mark, users } = await members(3)
  await signIn(page, tenant.admin.email, `users?search=${mark}`)
  await chooseAll(page, 3)
  ok(await tenant.admin.put(`/users/${users[0]?.userId}`, { status: 0 }))
  await disable(page)
  await page.getByText('2 users disabled.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('2 users enabled.').waitFor()
  expect(await statusesOf(mark)).toEqual([0, 1, 1])
  expect(complaints).toEqual([])
})

test('selected users are shown and counted with their present data', async () => {
  const { page } = await visit()
  const { mark, users } = await members(2)
  await signIn(page, tenant.admin.email, `users?search=${mark}`)
  await chooseAll(page, 2)
  await disable(page)
  await page.getByText('2 users disabled.').waitFor()
  await chooseAll(page, 2)
  ok(await tenant.admin.put(`/users/${users[0]?.userId}`, { status: 1 }))
  await page.getByRole('columnheader', { name: 'ID' }).getByRole('button').click()
  await page.getByRole('table').getByText('Enabled').waitFor()
  await chooseAction(page, 'Disable', 'Actions')
  await dialog(page)
    .getByText(/^Disable .*\?$/)
    .waitFor()
  await dialog(page).getByText('Already disabled, so left out: 1.').waitFor()
  expect(await page.getByText('2 selected').count()).toBe(1)
})

test('Undo disappears with the next action, and when the page is left', async () => {
  const { page } = await visit()
  const { mark } = await members(2)
  await signIn(page, tenant.admin.email, `users?search=${mark}`)
  await chooseAll(page, 2)
  await disable(page)
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  await page.getByRole('checkbox', { name: `Select ${mark} 0` }).check()
  await chooseAction(page, 'Enable', 'Actions')
  await page.getByText(/ enabled\.$/).waitFor()
  await page.getByText('2 users disabled.').waitFor({ state: 'detached' })
  expect(await undo.count()).toBe(1)
  await page.getByRole('link', { name: 'Roles', exact: true }).click()
  await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor()
  await undo.waitFor({ state: 'detached' })
  expect(await statusesOf(mark)).toEqual([1, 0])
})

test('Undo keeps a selection made meanwhile', async () => {
  const { page } = await visit()
  const { mark } = await members(2)
  await signIn(page, tenant.admin.email, `users?search=${mark}`)
  await page.getByRole('checkbox', { name: `Select ${mark} 0` }).check()
  await disable(page)
  await page.getByText(/ disabled\.$/).waitFor()
  await page.getByRole('checkbox', { name: `Select ${mark} 1` }).check()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/ enabled\.$/).waitFor()
  expect(await page.getByRole('checkbox', { name: `Select ${mark} 1` }).isChecked()).toBe(true)
})

test('failed users are listed and stay selected, so that a retry is possible', async () => {
  const { page } = await visit()
  const { mark, users } = await members(9)
  const manager = await tenant.userWith('user:read', 'user:update', 'dashboard:read')
  const { id: roleId } = await tenant.role('setting:read')
  const above = { user_ids: users.slice(1).map(({ userId }) => userId) }
  ok(await tenant.admin.post(`/rbac/roles/${roleId}/users`, { ...above, held: true }))
  await signIn(page, manager.email, `users?search=${mark}`)
  await chooseAll(page, 9)
  await disable(page)
  await page.getByText('8 of 9 failed').waitFor()
  const told = page.getByRole('region', { name: 'Failed items' })
  expect(await told.getByRole('listitem').count()).toBe(1)
  await page.getByText('8 selected').waitFor()
  expect(await page.getByRole('checkbox', { name: `Select ${mark} 0` }).isChecked()).toBe(false)
  await inspect(page, 'users-failed')
  ok(await tenant.admin.post(`/rbac/roles/${roleId}/users`, { ...above, held: false }))
  await disable(page)
  await page.getByText('8 users disabled.').waitFor()
  expect(await statusesOf(mark)).toEqual(Array.from({ length: 9 }, () => 0))
})

test('leaving the page asks first, and then stops the remaining work', async () => {
  const { page, complaints } = await visit()
  const { mark } = await members(3)
  await signIn(page, tenant.admin.email, `users?search=${mark}`)
  await chooseAll(page, 3)
  const { held, release } = await holdWrites(page)
  await chooseAction(page, 'Delete', 'Actions')
  await dialog(page).getByRole('textbox').fill('3')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectSoon(() => held.length).toBe(1)
  await page.getByText('0 of 3').waitFor()
  await page.getByRole('link', { name: 'Roles', exact: true }).click()
  await dialog(page).getByText('Leave while work is in progress?').waitFor()
  await inspect(page, 'leave-work')
  await dialog(page).getByRole('button', { name: 'Stop and leave' }).click()
  await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor()
  await release()
  await page.getByText(/ deleted\.$/).waitFor()
  expect(await statusesOf(mark)).toEqual([1, 1])
  expect(complaints).toEqual([])
})

test('a question cannot be closed while its action runs', async () => {
  const { page } = await visit()
  const member = await tenant.member()
  await signIn(page, tenant.admin.email, `users/${member.userId}`)
  const { held, release } = await holdWrites(page)
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Disable' }).click()
  await expectSoon(() => held.length).toBe(1)
  await expectSoon(() => dialog(page).getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
  expect(await dialog(page).getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 400)
  await inspect(page, 'question-pending')
  expect(await dialog(page).count()).toBe(1)
  await release()
  await page.getByText('Signed out of 1 session.').waitFor()
  await dialog(page).waitFor({ state: 'detached' })
})

test('a change without a network fails at once, and says so', async () => {
  const { page } = await visit()
  const member = await tenant.member()
  await signIn(page, tenant.admin.email, `users/${member.userId}`)
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  await dialog(page).getByText('can’t sign in until').waitFor()
  await page.context().setOffline(true)
  await dialog(page).getByRole('button', { name: 'Disable' }).click()
  await dialog(page).getByText('The service can’t be reached').waitFor()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.context().setOffline(false)
  expect(ok(await tenant.admin.get(`/users/${member.userId}`)).status).toBe(1)
})
