/** Two replicas as two processes: a person signs in at one, and the application talks to the other. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Answer } from '../../lab/client.ts'
import type { Replica } from '../../lab/replica.ts'
import { answerIn, interactionOf, openBrowser, requestFor } from './browser.ts'
import { exchange, postForm, redirectUri, refresh, type TestApplication } from './front-door.ts'
import { service } from './harness.ts'
import { ask, createStores, endAll, start, type Stores } from './programs.ts'
import { data } from './replies.ts'

const isOnServices = process.env['DATABASE_URL'] !== undefined && process.env['REDIS_URL'] !== undefined
const password = 'correct horse battery'
const email = 'root@example.com'

let stores: Stores
let one: Replica
let other: Replica
let root: { token: string }
let application: TestApplication

const at = ({ url }: Replica) => ({ at: { ...service, url } })

/** A code that the person got at a replica. */
const authorizeAt = async (replica: Replica) => {
  const browser = openBrowser(replica)
  const { params, verifier } = requestFor(application)
  const id = interactionOf(await browser.authorize(params))
  const done = data(await browser.act(id, 'password', { email, password }))
  return { code: answerIn(done.redirect_to).params['code'] ?? '', verifier }
}

const userinfo = (replica: Replica, token: string): Promise<Answer> =>
  postForm('/userinfo', { access_token: token }, at(replica))

describe.runIf(isOnServices)('two replicas', () => {
  beforeAll(async () => {
    stores = await createStores()
    const env = {
      ...stores.env,
      TENANTRY_ADMIN_EMAIL: email,
      TENANTRY_ADMIN_PASSWORD: password,
      TENANTRY_PUBLIC_URL: 'http://localhost:8080',
    }
    ;[one, other] = await Promise.all([start(env), start(env)])
    const pair = data(await ask(one, 'POST /auth/login', { body: { email, password } }))
    root = { token: pair.access_token }
    const body = {
      name: 'Shop',
      kind: 'web',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
    }
    const made = data(await ask(one, 'POST /applications', { ...root, body }))
    application = {
      id: made.id,
      clientId: made.client_id,
      name: made.name,
      secret: made.secret,
      isThirdParty: false,
    }
  })
  afterAll(async () => {
    endAll()
    await stores.remove()
  })

  test('each takes a code of the other, and sees the end of a session there', async () => {
    const { body } = await exchange(application, await authorizeAt(one), {}, at(other))
    expect((await userinfo(one, body.access_token)).status).toBe(200)
    expect((await userinfo(other, body.access_token)).status).toBe(200)
    data(await ask(one, 'DELETE /auth/sessions', root))
    await vi.waitFor(async () => expect((await userinfo(other, body.access_token)).status).toBe(401), {
      timeout: 1000,
      interval: 20,
    })
    expect((await refresh(application, body.refresh_token, {}, at(other))).body.error).toBe('invalid_grant')
  })

  test('a code that is used at both at once opens one session, which ends', async () => {
    const admitted = await authorizeAt(one)
    const answers = await Promise.all(
      [one, other].map((replica) => exchange(application, admitted, {}, at(replica))),
    )
    const given = answers.filter(({ status }) => status === 200)
    expect(given).toHaveLength(1)
    expect((await userinfo(other, given[0]?.body.access_token)).status).toBe(401)
  })

  test('a revoked secret of the application is refused at the other', async () => {
    const added = data(await ask(one, `POST /applications/${application.id}/secrets`, { ...root, body: {} }))
    const second = { ...application, secret: added.secret }
    const { body } = await exchange(second, await authorizeAt(one), {}, at(other))
    data(await ask(one, `DELETE /applications/${application.id}/secrets/${added.id}`, root))
    await vi.waitFor(
      async () => expect((await refresh(second, body.refresh_token, {}, at(other))).status).toBe(401),
      { timeout: 1000, interval: 20 },
    )
  })

  test('the death of one between code and token leaves the code to the other', async () => {
    const admitted = await authorizeAt(one)
    await one.end('SIGKILL')
    const { status, body } = await exchange(application, admitted, {}, at(other))
    expect(status).toBe(200)
    expect((await userinfo(other, body.access_token)).status).toBe(200)
  })
})
