/** What the console does when the service fails: `npm run test:browser`. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { assign, newTenant, ok, platformAdmin, type Tenant } from '../../server/test/factories.ts'
import { inspect, open, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

interface Failure {
  status: number
  code: number
  headers?: Record<string, string>
  /** How often, before the service is mended by itself. */
  times?: number
}

/** The service answers what goes to this address with an error. */
const fail = (page: Page, url: string, { status, code, headers, times }: Failure) =>
  page.route(
    url,
    (route) =>
      route.fulfill({
        status,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ code, message: 'in the words of the service', data: null, trace_id: traceId }),
      }),
    times === undefined ? {} : { times },
  )

const users = '**/api/v1/users?*'

describe('a list that fails', () => {
  test('gives the trace id to copy, and is there when the service is mended', async () => {
    const { page, complaints } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    await signIn(page, tenant.admin.email)
    await fail(page, users, { status: 500, code: 50001 })
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    const panel = page.getByRole('alert')
    await panel.getByText('Give whoever runs it the trace id').waitFor()
    await inspect(page, 'fault')
    await panel.getByRole('button', { name: 'Copy the trace id' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(traceId)
    await page.unroute(users)
    await panel.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(tenant.admin.email).waitFor()
    expect(await panel.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('comes by itself once the service is back after the wait it asked for', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email)
    await fail(page, users, { status: 503, code: 50301, headers: { 'retry-after': '1' }, times: 1 })
    const startedAt = Date.now()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByText(tenant.admin.email).waitFor()
    expect(Date.now() - startedAt).toBeGreaterThan(1000)
  })

  test.each([
    ['the service is away for long', 503, 50302, 'The database is away at the moment'],
    ['there were too many requests', 429, 42901, 'These were too many requests'],
  ])('says that %s', async (_, status, code, text) => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email)
    await fail(page, users, { status, code, headers: { 'retry-after': '60' } })
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('alert').getByText(text).waitFor()
    await page.unroute(users)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(tenant.admin.email).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

test('a console that cannot find out who is signed in says so, and goes on when it can', async () => {
  const { page } = await visit()
  await signIn(page, tenant.admin.email)
  await fail(page, '**/api/v1/profile', { status: 500, code: 50001 })
  await page.reload()
  await page.getByRole('alert').getByText('Give whoever runs it the trace id').waitFor()
  await inspect(page, 'fault-start')
  await page.unroute('**/api/v1/profile')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/')
})

test('a user whose tenant is disabled goes on when it is enabled again, or signs out', async () => {
  const { page } = await visit()
  const own = await newTenant()
  const root = await platformAdmin()
  const setStatus = async (status: 0 | 1) => ok(await root.put(`/org/tenants/${own.id}`, { status }))
  const panel = page.getByRole('alert')
  await signIn(page, own.admin.email)
  await setStatus(0)
  await page.reload()
  await panel.getByText('Your tenant is disabled').waitFor()
  await inspect(page, 'fault-disabled')
  await setStatus(1)
  await panel.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await setStatus(0)
  await page.reload()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
})

describe('an address that names a tenant', () => {
  test('which is not the one of its reader leads to theirs', async () => {
    const { page } = await visit()
    const other = await newTenant()
    await signIn(page, tenant.admin.email)
    await open(page, `users?tenant=${other.id}`)
    await page.getByText('This is not your tenant.').waitFor()
    await inspect(page, 'fault-foreign')
    await page.getByRole('link', { name: 'To your tenant' }).click()
    await page.getByText('Recent events').waitFor()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByText(tenant.admin.email).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('which there is not leads a platform administrator to theirs', async () => {
    const { page } = await visit()
    const root = await platformAdmin()
    await signIn(page, root.email, `users?tenant=${crypto.randomUUID()}`)
    await page.getByText('There is no such tenant any more.').waitFor()
    await page.getByRole('link', { name: 'To your tenant' }).click()
    await page.getByText('Recent events').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })
})

test('a role is taken from nobody of whom it is not known what they lose, and that is tried again', async () => {
  const { page } = await visit()
  const role = await tenant.role('user:read')
  const member = await tenant.member()
  await assign(tenant.id, member.userId, role.id)
  await signIn(page, tenant.admin.email, `roles/${role.id}`)
  const roles = `**/rbac/users/${member.userId}/roles`
  await fail(page, roles, { status: 500, code: 50001 })
  await page.getByRole('button', { name: `Take the role from ${member.username}` }).click()
  const dialog = page.getByRole('dialog', { name: `from ${member.username}?` })
  await dialog.getByText('Give whoever runs it the trace id').waitFor()
  expect(await dialog.getByRole('button', { name: 'Take away' }).count()).toBe(0)
  await page.unroute(roles)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByText('This takes away, at once: user:read.').waitFor()
})

describe('a search', () => {
  const field = 'Find pages, users, roles and tenants'

  test('says that it is not over, or failed, and not that nothing was found', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email)
    await page.route(users, () => {})
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(field).fill(tenant.admin.username)
    const state = page.getByRole('dialog').getByRole('status')
    await state.getByText('Loading').waitFor()
    expect(await page.getByText('Nothing found').count()).toBe(0)
    await page.unroute(users)
    await fail(page, users, { status: 500, code: 50001 })
    await page.getByPlaceholder(field).fill(`${tenant.admin.username}x`)
    await state.getByText('Something went wrong in the service').waitFor()
    await inspect(page, 'palette-failed')
    await page.unroute(users)
    await page.getByPlaceholder(field).fill(`${tenant.admin.username}xy`)
    await state.getByText('Nothing found').waitFor()
    expect(complaints).toEqual([])
  })

  test('of recipients says why it finds none', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, 'notifications')
    await page.getByRole('button', { name: 'Send' }).click()
    const recipients = page.getByRole('dialog').getByRole('combobox', { name: 'Recipients' })
    await recipients.fill('nobody-at-all')
    await page.getByText('Nobody matches').waitFor()
    await fail(page, users, { status: 500, code: 50001 })
    await recipients.fill('somebody')
    await page.getByText('Something went wrong in the service').waitFor()
    expect(await page.getByText('Nobody matches').count()).toBe(0)
  })
})

test('what could not be saved says why in its form, and keeps what was typed', async () => {
  const { page } = await visit()
  const { userId } = await tenant.member()
  await signIn(page, tenant.admin.email, `users/${userId}`)
  await page.getByLabel('Nickname').fill('Ada')
  await fail(page, `**/api/v1/users/${userId}`, { status: 500, code: 50001 })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Give whoever runs it the trace id').waitFor()
  expect(await page.getByLabel('Nickname').inputValue()).toBe('Ada')
  await page.unroute(`**/api/v1/users/${userId}`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor()
})

test('a window that cannot be loaded without a network comes when it is back, with the draft of the page', async () => {
  const { page } = await visit()
  const role = await tenant.role('user:read')
  await signIn(page, tenant.admin.email, 'roles')
  const cell = page.getByRole('checkbox', { name: `View settings, for ${role.name}` })
  await cell.check()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Review' }).click()
  const dialog = page.getByRole('dialog', { name: 'This could not be loaded' })
  await dialog.getByText('The service cannot be reached.').waitFor()
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('dialog', { name: 'Who gains, and who loses' }).waitFor()
  expect(await cell.isChecked()).toBe(true)
})

describe('a part that is gone since an upgrade', () => {
  /** The service no longer has the file of this name; the window loaded anew is of the new build, which has it. */
  const removed = async (page: Page, name: string) => {
    let loads = 0
    page.on('load', () => (loads += 1))
    await page.route(`**/assets/${name}-*.js`, (route) => route.fulfill({ status: 404, body: '' }), {
      times: 1,
    })
    return () => loads
  }

  test('leads a page to load the window anew', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email)
    await page.getByText('Recent events').waitFor()
    const loads = await removed(page, 'users-page')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByText(tenant.admin.email).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/users')
    expect(loads()).toBe(1)
  })

  test('leads a dialog to load the window anew, with the page where it was', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, 'users?status=1')
    await page.getByText(tenant.admin.email).waitFor()
    const loads = await removed(page, 'create-user-dialog')
    await page.getByRole('button', { name: 'Create a user' }).click()
    await expect.poll(loads).toBe(1)
    await page.getByText(tenant.admin.email).waitFor()
    expect(new URL(page.url()).search).toBe('?status=1')
    await page.getByRole('button', { name: 'Create a user' }).click()
    await page.getByRole('dialog').getByLabel('E-mail').waitFor()
  })

  test('is told of in a window of its own where a draft would be lost, which stays', async () => {
    const { page } = await visit()
    const role = await tenant.role('user:read')
    await signIn(page, tenant.admin.email, 'roles')
    const cell = page.getByRole('checkbox', { name: `View settings, for ${role.name}` })
    await cell.check()
    let loads = 0
    page.on('load', () => (loads += 1))
    await page.route('**/assets/review-modal-*.js', (route) => route.fulfill({ status: 404, body: '' }))
    await page.getByRole('button', { name: 'Review' }).click()
    const dialog = page.getByRole('dialog', { name: 'This could not be loaded' })
    await dialog.getByText('A part of the console is missing').waitFor()
    await inspect(page, 'fault-dialog')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await cell.isChecked()).toBe(true)
    expect(loads).toBe(0)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('dialog', { name: 'Who gains, and who loses' }).waitFor()
  })

  test('is explained where loading anew does not help, with a way on', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email)
    await page.getByText('Recent events').waitFor()
    await page.route('**/assets/users-page-*.js', (route) => route.fulfill({ status: 404, body: '' }))
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByText('A part of the console is missing').waitFor()
    await inspect(page, 'fault-part')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(tenant.admin.email).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
