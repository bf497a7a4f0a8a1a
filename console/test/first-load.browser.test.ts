/** The JavaScript that a browser fetches for a complete page of the real build (`npm run test:browser`). */
import { readFileSync } from 'node:fs'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { newTenant, platformAdmin } from '../../server/test/factories.ts'
import { importPast } from '../../server/test/past.ts'
import { open, refuseStream, signIn, visit } from './visit.ts'

const bytesMax = 250_000

beforeAll(async () => {
  // Without any account the console starts with the registration.
  await platformAdmin()
})

/** The bytes of all scripts that a browser with an empty cache receives, until no request is left. */
const bytesOf = async (options: BrowserContextOptions, isThere: (page: Page) => Promise<void>) => {
  const { page } = await visit(options)
  await refuseStream(page)
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (!new URL(request.url()).pathname.endsWith('.js')) return
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await open(page)
  await isThere(page)
  await page.waitForLoadState('networkidle')
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  process.stdout.write(`${(bytes / 1000).toFixed(1)} kB in ${sizes.length} scripts\n`)
  return bytes
}

/** The state of a signed-in browser without its cache. */
const stateOf = async (email: string) => {
  const { page } = await visit()
  await signIn(page, email)
  const storageState = await page.context().storageState()
  return { storageState }
}

const dashboard = async (page: Page): Promise<void> => {
  await page.getByRole('img', { name: 'Sign-ups and active users from' }).waitFor()
  await page.getByRole('table', { name: 'Activity by resource' }).waitFor()
}

test('a first visit signed out fetches less than 250 kB of JavaScript', async () => {
  const bytes = await bytesOf({}, (page) => page.getByRole('heading', { name: 'Sign in' }).waitFor())
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThan(bytesMax)
})

test('a first visit of the dashboard, with its charts, fetches less than 250 kB of JavaScript', async () => {
  const { id, admin } = await newTenant()
  await importPast(id)
  const bytes = await bytesOf(await stateOf(admin.email), dashboard)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThan(bytesMax)
})

test('a first visit of a platform administrator fetches less than 250 kB of JavaScript', async () => {
  const { email } = await platformAdmin()
  const isThere = async (page: Page): Promise<void> => page.getByText('Health').waitFor()
  expect(await bytesOf(await stateOf(email), isThere)).toBeLessThan(bytesMax)
})

interface Chunk {
  file: string
  imports?: string[]
}

const dist = new URL('../dist/', import.meta.url)
const read = (path: string): Buffer => readFileSync(new URL(path, dist))
const chunks = JSON.parse(read('.vite/manifest.json').toString()) as Record<string, Chunk>

/** These chunks and all that they import, each once. */
const closureOf = (names: string[], seen = new Set<string>()): Set<string> => {
  for (const name of names.filter((one) => !seen.has(one))) {
    seen.add(name)
    closureOf(chunks[name]?.imports ?? [], seen)
  }
  return seen
}

/** The service sends chunks in Brotli to current browsers. */
const bytesOfChunks = (names: string[]): number =>
  [...closureOf(names)]
    .map((name) => read(`${chunks[name]?.file}.br`).length)
    .reduce((sum, bytes) => sum + bytes, 0)

const pages = Object.keys(chunks).filter((name) => /^src\/features\/.*-page\.tsx$/.test(name))
const frame = ['index.html', 'src/locales/en.ts', 'src/shell/shell.tsx']

test('every other page takes less than 250 kB, frame and language included', () => {
  expect(pages.length).toBeGreaterThan(3)
  const weights = pages.map((page) => [page, bytesOfChunks([...frame, page])] as const)
  process.stdout.write(weights.map(([page, bytes]) => `${(bytes / 1000).toFixed(1)} kB ${page}\n`).join(''))
  expect(weights.filter(([, bytes]) => bytes >= bytesMax)).toEqual([])
})

test('every page is a chunk of its own, fetched when it is opened', () => {
  const first = closureOf(['index.html'])
  expect(pages.filter((page) => first.has(page))).toEqual([])
})
