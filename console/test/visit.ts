/** Shared by the browser tests: a page of the real console on the real service, watched for errors. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { createClient, memoryTokens } from '../../client/src/client.ts'
import { launchBrowser } from '../../client/test/launch-browser.ts'
import { password } from '../../server/test/factories.ts'
import { service } from '../../server/test/harness.ts'

export const shots = fileURLToPath(new URL('screenshots/', import.meta.url))

/** CI keeps no pictures, and a busy machine can take half a minute to draw one. */
const isPictured = !process.env['CI']

/** Ten times the wait on a busy machine; shorter than a test may take, so that the error names the missing element. */
const waitMs = 30_000

/** Expects a value that the page, or the service, reaches after a while. */
export const expectSoon = <T>(read: () => T, message = '') => {
  return expect.poll(read, { timeout: waitMs, message })
}

export interface Visit {
  page: Page
  /** The browser's complaints: errors of scripts, and violations of the page's policy. */
  complaints: string[]
}

/** The page has come to rest when it has awaited no answer for this time, in milliseconds. */
const quietMs = 100

/** Requests without an answer, by page. */
const awaited = new WeakMap<Page, Set<Request>>()

const watchRequests = (page: Page): void => {
  const requests = new Set<Request>()
  awaited.set(page, requests)
  page.on('request', (request) => requests.add(request))
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

/** Waits until the page shows its heading and no skeleton, and awaits no answer. Chromium's own wait takes half a second. */
export const settle = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  const requests = awaited.get(page)
  let quietSince = performance.now()
  await expect
    .poll(
      () => {
        if (requests?.size !== 0) quietSince = performance.now()
        return performance.now() - quietSince
      },
      { timeout: waitMs, interval: 20 },
    )
    .toBeGreaterThan(quietMs)
}

/** Scrolls to the end of the page, whose last card is fetched when it is seen. */
export const seeEnd = (page: Page): Promise<void> =>
  page.evaluate<void>('window.scrollTo(0, document.body.scrollHeight)')

/** All test files share one browser, which ends with their process. */
let browser: Promise<Browser> | undefined

/** Opens a browser window without a session; it closes with the test. */
export const visit = async (options: BrowserContextOptions = {}): Promise<Visit> => {
  browser ??= launchBrowser()
  const context = await (
    await browser
  ).newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  onTestFinished(async () => {
    // An answer of the last test that is still being rewritten fails nothing.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  })
  page.setDefaultTimeout(waitMs)
  watchRequests(page)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    // An error status from the service is no fault of the page by itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  return { page, complaints }
}

/** Lets the page find a service without streams, as an older one: its requests then come to an end. */
export const refuseStream = (page: Page): Promise<unknown> =>
  page.route(/\/events\/stream/, (route) =>
    route.fulfill({ status: 404, json: { code: 40401, message: 'There is no such path', data: null } }),
  )

/** The pages that the navigation names, one a line. */
export const navigationOf = async (page: Page): Promise<string> => {
  const links = await page.getByRole('navigation').getByRole('link').allInnerTexts()
  // A mark, such as the number of failing webhooks, has a line of its own.
  return links.map((text) => `${text.split('\n')[0]}\n`).join('')
}

/** The navigation in a picture of the documents, which `npm run screenshots` writes beside it. */
export const picturedNavigation = (picture: 'dashboard' | 'portal'): string =>
  fileURLToPath(new URL(`../../docs/images/${picture}.txt`, import.meta.url))

/** The key of the session in localStorage. */
export const sessionKey = 'tenantry.session'

export const open = (page: Page, path = '', at = service.url) => page.goto(`${at}/console/${path}`)

/** Opens a page of the own account. */
export const openAccount = (page: Page, path: string, at = service.url) => page.goto(`${at}/account/${path}`)

const seeFrame = (page: Page) => page.getByRole('button', { name: 'Account', exact: true }).waitFor()

/** Gives address and password on the pages of the sign-in, only by keyboard. */
export const prove = async (page: Page, email: string, withPassword = password): Promise<void> => {
  await page.getByLabel('E-mail').fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Password' }).fill(withPassword)
  await page.keyboard.press('Enter')
}

/** Signs in on the pages of the sign-in, and waits for the frame of the console. */
export const signInByForm = async (page: Page, email: string, path = ''): Promise<void> => {
  await open(page, path)
  await prove(page, email)
  await seeFrame(page)
}

/** Chooses an action of the page's menu, or of another one. */
export const chooseAction = async (page: Page, name: string, menu = 'More'): Promise<void> => {
  await page.getByRole('main').getByRole('button', { name: menu, exact: true }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Replaces the session in the SDK's storage by one of this user; the page has to be one of the service. */
export const storeSession = async (page: Page, email: string): Promise<void> => {
  const storage = memoryTokens()
  await createClient({ baseUrl: service.url, storage }).auth.login({ email, password })
  const session = JSON.stringify(await storage.get())
  await page.evaluate(`localStorage.setItem('${sessionKey}', ${JSON.stringify(session)})`)
}

/** Gives the browser a session of this user, and waits for the frame of the console. */
export const signIn = async (page: Page, email: string, path = '', at = service.url): Promise<void> => {
  await page.goto(`${at}/healthz`)
  await storeSession(page, email)
  await open(page, path, at)
  await seeFrame(page)
}

/** Gives the browser a session of this user, and opens a page of the own account. */
export const signInToAccount = async (page: Page, email: string, path: string): Promise<void> => {
  await page.goto(`${service.url}/healthz`)
  await storeSession(page, email)
  await openAccount(page, path)
  await page.getByRole('heading', { level: 2 }).first().waitFor()
}

interface Finding {
  id: string
  impact: string | null
  nodes: { html: string; failureSummary: string }[]
}

interface InPage {
  axe?: { run: (options: { resultTypes: string[] }) => Promise<{ violations: Finding[] }> }
}

/** Axe finds nothing serious on the page. */
const expectAccessible = async (page: Page): Promise<void> => {
  const isThere = await page.evaluate(() => (globalThis as unknown as InPage).axe !== undefined)
  // `evaluate` is not bound by the page's policy.
  if (!isThere) await page.evaluate(axe.source)
  const violations = await page.evaluate(
    async (options) => (await (globalThis as unknown as InPage).axe?.run(options))?.violations ?? [],
    { resultTypes: ['violations'] },
  )
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const said = serious.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`))
  expect(said).toEqual([])
}

/** The page does not scroll sideways. */
export const expectNoOverflow = async (page: Page): Promise<void> => {
  const excess = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(excess).toBeLessThanOrEqual(0)
}

/** Both colours and both widths, in two looks: axe takes most of the time. */
const looks = [
  { name: 'wide', scheme: 'light', width: 1280 },
  { name: 'narrow', scheme: 'dark', width: 390 },
] as const

let inspections = 0

/** CI takes one look at each page, in turns, because its run has to end within 14 minutes. */
const looksInTurn = () =>
  process.env['TEST_REPORT_DIR'] === undefined
    ? looks
    : looks.filter((_, at) => at === inspections % looks.length)

/** Checks the page wide in light and narrow in dark by axe; outside CI, keeps a picture of each in screenshots/. */
export const inspect = async (page: Page, name: string): Promise<void> => {
  mkdirSync(shots, { recursive: true })
  inspections += 1
  for (const look of looksInTurn()) {
    await page.emulateMedia({ colorScheme: look.scheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: look.width, height: 800 })
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
    if (isPictured) {
      await page.screenshot({ path: `${shots}${name}-${look.name}.png`, fullPage: true })
    }
    await expectAccessible(page)
    await expectNoOverflow(page)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}
