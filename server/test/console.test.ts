/** How the service serves the console, from a folder like a built one; tests in a browser cover the console itself. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import type { App } from '../src/http/app-type.ts'
import { createLogger } from '../src/log.ts'
import { parts } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenantry-console-'))
const script = 'document.title = "console"'

const logged: string[] = []
const log = createLogger('warn', { write: (line: string) => void logged.push(line) })

const start = async (consoleFolder: string): Promise<{ app: App; url: string }> => {
  const app = await buildApp({ ...parts, log, consoleFolder })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

let built: Awaited<ReturnType<typeof start>>
let bare: Awaited<ReturnType<typeof start>>

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script nonce="{{nonce}}"></script>')
  for (const name of ['sign-in.html', 'account.html']) writeFileSync(join(folder, name), '<!doctype html>')
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'assets', 'main-1.js'), script)
  writeFileSync(join(folder, 'assets', 'main-1.js.br'), brotliCompressSync(script))
  built = await start(folder)
  bare = await start(join(folder, 'absent'))
})

afterAll(async () => {
  await Promise.all([built.app.close(), bare.app.close()])
  rmSync(folder, { recursive: true })
})

const get = (path: string, options: RequestInit = {}) =>
  fetch(`${built.url}${path}`, { redirect: 'manual', ...options })

/** Requests a path as it is written: `fetch` would resolve its dots. */
const getRaw = async (path: string) => {
  const { port } = new URL(built.url)
  const asked = request({ host: '127.0.0.1', port, path }).end()
  const answer = await new Promise<NodeJS.ReadableStream & { statusCode?: number }>((resolve, reject) => {
    asked.on('response', resolve).on('error', reject)
  })
  return { status: answer.statusCode, text: (await buffer(answer)).toString() }
}

test('password managers find the page of password and passkeys', async () => {
  const page = '/account/sign-in'
  const moved = await get('/.well-known/change-password')
  expect([moved.status, moved.headers.get('location')]).toEqual([302, page])
  const address = `${parts.config.publicUrl}${page}`
  expect(await (await get('/.well-known/passkey-endpoints')).json()).toEqual({
    enroll: address,
    manage: address,
  })
})

describe('the page', () => {
  test('answers every address of the console, so that it can be shared and loaded anew', async () => {
    const paths = ['/console/', '/console/users?page=2', '/console/tenants/1/settings', '/console/a.b']
    for (const path of paths) {
      const answer = await get(path)
      expect([path, answer.status]).toEqual([path, 200])
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expect(await answer.text()).toMatch(/^<!doctype html>/)
    }
  })

  test('is the place that / and /console lead to', async () => {
    for (const path of ['/', '/console']) {
      const { status, headers } = await get(path)
      expect([path, status, headers.get('location')]).toEqual([path, 302, '/console/'])
    }
  })

  test('permits scripts and requests only of its origin, no inline script, and no frame around it', async () => {
    const policy = (await get('/console/')).headers.get('content-security-policy') ?? ''
    const directives = Object.fromEntries(
      policy.split('; ').map((one) => [one.split(' ', 1)[0], one.split(' ').slice(1).join(' ')]),
    )
    expect(directives).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    })
    expect(policy).not.toContain('unsafe')
  })

  test('carries the nonce of its policy, a new one each time', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const answer = await get('/console/')
        const [, nonce = ''] =
          /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? []
        expect(await answer.text()).toContain(`nonce="${nonce}"`)
        return nonce
      }),
    )
    expect(nonces[0]).not.toBe(nonces[1])
    expect(nonces[0]).toMatch(/^[\w+/]{22}==$/)
  })
})

describe('a hosted page', () => {
  test.each(['/sign-in', '/sign-in/device', '/account', '/account/devices'])(
    '%s is kept by no cache, and permits scripts and styles of its origin alone',
    async (path) => {
      const { status, headers } = await get(path)
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("script-src 'self'; style-src 'self'; img-src")
      expect(policy).toContain("frame-ancestors 'none'")
    },
  )
})

describe('its files', () => {
  test('are kept by browsers for good, and have their type', async () => {
    const answer = await get('/console/assets/main-1.js')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-type')).toMatch(/^(?:text|application)\/javascript; charset=utf-8$/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toBe(script)
  })

  test('come compressed to clients that accept it', async () => {
    const answer = await get('/console/assets/main-1.js', { headers: { 'accept-encoding': 'br' } })
    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i)
    expect(await answer.text()).toBe(script)
  })

  test('are all there is below them: another name is a 404, also one that leads out of the folder', async () => {
    const { status, headers } = await get('/console/assets/gone-1.js')
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
    const outside = [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/..%5csecret.txt',
      '//secret.txt',
    ]
    for (const path of outside) {
      const answer = await getRaw(`/console/assets${path}`)
      expect([path, answer.text === 'secret']).toEqual([path, false])
    }
  })
})

test('HEAD answers like GET, without the body', async () => {
  for (const path of ['/console/', '/console/assets/main-1.js', '/']) {
    const [asGet, asHead] = [await get(path), await get(path, { method: 'HEAD' })]
    expect([path, asHead.status, await asHead.text()]).toEqual([path, asGet.status, ''])
    expect(asHead.headers.get('content-type')).toBe(asGet.headers.get('content-type'))
  }
})

test('another method is refused, and no path of the API becomes per page', async () => {
  const post = await get('/console/users', { method: 'POST' })
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  for (const path of ['/api/v1/nothing', '/api/nothing', '/consoles', '/nothing']) {
    const answer = await get(path)
    expect([path, answer.status]).toEqual([path, 404])
    expect(await answer.json()).toMatchObject({ code: 40401 })
  }
})

test('a service without a built console runs, and says at its start and its address how to build one', async () => {
  const warnings = logged.filter((line) => line.includes('npm run build -w console'))
  expect(warnings.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ level: 'warn' }),
  ])
  const answer = await fetch(`${bare.url}/console/`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
  expect(await answer.text()).toMatch(/^The console is not built: run `npm run build -w console`/)
  expect((await fetch(`${bare.url}/healthz`)).status).toBe(200)
})
