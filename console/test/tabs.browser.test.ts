/** Several tabs of one browser, which share a session (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { newTenant, type Tenant } from '../../server/test/factories.ts'
import { clock, service } from '../../server/test/harness.ts'
import { inspect, open, sessionKey, signIn, signInByForm, storeSession, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

/** A second tab of the same browser, in which this user signs in instead. */
const signInElsewhere = async (page: Page, email: string): Promise<void> => {
  const other = await page.context().newPage()
  await other.goto(`${service.url}/healthz`)
  await storeSession(other, email)
}

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

test('two tabs continue after the access token has expired, with one refresh between them', async () => {
  const { page, complaints } = await visit()
  await signInByForm(page, tenant.admin.email)
  const other = await page.context().newPage()
  await open(other, 'notifications')
  await other.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
  const refreshes: string[] = []
  page.context().on('request', (request) => {
    if (/\/auth\/refresh$|\/console\/session$/.test(request.url())) refreshes.push(request.url())
  })
  clock.advance(7_201_000)
  await Promise.all([
    page.getByRole('link', { name: 'Users', exact: true }).click(),
    other.getByRole('link', { name: 'Audit log', exact: true }).click(),
  ])
  await page.getByText(tenant.admin.email).waitFor()
  await other.getByRole('link', { name: 'Open the record' }).first().waitFor()
  expect(refreshes).toEqual([`${service.url}/console/session`])
  expect(complaints).toEqual([])
})

test('scripts cannot read the refresh token: a cookie holds it', async () => {
  const { page, complaints } = await visit()
  await signInByForm(page, tenant.admin.email)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  const stored = await page.evaluate<string>(`localStorage.getItem('${sessionKey}')`)
  expect(JSON.parse(stored)).toMatchObject({ refreshToken: '' })
  const cookies = await page.context().cookies(`${service.url}/console/session`)
  const cookie = cookies.find(({ name }) => name === 'tenantry-console')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  expect(await page.evaluate('document.cookie')).toBe('')
  expect(complaints).toEqual([])
})

test('a tab follows a new sign-in in another tab, even with a draft', async () => {
  const { page, complaints } = await visit()
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  const role = await tenant.role('user:read')
  const somebody = await tenant.userWith('role:read', 'role:update', 'user:read')
  await signIn(page, tenant.admin.email, `roles?tab=compare&search=user:read&shown=[${role.id}]`)
  await page.getByRole('checkbox', { name: role.name }).uncheck()
  await page.getByText('1 change, not saved yet').waitFor()
  await signInElsewhere(page, somebody.email)
  await page.getByText('1 change, not saved yet').waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: role.name }).waitFor()
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByText(somebody.email).waitFor()
  expect(await page.getByText(tenant.admin.email).count()).toBe(0)
  expect(new URL(page.url()).searchParams.get('search')).toBe('user:read')
  expect(asked).toEqual([])
  expect(complaints).toEqual([])
})

test('a sign-in page continues to its target after a sign-in in another tab', async () => {
  const { page, complaints } = await visit()
  await open(page, 'users?status=1')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const other = await page.context().newPage()
  await signInByForm(other, tenant.admin.email)
  await page.getByText(tenant.admin.email).waitFor()
  const { pathname, search } = new URL(page.url())
  expect(pathname + search).toBe('/console/users?status=1')
  expect(complaints).toEqual([])
})

test('a tab that did not sign out itself says that the session ended, and returns to its page later', async () => {
  const { page, complaints } = await visit()
  await signIn(page, tenant.admin.email)
  const other = await page.context().newPage()
  await open(other, 'users?status=1')
  await other.getByText(tenant.admin.email).waitFor()
  await signOut(page)
  await other.getByText('Sign in to return to your page.').waitFor()
  expect(new URL(other.url()).pathname).toBe('/sign-in')
  await inspect(other, 'session-ended')
  await page.getByRole('heading', { name: 'You’re signed out' }).waitFor()
  await inspect(page, 'signed-out')
  expect(await page.getByText('Sign in to return to your page.').count()).toBe(0)
  await signInByForm(page, tenant.admin.email)
  await other.getByText(tenant.admin.email).waitFor()
  const { pathname, search } = new URL(other.url())
  expect(pathname + search).toBe('/console/users?status=1')
  expect(complaints).toEqual([])
})

test('the end of a session in another tab keeps a draft, and asks for the password over it', async () => {
  const { page } = await visit()
  const role = await tenant.role('user:read')
  await signIn(page, tenant.admin.email, `roles?tab=compare&search=user:read&shown=[${role.id}]`)
  await page.getByRole('checkbox', { name: role.name }).uncheck()
  const other = await page.context().newPage()
  await open(other, 'notifications')
  await signOut(other)
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
  expect(await page.getByRole('checkbox', { name: role.name, includeHidden: true }).isChecked()).toBe(false)
})
