/** The chunks of the real build (`npm run test:browser` builds it). */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
  dynamicImports?: string[]
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

/** Those below gzip, for a browser without Brotli: the page, and all that it imports at any time in one language. */
const gzippedBytes = (page: string, texts: string): number => {
  const dist = new URL('../dist/', import.meta.url)
  const own = JSON.parse(readFileSync(new URL('.vite/sign-in.json', dist), 'utf8')) as Record<string, Chunk>
  const files = new Set<string>()
  const collect = (name: string): void => {
    const { file, css = [], imports = [], dynamicImports = [] } = own[name] as Chunk
    if (files.has(file)) return
    for (const one of [file, ...css]) files.add(one)
    for (const one of [...imports, ...dynamicImports.filter((later) => !later.includes('/locales/'))]) {
      collect(one)
    }
  }
  for (const name of [page, `src/locales/zh/${texts}.ts`]) collect(name)
  const zipped = [...files].map((file) => readFileSync(new URL(`${file}.gz`, dist)).length)
  const ofPage = gzipSync(readFileSync(new URL(page, dist))).length
  const bytes = zipped.reduce((sum, one) => sum + one, ofPage)
  process.stdout.write(`${(bytes / 1000).toFixed(1)} kB gzipped in ${files.size + 1} files: ${page}\n`)
  expect(files.size).toBeGreaterThan(5)
  return bytes
}

test('gzipped, the sign-in with its script, style and language takes less than 120 kB', () => {
  expect(gzippedBytes('sign-in.html', 'hosted')).toBeLessThan(120_000)
})

test('gzipped, the pages of the own account take less than 200 kB', () => {
  expect(gzippedBytes('account.html', 'own-account')).toBeLessThan(200_000)
})
