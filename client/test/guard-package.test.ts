/** The services of docs/protect-your-service.md, with the published package, against a live Tenantry. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { documents } from '../../server/test/documents.ts'
import { keyWith, platformAdmin } from '../../server/test/factories.ts'
import { parts, service } from '../../server/test/harness.ts'
import { freePort } from '../../lab/processes.ts'
import { eventually } from '../../server/test/waits.ts'
import { code, newProduct } from './guarded.ts'
import { installPackage, nodes, run, type Project } from './package.ts'

const path = 'docs/protect-your-service.md'
const blocks = (documents.find((document) => document.path === path)?.blocks ?? []).filter(
  ({ language }) => language === 'js',
)

/** The block with this text, for the permission that the test's user holds. */
const blockWith = (text: string): string => {
  const [block, ...more] = blocks.filter((one) => one.code.includes(text))
  expect(more).toEqual([])
  return (block?.code ?? '').replace('invoice:read', code)
}

let project: Project
let runtimes: [string, string][] = []

beforeAll(async () => {
  project = await installPackage()
  project.add('jose', 'express', 'fastify', 'hono')
  const files = {
    guard: 'createGuard(',
    express: 'guard.express(',
    fastify: 'guard.fastify(',
    hono: 'guard.hono(',
    request: 'guard.request(',
    acting: 'accessToken:',
  }
  for (const [name, text] of Object.entries(files)) project.write(`${name}.js`, blockWith(text))
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

test.each(['express', 'fastify'])(
  'the service in %s admits a user with the permission alone',
  async (name) => {
    const { user, env } = await environment()
    for (const [, node] of runtimes) {
      const port = await freePort()
      const child = spawn(node, [`${name}.js`], {
        cwd: project.folder,
        env: { ...env, PORT: String(port) },
        stdio: 'inherit',
      })
      onTestFinished(() => void child.kill())
      const url = `http://localhost:${port}/invoices`
      await expect.poll(() => fetch(url).then(() => 'listens', String), { timeout: 30_000 }).toBe('listens')
      expect(await visit(url, bearer(user.token))).toEqual([200, { invoicesOf: user.tenantId }])
      expect(await visit(url)).toEqual(missing)
      child.kill()
      await once(child, 'close')
    }
  },
)

test.each(['hono', 'request'])(
  'the service with %s admits a user with the permission alone',
  async (name) => {
    const { user, env } = await environment()
    for (const [, node] of runtimes) {
      const said = await run(node, ['visit.js', `${name}.js`], project.folder, env)
      expect(JSON.parse(said)).toEqual([[200, { invoicesOf: user.tenantId }], missing])
    }
  },
)

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
