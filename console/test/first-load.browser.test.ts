/** The JavaScript that a browser fetches for a complete page of the real build (`npm run test:browser`). */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { open, refuseStream, settle, visit } from './visit.ts'
import { begin, oddWorld } from './world.ts'

let world: Awaited<ReturnType<typeof oddWorld>>

beforeAll(async () => {
  world = await oddWorld()
})

const kilobyte = 1000

/** As curl and older proxies ask; current browsers take Brotli, which is a tenth less. */
const gzipOnly = { extraHTTPHeaders: { 'accept-encoding': 'gzip' } }

/** The bytes of all scripts that a browser with an empty cache receives for a page, until no request is left. */
const bytesOf = async (path: string, session: string): Promise<number> => {
  const { page } = await visit(gzipOnly)
  await refuseStream(page)
  if (session !== '') await page.addInitScript(session)
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname.endsWith('.js')) {
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    }
  })
  await open(page, path)
  await settle(page)
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  process.stdout.write(`${(bytes / 1000).toFixed(1)} kB gzip ${path || 'dashboard'}\n`)
  return bytes
}

/** Puts the session of this page into the next ones. */
const sessionOf = async (email: string): Promise<string> => {
  const { page } = await begin(email)
  const stored = await page.evaluate<string>('JSON.stringify(localStorage)')
  return `for (const [key, value] of Object.entries(${stored})) localStorage.setItem(key, value)`
}

const visitors = [
  ['an administrator', () => ({ email: world.tenant.admin.email, paths: world.own })],
  ['a platform administrator', () => ({ email: world.platform.email, paths: world.ofPlatform })],
] as const

test.each(visitors)('the pages of %s take less than 250 kB of JavaScript, gzipped', async (_, visitor) => {
  const { email, paths } = visitor()
  const session = await sessionOf(email)
  const heavy: [string, number][] = []
  for (const { path } of paths) {
    const bytes = await bytesOf(path, session)
    expect(bytes).toBeGreaterThan(50 * kilobyte)
    if (bytes >= 250 * kilobyte) heavy.push([path, bytes])
  }
  expect(heavy).toEqual([])
})

interface Chunk {
  imports?: string[]
}

const manifest = new URL('../dist/.vite/manifest.json', import.meta.url)
const chunks = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, Chunk>

/** These chunks and all that they import, each once. */
const closureOf = (names: string[], seen = new Set<string>()): Set<string> => {
  for (const name of names.filter((one) => !seen.has(one))) {
    seen.add(name)
    closureOf(chunks[name]?.imports ?? [], seen)
  }
  return seen
}

test('every page is a chunk of its own, fetched when it is opened', () => {
  const pages = Object.keys(chunks).filter((name) => /^src\/features\/.*-page\.tsx$/.test(name))
  expect(pages.length).toBeGreaterThan(20)
  const first = closureOf(['index.html'])
  expect(pages.filter((page) => first.has(page))).toEqual([])
})

test('the way to the sign-in fetches nothing of the frame behind it', () => {
  const first = closureOf(['index.html'])
  expect([...first].filter((name) => /^_(?:frame|popups)/.test(name))).toEqual([])
})
