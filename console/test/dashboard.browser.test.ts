/** The dashboard of a tenant with imported activity, and of a new one. */
import { beforeAll, expect, test } from 'vitest'
import { newTenant, ok, platformAdmin, unique } from '../../server/test/factories.ts'
import { call, clock } from '../../server/test/harness.ts'
import { hookOf, openReceiver } from '../../server/test/hooks.ts'
import { importPast, seeAllYesterday } from '../../server/test/past.ts'
import { insertActiveConnection } from '../../server/test/connection-rows.ts'
import { expectSoon, inspect, signIn, visit } from './visit.ts'

beforeAll(async () => {})

const newTenantWithPast = async () => {
  const tenant = await newTenant()
  await importPast(tenant.id)
  return tenant
}

const chart = 'Sign-ups and active users'
const dayMs = 24 * 3_600_000

test('sign-ups and active users are shown over time, for a period that the address keeps', async () => {
  const { page, complaints } = await visit()
  const { admin } = await newTenantWithPast()
  await signIn(page, admin.email, '?days=90')
  const panel = page.locator('.mantine-Card-root', { hasText: chart })
  const days = panel.locator('tbody tr')
  await days.first().waitFor({ state: 'attached' })
  expect(await days.count()).toBe(90)
  await panel.getByText('7 days').click()
  await days.nth(7).waitFor({ state: 'detached' })
  await page.reload()
  await days.first().waitFor({ state: 'attached' })
  expect(await days.count()).toBe(7)
  expect(new URL(page.url()).search).toBe('?days=7')
  expect(complaints).toEqual([])
})

test('the chart writes days and numbers in the language of the page', async () => {
  const { page, complaints } = await visit()
  const { id, admin } = await newTenantWithPast()
  await seeAllYesterday(id)
  await signIn(page, admin.email)
  const picture = page.getByRole('img', { name: chart })
  await picture.waitFor()
  await inspect(page, 'dashboard-past')
  const yesterday = new Date(clock.now().getTime() - dayMs)
  const written = (language: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(yesterday)
  const tooltip = page.locator('.chart-tooltip')
  const pointAtYesterday = async () => {
    const { width = 0 } = (await picture.boundingBox()) ?? {}
    await picture.hover({ position: { x: width * 0.96, y: 120 } })
  }
  await pointAtYesterday()
  await tooltip.getByText(written('en-GB')).waitFor()
  await tooltip.getByText(/^\d,\d{3}$/).waitFor()
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: '中文' }).click()
  await page.getByText('注册与活跃用户').waitFor()
  await page.mouse.move(0, 0)
  await tooltip.waitFor({ state: 'detached' })
  await page.getByRole('img', { name: '注册与活跃用户' }).waitFor()
  const days = page.getByRole('slider')
  await days.focus()
  await days.press('ArrowLeft')
  await tooltip.getByText(written('zh')).waitFor()
  expect(await days.getAttribute('aria-valuetext')).toMatch(/活跃用户: \d,\d{3}, 注册用户: \d+$/)
  expect(complaints).toEqual([])
})

test('a tenant without recent activity shows an empty chart, not the text for a new tenant', async () => {
  const { page, complaints } = await visit()
  const root = await platformAdmin()
  clock.offsetMs -= 400 * dayMs
  const { id } = await newTenant()
  clock.offsetMs += 400 * dayMs
  await signIn(page, root.email, `?tenant=${id}`)
  await page.getByRole('img', { name: chart }).waitFor()
  expect(await page.getByText('The first day isn’t over yet').count()).toBe(0)
  await inspect(page, 'dashboard-dormant')
  expect(complaints).toEqual([])
})

test('a new tenant is told that there is no activity yet, with first steps to hide and cards that are links', async () => {
  const { page, complaints } = await visit()
  await signIn(page, (await newTenant()).admin.email)
  await page.getByText('The first day isn’t over yet').waitFor()
  const steps = page.getByRole('list', { name: 'First steps' })
  await steps.waitFor()
  await inspect(page, 'dashboard-empty')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByText(/^Tenantry \d+\.\d+\.\d+/).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /^Roles \d/ }).click()
  await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Hide' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('The first day isn’t over yet').waitFor()
  expect(await steps.count()).toBe(0)
  expect(complaints).toEqual([])
})

test('the first steps disappear when all are done', async () => {
  const { page } = await visit()
  const tenant = await newTenant()
  await tenant.member()
  await tenant.role('user:read')
  await signIn(page, tenant.admin.email)
  const steps = page.getByRole('list', { name: 'First steps' })
  await steps.getByRole('link', { name: 'Create service account' }).click()
  await page.getByRole('dialog', { name: 'Create service account' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Service accounts', level: 1 }).waitFor()
  await page.goBack()
  await steps.getByRole('link', { name: 'Set up single sign-on' }).waitFor()
  await insertActiveConnection(tenant)
  await page.reload()
  await steps.getByText('Done: Set up single sign-on').waitFor()
  // Open steps come first.
  const all = await steps.getByRole('listitem').allTextContents()
  expect(all.map((text) => text.startsWith('Done: '))).toEqual([false, true, true, true])
  ok(await tenant.admin.post('/service-accounts', { name: 'deploys' }))
  await page.reload()
  await page.getByText('Recent activity').waitFor()
  await expectSoon(() => page.evaluate(`localStorage.getItem('tenantry.settled')`)).toContain(tenant.id)
  expect(await steps.count()).toBe(0)
})

test('the dashboard leads to users, records, and to the work that waits', async () => {
  const { page, complaints } = await visit()
  const tenant = await newTenant()
  const { admin } = tenant
  const { email } = await tenant.member()
  await call('POST', '/auth/login', { body: { email, password: 'not the password' } })
  ok(await admin.post('/invitations', { email: `${unique('i')}@example.com` }))
  const receiver = await openReceiver()
  await hookOf(admin, receiver.url)
  const broken = await hookOf(admin, receiver.url)
  ok(await admin.post(`/webhooks/${broken.id}/secret`, {}))
  const { id: accountId } = ok(await admin.post('/service-accounts', { name: 'deploys' }))
  const expires_at = new Date(clock.now().getTime() + dayMs).toISOString()
  ok(await admin.post(`/service-accounts/${accountId}/keys`, { name: 'key', expires_at }))
  await signIn(page, admin.email)
  const figure = (name: string) => page.getByRole('main').getByRole('link', { name })
  await figure('1 Failed sign-ins').waitFor()
  await figure('0 Failing webhooks').waitFor()
  await figure('1 Service accounts with expiring keys').waitFor()
  await inspect(page, 'dashboard-work')
  await figure('1 Pending invitations').click()
  await page.getByRole('heading', { name: 'Invitations', level: 1 }).waitFor()
  await page.goBack()
  await figure('1 Service accounts with expiring keys').click()
  await page.getByText('Keys expire within 7 days').waitFor()
  await page.getByRole('link', { name: 'deploys' }).waitFor()
  await page.goBack()
  await figure('1 Failed sign-ins').click()
  await page.getByText('1 entry').waitFor()
  await page.goBack()
  await figure('Online now').click()
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  await page.getByText('Online now').waitFor()
  await page.getByRole('link', { name: admin.username }).waitFor()
  await page.goBack()
  await page
    .getByRole('table', { name: 'Activity by resource' })
    .getByRole('link', { name: 'Webhook' })
    .click()
  await page.getByText(/entr(y|ies)$/).waitFor()
  expect(new URL(page.url()).search).toBe('?resource=webhook')
  expect(complaints).toEqual([])
})
