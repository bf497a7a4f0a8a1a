/** The dashboard of a tenant with a past, and of one without. */
import type { Browser } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../client/test/launch-browser.ts'
import { newTenant, unique } from '../../server/test/factories.ts'
import { clock, parts } from '../../server/test/harness.ts'
import { inspect, signIn, visit } from './visit.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

/** Users who were created on each of the last 89 days, and were last seen on one: as an import by SQL brings them. */
const importHistory = (tenantId: string) =>
  parts.store.scoped({ tenantId }).run(sql`
    with wanted as (
      select ${unique()}::text || '-' || n || '-' || nth as name, n
      from generate_series(1, 89) n, generate_series(1, 12 + (90 - n) / 6 + n % 7 * 3) nth
    ), created as (
      insert into accounts (email, email_folded, password_hash) select name, name, '' from wanted
      returning id, email
    )
    insert into users (tenant_id, account_id, email, username, username_folded, search_folded, last_seen_on, created_at,
      updated_at)
    select ${tenantId}::uuid, id, email, email, email, email, day - id::int % 2, day - id::int % 5, now()
    from created join wanted on name = email,
      lateral (select (${clock.now()}::timestamptz at time zone 'utc')::date - n as day) d`)

const newTenantWithPast = async () => {
  const tenant = await newTenant()
  await importHistory(tenant.id)
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
  await inspect(page, 'dashboard-past')
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
  await parts.store.scoped({ tenantId: id }).run(sql`
    update users set last_seen_on = (${clock.now()}::timestamptz at time zone 'utc')::date - 1 where tenant_id = ${id}`)
  await signIn(page, admin.email)
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
