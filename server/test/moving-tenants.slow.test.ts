/** One tenant from installation to installation, and from store to store, by the commands. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { extract } from 'tar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Replica } from '../../lab/replica.ts'
import { ask, createStores, endAll, newFolder, run, start, type Stores } from './programs.ts'

const password = 'correct horse battery'
const folder = newFolder()
const at = (name: string) => join(folder, name)
const admin = { TENANTRY_ADMIN_EMAIL: 'root@example.com', TENANTRY_ADMIN_PASSWORD: password }
/** The store of the tests at both ends, an embedded one between them. */
let from: Stores
let back: Stores
const between = { TENANTRY_DATA_DIR: at('between'), DATABASE_URL: '', REDIS_URL: '' }

beforeAll(async () => {
  from = await createStores()
  back = await createStores()
})
afterAll(async () => {
  endAll()
  await Promise.all([from.remove(), back.remove()])
  rmSync(folder, { recursive: true, force: true })
})

const signIn = async (program: Replica, email: string): Promise<string> => {
  const { status, body } = await ask(program, 'POST /auth/login', { body: { email, password } })
  expect([email, status]).toEqual([email, 200])
  return body.data.access_token
}

/** Calls as the platform administrator in one tenant; fails the test with the refusal. */
const callerIn =
  (program: Replica, token: string, tenant?: string) => async (request: string, body?: unknown) => {
    const reply = await ask(program, request, { token, body, ...(tenant === undefined ? {} : { tenant }) })
    expect([request, reply.status, reply.body.message]).toEqual([request, 200, reply.body.message])
    return reply.body.data
  }

/** Two tenants with users, roles, settings, notifications and an audit log; returns the id of the first. */
const furnish = async (program: Replica): Promise<string> => {
  const token = await signIn(program, 'root@example.com')
  const root = callerIn(program, token)
  const { id } = await root('POST /org/tenants', { name: 'Acme "Ünïcode"', slug: 'acme' })
  const other = await root('POST /org/tenants', { name: 'Other', slug: 'other' })
  await callerIn(
    program,
    token,
    other.id,
  )('POST /users', { email: 'o@example.com', username: 'oth', password })
  const inAcme = callerIn(program, token, id)
  const role = await inAcme('POST /rbac/roles', { name: 'Clerk', description: 'line\nbreak \u2028 and more' })
  await inAcme(`PUT /rbac/roles/${role.id}/permissions`, { permission_ids: [1, 2] })
  for (const name of ['ada', 'bob', 'cyd']) {
    const fields = { username: name, nickname: `${name} "quoted" \\`, password }
    const user = await inAcme('POST /users', { ...fields, email: `${name}@Example.com` })
    await inAcme(`POST /rbac/users/${user.id}/roles`, { role_id: role.id })
    await inAcme('POST /notifications', { user_id: user.id, title: 'Hello', content: `line\n${name}` })
    if (name === 'cyd') await inAcme(`PUT /users/${user.id}`, { status: 0 })
  }
  await inAcme('PUT /settings/tenant/colors', { value: { list: [1.5, 'two', null], big: 1e300 } })
  await inAcme('PUT /settings/tenant/name', { value: 'Acme\nInc.' })
  await ask(program, 'POST /auth/login', { body: { email: 'ada@example.com', password } })
  return id
}

/** The parts of an exported tenant, by the names of their files. */
const partsOf = async (file: string): Promise<Record<string, string>> => {
  const unpacked = `${file}.unpacked`
  mkdirSync(unpacked)
  await extract({ file, cwd: unpacked })
  const names = readdirSync(unpacked).filter((name) => name !== 'manifest.json')
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(unpacked, name), 'utf8')]))
}

const keysPart = '13-audit-keys.ndjson'

let id = ''
/** The parts of the first export, without the keys: those belong to the whole installation. */
let original: Record<string, string> = {}

test('a tenant is exported with everything but its sessions, into a file that only its owner reads', async () => {
  const program = await start({ ...from.env, ...admin })
  id = await furnish(program)
  const isEmbedded = from.env['DATABASE_URL'] === undefined
  // The embedded database has room for one process; PostgreSQL is exported while the service runs.
  const meanwhile = await run(['tenant', 'export', 'acme', at('meanwhile.tgz')], from.env)
  expect([meanwhile.code, /is in use/.test(meanwhile.stderr)]).toEqual(isEmbedded ? [1, true] : [0, false])
  await program.end('SIGINT')
  const { code, stdout, stderr } = await run(['tenant', 'export', 'acme', at('acme.tgz')], from.env)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^exported the tenant Acme "Ünïcode" \(acme, /)
  expect(stdout).toMatch(/ {2}users +3\n/)
  expect(stdout).toContain('which only you can read: it holds password hashes')
  expect(statSync(at('acme.tgz')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
  const { [keysPart]: keys, ...parts } = await partsOf(at('acme.tgz'))
  original = parts
  expect(keys).toBeDefined()
  expect(Object.values(parts).join('')).not.toMatch(/o@example|PRIVATE KEY|refresh/)
  expect(parts['02-accounts.ndjson']?.split('\n')).toHaveLength(4)
  const unknown = await run(['tenant', 'export', 'nobody', at('x.tgz')], from.env)
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    'tenantry: there is no tenant with the id or slug nobody\n',
  ])
  const builtIn = await run(['tenant', 'export', 'default', at('x.tgz')], from.env)
  expect([builtIn.code, builtIn.stderr]).toEqual([1, expect.stringContaining('belongs to its installation')])
  const again = await run(['tenant', 'export', id, at('acme.tgz')], from.env)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is not overwritten')])
})

test('a dry run says the same as the import, and leaves nothing behind', async () => {
  const tried = await run(['tenant', 'import', at('acme.tgz'), '--dry-run'], between)
  expect([tried.code, tried.stderr]).toEqual([0, ''])
  expect(tried.stdout).toMatch(
    /^nothing is in the way of the tenant Acme [^]*nothing was changed \(--dry-run\)\n$/,
  )
  const nothing = await run(['tenant', 'export', id, at('tried.tgz')], between)
  expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('there is no tenant')])
})

test('an imported tenant exports as it came, byte for byte', async () => {
  const imported = await run(['tenant', 'import', at('acme.tgz')], between)
  expect([imported.code, imported.stderr]).toEqual([0, ''])
  expect((await run(['tenant', 'export', id, at('between.tgz')], between)).code).toBe(0)
  const { [keysPart]: keys, ...exported } = await partsOf(at('between.tgz'))
  expect(keys).toBeDefined()
  expect(exported).toEqual(original)
})

/** The verdict of `audit verify` on the tenant. */
const verify = async (env: Record<string, string>) => {
  const { code, stdout, stderr } = await run(['audit', 'verify', '--tenant', 'acme'], env)
  return [code, stdout.trimEnd(), stderr]
}

test('its audit chain verifies where it has arrived', async () => {
  const before = await verify(from.env)
  expect(before).toEqual([0, expect.stringMatching(/acme/), ''])
  expect(await verify(between)).toEqual(before)
  expect(original['11-audit-seals.ndjson']).toContain('"statement"')
})

test('an import names every conflict before it writes anything, also in a dry run', async () => {
  for (const args of [[], ['--dry-run']]) {
    const { code, stdout, stderr } = await run(['tenant', 'import', at('acme.tgz'), ...args], between)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.trimEnd().split('\n')).toEqual([`tenantry: the tenant ${id} is here already`])
  }
})

test('its users sign in with their passwords in the new installation, where new ids follow the old ones', async () => {
  // The service makes a first administrator only in an empty database. Here the command does.
  const made = await run(['create-admin', '--email', 'root@example.com'], between, `${password}\n`)
  expect([made.code, made.stderr]).toEqual([0, ''])
  const program = await start(between)
  const ada = await signIn(program, 'ada@example.com')
  expect((await ask(program, 'GET /profile', { token: ada })).body.data).toMatchObject({ username: 'ada' })
  const cyd = await ask(program, 'POST /auth/login', { body: { email: 'cyd@example.com', password } })
  expect(cyd.status).toBe(401)
  const token = await signIn(program, 'root@example.com')
  const inAcme = callerIn(program, token, id)
  const { items: users } = await inAcme('GET /users')
  const roles = await inAcme('GET /rbac/roles')
  const clerk = roles.find(({ name }: { name: string }) => name === 'Clerk')
  expect(clerk.permissions.map((one: { id: number }) => one.id)).toEqual([1, 2])
  const created = await inAcme('POST /users', { email: 'dan@example.com', username: 'dan', password })
  expect(created.id).toBeGreaterThan(Math.max(...users.map((user: { id: number }) => user.id)))
  const added = await inAcme('POST /rbac/roles', { name: 'New' })
  expect(added.id).toBeGreaterThan(Math.max(...roles.map((role: { id: number }) => role.id)))
  expect(await inAcme('GET /settings/tenant/colors')).toMatchObject({
    value: { list: [1.5, 'two', null], big: 1e300 },
  })
  const records = await callerIn(program, token)('GET /audit/logs?resource=tenant')
  expect(records.items.map((one: { action: string }) => one.action)).toEqual([
    'tenant.export',
    'tenant.import',
  ])
  expect(records.items[1]).toMatchObject({
    user_id: 0,
    resource_id: id,
    user_agent: 'tenantry tenant import',
    detail: { slug: { from: null, to: 'acme' }, users: { from: null, to: 3 } },
  })
  await program.end('SIGINT')
})

test('it moves on to a third installation, with its changes in the second', async () => {
  expect((await run(['tenant', 'export', 'acme', at('second.tgz')], between)).code).toBe(0)
  const program = await start({ ...back.env, ...admin })
  const isEmbedded = back.env['DATABASE_URL'] === undefined
  // On PostgreSQL the import runs beside the service.
  if (isEmbedded) await program.end('SIGINT')
  const imported = await run(['tenant', 'import', at('second.tgz')], back.env)
  expect([imported.code, imported.stderr]).toEqual([0, ''])
  const third = isEmbedded ? await start(back.env) : program
  await signIn(third, 'dan@example.com')
  await third.end('SIGINT')
  // The chain has seals of three installations.
  expect(await verify(back.env)).toEqual([0, expect.stringMatching(/acme/), ''])
})
