/** `tenantry users import`: many rows, twice, and killed on the way. */
import { once } from 'node:events'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Replica } from '../../lab/replica.ts'
import { foreignHashes, foreignPassword } from './foreign-hashes.ts'
import { ask, createStores, endAll, launchCommand, newFolder, run, start, type Stores } from './programs.ts'
import { serverUrl } from './test-database.ts'

const folder = newFolder()
const at = (name: string) => join(folder, name)
const password = 'correct horse battery'
const admin = { TENANTRY_ADMIN_EMAIL: 'root@example.com', TENANTRY_ADMIN_PASSWORD: password }
let stores: Stores
let env: Record<string, string>

beforeAll(async () => {
  stores = await createStores()
  env = { ...stores.env, ...admin }
  // The first start makes the administrator: an import would leave no empty database for it.
  await (await start(env)).stop()
})
afterAll(async () => {
  endAll()
  await stores.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Signs in, and calls in the built-in tenant. */
const callerOf = async (program: Replica, email = 'root@example.com') => {
  const { status, body } = await ask(program, 'POST /auth/login', { body: { email, password } })
  expect([email, status]).toEqual([email, 200])
  const token: string = body.data.access_token
  return async (request: string, sent?: unknown) => {
    const reply = await ask(program, request, { token, body: sent })
    expect([request, reply.status]).toEqual([request, 200])
    return reply.body.data
  }
}

const totalOf = async (program: Replica, path: string): Promise<number> =>
  (await (await callerOf(program))(`GET ${path}`)).total

/** How many users have a record of their creation. A filtered total ends at 10,000, so the others are taken away. */
const recordedOf = async (program: Replica): Promise<number> => {
  const caller = await callerOf(program)
  const [all, logins] = [await caller('GET /audit/logs'), await caller('GET /audit/logs?action=auth.login')]
  return all.total - logins.total
}

const [, hash = ''] = foreignHashes[0] ?? []

const writeUsers = (name: string, mark: string, count: number): string => {
  const rows = Array.from({ length: count }, (_, n) => `${mark}${n}@example.com,"${hash}",true\n`)
  writeFileSync(at(name), `email,password_hash,email_verified\n${rows.join('')}`)
  return at(name)
}

test('100,000 rows come in once, and exist the second time', async () => {
  const file = writeUsers('many.csv', 'many', 100_000)
  const dry = await run(
    ['users', 'import', writeUsers('few.csv', 'few', 10), '--tenant', 'default', '--dry-run'],
    env,
  )
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringMatching(/created {2}10\n.*nothing was changed/s)])
  const first = await run(['users', 'import', file, '--tenant', 'default'], env)
  expect([first.code, first.stderr]).toEqual([0, ''])
  expect(first.stdout).toMatch(/created {2}100000\n {2}exists {3}0\n {2}refused {2}0\n/)
  const second = await run(['users', 'import', file, '--tenant', 'default'], env)
  expect(second.stdout).toMatch(/created {2}0\n {2}exists {3}100000\n {2}refused {2}0\n/)
  const program = await start(env)
  expect(await totalOf(program, '/users')).toBe(100_001)
  expect(await recordedOf(program)).toBe(100_001)
  const body = { email: 'many99999@example.com', password: foreignPassword }
  expect(await ask(program, 'POST /auth/login', { body })).toMatchObject({ status: 200 })
  await program.stop()
}, 1_800_000)

test('refused rows are in a file that only the operator can read, and come in once they are mended', async () => {
  writeFileSync(
    at('some.csv'),
    `email,nickname,password_hash\nno address,"Lovelace, ""Ada""","${hash}"\nnew@example.com,,\n`,
  )
  const first = await run(['users', 'import', at('some.csv'), '--tenant', 'default'], env)
  expect([first.code, first.stdout]).toEqual([
    2,
    expect.stringMatching(/created {2}1\n {2}exists {3}0\n {2}refused {2}1\n/),
  ])
  const refused = at('some.refused.csv')
  expect(statSync(refused).mode & 0o777).toBe(0o600)
  const again = await run(['users', 'import', at('some.csv'), '--tenant', 'default'], env)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('Move it away first')])
  writeFileSync(at('mended.csv'), readFileSync(refused, 'utf8').replace('no address', 'mended@example.com'))
  const second = await run(['users', 'import', at('mended.csv'), '--tenant', 'default'], env)
  expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('created  1\n')])
})

test('nothing is imported without a tenant, with an unknown one, or from a file of another kind', async () => {
  const file = writeUsers('one.csv', 'one', 1)
  writeFileSync(at('names.csv'), 'name\nada\n')
  writeFileSync(at('open.csv'), 'email\n"ada@example.com\n')
  const cases: [args: string[], told: string][] = [
    [[file], '--tenant'],
    [[file, '--tenant', 'nowhere'], 'there is no tenant'],
    [[at('one.txt'), '--tenant', 'default'], 'must end with'],
    [[at('names.csv'), '--tenant', 'default'], 'no column email'],
    [[at('open.csv'), '--tenant', 'default'], 'is no CSV'],
  ]
  for (const [args, told] of cases) {
    const { code, stderr, stdout } = await run(['users', 'import', ...args], env)
    expect([told, code, stdout, stderr]).toEqual([told, 1, '', expect.stringContaining(told)])
  }
})

test('a killed import leaves whole batches, and the next run completes it', async () => {
  const file = writeUsers('killed.csv', 'killed', 30_000)
  const command = launchCommand(['users', 'import', file, '--tenant', 'default'], env)
  const ended = once(command, 'exit')
  await sleep(4000)
  command.kill('SIGKILL')
  await ended
  const program = await start(env)
  const users = await totalOf(program, '/users')
  const created = await recordedOf(program)
  expect(created).toBe(users)
  await program.stop()
  const { stdout } = await run(['users', 'import', file, '--tenant', 'default'], env)
  const [, added, existing] = /created {2}(\d+)\n {2}exists {3}(\d+)\n {2}refused {2}0\n/.exec(stdout) ?? []
  expect(Number(existing) % 1000).toBe(0)
  expect(Number(added) + Number(existing)).toBe(30_000)
}, 600_000)

describe.runIf(serverUrl)('two replicas', () => {
  test('the death of one within an import leaves all rows of a batch with their records, or none', async () => {
    const [dying, living] = [await start(env), await start(env)]
    const before = await recordedOf(living)
    const rows = Array.from({ length: 1000 }, (_, n) => ({ email: `dying${n}@example.com` }))
    const { body } = await ask(dying, 'POST /auth/login', { body: { email: 'root@example.com', password } })
    const token: string = body.data.access_token
    const importing = ask(dying, 'POST /users/import', { token, body: { rows } }).catch(() => undefined)
    await sleep(60)
    await dying.end('SIGKILL')
    await importing
    const count = await totalOf(living, '/users?search=dying')
    expect([0, 1000]).toContain(count)
    expect(await recordedOf(living)).toBe(before + count)
    const { results } = await (await callerOf(living))('POST /users/import', { rows })
    const statuses = new Set(results.map(({ status }: { status: string }) => status))
    expect([...statuses]).toEqual([count === 0 ? 'created' : 'exists'])
    expect(await recordedOf(living)).toBe(before + 1000)
    await living.stop()
  })
})
