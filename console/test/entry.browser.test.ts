/** From the sign-in to the dashboard, in a real browser (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, password, platformAdmin, unique, type Tenant } from '../../server/test/factories.ts'
import { expectSoon, inspect, open, prove, signIn, signInByForm, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

describe('signing in', () => {
  test('leads to the dashboard, which names the tenant and counts its users', async () => {
    const { page, complaints } = await visit()
    await open(page)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await inspect(page, 'sign-in')
    await signInByForm(page, tenant.admin.email)
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    expect(await page.title()).toMatch(/^Dashboard · .+ · Tenantry$/)
    await page.getByText('Recent activity').waitFor()
    await inspect(page, 'dashboard')
    expect(complaints).toEqual([])
  })

  test('shows an error, and then leads to the requested page', async () => {
    const { page, complaints } = await visit()
    await open(page, 'users?status=1')
    await prove(page, tenant.admin.email, 'not the password')
    await page.getByText('The e-mail or password is wrong.').waitFor()
    expect(await page.getByRole('alert').allTextContents()).toEqual(['The e-mail or password is wrong.'])
    await inspect(page, 'sign-in-wrong')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    expect(new URL(page.url()).search).toBe('?status=1')
    expect(complaints).toEqual([])
  })

  test('signing out of the console ends the sign-in of the browser, and the key “back” shows nothing', async () => {
    const { page, complaints } = await visit()
    await signInByForm(page, tenant.admin.email)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You’re signed out' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goBack()
    expect(await page.getByText(tenant.admin.email).count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

test('registering shows the fault beside each field', async () => {
  const { page, complaints } = await visit()
  await open(page)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('E-mail').fill(`${unique()}@example.com`)
  await page.getByLabel('Username').fill('ad')
  await page.getByRole('textbox', { name: 'Password' }).fill('short')
  await page.keyboard.press('Enter')
  await page.getByText('Use 3 to 64 letters').waitFor()
  await page.getByText('Use 8 to 128 characters.').waitFor()
  await inspect(page, 'register')
  expect(complaints).toEqual([])
})

describe('a browser without a network', () => {
  const skeletons = (page: Page) => page.locator('.mantine-Skeleton-root').count()

  test('one banner says since when, parts that are missing wait without skeletons, and all renew themselves', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, 'users')
    await page.getByText(tenant.admin.email).waitFor()
    const banner = page.getByRole('alert')
    await page.context().setOffline(true)
    await banner.getByText(/can’t be reached.*loaded before \d+ \w+ \d{4}/).waitFor()
    // The rows are of the last answer, which the banner says; those of another filter are missing.
    await page.getByText(tenant.admin.email).waitFor()
    await page.getByText('Disabled', { exact: true }).click()
    await page.getByText('Not loaded yet.').waitFor()
    expect(await page.getByText(tenant.admin.email).count()).toBe(0)
    expect(await skeletons(page)).toBe(0)
    expect(await banner.count()).toBe(1)
    await inspect(page, 'offline')
    await page.context().setOffline(false)
    await page.getByText('No users match').waitFor()
    expect(await banner.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('the dashboard shows one message, and recovers with the network', async () => {
    const { page } = await visit()
    await signIn(page, (await platformAdmin()).email, 'users')
    const chunk = page.waitForResponse(/dashboard-page/)
    await page.getByRole('link', { name: 'Dashboard' }).hover()
    // The page is there when all that it imports is.
    await page.evaluate(`import(${JSON.stringify((await chunk).url())}).then(() => true)`)
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await expectSoon(() => page.getByText('Not loaded yet.').count()).toBe(4)
    expect(await page.getByRole('alert').count()).toBe(1)
    await inspect(page, 'offline-dashboard')
    // A page whose code is not here yet waits as well.
    await page.getByRole('link', { name: 'Settings' }).click()
    await expectSoon(() => page.getByText('Not loaded yet.').count()).toBe(1)
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

describe('users', () => {
  test('are found by typing, and the address keeps the search', async () => {
    const { page, complaints } = await visit()
    const username = unique('ada')
    const email = `${username}@example.com`
    ok(await tenant.admin.post('/users', { email, username, password, nickname: 'Ada '.repeat(15) }))
    await signIn(page, tenant.admin.email, 'users')
    await page.getByRole('searchbox', { name: 'Search users' }).fill(username)
    await page.getByText('1 entry').waitFor()
    await page.reload()
    await page.getByText(email).waitFor()
    expect(await page.getByRole('searchbox', { name: 'Search users' }).inputValue()).toBe(username)
    await inspect(page, 'users')
    expect(complaints).toEqual([])
  })

  test('are searched by each typed letter, also while the address still receives earlier ones', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, 'users')
    const field = page.getByRole('searchbox', { name: 'Search users' })
    await field.waitFor()
    // Types a letter while the address is ahead of the page, and another one soon after.
    await page.evaluate(`{
      const replace = history.replaceState
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
      const input = document.querySelector('input[type=search]')
      const type = (letter) => {
        set.call(input, input.value + letter)
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
      history.replaceState = (...change) => {
        replace.apply(history, change)
        history.replaceState = replace
        type('z')
        setTimeout(type, 150, 'w')
      }
    }`)
    await field.pressSequentially('xy')
    await expectSoon(() => new URL(page.url()).searchParams.get('search')).toBe('xyzw')
    expect(await field.inputValue()).toBe('xyzw')
    await page.getByText('No users match').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByText(tenant.admin.email).waitFor()
    await field.fill('xyz')
    await page.getByText('No users match').waitFor()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByText(tenant.admin.email).waitFor()
    expect(await field.inputValue()).toBe('')
    expect(complaints).toEqual([])
  })

  test('are not offered without user:read, and their address explains why', async () => {
    const { page, complaints } = await visit()
    await signIn(page, (await tenant.member()).email)
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0)
    await open(page, 'users')
    await page.getByText('user:read').waitFor()
    await inspect(page, 'forbidden')
    expect(complaints).toEqual([])
  })
})

describe('a platform administrator', () => {
  test('chooses a tenant, which all pages keep, also after a reload', async () => {
    const { page, complaints } = await visit()
    const { name } = ok(await (await platformAdmin()).get(`/org/tenants/${tenant.id}`))
    await signIn(page, (await platformAdmin()).email)
    await inspect(page, 'dashboard-platform')
    await page.getByTitle('Choose an organization').click()
    await page.getByPlaceholder('Name or slug').fill(name)
    await page.getByRole('option', { name }).click()
    await page.getByText('Not your organization').waitFor()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByText(tenant.admin.email).waitFor()
    await page.reload()
    await page.getByText(tenant.admin.email).waitFor()
    expect(await page.title()).toBe(`Users · ${name} · Tenantry`)
    expect(complaints).toEqual([])
  })

  test('finds pages, actions, users and tenants by Ctrl K, and Enter opens the first hit', async () => {
    const { page, complaints } = await visit()
    await signIn(page, (await platformAdmin()).email)
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Find pages, users, roles and more').fill((await platformAdmin()).username)
    await page
      .getByText((await platformAdmin()).email)
      .first()
      .waitFor()
    await inspect(page, 'palette')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: (await platformAdmin()).username, level: 1 }).waitFor()
    const act = async (typed: string) => {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Find pages, users, roles and more').fill(typed)
      await page.locator('[data-action][data-selected]', { hasText: new RegExp(typed, 'i') }).waitFor()
      await page.keyboard.press('Enter')
    }
    await act('audit')
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
    await act('create us')
    await page.getByRole('dialog', { name: 'Create user' }).getByLabel('Username').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await act('invite')
    await page.getByRole('dialog', { name: 'Invite users' }).getByLabel('E-mails').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await act('sign out')
    await page.getByRole('heading', { name: 'You’re signed out' }).waitFor()
    expect(complaints).toEqual([])
  })
})
