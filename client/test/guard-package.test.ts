/** The services of docs/protect-your-service.md, with the published package, against a live Tenantry. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { documents } from '../../server/test/documents.ts'
import { keyWith, platformAdmin } from '../../server/test/factories.ts'
import { parts, service } from '../../server/test/harness.ts'
import { sessionOf } from '../../server/test/narrowed-sessions.ts'
import { freePort } from '../../lab/processes.ts'
import { eventually } from '../../server/test/waits.ts'
import { code, newProduct, signClaims } from './guarded.ts'
import { installPackage, nodes, run, type Project } from './package.ts'

const programsOf = (path: string) =>
  (documents.find((document) => document.path === path)?.blocks ?? []).filter(({ language }) =>
    ['js', 'ts'].includes(language),
  )

const blocks = programsOf('docs/protect-your-service.md')

/** Every flag of TypeScript that refuses more programs. */
const everyStrictFlag = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noFallthroughCasesInSwitch: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUncheckedSideEffectImports: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
}
const modules = { module: 'nodenext', target: 'es2023', types: ['node'], skipLibCheck: true }

/** The block with this text, for permissions that exist: the test's user holds the first one. */
const blockWith = (text: string): string => {
  const [block, ...more] = blocks.filter((one) => one.code.includes(text))
  expect([text, more]).toEqual([text, []])
  return (block?.code ?? '')
    .replaceAll('invoice:read', code)
    .replaceAll('invoice:create', 'user:read')
    .replaceAll('invoice:export', 'audit:read')
}

let project: Project
let runtimes: [string, string][] = []

beforeAll(async () => {
  project = await installPackage()
  const nest = ['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}`)
  project.add(
    'jose',
    'express',
    'express-openid-connect',
    'fastify',
    'hono',
    ...nest,
    'reflect-metadata',
    'rxjs',
  )
  project.add('@types/node', '@types/express')
  const files = {
    'guard.js': 'export const guard =',
    'express.js': "app.get('/invoices', guard.express(",
    'fastify.js': "from 'fastify'",
    'hono.js': "from 'hono'",
    'request.js': 'async fetch(request)',
    'acting.js': 'accessToken:',
    'needs.js': 'anyOf(',
    'resource.js': 'guard.metadata()',
    'app/invoices/route.js': 'export const GET',
    'nest.ts': '@nestjs/core',
  }
  mkdirSync(join(project.folder, 'app/invoices'), { recursive: true })
  for (const [name, text] of Object.entries(files)) project.write(name, blockWith(text))
  const fetchOnce = 'await app.fetch(new Request("http://product/invoices", { headers }))'
  project.write(
    'visit.js',
    `const { default: app } = await import('./' + process.argv[2])
const visit = async (headers) => { const response = ${fetchOnce}; return [response.status, await response.json()] }
console.log(JSON.stringify([await visit({ authorization: 'Bearer ' + process.env.TOKEN }), await visit({})]))`,
  )
  runtimes = await nodes()
})

afterAll(() => project.remove())

const environment = async () => {
  const { user } = await newProduct()
  const root = await platformAdmin()
  const names = { TENANTRY_URL: service.url, TENANTRY_ISSUER: parts.config.issuer, TENANTRY_KEY: root.token }
  return { user, env: { ...process.env, ...names, TOKEN: user.token } }
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

const missing = [401, { error: 'tokenMissing', message: expect.any(String) as string }]

/** The answer of a service that is about to listen. */
const visit = async (url: string, init?: RequestInit): Promise<[number, unknown]> => {
  const response = await fetch(url, init)
  return [response.status, await response.json()]
}

/** Starts a service of the guide, and resolves with its address once it listens; the test's end stops it. */
const listening = async (node: string, file: string, env: NodeJS.ProcessEnv): Promise<string> => {
  const port = await freePort()
  const child = spawn(node, [file], {
    cwd: project.folder,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  })
  const url = `http://localhost:${port}`
  await expect.poll(() => fetch(url).then(() => 'listens', String), { timeout: 30_000 }).toBe('listens')
  return url
}

test.each(['express', 'fastify'])(
  'the service in %s admits a user only with the permission',
  async (name) => {
    const { user, env } = await environment()
    for (const [, node] of runtimes) {
      const url = `${await listening(node, `${name}.js`, env)}/invoices`
      expect(await visit(url, bearer(user.token))).toEqual([200, { invoicesOf: user.tenantId }])
      expect(await visit(url)).toEqual(missing)
    }
  },
)

test('the service in NestJS admits a user only with the permission, and the guard answers all others', async () => {
  const { user, env } = await environment()
  // The options of a project of NestJS, with the guard in JavaScript.
  const decorators = { experimentalDecorators: true, emitDecoratorMetadata: true }
  const output = { allowJs: true, outDir: 'built' }
  await project.compile({ ...modules, ...everyStrictFlag, ...decorators, ...output }, ['nest.ts'])
  const url = `${await listening(process.execPath, 'built/nest.js', env)}/invoices`
  expect(await visit(url, bearer(user.token))).toEqual([200, { invoicesOf: user.tenantId }])
  const refused = await fetch(url)
  expect([refused.status, await refused.json()]).toEqual(missing)
  expect(refused.headers.get('www-authenticate')).toBe(`Bearer scope="${code}"`)
})

test('the printed TypeScript, and programs without types as TypeScript, compile with every strict flag', async () => {
  const programs = {
    'guard.ts': 'export const guard =',
    'caller.ts': 'declare global',
    'express.ts': "app.get('/invoices', guard.express(",
    'fastify.ts': "from 'fastify'\nimport",
    'hono.ts': "from 'hono'",
    'needs.ts': 'anyOf(',
    'resource.ts': 'guard.metadata()',
  }
  mkdirSync(join(project.folder, 'strict'))
  for (const [name, text] of Object.entries(programs)) {
    const program = blockWith(text)
    const typed = program.replace('new Hono()', 'new Hono<{ Variables: { caller: Caller } }>()')
    const head = typed === program ? '' : "import type { Caller } from '@tenantry/client/guard'\n"
    project.write(`strict/${name}`, head + typed)
  }
  const [nest] = programsOf('docs/sign-in.md').filter(({ code: one }) => one.includes('@nestjs/core'))
  project.write('strict/main.ts', nest?.code ?? '')
  project.write('strict/app.module.ts', 'export class AppModule {}')
  const files = [...Object.keys(programs), 'main.ts'].map((name) => `strict/${name}`)
  const compiled = project.compile({ ...modules, ...everyStrictFlag, noEmit: true }, files)
  await expect(compiled).resolves.toBeUndefined()
})

test('the route handler of Next.js admits a user only with the permission', async () => {
  const { user, env } = await environment()
  // Next.js calls a handler with a Request, and sends the Response.
  const ask = "await GET(new Request('http://product/invoices', { headers }))"
  project.write(
    'next.js',
    `const { GET } = await import('./app/invoices/route.js')
const visit = async (headers) => { const response = ${ask}; return [response.status, await response.json()] }
console.log(JSON.stringify([await visit({ authorization: 'Bearer ' + process.env.TOKEN }), await visit({})]))`,
  )
  for (const [, node] of runtimes) {
    const said = await run(node, ['next.js'], project.folder, env)
    expect(JSON.parse(said)).toEqual([[200, { invoicesOf: user.tenantId }], missing])
  }
})

test('routes that ask for several permissions, or for none, admit whom they say', async () => {
  const { env } = await environment()
  project.write(
    'ask.js',
    `const headers = { authorization: 'Bearer ' + process.env.TOKEN }
const statusOf = async (admit) => (await admit(new Request('http://product', { headers }))).status ?? 200
const { mayExport, mayLook, isSignedIn } = await import('./needs.js')
console.log(JSON.stringify([await statusOf(mayExport), await statusOf(mayLook), await statusOf(isSignedIn)]))`,
  )
  expect(JSON.parse(await run(process.execPath, ['ask.js'], project.folder, env))).toEqual([403, 200, 200])
})

test('the resource leads a program without a token to Tenantry', async () => {
  const { user, env } = await environment()
  const url = await listening(process.execPath, 'resource.js', env)
  const refused = await fetch(`${url}/mcp`, { method: 'POST' })
  expect(refused.status).toBe(401)
  const at = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp'
  expect(refused.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${at}", scope="${code}"`)
  const resource = 'https://mcp.example.com/mcp'
  expect(await visit(url + new URL(at).pathname)).toEqual([
    200,
    {
      resource,
      authorization_servers: [parts.config.issuer],
      scopes_supported: [code],
      bearer_methods_supported: ['header'],
    },
  ])
  const token = await signClaims(user, { aud: resource, sid: sessionOf(user), scope: code })
  const post = (one: string) => visit(`${url}/mcp`, { method: 'POST', ...bearer(one) })
  expect(await post(token)).toEqual([200, { invoicesOf: user.tenantId }])
  expect(await post(user.token)).toMatchObject([401, { error: 'tokenInvalid' }])
})

test.each(['hono', 'request'])('the service with %s admits a user only with the permission', async (name) => {
  const { user, env } = await environment()
  for (const [, node] of runtimes) {
    const said = await run(node, ['visit.js', `${name}.js`], project.folder, env)
    expect(JSON.parse(said)).toEqual([[200, { invoicesOf: user.tenantId }], missing])
  }
})

test('a route calls Tenantry as its caller', async () => {
  const { user, env } = await environment()
  const program = "console.log((await import('./acting.js').then((m) => m.profileOf(process.env.TOKEN))).id)"
  project.write('profile.js', program)
  expect(await run(process.execPath, ['profile.js'], project.folder, env)).toBe(`${user.userId}\n`)
})

test('a process with a guard that listens ends when its own work is done', async () => {
  const { tenant } = await newProduct()
  const { token } = await keyWith(tenant.id, ['authz:check'])
  const program = `import { createGuard } from '@tenantry/client/guard'
createGuard({ baseUrl: '${service.url}', key: process.env.TENANTRY_KEY, listens: true })
process.stdin.once('data', () => process.stdin.destroy())`
  project.write('listening.js', program)
  const streams = async () => (await parts.metrics.streams.get()).values[0]?.value ?? 0
  for (const [, node] of runtimes) {
    const before = await streams()
    const env = { ...process.env, TENANTRY_KEY: token }
    const child = spawn(node, ['listening.js'], {
      cwd: project.folder,
      env,
      stdio: ['pipe', 'inherit', 'inherit'],
    })
    onTestFinished(() => void child.kill())
    await eventually(async () => expect(await streams()).toBe(before + 1))
    child.stdin.write('done')
    expect(await once(child, 'close')).toEqual([0, null])
    await eventually(async () => expect(await streams()).toBe(before))
  }
})
