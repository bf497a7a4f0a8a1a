/**
 * Clients that register themselves (RFC 7591), and the setting that lets people authorize clients that no administrator
 * has created.
 */
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  allowUnregistered,
  holding,
  loopbackRedirect,
  newOpenResource,
  startOpen,
  webRedirect,
  type OpenResource,
} from '../../../../../test/assistants.ts'
import { newSource } from '../../../../../test/accounts.ts'
import { answerIn, interactionOf, openBrowser, requestFor } from '../../../../../test/browser.ts'
import {
  auditRecords,
  clearCatalogue,
  newTenant,
  ok,
  password,
  platformAdmin,
  type Caller,
  type Tenant,
} from '../../../../../test/factories.ts'
import {
  exchange,
  oauthRefusal,
  refresh,
  type TestApplication,
  type Tokens,
} from '../../../../../test/front-door.ts'
import { clock, parts, service, startApp, type Answer, type Running } from '../../../../../test/harness.ts'
import { builtInTenant } from '../../../../access/permissions.ts'
import { sweepAuthorizations } from '../sweep.service.ts'

const db = parts.store.scoped({})

let running: Running
let tenant: Tenant
let user: Caller
let resource: OpenResource

beforeAll(async () => {
  await platformAdmin()
  running = await startApp({ clientRegistration: 'open' })
  resource = await newOpenResource()
  tenant = await newTenant()
  await allowUnregistered(tenant.id, true)
  user = await holding(await tenant.member(), resource)
})
afterAll(async () => {
  await running.app.close()
  await clearCatalogue()
})

const register = async (
  fields: object = {},
  at = running,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const response = await fetch(`${at.url}/oauth2/register`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Assistant',
      redirect_uris: [webRedirect, loopbackRedirect],
      ...fields,
    }),
  })
  const text = await response.text()
  const body = JSON.parse(text)
  return { status: response.status, headers: response.headers, text, body, data: body, ms: 0 }
}

const registered = async (): Promise<TestApplication> => {
  const { body } = await register({ grant_types: ['authorization_code', 'refresh_token'] })
  const { id } = await db.only<{ id: number }>(
    sql`select id from applications where client_id = ${body.client_id}`,
  )
  return { id, clientId: body.client_id, name: 'Assistant', secret: '', isThirdParty: true }
}

/** Signs in and consents. Returns the response parameters and the verifier. */
const allow = async (client: TestApplication, who = user) => {
  const browser = openBrowser(running)
  const scope = `openid offline_access ${resource.code}`
  const { params, verifier } = requestFor(client, {
    redirect_uri: webRedirect,
    resource: resource.identifier,
    scope,
  })
  const id = interactionOf(await browser.authorize(params))
  const { step, redirect_to: to } = ok(await browser.act(id, 'password', { email: who.email, password }))
  if (step === 'done') return { params: answerIn(to).params, verifier }
  const { redirect_to: answer } = ok(await browser.act(id, 'consent', { allow: true }))
  return { params: answerIn(answer).params, verifier }
}

const exchangeOf = (client: TestApplication, { params, verifier }: Awaited<ReturnType<typeof allow>>) =>
  exchange(client, { code: params['code'] ?? '', verifier }, { redirect_uri: webRedirect }, { at: running })

const openedBy = async (client: TestApplication, who = user): Promise<Tokens> =>
  (await exchangeOf(client, await allow(client, who))).body

const isLiving = async (client: TestApplication, { refresh_token: token }: Tokens): Promise<boolean> =>
  (await refresh(client, token, {}, { at: running })).status === 200

describe('a client registers itself', () => {
  test('a registered client is public, whatever it asks for, and the response says so', async () => {
    const { status, body, headers } = await register({
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'implicit'],
      response_types: ['token'],
      scope: 'openid',
      is_third_party: false,
      tenantry_api: true,
    })
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(body).toEqual({
      client_id: expect.stringMatching(/^[\dA-Za-z]{22}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Assistant',
      redirect_uris: [webRedirect, loopbackRedirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
    const root = await platformAdmin()
    const { items } = ok(await root.get('/applications?search=Assistant&page_size=100'))
    expect(items.find((one: { client_id: string }) => one.client_id === body.client_id)).toMatchObject({
      kind: 'native',
      is_third_party: true,
      tenantry_api: false,
      secrets: [],
      resource_ids: [],
    })
  })

  test('a registration leaves a record in the built-in tenant', async () => {
    const { id, clientId } = await registered()
    const [record] = await auditRecords(builtInTenant.id, 'application', id)
    expect(record).toMatchObject({ action: 'application.register', user_id: 0 })
    expect(JSON.stringify(record)).toContain(clientId)
  })

  test.each([
    ['no address', { redirect_uris: [] }, 'invalid_redirect_uri'],
    [
      '21 addresses',
      { redirect_uris: Array.from({ length: 21 }, () => webRedirect) },
      'invalid_redirect_uri',
    ],
    ['plain http', { redirect_uris: ['http://client.example.com/'] }, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['a scheme of the system', { redirect_uris: ['mailto:/cb'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: [`${webRedirect}#a`] }, 'invalid_redirect_uri'],
    ['a long address', { redirect_uris: [`${webRedirect}${'a'.repeat(500)}`] }, 'invalid_redirect_uri'],
    ['an address that is no text', { redirect_uris: [7] }, 'invalid_request'],
  ])('a registration with %s is refused', async (_name, fields, error) => {
    expect(await register(fields)).toMatchObject(oauthRefusal(error))
  })

  test('a registration is refused where registration is off', async () => {
    expect(await register({}, service)).toMatchObject(oauthRefusal('access_denied'))
  })

  test('a registration by a form or by broken JSON is refused', async () => {
    const send = (type: string, body: string) =>
      fetch(`${running.url}/oauth2/register`, { method: 'POST', headers: { 'content-type': type }, body })
    expect((await send('application/x-www-form-urlencoded', 'a=b')).status).toBe(415)
    const broken = await send('application/json', '{')
    const { error } = (await broken.json()) as { error: string }
    expect([broken.status, error]).toEqual([400, 'invalid_request'])
  })

  test('one source registers at most ten clients an hour', async () => {
    const at = await startOpen(parts.get, { rateLimit: true, trustedProxies: ['127.0.0.1'] })
    const source = newSource()
    const answers: Answer[] = []
    for (let tries = 0; tries < 11; tries += 1) answers.push(await register({}, at, source))
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 201), 429])
    const last = answers.at(-1)
    expect(last?.body.error).toBe('temporarily_unavailable')
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(3000)
  })
})

test('discovery names registration and metadata documents only where they are on', async () => {
  const read = async (at: Running) =>
    (await fetch(`${at.url}/.well-known/oauth-authorization-server`)).json() as Promise<object>
  const off = await read(service)
  expect(off).not.toHaveProperty('registration_endpoint')
  expect(off).not.toHaveProperty('client_id_metadata_document_supported')
  expect(await read(await startOpen(parts.get))).toMatchObject({
    registration_endpoint: `${parts.config.publicUrl}/oauth2/register`,
    client_id_metadata_document_supported: true,
  })
})

describe('people may authorize such a client', () => {
  const setGlobal = async (value: boolean) =>
    ok(await (await platformAdmin()).put('/settings/global/auth.unregistered_applications', { value }))

  test('a tenant allows such clients: else the client gets access_denied', async () => {
    const client = await registered()
    const other = await newTenant()
    const person = await holding(await other.member(), resource)
    expect((await allow(client, person)).params['error']).toBe('access_denied')
    await allowUnregistered(other.id, true)
    expect((await allow(client, person)).params).toHaveProperty('code')
  })

  test('sessions end when the tenant turns it off, and codes open none', async () => {
    const client = await registered()
    const other = await newTenant()
    await allowUnregistered(other.id, true)
    const person = await holding(await other.member(), resource)
    const tokens = await openedBy(client, person)
    const pending = await allow(client, person)
    const elsewhere = await openedBy(client)
    await allowUnregistered(other.id, false)
    expect(await isLiving(client, tokens)).toBe(false)
    expect(await exchangeOf(client, pending)).toMatchObject(oauthRefusal('invalid_grant'))
    expect(await isLiving(client, elsewhere)).toBe(true)
  })

  test('the installation allows such clients in tenants without a setting of their own', async () => {
    const client = await registered()
    const [open, shut] = [await newTenant(), await newTenant()]
    await allowUnregistered(shut.id, false)
    const people = [
      await holding(await open.member(), resource),
      await holding(await shut.member(), resource),
    ] as const
    await setGlobal(true)
    const tokens = await openedBy(client, people[0])
    expect((await allow(client, people[1])).params['error']).toBe('access_denied')
    const own = await openedBy(client)
    await setGlobal(false)
    expect(await isLiving(client, tokens)).toBe(false)
    expect(await isLiving(client, own)).toBe(true)
    const root = await platformAdmin()
    ok(await root.delete('/settings/global/auth.unregistered_applications'))
  })

  test('a code opens no session after its resource was closed to such clients', async () => {
    const client = await registered()
    const pending = await allow(client)
    const root = await platformAdmin()
    ok(await root.put(`/resources/${resource.id}`, { allow_unregistered: false }))
    expect(await exchangeOf(client, pending)).toMatchObject(oauthRefusal('invalid_grant'))
    ok(await root.put(`/resources/${resource.id}`, { allow_unregistered: true }))
  })
})

describe('clients', () => {
  const exists = async ({ id }: TestApplication) =>
    (await db.one(sql`select from applications where id = ${id}`)) !== undefined
  const countAll = async () =>
    (
      await db.only<{ count: number }>(
        sql`select count(*) as count from applications where origin <> 'managed'`,
      )
    ).count
  const daysMs = 24 * 3600_000

  test('clients without a session for 30 days are deleted, and those with a session stay', async () => {
    const [idle, used] = [await registered(), await registered()]
    await openedBy(used)
    const at = (days: number) => ({ ...parts, now: () => new Date(clock.now().getTime() + days * daysMs) })
    await sweepAuthorizations(at(29))
    expect(await exists(idle)).toBe(true)
    await sweepAuthorizations(at(31))
    expect([await exists(idle), await exists(used)]).toEqual([false, true])
  })

  test('are 10,000 at most: the oldest without a session makes room', async () => {
    const used = await registered()
    await openedBy(used)
    await db.run(sql`
      insert into applications (client_id, origin, name, name_folded, kind, is_third_party, redirect_uris, grant_types,
        created_at, updated_at)
      select 'flood' || n, 'registered', 'Flood', 'flood', 'native', true, '{}', '{}', now() + n * interval '1 second', now()
      from generate_series(1, 10000) n`)
    const oldest = await registered()
    await db.run(sql`update applications set created_at = '2020-01-01' where id = ${oldest.id}`)
    const before = await countAll()
    expect((await register()).status).toBe(201)
    expect([await exists(oldest), await exists(used)]).toEqual([false, true])
    expect(await countAll()).toBe(before)
    await db.run(sql`delete from applications where name = 'Flood'`)
  })
})
