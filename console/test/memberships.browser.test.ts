/** One person in several tenants: switching, leaving, deleting the account (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  assign,
  newTenant,
  ok,
  password,
  onlyPlatformAdmin,
  platformAdmin,
  systemRoleId,
  type Tenant,
} from '../../server/test/factories.ts'
import { call, service } from '../../server/test/harness.ts'
import { startMailServer, type MailServer } from '../../lab/mail-server.ts'
import { clearQueue } from '../../server/test/mail-queue.ts'
import { insertMember, joinTenant, newPerson, type Person } from '../../server/test/people.ts'
import { addTotp, proveBy, withTokens } from '../../server/test/second-factors.ts'
import { expectSoon, inspect, open, openAccount, sessionKey, signIn, storeSession, visit } from './visit.ts'

let server: MailServer
beforeAll(async () => {
  await platformAdmin()
  server = await startMailServer()
})
afterAll(() => server.stop())
beforeEach(() => clearQueue())

const nameOf = ({ slug }: Tenant): string => `Tenant ${slug}`

/** A person with an account of their own: an administrator at home, and a mere user in the other tenant. */
const personOfTwo = async () => {
  const [home, away] = [await newTenant(), await newTenant()]
  const here = await newPerson(server, home)
  await assign(home.id, here.userId, systemRoleId('admin'))
  return { home, away, here, there: await joinTenant(server, here, away) }
}

/** Signs in to one of the person's tenants. */
const signInTo = async (page: Page, { email, tenantId }: Person, path = ''): Promise<void> => {
  ok(await call('POST', '/auth/login', { body: { email, password, tenant_id: tenantId } }))
  await signIn(page, email, path)
}

const switcher = (page: Page) => page.getByTitle('Choose an organization')

const expectTenant = (page: Page, tenant: Tenant) => switcher(page).getByText(nameOf(tenant)).waitFor()

const pathOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

const dialog = (page: Page) => page.getByRole('dialog')

describe('switching', () => {
  test('switching by keyboard opens the page in the other tenant, with the rights there, and other tabs follow', async () => {
    const { page, complaints } = await visit()
    const { home, away, here } = await personOfTwo()
    await signInTo(page, here, 'users?search=t')
    const other = await page.context().newPage()
    await open(other, `users/${here.userId}`)
    await expectTenant(other, home)
    await switcher(page).press('Enter')
    await page.getByRole('option', { name: nameOf(away) }).waitFor()
    expect(await page.locator('[role=option][aria-current=true]').innerText()).toContain(nameOf(home))
    await inspect(page, 'own-tenants')
    await page.keyboard.type(away.slug)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expectTenant(page, away)
    await page.getByText('You need the permission user:read').waitFor()
    expect(pathOf(page)).toBe('/console/users')
    await expectTenant(other, away)
    expect(pathOf(other)).toBe('/console/users')
    await page.reload()
    await expectTenant(page, away)
    expect(complaints).toEqual([])
  })

  test('asks about unsaved work, which stays if the person does', async () => {
    const { page, complaints } = await visit()
    const { home, away, here } = await personOfTwo()
    const role = await home.role('user:read')
    await signInTo(page, here, `roles?tab=compare&search=user:read&shown=[${role.id}]`)
    await page.getByRole('checkbox', { name: role.name }).uncheck()
    const choose = async (): Promise<void> => {
      await switcher(page).click()
      await page.getByRole('option', { name: nameOf(away) }).click()
    }
    await choose()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('status').getByText('1 change, not saved yet').waitFor()
    await expectTenant(page, home)
    await choose()
    await dialog(page).getByRole('button', { name: 'Discard' }).click()
    await expectTenant(page, away)
    expect(complaints).toEqual([])
  })

  test('works in the palette, and a tenant in which the person was disabled cannot be chosen', async () => {
    const { page, complaints } = await visit()
    const { home, away, here, there } = await personOfTwo()
    await signInTo(page, here)
    await expectTenant(page, home)
    const find = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search' }).fill(text)
    }
    await find(away.slug)
    await page.getByRole('option', { name: nameOf(away) }).waitFor()
    ok(await away.admin.put(`/users/${there.userId}`, { status: 0 }))
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('You can’t work in this organization').waitFor()
    await switcher(page).click()
    const option = page.getByRole('option', { name: nameOf(away) })
    await expectSoon(() => option.getAttribute('data-combobox-disabled')).toBe('true')
    await option.getByText('Disabled').waitFor()
    await option.click({ force: true })
    await expectTenant(page, home)
    await page.keyboard.press('Escape')
    ok(await away.admin.put(`/users/${there.userId}`, { status: 1 }))
    await open(page)
    await expectTenant(page, home)
    await find(away.slug)
    await page.getByRole('option', { name: nameOf(away) }).waitFor()
    await page.keyboard.press('Enter')
    await expectTenant(page, away)
    expect(complaints).toEqual([])
  })

  test('is offered to no person of one tenant', async () => {
    const { page, complaints } = await visit()
    const home = await newTenant()
    await signIn(page, (await home.member()).email)
    await page.getByRole('banner').getByText(nameOf(home)).waitFor()
    expect(await switcher(page).count()).toBe(0)
    await openAccount(page, 'organizations')
    await page.getByText('This is your only organization.').waitFor()
    expect(await page.getByRole('button', { name: /^Leave/ }).count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

describe('leaving', () => {
  test('a tenant takes an answer, and the current one leads to another', async () => {
    const { page, complaints } = await visit()
    const { home, away, here, there } = await personOfTwo()
    const third = await newTenant()
    await joinTenant(server, here, third)
    await signInTo(page, here)
    await openAccount(page, 'organizations')
    const list = page.getByRole('list', { name: 'Your organizations' })
    await list.getByText('You’re here').waitFor()
    await inspect(page, 'account-organizations')
    await page.getByRole('button', { name: `Leave ${nameOf(third)}` }).press('Enter')
    await dialog(page).getByText('You need a new invitation to return.').waitFor()
    await inspect(page, 'leave-tenant')
    await dialog(page)
      .getByRole('button', { name: `Leave ${nameOf(third)}` })
      .press('Enter')
    await page.getByText(`You have left ${nameOf(third)}.`).waitFor()
    await expectSoon(() => list.getByRole('listitem').count()).toBe(2)

    await page.getByRole('button', { name: `Leave ${nameOf(home)}` }).click()
    await dialog(page)
      .getByText(`You continue in ${nameOf(away)}.`)
      .waitFor()
    await dialog(page)
      .getByRole('button', { name: `Leave ${nameOf(home)}` })
      .click()
    await page.getByText('This is your only organization.').waitFor()
    await list.getByText(nameOf(away)).waitFor()
    expect((await home.admin.get(`/users/${here.userId}`)).status).toBe(404)
    expect((await away.admin.get(`/users/${there.userId}`)).status).toBe(200)
    expect(complaints).toEqual([])
  })
})

test('a platform administrator switches and enters by one list, and the last one neither leaves nor goes', async () => {
  const { page, complaints } = await visit()
  const root = await onlyPlatformAdmin()
  const [mine, foreign] = [await newTenant(), await newTenant()]
  await insertMember(root, mine)
  await signInTo(page, { ...root, refreshToken: '' }, 'notifications')
  await switcher(page).click()
  await page.getByRole('option', { name: foreign.slug }).waitFor()
  const groups = page.getByRole('listbox').getByRole('group')
  expect(await groups.nth(0).getByRole('option').count()).toBe(2)
  expect(await groups.nth(1).getByText(mine.slug).count()).toBe(0)
  await inspect(page, 'all-tenants')
  await page.getByRole('option', { name: foreign.slug }).click()
  await page.getByText('Not your organization').waitFor()
  await switcher(page).click()
  await page.getByRole('option', { name: mine.slug }).click()
  await expectTenant(page, mine)
  expect(pathOf(page)).toBe('/console/notifications')
  await switcher(page).click()
  await page.getByRole('option', { name: 'Default' }).click()
  await switcher(page).getByText('Default').waitFor()

  await openAccount(page, 'organizations')
  await page.getByRole('button', { name: 'Leave Default' }).click()
  await dialog(page).getByRole('button', { name: 'Leave Default' }).click()
  await dialog(page).getByText('The last platform administrator can’t be removed.').waitFor()
  await openAccount(page, 'data')
  await page.getByRole('button', { name: 'Delete your account' }).click()
  await dialog(page).getByRole('textbox', { name: 'Current password' }).fill(password)
  await dialog(page).getByLabel(/^Type/).fill(root.email)
  await page.keyboard.press('Enter')
  await dialog(page).getByText('The last platform administrator can’t be removed.').waitFor()
  await openAccount(page, 'organizations')
  await page.getByRole('button', { name: `Leave ${nameOf(mine)}` }).click()
  await dialog(page)
    .getByRole('button', { name: `Leave ${nameOf(mine)}` })
    .click()
  await page.getByText('This is your only organization.').waitFor()
  expect(complaints).toEqual([])
})

test('deleting the account takes password, e-mail and second factor, and ends at the sign-in', async () => {
  const { page, complaints } = await visit()
  const { home, away, here, there } = await personOfTwo()
  const pair = { access_token: here.token, refresh_token: here.refreshToken }
  await addTotp(withTokens(await home.member(), pair))
  await proveBy(here, 'pwd')
  await page.goto(`${service.url}/healthz`)
  const session = {
    accessToken: here.token,
    refreshToken: here.refreshToken,
    expiresAt: Date.now() + 3_600_000,
  }
  const text = JSON.stringify(JSON.stringify(session))
  await page.evaluate(`localStorage.setItem('${sessionKey}', ${text})`)
  await openAccount(page, 'data')
  await page.getByRole('button', { name: 'Delete your account' }).press('Enter')
  await dialog(page)
    .getByText(`in ${nameOf(away)}`)
    .waitFor()
  await page.keyboard.type(here.email)
  await dialog(page).getByRole('textbox', { name: 'Current password' }).fill('not the password')
  await page.keyboard.press('Enter')
  await dialog(page).getByText('This isn’t your current password.').waitFor()
  await inspect(page, 'delete-account')
  await dialog(page).getByRole('textbox', { name: 'Current password' }).fill(password)
  await page.keyboard.press('Enter')
  await dialog(page).getByText('This needs two-step verification.').waitFor()
  await dialog(page).getByRole('button', { name: 'Sign in again' }).waitFor()
  await page.keyboard.press('Escape')
  await proveBy(here, 'pwd', 'otp', 'mfa')
  await page.getByRole('button', { name: 'Delete your account' }).press('Enter')
  await page.keyboard.type(here.email)
  await dialog(page).getByRole('textbox', { name: 'Current password' }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('Account deleted.').waitFor()
  await inspect(page, 'sign-in-after-deletion')
  expect((await home.admin.get(`/users/${here.userId}`)).status).toBe(404)
  expect((await away.admin.get(`/users/${there.userId}`)).status).toBe(404)
  expect(complaints).toEqual([])
})

test('a person of several tenants finds all of it in Chinese', async () => {
  const { page, complaints } = await visit({ locale: 'zh-CN' })
  const { home, here } = await personOfTwo()
  await page.goto(`${service.url}/healthz`)
  await storeSession(page, here.email)
  await openAccount(page, 'organizations')
  await page.getByRole('list', { name: '您的组织' }).getByText('当前所在').waitFor()
  await inspect(page, 'account-organizations-zh')
  await openAccount(page, 'data')
  await page.getByRole('button', { name: '删除您的账户' }).click()
  await dialog(page).getByText('将删除以下内容').waitFor()
  await inspect(page, 'delete-account-zh')
  await open(page)
  await page.getByTitle('选择组织').click()
  await page.getByRole('option', { name: nameOf(home) }).waitFor()
  expect(complaints).toEqual([])
})
