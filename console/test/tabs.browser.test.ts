/** Several tabs of one browser, which share a session: `npm run test:browser`. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../client/test/launch-browser.ts'
import { newTenant, type Tenant } from '../../server/test/factories.ts'
import { clock } from '../../server/test/harness.ts'
import { open, signIn, visit } from './visit.ts'

let browser: Browser
let tenant: Tenant

beforeAll(async () => {
  browser = await launchBrowser()
  tenant = await newTenant()
})

afterAll(() => browser.close())

test('two tabs go on when the access token has expired, with one refresh between them', async () => {
  const { page, complaints } = await visit(browser)
  await signIn(page, tenant.admin.email)
  const other = await page.context().newPage()
  await open(other, 'profile')
  await other.getByRole('heading', { name: 'Your profile' }).waitFor()
  const refreshes: string[] = []
  page.context().on('request', (request) => {
    if (request.url().endsWith('/auth/refresh')) refreshes.push(request.url())
  })
  clock.advance(7_201_000)
  await Promise.all([
    page.getByRole('link', { name: 'Users', exact: true }).click(),
    other.getByRole('link', { name: 'Audit log', exact: true }).click(),
  ])
  await page.getByText(tenant.admin.email).waitFor()
  await other.getByRole('link', { name: 'Open the record' }).first().waitFor()
  expect(refreshes).toHaveLength(1)
  expect(complaints).toEqual([])
  await page.context().close()
})
