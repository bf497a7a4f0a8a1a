/** The frame around every page: palette, titles, what is new, and the mark of another tenant (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, platformAdmin, unique, type Tenant } from '../../server/test/factories.ts'
import { expectSoon, inspect, open, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const search = (page: Page) => page.getByPlaceholder('Find pages, users, roles and more')
const account = (page: Page) => page.getByRole('button', { name: /^Account/ })

describe('the palette', () => {
  test('finds service accounts, webhooks and settings by their names', async () => {
    const { page, complaints } = await visit()
    const mark = unique('found')
    const { admin } = tenant
    ok(await admin.post('/service-accounts', { name: `Robot ${mark}` }))
    const url = 'https://example.com/hooks'
    ok(await admin.post('/webhooks', { url, events: ['user.*'], description: `Hook ${mark}` }))
    ok(await admin.put(`/settings/tenant/${mark}.colour`, { value: 'green' }))
    await signIn(page, admin.email)
    const choose = async (label: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await search(page).fill(mark)
      await page.locator('[data-action]', { hasText: label }).click()
    }
    await choose(`Robot ${mark}`)
    await heading(page, `Robot ${mark}`)
    await choose(`Hook ${mark}`)
    await heading(page, `Hook ${mark}`)
    await choose(`${mark}.colour`)
    await page.getByRole('dialog', { name: `${mark}.colour` }).waitFor()
    expect(complaints).toEqual([])
  })

  test('finds applications for those who may read them', async () => {
    const { page, complaints } = await visit()
    const root = await platformAdmin()
    const name = `Shop ${unique('found')}`
    const redirect_uris = ['https://shop.example.com/callback']
    ok(await root.post('/applications', { name, kind: 'web', redirect_uris }))
    await signIn(page, root.email)
    await page.keyboard.press('Control+k')
    await search(page).fill(name)
    await page.locator('[data-action]', { hasText: name }).click()
    await heading(page, name)
    expect(complaints).toEqual([])
  })

  test('begins with the last pages about a thing, without the present one', async () => {
    const { page, complaints } = await visit()
    const role = await tenant.role('user:read')
    const { admin } = tenant
    await signIn(page, admin.email, `roles/${role.id}`)
    await heading(page, role.name)
    await page.getByRole('navigation').getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('main').getByRole('link', { name: admin.username }).click()
    await heading(page, admin.username)
    await page.keyboard.press('Control+k')
    await page.locator('[data-action][data-selected]', { hasText: role.name }).waitFor()
    await inspect(page, 'palette-recent')
    await page.keyboard.press('ArrowDown')
    const active = await page.locator('[data-action][data-selected]').getAttribute('id')
    await expectSoon(() => search(page).getAttribute('aria-activedescendant')).toBe(active)
    await page.getByRole('option', { name: 'Dashboard', selected: true }).waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await heading(page, role.name)
    await page.keyboard.press('Control+k')
    await page.locator('[data-action][data-selected]', { hasText: admin.username }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('the actions of the palette', () => {
  const take = async (page: Page, label: string): Promise<void> => {
    await page.keyboard.press('Control+k')
    await search(page).fill(label)
    await page.locator('[data-action]', { hasText: label }).click()
  }

  test('open their windows over any page, and the last used ones come first', async () => {
    const { page, complaints } = await visit()
    const root = await platformAdmin()
    await signIn(page, root.email, 'audit')
    for (const label of [
      'Create service account',
      'Create application',
      'Create flag',
      'Create organization',
      'Create role',
    ]) {
      await take(page, label)
      await page.getByRole('dialog', { name: label }).waitFor()
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('Control+k')
    const recent = page.locator('[data-action]', { hasText: /^Create (role|organization|flag)$/ })
    await expectSoon(() => recent.allTextContents()).toEqual([
      'Create role',
      'Create organization',
      'Create flag',
    ])
    await inspect(page, 'palette-actions')
    await page.keyboard.press('Escape')
    const [download] = await Promise.all([page.waitForEvent('download'), take(page, 'Export users')])
    expect(download.suggestedFilename()).toMatch(/^users-.*\.csv$/)
    await take(page, 'Create connection')
    await heading(page, 'Create connection')
    expect(complaints).toEqual([])
  })

  test('list the tenants that a platform administrator may enter', async () => {
    const { page, complaints } = await visit()
    const root = await platformAdmin()
    await signIn(page, root.email)
    await take(page, 'Switch organization')
    await page.getByRole('combobox', { name: 'Search' }).fill(tenant.slug)
    await inspect(page, 'palette-tenants')
    await page.locator('[data-action][data-selected]', { hasText: tenant.slug }).click()
    await page.getByText(`Not your organization: Tenant ${tenant.slug}`).waitFor()
    expect(complaints).toEqual([])
  })
})

test('the title of the window names the thing, the tenant and the product', async () => {
  const { page, complaints } = await visit()
  const { admin } = tenant
  const role = await tenant.role('user:read')
  const name = `Tenant ${tenant.slug}`
  await signIn(page, admin.email, `users/${admin.userId}`)
  await expectSoon(() => page.title()).toBe(`${admin.username} · ${name} · Tenantry`)
  await open(page, `roles/${role.id}`)
  await expectSoon(() => page.title()).toBe(`${role.name} · ${name} · Tenantry`)
  await open(page, 'audit')
  await expectSoon(() => page.title()).toBe(`Audit log · ${name} · Tenantry`)
  expect(complaints).toEqual([])
})

test('the news of an upgrade are marked until they are read', async () => {
  const { page, complaints } = await visit()
  await signIn(page, tenant.admin.email)
  await account(page).waitFor()
  expect(await page.locator('.new-mark').count()).toBe(0)
  await page.evaluate(`localStorage.setItem('tenantry.seen', '"0.0.1"')`)
  await page.reload()
  await account(page).getByText('New', { exact: true }).waitFor()
  await account(page).click()
  await page.getByRole('menuitem', { name: 'What’s new' }).click()
  const news = page.getByRole('dialog', { name: 'What’s new' })
  await news.getByText('Paste a list of e-mails').waitFor()
  expect(await news.getByRole('listitem').count()).toBe(5)
  await inspect(page, 'whats-new')
  await page.keyboard.press('Escape')
  await expectSoon(() => page.locator('.new-mark').count()).toBe(0)
  await page.reload()
  await account(page).waitFor()
  expect(await page.locator('.new-mark').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('an address without a tenant names the own one, and leads back to the tenant that was left by it', async () => {
  const { page, complaints } = await visit()
  const { email } = await platformAdmin()
  const name = `Tenant ${tenant.slug}`
  const note = page.getByRole('status').filter({ hasText: `Before, you worked in ${name}.` })
  await signIn(page, email, `users?tenant=${tenant.id}`)
  await page.getByText(`Not your organization: ${name}`).waitFor()
  expect(await note.count()).toBe(0)
  await open(page, 'roles')
  await note.waitFor()
  expect(await frameOf(page)).toBe('none')
  await inspect(page, 'last-tenant')
  await note.getByRole('link', { name: `Back to ${name}` }).click()
  await page.getByText(`Not your organization: ${name}`).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/roles')
  expect(new URL(page.url()).searchParams.get('tenant')).toBe(tenant.id)
  await open(page, 'roles')
  await note.getByRole('button', { name: 'Stay here' }).click()
  await page.reload()
  await heading(page, 'Roles')
  expect(await note.count()).toBe(0)
  await open(page, `roles?tenant=${tenant.id}`)
  await page.getByRole('link', { name: 'Back to your organization' }).click()
  await heading(page, 'Dashboard')
  expect(await note.count()).toBe(0)
  expect(complaints).toEqual([])
})

/** The colour of the frame around the window; "none" without one. */
const frameOf = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const line = document.querySelector('.elsewhere')
    if (line === null) return 'none'
    const { borderTopWidth, borderTopColor, position } = getComputedStyle(line, '::after')
    return [position, borderTopWidth, borderTopColor].join(' ')
  })()`)

test('another tenant colours the frame of the window and is named at every width, the own one does not', async () => {
  const { page, complaints } = await visit()
  const { email } = await platformAdmin()
  await signIn(page, email, 'users')
  await heading(page, 'Users')
  expect(await frameOf(page)).toBe('none')
  await open(page, `users?tenant=${tenant.id}`)
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await page.getByText(`Not your organization: Tenant ${tenant.slug}`).waitFor()
    expect(await frameOf(page)).toBe('fixed 3px rgb(255, 169, 77)')
  }
  await inspect(page, 'elsewhere')
  await page.getByRole('link', { name: 'Back to your organization' }).click()
  await heading(page, 'Dashboard')
  expect(await frameOf(page)).toBe('none')
  expect(complaints).toEqual([])
})
