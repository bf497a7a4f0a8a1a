/** The service as it is published: packed, put into an empty project, and started from there without a clone. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { extract } from 'tar'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { link, nodes, pack, run, type Packed } from '../../client/test/package.ts'
import { toRun } from './documents.ts'
import type { Replica } from '../../lab/replica.ts'
import { endAll, newFolder, start } from './programs.ts'
import { hasCurl, readAnswer, runBlocks } from './shell-blocks.ts'

interface Manifest {
  version: string
  bin: { tenantry: string }
  dependencies: Record<string, string>
}

const folder = newFolder()
const home = join(folder, 'node_modules', 'tenantry')
const command = join(folder, 'node_modules', '.bin', 'tenantry')
const found = await nodes()
const isTooOld = ([version]: [string, string]): boolean => /^v(20|21|22\.(\d|1[0-7]))\./.test(version)
let packed: Packed
let manifest: Manifest

const read = (path: string): string => readFileSync(join(home, path), 'utf8')

/** Does the work of `npm install` without a registry: it links only the package's dependencies. */
beforeAll(async () => {
  packed = await pack('server', folder)
  mkdirSync(home, { recursive: true })
  await extract({ file: join(folder, packed.filename), cwd: home, strip: 1 })
  manifest = JSON.parse(read('package.json')) as Manifest
  link(folder, Object.keys(manifest.dependencies))
  mkdirSync(join(command, '..'))
  symlinkSync(join('..', 'tenantry', manifest.bin.tenantry), command)
  chmodSync(command, 0o755)
})

afterAll(() => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
})

describe('the package', () => {
  test('holds the entry, compiled modules, migrations, the console, documents, files to deploy and the licence, below 15 MB', () => {
    const paths = packed.files.map(({ path }) => path)
    const others = paths.filter((path) => !path.startsWith('dist/'))
    expect(others.toSorted()).toEqual(['LICENSE', 'README.md', 'bin/tenantry.js', 'package.json'])
    const kinds =
      /^dist\/(CHANGELOG\.md|console\/.*|db\/migrations\/[\w-]+\.sql|docs\/(decisions\/)?[\w-]+\.(md|sql)|deploy\/.*|[\w/.-]+\.js)$/
    expect(paths.filter((path) => path.startsWith('dist/') && !kinds.test(path))).toEqual([])
    for (const path of [
      'console/index.html',
      'db/migrations/0001-create-database-roles.sql',
      'docs/operations.md',
      'docs/decisions/README.md',
      'deploy/tenantry.service',
    ]) {
      expect(paths).toContain(`dist/${path}`)
    }
    expect(packed.unpackedSize).toBeLessThan(15_000_000)
  })

  test('holds no test and no TypeScript, and no module names a file of TypeScript', () => {
    const paths = packed.files.map(({ path }) => path)
    expect(paths.filter((path) => /\.[cm]?tsx?$|[.-]test\.|(^|\/)test\//.test(path))).toEqual([])
    const modules = paths.filter((path) => /^dist\/(?!console\/).*\.js$/.test(path))
    expect(modules.length).toBeGreaterThan(200)
    expect(modules.filter((path) => /['"`]\.[^'"`\n]*\.ts['"`]/.test(read(path)))).toEqual([])
  })
})

describe('the command', () => {
  test('prints its version', async () => {
    const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
    expect(await run(command, ['--version'], folder, env)).toBe(`${manifest.version}\n`)
  })

  test('names the Node it needs in one line, in every older Node of this machine', () => {
    for (const [version, node] of found.filter(isTooOld)) {
      const { status, stdout, stderr } = spawnSync(node, [command, 'start'], { encoding: 'utf8' })
      const line = `tenantry: this is Node ${version.slice(1)}; Tenantry needs Node 22.18 or newer\n`
      expect([status, stdout, stderr]).toEqual([1, '', line])
    }
  })
})

describe.each(found.filter((one) => !isTooOld(one)))('the service in Node %s', (version, node) => {
  let program: Replica
  beforeAll(async () => {
    program = await start({ TENANTRY_DATA_DIR: join(folder, version) }, command, node)
  })

  test('prints no warning of Node', () => {
    const env = { PATH: process.env['PATH'], TENANTRY_DATA_DIR: join(folder, `${version}-migrated`) }
    const { status, stderr } = spawnSync(node, [command, 'migrate'], { encoding: 'utf8', env })
    expect([status, stderr]).toEqual([0, ''])
  })

  test.runIf(hasCurl)('registers the first administrator and gives the answers of docs/tour.md', async () => {
    const told = toRun('docs/tour.md', 'json').map(({ code }) => readAnswer(code))
    const answers = await runBlocks(toRun('docs/tour.md', 'sh'), { 'http://localhost:8080': program.url })
    expect(answers).toEqual(told)
  })

  test('shows the console, with its scripts and styles', async () => {
    const page = await fetch(`${program.url}/console`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const assets = [...(await page.text()).matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    )
    expect(assets.length).toBeGreaterThan(1)
    const statuses = await Promise.all(assets.map(async (path) => (await fetch(program.url + path)).status))
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('says its version, and stops when it is told to', async () => {
    const answer = await fetch(`${program.url}/api/version`)
    expect(await answer.json()).toMatchObject({ version: manifest.version })
    expect(program.records().filter(({ level }) => level === 'error')).toEqual([])
    expect(await program.end('SIGTERM')).toBe(0)
  })
})
