/** The API of the sign-in pages refuses wrong requests. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../../test/answers.ts'
import {
  answerIn,
  interactionOf,
  openBrowser,
  requestFor,
  type Browser,
} from '../../../../../test/browser.ts'
import { newTenant, ok, password, platformAdmin, unique, type Tenant } from '../../../../../test/factories.ts'
import { newApplication, newResource, type TestApplication } from '../../../../../test/front-door.ts'
import { call, clock, startApp, type Answer } from '../../../../../test/harness.ts'
import { wrongCode } from '../../../../../test/second-factors.ts'
import type { Params } from '../../../../../../lab/browser.ts'

let tenant: Tenant
let application: TestApplication

beforeAll(async () => {
  await platformAdmin()
  tenant = await newTenant()
  application = await newApplication()
})

/** Opens an interaction. */
const begin = async (browser: Browser, to = application): Promise<string> =>
  interactionOf(await browser.authorize(requestFor(to).params))

const newAccount = () => ({ email: `${unique()}@example.com`, username: unique('user'), password })

const enrol = { type: 'totp', name: 'Phone', password }

/** All routes of steps, with valid bodies. */
const steps: [name: string, body: object][] = [
  ['identify', { email: 'ada@example.com' }],
  ['password', { email: 'ada@example.com', password }],
  ['forgot', { email: 'ada@example.com' }],
  ['factor', { code: '000000' }],
  ['passkey/options', {}],
  ['register', newAccount()],
  ['email-code', {}],
  ['enrol', enrol],
  ['enrol/confirm', { code: '000000' }],
  ['skip', {}],
  ['new-password', { new_password: password }],
  ['tenant', { tenant_id: randomUUID() }],
  ['consent', { allow: true }],
  ['cancel', {}],
]

describe('a step', () => {
  test.each(steps)('%s of an unknown sign-in is 404', async (name, body) => {
    const browser = openBrowser()
    await begin(browser)
    expect(await browser.act(randomUUID(), name, body)).toMatchObject(refusal('interactionUnknown'))
  })

  test.each([
    ...[...steps.map(([name]) => name), 'passkey'].map((name) => `/interactions/${randomUUID()}/${name}`),
    '/interactions',
    '/verify-email',
    '/way-back',
    '/look',
    '/logout/question',
    '/logout/confirm',
  ])('is refused to a page of another site: %s', async (path) => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example.com' }
    expect(await openBrowser().call('POST', path, {}, headers)).toMatchObject(refusal('foreignPage'))
  })

  test.each(
    steps.filter(([name]) =>
      ['factor', 'enrol', 'enrol/confirm', 'skip', 'new-password', 'tenant', 'consent'].includes(name),
    ),
  )('%s is refused before its turn', async (name, body) => {
    const browser = openBrowser()
    expect(await browser.act(await begin(browser), name, body)).toMatchObject(refusal('stepWrong'))
  })
})

describe('the end of a condition of an open sign-in', () => {
  const root = () => platformAdmin()

  /** An interaction at the step `consent`. */
  const openConsent = async (changes: Params = {}) => {
    const resource = await newResource([])
    const foreign = await newApplication({ is_third_party: true, resource_ids: [resource.id] })
    const { email, userId } = await tenant.member()
    const browser = openBrowser()
    const { params } = requestFor(foreign, { resource: resource.identifier, ...changes })
    const id = interactionOf(await browser.authorize(params))
    expect(ok(await browser.act(id, 'password', { email, password }))).toMatchObject({ step: 'consent' })
    return { browser, id, resource, foreign, userId }
  }
  type Scene = Awaited<ReturnType<typeof openConsent>>

  test.each<[string, string, (scene: Scene) => Promise<unknown>]>([
    [
      'a deleted resource',
      'invalid_target',
      async ({ resource }) => (await root()).delete(`/resources/${resource.id}`),
    ],
    [
      'a resource that the application may not name any more',
      'invalid_target',
      async ({ foreign }) => (await root()).put(`/applications/${foreign.id}`, { resource_ids: [] }),
    ],
    [
      'a tenant that is taken off the application',
      'access_denied',
      async ({ foreign }) => (await root()).put(`/applications/${foreign.id}`, { tenant_ids: [] }),
    ],
  ])('%s answers the application with %s', async (_what, error, act) => {
    const scene = await openConsent()
    const { browser, id } = scene
    ok((await act(scene)) as Answer)
    expect(await browser.act(id, 'consent', { allow: true })).toMatchObject(refusal('stepWrong'))
    const { step, redirect_to: address } = ok(await browser.read(id))
    expect([step, answerIn(address).params['error']]).toEqual(['done', error])
    expect(await browser.read(id)).toMatchObject(refusal('interactionUnknown'))
  })

  test('a disabled user has to prove who they are anew', async () => {
    const { browser, id, userId } = await openConsent()
    ok(await tenant.admin.put(`/users/${userId}`, { status: 0 }))
    expect(await browser.act(id, 'consent', { allow: true })).toMatchObject(refusal('stepWrong'))
    expect(ok(await browser.read(id))).toMatchObject({ step: 'password' })
  })

  test('a refusal whose answer is still to be posted', async () => {
    const { browser, id } = await openConsent({ response_mode: 'form_post' })
    ok(await browser.act(id, 'cancel'))
    expect(await browser.act(id, 'consent', { allow: true })).toMatchObject(refusal('stepWrong'))
    expect((await browser.open(`/oauth2/resume/${id}`)).text).toContain('access_denied')
  })
})

describe('a sign-in', () => {
  test('is refused to a disabled person, and in a disabled tenant', async () => {
    const [gone, other] = [await tenant.member(), await newTenant()]
    const member = await other.member()
    ok(await tenant.admin.put(`/users/${gone.userId}`, { status: 0 }))
    ok(await (await platformAdmin()).put(`/org/tenants/${other.id}`, { status: 0 }))
    const browser = openBrowser()
    const id = await begin(browser)
    expect(await browser.act(id, 'password', { email: gone.email, password })).toMatchObject(
      refusal('accountDisabled'),
    )
    expect(await browser.act(id, 'password', { email: member.email, password })).toMatchObject(
      refusal('tenantSuspended'),
    )
  })

  test('registers nobody where registration is closed, nor an address or a name that is taken', async () => {
    const { email, username } = await platformAdmin()
    const browser = openBrowser()
    const id = await begin(browser)
    expect(await browser.act(id, 'register', { ...newAccount(), email })).toMatchObject(refusal('emailTaken'))
    expect(await browser.act(id, 'register', { ...newAccount(), username })).toMatchObject(
      refusal('usernameTaken'),
    )
    const closed = await startApp({ signUp: 'closed' })
    const there = openBrowser(closed)
    const { location } = await there.authorize(requestFor(application, { prompt: 'create' }).params)
    expect(answerIn(location).params).toMatchObject({ error: 'invalid_request' })
    const { body } = await call('GET', '//.well-known/openid-configuration', { at: closed })
    expect(body.prompt_values_supported).toEqual(['none', 'login', 'consent', 'select_account'])
    expect(await there.act(await begin(there), 'register', newAccount())).toMatchObject(
      refusal('registrationClosed'),
    )
    await closed.app.close()
  })

  test('adds a factor only behind the right password and the right code', async () => {
    const careful = await newApplication({ require_mfa: true })
    const { email } = await tenant.member()
    const browser = openBrowser()
    const id = await begin(browser, careful)
    expect(ok(await browser.act(id, 'password', { email, password }))).toMatchObject({
      step: 'enrol',
      asks_password: false,
    })
    expect(await browser.act(id, 'enrol/confirm', { code: '000000' })).toMatchObject(refusal('stepWrong'))
    expect(await browser.act(id, 'enrol', { ...enrol, password: 'a wrong password' })).toMatchObject(
      refusal('oldPasswordWrong'),
    )
    const { enrolment } = ok(await browser.act(id, 'enrol', enrol))
    const code = wrongCode(enrolment.secret)
    expect(await browser.act(id, 'enrol/confirm', { code })).toMatchObject(refusalOf('code', 'codeWrong'))
  })

  test('a factor needs the password again five minutes after it was typed', async () => {
    const careful = await newApplication({ require_mfa: true })
    const { email } = await tenant.member()
    const browser = openBrowser()
    const id = await begin(browser, careful)
    await browser.act(id, 'password', { email, password })
    const begun = (body: object) => browser.act(id, 'enrol', { type: 'totp', name: 'Phone', ...body })
    clock.advance(4 * 60_000)
    expect(ok(await begun({}))).toMatchObject({ enrolment: { secret: expect.any(String) } })
    clock.advance(60_000)
    expect(ok(await browser.read(id))).toMatchObject({ step: 'enrol', asks_password: true })
    expect(await begun({})).toMatchObject(refusalOf('password'))
    expect(ok(await begun({ password })).enrolment).not.toBeNull()
  })

  test('offers no passkey where the installation has an address without a name', async () => {
    const at = await startApp({ publicUrl: 'http://127.0.0.1:8080', issuer: 'http://127.0.0.1:8080' })
    const browser = openBrowser(at)
    const id = await begin(browser)
    expect(ok(await browser.act(id, 'identify', { email: 'ada@example.com' })).methods).not.toContain(
      'passkey',
    )
    expect(await browser.act(id, 'passkey/options')).toMatchObject(refusal('passkeysOff'))
    await at.app.close()
  })

  test('confirms an address only of the person who is signed in, by a living link', async () => {
    const browser = openBrowser()
    const token = 'x'.repeat(43)
    expect(await browser.call('POST', '/verify-email', { token })).toMatchObject(refusal('tokenInvalid'))
    const { email } = await tenant.member()
    ok(await browser.act(await begin(browser), 'password', { email, password }))
    expect(await browser.call('POST', '/verify-email', { token })).toMatchObject(refusal('linkDead'))
  })
})
