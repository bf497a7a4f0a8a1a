/** Libraries that docs/sign-in.md names without a program sign a person in, on a service as `npm start` runs it. */
import type { Server } from 'node:http'
import express from 'express'
import { decodeJwt } from 'jose'
import passport from 'passport'
import OpenIdConnect from 'passport-openidconnect'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../lab/processes.ts'
import type { Replica } from '../../lab/replica.ts'
import { openBrowser } from './browser.ts'
import { ask, createStores, endAll, start, type Stores } from './programs.ts'
import { signInAt } from './signing-in.ts'

const ada = { email: 'ada@example.com', username: 'ada', password: 'correct horse battery' }

let stores: Stores
let tenantry: Replica
let product: string
let port: number
let app: { client_id: string; secret: string }
let userId: string

const dataOf = async (request: string, body: object, token = '') => {
  const { status, body: answer } = await ask(tenantry, request, { token, body })
  expect([request, status]).toEqual([request, 200])
  return answer.data
}

beforeAll(async () => {
  stores = await createStores()
  tenantry = await start({ ...stores.env, PORT: String(await freePort()) })
  port = await freePort()
  product = `http://localhost:${port}`
  await dataOf('POST /auth/register', ada)
  const { access_token: token } = await dataOf('POST /auth/login', ada)
  userId = decodeJwt(token).sub ?? ''
  const fields = {
    name: 'Shop',
    kind: 'web',
    redirect_uris: [`${product}/callback`, `${product}/auth/callback/tenantry`],
  }
  app = await dataOf('POST /applications', fields, token)
})

afterAll(async () => {
  endAll()
  await stores.remove()
})

/** The path and the query of an address. */
const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}

test('passport-openidconnect signs in by a nonce, without PKCE', async () => {
  const strategy = new OpenIdConnect(
    {
      issuer: tenantry.url,
      authorizationURL: `${tenantry.url}/oauth2/authorize`,
      tokenURL: `${tenantry.url}/oauth2/token`,
      userInfoURL: `${tenantry.url}/oauth2/userinfo`,
      clientID: app.client_id,
      clientSecret: app.secret,
      callbackURL: `${product}/callback`,
      scope: 'profile email',
      nonce: true,
    },
    (_issuer, profile, done) => done(null, profile),
  )
  const session = {} // of the one visitor
  const web = express()
  web.use((request, _response, next) => {
    Object.assign(request, { session })
    next()
  })
  const authenticate: express.RequestHandler = passport.authenticate(strategy, { session: false })
  web.get('/', authenticate)
  web.get('/callback', authenticate, (request, response) => void response.json(request.user))
  const server = await new Promise<Server>((resolve) => {
    const listening = web.listen(port, '127.0.0.1', () => resolve(listening))
  })
  try {
    const visitor = openBrowser({ url: product })
    const { location } = await visitor.open('/')
    expect(new URL(location).searchParams.has('code_challenge')).toBe(false)
    const answer = pathOf(await signInAt(tenantry, location, ada))
    const { status, text } = await visitor.open(answer)
    expect([status, JSON.parse(text)]).toEqual([
      200,
      expect.objectContaining({ id: userId, displayName: 'ada', emails: [{ value: ada.email }] }),
    ])
    const again = await visitor.open(answer)
    expect(again.status).toBe(403)
  } finally {
    server.close()
  }
})

/** Its types bring those of a page, which the checks of all other files would then see. */
const authJs: string = '@auth/core'

test('Auth.js signs in with PKCE, state and nonce', async () => {
  const { Auth } = (await import(authJs)) as {
    Auth: (request: Request, config: object) => Promise<Response>
  }
  const config = {
    basePath: '/auth',
    secret: 'x'.repeat(32),
    trustHost: true,
    useSecureCookies: false,
    providers: [
      {
        id: 'tenantry',
        name: 'Tenantry',
        type: 'oidc',
        issuer: tenantry.url,
        clientId: app.client_id,
        clientSecret: app.secret,
        checks: ['pkce', 'state', 'nonce'],
      },
    ],
  }
  const cookies = new Map<string, string>()
  const visit = async (path: string, form?: Record<string, string>): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const request = new Request(`${product}${path}`, {
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    const response = await Auth(request, config)
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  const { csrfToken } = (await (await visit('/auth/csrf')).json()) as { csrfToken: string }
  const asked = (await visit('/auth/signin/tenantry', { csrfToken })).headers.get('location') ?? ''
  expect(Object.keys(Object.fromEntries(new URL(asked).searchParams))).toEqual(
    expect.arrayContaining(['code_challenge', 'state', 'nonce']),
  )
  const answered = await visit(pathOf(await signInAt(tenantry, asked, ada)))
  expect([answered.status, answered.headers.get('location')]).toEqual([302, product])
  expect(await (await visit('/auth/session')).json()).toMatchObject({
    user: { name: 'ada', email: ada.email },
  })
})
