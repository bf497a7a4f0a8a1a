/** The product in place of Tenantry, in a real browser (`npm run test:browser`). */
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newApplication } from '../../server/test/applications.ts'
import { newTenant, ok, password, platformAdmin, unique, type Tenant } from '../../server/test/factories.ts'
import { service } from '../../server/test/harness.ts'
import { insertMember } from '../../server/test/people.ts'
import { drawLogos, type Logos } from './logos.ts'
import {
  expectSoon,
  inspect,
  open,
  prove,
  refuseStream,
  settle,
  signIn,
  visit as openWindow,
  type Visit,
} from './visit.ts'

let tenant: Tenant
let logos: Logos

beforeAll(async () => {
  tenant = await newTenant()
})

const look = { product: 'Acme Cloud', color: '#1f8a70', home_url: 'https://app.acme.example/' }

const put = async (value: object) =>
  ok(await (await platformAdmin()).put('/settings/global/tenantry.portal', { value }))

afterEach(async () => {
  await (await platformAdmin()).delete('/settings/global/tenantry.portal')
})

/** Without the live stream, the requests of a page come to an end. */
const visit = async (...options: Parameters<typeof openWindow>): Promise<Visit> => {
  const opened = await openWindow(...options)
  await refuseStream(opened.page)
  return opened
}

const draw = async (): Promise<Logos> => {
  const { page } = await visit()
  logos ??= await drawLogos(page, 'A', look.color)
  return logos
}

const pagesIn = (page: Page): Promise<string[]> =>
  page
    .getByRole('navigation', { name: /Pages|页面/ })
    .getByRole('link')
    .allTextContents()

interface InPage {
  getComputedStyle: (of: unknown) => { backgroundColor: string }
}

const colorOf = (element: Locator): Promise<string> =>
  element.evaluate((node) => (globalThis as unknown as InPage).getComputedStyle(node).backgroundColor)

const iconOf = (page: Page) => page.locator('link[rel=icon]').getAttribute('href')

describe('an organization', () => {
  test('sees the product, its links, and of its pages those that a permission opens', async () => {
    const { page, complaints } = await visit()
    const pictures = await draw()
    const help_url = 'https://help.acme.example/'
    await put({ ...look, ...pictures, help_url, pages: ['users', 'roles', 'tenants', 'notifications'] })
    await signIn(page, tenant.admin.email)
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    await settle(page)
    expect(await page.title()).toMatch(/· Acme Cloud$/)
    expect(await iconOf(page)).toBe(pictures.icon)
    await page.getByRole('link', { name: 'Acme Cloud', exact: true }).waitFor()
    expect(await pagesIn(page)).toEqual([
      'Back to Acme Cloud',
      'Users',
      'Roles',
      'Support',
      'Notifications',
      'Help',
    ])
    expect(await page.getByRole('link', { name: 'Back to Acme Cloud' }).getAttribute('href')).toBe(
      look.home_url,
    )
    expect(await page.getByRole('link', { name: 'Help' }).getAttribute('href')).toBe(help_url)
    await inspect(page, 'portal-users')
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    expect(await page.getByText(/Tenantry|What’s new/).count()).toBe(0)
    await page.keyboard.press('Escape')
    for (const path of ['audit', 'settings', 'service-accounts']) {
      await open(page, path)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    }
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('sees it in Chinese, dark, and on a phone', async () => {
    const { page, complaints } = await visit({ locale: 'zh-CN' })
    await put({ ...look, ...(await draw()) })
    await page.goto(`${service.url}/oauth2/authorize?client_id=unknown&redirect_uri=https://app.example/`)
    await page.getByRole('heading', { name: '无法开始登录' }).waitFor()
    await page.getByText('Acme Cloud').waitFor()
    await page.getByText('invalid_client').waitFor()
    await inspect(page, 'portal-refused-zh')
    await page.goto(`${service.url}/console/users`)
    await page.getByLabel('邮箱').waitFor()
    await page.getByText('Acme Cloud').waitFor()
    await inspect(page, 'portal-sign-in-zh')
    await page.getByLabel('邮箱').fill(tenant.admin.email)
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: '密码' }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: '返回 Acme Cloud' }).waitFor()
    await inspect(page, 'portal-zh')
    expect(complaints).toEqual([])
  })
})

describe('a platform administrator', () => {
  test('sets the portal by a form, sees Tenantry, and previews the portal', async () => {
    const { page, complaints } = await visit()
    const root = await platformAdmin()
    await signIn(page, root.email, 'settings?scope=global&section=branding')
    const card = page.getByRole('region', { name: 'Portal' })
    await card.getByLabel('Product name').fill('Acme Cloud')
    await card.getByLabel('Color', { exact: true }).fill(look.color)
    await card.getByLabel('Product URL').fill('http://app.acme.example/')
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Enter a URL that starts with https://.').waitFor()
    await card.getByLabel('Product URL').fill(look.home_url)
    await card.getByRole('switch', { name: 'All pages' }).uncheck()
    await card.getByRole('combobox', { name: 'Portal pages' }).waitFor()
    await inspect(page, 'portal-form')
    await card.getByRole('switch', { name: 'All pages' }).check()
    await card.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changes saved.').waitFor()
    expect(ok(await root.get('/settings/global/tenantry.portal')).value).toEqual(look)
    expect(await page.title()).toMatch(/· Tenantry$/)
    await card.getByRole('switch', { name: 'Preview the portal' }).check()
    await expectSoon(() => page.title()).toMatch(/· Acme Cloud$/)
    expect(await pagesIn(page)).not.toContain('Organizations')
    await inspect(page, 'portal-preview')
    await page.getByRole('button', { name: 'End preview' }).click()
    await expectSoon(() => page.title()).toMatch(/· Tenantry$/)
    expect(await pagesIn(page)).toContain('Organizations')
    expect(complaints).toEqual([])
  })
})

describe('a link of the product', () => {
  const back = 'https://app.acme.example/team?tab=1'
  const wayBack = (page: Page) => page.getByRole('link', { name: /^Back to/ })

  test('opens a page in the named tenant after a sign-in, with a way back', async () => {
    const { page, complaints } = await visit()
    await put(look)
    const other = await newTenant()
    const user = await tenant.member()
    await insertMember(user, other)
    const address = `users?tenant=${other.slug}&return_to=${encodeURIComponent(back)}`
    await open(page, address)
    await prove(page, user.email)
    await page.getByRole('button', { name: `Tenant ${tenant.slug}` }).click()
    await page.getByText(`Tenant ${other.slug}`).first().waitFor()
    await settle(page)
    expect(page.url()).not.toContain('tenant=')
    expect(await wayBack(page).getAttribute('href')).toBe(back)
    await inspect(page, 'portal-way-back')
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
    expect(await wayBack(page).getAttribute('href')).toBe(back)
    expect(complaints).toEqual([])
  })

  test('drops a tenant of others, and leads to no other origin', async () => {
    const { page, complaints } = await visit()
    await put(look)
    const stranger = await newTenant()
    const own = await newApplication({ name: unique('Shop'), home_url: 'https://shop.example.com/' })
    await signIn(page, tenant.admin.email, `dashboard?tenant=${stranger.slug}`)
    await settle(page)
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console/')
    await page.getByText(`Tenant ${tenant.slug}`).first().waitFor()
    for (const to of [
      'https://evil.example/',
      'https://app.acme.example@evil.example/',
      'https://app.acme.example:8443/',
      'https://x.app.acme.example/',
      'http://app.acme.example/',
      '//app.acme.example/',
      String.raw`https://evil.example\@app.acme.example/`,
      'javascript:alert(1)',
      'x'.repeat(3000),
    ]) {
      await open(page, `users?return_to=${encodeURIComponent(to)}`)
      await settle(page)
      expect(await wayBack(page).getAttribute('href')).toBe(look.home_url)
    }
    await open(page, `users?return_to=${encodeURIComponent('https://shop.example.com/cart')}`)
    await page.getByRole('link', { name: `Back to ${own.name}` }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('the colour of the product', () => {
  /** White and black, those of warnings, one that is neither dark nor light, and a light one. */
  const colors = ['#ffffff', '#000000', '#fa5252', '#ffa94d', '#1f8a70', '#ffd43b']

  test.each(colors)('%s hides no warning and no letters', async (color) => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    const read = async () => {
      await page.getByRole('button', { name: 'Disable' }).first().click()
      const button = page.getByRole('dialog').getByRole('button', { name: 'Disable', disabled: false })
      await button.waitFor()
      return colorOf(button)
    }
    await signIn(page, tenant.admin.email, `users/${user.userId}`)
    const plain = await read()
    await put({ ...look, color })
    await open(page, `users/${user.userId}`)
    expect(await read()).toBe(plain)
    await inspect(page, `portal-${color.slice(1)}-warning`)
    await open(page, 'users')
    await settle(page)
    const primary = page.getByRole('button', { name: 'Invite users' })
    expect(await colorOf(primary)).toBe(
      `rgb(${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(', ')})`,
    )
    await inspect(page, `portal-${color.slice(1)}`)
    expect(complaints).toEqual([])
  })
})
