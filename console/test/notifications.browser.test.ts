/** Notifications from sending to deleting, in a real browser (`npm run test:browser`). */
import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { newTenant, ok, type Caller, type Tenant } from '../../server/test/factories.ts'
import { inspect, open, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const inboxOf = async (user: Caller): Promise<{ title: string; content: string; type: string }[]> =>
  ok(await user.get(`/notifications/user/${user.userId}`)).items

const bell = (page: Page, unread: number) =>
  page.getByRole('button', { name: `Notifications: ${unread} unread` })

test('a notification sent to two users arrives at both', async () => {
  const { page, complaints } = await visit()
  const both = [await tenant.member(), await tenant.member()]
  await signIn(page, tenant.admin.email, 'notifications')
  await page.getByText('No notifications yet').waitFor()
  await inspect(page, 'notifications-empty')
  await page.getByRole('button', { name: 'Send' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send notification' })
  const send = dialog.getByRole('button', { name: 'Send' })
  await send.click()
  await dialog.getByText('Fill in this field.').waitFor()
  expect(await dialog.getByRole('combobox', { name: 'Recipients' }).getAttribute('aria-invalid')).toBe('true')
  await inspect(page, 'notifications-fault')
  for (const { username } of both) {
    await dialog.getByRole('combobox', { name: 'Recipients' }).fill(username)
    await page.getByRole('option', { name: username }).click()
  }
  await dialog.getByLabel('Title').fill('x'.repeat(201))
  await dialog.getByText('201 of 200').waitFor()
  await send.click()
  await dialog.getByText('Enter a title of 1 to 200 characters.').waitFor()
  await dialog.locator('input:focus').waitFor()
  await dialog.getByLabel('Title').fill('Maintenance on Sunday')
  await dialog.getByLabel('Content').fill('From 02:00 to 03:00 UTC.')
  await inspect(page, 'notifications-send')
  await send.click()
  await dialog.getByText('Sent to 2 users').waitFor()
  await inspect(page, 'notifications-sent')
  for (const user of both) {
    const [latest] = await inboxOf(user)
    expect(latest).toMatchObject({ title: 'Maintenance on Sunday', content: 'From 02:00 to 03:00 UTC.' })
  }
  expect(complaints).toEqual([])
})

test('everyone in the tenant gets a broadcast, which can be stopped and gone on with, and the sender shows', async () => {
  const { page, complaints } = await visit()
  const own = await newTenant()
  const member = await own.member()
  const held: Route[] = []
  await page.route('**/batches', (route) => void held.push(route), { times: 1 })
  await signIn(page, own.admin.email, '')
  await page.getByRole('navigation').getByRole('link', { name: 'Notifications' }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send notification' })
  await dialog.getByText('Everyone', { exact: true }).click()
  await dialog.getByText('Every user of').waitFor()
  await dialog.getByLabel('Title').fill('Maintenance at noon')
  await inspect(page, 'broadcast')
  await dialog.getByRole('button', { name: 'Send to everyone' }).click()
  await dialog.getByText('Sending: 0 of 2 users').waitFor()
  await inspect(page, 'broadcast-sending')
  await held[0]?.abort()
  await dialog.getByText('Stopped: 0 of 2 users have received it.').waitFor()
  await dialog.getByText('Close', { exact: true }).click()
  await page.getByText('Sent by me').click()
  await page.getByText('0 of 2', { exact: true }).waitFor()
  await inspect(page, 'notifications-mine')
  await page.getByRole('button', { name: 'Continue sending' }).click()
  const again = page.getByRole('dialog', { name: 'Maintenance at noon' })
  await again.getByRole('button', { name: 'Continue sending' }).click()
  await again.getByText('2 users have received it.').waitFor()
  await again.getByText('Close', { exact: true }).click()
  await page.getByText('2 of 2', { exact: true }).waitFor()
  await page.getByText('All', { exact: true }).click()
  await page.getByRole('cell', { name: own.admin.username }).waitFor()
  await inspect(page, 'notifications-from')
  expect(await inboxOf(member)).toMatchObject([{ title: 'Maintenance at noon' }])
  expect(complaints).toEqual([])
})

test('the holders of a role get a message', async () => {
  const { page } = await visit()
  const own = await newTenant()
  const [holder, other] = [await own.userWith('user:read'), await own.member()]
  const [role] = ok(await own.admin.get(`/rbac/users/${holder.userId}/roles`)).filter(
    ({ is_system: isSystem }: { is_system: boolean }) => !isSystem,
  )
  await signIn(page, own.admin.email, 'notifications')
  await page.getByRole('button', { name: 'Send' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send notification' })
  await dialog.getByText('A role').click()
  await dialog.getByRole('combobox', { name: 'Role' }).fill(role.name)
  await page.getByRole('option', { name: role.name }).click()
  await dialog.getByLabel('Title').fill('To the role')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('1 user has received it.').waitFor()
  expect([(await inboxOf(holder)).length, (await inboxOf(other)).length]).toEqual([1, 0])
})

test('sending lists failed recipients with the reasons', async () => {
  const { page } = await visit()
  const [stays, goes] = [await tenant.member(), await tenant.member()]
  await signIn(page, tenant.admin.email, 'notifications')
  await page.getByRole('button', { name: 'Send' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send notification' })
  for (const { username } of [stays, goes]) {
    await dialog.getByRole('combobox', { name: 'Recipients' }).fill(username)
    await page.getByRole('option', { name: username }).click()
  }
  ok(await tenant.admin.delete(`/users/${goes.userId}`))
  await dialog.getByLabel('Title').fill('Hello')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('1 of 2 were not notified.').waitFor()
  await dialog.getByText(`${goes.username} – Not sent: This user no longer exists.`).waitFor()
  await dialog.getByText(`${stays.username} – Sent`).waitFor()
  expect((await inboxOf(stays)).length).toBe(1)
})

/** Chooses recipients in the open window. */
const address = async (page: Page, users: Caller[]) => {
  const dialog = page.getByRole('dialog', { name: 'Send notification' })
  await page.getByRole('button', { name: 'Send' }).click()
  for (const { username } of users) {
    await dialog.getByRole('combobox', { name: 'Recipients' }).fill(username)
    await page.getByRole('option', { name: username }).click()
  }
  await dialog.getByLabel('Title').fill('Hello')
  return dialog
}

test('recipients who may have received a message do not get it again', async () => {
  const { page } = await visit()
  const [got, fails, last] = [await tenant.member(), await tenant.member(), await tenant.member()]
  let isMended = false
  await page.route('**/api/v1/notifications', async (route) => {
    const { user_id } = route.request().postDataJSON() as { user_id: number }
    if (user_id === got.userId) {
      // The service handles the request, and its answer is lost.
      await route.fetch()
      await route.abort()
    } else if (user_id === fails.userId && !isMended) {
      await route.fulfill({
        status: 500,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: 50001, message: 'Internal', data: null, trace_id: 'x' }),
      })
    } else await route.continue()
  })
  await signIn(page, tenant.admin.email, 'notifications')
  const dialog = await address(page, [got, fails, last])
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('1 of 3 were not notified. 1 of 3 may or may not have been notified.').waitFor()
  await dialog.getByText(`${got.username} – No response: it may have arrived`).waitFor()
  await dialog.getByText(`${fails.username} – Not sent`).waitFor()
  await inspect(page, 'notifications-unsure')
  isMended = true
  await dialog.getByRole('button', { name: 'Send to the rest' }).click()
  await dialog.getByText('1 of 3 may or may not have been notified.', { exact: true }).waitFor()
  await dialog.getByText(`${fails.username} – Sent`).waitFor()
  await dialog.getByText(`${last.username} – Sent`).waitFor()
  expect(await dialog.getByRole('button', { name: 'Send to the rest' }).count()).toBe(0)
  for (const user of [got, fails, last]) expect(await inboxOf(user)).toHaveLength(1)
})

test('the window stays open while it sends, and stopped messages can be sent later', async () => {
  const { page } = await visit()
  const both = [await tenant.member(), await tenant.member()]
  const held: Route[] = []
  await page.route('**/api/v1/notifications', (route) => void held.push(route), { times: 1 })
  await signIn(page, tenant.admin.email, 'notifications')
  const dialog = await address(page, both)
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('Sending: 0 of 2').waitFor()
  await page.keyboard.press('Escape')
  const buttons = dialog.getByRole('button', { name: 'Close' })
  for (const button of await buttons.all()) expect(await button.isDisabled()).toBe(true)
  await inspect(page, 'notifications-sending')
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await held[0]?.continue()
  await dialog.getByText('1 of 2 were not notified.').waitFor()
  await dialog.getByRole('button', { name: 'Send to the rest' }).click()
  await dialog.getByText('Sent to 2 users').waitFor()
  for (const user of both) expect(await inboxOf(user)).toHaveLength(1)
})

test('a notification to oneself appears at once', async () => {
  const { page } = await visit()
  const own = await newTenant()
  await signIn(page, own.admin.email, 'notifications')
  await page.getByText('No notifications yet').waitFor()
  const dialog = await address(page, [own.admin])
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('Sent to 1 user').waitFor()
  await dialog.getByText('Close', { exact: true }).click()
  await bell(page, 1).waitFor()
  await page.getByRole('link', { name: 'Open: Hello' }).waitFor()
  expect(await page.getByText('No notifications yet').count()).toBe(0)
})

test('reading one lowers the count in every tab, and one button reads all', async () => {
  const { page, complaints } = await visit()
  const member = await tenant.member()
  const content = `${'A long line that goes on and on. '.repeat(12)}\n\nAnd a second one.`
  for (const [title, type] of [
    ['Your export is ready', 'success'],
    ['Password expires', 'warning'],
    [`A title that is rather long, ${'as long as it can be '.repeat(8)}`, 'error'],
  ]) {
    ok(await tenant.admin.post('/notifications', { user_id: member.userId, title, type, content }))
  }
  await signIn(page, member.email)
  const other = await page.context().newPage()
  await open(other)
  await bell(other, 3).waitFor()
  await bell(page, 3).click()
  await inspect(page, 'notifications-bell')
  await page.getByRole('link', { name: 'Password expires' }).click()
  const dialog = page.getByRole('dialog', { name: 'Password expires' })
  await dialog.getByText('And a second one.').waitFor()
  await bell(other, 2).waitFor()
  await inspect(page, 'notifications-open')
  await dialog.getByText('Close', { exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await inspect(page, 'notifications')
  await page.getByText('Unread', { exact: true }).click()
  await page.getByText('2 entries').waitFor()
  expect(new URL(page.url()).search).toBe('?view=unread')
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByText('You’ve read all notifications').waitFor()
  await bell(other, 0).waitFor()
  expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a notification is marked read without opening it, and deleted after a question', async () => {
  const { page } = await visit()
  const member = await tenant.member()
  ok(await tenant.admin.post('/notifications', { user_id: member.userId, title: 'To be gone' }))
  await signIn(page, member.email, 'notifications')
  await page.getByRole('table').getByRole('button', { name: 'Mark as read' }).click()
  await bell(page, 0).waitFor()
  await page.getByRole('link', { name: 'Open: To be gone' }).click()
  await page.getByRole('dialog', { name: 'To be gone' }).getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: 'Delete this notification?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await page.getByText('No notifications yet').waitFor()
  expect(await inboxOf(member)).toEqual([])
})

test('the page is found by Ctrl K', async () => {
  const { page } = await visit()
  await signIn(page, (await tenant.member()).email)
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Find pages, users, roles and more').fill('notif')
  await page.getByRole('option', { name: 'Notifications', exact: true }).click()
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/notifications')
})
