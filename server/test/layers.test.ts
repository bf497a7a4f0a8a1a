/** Imports between the folders of server/src. oxlint.layers.ts has the rules for single files. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { expect, test } from 'vitest'
import { wings } from '../../oxlint.layers.ts'

const root = join(import.meta.dirname, '../src')

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))

/** Imports that go up, and the reason of each. docs/map.md, "Imports", names them. */
const exceptions = new Set([
  // A change of authority is a transaction, and a transaction reads its caller in access/.
  'access/authority.ts > context.ts',
  'access/ways-in.ts > context.ts',
  // The names of the algorithms are beside the keys, and import nothing.
  'config/config.ts > crypto/algorithms.ts',
  'config/settings.ts > crypto/algorithms.ts',
])

/** A file beside the folders counts as a folder of its own. */
const folderOf = (path: string): string => (path.includes('/') ? dirname(path) : path)

interface Import {
  from: string
  to: string
}

const importsOf = (path: string): Import[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/(?:from|import\(?) ?'(\.[^']+)'/g)]
    .map(([, target = '']) => ({ from: path, to: join(dirname(path), target) }))
    .filter(({ from, to }) => folderOf(from) !== folderOf(to) && !exceptions.has(`${from} > ${to}`))

/** The imports that are part of a ring: folders that only import, or are only imported, are left out in turn. */
const ringsIn = (imports: Import[]): Import[] => {
  const [importing, imported] = [
    new Set(imports.map(({ from }) => folderOf(from))),
    new Set(imports.map(({ to }) => folderOf(to))),
  ]
  const left = imports.filter(({ from, to }) => imported.has(folderOf(from)) && importing.has(folderOf(to)))
  return left.length === imports.length ? left : ringsIn(left)
}

test('no two folders import each other, not even by way of others', () => {
  expect(files.length).toBeGreaterThan(100)
  expect(ringsIn(files.flatMap(importsOf)).map(({ from, to }) => `${from} > ${to}`)).toEqual([])
})

/** The number of a wing in the order of their arrows. */
const wingOf = (path: string): number => wings.indexOf(/^features\/([^/]+)\//.exec(path)?.[1] ?? '')

test('a wing of features imports earlier wings only', () => {
  expect(readdirSync(join(root, 'features')).toSorted()).toEqual(wings.toSorted())
  const up = files
    .filter((path) => path.startsWith('features/'))
    .flatMap(importsOf)
    .filter(({ from, to }) => wingOf(to) > wingOf(from))
  expect(up.map(({ from, to }) => `${from} > ${to}`)).toEqual([])
})

test('a ring of folders is found', () => {
  const ring = [
    { from: 'a/one.ts', to: 'b/two.ts' },
    { from: 'b/two.ts', to: 'c/three.ts' },
    { from: 'c/other.ts', to: 'a/other.ts' },
  ]
  const others = [
    { from: 'top.ts', to: 'a/one.ts' },
    { from: 'c/three.ts', to: 'ground.ts' },
  ]
  expect(ringsIn([...ring, ...others])).toEqual(ring)
})
