/** The guard in real frameworks: each answers in its own way, and as JSON. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import type { Caller, Guard } from '../src/guard/guard.ts'
import { code, guardWith, newProduct } from './guarded.ts'

declare global {
  namespace Express {
    interface Request {
      caller?: Caller
    }
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
  }
}

type Send = (headers: Record<string, string>) => Promise<Response>

const sendTo =
  (url: string): Send =>
  (headers) =>
    fetch(`${url}/invoices`, { headers })

const open: Record<string, (guard: Guard, on: string) => Promise<Send> | Send> = {
  express: async (guard, on) => {
    const app = express()
    app.get('/invoices', guard.express(on), (request, response) => {
      response.json(request.caller)
    })
    const server = createServer(app).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    return sendTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  },
  fastify: async (guard, on) => {
    const app = fastify()
    app.get('/invoices', { onRequest: guard.fastify(on) }, (request) => Promise.resolve(request.caller))
    onTestFinished(() => app.close())
    return sendTo(await app.listen({ host: '127.0.0.1', port: 0 }))
  },
  hono: (guard, on) => {
    const app = new Hono<{ Variables: { caller: Caller } }>()
    app.get('/invoices', guard.hono(on), (c) => c.json(c.get('caller')))
    return async (headers) => app.request('/invoices', { headers })
  },
  request: (guard, on) => {
    const admit = guard.request(on)
    return async (headers) => {
      const caller = await admit(new Request('https://product.example.com/invoices', { headers }))
      return caller instanceof Response ? caller : Response.json(caller)
    }
  },
}

const read = async (response: Response) => ({
  status: response.status,
  type: response.headers.get('content-type')?.replace(/;.*/, ''),
  challenge: response.headers.get('www-authenticate'),
  body: await response.json(),
})

const json = 'application/json'
const scope = `scope="${code}"`

test.each(Object.entries(open))(
  '%s lets the caller in, and answers every refusal as JSON',
  async (_name, start) => {
    const { tenant, user, backend } = await newProduct()
    const other = await tenant.userWith('user:read')
    const { guard } = guardWith({ key: backend.token })
    const send = await start(guard, code)
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    const caller = { userId: user.userId, tenantId: tenant.id, permissions: [code] }
    const refusal = (error: string) => ({ error, message: expect.any(String) as string })
    expect(await read(await send(bearer(user.token)))).toEqual({
      status: 200,
      type: json,
      challenge: null,
      body: caller,
    })
    expect(await read(await send({}))).toEqual({
      status: 401,
      type: json,
      challenge: `Bearer ${scope}`,
      body: refusal('tokenMissing'),
    })
    expect(await read(await send(bearer(user.refreshToken)))).toEqual({
      status: 401,
      type: json,
      challenge: `Bearer error="invalid_token", ${scope}`,
      body: refusal('tokenInvalid'),
    })
    expect(await read(await send(bearer(other.token)))).toEqual({
      status: 403,
      type: json,
      challenge: `Bearer error="insufficient_scope", ${scope}`,
      body: refusal('permissionMissing'),
    })
    const misspelt = await start(guard, 'invoice:raed')
    expect(await read(await misspelt(bearer(user.token)))).toMatchObject({
      status: 500,
      type: json,
      body: refusal('permissionUnknown'),
    })
    const refused = await start(guardWith({ key: 'tnt_unknown' }).guard, code)
    const unavailable = await refused(bearer(user.token))
    expect(unavailable.headers.get('retry-after')).toBe('1')
    expect(await read(unavailable)).toMatchObject({ status: 503, type: json, body: refusal('unavailable') })
  },
)
