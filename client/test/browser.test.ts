/** Tabs of a real browser that share a session. `npm run test:browser` needs Chromium. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newTenant, password, type Tenant } from '../../server/test/factories.ts'
import { clock, service } from '../../server/test/harness.ts'
import type * as sdk from '../src/client.ts'
import { launchBrowser } from './launch-browser.ts'

/** The global variable `tab` of a page. */
interface Tab {
  client: sdk.Client
  /** How often `onSignedOut` was called. */
  ends: number
}

const pageText = `<!doctype html><title>tab</title><script type="module">
  import { browserTokens, createClient } from '/sdk/client.js'
  const tab = { ends: 0 }
  tab.client = createClient({ storage: browserTokens(), onSignedOut: () => { tab.ends += 1 } })
  globalThis.tab = tab
</script>`

/** Counts refreshes and answers of 401. */
const seen = { refreshes: 0, refused: 0 }

/** A proxy in front of the service: one origin for the page, the published SDK and the API. */
const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = '', url = '', headers } = request
  const body = await buffer(request)
  const isRefresh = url.endsWith('/auth/refresh')
  // The other tab usually gets its own 401 meanwhile, and waits for the lock.
  if (isRefresh) await pause(100)
  const sent = Object.entries(headers).filter(([name]) =>
    /^(authorization|content-type|x-tenant-id)$/.test(name),
  )
  const answer = await fetch(`${service.url}${url}`, {
    method,
    headers: sent as [string, string][],
    ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
  })
  if (isRefresh) seen.refreshes += 1
  if (answer.status === 401) seen.refused += 1
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
}

const serve = (request: IncomingMessage, response: ServerResponse): void => {
  const { url = '' } = request
  if (url.startsWith('/api/')) return void pass(request, response)
  const isModule = url.startsWith('/sdk/')
  const file = new URL(`../dist/${url.replace(/^\/sdk\//, '')}`, import.meta.url)
  response.writeHead(200, { 'content-type': isModule ? 'text/javascript' : 'text/html' })
  response.end(isModule ? readFileSync(file) : pageText)
}

const server = createServer(serve)
let browser: Browser
let context: BrowserContext
let tenant: Tenant

beforeAll(async () => {
  browser = await launchBrowser()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(async () => {
  await browser.close()
  server.close()
  server.closeAllConnections()
})

beforeEach(async () => {
  Object.assign(seen, { refreshes: 0, refused: 0 })
  context = await browser.newContext()
  tenant = await newTenant()
})

afterEach(() => context.close())

const openTab = async (): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await page.waitForFunction('globalThis.tab')
  return page
}

const signIn = (page: Page, email: string) =>
  page.evaluate((login) => (globalThis as unknown as { tab: Tab }).tab.client.auth.login(login), {
    email,
    password,
  })

/** Sends four requests at once, and counts their answers. */
const ask = (page: Page) =>
  page.evaluate(async () => {
    const { client } = (globalThis as unknown as { tab: Tab }).tab
    const calls = [client.profile.get(), client.users.list(), client.roles.list(), client.system.ping()]
    return (await Promise.all(calls)).length
  })

const endsOf = (page: Page) => page.evaluate(() => (globalThis as unknown as { tab: Tab }).tab.ends)

describe('two tabs', () => {
  test('refresh once between them, each time all their tokens are refused', async () => {
    const tabs = [await openTab(), await openTab()] as const
    await signIn(tabs[0], tenant.admin.email)
    // The process of the other tab sees the stored session a little later.
    await tabs[1].waitForFunction("localStorage.getItem('tenantry.session')")
    for (let round = 1; round <= 5; round += 1) {
      clock.advance(7_201_000)
      expect(await Promise.all(tabs.map(ask))).toEqual([4, 4])
      expect(seen.refreshes).toBe(round)
    }
    expect(seen.refused).toBeGreaterThan(10)
    expect(await Promise.all(tabs.map(endsOf))).toEqual([0, 0])
  })

  test('are both signed out when one of them signs out, or signs in somebody else', async () => {
    const tabs = [await openTab(), await openTab()] as const
    const member = await tenant.member()
    await signIn(tabs[0], tenant.admin.email)
    await signIn(tabs[0], member.email)
    await tabs[1].waitForFunction('globalThis.tab.ends === 1')
    await tabs[0].evaluate(() => (globalThis as unknown as { tab: Tab }).tab.client.session.logout())
    await tabs[1].waitForFunction('globalThis.tab.ends === 2')
    expect(await Promise.all(tabs.map(endsOf))).toEqual([1, 2])
  })

  test('continue when one of them signs in the same user anew, and end when it clears the storage', async () => {
    const tabs = [await openTab(), await openTab()] as const
    await signIn(tabs[0], tenant.admin.email)
    await tabs[1].waitForFunction("localStorage.getItem('tenantry.session')")
    expect(await ask(tabs[1])).toBe(4)
    await signIn(tabs[0], tenant.admin.email)
    expect(await Promise.all(tabs.map(ask))).toEqual([4, 4])
    expect(await Promise.all(tabs.map(endsOf))).toEqual([0, 0])
    await tabs[0].evaluate('localStorage.clear()')
    await tabs[1].waitForFunction('globalThis.tab.ends === 1')
  })
})
