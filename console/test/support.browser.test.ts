/** Support sessions, in a real browser (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ok } from '../../server/test/factories.ts'
import { service } from '../../server/test/harness.ts'
import { inProduct } from '../../server/test/support-products.ts'
import { openSupport, supported } from '../../server/test/support.ts'
import {
  chooseAction,
  expectSoon,
  inspect,
  open,
  sessionKey,
  settle,
  signIn,
  signInToAccount,
  visit,
} from './visit.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Puts the session of a caller into the browser. */
const enterAs = async (page: Page, token: string, path: string): Promise<void> => {
  await page.goto(`${service.url}/healthz`)
  const session = JSON.stringify({ accessToken: token, refreshToken: '', expiresAt: Date.now() + 600_000 })
  await page.evaluate(`localStorage.setItem('${sessionKey}', ${JSON.stringify(session)})`)
  await open(page, path)
  await page.getByRole('button', { name: 'Account', exact: true }).waitFor()
}

describe('a support session', () => {
  test('is asked for, allowed by the user, shown in a frame, and ended', async () => {
    const { tenant, user, staff } = await supported('user:read', 'setting:read', 'setting:update')
    const { page, complaints } = await visit()
    await enterAs(page, staff.token, `users/${user.userId}?tenant=${tenant.id}`)
    await chooseAction(page, 'Support')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Act' }).check()
    await dialog.getByLabel('Reason').fill('Ticket 4711: the export of March')
    await inspect(page, 'support-ask')
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await page.getByRole('heading', { name: 'Support', level: 1 }).waitFor()
    await page.getByRole('heading', { name: `You want to work as ${user.username}` }).waitFor()

    const own = await visit()
    await signIn(own.page, user.email)
    await own.page.getByRole('navigation').getByRole('link', { name: 'Support' }).click()
    await own.page.getByRole('heading', { name: `${staff.username} (staff) wants to work as you` }).waitFor()
    await own.page.getByText('Ticket 4711: the export of March').first().waitFor()
    await inspect(own.page, 'support-question')
    await press(own.page, 'Allow')
    await own.page.getByText('Support session allowed.').waitFor()

    await inspect(page, 'support')
    await press(page, 'Start')
    const bar = page.getByText(`You’re working as ${user.username}.`)
    await bar.waitFor()
    await settle(page)
    await page.getByText(/\d.? minutes left/).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click()
    await page.getByRole('cell', { name: user.email }).first().waitFor()
    await bar.waitFor()
    await inspect(page, 'support-frame')
    await open(page, 'settings')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await bar.waitFor()
    expect(await page.getByRole('button', { name: 'Account', exact: true }).count()).toBe(0)

    await press(page, 'End')
    await page.getByText('The support session has ended').waitFor()
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor()
    expect(await bar.count()).toBe(0)
    await inspect(page, 'support-over')
    const { items } = ok(await user.get(`/support/sessions?user_id=${user.userId}`))
    expect(items).toMatchObject([{ status: 'over', ended_by: 'actor' }])
    expect([...complaints, ...own.complaints]).toEqual([])
  })

  test('gives the tab back when the user ends it', async () => {
    const { tenant, user, staff } = await supported('user:read')
    const { page, complaints } = await visit()
    const question = { user_id: user.userId, kind: 'view', reason: 'Ticket 4711', minutes: 5 }
    const { id } = ok(await staff.post('/support/sessions', question))
    ok(await user.post(`/support/sessions/${id}/decide`, { allow: true }))
    await enterAs(page, staff.token, `support?tenant=${tenant.id}`)
    await press(page, 'Start')
    await page.getByText('You can only read.').waitFor()
    await settle(page)

    const own = await visit()
    await signIn(own.page, user.email, 'support')
    await press(own.page, 'End')
    await own.page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
    await own.page.getByText('Support session ended.').waitFor()

    await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click()
    await page.getByText('The support session has ended').waitFor()
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor()
    expect([...complaints, ...own.complaints]).toEqual([])
  })

  test('is refused by somebody who may allow support', async () => {
    const { admin, user, staff } = await supported('user:read')
    const question = { user_id: user.userId, kind: 'view', reason: 'Ticket 4711', minutes: 5 }
    const { id } = ok(await staff.post('/support/sessions', question))
    const { page, complaints } = await visit()
    await enterAs(page, admin.token, 'support')
    await page.getByRole('heading', { name: `wants to work as ${user.username}` }).waitFor()
    await press(page, 'Refuse')
    await page.getByText('Support session refused.').waitFor()
    await page.getByRole('cell', { name: 'Refused' }).waitFor()
    await expectSoon(async () => ok(await staff.get(`/support/sessions/${id}`)).status).toBe('refused')
    expect(complaints).toEqual([])
  })
})

test('the page of a support session shows how often it called each endpoint', async () => {
  const { user, staff } = await supported('user:read')
  const { id, session } = await openSupport(staff, user, { kind: 'view' })
  for (const path of ['/users', '/users', `/users/${user.userId}`]) ok(await session.get(path))
  const { page, complaints } = await visit()
  await signIn(page, user.email, 'support')
  await page.getByRole('link', { name: `${staff.username} (staff)` }).click()
  await page.getByRole('heading', { name: `${staff.username} (staff) as ${user.username}` }).waitFor()
  await page.getByRole('row', { name: 'GET /api/v1/users/{id} 1', exact: true }).waitFor()
  const rows = page.getByRole('table', { name: 'Requests' }).getByRole('row')
  expect(await rows.nth(1).textContent()).toBe('GET/api/v1/users2')
  await inspect(page, 'support-session')

  ok(await session.get(`/users/${user.userId}/sessions`))
  await page.getByRole('row', { name: 'GET /api/v1/users/{id}/sessions 1' }).waitFor()
  await press(page, 'End')
  await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
  await page.getByText('The user ended it.').waitFor()
  expect(await page.getByRole('button', { name: 'End', exact: true }).count()).toBe(0)
  expect(ok(await staff.get(`/support/sessions/${id}`)).status).toBe('over')
  expect(complaints).toEqual([])
})

test('lists of sessions mark a support session, and name who works in it', async () => {
  const { admin, user, staff } = await supported('user:read')
  await openSupport(staff, user)
  const { page, complaints } = await visit()
  await enterAs(page, admin.token, `users/${user.userId}`)
  const listed = (list: string) =>
    page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: 'Support' })
  await listed('Active sessions').getByText(`By ${staff.username}`).waitFor()
  expect(await listed('Active sessions').count()).toBe(1)
  await inspect(page, 'support-sessions')
  await signInToAccount(page, user.email, 'devices')
  await listed('Your active sessions').getByText(`By ${staff.username}`).waitFor()
  expect(await listed('Your active sessions').count()).toBe(1)
  await inspect(page, 'support-devices')
  expect(complaints).toEqual([])
})

test('the rules of a tenant about support are set in its settings', async () => {
  const { admin } = await supported('user:read')
  const { page, complaints } = await visit()
  await enterAs(page, admin.token, 'settings')
  await page.getByLabel('Access by the operator’s staff').selectOption('Not allowed')
  await page.getByRole('switch', { name: 'Ask and notify the user' }).click()
  const stored = async () => {
    const settings: { key: string; value: unknown }[] = ok(await admin.get('/settings/tenant'))
    return Object.fromEntries(settings.map(({ key, value }) => [key, value]))
  }
  await expectSoon(stored).toMatchObject({ 'auth.support_access': 'off', 'auth.support_notice': false })
  await inspect(page, 'support-settings')
  expect(complaints).toEqual([])
})

test('a product is opened as the user by a click, which gives its code and state', async () => {
  const { staff, user, application, id } = await inProduct()
  const { page, complaints } = await visit()
  await page.route('https://shop.example.com/**', (route) => route.fulfill({ body: 'The shop' }))
  // The router would read such a state as a number.
  const state = '12345678901234567890'
  const query = new URLSearchParams({
    support_session: id,
    client_id: application.client_id,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    state,
  })
  await enterAs(page, staff.token, `support?${query.toString()}`)
  await page.getByText(new RegExp(`^Open .* as ${user.username}\\?$`)).waitFor()
  await inspect(page, 'support-entrance')
  await press(page, 'Open product')
  await page.getByText('The shop').waitFor()
  const { searchParams: given } = new URL(page.url())
  expect(given.get('state')).toBe(state)
  expect(given.get('code')).not.toBe(null)
  expect(given.get('iss')).not.toBe(null)
  expect(complaints).toEqual([])
})
