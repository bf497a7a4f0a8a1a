/** The pages of the own account, in a real browser (`npm run test:browser`). */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newTenant, ok, password, type Caller } from '../../server/test/factories.ts'
import { newApplication } from '../../server/test/front-door.ts'
import { call, service } from '../../server/test/harness.ts'
import { deleteProviders, insertIdentity } from '../../server/test/provider-rows.ts'
import { addTotp } from '../../server/test/second-factors.ts'
import { phone, signInOn, statusOf, storedToken } from './devices.ts'
import {
  expectSoon,
  inspect,
  openAccount,
  prove,
  sessionKey,
  signIn,
  signInToAccount,
  visit,
} from './visit.ts'

const tenant = await newTenant()

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Opens a page of the account, and signs in on the way. */
const enter = async (page: Page, { email }: Pick<Caller, 'email'>, path = 'profile'): Promise<void> => {
  await page.goto(`${service.url}/account/${path}`)
  await prove(page, email)
  await page.getByRole('navigation').waitFor()
  await page.getByText(email).first().waitFor()
}

describe('the profile', () => {
  test('a person changes the nickname and the picture, by keyboard too', async () => {
    const { page, complaints } = await visit()
    const member = await tenant.member()
    await enter(page, member)
    await heading(page, 'Profile').waitFor()
    await inspect(page, 'account-profile')
    await page.getByLabel('Display name').fill('Ada')
    await page.keyboard.press('Enter')
    await page.getByText('Display name saved.').waitFor()
    const buffer = await page.screenshot()
    await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
    await page.getByText('Picture saved.').waitFor()
    const profile = ok(await member.get('/profile'))
    expect(profile.nickname).toBe('Ada')
    expect(profile.avatar).toMatch(/^data:image\/jpeg;base64,/)
    await page.locator('.picture img').waitFor()
    await inspect(page, 'account-picture')
    await page.getByRole('button', { name: 'Remove picture' }).press('Enter')
    await page.getByText('Picture removed.').waitFor()
    expect(ok(await member.get('/profile')).avatar).toBe('')
    expect(complaints).toEqual([])
  })

  test('a file that is no picture is refused on the page', async () => {
    const { page, complaints } = await visit()
    await enter(page, await tenant.member())
    const file = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('alert').filter({ hasText: 'can’t be read as an image' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('language and time zone of the browser change the page at once', async () => {
    const { page, complaints } = await visit({ timezoneId: 'Europe/Berlin' })
    const member = await tenant.member()
    await enter(page, member)
    const { last_login: at } = ok(await member.get('/profile'))
    const inZone = (timeZone: string): string =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
        new Date(at),
      )
    await page.getByText(inZone('Europe/Berlin')).waitFor()
    await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Pacific/Kiritimati')
    await page.getByText(inZone('Pacific/Kiritimati')).waitFor()
    await page.getByRole('combobox', { name: 'Language' }).selectOption('中文')
    await heading(page, '个人资料').waitFor()
    await inspect(page, 'account-profile-zh')
    expect(complaints).toEqual([])
  })
})

describe('the devices', () => {
  test('a person signs out one of them, then all others', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    const other = await signInOn(user, phone)
    await enter(page, user, 'devices')
    const list = page.getByRole('list', { name: 'Your active sessions' })
    await list.getByText('Safari on iPhone').waitFor()
    expect(await list.getByText('This device').count()).toBe(1)
    await inspect(page, 'account-devices')
    await page.getByRole('button', { name: 'Sign out Safari on iPhone' }).press('Enter')
    await page.getByText('Device signed out.').waitFor()
    await expectSoon(() => list.getByText('Safari on iPhone').count()).toBe(0)
    expect(await statusOf(other)).toBe(401)

    const others = page.getByRole('button', { name: 'Sign out everywhere else' })
    await others.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Sign out everywhere else?' })
    await dialog.waitFor()
    await inspect(page, 'account-devices-others')
    // A key that follows at once opens the window again.
    for (let closed = 0; closed < 5; closed += 1) {
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await others.press('Enter')
      await dialog.waitFor()
    }
    await page.keyboard.press('Escape')
    await expectSoon(() => page.locator(':focus').textContent()).toBe('Sign out everywhere else')
    await others.press('Enter')
    await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByText('All other devices signed out.').waitFor()
    await expectSoon(() => list.getByRole('listitem').count()).toBe(1)
    expect(await statusOf(user.token)).toBe(401)
    expect(await statusOf(await storedToken(page))).toBe(200)
    expect(complaints).toEqual([])
  })
})

describe('the look of the pages', () => {
  test('is dark or light as the person chose in the console, whatever the system says', async () => {
    const { page } = await visit({ colorScheme: 'light' })
    const { admin } = await newTenant()
    await signInToAccount(page, admin.email, 'profile')
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    expect(await background()).toBe('rgb(244, 245, 247)')
    await page.evaluate("localStorage.setItem('mantine-color-scheme-value', 'dark')")
    await page.reload()
    await heading(page, 'Profile').waitFor()
    expect(await background()).toBe('rgb(26, 27, 30)')
    await inspect(page, 'account-dark')
  })

  test('is that of the tenant, and for an application its own, with a way to its home page or the console', async () => {
    const { page, complaints } = await visit()
    const branded = await newTenant()
    const value = { name: 'Acme & Co', color: '#7a1fa2' }
    ok(await branded.admin.put('/settings/tenant/branding', { value }))
    const home = 'https://invoices.example.com/'
    const application = await newApplication({ home_url: home })
    await signInToAccount(page, branded.admin.email, 'profile')
    const banner = page.getByRole('banner')
    await banner.getByText('Acme & Co').waitFor()
    await banner.getByRole('link', { name: 'Back to the console' }).waitFor()
    await inspect(page, 'account-brand')
    await openAccount(page, `devices?client_id=${application.clientId}`)
    const back = banner.getByRole('link', { name: `Back to ${application.name}` })
    expect(await back.getAttribute('href')).toBe(home)
    await page.getByRole('link', { name: 'Organizations' }).press('Enter')
    await heading(page, 'Organizations').waitFor()
    expect(await back.getAttribute('href')).toBe(home)
    await inspect(page, 'account-of-application')
    await openAccount(page, 'profile?client_id=unknown')
    await banner.getByText('Acme & Co').waitFor()
    expect(await banner.getByRole('link').count()).toBe(0)
    await signInToAccount(page, (await branded.member()).email, 'profile')
    await banner.getByText('Acme & Co').waitFor()
    expect(await banner.getByRole('link').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('the console leads to the pages by its menu, and back', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email)
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Change password' }).click()
    await page.getByRole('button', { name: 'Change password' }).waitFor()
    await page.getByRole('link', { name: 'Back to the console' }).click()
    await heading(page, 'Dashboard').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await heading(page, 'Profile').waitFor()
    expect(complaints).toEqual([])
  })
})

test('the devices are listed in Chinese', async () => {
  const { page, complaints } = await visit({ locale: 'zh-CN' })
  const user = await tenant.member()
  await signInOn(user, phone)
  await signInToAccount(page, user.email, 'devices')
  await page.getByText('iPhone 上的 Safari').waitFor()
  await inspect(page, 'account-devices-zh')
  expect(complaints).toEqual([])
})

test('the password changes after the old one, by keyboard', async () => {
  const { page, complaints } = await visit()
  const member = await tenant.member()
  await signInToAccount(page, member.email, 'sign-in')
  await inspect(page, 'account-sign-in')
  await page.getByRole('button', { name: 'Change password' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByRole('textbox', { name: 'Current password' }).waitFor()
  await page.keyboard.type('not the password')
  await dialog.getByRole('textbox', { name: 'New password' }).fill('another fine password')
  await page.keyboard.press('Enter')
  await dialog.getByText('This isn’t your current password.').waitFor()
  await inspect(page, 'account-password')
  await dialog.getByRole('textbox', { name: 'Current password' }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('Password changed.').waitFor()
  const body = { email: member.email, password: 'another fine password' }
  ok(await call('POST', '/auth/login', { body }))
  expect(complaints).toEqual([])
})

test('the password is removed where mail is another way in, and a mailed link sets one again', async () => {
  const { page, complaints } = await visit()
  const member = await tenant.member()
  const app = await addTotp(member, 'Telephone')
  await openAccount(page, 'sign-in')
  await prove(page, member.email)
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(app.nextCode())
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove password' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Remove password' })
  await dialog.getByRole('textbox', { name: 'Current password' }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('Your account has no password.').waitFor()
  await inspect(page, 'account-no-password')
  await page.getByRole('button', { name: 'Set password' }).press('Enter')
  await page.getByText(`If ${member.email} belongs to an account`).waitFor()
  await page.getByRole('button', { name: 'Remove Telephone' }).click()
  expect(await page.getByRole('dialog').getByRole('textbox').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a person of a provider who opens the account is listed, and removed after the password', async () => {
  const { page, complaints } = await visit()
  const member = await tenant.member()
  await insertIdentity(member)
  onTestFinished(async () => void (await deleteProviders()))
  await enter(page, member, 'sign-in')
  await page.getByText('ada@example.com').waitFor()
  await page
    .getByRole('button', { name: /Google/ })
    .first()
    .waitFor()
  await inspect(page, 'account-identities')
  await page.getByRole('button', { name: 'Remove Google' }).click()
  await page.getByRole('dialog').locator('[name=old_password]').fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('ada@example.com').waitFor({ state: 'detached' })
  expect(ok(await member.get('/auth/identities'))).toEqual([])
  expect(complaints).toEqual([])
})

test('the own data is downloaded once the password is right', async () => {
  const { page, complaints } = await visit()
  const member = await tenant.member()
  await signInToAccount(page, member.email, 'data')
  await inspect(page, 'account-data')
  await page.getByRole('button', { name: 'Export your data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export your data' })
  const field = dialog.getByRole('textbox', { name: 'Current password' })
  await field.fill('not the password')
  await dialog.getByRole('button', { name: 'Download' }).click()
  await expectSoon(() => field.getAttribute('aria-invalid')).toBe('true')
  await field.fill(password)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^personal-data-\d{4}-\d\d-\d\d\.json$/)
  const { account, memberships } = JSON.parse(readFileSync(await download.path(), 'utf8'))
  expect([account.email, memberships.length]).toEqual([member.email, 1])
  await page.getByText('Your data was downloaded.').waitFor()
  expect(complaints).toEqual([])
})

describe('the session of the pages', () => {
  test('the sign-in of the browser opens it without a question, and ends it', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    await enter(page, user)
    const first = await storedToken(page)
    await page.evaluate(`localStorage.removeItem('${sessionKey}')`)
    await page.goto(`${service.url}/account/devices`)
    await heading(page, 'Devices').waitFor()
    expect(await storedToken(page)).not.toBe(first)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await heading(page, 'You’re signed out').waitFor()
    await expectSoon(() => statusOf(first)).toBe(401)
    await page.goto(`${service.url}/account`)
    await page.getByLabel('E-mail').waitFor()
    expect(complaints).toEqual([])
  })

  test('a page whose session ends elsewhere says so, and comes back to the same address', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    await enter(page, user, 'devices')
    ok(await call('POST', '/auth/logout', { token: await storedToken(page) }))
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
    await heading(page, 'Your session has ended').waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await prove(page, user.email)
    await heading(page, 'Devices').waitFor()
    expect(complaints).toEqual([])
  })

  test('an address of no page says so, and a foreign code opens nothing', async () => {
    const { page, complaints } = await visit()
    await enter(page, await tenant.member(), 'elsewhere')
    await heading(page, 'Page not found').waitFor()
    await page.goto(`${service.url}/account/signed-in?code=used&state=unknown`)
    await heading(page, 'The sign-in didn’t work').waitFor()
    expect(complaints).toEqual([])
  })
})
