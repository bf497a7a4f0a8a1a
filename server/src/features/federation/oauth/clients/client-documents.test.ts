/** Clients whose id is the address of their metadata (Client ID Metadata Documents). */
import type { RequestListener } from 'node:http'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  allowUnregistered,
  clientHost,
  documentOf,
  holding,
  loopbackRedirect,
  newOpenResource,
  startDocumentHost,
  startOpen,
  webRedirect,
  type OpenResource,
} from '../../../../../test/assistants.ts'
import {
  answerIn,
  interactionOf,
  openBrowser,
  requestFor,
  type Browser,
} from '../../../../../test/browser.ts'
import {
  auditRecords,
  builtIn,
  clearCatalogue,
  newTenant,
  ok,
  password,
  platformAdmin,
  type Caller,
  type Tenant,
} from '../../../../../test/factories.ts'
import {
  claimsOf,
  exchange,
  postForm,
  refresh,
  type TestApplication,
} from '../../../../../test/front-door.ts'
import { clock, parts, startApp, type Running } from '../../../../../test/harness.ts'
import { startNameServer } from '../../../../../../lab/name-server.ts'
import { addressesBy, resolveBy } from '../../../../outbound/addresses.ts'
import { createGet } from '../../../../outbound/get.ts'

let host: Awaited<ReturnType<typeof startDocumentHost>>
let running: Running
let tenant: Tenant
let user: Caller
let resource: OpenResource

beforeAll(async () => {
  await platformAdmin()
  host = await startDocumentHost()
  running = await startApp({ clientDocuments: 'open' }, undefined, { get: host.get })
  resource = await newOpenResource()
  tenant = await newTenant()
  await allowUnregistered(tenant.id, true)
  user = await holding(await tenant.member(), resource)
})
afterAll(async () => {
  await running.app.close()
  await host.stop()
  await clearCatalogue()
})

const clientOf = (clientId: string): TestApplication => ({
  id: 0,
  clientId,
  name: 'Assistant',
  secret: '',
  isThirdParty: true,
})

const requestOf = (clientId: string, changes: Record<string, string | undefined> = {}) =>
  requestFor(
    { clientId },
    {
      redirect_uri: webRedirect,
      resource: resource.identifier,
      scope: `openid profile email offline_access ${resource.code} user:read`,
      ...changes,
    },
  )

interface Begun {
  browser: Browser
  id: string
  verifier: string
}

/** Opens an interaction for a client. */
const begin = async (
  clientId: string,
  changes: Record<string, string | undefined> = {},
  at = running,
): Promise<Begun> => {
  const browser = openBrowser(at)
  const { params, verifier } = requestOf(clientId, changes)
  return { browser, id: interactionOf(await browser.authorize(params)), verifier }
}

const prove = ({ browser, id }: Begun, { email }: Pick<Caller, 'email'> = user) =>
  browser.act(id, 'password', { email, password })

/** Signs in and consents. Returns the response parameters. */
const consent = async (begun: Begun, who = user) => {
  expect(ok(await prove(begun, who))).toMatchObject({ step: 'consent' })
  const { redirect_to: to } = ok(await begun.browser.act(begun.id, 'consent', { allow: true }))
  return answerIn(to)
}

const exchangeAt = (clientId: string, { verifier }: Begun, code: string | undefined, at = running) =>
  exchange(clientOf(clientId), { code: code ?? '', verifier }, { redirect_uri: webRedirect }, { at })

/** Expects the error page of the service, without a redirect. */
const expectErrorPage = async ({ browser, id }: Begun, answer: Awaited<ReturnType<typeof prove>>) => {
  const { step, redirect_to: to } = ok(answer)
  expect([step, to]).toEqual(['done', `/oauth2/resume/${id}`])
  const page = await browser.open(to)
  expect([page.status, page.location]).toEqual([400, ''])
  expect(page.text).toContain('This sign-in can’t start')
}

describe('a client by its metadata', () => {
  test('gets from the page to tokens for the resource, and to nothing about the person', async () => {
    const clientId = host.publish()
    const begun = await begin(clientId)
    expect(ok(await begun.browser.read(begun.id))).toMatchObject({
      step: 'identify',
      application: {
        name: clientHost,
        logo: '',
        home_url: '',
        is_third_party: true,
        is_registered: true,
        redirect_host: clientHost,
      },
    })
    expect(host.fetched).not.toContain(clientId)
    expect(ok(await prove(begun))).toMatchObject({
      step: 'consent',
      application: { name: 'Assistant', is_registered: true, redirect_host: clientHost },
      scopes: [{ code: 'offline_access' }, { code: resource.code, is_new: true }],
    })
    expect(host.fetched.filter((one) => one === clientId)).toHaveLength(1)
    const { redirect_to: to } = ok(await begun.browser.act(begun.id, 'consent', { allow: true }))
    const { address, params } = answerIn(to)
    expect(address).toBe(webRedirect)
    const { status, body } = await exchangeAt(clientId, begun, params['code'])
    expect([status, body.id_token, body.scope]).toEqual([200, undefined, `offline_access ${resource.code}`])
    expect(claimsOf(body.access_token)).toMatchObject({
      aud: resource.identifier,
      client_id: clientId,
      sub: String(user.userId),
      scope: `offline_access ${resource.code}`,
    })
    const next = await refresh(clientOf(clientId), body.refresh_token, {}, { at: running })
    expect(next.status).toBe(200)
    expect((await exchangeAt(clientId, begun, params['code'])).body.error).toBe('invalid_grant')
  })

  test('is asked about once: then a signed-in person goes through, and another host is asked about anew', async () => {
    const other = 'https://other.example.com/callback'
    const clientId = host.publish({ redirect_uris: [webRedirect, other] })
    const begun = await begin(clientId)
    await consent(begun)
    const { browser } = begun
    const silent = await browser.authorize(requestOf(clientId, { prompt: 'none' }).params)
    expect(answerIn(silent.location).params).toHaveProperty('code')
    const elsewhere = await browser.authorize(
      requestOf(clientId, { prompt: 'none', redirect_uri: other }).params,
    )
    expect(answerIn(elsewhere.location)).toMatchObject({
      address: other,
      params: { error: 'consent_required' },
    })
  })

  test('a loopback client may use any port, and always waits for a click', async () => {
    const clientId = host.publish()
    const redirect = loopbackRedirect.replace('127.0.0.1', '127.0.0.1:4711')
    const begun = await begin(clientId, { redirect_uri: redirect })
    expect((await consent(begun)).address).toBe(redirect)
    const again = await begun.browser.authorize(
      requestOf(clientId, { redirect_uri: redirect, prompt: 'none' }).params,
    )
    expect(answerIn(again.location).params['error']).toBe('interaction_required')
  })

  test('gets no refresh token and no offline_access where its metadata do not name that grant', async () => {
    const clientId = host.publish({ grant_types: ['authorization_code'] })
    const begun = await begin(clientId)
    const { params } = await consent(begun)
    const { body } = await exchangeAt(clientId, begun, params['code'])
    expect([body.refresh_token, body.scope]).toEqual([undefined, resource.code])
  })
})

describe('a request of such a client is refused', () => {
  const errorFor = async (changes: Record<string, string | undefined>) => {
    const clientId = host.publish()
    const begun = await begin(clientId)
    await prove(begun)
    const { status, location } = await begun.browser.authorize(requestOf(clientId, changes).params)
    expect(status).toBe(303)
    return answerIn(location).params['error']
  }

  test('a request needs a resource that is open to such clients', async () => {
    const closed = await newOpenResource({ allow_unregistered: false })
    expect(await errorFor({ resource: undefined })).toBe('invalid_target')
    expect(await errorFor({ resource: closed.identifier })).toBe('invalid_target')
  })

  test('a request needs PKCE, with openid and nonce too', async () => {
    const changes = { code_challenge: undefined, code_challenge_method: undefined, nonce: 'n' }
    expect(await errorFor(changes)).toBe('invalid_request')
  })

  test('an error page refuses a request without a redirect, if nobody is signed in', async () => {
    const clientId = host.publish()
    for (const changes of [
      { prompt: 'none' },
      { resource: undefined },
      { code_challenge: undefined },
      { redirect_uri: 'javascript:alert(1)' },
      { redirect_uri: 'http://evil.example.com/' },
      { response_type: 'token' },
    ]) {
      const { status, location } = await openBrowser(running).authorize(requestOf(clientId, changes).params)
      expect([changes, status, location]).toEqual([changes, 400, ''])
    }
    expect(host.fetched).not.toContain(clientId)
  })

  test('a device code is refused', async () => {
    const { status, body } = await postForm(
      '/device_authorization',
      { client_id: host.publish() },
      { at: running },
    )
    expect([status, body.error]).toEqual([401, 'invalid_client'])
  })
})

test('a stranger has nothing fetched: not by the page, a wrong password, or the token endpoint', async () => {
  const clientId = host.publish()
  const begun = await begin(clientId)
  await begun.browser.read(begun.id)
  await begun.browser.act(begun.id, 'identify', { email: user.email })
  await begun.browser.act(begun.id, 'password', { email: user.email, password: 'wrong password' })
  expect((await exchangeAt(clientId, begun, 'x'.repeat(43))).status).toBe(401)
  expect(host.fetched).not.toContain(clientId)
})

test('a person who cancels before they signed in is sent to no address', async () => {
  const begun = await begin(host.publish(), { redirect_uri: 'https://evil.example.com/' })
  await expectErrorPage(begun, await begun.browser.act(begun.id, 'cancel'))
})

describe('nobody gets further than an error page with a document that', () => {
  test.each([
    ['is about another client', { client_id: 'https://client.example.com/other.json' }],
    ['names no client', { client_id: undefined }],
    ['asks for a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['asks for a signature', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['has a secret', { client_secret: 'x' }],
    ['has no address', { redirect_uris: undefined }],
    ['has an empty list of addresses', { redirect_uris: [] }],
    ['has an address of plain http', { redirect_uris: [webRedirect, 'http://client.example.com/'] }],
    ['has an address of a script', { redirect_uris: [webRedirect, 'javascript:alert(1)'] }],
    ['has an address that is no text', { redirect_uris: [webRedirect, 7] }],
    ['lacks the address of the request', { redirect_uris: ['https://client.example.com/other'] }],
    ['has the address as a prefix', { redirect_uris: ['https://client.example.com/call'] }],
    ['has a list that is none', { grant_types: 'authorization_code' }],
  ])('%s', async (_name, fields) => {
    const begun = await begin(host.publish(fields))
    await expectErrorPage(begun, await prove(begun))
    const again = await begun.browser.authorize(requestOf(host.publish(fields)).params)
    expect([again.status, again.location]).toEqual([400, ''])
  })

  test.each([
    ['is missing', (_: unknown, response) => void response.writeHead(404).end()],
    [
      'is a redirect',
      (_: unknown, response) =>
        void response.writeHead(302, { location: `https://${clientHost}/elsewhere.json` }).end(),
    ],
    [
      'is too long',
      (_: unknown, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ padding: 'x'.repeat(17_000) })),
    ],
    [
      'is a page',
      (_: unknown, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
    ],
    [
      'is broken',
      (_: unknown, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
    ],
    [
      'is null',
      (_: unknown, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('null'),
    ],
  ] satisfies [string, RequestListener][])('%s', async (_name, listener) => {
    const clientId = host.publish()
    host.answer(clientId, listener)
    const begun = await begin(clientId)
    await expectErrorPage(begun, await prove(begun))
  })

  test('drips: it is given up after 5 seconds', async () => {
    const clientId = host.publish()
    host.answer(clientId, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write(' '), 200)
      response.on('close', () => clearInterval(timer))
    })
    const begun = await begin(clientId)
    const startedAt = performance.now()
    await expectErrorPage(begun, await prove(begun))
    expect(performance.now() - startedAt).toBeLessThan(9000)
  })

  test('lies at a private address, by number or by a name that leads to one', async () => {
    const names = await startNameServer({
      'private.test': [['10.0.0.7']],
      'loopback.test': [['127.0.0.1']],
      'both.test': [['8.8.8.8', '192.168.1.1']],
    })
    onTestFinished(() => names.stop())
    const get = createGet(addressesBy({ privateHosts: [], allowsLoopback: false }, resolveBy([names.server])))
    const outcomes: string[] = []
    const at = await startOpen(async (url) =>
      get(url).catch((err: unknown) => {
        outcomes.push((err as Error).message)
        throw err
      }),
    )
    for (const name of [
      '127.0.0.1',
      '10.0.0.7',
      '[::1]',
      '169.254.169.254',
      'private.test',
      'loopback.test',
      'both.test',
    ]) {
      const begun = await begin(`https://${name}/client.json`, {}, at)
      await expectErrorPage(begun, await prove(begun))
    }
    expect(outcomes).toEqual(Array.from({ length: 7 }, () => 'the host has an address that is not public'))
  })
})

test.each([
  'http://client.example.com/client.json',
  'https://client.example.com/',
  'https://client.example.com',
  'https://user@client.example.com/client.json',
  'https://client.example.com/client.json#part',
  'https://client.example.com/a/../client.json',
  'https://CLIENT.example.com/client.json',
  'https://client.example.com:443/client.json',
  'https://0x7f.1/client.json',
  'https://client.example.com\\@evil.example.com/client.json',
])('%s is the address of no document', async (clientId) => {
  const { status, location } = await openBrowser(running).authorize(requestOf(clientId).params)
  expect([status, location]).toEqual([400, ''])
})

test('clients of other hosts than the named ones are unknown, as all are where documents are off', async () => {
  const clientId = host.publish()
  const asked = async (clientDocuments: 'off' | string[]) => {
    const at = await startOpen(host.get, { clientDocuments })
    return (await openBrowser(at).authorize(requestOf(clientId).params)).status
  }
  expect(await asked('off')).toBe(400)
  expect(await asked(['example.com', 'other.example.com', `${clientHost}:8443`])).toBe(400)
  expect(await asked([clientHost])).toBe(303)
})

test('a client that is served no longer refreshes no longer', async () => {
  const clientId = host.publish()
  const begun = await begin(clientId)
  const { body } = await exchangeAt(clientId, begun, (await consent(begun)).params['code'])
  const at = await startOpen(host.get, { clientDocuments: 'off' })
  const refused = await refresh(clientOf(clientId), body.refresh_token, {}, { at })
  expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client'])
})

describe('a document', () => {
  const fetches = (clientId: string) => host.fetched.filter((one) => one === clientId).length
  const authorizeAfter = async (begun: Begun, clientId: string, ms: number) => {
    clock.advance(ms)
    await begun.browser.authorize(requestOf(clientId).params)
    return fetches(clientId)
  }

  test.each([
    ['without a header', undefined, 300],
    ['with max-age=0', 'max-age=0', 300],
    ['with no-store', 'no-store, max-age=4000', 300],
    ['with max-age=3600', 'public, max-age=3600', 3600],
    ['with a longer max-age than a day', 'max-age=999999999', 86_400],
  ])('%s is kept for %s: %d seconds', async (_name, header, seconds) => {
    const clientId = host.publish({}, header === undefined ? {} : { 'cache-control': header })
    const begun = await begin(clientId)
    await prove(begun)
    expect(await authorizeAfter(begun, clientId, (seconds - 5) * 1000)).toBe(1)
    expect(await authorizeAfter(begun, clientId, 10_000)).toBe(2)
  })

  test('is fetched at most 10 times a minute for an account', async () => {
    const at = await startOpen(host.get, { rateLimit: true })
    const person = await tenant.member()
    const begun = await begin(host.publish(), {}, at)
    await prove(begun, person)
    const before = host.fetched.length
    const statuses: number[] = []
    for (let tries = 0; tries < 12; tries += 1) {
      statuses.push((await begun.browser.authorize(requestOf(host.publish()).params)).status)
    }
    expect(host.fetched.length - before).toBe(9)
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 303), 400, 400, 400])
    const other = await begin(host.publish(), {}, at)
    expect(ok(await prove(other, await holding(await tenant.member(), resource))).step).toBe('consent')
  })

  test('a new client and a changed document leave one record each, and an unchanged document leaves none', async () => {
    const clientId = host.publish()
    const begun = await begin(clientId)
    await prove(begun)
    const root = await platformAdmin()
    const { items } = ok(await root.get(`/applications?search=Assistant&page_size=200`))
    const { id } = items.find((one: { client_id: string }) => one.client_id === clientId)
    const readAgain = async () => {
      clock.advance(301_000)
      await begun.browser.read(begun.id)
      return auditRecords(builtIn.id, 'application', id)
    }
    expect((await readAgain()).map(({ action }) => action)).toEqual(['application.register'])
    const added = 'https://client.example.com/new'
    host.change(clientId, documentOf(clientId, { redirect_uris: [webRedirect, added] }))
    const [changed, registered] = await readAgain()
    expect([changed?.action, registered?.action]).toEqual(['application.update', 'application.register'])
    expect(changed?.detail['redirect_uris']).toMatchObject({ to: [webRedirect, added] })
    expect(await readAgain()).toHaveLength(2)
  })

  test('an address removed from the document between consent and answer gets no answer', async () => {
    const clientId = host.publish()
    const begun = await begin(clientId)
    await prove(begun)
    host.change(clientId, documentOf(clientId, { redirect_uris: ['https://client.example.com/new'] }))
    clock.advance(301_000)
    await expectErrorPage(begun, await begun.browser.read(begun.id))
  })

  test.each([
    ['lost the address', { redirect_uris: ['https://client.example.com/new'] }],
    ['asks for a secret', { token_endpoint_auth_method: 'client_secret_post' }],
  ])(
    'a document that %s between consent and exchange refuses the code, and uses it up',
    async (_name, fields) => {
      const clientId = host.publish()
      const begun = await begin(clientId)
      const { params } = await consent(begun)
      // Expires the document in its row. A later clock would also expire the code, which is valid for a minute.
      const outdate = () =>
        parts.store
          .scoped({})
          .run(sql`update applications set document_until = now() where client_id = ${clientId}`)
      await outdate()
      host.change(clientId, documentOf(clientId, fields))
      const refused = await exchangeAt(clientId, begun, params['code'])
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant'])
      host.change(clientId, documentOf(clientId))
      await outdate()
      expect((await exchangeAt(clientId, begun, params['code'])).body.error).toBe('invalid_grant')
    },
  )

  test('has a name of one line, of at most 64 characters, without signs that nobody sees', async () => {
    const names = ['A\u202Eb\u200B\n c\0', 'x'.repeat(100), ' \u2066 ', 7]
    const shown: string[] = []
    for (const client_name of names) {
      const begun = await begin(host.publish({ client_name, logo_uri: 'https://evil.example.com/logo.png' }))
      const { application } = ok(await prove(begun))
      shown.push(application.name)
      expect(application.logo).toBe('')
    }
    expect(shown).toEqual(['Ab c', 'x'.repeat(64), clientHost, clientHost])
  })

  test('a document of a disabled client serves nobody, however often it is fetched', async () => {
    const clientId = host.publish()
    const begun = await begin(clientId)
    await consent(begun)
    const root = await platformAdmin()
    const { items } = ok(await root.get(`/applications?search=Assistant&page_size=100`))
    const { id } = items.find((one: { client_id: string }) => one.client_id === clientId)
    ok(await root.put(`/applications/${id}`, { status: 0 }))
    clock.advance(301_000)
    const { status, location } = await begun.browser.authorize(requestOf(clientId).params)
    expect([status, location]).toEqual([400, ''])
  })
})
