/** Statements of documents that a file of the repository can refute. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../client/src/client.ts'
import { tokenAlgorithms } from '../src/crypto/algorithms.ts'
import { importForeign } from '../src/crypto/foreign-hashes.ts'
import { filesOf, readText, root } from './documents.ts'

describe('the map', () => {
  const [, tree = ''] = /## The tree[^]*?```\n([^]*?)```/.exec(readText('docs/map.md')) ?? []

  /** Paths of the tree: the first word of a line, below the lines above it that are indented less. */
  const paths: string[] = []
  const above: string[] = []
  for (const line of tree.trimEnd().split('\n')) {
    const depth = (line.length - line.trimStart().length) / 2
    const [name = ''] = line.trim().split(/\s/)
    above.splice(depth, above.length, name)
    paths.push(join(...above))
  }

  const foldersIn = (folder: string): string[] =>
    readdirSync(`${root}${folder}`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name))
      .map(({ name }) => `${folder}${name}/`)

  test('names only folders and files that exist', () => {
    expect(paths.length).toBeGreaterThan(80)
    expect(paths.filter((path) => !existsSync(`${root}${path}`))).toEqual([])
  })

  test('names every folder of the service, its features, the console, the benches and the examples', () => {
    const features = foldersIn('server/src/features/').flatMap(foldersIn)
    const folders = [
      ...['server/src/', 'console/src/', 'bench/', 'examples/', 'server/src/features/'].flatMap(foldersIn),
      ...features,
      ...features.flatMap(foldersIn),
    ]
    expect(features.length).toBeGreaterThan(25)
    expect(folders.filter((path) => !paths.includes(path))).toEqual([])
  })

  test('names every file beside the folders of the service', () => {
    const files = filesOf('server/src/*.ts').filter((path) => !path.endsWith('.test.ts'))
    expect(files.length).toBeLessThanOrEqual(15)
    expect(files.filter((path) => !tree.includes(path.replace('server/src/', '')))).toEqual([])
  })
})

test('the index of the contract lists all of its sections in order', () => {
  const text = readText('docs/contract.md')
  const listed = [...text.matchAll(/^- \[([^\]]+)\]\(#[\w-]+\)$/gm)].map(([, title]) => title)
  const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)
  expect(sections.length).toBeGreaterThan(20)
  expect(listed).toEqual(sections)
})

test('the README of the SDK names every group of methods', () => {
  const client = createClient({ baseUrl: 'http://localhost' })
  const groups = Object.entries(client).filter(([, value]) => typeof value === 'object')
  client.close()
  expect(groups.length).toBeGreaterThan(20)
  const text = readText('client/README.md')
  expect(
    groups.map(([name]) => name).filter((name) => !new RegExp(`\`(?:client\\.)?${name}[\`.]`).test(text)),
  ).toEqual([])
})

test('SECURITY and the guarantees name every algorithm of access tokens', () => {
  const names = { EdDSA: /EdDSA|Ed25519/, ES256: /ES256/, RS256: /RS256/ }
  for (const path of ['SECURITY.md', 'docs/guarantees.md']) {
    expect(tokenAlgorithms.filter((name) => !names[name].test(readText(path)))).toEqual([])
  }
})

test('SECURITY and the guide of imports name every scheme of a hash that an import takes', () => {
  const schemes = ['bcrypt', 'argon2', 'scrypt', 'PBKDF2']
  for (const path of ['SECURITY.md', 'docs/importing-users.md']) {
    expect(schemes.filter((scheme) => !readText(path).includes(scheme))).toEqual([])
  }
  const source = readText('server/src/crypto/foreign-hashes.ts')
  const [, forms = ''] = /^const forms = \[(.*)\]$/m.exec(source) ?? []
  expect(forms.split(', ')).toEqual(['bcrypt', 'argon2', '...scryptForms', '...pbkdf2Forms'])
  expect(importForeign('sha1$abc')).toContain('docs/importing-users.md')
})

test('the page of personal data names every cookie', () => {
  const [, names = ''] = /const names = \{ (.*) \}/.exec(readText('server/src/http/browser-cookies.ts')) ?? []
  const cookies = [...names.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name)
  expect(cookies.length).toBeGreaterThan(2)
  const text = readText('docs/privacy.md')
  expect(cookies.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

test('CONTRIBUTING names every command of package.json, and documents name only these', () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    scripts: Record<string, string>
  }
  const names = Object.keys(scripts).filter((name) => !/^(?:pre|example$|check$|format:check$)/.test(name))
  const text = readText('CONTRIBUTING.md')
  const isNamed = (name: string) => new RegExp(`npm (?:run )?${name}(?![\\w:])`).test(text)
  expect(names.filter((name) => !isNamed(name))).toEqual([])
  const used = filesOf('**/*.md').flatMap((path) =>
    [...readText(path).matchAll(/npm run (\w[\w:-]*\w)(?! ?[\w-]* ?-w)/g)].map(([, name = '']) => ({
      path,
      name,
    })),
  )
  const others = new Set(['build', 'dev'])
  expect(used.filter(({ name }) => !(name in scripts) && !others.has(name))).toEqual([])
})

test('the README names the Node that package.json asks for', () => {
  const { engines } = JSON.parse(readText('package.json')) as { engines: { node: string } }
  const version = engines.node.replace('>=', '')
  expect(readText('README.md')).toContain(`Node ${version} or later`)
})
