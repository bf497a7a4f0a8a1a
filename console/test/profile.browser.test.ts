/** The own picture, and the preferences of the browser, in a real browser (`npm run test:browser`). */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { newTenant, ok, password } from '../../server/test/factories.ts'
import { expectSoon, inspect, open, signIn, visit } from './visit.ts'

const tenant = await newTenant()

describe('the own picture', () => {
  test('stands for the caller in the header and in lists, and Undo takes its removal back', async () => {
    const { page, complaints } = await visit()
    const { admin } = tenant
    const shown = page.getByRole('button', { name: 'Account', exact: true }).locator('img')
    await signIn(page, admin.email, 'profile')
    const buffer = await page.screenshot()
    const avatarOf = async (): Promise<string> => ok(await admin.get('/profile')).avatar
    await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
    await page.getByText('Picture saved.').waitFor()
    await expectSoon(() => shown.getAttribute('src')).toMatch(/^data:image\/jpeg;base64,/)
    expect(await shown.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth)).toBe(96)
    const avatar = await avatarOf()
    await inspect(page, 'profile-picture')
    await page.getByRole('button', { name: 'Remove picture' }).click()
    const removed = page.getByRole('alert').filter({ hasText: 'Picture removed.' })
    await removed.waitFor()
    await expectSoon(() => shown.count()).toBe(0)
    await removed.getByRole('button', { name: 'Undo' }).click()
    await expectSoon(avatarOf).toBe(avatar)
    await open(page, 'users')
    await page.getByRole('row').filter({ hasText: admin.username }).locator(`img[src="${avatar}"]`).waitFor()
    expect(complaints).toEqual([])
  })

  test('is no other file, and the page says so', async () => {
    const { page, complaints } = await visit()
    await signIn(page, (await tenant.member()).email, 'profile')
    const file = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('alert').filter({ hasText: 'cannot be read as a picture' }).waitFor()
    await inspect(page, 'profile-picture-fault')
    expect(complaints).toEqual([])
  })
})

describe('the time zone of the browser', () => {
  test('holds for times that are shown and for those that are chosen, until the system is followed again', async () => {
    const { page, complaints } = await visit({ timezoneId: 'Europe/Berlin' })
    const member = await tenant.userWith('audit:read')
    const { last_login: at } = ok(await member.get('/profile'))
    const inZone = (timeZone: string): string =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
        new Date(at),
      )
    await signIn(page, member.email, 'profile')
    await page.getByText(inZone('Europe/Berlin')).first().waitFor()
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    const tab = (name: string) => page.getByRole('tab', { name })
    await tab('Preferences').click()
    await zone.fill('kirit')
    await page.getByRole('option', { name: 'Pacific/Kiritimati (GMT+14)' }).click()
    await tab('Account').click()
    await page.getByText(inZone('Pacific/Kiritimati')).first().waitFor()
    await open(page, 'audit')
    await page.getByRole('button', { name: 'Time: Any time' }).click()
    await page.getByRole('button', { name: 'Today' }).click()
    // Midnight in UTC+14.
    await expectSoon(() => new URL(page.url()).searchParams.get('from')).toMatch(/T10:00:00\.000Z/)
    await page.getByRole('button', { name: /00:00/ }).waitFor()
    await open(page, 'profile?tab=preferences')
    await zone.click()
    await zone.fill('system')
    await page.getByRole('option', { name: 'System (Europe/Berlin)' }).click()
    await tab('Account').click()
    await page.getByText(inZone('Europe/Berlin')).first().waitFor()
    expect(complaints).toEqual([])
  })

  test('is beside the language, which the profile changes as the header does', async () => {
    const { page, complaints } = await visit()
    await signIn(page, (await tenant.member()).email, 'profile?tab=preferences')
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: '中文' }).click()
    await page.getByRole('heading', { name: '语言和时区' }).waitFor()
    await inspect(page, 'profile-preferences-zh')
    expect(complaints).toEqual([])
  })
})

test('the own data is downloaded once the password is right', async () => {
  const { page, complaints } = await visit()
  const member = await tenant.member()
  await signIn(page, member.email, 'profile')
  await page.getByRole('button', { name: 'Export your data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export your data' })
  const field = dialog.getByLabel('Current password')
  await field.fill('not the password')
  await dialog.getByRole('button', { name: 'Download' }).click()
  await expectSoon(() => field.getAttribute('aria-invalid')).toBe('true')
  await inspect(page, 'profile-export')
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
