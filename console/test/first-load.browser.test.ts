/** How much a browser fetches before it shows something. Beside the tests in a browser, since it takes the real build. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
}

const dist = new URL('../dist/', import.meta.url)
const read = (path: string): Buffer => readFileSync(new URL(path, dist))
const chunks = JSON.parse(read('.vite/manifest.json').toString()) as Record<string, Chunk>

/** All that is fetched at once for these: they and what they import, each once. */
const closureOf = (names: string[], seen = new Set<string>()): Set<string> => {
  for (const name of names.filter((one) => !seen.has(one))) {
    seen.add(name)
    closureOf(chunks[name]?.imports ?? [], seen)
  }
  return seen
}

/** As the service sends it to a browser of today: compressed by Brotli. */
const kilobytes = (names: string[]): number =>
  [...closureOf(names)]
    .map((name) => read(`${chunks[name]?.file}.br`).length)
    .reduce((sum, bytes) => sum + bytes, 0) / 1000

const pages = Object.keys(chunks).filter((name) => /^src\/features\/.*-page\.tsx$/.test(name))
const entryPages = pages.filter((page) => page.includes('/sign-in/'))
const entry = ['index.html', 'src/locales/en.ts']
const weigh = (page: string, others: string[]) => [page, kilobytes([...entry, ...others, page])] as const

const say = (weights: (readonly [string, number])[]): void => {
  const lines = weights.map(([page, kB]) => `${kB.toFixed(1)} kB ${page}\n`)
  process.stdout.write(lines.join(''))
}

test('the first load is below 250 kB of compressed JavaScript, for each page with frame and language', () => {
  expect(pages.length).toBeGreaterThan(3)
  const withFrame = pages.filter((page) => !entryPages.includes(page))
  const weights = withFrame.map((page) => weigh(page, ['src/shell/shell.tsx']))
  say(weights)
  expect(weights.filter(([, kB]) => kB >= 250)).toEqual([])
})

test('sign-in and registration, which stand without the frame, are below 200 kB', () => {
  const weights = entryPages.map((page) => weigh(page, []))
  say(weights)
  expect(weights.length).toBe(2)
  expect(weights.filter(([, kB]) => kB >= 200)).toEqual([])
})

test('every page is a chunk of its own, fetched when it is opened', () => {
  const first = closureOf(['index.html'])
  expect(pages.filter((page) => first.has(page))).toEqual([])
})
