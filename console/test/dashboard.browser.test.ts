/** The dashboard of a tenant with a past, and of one without. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../client/test/launch-browser.ts'
import { newTenant } from '../../server/test/factories.ts'
import { clock } from '../../server/test/harness.ts'
import { importPast, seeAllYesterday } from '../../server/test/past.ts'
import { inspect, signIn, visit } from './visit.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

const newTenantWithPast = async () => {
  const tenant = await newTenant()
  await importPast(tenant.id)
  return tenant
}

const chart = 'Sign-ups and active users'

test('sign-ups and active users are shown over time, for a period that the address keeps', async () => {
  const { page, complaints } = await visit(browser)
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
  await page.context().close()
})

test('what the chart says of a day is written as the language writes days and numbers', async () => {
  const { page, complaints } = await visit(browser)
  const { id, admin } = await newTenantWithPast()
  await seeAllYesterday(id)
  await signIn(page, admin.email)
  await page.locator('.recharts-area').first().waitFor()
  await inspect(page, 'dashboard-past')
  const yesterday = new Date(clock.now().getTime() - 24 * 3_600_000)
  const written = (language: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(yesterday)
  const wrapper = page.locator('.recharts-wrapper').first()
  const tooltip = page.locator('.recharts-tooltip-wrapper').first()
  const pointAtYesterday = async () => {
    const { width = 0 } = (await wrapper.boundingBox()) ?? {}
    await wrapper.hover({ position: { x: width * 0.96, y: 120 } })
  }
  await pointAtYesterday()
  await tooltip.getByText(written('en-GB')).waitFor()
  await tooltip.getByText(/^\d,\d{3}$/).waitFor()
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: '中文' }).click()
  await page.getByText('注册与活跃用户').waitFor()
  await pointAtYesterday()
  await tooltip.getByText(written('zh')).waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a new tenant is told that there is nothing to look back on yet', async () => {
  const { page, complaints } = await visit(browser)
  await signIn(page, (await newTenant()).admin.email)
  await page.getByText('The first day is not over yet').waitFor()
  await inspect(page, 'dashboard-empty')
  expect(complaints).toEqual([])
  await page.context().close()
})
