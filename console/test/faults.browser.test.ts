/** The console while the service fails (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { assign, newTenant, ok, platformAdmin, type Tenant } from '../../server/test/factories.ts'
import { chooseAction, expectSoon, inspect, open, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

interface Failure {
  status: number
  code: number
  headers?: Record<string, string>
  /** The number of failures, after which the service recovers. */
  times?: number
}

/** Answers requests to this address with an error. */
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

describe('a failed list', () => {
  test('shows a trace id to copy, and loads after a retry', async () => {
    const { page, complaints } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    await signIn(page, tenant.admin.email)
    await fail(page, users, { status: 500, code: 50001 })
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    const panel = page.getByRole('alert')
    await panel.getByText('If it fails again, tell the operator').waitFor()
    await inspect(page, 'fault')
    await panel.getByRole('button', { name: 'Copy the trace ID' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(traceId)
    await page.unroute(users)
    await panel.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(tenant.admin.email).waitFor()
    expect(await panel.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('loads by itself after the wait that the service asked for', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email)
    // The list alone: the dashboard asks for a user too.
    await fail(page, '**/api/v1/users?*include=*', {
      status: 503,
      code: 50301,
      headers: { 'retry-after': '1' },
      times: 1,
    })
    const startedAt = Date.now()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByText(tenant.admin.email).waitFor()
    expect(Date.now() - startedAt).toBeGreaterThan(1000)
  })

  const failForLong = async (status: number, code: number): Promise<Page> => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email)
    await fail(page, users, { status, code, headers: { 'retry-after': '60' } })
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    return page
  }

  test('says that there were too many requests, and loads when it is asked again', async () => {
    const page = await failForLong(429, 42901)
    await page.getByRole('alert').getByText('Try again in 1 minute.').waitFor()
    await page.unroute(users)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(tenant.admin.email).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('says that the service is away for long, and loads by itself when that is back', async () => {
    const page = await failForLong(503, 50302)
    await page.getByRole('alert').getByText('The database is unavailable').waitFor()
    await page.unroute(users)
    await page.getByText(tenant.admin.email).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

test('a console that cannot load its user says so, and continues after a retry', async () => {
  const { page } = await visit()
  await signIn(page, tenant.admin.email)
  await fail(page, '**/api/v1/profile?*', { status: 500, code: 50001 })
  await page.reload()
  await page.getByRole('alert').getByText('If it fails again, tell the operator').waitFor()
  await inspect(page, 'fault-start')
  await page.unroute('**/api/v1/profile?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/')
})

test('a user of a disabled tenant continues once it is enabled again, or signs out', async () => {
  const { page } = await visit()
  const own = await newTenant()
  const root = await platformAdmin()
  const setStatus = async (status: 0 | 1) => ok(await root.put(`/org/tenants/${own.id}`, { status }))
  const panel = page.getByRole('alert')
  await signIn(page, own.admin.email)
  await setStatus(0)
  await page.reload()
  await panel.getByText('Your organization is disabled').waitFor()
  await inspect(page, 'fault-disabled')
  await setStatus(1)
  await panel.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await setStatus(0)
  await page.reload()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You’re signed out' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/sign-in')
})

describe('an address with a tenant', () => {
  test('an address with a foreign tenant opens the own tenant', async () => {
    const { page } = await visit()
    const other = await newTenant()
    await signIn(page, tenant.admin.email)
    await open(page, `users?tenant=${other.id}`)
    await page.getByText(tenant.admin.email).waitFor()
    expect(page.url()).not.toContain(other.id)
  })

  test('an address with an unknown tenant links a platform administrator to their own tenant', async () => {
    const { page } = await visit()
    const root = await platformAdmin()
    await signIn(page, root.email, `users?tenant=${crypto.randomUUID()}`)
    await page.getByText('Organization not found').waitFor()
    await expectSoon(() => page.getByText('Organization not found').count()).toBe(1)
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    await inspect(page, 'tenant-missing')
    await page.getByRole('main').getByRole('link', { name: 'Back to your organization' }).click()
    await page.getByText('Recent activity').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })
})

test.each([
  [
    'too slow',
    { status: 503, code: 50301 },
    'Too many users are affected to show the effect within 2 seconds',
    true,
  ],
  ['one of two at a time', { status: 429, code: 42901 }, 'Another preview is still running', true],
  ['broken', { status: 500, code: 50001 }, 'If it fails again, tell the operator', true],
  ['not permitted', { status: 403, code: 40301 }, 'you need the permissions user:read and role:read', false],
])(
  'a preview that is %s is said to be unknown, and the change stays possible',
  async (_, answer, text, canRetry) => {
    const { page, complaints } = await visit()
    const role = await tenant.role('user:read')
    const member = await tenant.member()
    await assign(tenant.id, member.userId, role.id)
    await signIn(page, tenant.admin.email, `roles/${role.id}`)
    await fail(page, '**/authz/preview', answer)
    await page.getByRole('button', { name: `Remove the role from ${member.username}` }).click()
    const dialog = page.getByRole('dialog', { name: `from ${member.username}?` })
    await dialog
      .getByText(/^The effect (?:is unknown|on users couldn’t be determined)/)
      .first()
      .waitFor()
    await dialog.getByText(text).waitFor()
    const take = dialog.getByRole('button', { name: 'Remove' })
    expect(await take.isEnabled()).toBe(true)
    const retry = dialog.getByRole('button', { name: 'Try again' })
    expect(await retry.count()).toBe(canRetry ? 1 : 0)
    await inspect(page, `preview-unknown-${answer.status}`)
    await page.unroute('**/authz/preview')
    if (canRetry) {
      await retry.click()
      await dialog.getByText('Loses “View users”').waitFor()
    }
    await take.click()
    await page.getByText('Role removed.').waitFor()
    expect(complaints).toEqual([])
  },
)

describe('a search', () => {
  const field = 'Find pages, users, roles and more'

  test('says that it is running or has failed, not that it found nothing', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email)
    await page.route(users, () => {})
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(field).fill(tenant.admin.username)
    const state = page.getByRole('dialog').getByRole('status')
    await state.getByText('Loading').waitFor()
    expect(await page.getByText('No results').count()).toBe(0)
    await page.unroute(users)
    await fail(page, users, { status: 500, code: 50001 })
    await page.getByPlaceholder(field).fill(`${tenant.admin.username}x`)
    await state.getByText('The service has a problem').waitFor()
    await inspect(page, 'palette-failed')
    await page.unroute(users)
    await page.getByPlaceholder(field).fill(`${tenant.admin.username}xy`)
    await state.getByText('No results').waitFor()
    expect(complaints).toEqual([])
  })

  test('a search for recipients says why it found none', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, 'notifications')
    await page.getByRole('button', { name: 'Send' }).click()
    const recipients = page.getByRole('dialog').getByRole('combobox', { name: 'Recipients' })
    await recipients.fill('nobody-at-all')
    await page.getByText('No users match').waitFor()
    await fail(page, users, { status: 500, code: 50001 })
    await recipients.fill('somebody')
    await page.getByText('The service has a problem').waitFor()
    expect(await page.getByText('No users match').count()).toBe(0)
  })
})

test('a failed save shows its error in the form, and keeps the typed text', async () => {
  const { page } = await visit()
  const { userId } = await tenant.member()
  await signIn(page, tenant.admin.email, `users/${userId}`)
  await page.getByLabel('Display name').fill('Ada')
  await fail(page, `**/api/v1/users/${userId}`, { status: 500, code: 50001 })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('If it fails again, tell the operator').waitFor()
  expect(await page.getByLabel('Display name').inputValue()).toBe('Ada')
  await page.unroute(`**/api/v1/users/${userId}`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor()
})

test('a save without a network says so once, below the banner, opens no window, and keeps the typed text', async () => {
  const { page } = await visit()
  const { userId } = await tenant.member()
  await signIn(page, tenant.admin.email, `users/${userId}`)
  const field = page.getByLabel('Display name')
  await field.waitFor()
  await page.context().setOffline(true)
  await field.fill('Ada')
  await page.getByRole('button', { name: 'Save' }).click()
  const main = page.getByRole('main')
  await main.getByText('Your changes are still here.').waitFor()
  await inspect(page, 'save-offline')
  expect(await main.getByText('The service can’t be reached.').count()).toBe(1)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor()
  expect(await main.getByText('Your changes are still here.').count()).toBe(0)
})

test('a window that cannot load without a network opens once it is back, and the page keeps its draft', async () => {
  const { page } = await visit()
  const role = await tenant.role('user:read')
  await signIn(page, tenant.admin.email, `roles?tab=compare&shown=[${role.id}]`)
  const cell = page.getByRole('checkbox', { name: `View settings, for ${role.name}` })
  await cell.check()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Review' }).click()
  const dialog = page.getByRole('dialog', { name: 'This couldn’t be loaded' })
  await dialog.getByText('The service can’t be reached.').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('dialog', { name: 'Effect on users' }).waitFor()
  expect(await cell.isChecked()).toBe(true)
})

describe('a part that an upgrade has replaced', () => {
  /** The service no longer has this file, as after an upgrade; the reloaded page asks for the new build. */
  const removed = async (page: Page, name: string) => {
    let loads = 0
    page.on('load', () => (loads += 1))
    await page.route(`**/assets/${name}-*.js`, (route) => route.fulfill({ status: 404, body: '' }), {
      times: 1,
    })
    return () => loads
  }

  test('makes a page reload the window', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email)
    await page.getByText('Recent activity').waitFor()
    const loads = await removed(page, 'users-page')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByText(tenant.admin.email).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/users')
    expect(loads()).toBe(1)
  })

  test('makes a dialog reload the window at the same address', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, 'users?status=1')
    await page.getByText(tenant.admin.email).waitFor()
    const loads = await removed(page, 'create-user-dialog')
    await chooseAction(page, 'Create user')
    await expectSoon(loads).toBe(1)
    await page.getByText(tenant.admin.email).waitFor()
    expect(new URL(page.url()).search).toBe('?status=1')
    await chooseAction(page, 'Create user')
    await page.getByRole('dialog').getByLabel('E-mail').waitFor()
  })

  test('is reported in a window where a reload would lose a draft', async () => {
    const { page } = await visit()
    const role = await tenant.role('user:read')
    await signIn(page, tenant.admin.email, `roles?tab=compare&shown=[${role.id}]`)
    const cell = page.getByRole('checkbox', { name: `View settings, for ${role.name}` })
    await cell.check()
    let loads = 0
    page.on('load', () => (loads += 1))
    await page.route('**/assets/review-modal-*.js', (route) => route.fulfill({ status: 404, body: '' }))
    await page.getByRole('button', { name: 'Review' }).click()
    const dialog = page.getByRole('dialog', { name: 'This couldn’t be loaded' })
    await dialog.getByText('A part of the console is missing').waitFor()
    await inspect(page, 'fault-dialog')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await cell.isChecked()).toBe(true)
    expect(loads).toBe(0)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('dialog', { name: 'Effect on users' }).waitFor()
  })

  test('is explained with a way on where a reload does not help', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email)
    await page.getByText('Recent activity').waitFor()
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
