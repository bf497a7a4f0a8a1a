/** Focus and accessible names, for keyboards and screen readers (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { assign, newTenant, ok, platformAdmin, type Tenant } from '../../server/test/factories.ts'
import { chooseAction, expectSoon, inspect, open, signIn, visit } from './visit.ts'

let tenant: Tenant
let role: { id: number; name: string }

beforeAll(async () => {
  tenant = await newTenant()
  role = await tenant.role('user:read')
  ok(await tenant.admin.put('/settings/tenant/theme', { value: { dark: true } }))
  ok(await tenant.admin.post('/notifications', { user_id: tenant.admin.userId, title: 'To be read' }))
})

/** The name of the focused element, or its id. */
const focused = (page: Page) =>
  page.evaluate<string>(
    `(({ ariaLabel, title, id, textContent }) => ariaLabel || title || (id === 'content' ? id : textContent))(document.activeElement)`,
  )

const expectFocus = async (page: Page, name: string): Promise<void> => {
  await expectSoon(() => focused(page)).toBe(name)
}

const dialog = (page: Page) => page.getByRole('dialog')

describe('a closed window', () => {
  const windows = [
    ['a form', () => `roles/${role.id}`, 'button', 'Edit'],
    ['an assignment', () => `roles/${role.id}`, 'button', 'Assign users'],
    ['an invitation', () => 'users', 'button', 'Invite users'],
    ['a setting, of the address', () => 'settings?section=product', 'link', 'Open theme'],
    ['a notification, of the address', () => 'notifications', 'link', 'Open: To be read'],
  ] as const

  test.each(windows)('a closed window returns the focus to its opener: %s', async (_, path, kind, name) => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, path())
    const opener = page.getByRole('main').getByRole(kind, { name, exact: true })
    // Twice, since the second time the code is already loaded and the window opens at once.
    for (const _time of ['first', 'second']) {
      await opener.focus()
      await page.keyboard.press('Enter')
      await dialog(page).waitFor()
      await expect
        .poll(() => page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`))
        .toBe(true)
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      await expectFocus(page, name)
    }
    expect(complaints).toEqual([])
  })

  test('a window opened by an item of a menu returns the focus to the button of the menu', async () => {
    const { page } = await visit()
    await signIn(page, (await platformAdmin()).email, `tenants?search=${tenant.slug}`)
    const menu = page.getByRole('main').getByRole('button', { name: 'Actions for' })
    for (const _time of ['first', 'second']) {
      await menu.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
      await dialog(page).getByLabel('Slug').waitFor()
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      await expectSoon(() => focused(page)).toMatch(/^Actions for /)
    }
  })

  test('returns the focus to the button of the menu that opened it', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, `roles/${role.id}`)
    const menu = page.getByRole('main').getByRole('button', { name: 'More', exact: true })
    for (const _time of ['first', 'second']) {
      await menu.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
      await dialog(page).getByRole('button', { name: 'Cancel' }).waitFor()
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      await expectFocus(page, 'More')
    }
  })

  test('a window above another returns the focus to the button below, and Escape leaves the lower one open', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, 'settings?key=theme')
    const editor = page.getByRole('dialog', { name: 'theme', exact: true })
    await editor.getByRole('button', { name: 'Delete' }).press('Enter')
    const question = page.getByRole('dialog', { name: 'Delete theme?' })
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await expectFocus(page, 'Delete')
    expect(await editor.count()).toBe(1)
  })
})

test('the page has the focus after the opener of a window is deleted', async () => {
  const { page } = await visit()
  const member = await tenant.member()
  await assign(tenant.id, member.userId, role.id)
  await signIn(page, tenant.admin.email, `roles/${role.id}`)
  await page.getByRole('button', { name: `Remove the role from ${member.username}` }).press('Enter')
  await dialog(page).getByRole('button', { name: 'Remove', disabled: false }).press('Enter')
  await page.getByText('No users have this role.').waitFor()
  await expectFocus(page, 'content')
  await open(page, `users?search=${member.username}`)
  await page.getByText('1 entry').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await chooseAction(page, 'Disable', 'Actions')
  await dialog(page).getByRole('button', { name: 'Disable', disabled: false }).press('Enter')
  await page.getByText(/ disabled\.$/).waitFor()
  await expectFocus(page, 'content')
})

test('the closed navigation of a narrow screen cannot be reached', async () => {
  const { page } = await visit({ viewport: { width: 390, height: 800 } })
  await signIn(page, tenant.admin.email)
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Users' })
  const canFocus = async () => {
    await link.focus()
    return (await focused(page)) === 'Users'
  }
  expect(await canFocus()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).press('Enter')
  expect(await canFocus()).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  await expectFocus(page, 'content')
  expect(await canFocus()).toBe(false)
})

test('Tab reaches every permission of a role on a narrow screen', async () => {
  const { page } = await visit({ viewport: { width: 390, height: 800 } })
  await signIn(page, tenant.admin.email, `roles/${role.id}`)
  await page.getByRole('checkbox', { name: 'All of Users' }).focus()
  for (const name of ['View users', 'Create users']) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).toContain(name)
  }
  await page.keyboard.press('Space')
  await page.getByText('1 change, not saved yet').waitFor()
})

test('the tenant switcher keeps the focus, with and without a choice', async () => {
  const { page } = await visit()
  await signIn(page, (await platformAdmin()).email)
  const button = page.getByTitle('Choose an organization')
  await button.press('Enter')
  await page.getByPlaceholder('Name or slug').press('Escape')
  await expectFocus(page, 'Choose an organization')
  await page.keyboard.press('Enter')
  await page.getByPlaceholder('Name or slug').fill(tenant.slug)
  await expectSoon(() => page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.getByText('Not your organization').waitFor()
  await expectFocus(page, 'Choose an organization')
})

test('the header never covers the focused element', async () => {
  const { page } = await visit({ viewport: { width: 1280, height: 360 } })
  await signIn(page, tenant.admin.email)
  await page.getByText('Recent activity').waitFor()
  const rows = page.getByRole('main').locator('.event')
  await rows.last().focus()
  const covered: string[] = []
  for (const _step of Array.from({ length: 12 })) {
    await page.keyboard.press('Shift+Tab')
    const [name, top, left] = await page.evaluate<[string, number, number]>(
      `(({ textContent, ...all }, { top, left }) => [textContent, top, left])(document.activeElement, document.activeElement.getBoundingClientRect())`,
    )
    // The navigation is beside the page, not below the header.
    if (left > 220 && top < 60 && top >= 0) covered.push(name)
    if (top < 0) covered.push(name)
  }
  expect(covered).toEqual([])
})

test('shortcuts of letters open pages and search, not while the user types, and can be turned off', async () => {
  const { page, complaints } = await visit()
  await signIn(page, tenant.admin.email)
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  await heading('Dashboard')
  await page.keyboard.type('gu')
  await heading('Users')
  await page.keyboard.press('/')
  await page.keyboard.type('gs?')
  expect(await page.getByRole('searchbox', { name: 'Search users' }).inputValue()).toBe('gs?')
  await page.getByRole('main').focus()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await list.getByRole('row', { name: 'Users g u' }).waitFor()
  expect(await list.getByRole('row', { name: 'Organizations' }).count()).toBe(0)
  await inspect(page, 'shortcuts')
  await list.getByLabel('Single-letter shortcuts').click()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await page.getByRole('main').focus()
  await page.keyboard.type('?gs/')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await list.getByLabel('Single-letter shortcuts').click()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/console/users')
  // A menu that is still closing has keys of its own.
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.getByRole('main').focus()
  await page.keyboard.type('gs')
  await heading('Settings')
  expect(complaints).toEqual([])
})

test('buttons of menus say whether the menu is open', async () => {
  const { page } = await visit()
  await signIn(page, tenant.admin.email, 'users')
  for (const name of ['Language', 'Theme', 'Columns', /^Notifications: /]) {
    const button = page.getByRole('button', { name })
    expect([name, await button.getAttribute('aria-expanded')]).toEqual([name, 'false'])
    await button.click()
    await expectSoon(() => button.getAttribute('aria-expanded')).toBe('true')
    const close = async () => {
      await page.keyboard.press('Escape')
      return button.getAttribute('aria-expanded')
    }
    await expectSoon(close).toBe('false')
  }
})

test('the calendar names its buttons at every level', async () => {
  const { page } = await visit()
  await signIn(page, tenant.admin.email, 'audit')
  await page.getByRole('button', { name: 'Time: Any time' }).click()
  await page.getByRole('button', { name: 'Previous month' }).waitFor()
  await dialog(page)
    .getByRole('button', { name: /^[A-Z]\w+ \d{4}$/ })
    .click()
  await page.getByRole('button', { name: 'Previous year' }).waitFor()
  await page.getByRole('button', { name: 'Next year' }).waitFor()
  await dialog(page)
    .getByRole('button', { name: /^\d{4}$/ })
    .click()
  await page.getByRole('button', { name: 'Previous ten years' }).waitFor()
  await page.getByRole('button', { name: 'Next ten years' }).waitFor()
  expect(await page.getByRole('button', { name: 'Previous month' }).count()).toBe(0)
  await inspect(page, 'audit-years')
})

test('the dialog of a notification has a name while it loads', async () => {
  const { page } = await visit()
  await signIn(page, tenant.admin.email)
  await page.route(/\/notifications\/\d+\?/, () => {})
  await open(page, 'notifications?id=1')
  await page.getByRole('dialog', { name: 'Notification' }).waitFor()
  expect(await dialog(page).count()).toBe(1)
})
