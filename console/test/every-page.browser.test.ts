/** Promises that every page keeps: of its rest, its structure and the names on it (`npm run test:browser`). */
import { readFileSync } from 'node:fs'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { service } from '../../server/test/harness.ts'
import {
  chooseAction,
  inspect,
  navigationOf,
  open,
  picturedNavigation,
  refuseStream,
  settle,
  visit,
} from './visit.ts'
import { begin, oddWorld, turned, type Path } from './world.ts'

let world: Awaited<ReturnType<typeof oddWorld>>

beforeAll(async () => {
  world = await oddWorld()
})

const widths = { desktop: 1280, phone: 390 } as const

/** The layout shifts that no input caused, from the first moment of the page on. */
const countShifts = `
  globalThis.shifts = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue
      const sources = entry.sources.map(({ node, previousRect: from, currentRect: to }) =>
        [from.x, from.y, from.height, '->', to.x, to.y, to.height, node?.outerHTML?.slice(0, 120)].join(' '))
      globalThis.shifts.push({ value: entry.value, sources })
    }
  }).observe({ type: 'layout-shift', buffered: true })`

interface Shift {
  value: number
  sources: string[]
}

/** A signed-in window, and the pages that its user may open. */
const visitors = [
  ['an administrator', () => ({ email: world.tenant.admin.email, paths: world.own })],
  ['a platform administrator', () => ({ email: world.platform.email, paths: world.ofPlatform })],
] as const

const walk = async (page: Page, paths: Path[], look: (name: string) => Promise<void>): Promise<void> => {
  for (const { name, path } of paths) {
    await open(page, path)
    await settle(page)
    await look(name)
  }
}

const shiftsMax = 0.01

/** How far the page moved while it loaded, where that is seen. */
const shiftsOf = async (page: Page, name: string, width: number): Promise<unknown[]> => {
  const shifts = await page.evaluate<Shift[]>('shifts')
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  process.stdout.write(`CLS ${sum.toFixed(4)} ${name} at ${width}\n`)
  return sum >= shiftsMax ? [[name, sum, shifts]] : []
}

const kilobyte = 1000
const [leastBytes, mostBytes] = [50 * kilobyte, 230 * kilobyte]

const heavyOf = (name: string, bytes: number): unknown[] => {
  process.stdout.write(`${(bytes / kilobyte).toFixed(1)} kB gzip ${name}\n`)
  expect(bytes).toBeGreaterThan(leastBytes)
  return bytes > mostBytes ? [[name, bytes]] : []
}

/** As curl and older proxies ask; current browsers take Brotli, which is a tenth less. */
const gzipOnly = { extraHTTPHeaders: { 'accept-encoding': 'gzip' } }

/** Puts the session of this page into the next ones. */
const sessionOf = async (email: string): Promise<string> => {
  const { page } = await begin(email)
  const stored = await page.evaluate<string>('JSON.stringify(localStorage)')
  return `for (const [key, value] of Object.entries(${stored})) localStorage.setItem(key, value)`
}

/**
 * Opens a page in a browser with an empty cache. `bytes` resolves to those of all scripts that it received until no
 * request was left.
 */
const openAnew = async (path: string, session: string) => {
  const { page } = await visit({ ...gzipOnly, viewport: { width: widths.phone, height: 800 } })
  await refuseStream(page)
  await page.addInitScript(session)
  await page.addInitScript(countShifts)
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname.endsWith('.js')) {
      // A request that ends while its page closes has no size. It came after those that count.
      const size = request.sizes().then(({ responseBodySize }) => responseBodySize)
      sizes.push(size.catch(() => 0))
    }
  })
  await open(page, path)
  await settle(page)
  const bytes = async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  return { page, bytes }
}

const violationsOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source)
  return page.evaluate<string[]>(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
  )
}

/** The findings of a walk over all pages. */
interface Findings {
  shifts: unknown[]
  bare: string[]
  names: number
  violations: string[]
  structures: { name: string; h1: number; banners: number }[]
  complaints: string[]
}

/** Opens every page once, as each takes a second or more, and looks at all that the tests below ask for. */
const walkOnce = async ({ email, paths }: { email: string; paths: Path[] }): Promise<Findings> => {
  const { page, complaints } = await begin(email, { viewport: { width: widths.desktop, height: 800 } })
  await page.addInitScript(countShifts)
  const found: Findings = { shifts: [], bare: [], names: 0, violations: [], structures: [], complaints }
  await walk(page, paths, async (name) => {
    found.shifts.push(...(await shiftsOf(page, name, widths.desktop)))
    const { bare, names } = await page.evaluate<{ bare: string[]; names: number }>(findBare)
    found.names += names
    found.bare.push(...bare.map((one) => `${name}: ${one}`))
    found.violations.push(...(await violationsOf(page)).map((one) => `${name}: ${one}`))
    found.structures.push({
      name,
      h1: await page.getByRole('heading', { level: 1 }).count(),
      banners: await page.getByRole('banner').count(),
    })
  })
  return found
}

/** A walk opens forty pages, each of which may take seconds on a busy machine. */
const walkMs = 300_000

describe.each(visitors)('the pages as %s', (_, visitor) => {
  let findings: Promise<Findings> | undefined
  const find = () =>
    (findings ??= walkOnce(visitor()).catch((err: unknown) => {
      findings = undefined
      throw err
    }))

  test('no page shifts while it loads (desktop)', { timeout: walkMs }, async () => {
    expect((await find()).shifts).toEqual([])
  })

  test(
    'no page shifts while it loads with an empty cache, and none takes more JavaScript than it may (phone)',
    { timeout: walkMs },
    async () => {
      const { email, paths } = visitor()
      const session = await sessionOf(email)
      const restless: unknown[] = []
      const heavy: unknown[] = []
      for (const { name, path } of paths) {
        const { page, bytes } = await openAnew(path, session)
        restless.push(...(await shiftsOf(page, name, widths.phone)))
        heavy.push(...heavyOf(name, await bytes()))
        // Pages that stay open slow the next ones.
        await page.context().close()
      }
      expect(restless).toEqual([])
      expect(heavy).toEqual([])
    },
  )

  test('axe finds nothing, best practices included', async () => {
    const { violations, structures, complaints } = await find()
    expect(structures).toEqual(structures.map(({ name }) => ({ name, h1: 1, banners: 1 })))
    expect(structures.length).toBe(visitor().paths.length)
    expect(violations).toEqual([])
    expect(complaints).toEqual([])
  })

  test('no name turns the words around it', async () => {
    const { names, bare } = await find()
    expect(names).toBeGreaterThan(5)
    expect(bare).toEqual([])
  })
})

/** A name may be the only text of an element that isolates it. Within other words it needs isolates of its own. */
const findBare = `(() => {
  const turn = /\\u202E|[\\u05D0-\\u05D3]{4}/
  const withoutIsolated = (text) => text.replace(/\\u2068[^\\u2069]*\\u2069/g, '')
  const isAlone = (text) => /^\\s*(${turned().slice(0, 3)}\\u202E\\S+ \\w+|[\\u05D0-\\u05D3]{4} \\(\\w+\\) [\\u05D0-\\u05D3]{4})\\s*$/.test(text)
  const bare = []
  let names = 0
  for (const element of document.body.querySelectorAll('*')) {
    if (['SCRIPT', 'STYLE'].includes(element.tagName)) continue
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data).join('')
    if (turn.test(own)) names += 1
    const { unicodeBidi } = getComputedStyle(element)
    if (turn.test(withoutIsolated(own)) && !(isAlone(own) && unicodeBidi === 'isolate')) bare.push(own)
    for (const name of ['title', 'aria-label', 'alt', 'data-hint', 'placeholder']) {
      const value = element.getAttribute(name) ?? ''
      if (turn.test(withoutIsolated(value)) && !isAlone(value)) bare.push(name + '=' + value)
    }
  }
  if (turn.test(withoutIsolated(document.title))) bare.push('title: ' + document.title)
  return { bare, names }
})()`

/** Opens a list of choices: a field of a page, or of a window over it. */
const lists: [path: string, field: string, open?: (page: Page) => Promise<void>][] = [
  ['user-access', 'Assign role'],
  ['user-access', 'Permission'],
  ['audit', 'Action'],
  ['audit', 'Resource'],
  [
    'users',
    'Choose a role',
    async (page) => {
      await page.getByRole('checkbox', { name: /^Select all/ }).check()
      await chooseAction(page, 'Assign role', 'Actions')
    },
  ],
]

const scrolls = `(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('[role=listbox]:not([style*="display: none"] *)'))`

test('axe finds nothing while a list of choices is open', async () => {
  for (let at = 0; at < 8; at += 1) await world.tenant.role()
  const { page } = await begin(world.tenant.admin.email)
  for (const [name, field, prepare] of lists) {
    await open(page, world.own.find((one) => one.name === name)?.path)
    await settle(page)
    await prepare?.(page)
    const combobox = page.getByRole('combobox', { name: field })
    // The window of a role opens with its list.
    if ((await combobox.getAttribute('aria-expanded')) !== 'true') await combobox.click()
    const listbox = page.getByRole('listbox')
    await listbox.getByRole('option').first().waitFor()
    // A list lies above all landmarks.
    const found = (await violationsOf(page)).filter((one) => !one.startsWith('region: '))
    expect([field, found]).toEqual([field, []])
    expect([field, await page.evaluate(scrolls)]).toEqual([field, true])
  }
})

const placeOf = (page: Page, selector: string) =>
  page.evaluate<number[]>(
    `(({ left, top }) => [left, top].map(Math.round))(document.querySelector('${selector}').getBoundingClientRect())`,
  )

const [list, filter] = ['#content table', '#content [role=radiogroup]']

test.each(Object.entries(widths))(
  'ticking a row moves no list, and typing moves no filter (%s)',
  async (_, width) => {
    const { page } = await begin(world.tenant.admin.email, { viewport: { width, height: 800 } })
    await open(page, 'users')
    await settle(page)
    const [listAt, filterAt] = [await placeOf(page, list), await placeOf(page, filter)]
    const search = page.getByRole('main').getByRole('searchbox')
    await search.fill('a')
    await page.getByRole('button', { name: 'Clear', exact: true }).waitFor()
    expect(await placeOf(page, filter)).toEqual(filterAt)
    await search.fill('')
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .check()
    await page.getByRole('toolbar').waitFor()
    expect(await placeOf(page, list)).toEqual(listAt)
  },
)

/** The number of lines that the tabs of a page take, and whether the open one is in sight. */
const tabsOf = `(() => {
  const list = document.querySelector('#content [role=tablist]')
  const { left, right } = list.getBoundingClientRect()
  const tabs = [...list.children].map((tab) => [tab, tab.getBoundingClientRect()])
  const [, open] = tabs.find(([tab]) => tab.ariaSelected === 'true')
  return { lines: new Set(tabs.map(([, { top }]) => top)).size, isInSight: open.left >= left && open.right <= right }
})()`

test.each(['en-GB', 'zh-CN'])(
  'tabs of a page stand on one line of a phone, with the open one in sight (%s)',
  async (locale) => {
    const { page } = await visit({ viewport: { width: widths.phone, height: 800 }, locale })
    await refuseStream(page)
    await page.addInitScript(await sessionOf(world.tenant.admin.email))
    const tabbed = world.own.filter(({ name }) => /^(user|connection|settings)(-(?!import)|$)/.test(name))
    const found: unknown[] = []
    await walk(page, tabbed, async (name) => void found.push([name, await page.evaluate(tabsOf)]))
    expect(found.length).toBeGreaterThan(8)
    expect(found).toEqual(tabbed.map(({ name }) => [name, { lines: 1, isInSight: true }]))
  },
)

test.each(['en-GB', 'zh-CN'])('the tools of the audit log stand on one line (%s)', async (locale) => {
  const { page } = await visit({ viewport: { width: widths.desktop, height: 800 }, locale })
  await refuseStream(page)
  await page.addInitScript(await sessionOf(world.tenant.admin.email))
  await open(page, 'audit')
  await settle(page)
  expect(await page.evaluate("document.querySelector('.list-tools').clientHeight")).toBe(36)
})

test('the pictures of the documents show the navigation of today', async () => {
  const { page } = await begin(world.tenant.admin.email)
  await open(page)
  await settle(page)
  const today = await navigationOf(page)
  expect(readFileSync(picturedNavigation('dashboard'), 'utf8')).toBe(today)
  const [back, ...ofPortal] = readFileSync(picturedNavigation('portal'), 'utf8').trimEnd().split('\n')
  expect(back).toBe('Back to Acme Cloud')
  expect(today.split('\n')).toEqual(expect.arrayContaining(ofPortal))
})

test('the API reference is found, read and tried as the user of the console, without a fault', async () => {
  const { page, complaints } = await begin(world.tenant.admin.email)
  await page.goto(`${service.url}/docs`)
  await page.getByRole('searchbox', { name: 'Search' }).fill('user:read list users')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByRole('link', { name: 'List users', exact: false }).first().click()
  const operation = page.locator('#listUsers')
  await operation.getByText('Try it').click()
  await operation.getByLabel('page_size').fill('1')
  await operation.getByRole('button', { name: 'Send' }).click()
  await operation.getByText('200 OK').waitFor()
  await inspect(page, 'reference')
  expect(complaints).toEqual([])
})
