/** Typed text is not lost by oversight (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  newTenant,
  ok,
  platformAdmin,
  signIn as signInAgain,
  type Caller,
  type Tenant,
} from '../../server/test/factories.ts'
import { chooseAction, inspect, prove, refuseStream, sessionKey, signIn, visit } from './visit.ts'

let tenant: Tenant
let role: { id: number; name: string }

beforeAll(async () => {
  tenant = await newTenant()
  role = await tenant.role('user:read')
})

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' })
const answer = (page: Page, name: 'Cancel' | 'Discard') =>
  question(page).getByRole('button', { name }).click()

/** Twice as long as a window takes to close. */
const closingMs = 600

interface Form {
  email: () => Promise<string>
  /** The name of the page in the navigation. */
  menu: string
  openIt: (page: Page) => Promise<void>
  field: string
}

const press = (name: string) => (page: Page) => page.getByRole('main').getByRole('button', { name }).click()
const admin = () => Promise.resolve(tenant.admin.email)
const root = async () => (await platformAdmin()).email

const forms: Record<string, Form> = {
  'a new user': {
    email: admin,
    menu: 'Users',
    openIt: (page: Page) => chooseAction(page, 'Create user'),
    field: 'Username',
  },
  'a new role': { email: admin, menu: 'Roles', openIt: press('Create role'), field: 'Description' },
  'a role': {
    email: admin,
    menu: 'Roles',
    openIt: async (page) => {
      await page.getByRole('main').getByRole('link', { name: role.name }).click()
      await press('Edit')(page)
    },
    field: 'Description',
  },
  'a new setting': {
    email: admin,
    menu: 'Settings',
    openIt: async (page) => {
      await page.getByRole('tab', { name: 'Product' }).click()
      await press('Create setting')(page)
    },
    field: 'Key',
  },
  'a notification': { email: admin, menu: 'Notifications', openIt: press('Send'), field: 'Content' },
  'a new permission': { email: root, menu: 'Permissions', openIt: press('Create permission'), field: 'Name' },
  'a tenant': {
    email: root,
    menu: 'Organizations',
    openIt: async (page) => {
      await page.getByRole('main').locator('input').first().fill(tenant.slug)
      const row = page.getByRole('row').filter({ hasText: tenant.slug })
      await row.getByRole('button', { name: 'Actions for' }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
    },
    field: 'Name',
  },
  'a new tenant': { email: root, menu: 'Organizations', openIt: press('Create organization'), field: 'Slug' },
}

/** The sign-in leaves no page of the console to go back to, but the inbox is one. */
const visitForm = async ({ email, menu, openIt }: Form) => {
  const { page, complaints } = await visit()
  await signIn(page, await email(), 'notifications')
  await page.getByRole('navigation').getByRole('link', { name: menu, exact: true }).click()
  await openIt(page)
  return { page, complaints }
}

describe.each(Object.entries(forms))('the form of %s', (_, form) => {
  test('keeps typed text through Escape, a click outside and going back, until the user discards it', async () => {
    const { page, complaints } = await visitForm(form)
    const dialog = page.getByRole('dialog').first()
    const input = dialog.getByRole('textbox', { name: form.field, exact: true })
    await input.fill('typed-with-care')
    await page.keyboard.down('Escape')
    await question(page).waitFor()
    // The key repeats while it is held. A question that it closed would be gone after the wait.
    await page.keyboard.down('Escape')
    await page.keyboard.up('Escape')
    await page.waitForTimeout(closingMs)
    expect(await question(page).isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await question(page).waitFor({ state: 'detached' })
    await page.mouse.click(5, 400)
    expect(await question(page).count()).toBe(0)
    await page.goBack()
    await question(page).waitFor()
    await answer(page, 'Cancel')
    await question(page).waitFor({ state: 'detached' })
    expect(await input.inputValue()).toBe('typed-with-care')
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await answer(page, 'Discard')
    await dialog.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('closes without a question if nothing was typed', async () => {
    const { page } = await visitForm(form)
    const dialog = page.getByRole('dialog').first()
    await dialog.getByRole('textbox', { name: form.field, exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await dialog.waitFor({ state: 'detached' })
    expect(await question(page).count()).toBe(0)
  })
})

test('the form of a user asks before another tab or page opens, and keeps the typed text', async () => {
  const { page, complaints } = await visit()
  const member = await tenant.member()
  await signIn(page, tenant.admin.email, `users/${member.userId}`)
  await page.getByLabel('Display name').fill('Ada')
  await page.getByRole('tab', { name: 'Roles and permissions' }).click()
  await question(page).waitFor()
  await inspect(page, 'leave-form')
  await answer(page, 'Cancel')
  await page.getByRole('link', { name: 'Settings' }).click()
  await answer(page, 'Cancel')
  expect(await page.getByLabel('Display name').inputValue()).toBe('Ada')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor()
  await page.getByRole('tab', { name: 'Roles and permissions' }).click()
  await page.getByRole('heading', { name: 'Roles', exact: true, level: 2 }).waitFor()
  expect(complaints).toEqual([])
})

/** Returns to the tab after a while, which refreshes data older than ten seconds. */
const comeBack = async (page: Page, url: RegExp): Promise<void> => {
  await page.evaluate('{ const now = Date.now; Date.now = () => now() + 11_000 }')
  const renewed = page.waitForResponse(url)
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
  await renewed
}

test('changes and deletions by other users keep the typed text', async () => {
  const { page, complaints } = await visit()
  const member = await tenant.member()
  ok(await tenant.admin.put('/settings/tenant/motd', { value: 'Hello' }))
  await signIn(page, tenant.admin.email, `users/${member.userId}`)
  await page.getByLabel('Display name').fill('Ada')
  const other = await page.context().newPage()
  await other.goto(`${new URL(page.url()).origin}/console/settings?key=motd`)
  const value = other.getByRole('dialog', { name: 'motd' }).getByLabel('Value')
  await value.fill('Good morning')
  const email = `${member.username}@elsewhere.example`
  ok(await tenant.admin.put(`/users/${member.userId}`, { email, nickname: 'Grace' }))
  ok(await tenant.admin.delete('/settings/tenant/motd'))
  await comeBack(page, new RegExp(`/users/${member.userId}\\?`))
  await comeBack(other, /\/settings\/tenant$/)
  await page.getByText(email).first().waitFor()
  expect(await page.getByLabel('Display name').inputValue()).toBe('Ada')
  expect(await page.getByLabel('E-mail').inputValue()).toBe(email)
  const note = page.getByRole('alert').filter({ hasText: 'Someone else changed this' })
  await note.getByText('Display name: now “Grace”, yours “Ada”').waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await inspect(page, 'user-conflict')
  await note.getByRole('button', { name: 'Keep mine' }).click()
  await note.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor()
  expect(ok(await tenant.admin.get(`/users/${member.userId}`))).toMatchObject({ email, nickname: 'Ada' })
  expect(await value.inputValue()).toBe('Good morning')
  await other.getByRole('button', { name: 'Save' }).click()
  await other.getByText('motd saved.').waitFor()
  expect(ok(await tenant.admin.get('/settings/tenant/motd')).value).toBe('Good morning')
  expect(complaints).toEqual([])
})

test('signing out asks about a draft before the session ends, and then asks nothing more', async () => {
  const { page, complaints } = await visit()
  await signIn(page, tenant.admin.email, 'roles?tab=compare')
  const cell = page.getByRole('checkbox', { name: `View settings, for ${role.name}` })
  await cell.check()
  const signOut = async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
  }
  await signOut()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(await cell.isChecked()).toBe(true)
  expect(await page.evaluate(`localStorage.getItem('${sessionKey}')`)).not.toBe(null)
  await signOut()
  await page.getByRole('button', { name: 'Leave and discard' }).click()
  await page.getByRole('heading', { name: 'You’re signed out' }).waitFor()
  expect(complaints).toEqual([])
})

test('a save says that somebody else has changed the user, and shows both values first', async () => {
  const { page, complaints } = await visit()
  const member = await tenant.member()
  await signIn(page, tenant.admin.email, `users/${member.userId}`)
  await page.getByLabel('Display name').fill('Ada')
  await refuseStream(page)
  ok(await tenant.admin.put(`/users/${member.userId}`, { nickname: 'Grace' }))
  await page.getByRole('button', { name: 'Save' }).click()
  const note = page.getByRole('alert').filter({ hasText: 'Someone else' })
  await note.getByText('now “Grace”, yours “Ada”').waitFor()
  expect(ok(await tenant.admin.get(`/users/${member.userId}`)).nickname).toBe('Grace')
  await note.getByRole('button', { name: 'Take theirs' }).click()
  expect(await page.getByLabel('Display name').inputValue()).toBe('Grace')
  await note.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

describe('the end of the session', () => {
  const endSessions = async (user: Caller) => {
    ok(await (await platformAdmin()).delete(`/users/${user.userId}/sessions`, { tenant: user.tenantId }))
  }

  test('typed text stays, and the person signs in again in a window over it', async () => {
    const { page, complaints } = await visit()
    const { admin: own } = await newTenant()
    await signIn(page, own.email, 'roles')
    await page.getByRole('button', { name: 'Create role' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create role' })
    await form.getByLabel('Name').fill('Editors')
    await endSessions(own)
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.waitFor()
    expect(await again.getByLabel('E-mail').inputValue()).toBe(own.email)
    expect(await again.getByLabel('E-mail').getAttribute('readonly')).not.toBeNull()
    await page.keyboard.press('Escape')
    await inspect(page, 'sign-in-again')
    const opening = page.waitForEvent('popup')
    await again.getByRole('button', { name: 'Sign in' }).click()
    const window = await opening
    expect(await window.getByLabel('E-mail').inputValue()).toBe(own.email)
    const closing = window.waitForEvent('close')
    await prove(window, own.email)
    await closing
    await again.waitFor({ state: 'detached' })
    expect(await form.getByLabel('Name').inputValue()).toBe('Editors')
    await form.getByRole('button', { name: 'Create role' }).click()
    await form.waitFor({ state: 'detached' })
    expect(
      ok(await (await signInAgain(own)).get('/rbac/roles')).map(({ name }: { name: string }) => name),
    ).toContain('Editors')
    expect(complaints).toEqual([])
  })

  test('a window whose text is discarded gives way to the sign-in page', async () => {
    const { page } = await visit()
    const { admin: own } = await newTenant()
    await signIn(page, own.email, 'webhooks')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('dialog').getByLabel('URL').fill('https://example.com')
    await endSessions(own)
    await page.getByRole('button', { name: 'Discard it and go to the sign-in page' }).click()
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

test('a draft survives a reload of the tab, and is forgotten when its form is closed', async () => {
  const { page } = await visit()
  await signIn(page, tenant.admin.email, 'webhooks')
  const openForm = async () => {
    await page.getByRole('button', { name: 'Create webhook' }).click()
    return page.getByRole('dialog', { name: 'Create webhook' })
  }
  const form = await openForm()
  await form.getByLabel('URL').fill('https://example.com/draft')
  page.once('dialog', (asked) => void asked.accept())
  await page.reload()
  await openForm()
  expect(await form.getByLabel('URL').inputValue()).toBe('https://example.com/draft')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await form.waitFor({ state: 'detached' })
  await openForm()
  expect(await form.getByLabel('URL').inputValue()).toBe('')
  expect(await page.evaluate<string[]>('Object.keys(sessionStorage)')).not.toContainEqual(
    expect.stringContaining('draft'),
  )
})
