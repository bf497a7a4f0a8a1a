/** The guard as a protected resource (RFC 9728): a client without a token finds its way to Tenantry. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parts, service } from '../../server/test/harness.ts'
import { narrow, sessionOf } from '../../server/test/narrowed-sessions.ts'
import { createGuard, signedIn, type MetadataHandlers } from '../src/guard/guard.ts'
import { code, guardWith, newProduct, signClaims, visit } from './guarded.ts'

const resource = 'https://mcp.example.com/mcp'
const [root, inserted] = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
]

type Send = (path: string) => Response | Promise<Response>

/** Serves the metadata in a framework. */
const serve: Record<string, (metadata: MetadataHandlers) => Send | Promise<Send>> = {
  express: async (metadata) => {
    const app = express()
    app.get(metadata.paths, metadata.express)
    const server = createServer(app).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    return (path) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
  },
  fastify: async (metadata) => {
    const app = fastify()
    for (const path of metadata.paths) app.get(path, metadata.fastify)
    onTestFinished(() => app.close())
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    return (path) => fetch(url + path)
  },
  hono: (metadata) => {
    const app = new Hono()
    for (const path of metadata.paths) app.get(path, metadata.hono)
    return (path) => app.request(path)
  },
  request: (metadata) => (path) =>
    metadata.paths.includes(path) ? metadata.request() : new Response('', { status: 404 }),
}

test.each(Object.entries(serve))('%s serves the metadata at both paths', async (_name, start) => {
  const { guard } = guardWith({ key: 'any', resource })
  const send = await start(guard.metadata())
  guard.request('invoice:read')
  guard.request(signedIn())
  for (const path of [root, inserted]) {
    const answer = await send(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.json()).toEqual({
      resource,
      authorization_servers: [parts.config.issuer],
      scopes_supported: ['invoice:read'],
      bearer_methods_supported: ['header'],
    })
  }
  expect((await send(`${root}/other`)).status).toBe(404)
})

describe('a token', () => {
  const newResource = async () => {
    const { tenant, user, backend } = await newProduct()
    const { guard, lines } = guardWith({ key: backend.token, resource })
    const sign = (claims: object, typ?: string) =>
      signClaims(user, { aud: resource, sid: sessionOf(user), scope: code, ...claims }, typ)
    return { tenant, user, backend, guard, lines, sign }
  }
  const invalid = { status: 401, error: 'tokenInvalid' }

  test('a token for the resource is admitted; one for Tenantry or another resource gets 401 and is logged', async () => {
    const { user, guard, lines, sign } = await newResource()
    const into = visit(guard)
    expect(await into(await sign({}))).toMatchObject({ status: 200, caller: { permissions: [code] } })
    expect(lines).toEqual([])
    expect(await into(user.token)).toEqual(invalid)
    for (const aud of [`${resource}/`, 'https://mcp.example.com', `${resource}?a`]) {
      expect(await into(await sign({ aud }))).toEqual(invalid)
    }
    expect(lines).toHaveLength(4)
    expect(lines[0]).toBe(
      `Tenantry signs tokens for the resource "${parts.config.audience}", and the guard expects "${resource}": ` +
        'such tokens get 401. The option resource changes it',
    )
  })

  test('a token for the resource is refused by a guard that expects tokens for Tenantry', async () => {
    const { backend, sign } = await newResource()
    expect(await visit(guardWith({ key: backend.token }).guard)(await sign({}))).toEqual(invalid)
  })

  test('a token for the resource without a permission in its scope may use none', async () => {
    const { guard, sign } = await newResource()
    for (const scope of [undefined, '', 'openid']) {
      const token = await sign({ scope })
      expect(await visit(guard)(token)).toEqual({ status: 403, error: 'permissionMissing' })
      expect(await visit(guard, signedIn())(token)).toMatchObject({ caller: { permissions: [] } })
    }
  })

  test('a token for the resource may use no permission that its session lacks', async () => {
    const { user, guard, sign } = await newResource()
    await narrow(user, ['user:read'])
    expect(await visit(guard)(await sign({}))).toEqual({ status: 403, error: 'permissionMissing' })
  })

  test.each([
    ['ID', 'JWT'],
    ['logout', 'logout+jwt'],
    ['refresh', 'rt+jwt'],
  ])('a token of the type %s gets 401, although all else of it is right', async (_name, typ) => {
    const { user, backend, guard, sign } = await newResource()
    expect(await visit(guard, signedIn())(await sign({}, typ))).toEqual(invalid)
    const plain = await signClaims(user, { sid: sessionOf(user) }, typ)
    expect(await visit(guardWith({ key: backend.token }).guard, signedIn())(plain)).toEqual(invalid)
  })
})

test('the challenges name the metadata, and every permission that the route needs', async () => {
  const { tenant, user, backend } = await newProduct()
  const challenge = async (on: Parameters<typeof visit>[1], token: string, address = resource) => {
    const { guard } = guardWith({ key: backend.token, resource: address })
    const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` }
    const verdict = await guard.request(on ?? code)(new Request(resource, { headers }))
    return verdict instanceof Response ? verdict.headers.get('www-authenticate') : 'in'
  }
  const metadata = `resource_metadata="https://mcp.example.com${inserted}"`
  const scope = `scope="${code}"`
  expect(await challenge(code, '')).toBe(`Bearer ${metadata}, ${scope}`)
  expect(await challenge(code, user.token)).toBe(`Bearer error="invalid_token", ${metadata}, ${scope}`)
  expect(await challenge(signedIn(), '')).toBe(`Bearer ${metadata}`)
  const other = await tenant.userWith('user:read')
  const token = await signClaims(other, { aud: resource, sid: sessionOf(other), scope: code })
  expect(await challenge(code, token)).toBe(`Bearer error="insufficient_scope", ${metadata}, ${scope}`)
  for (const [address, path] of [
    ['https://mcp.example.com', root],
    ['https://mcp.example.com/', root],
    ['https://mcp.example.com/a/?b=c', `${root}/a/?b=c`],
    ['http://localhost:3000/mcp', `${root}/mcp`],
  ] as const) {
    const at = `${new URL(address).origin}${path}`
    expect(await challenge(signedIn(), '', address)).toBe(`Bearer resource_metadata="${at}"`)
  }
  expect(await challenge('no "scope"\n', '')).toBe(`Bearer ${metadata}`)
})

test('a guard does not start with a resource that is no address, and has no metadata without one', () => {
  for (const wrong of ['', 'mcp.example.com', 'urn:example:mcp', 'https://mcp.example.com/#a', '/mcp']) {
    expect(() => createGuard({ baseUrl: service.url, key: 'any', resource: wrong })).toThrow(
      'no http(s) address',
    )
  }
  expect(() => createGuard({ baseUrl: service.url, key: 'any' }).metadata()).toThrow('option resource')
})
