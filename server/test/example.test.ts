/** `npm run example`, as a newcomer runs it beside `npm start`: docs/protect-your-service.md. */
import { readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCodes } from '../src/errors/app-error.ts'
import { filesOf, readText, root, toRun } from './documents.ts'
import { freePort } from '../../lab/processes.ts'
import type { Replica } from '../../lab/replica.ts'
import { copyOfRepository, endExamples, launchExample, type Example } from './example.ts'
import { ask, createStores, endAll, run, start, type Stores } from './programs.ts'
import { hasCurl, readAnswer, runBlocks } from './shell-blocks.ts'
import { eventually } from './waits.ts'

const guide = 'docs/protect-your-service.md'
const ada = { email: 'ada@example.com', username: 'ada', password: 'correct horse battery' }

let stores: Stores
let env: Record<string, string>
let tenantry: Replica
let folder: string
let port: number
let product: string

const startTenantry = () => start(env)

const asAda = { TENANTRY_ADMIN_EMAIL: ada.email, TENANTRY_ADMIN_PASSWORD: ada.password }

const launchHere = (login?: Record<string, string>, tenantryPort = env['PORT']) =>
  launchExample({ folder, tenantryUrl: `http://localhost:${tenantryPort}`, port }, login)

/** Starts the example and waits until it listens. Returns the lines of its set-up. */
const startExample = async (login?: Record<string, string>) => {
  const started = launchHere(login)
  await started.ready
  return { example: started, said: started.output.text.split('\n').filter((line) => line.startsWith('+ ')) }
}

const tenantryAsks = async (request: string, options: Parameters<typeof ask>[2]) => {
  const { status, body } = await ask(tenantry, request, options)
  expect([request, status]).toEqual([request, 200])
  return body.data
}

const signIn = async ({ email, password }: { email: string; password: string }): Promise<string> =>
  (await tenantryAsks('POST /auth/login', { body: { email, password } })).access_token

interface User {
  id: number
  tenant: string
  token: string
}

let users = 0

const newUser = async (admin: string, tenant: string, role?: string): Promise<User> => {
  users += 1
  const user = { username: `user-${users}`, email: `user-${users}@example.com`, password: ada.password }
  const { id } = await tenantryAsks('POST /users', { token: admin, tenant, body: user })
  const roles: { id: number; name: string }[] = await tenantryAsks('GET /rbac/roles', {
    token: admin,
    tenant,
  })
  const roleId = roles.find(({ name }) => name === role)?.id
  if (roleId) {
    await tenantryAsks(`POST /rbac/users/${id}/roles`, { token: admin, tenant, body: { role_id: roleId } })
  }
  return { id, tenant, token: await signIn(user) }
}

const newTenant = async (admin: string, slug: string): Promise<string> =>
  (await tenantryAsks('POST /org/tenants', { token: admin, body: { name: slug, slug } })).id

/** The answer of a route: its status, and its JSON or the name of the refusal. */
const visit = async (request: string, token?: string, body?: unknown): Promise<[number, any]> => {
  const [method = '', path = ''] = request.split(' ')
  const response = await fetch(`${product}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer: any = await response.json()
  return [response.status, answer.error ?? answer]
}

/** Longer than the guard remembers, and no longer than a change may take to count. */
const afterChange = () => new Promise((resolve) => setTimeout(resolve, 2000))

const invoice = { customer: 'Umbrella', cents: 12_500 }

let admin = ''
let example: Example

beforeAll(async () => {
  stores = await createStores()
  env = { ...stores.env, PORT: String(await freePort()) }
  folder = copyOfRepository()
  port = await freePort()
  product = `http://127.0.0.1:${port}`
})

afterAll(async () => {
  endExamples()
  endAll()
  await stores.remove()
  rmSync(folder, { recursive: true, force: true })
})

describe('npm run example', () => {
  test('says why it cannot begin: no service, no answer of it, no administrator, no login', async () => {
    const refused = async (tenantryPort?: string): Promise<string> => {
      const { output, exit } = launchHere({}, tenantryPort)
      expect(await exit).toBe(1)
      return output.text
    }
    expect(await refused()).toContain('run npm start first')
    const silent = createServer((socket) => socket.destroy()).listen(0)
    const unanswered = await refused(String((silent.address() as AddressInfo).port))
    silent.close()
    expect(unanswered).toContain('did not answer')
    expect(unanswered).not.toContain('run npm start')
    tenantry = await startTenantry()
    expect(await refused()).toContain('create the first administrator')
    await tenantryAsks('POST /auth/register', { body: ada })
    expect(await refused()).toContain('set TENANTRY_ADMIN_EMAIL and TENANTRY_ADMIN_PASSWORD')
  })

  test('sets Tenantry up once: a second run needs no login, changes nothing and makes no key', async () => {
    const first = await startExample(asAda)
    expect(first.said).toEqual([
      '+ permission invoice:read',
      '+ permission invoice:create',
      '+ role template bookkeeper: invoice:read, invoice:create',
      expect.stringMatching(/^\+ key tnt_.{8}… of the service account Invoices backend$/),
      '+ application Invoices',
    ])
    const file = join(folder, 'examples/invoices/.env')
    const key = readFileSync(file, 'utf8')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(key).toMatch(/^TENANTRY_KEY=tnt_\w+\nCLIENT_ID=\w{22,}\n$/)
    expect(first.example.output.text).not.toContain(/=(.*)/.exec(key)?.[1])
    await first.example.end()

    admin = await signIn(ada)
    const countRecords = async () => (await tenantryAsks('GET /audit/logs', { token: admin })).total
    const before = await countRecords()
    const second = await startExample()
    expect(second.said).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe(key)
    expect(await countRecords()).toBe(before)
    example = second.example
  })

  test('makes another key when its own is lost, and revokes the lost one', async () => {
    await example.end()
    rmSync(join(folder, 'examples/invoices/.env'))
    const third = await startExample(asAda)
    expect(third.said).toEqual([expect.stringMatching(/^\+ key /)])
    const { items } = await tenantryAsks('GET /service-accounts', { token: admin })
    expect(items).toHaveLength(1)
    expect(await tenantryAsks(`GET /service-accounts/${items[0].id}/keys`, { token: admin })).toHaveLength(1)
    example = third.example
  })
})

describe.runIf(hasCurl)('the pages with commands', () => {
  const answersOf = (page: string) => {
    const places = { 'http://localhost:8080': tenantry.url, 'http://localhost:3000': product }
    return runBlocks(toRun(page, 'sh'), places)
  }

  test('the guide gets the answers that it shows', async () => {
    const told = toRun(guide, 'json').map(({ code }) => readAnswer(code))
    expect(told.length).toBeGreaterThan(4)
    expect(await answersOf(guide)).toEqual(told)
  })

  test('each page works after the others, and a second time', async () => {
    const outcomes = (answers: unknown[]) =>
      (answers as { code?: number; error?: string }[]).map(({ code, error }) => code ?? error ?? 'done')
    const toldBy = (page: string) => outcomes(toRun(page, 'json').map(({ code }) => readAnswer(code)))
    const [, ...tour] = toldBy('docs/tour.md')
    for (const resource of [0, errorCodes.resourceIdentifierTaken]) {
      expect(outcomes(await answersOf('docs/sign-in.md'))).toEqual([0, 0, resource])
      expect(outcomes(await answersOf('docs/tour.md'))).toEqual([errorCodes.emailTaken, ...tour])
    }
    expect(outcomes(await answersOf(guide))).toEqual(toldBy(guide))
  })
})

describe('the routes of the example', () => {
  let bookkeeper: User
  let viewer: User
  let outsider: User
  let nobody: User

  beforeAll(async () => {
    const [acme, umbrella] = [await newTenant(admin, 'acme'), await newTenant(admin, 'umbrella')]
    bookkeeper = await newUser(admin, acme, 'bookkeeper')
    viewer = await newUser(admin, acme, 'viewer')
    nobody = await newUser(admin, acme)
    outsider = await newUser(admin, umbrella, 'bookkeeper')
  })

  test('admit a user only with the permission', async () => {
    const [status, created] = await visit('POST /invoices', bookkeeper.token, invoice)
    expect([status, created]).toEqual([200, { ...invoice, id: expect.any(String), createdBy: bookkeeper.id }])
    const routes = ['GET /invoices', `GET /invoices/${created.id}`]
    for (const { token } of [bookkeeper, viewer]) {
      expect(await visit('GET /invoices', token)).toEqual([200, [created]])
      expect(await visit(`GET /invoices/${created.id}`, token)).toEqual([200, created])
    }
    expect(await visit('POST /invoices', viewer.token, invoice)).toEqual([403, 'permissionMissing'])
    for (const route of routes) {
      expect(await visit(route, nobody.token)).toEqual([403, 'permissionMissing'])
      expect(await visit(route)).toEqual([401, 'tokenMissing'])
      expect(await visit(route, `${bookkeeper.token}x`)).toEqual([401, 'tokenInvalid'])
    }
    expect(await visit('POST /invoices', undefined, invoice)).toEqual([401, 'tokenMissing'])
    expect((await visit('POST /invoices', bookkeeper.token, { customer: '' }))[0]).toBe(400)
  })

  test('show no invoice of another tenant', async () => {
    const [, [{ id }]] = await visit('GET /invoices', bookkeeper.token)
    expect(await visit('GET /invoices', outsider.token)).toEqual([200, []])
    expect(await visit(`GET /invoices/${id}`, outsider.token)).toEqual([404, 'invoiceUnknown'])
    const [, theirs] = await visit('POST /invoices', outsider.token, invoice)
    expect(await visit(`GET /invoices/${theirs.id}`, bookkeeper.token)).toEqual([404, 'invoiceUnknown'])
  })

  test('refuse a user 2 seconds after the role was taken, and a disabled user', async () => {
    const { id, tenant, token } = viewer
    const [{ id: roleId }] = await tenantryAsks(`GET /rbac/users/${id}/roles`, { token: admin, tenant })
    expect((await visit('GET /invoices', token))[0]).toBe(200)
    await tenantryAsks(`DELETE /rbac/users/${id}/roles/${roleId}`, { token: admin, tenant })
    await tenantryAsks(`PUT /users/${outsider.id}`, {
      token: admin,
      tenant: outsider.tenant,
      body: { status: 0 },
    })
    await afterChange()
    expect(await visit('GET /invoices', token)).toEqual([403, 'permissionMissing'])
    expect(await visit('GET /invoices', outsider.token)).toEqual([401, 'sessionOver'])
  })

  test('answer 503 while Tenantry is away, and again as before when it is back', async () => {
    await tenantry.end('SIGINT')
    await afterChange()
    expect(await visit('GET /invoices', bookkeeper.token)).toEqual([503, 'unavailable'])
    tenantry = await startTenantry()
    // The guard gives an answer two seconds, and the first one of a new process takes longest.
    await eventually(async () => expect((await visit('GET /invoices', bookkeeper.token))[0]).toBe(200))
  })

  test('answer 503 with a revoked key', async () => {
    const { items } = await tenantryAsks('GET /service-accounts', { token: admin })
    const path = `/service-accounts/${items[0].id}/keys`
    const [{ id: keyId }] = await tenantryAsks(`GET ${path}`, { token: admin })
    await tenantryAsks(`DELETE ${path}/${keyId}`, { token: admin })
    await afterChange()
    expect(await visit('GET /invoices', bookkeeper.token)).toEqual([503, 'unavailable'])
  })
})

describe('the files of the example', () => {
  test('are those that the guide quotes', () => {
    // The formatter breaks lines of documents elsewhere than lines of sources.
    const unbroken = (text: string) => text.replaceAll(/\s/g, '').replaceAll(/,(?=[)}])/g, '')
    const texts = filesOf('examples/invoices/*.{ts,yaml}').map((path) => unbroken(readText(path)))
    const quoted = ['ts', 'yaml'].flatMap((language) =>
      // client/test/guard-package.test.ts compiles the service in NestJS.
      toRun(guide, language).filter(({ code }) => !/@nestjs\/|declare global/.test(code)),
    )
    expect(quoted.length).toBeGreaterThan(2)
    for (const { line, code } of quoted) {
      expect([line, texts.some((text) => text.includes(unbroken(code)))]).toEqual([line, true])
    }
  })

  test('have a catalogue that tenantry catalogue takes as it is, and finds applied', async () => {
    await tenantry.end('SIGINT')
    const plan = await run(['catalogue', 'plan', join(root, 'examples/invoices/catalogue.yaml')], env)
    expect([plan.code, plan.stdout]).toEqual([0, 'nothing to change\n'])
  })
})
