/** The programs of docs/sign-in.md sign a person in, each with the client library that it names. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../lab/processes.ts'
import type { Replica } from '../../lab/replica.ts'
import { openBrowser } from './browser.ts'
import { root, toRun } from './documents.ts'
import { ask, createStores, endAll, start, type Stores } from './programs.ts'
import { hasCurl, runBlocks } from './shell-blocks.ts'
import { signInAt } from './signing-in.ts'

const guide = 'docs/sign-in.md'
const ada = { email: 'ada@example.com', username: 'ada', password: 'correct horse battery' }

let stores: Stores
let tenantry: Replica
let folder: string
let token: string
let port: number
let app: { client_id: string; secret: string }

const blockWith = (text: string): string => {
  const [block, ...more] = toRun(guide, 'js').filter(({ code }) => code.includes(text))
  expect([text, more]).toEqual([text, []])
  return (block?.code ?? '').replaceAll('http://localhost:8080', tenantry.url)
}

const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

const dataOf = async (request: string, body: object) => {
  const { status, body: answer } = await ask(tenantry, request, { token, body })
  expect([request, status]).toEqual([request, 200])
  return answer.data
}

beforeAll(async () => {
  stores = await createStores()
  tenantry = await start({ ...stores.env, PORT: String(await freePort()) })
  port = await freePort()
  await ask(tenantry, 'POST /auth/register', { body: ada })
  token = (await dataOf('POST /auth/login', ada)).access_token
  folder = mkdtempSync(join(root, 'server', 'node_modules', '.guide-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  write('package.json', '{ "type": "module" }')
})

afterAll(async () => {
  endAll()
  await stores.remove()
  rmSync(folder, { recursive: true, force: true })
})

const environment = (clientId: string, secret = ''): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  TENANTRY_URL: tenantry.url,
  CLIENT_ID: clientId,
  CLIENT_SECRET: secret,
  COOKIE_SECRET: 'x'.repeat(32),
  PORT: String(port),
  APP_URL: `http://localhost:${port}`,
})

/** Starts a program of the guide; the end of the test ends it. */
const launch = (file: string, env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [file], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  })
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

const signInAda = (address: string): Promise<string> => signInAt(tenantry, address, ada)

/** A page of the product, as a browser that follows nothing sees it. */
const visitor = () => {
  const jar = openBrowser({ url: `http://localhost:${port}` })
  return async (address: string) => {
    const { pathname, search } = new URL(address, `http://localhost:${port}`)
    return jar.open(`${pathname}${search}`)
  }
}

describe.runIf(hasCurl)('the guide', () => {
  test('makes applications and a resource with curl, each with what it shows once', async () => {
    const places = {
      'http://localhost:8080': tenantry.url,
      'http://localhost:3000': `http://localhost:${port}`,
    }
    const shown = {
      code: `curl -s http://localhost:8080/api/v1/authz/permissions -H "Authorization: Bearer $TENANTRY_KEY"`,
    }
    const [answer, page, resource, account] = (await runBlocks([...toRun(guide, 'sh'), shown], places)) as {
      data: typeof app
    }[]
    if (!answer) throw new Error('the commands print nothing')
    expect(page?.data).toMatchObject({ kind: 'browser', allowed_origins: ['http://localhost:5173'] })
    expect(resource?.data).toMatchObject({ permission_ids: [expect.any(Number)] })
    expect(account?.data).toMatchObject({ permissions: ['authz:check', 'tenant:enter'] })
    expect(answer.data).toMatchObject({ client_id: expect.any(String), secret: expect.any(String) })
    app = answer.data
  })

  test('signs in with express and express-openid-connect', async () => {
    write('express.js', blockWith('express-openid-connect'))
    launch('express.js', environment(app.client_id, app.secret))
    const visit = visitor()
    await expect.poll(() => visit('/').then(({ status }) => status, String), { timeout: 30_000 }).toBe(302)
    const back = await signInAda((await visit('/')).location)
    expect((await visit(back)).status).toBe(302)
    expect((await visit('/')).text).toMatch(/^Hello ada, user \d+ of the tenant [\da-f-]{36}$/)
  })

  test('signs in with the route handlers of Next.js and openid-client', async () => {
    write('tenantry.js', blockWith('oidc.discovery(issuer, process.env.CLIENT_ID, process.env.CLIENT_SECRET'))
    write('app/sign-in/route.js', blockWith('export const GET = async () =>'))
    write('app/callback/route.js', blockWith('export const GET = async (request) =>'))
    // Next.js calls a handler with a Request, and sends the Response.
    write(
      'next.js',
      `import { createInterface } from 'node:readline'
const begin = await import('./app/sign-in/route.js')
const end = await import('./app/callback/route.js')
const { headers } = await begin.GET()
console.log(headers.get('location'))
for await (const line of createInterface({ input: process.stdin })) {
  const cookie = headers.get('set-cookie').split(';')[0]
  console.log(await (await end.GET(new Request(line, { headers: { cookie } }))).text())
}`,
    )
    const { child, lines } = launch('next.js', environment(app.client_id, app.secret))
    child.stdin.write(`${await signInAda(String((await lines.next()).value))}\n`)
    expect((await lines.next()).value).toMatch(/^Hello ada, user \d+ of the tenant [\da-f-]{36}$/)
  })
})

test('a native app of the guide signs in at a free port of loopback', async () => {
  const { client_id: clientId } = await dataOf('POST /applications', {
    name: 'Terminal',
    kind: 'native',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
  })
  write('native.js', blockWith('oidc.None()'))
  const { lines } = launch('native.js', environment(clientId))
  const address = String((await lines.next()).value).replace('Open ', '')
  const answer = await fetch(await signInAda(address))
  expect(await answer.text()).toBe('You can close this page.')
  expect((await lines.next()).value).toBe('Hello ada')
})

test('a page of the guide signs in with oidc-client-ts', async () => {
  const { client_id: clientId } = await dataOf('POST /applications', {
    name: 'Page',
    kind: 'browser',
    redirect_uris: ['http://localhost:5173/callback'],
    allowed_origins: ['http://localhost:5173'],
  })
  write(
    'page.js',
    blockWith('oidc-client-ts').replace('import.meta.env.VITE_CLIENT_ID', 'process.env.CLIENT_ID'),
  )
  // The globals of a page; a request carries the page's origin.
  write(
    'browser.js',
    `import { createInterface } from 'node:readline'
const memory = () => { const kept = new Map(); return {
  getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value),
  removeItem: (key) => void kept.delete(key), key: (at) => [...kept.keys()][at] ?? null, get length() { return kept.size } } }
const pageFetch = fetch
globalThis.fetch = async (url, init = {}) => {
  const answer = await pageFetch(url, { ...init, headers: { ...init.headers, origin: location.origin } })
  const allowed = answer.headers.get('access-control-allow-origin')
  if (allowed !== '*' && allowed !== location.origin) throw new TypeError('CORS ' + url)
  return answer
}
const origin = 'http://localhost:5173'
globalThis.location = { origin, pathname: '/', href: origin + '/', assign: (to) => console.log(to), replace: (to) => console.log(to) }
globalThis.history = { replaceState: () => {} }
Object.assign(globalThis, { sessionStorage: memory(), localStorage: memory(), addEventListener: () => {}, removeEventListener: () => {} })
globalThis.window = globalThis
globalThis.self = globalThis
const { signIn, signOut } = await import('./page.js')
void signIn()
for await (const line of createInterface({ input: process.stdin })) {
  const { pathname, search } = new URL(line)
  Object.assign(location, { href: line, pathname, search })
  console.log(JSON.stringify((await signIn()) ?? 'cancelled'))
}`,
  )
  const { child, lines } = launch('browser.js', environment(clientId))
  const address = String((await lines.next()).value)
  child.stdin.write('http://localhost:5173/callback?error=access_denied\n')
  expect((await lines.next()).value).toBe('"cancelled"')
  child.stdin.write(`${await signInAda(address)}\n`)
  const user = JSON.parse(String((await lines.next()).value))
  expect(user).toEqual({ name: 'ada', email: ada.email, token: expect.stringMatching(/^eyJ/) })
})

describe('the receiver of the back channel', () => {
  let server: Server
  let read: (token: string) => Promise<string>
  let sign: (header: object, claims: object, audience?: string) => Promise<string>
  let issuer: string

  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256' }] }
    server = createServer((_, response) => response.end(JSON.stringify(keys))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    write('logout.js', blockWith('readLogoutToken'))
    process.env['TENANTRY_URL'] = issuer
    process.env['CLIENT_ID'] = 'shop'
    const program = (await import(join(folder, 'logout.js'))) as { readLogoutToken: typeof read }
    read = program.readLogoutToken
    sign = (header, claims, audience = 'shop') =>
      new SignJWT({ sid: 's', jti: 'j', events: {}, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'k', typ: 'logout+jwt', ...header })
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime('2m')
        .sign(privateKey)
  })
  afterAll(() => {
    delete process.env['TENANTRY_URL']
    delete process.env['CLIENT_ID']
    server.close()
  })

  test('takes a logout token, and no token of another type or for another application', async () => {
    expect(await read(await sign({}, {}))).toBe('s')
    for (const other of [sign({ typ: 'JWT' }, {}), sign({}, { sid: undefined }), sign({}, {}, 'other')]) {
      await expect(read(await other)).rejects.toMatchObject({ code: expect.stringMatching(/^ERR_J/) })
    }
  })
})
