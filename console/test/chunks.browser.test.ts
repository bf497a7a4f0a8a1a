/** The chunks of the real build (`npm run test:browser` builds it). */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

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
