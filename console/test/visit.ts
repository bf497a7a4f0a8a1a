/** What the browser tests share: a page of the real console on the real service, watched for what it must not do. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { createClient, memoryTokens } from '../../client/src/client.ts'
import { launchBrowser } from '../../client/test/launch-browser.ts'
import { password } from '../../server/test/factories.ts'
import { service } from '../../server/test/harness.ts'

const shots = fileURLToPath(new URL('screenshots/', import.meta.url))

/** In CI nobody looks at them, and a busy machine can take half a minute to draw one. */
const isPictured = !process.env['CI']

export interface Visit {
  page: Page
  /** What the browser complained about: errors of scripts, and what the policy of the page has kept out. */
  complaints: string[]
}

/** One for all test files, which ends with their process. */
let browser: Promise<Browser> | undefined

/** A browser window of its own, with nobody signed in, for as long as the test lasts. */
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
  onTestFinished(() => context.close())
  const page = await context.newPage()
  // Says what it waited for, before the time of the whole test is up.
  page.setDefaultTimeout(10_000)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    // An answer of the service that is an error is no fault of the page by itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  return { page, complaints }
}

/** What the session lies under in the storage of the browser. */
export const sessionKey = 'tenantry.session'

export const open = (page: Page, path = '') => page.goto(`${service.url}/console/${path}`)

/** The frame of the console is there. */
const seeFrame = (page: Page) => page.getByRole('button', { name: 'Account' }).waitFor()

/** Signs in by the form, which is then the page before this one, and waits for the frame of the console. */
export const signInByForm = async (page: Page, email: string, path = ''): Promise<void> => {
  await open(page, path)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await seeFrame(page)
}

/** Puts a session of this user where the SDK keeps it, in place of whose there was; the page is one of the service. */
export const storeSession = async (page: Page, email: string): Promise<void> => {
  const storage = memoryTokens()
  await createClient({ baseUrl: service.url, storage }).auth.login({ email, password })
  const session = JSON.stringify(await storage.get())
  await page.evaluate(`localStorage.setItem('${sessionKey}', ${JSON.stringify(session)})`)
}

/** Gives the browser a session of this user, and waits for the frame of the console. */
export const signIn = async (page: Page, email: string, path = ''): Promise<void> => {
  await page.goto(`${service.url}/healthz`)
  await storeSession(page, email)
  await open(page, path)
  await seeFrame(page)
}

interface Finding {
  id: string
  impact: string | null
  nodes: { html: string; failureSummary: string }[]
}

interface AxeOptions {
  resultTypes: string[]
  runOnly?: string[]
}

interface InPage {
  axe?: { run: (options: AxeOptions) => Promise<{ violations: Finding[] }> }
}

/** Axe finds nothing serious on the page as it is now; by all of its rules, or by some. */
const expectAccessible = async (page: Page, runOnly?: string[]): Promise<void> => {
  const isThere = await page.evaluate(() => (globalThis as unknown as InPage).axe !== undefined)
  // By the developer tools, which the policy of the page does not bind.
  if (!isThere) await page.evaluate(axe.source)
  const options = { resultTypes: ['violations'], ...(runOnly && { runOnly }) }
  const violations = await page.evaluate(
    async (wanted) => (await (globalThis as unknown as InPage).axe?.run(wanted))?.violations ?? [],
    options,
  )
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const said = serious.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`))
  expect(said).toEqual([])
}

/** Nothing hangs out at the side: the page does not scroll sideways. */
const expectNoOverflow = async (page: Page): Promise<void> => {
  const excess = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(excess).toBeLessThanOrEqual(0)
}

/** The dark page differs from the light one in its colours alone. */
const ofColours = ['color-contrast', 'link-in-text-block']

const looks: { name: string; scheme: 'light' | 'dark'; width: number; rules: string[] | undefined }[] = [
  { name: 'light', scheme: 'light', width: 1280, rules: undefined },
  { name: 'dark', scheme: 'dark', width: 1280, rules: ofColours },
  { name: 'narrow', scheme: 'light', width: 390, rules: undefined },
]

/** The page in light, dark and narrow: checked by axe in each, and kept in screenshots/ to be looked at, but in CI. */
export const inspect = async (page: Page, name: string): Promise<void> => {
  mkdirSync(shots, { recursive: true })
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look.scheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: look.width, height: 800 })
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
    if (isPictured) {
      await page.screenshot({ path: `${shots}${name}-${look.name}.png`, fullPage: true, timeout: 20_000 })
    }
    await expectAccessible(page, look.rules)
    await expectNoOverflow(page)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}
