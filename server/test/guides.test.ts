/** The blocks of code in the documents are true: each one is run, or its opening line says why no test runs it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrateOnly } from '../src/start/commands.ts'
import { readConfig } from '../src/config/config.ts'
import { openAccess } from '../src/db/open.ts'
import { createLogger } from '../src/log.ts'
import { blocks, filesOf, readText, root, toRun, type Block } from './documents.ts'
import { freePort } from '../../lab/processes.ts'
import type { Replica } from '../../lab/replica.ts'
import { ask, createStores, endAll, run, start, type Stores } from './programs.ts'
import { hasCurl, readAnswer, runBlocks } from './shell-blocks.ts'
import { makeEmptyDatabase } from './templates.ts'

const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language))
const place = ({ path, line }: Block) => `${path}:${line}`
/** Without the comment at its end. */
const withoutComment = (line: string) => line.replace(/(^|\s)#.*$/, '')

describe('every block of code', () => {
  test('is run by a test, or says why not', () => {
    /**
     * Documents by language. pack.test.ts of the SDK compiles its blocks and runs the first one. guard-package.test.ts
     * runs the services of docs/protect-your-service.md and compiles all TypeScript. example.test.ts follows that page.
     * sign-in-guide.test.ts runs the programs of docs/sign-in.md.
     */
    const tested: Record<string, string[]> = {
      sh: ['docs/tour.md', 'docs/protect-your-service.md', 'docs/sign-in.md'],
      json: ['docs/tour.md', 'docs/protect-your-service.md'],
      ts: ['docs/protect-your-service.md', 'docs/sign-in.md'],
      yaml: ['docs/protect-your-service.md'],
      js: ['client/README.md', 'docs/protect-your-service.md', 'docs/sign-in.md'],
      sql: ['docs/operating.md'],
    }
    const free = new Set(['', 'mermaid'])
    const neither = blocks.filter(
      ({ language, path, notRun }) =>
        !free.has(language) && notRun === undefined && !tested[language]?.includes(path),
    )
    expect(neither.map(place)).toEqual([])
    const unexplained = blocks.filter(({ notRun }) => notRun !== undefined && notRun.split(' ').length < 3)
    expect(unexplained.map(place)).toEqual([])
  })

  test('calls npm scripts that exist', () => {
    const scriptsOf = (path: string) =>
      Object.keys((JSON.parse(readText(path)) as { scripts: Record<string, string> }).scripts)
    const known = new Map(
      ['', 'client', 'console'].map((name) => [name, scriptsOf(join(name, 'package.json'))]),
    )
    const called = inLanguage('sh').flatMap((block) =>
      [...block.code.matchAll(/npm (?:run )?([\w:]+)(?:.*? -w (\w+))?/g)].map(
        ([, script = '', workspace = '']) => ({
          at: place(block),
          script,
          workspace,
        }),
      ),
    )
    expect(called.length).toBeGreaterThan(15)
    const builtIn = new Set(['ci', 'install', 'pack', 'sbom'])
    const missing = called.filter(
      ({ script, workspace }) => !builtIn.has(script) && known.get(workspace)?.includes(script) !== true,
    )
    expect(missing).toEqual([])
  })

  test('calls commands of tenantry that exist, with options that they take', async () => {
    const called = inLanguage('sh').flatMap((block) =>
      block.code.split('\n').flatMap((line) => {
        const [, words = ''] = /(?:^|\s)tenantry ((?:[a-z-]+ ?)+.*)$/.exec(withoutComment(line)) ?? []
        return words === '' ? [] : [{ at: place(block), words: words.split(' ') }]
      }),
    )
    expect(called.length).toBeGreaterThan(10)
    const helps = new Map<string, string>()
    const faults: string[] = []
    for (const { at, words } of called) {
      const isGroup = ['audit', 'tenant', 'users'].includes(words[0] ?? '')
      const command = words.slice(0, isGroup ? 2 : 1)
      const name = command.join(' ')
      if (!helps.has(name)) helps.set(name, (await run([...command, '--help'])).stdout)
      const help = helps.get(name) ?? ''
      const options = words.filter((word) => word.startsWith('--'))
      if (!help.includes(`Usage: tenantry ${name}`)) faults.push(`${at} ${name}`)
      faults.push(...options.filter((option) => !help.includes(option)).map((option) => `${at} ${option}`))
    }
    expect(faults).toEqual([])
  })
})

describe('the guides beside a service without settings of its address', () => {
  /** The address that the documents name; the tests put the printed one in its place. */
  const named = 'http://localhost:8080'
  let stores: Stores
  let program: Replica
  beforeAll(async () => {
    stores = await createStores()
    program = await start({ ...stores.env, PORT: String(await freePort()) })
  })
  afterAll(async () => {
    await program.end('SIGINT')
    await stores.remove()
    endAll()
  })

  test.skipIf(!hasCurl)('docs/tour.md gets the answers that it shows', async () => {
    const told = toRun('docs/tour.md', 'json').map(({ code }) => readAnswer(code))
    expect(told.length).toBeGreaterThan(10)
    const answers = await runBlocks(toRun('docs/tour.md', 'sh'), { [named]: program.url })
    expect(answers).toEqual(told)
  })

  /** Runs the program of docs/protect-your-service.md: the text that it prints, with its errors. */
  const verify = async (token: string): Promise<string> => {
    const [block] = toRun('docs/protect-your-service.md', 'js').filter(({ code }) =>
      code.includes('jwtVerify'),
    )
    expect(block?.code).toContain(named)
    const child = spawn(process.execPath, ['--input-type=module', '-'], {
      cwd: join(root, 'server'),
      env: { PATH: process.env['PATH'], TOKEN: token },
      stdio: 'pipe',
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stdin.end(block?.code.replaceAll(named, program.url))
    await once(child, 'close')
    return output
  }

  test('the verifier of docs/protect-your-service.md reads an access token, and refuses others', async () => {
    const account = { email: 'charles@example.com', username: 'charles', password: 'a fine long password' }
    const { status, body } = await ask(program, 'POST /auth/register', { body: account })
    expect(status).toBe(200)
    const { access_token: token, refresh_token: refreshToken } = body.data
    const { sub, tid, iss, aud } = decodeJwt(token)
    expect([iss, aud]).toEqual([program.url, program.url])
    // Node breaks the line when the id is long.
    const printed = (await verify(token)).replaceAll(/\s+/g, ' ').trim()
    expect(printed).toBe(`{ userId: ${sub}, tenantId: '${String(tid)}' }`)
    expect(await verify(refreshToken)).toContain('ERR_JWKS_NO_MATCHING_KEY')
    expect(await verify(`${token.slice(0, -8)}AAAAAAAA`)).toContain('ERR_JWS_SIGNATURE_VERIFICATION_FAILED')
  })
})

test('documents and examples name one address of the service', () => {
  const files = [...filesOf('**/*.md'), ...filesOf('{client,examples}/**/*.ts')]
  expect(files.length).toBeGreaterThan(100)
  // A proxy on the same machine needs no name.
  expect(files.filter((path) => /127\.0\.0\.1:8080(?!;)/.test(readText(path)))).toEqual([])
})

describe('the SQL of the documents', () => {
  let folder = ''
  const config = () => readConfig({ TENANTRY_DATA_DIR: join(folder, 'data') })

  const onDatabase = async (work: (client: Client) => Promise<void>): Promise<void> => {
    const access = await openAccess(config())
    const client = await access.connect()
    try {
      await work(client)
    } finally {
      await client.end()
      await access.close()
    }
  }
  /** Statement by statement: `create index concurrently` refuses to run with others. */
  const execute = async (client: Client, code: string): Promise<void> => {
    for (const text of code.split(/;\n/).filter((one) => one.trim() !== '')) await client.query(text)
  }
  const executeAll = (some: Block[]) =>
    onDatabase(async (client) => {
      for (const { code } of some) await execute(client, `${code}reset role;\n`)
    })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantry-guides-'))
    await makeEmptyDatabase(join(folder, 'data'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('the SQL of operating.md runs, the roles before the first migration', async () => {
    const all = toRun('docs/operating.md', 'sql')
    const roles = all.filter(({ code }) => code.includes('create role tenantry_app'))
    expect(roles).toHaveLength(1)
    await executeAll(roles)
    await migrateOnly(config(), createLogger('fatal'))
    await executeAll(all.filter((block) => !roles.includes(block)))
  })
})
