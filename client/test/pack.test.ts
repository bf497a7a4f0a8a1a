/** The published package works in strict TypeScript and in plain Node, against a live service. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newTenant, password } from '../../server/test/factories.ts'
import { service } from '../../server/test/harness.ts'
import { createStores, endAll, start } from '../../server/test/programs.ts'
import { createClient } from '../src/client.ts'
import { methodsOf } from './methods.ts'
import { installPackage, nodes, run, type Project } from './package.ts'

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: 'es2022',
  types: [],
}

const source = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

const sources = readdirSync(new URL('../src', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => source(`src/${name}`))

/** The code of every `@example`, without the comment around it. */
const examples = sources.flatMap((text) =>
  [...text.matchAll(/@example\n([\s\S]*?)\n *\*\//g)].map(([, code = '']) =>
    code.replaceAll(/^ *\* ?/gm, ''),
  ),
)

/** The JavaScript blocks of the README. */
const snippets = [...source('README.md').matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code)

const importLine = /^import .*\n/gm

/** Wraps each block in a function of its own, so that blocks do not share names. */
const asFunctions = (blocks: string[]): string => {
  const functions = blocks.map((code, index) => {
    const declared = /const client =/.test(code) ? '' : 'declare const client: Client\n'
    return `namespace example${index} {\n${declared}export const run = async () => {\n${code.replaceAll(importLine, '').replaceAll('export const', 'const')}\n}\n}\n`
  })
  const imports =
    "import { ApiError, browserTokens, createClient, memoryTokens, verifyWebhook, type AccountExport, type Client, type UserExport } from '@tenantry/client'\n" +
    "import { createGuard } from '@tenantry/client/guard'"
  return `${imports}\n${functions.join('')}export { ApiError, browserTokens, createClient, createGuard, memoryTokens, verifyWebhook }\n`
}

/** A program that uses the exports of the package and prints its findings. */
const program = (email: string) => `
import { ApiError, createClient, errorCodes, type Client, type ErrorName, type Page, type User } from '@tenantry/client'

const client: Client = createClient({ baseUrl: '${service.url}', timeoutMs: 10_000 })
await client.auth.login({ email: '${email}', password: '${password}' })
const page: Page<User> = await client.users.list({ page_size: 1, search: undefined })
const names: string[] = []
for await (const { username } of client.users.all({ status: 1 })) names.push(username)
// @ts-expect-error -- a misspelt field is an error
await client.users.update(1, { nicknames: 'Ada' }).catch(() => undefined)
const name: ErrorName = 'userUnknown'
const err: unknown = await client.users.get(Number.MAX_SAFE_INTEGER).catch((caught: unknown) => caught)
if (!(err instanceof ApiError)) throw new Error('no ApiError')
console.log(JSON.stringify({ total: page.total, names: names.length, isCode: err.code === errorCodes[name] }))
`

let project: Project
let email = ''

beforeAll(async () => {
  project = await installPackage()
  project.add('jose')
  const tenant = await newTenant()
  email = tenant.admin.email
})

afterAll(() => {
  endAll()
  project.remove()
})

describe('the package', () => {
  test('holds compiled modules, their declarations, the README and the licence, and depends on nothing', () => {
    const others = project.packed.filter((path) => !/^dist\/[\w/-]+\.(js|d\.c?ts)$/.test(path))
    expect(others.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json'])
    expect(readdirSync(join(project.folder, 'node_modules', '@tenantry'))).toEqual(['client'])
    const text = readFileSync(join(project.folder, 'node_modules/@tenantry/client/package.json'), 'utf8')
    const manifest = JSON.parse(text) as Record<string, unknown>
    const installsNothing = new Set(['devDependencies', 'peerDependencies', 'peerDependenciesMeta'])
    const fields = Object.keys(manifest).filter((key) => /dependencies/i.test(key))
    expect(fields.filter((key) => !installsNothing.has(key))).toEqual([])
    // The guard needs it, and a backend installs it by name.
    expect(manifest['peerDependencies']).toEqual({ jose: '^6.0.0' })
    expect(manifest['peerDependenciesMeta']).toEqual({ jose: { optional: true } })
    expect(manifest).toMatchObject({ publishConfig: { access: 'public' } })
    expect(manifest['exports']).toEqual({
      '.': {
        types: { require: './dist/client.d.cts', default: './dist/client.d.ts' },
        default: './dist/client.js',
      },
      './guard': {
        types: { require: './dist/guard/guard.d.cts', default: './dist/guard/guard.d.ts' },
        default: './dist/guard/guard.js',
      },
    })
    expect(text).not.toContain('src/')
  })

  /** Everything that the files below a folder import, the guard's aside unless the folder is its own. */
  const importedIn = (inGuard: boolean): string[] => {
    const text = project.packed
      .filter((path) => path.startsWith('dist/') && path.startsWith('dist/guard/') === inGuard)
      .map((path) => readFileSync(join(project.folder, 'node_modules/@tenantry/client', path), 'utf8'))
      .join('\n')
    return [...text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)].map(([, name = '']) => name)
  }

  test('imports neither the server, nor another package, nor Node, nor the guard', () => {
    const imported = importedIn(false)
    expect(imported.length).toBeGreaterThan(20)
    expect(
      imported.filter((name) => !/^\.\.?\/[\w/-]+\.c?js$/.test(name) && name !== '@tenantry/client'),
    ).toEqual([])
    expect(imported.filter((name) => name.includes('guard'))).toEqual([])
  })

  test('imports only jose in the guard', () => {
    const packages = importedIn(true).filter((name) => !/^\.\.?\/[\w/-]+\.c?js$/.test(name))
    expect([...new Set(packages)]).toEqual(['jose'])
  })

  // 1.2 kB of it read the live stream. Each method adds about 40 bytes.
  test('weighs less than 14 kB compressed in the bundle of a page', async () => {
    const entry = join(project.folder, 'node_modules/@tenantry/client/dist/client.js')
    const lib = { entry, formats: ['es' as const], fileName: 'client' }
    const built = await build({
      logLevel: 'error',
      configFile: false,
      build: { write: false, minify: true, lib },
    })
    const [bundle] = built as { output: { code: string }[] }[]
    const bytes = gzipSync(bundle?.output[0]?.code ?? '', { level: 9 }).length
    expect(bytes).toBeGreaterThan(1000)
    expect(bytes).toBeLessThan(14_000)
  })
})

test('every method has a doc comment with an example and its errors', () => {
  const documented = sources.flatMap((text) =>
    [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*@example(?:(?!\*\/)[\s\S])*)\*\/\n +(\w+)[:(]/g)].map(
      ([, comment = '', name = '']) => ({ comment, name }),
    ),
  )
  const names = methodsOf(createClient({ baseUrl: service.url })).map((name) => name.replace(/.*\./, ''))
  expect(documented.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  const silent = documented.filter(({ comment }) => !comment.includes('@throws ApiError '))
  expect(silent.map(({ name }) => name).toSorted()).toEqual(['close', 'inTenant', 'subscribe'])
})

describe('an empty, strict TypeScript project', () => {
  test.each([
    ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext' }],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ])(
    'compiles a program and every example of the documentation, resolving like %s',
    async (_name, resolution) => {
      expect(examples.length).toBeGreaterThanOrEqual(60)
      expect(snippets.length).toBeGreaterThan(4)
      project.write('main.ts', program(email))
      project.write('examples.ts', asFunctions([...examples, ...snippets]))
      await project.compile({
        ...strict,
        ...resolution,
        lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
      })
      const said = await run(process.execPath, ['main.js'], project.folder)
      expect(JSON.parse(said)).toEqual({ total: 1, names: 1, isCode: true })
    },
  )
})

/** It signs in, and asks its guard about a request without a token. */
const commonJs = (address: string) => `
import { ApiError, createClient, type User } from '@tenantry/client'
import { createGuard, type Caller } from '@tenantry/client/guard'

const client = createClient({ baseUrl: '${service.url}' })
const guard = createGuard({ baseUrl: '${service.url}', key: 'tnt_0', log: () => undefined })
const main = async (): Promise<void> => {
  const err: unknown = await client.auth.login({ email: '${address}', password: 'wrong' }).catch((caught: unknown) => caught)
  if (!(err instanceof ApiError)) throw new Error('no ApiError')
  await client.auth.login({ email: '${address}', password: '${password}' })
  const { items }: { items: User[] } = await client.users.list({ page_size: 1 })
  const verdict: Caller | Response = await guard.request('user:read')(new Request('${service.url}'))
  console.log(JSON.stringify([items.length, verdict instanceof Response && verdict.status]))
}
void main()
`

describe('a CommonJS project', () => {
  const older = { ...strict, lib: ['es2022', 'dom', 'dom.iterable'] }
  test('compiles under `module: node16`, and runs in every Node from 20.19 on', async () => {
    project.write('product.cts', commonJs(email))
    await project.compile({ ...older, module: 'node16' }, ['product.cts'])
    const canRequire = ([version]: [string, string]) =>
      !/^v(20\.(\d|1[0-8])|21\.\d+|22\.(\d|1[01]))\./.test(version)
    for (const [, node] of (await nodes()).filter(canRequire)) {
      expect(JSON.parse(await run(node, ['product.cjs'], project.folder))).toEqual([1, 401])
    }
  })
})

describe('plain Node', () => {
  // It makes a database and starts a service on it: 12 seconds on an idle machine.
  const timeout = 120_000
  test(
    'runs the first ten lines of the README against a new installation, in every Node of this machine',
    { timeout },
    async () => {
      const [lines = ''] = snippets
      expect(lines.split('\n').filter((line) => line.trim() !== '')).toHaveLength(10)
      const versions = await nodes()
      expect(versions.map(([version]) => version)).toContain(process.version)
      const stores = await createStores()
      const fresh = await start(stores.env)
      project.write('ten-lines.mjs', lines.replace('http://localhost:8080', fresh.url))
      // One after the other: the first registers the account, the next one signs in.
      for (const [, node] of versions) {
        const said = await run(node, ['ten-lines.mjs'], project.folder)
        expect(said).toMatch(/^signed in as ada\nplatform-admin \d+\n[\s\S]*\n\d+ ada@example\.com\n$/)
      }
      await fresh.end('SIGINT')
      await stores.remove()
    },
  )
})
