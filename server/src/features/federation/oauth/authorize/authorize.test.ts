import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Params } from '../../../../../../lab/browser.ts'
import { refusal } from '../../../../../test/answers.ts'
import {
  answerIn,
  interactionOf,
  openBrowser,
  requestFor,
  type Browser,
  type Request,
} from '../../../../../test/browser.ts'
import {
  newTenant,
  ok,
  password,
  platformAdmin,
  unique,
  type Caller,
  type Tenant,
} from '../../../../../test/factories.ts'
import {
  claimsOf,
  exchange,
  newApplication,
  newResource,
  postForm,
  redirectUri,
  type TestApplication,
} from '../../../../../test/front-door.ts'
import { call, clock, parts, service, startApp } from '../../../../../test/harness.ts'
import { addTotp, codeOf } from '../../../../../test/second-factors.ts'

let tenant: Tenant
let user: Caller
let own: TestApplication
let foreign: TestApplication

beforeAll(async () => {
  await platformAdmin()
  tenant = await newTenant()
  user = await tenant.member()
  own = await newApplication()
  foreign = await newApplication({ is_third_party: true })
})

/** Opens an interaction, and proves the person's identity. */
const signInWith = async (browser: Browser, { params }: Request, who = user): Promise<string> => {
  const id = interactionOf(await browser.authorize(params))
  const answer = await browser.act(id, 'password', { email: who.email, password })
  ok(answer)
  return id
}

/** The response parameters of an authorization without an interaction. */
const silently = async (browser: Browser, { params }: Request) => {
  const answer = await browser.authorize(params)
  expect(answer.status).toBe(303)
  return answerIn(answer.location).params
}

const signedIn = async (who = user): Promise<Browser> => {
  const browser = openBrowser()
  await signInWith(browser, requestFor(own), who)
  return browser
}

describe('an authorization', () => {
  test('leads from the application through the page to a session of the person', async () => {
    const browser = openBrowser()
    const request = requestFor(own)
    const id = interactionOf(await browser.authorize(request.params))
    expect(ok(await browser.read(id))).toMatchObject({
      id,
      step: 'identify',
      application: { name: own.name, is_third_party: false, redirect_host: 'app.example.com' },
      account: '',
      redirect_to: '',
    })
    expect(ok(await browser.act(id, 'identify', { email: user.email }))).toMatchObject({
      step: 'password',
      account: user.email,
    })
    const done = ok(await browser.act(id, 'password', { email: user.email, password }))
    expect(done).toMatchObject({ step: 'done', account: user.email })
    const { address, params } = answerIn(done.redirect_to)
    expect(address).toBe(redirectUri)
    expect(params).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: request.params['state'],
      iss: parts.config.issuer,
    })
    const { status, body } = await exchange(own, { code: params['code'] ?? '', verifier: request.verifier })
    expect(status).toBe(200)
    expect(claimsOf(body.access_token)).toMatchObject({
      sub: String(user.userId),
      tid: user.tenantId,
      client_id: own.clientId,
    })
  })

  test('gives back a state and a nonce of 4,096 characters', async () => {
    const [state, nonce] = ['s'.repeat(4096), 'n'.repeat(4096)]
    const request = requestFor(own, { state, nonce })
    const { code = '', ...rest } = await silently(await signedIn(), request)
    expect(rest).toEqual({ state, iss: parts.config.issuer })
    const { body } = await exchange(own, { code, verifier: request.verifier })
    expect(claimsOf(body.id_token)['nonce']).toBe(nonce)
    const { location } = await openBrowser().open(
      `/oauth2/logout?${new URLSearchParams({ id_token_hint: body.id_token, state }).toString()}`,
    )
    expect(location).toContain('/sign-in')
  })

  test('asks nothing of a person who is signed in with the browser', async () => {
    const browser = await signedIn()
    const another = await newApplication()
    expect(await silently(browser, requestFor(another))).toMatchObject({ code: expect.any(String) })
  })

  test('prompt=create begins with the registration, also of a browser that is signed in', async () => {
    const browser = await signedIn()
    const request = requestFor(own, { prompt: 'create', login_hint: `${unique()}@example.com` })
    const id = interactionOf(await browser.authorize(request.params))
    const { step, methods, account: email } = ok(await browser.read(id))
    expect([step, methods[0], email]).toEqual(['identify', 'register', request.params['login_hint']])
    const done = ok(await browser.act(id, 'register', { email, username: unique('user'), password }))
    expect(done).toMatchObject({ step: 'done', account: email })
  })

  test('answers once: an interaction that is over is 404', async () => {
    const browser = openBrowser()
    const id = await signInWith(browser, requestFor(own))
    expect(await browser.read(id)).toMatchObject(refusal('interactionUnknown'))
  })

  test('answers once of many acts at once, refusals among them', async () => {
    const browser = await signedIn()
    const consents = Array.from({ length: 20 }, () => ['consent', { allow: true }] as const)
    for (const acts of [consents, [...consents.slice(0, 2), ['cancel', {}] as const]]) {
      const { params } = requestFor(own, { prompt: 'consent' })
      const id = interactionOf(await browser.authorize(params))
      const outcomes = await Promise.all(acts.map(([name, body]) => browser.act(id, name, body)))
      expect(outcomes.filter(({ data }) => data?.redirect_to?.includes('iss='))).toHaveLength(1)
      expect(outcomes.every(({ status }) => [200, 400, 404].includes(status))).toBe(true)
    }
  })

  test('is posted once by a page of ours, and passwords that come at once open one sign-in', async () => {
    const [browser, who] = [openBrowser(), await tenant.member()]
    const { params } = requestFor(own, { response_mode: 'form_post' })
    const id = interactionOf(await browser.authorize(params))
    const give = () => browser.act(id, 'password', { email: who.email, password })
    const given = await Promise.all([give(), give(), give()])
    expect(given.filter(({ status }) => status === 200)).toHaveLength(1)
    const pages = await Promise.all([1, 2, 3].map(() => browser.open(`/oauth2/resume/${id}`)))
    expect(pages.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
    const sessions: { tenant_id: string }[] = ok(await who.get('/auth/sessions'))
    expect(sessions.filter(({ tenant_id: of }) => of === '')).toHaveLength(1)
  })

  test('is posted by a page of ours with response_mode=form_post', async () => {
    const browser = openBrowser()
    const request = requestFor(own, { response_mode: 'form_post', state: 'a"><b>' })
    const id = interactionOf(await browser.authorize(request.params))
    const { redirect_to: to } = ok(await browser.act(id, 'password', { email: user.email, password }))
    expect(to).toBe(`/oauth2/resume/${id}`)
    const page = await browser.open(to)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.text).toContain(`action="${redirectUri}"`)
    expect(page.text).toMatch(/name="code" value="[\w-]{43}"/)
    expect(page.text).not.toContain('a"><b>')
  })

  test('a POST is sent on as a GET, so that a page elsewhere brings no cookie', async () => {
    const { params } = requestFor(own)
    const answer = await postForm('/authorize', params)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(
      `/oauth2/authorize?${new URLSearchParams(params as Record<string, string>).toString()}`,
    )
  })
})

describe('a request that must not reach an application', () => {
  const refused = { status: 400, location: '', headers: expect.any(Headers) }
  const refusalOf = (params: Record<string, string | undefined> | string) => openBrowser().authorize(params)

  test.each([
    ['a prefix', `${redirectUri}/more`],
    ['a shorter one', 'https://app.example.com/call'],
    ['another port', 'https://app.example.com:8443/callback'],
    ['the usual port in words', 'https://app.example.com:443/callback'],
    ['another case', 'https://APP.example.com/callback'],
    ['an encoded letter', 'https://app.example.com/c%61llback'],
    ['a user part', 'https://app.example.com@evil.example/callback'],
    ['a user part before', 'https://evil.example@app.example.com/callback'],
    ['a query', `${redirectUri}?next=https://evil.example`],
    ['a fragment', `${redirectUri}#x`],
    ['a backslash', 'https://evil.example\\@app.example.com/callback'],
    ['a path above', 'https://app.example.com/x/../callback'],
    ['a script', 'javascript:alert(1)'],
    ['nothing', ''],
  ])('names another address by %s', async (_name, address) => {
    const { params } = requestFor(own, { redirect_uri: address })
    const answer = await refusalOf(params)
    expect(answer).toMatchObject(refused)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(answer.text).not.toContain('evil')
    const code = address === '' ? 'invalid_request' : 'invalid_redirect_uri'
    expect(answer.text).toContain(`<code>${code}</code>`)
  })

  test('names two addresses, or none', async () => {
    const { params } = requestFor(own)
    const text = new URLSearchParams(params as Record<string, string>).toString()
    expect(
      await refusalOf(`${text}&redirect_uri=${encodeURIComponent('https://evil.example')}`),
    ).toMatchObject(refused)
    expect(await refusalOf({ ...params, redirect_uri: undefined })).toMatchObject(refused)
  })

  test('names an unknown client, the console, two clients or none', async () => {
    for (const clientId of ['unknown', 'tenantry', '', undefined, 'x'.repeat(3000)]) {
      expect(await refusalOf(requestFor({ clientId: '' }, { client_id: clientId }).params)).toMatchObject(
        refused,
      )
    }
    const { params } = requestFor(own)
    expect(
      await refusalOf(`${new URLSearchParams(params as Record<string, string>).toString()}&client_id=x`),
    ).toMatchObject(refused)
  })

  test('names an application that is disabled', async () => {
    const disabled = await newApplication()
    await parts.store.scoped({}).run(sql`update applications set status = 0 where id = ${disabled.id}`)
    const answer = await refusalOf(requestFor(disabled).params)
    expect(answer).toMatchObject(refused)
    expect(answer.text).toContain('<code>invalid_client</code>')
  })

  test('a native application has any port at loopback, and nothing else there', async () => {
    const native = await newApplication({ kind: 'native' })
    await parts.store
      .scoped({})
      .run(sql`update applications set redirect_uris = '{http://127.0.0.1/cb}' where id = ${native.id}`)
    const to = (address: string) =>
      openBrowser().authorize(requestFor(native, { redirect_uri: address }).params)
    expect((await to('http://127.0.0.1:51234/cb')).status).toBe(303)
    for (const address of [
      'http://127.0.0.1:51234/other',
      'http://127.0.0.2:51234/cb',
      'http://localhost:51234/cb',
      'http://127.0.0.1:51234/cb?x=1',
      'http://127.0.0.1:99999/cb',
      'http://127.0.0.1.evil.example/cb',
      'http://u@127.0.0.1:1/cb',
    ]) {
      expect({ address, status: (await to(address)).status }).toEqual({ address, status: 400 })
    }
  })
})

describe('a faulty request is answered at the address of the application', () => {
  test.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { response_type: undefined }],
    ['invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { response_mode: 'fragment' }],
    ['invalid_request', { prompt: 'none login' }],
    ['invalid_request', { prompt: 'none create' }],
    ['invalid_request', { prompt: 'register' }],
    ['invalid_request', { max_age: 'soon' }],
    ['invalid_request', { nonce: 'n'.repeat(4097) }],
    ['invalid_request', { state: 's'.repeat(7500) }],
    ['invalid_request', { id_token_hint: 'x.y.z' }],
    ['request_not_supported', { request: 'x' }],
    ['request_uri_not_supported', { request_uri: 'https://evil.example' }],
    ['invalid_target', { resource: 'https://unknown.example/mcp' }],
    ['invalid_scope', { scope: Array.from({ length: 101 }, (_, n) => `a:${n}`).join(' ') }],
  ])('%s for %o', async (error, changes) => {
    const request = requestFor(own, changes)
    expect(await silently(openBrowser(), request)).toMatchObject({
      error,
      state: request.params['state'],
      iss: parts.config.issuer,
    })
  })

  test('a known parameter given twice', async () => {
    const { params } = requestFor(own)
    const text = new URLSearchParams(params as Record<string, string>).toString()
    const { location } = await openBrowser().authorize(`${text}&scope=profile`)
    expect(answerIn(location).params).toMatchObject({ error: 'invalid_request' })
  })

  test('a state beyond the length of a URL is not repeated', async () => {
    for (const state of ['s'.repeat(8000), 'é'.repeat(2000)]) {
      const { error, ...rest } = await silently(
        openBrowser(),
        requestFor(own, { state, prompt: 'login none' }),
      )
      expect({ error, ...rest }).toEqual({
        error: 'invalid_request',
        error_description: expect.any(String),
        iss: parts.config.issuer,
      })
    }
  })

  test('an unknown one and an unknown word among the scopes do not matter', async () => {
    const { params } = requestFor(own, { scope: 'openid phone', claims: '{}', color: 'red' })
    expect(interactionOf(await openBrowser().authorize(params))).toMatch(/-/)
  })

  test('permissions among the scopes narrow to those that exist, and never widen once they are gone', async () => {
    const root = await platformAdmin()
    const scope = `${unique('m')}:read`
    const { id } = ok(await root.post('/rbac/permissions', { code: scope, name: 'Read' }))
    const resource = await newResource([id])
    const app = await newApplication({ tenantry_api: true, resource_ids: [resource.id] })
    const browser = await signedIn(tenant.admin)
    const open = async (changes: Params) => {
      const request = requestFor(app, changes)
      const { code = '', error } = await silently(browser, request)
      if (error !== undefined) return error
      const { body } = await exchange(app, { code, verifier: request.verifier })
      return [body.scope, (await call('GET', '/users', { token: body.access_token })).status]
    }
    expect(await open({ scope: `openid ${scope} x:gone` })).toEqual([`openid ${scope}`, 403])
    expect(await open({ scope: 'openid phone address' })).toEqual(['openid', 200])
    const { identifier } = resource
    expect(await open({ scope: `${scope} x:gone`, resource: identifier })).toEqual([scope, 401])
    ok(await root.delete(`/rbac/permissions/${id}`))
    for (const gone of [`openid ${scope}`, `openid ${scope.toUpperCase()}`, 'user:read']) {
      expect(await open({ scope: gone })).toBe('invalid_scope')
      expect(await open({ scope: gone, resource: identifier })).toBe('invalid_scope')
    }
  })

  test('only an own web application that sends openid and nonce needs no PKCE', async () => {
    const bare = { code_challenge: undefined, code_challenge_method: undefined, nonce: 'n' }
    expect(interactionOf(await openBrowser().authorize(requestFor(own, bare).params))).toMatch(/-/)
    const browserApp = await newApplication({ kind: 'browser' })
    for (const [app, changes] of [
      [own, { ...bare, scope: 'profile' }],
      [own, { ...bare, nonce: undefined }],
      [foreign, bare],
      [browserApp, bare],
    ] as const) {
      expect(await silently(openBrowser(), requestFor(app, changes))).toMatchObject({
        error: 'invalid_request',
      })
    }
  })
})

describe('prompt', () => {
  test('none without a sign-in is login_required, and with one gives a code', async () => {
    const request = requestFor(own, { prompt: 'none' })
    expect(await silently(openBrowser(), request)).toMatchObject({ error: 'login_required' })
    expect(await silently(await signedIn(), requestFor(own, { prompt: 'none' }))).toMatchObject({
      code: expect.any(String),
    })
  })

  test('none is interaction_required for a public client at loopback: any program could take its place', async () => {
    const native = await newApplication({ kind: 'native' })
    await parts.store
      .scoped({})
      .run(sql`update applications set redirect_uris = '{http://127.0.0.1/cb}' where id = ${native.id}`)
    const browser = await signedIn()
    const at = { redirect_uri: 'http://127.0.0.1:1234/cb' }
    const silent = requestFor(native, { ...at, prompt: 'none' })
    expect(await silently(browser, silent)).toMatchObject({ error: 'interaction_required' })
    const id = interactionOf(await browser.authorize(requestFor(native, at).params))
    expect(ok(await browser.read(id))).toMatchObject({ step: 'consent', scopes: [{ code: 'openid' }] })
    expect(ok(await browser.act(id, 'consent', { allow: true }))).toMatchObject({ step: 'done' })
  })

  test('login asks for the proofs again, and so does a proof older than max_age', async () => {
    const browser = await signedIn()
    clock.advance(10_000)
    for (const changes of [{ prompt: 'login' }, { max_age: '5' }]) {
      const id = interactionOf(await browser.authorize(requestFor(own, changes).params))
      expect(ok(await browser.read(id))).toMatchObject({ step: 'identify' })
      expect(ok(await browser.act(id, 'password', { email: user.email, password }))).toMatchObject({
        step: 'done',
      })
      clock.advance(10_000)
    }
    expect(await silently(browser, requestFor(own, { max_age: '60' }))).toMatchObject({
      code: expect.any(String),
    })
  })

  test('id_token_hint fixes the person: another one is login_required', async () => {
    const browser = await signedIn()
    const request = requestFor(own)
    const { code = '' } = await silently(browser, request)
    const { body } = await exchange(own, { code, verifier: request.verifier })
    clock.advance(3600_000)
    const hinted = requestFor(own, { id_token_hint: body.id_token, prompt: 'none' })
    expect(await silently(browser, hinted)).toMatchObject({ code: expect.any(String) })
    const stranger = await signedIn(await tenant.member())
    expect(await silently(stranger, hinted)).toMatchObject({ error: 'login_required' })
    const another = await newApplication()
    expect(await silently(browser, requestFor(another, { id_token_hint: body.id_token }))).toMatchObject({
      error: 'invalid_request',
    })
  })
})

describe('the tenant', () => {
  test('the tenant of the request must be one of the person’s', async () => {
    const elsewhere = await newTenant()
    const browser = await signedIn()
    for (const name of [elsewhere.id, unique('no-tenant')]) {
      expect(await silently(browser, requestFor(own, { tenant: name }))).toMatchObject({
        error: 'access_denied',
      })
    }
    for (const name of [tenant.id, tenant.slug]) {
      expect(await silently(browser, requestFor(own, { tenant: name }))).toMatchObject({
        code: expect.any(String),
      })
    }
  })

  test('has to be one that the application serves', async () => {
    const elsewhere = await newTenant()
    const closed = await newApplication({ tenant_ids: [elsewhere.id] })
    expect(await silently(await signedIn(), requestFor(closed))).toMatchObject({ error: 'access_denied' })
  })
})

describe('consent to an application of another party', () => {
  const consented = async (browser: Browser, request: Request) => {
    const id = interactionOf(await browser.authorize(request.params))
    return ok(await browser.act(id, 'consent', { allow: true }))
  }

  test('is asked for once, and anew for a bigger scope, another resource or another host', async () => {
    const resource = await newResource([])
    const app = await newApplication({ is_third_party: true, resource_ids: [resource.id] })
    const other = 'https://elsewhere.example.com/callback'
    await parts.store
      .scoped({})
      .run(sql`update applications set redirect_uris = ${[redirectUri, other]}::text[] where id = ${app.id}`)
    const browser = await signedIn()
    expect(await consented(browser, requestFor(app))).toMatchObject({ step: 'done' })
    expect(await silently(browser, requestFor(app))).toMatchObject({ code: expect.any(String) })
    for (const changes of [
      { scope: 'openid email' },
      { resource: resource.identifier },
      { redirect_uri: other },
    ]) {
      const silent = requestFor(app, { ...changes, prompt: 'none' })
      expect(await silently(browser, silent)).toMatchObject({ error: 'consent_required' })
    }
    expect(interactionOf(await browser.authorize(requestFor(app, { prompt: 'consent' }).params))).toMatch(/-/)
    const id = interactionOf(await browser.authorize(requestFor(app, { scope: 'openid email' }).params))
    expect(ok(await browser.read(id)).scopes).toMatchObject([
      { code: 'openid', is_new: false },
      { code: 'email', is_new: true },
    ])
  })

  test('a refused consent ends in access_denied, as does giving up', async () => {
    const browser = await signedIn()
    for (const [name, body] of [
      ['consent', { allow: false }],
      ['cancel', {}],
    ] as const) {
      const id = interactionOf(await browser.authorize(requestFor(foreign).params))
      const { step, redirect_to: to } = ok(await browser.act(id, name, body))
      expect(step).toBe('done')
      expect(answerIn(to).params).toMatchObject({ error: 'access_denied' })
    }
  })

  test('a consent in another tenant does not count', async () => {
    const browser = await signedIn()
    await consented(browser, requestFor(foreign))
    const stranger = await (await newTenant()).member()
    const other = await signedIn(stranger)
    expect(await silently(other, requestFor(foreign, { prompt: 'none' }))).toMatchObject({
      error: 'consent_required',
    })
  })

  test('cannot be clicked before the person has signed in', async () => {
    const browser = openBrowser()
    const id = interactionOf(await browser.authorize(requestFor(foreign).params))
    expect(await browser.act(id, 'consent', { allow: true })).toMatchObject(refusal('stepWrong'))
  })
})

describe('a second factor', () => {
  test('is asked for behind the password, and its wrong answer leads nowhere', async () => {
    const person = await tenant.member()
    const app = await addTotp(person)
    const browser = openBrowser()
    const request = requestFor(own)
    const id = interactionOf(await browser.authorize(request.params))
    expect(ok(await browser.act(id, 'password', { email: person.email, password }))).toMatchObject({
      step: 'factor',
      methods: ['totp', 'recovery_code'],
      redirect_to: '',
    })
    expect(await browser.act(id, 'factor', { code: '000000' })).toMatchObject(refusal('factorWrong'))
    const { redirect_to: to } = ok(await browser.act(id, 'factor', { code: app.nextCode() }))
    const { code = '' } = answerIn(to).params
    const { body } = await exchange(own, { code, verifier: request.verifier })
    expect(claimsOf(body.access_token)).toMatchObject({ acr: 'mfa', amr: ['pwd', 'otp', 'mfa'] })
  })

  test('is added on the page where the application asks for one, with recovery codes before going on', async () => {
    const person = await tenant.member()
    const browser = openBrowser()
    const request = requestFor(own, { acr_values: 'mfa' })
    const id = await signInWith(browser, request, person)
    const before = browser.cookies.get('tenantry-sign-in')
    expect(ok(await browser.read(id))).toMatchObject({ step: 'enrol', methods: ['totp', 'passkey'] })
    const { enrolment } = ok(await browser.act(id, 'enrol', { type: 'totp', name: 'Phone', password }))
    const done = ok(await browser.act(id, 'enrol/confirm', { code: codeOf(enrolment.secret) }))
    expect(done).toMatchObject({ step: 'done', redirect_to: `/oauth2/resume/${id}` })
    expect(done.recovery_codes).toHaveLength(10)
    expect(browser.cookies.get('tenantry-sign-in')).not.toBe(before)
    // The interaction waits until the person has read the recovery codes.
    clock.advance(120_000)
    const { location } = await browser.open(done.redirect_to)
    const { code = '' } = answerIn(location).params
    const { status, body } = await exchange(own, { code, verifier: request.verifier })
    expect(status).toBe(200)
    expect(claimsOf(body.access_token)).toMatchObject({ acr: 'mfa' })
  })
})

describe('an interaction', () => {
  test('another browser gets 404 from every route of an interaction', async () => {
    const browser = openBrowser()
    const id = interactionOf(await browser.authorize(requestFor(own).params))
    for (const other of [openBrowser(), await signedIn()]) {
      expect(await other.read(id)).toMatchObject(refusal('interactionUnknown'))
      expect(await other.act(id, 'password', { email: user.email, password })).toMatchObject(
        refusal('interactionUnknown'),
      )
    }
  })

  test('is refused to a page of another origin, and to a program that names none', async () => {
    const browser = openBrowser()
    const id = interactionOf(await browser.authorize(requestFor(own).params))
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const { status } = await fetch(`${service.url}/oauth2/interactions/${id}/cancel`, {
        method: 'POST',
        headers: { cookie, ...headers } as Record<string, string>,
      })
      expect(status).toBe(403)
    }
    expect(ok(await browser.read(id))).toMatchObject({ step: 'identify' })
  })

  test('lives for 30 minutes', async () => {
    const browser = openBrowser()
    const id = interactionOf(await browser.authorize(requestFor(own).params))
    clock.advance(29 * 60_000)
    ok(await browser.read(id))
    clock.advance(60_000)
    expect(await browser.read(id)).toMatchObject(refusal('interactionUnknown'))
  })

  test('tells the same of an address that nobody has', async () => {
    const browser = openBrowser()
    const answers = []
    for (const email of [user.email, `${unique('nobody')}@example.com`]) {
      const id = interactionOf(await browser.authorize(requestFor(own).params))
      answers.push(ok(await browser.act(id, 'identify', { email })))
    }
    const [known, unknown] = answers.map(({ id: _id, account: _account, ...rest }) => rest)
    expect(known).toEqual(unknown)
  })
})

describe('the sign-in of a browser', () => {
  const cookieOf = ({ cookies }: Browser) => cookies.get('tenantry-sign-in')

  test('has a new cookie after every proof, so that one planted before opens nothing', async () => {
    const browser = await signedIn()
    const before = cookieOf(browser)
    await signInWith(browser, requestFor(own, { prompt: 'login' }))
    expect(cookieOf(browser)).not.toBe(before)
    const thief = openBrowser()
    thief.cookies.set('tenantry-sign-in', before ?? '')
    expect(await silently(thief, requestFor(own, { prompt: 'none' }))).toMatchObject({
      error: 'login_required',
    })
  })

  test('ends when another person signs in, with the sessions of applications', async () => {
    const browser = await signedIn()
    const request = requestFor(own)
    const { code = '' } = await silently(browser, request)
    const { body } = await exchange(own, { code, verifier: request.verifier })
    await signInWith(browser, requestFor(own, { prompt: 'login' }), await tenant.member())
    const answer = await postForm('/token', {
      client_id: own.clientId,
      client_secret: own.secret,
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
    })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('ends with the sessions of the account, lists among them, and ends by its id', async () => {
    const person = await tenant.member()
    const browser = await signedIn(person)
    const listed = ok(await person.get('/auth/sessions'))
    const [found] = listed.filter(({ tenant_id: id }: { tenant_id: string }) => id === '')
    expect(found).toMatchObject({ application: null, is_current: false })
    ok(await person.delete(`/auth/sessions/${found.id}`))
    const silent = requestFor(own, { prompt: 'none' })
    expect(await silently(browser, silent)).toMatchObject({ error: 'login_required' })
    const again = await signedIn(person)
    ok(await person.delete('/auth/sessions'))
    expect(await silently(again, silent)).toMatchObject({ error: 'login_required' })
  })

  test('rests for seven days at most, and lasts thirty after its proofs', async () => {
    const browser = await signedIn()
    const silent = () => silently(browser, requestFor(own, { prompt: 'none' }))
    for (let week = 0; week < 4; week += 1) {
      clock.advance(6.9 * 24 * 3600_000)
      expect(await silent()).toMatchObject({ code: expect.any(String) })
    }
    clock.advance(3 * 24 * 3600_000)
    expect(await silent()).toMatchObject({ error: 'login_required' })
    const rested = await signedIn()
    clock.advance(7 * 24 * 3600_000 + 1000)
    expect(await silently(rested, requestFor(own, { prompt: 'none' }))).toMatchObject({
      error: 'login_required',
    })
  })

  test('opens nothing outside the front door', async () => {
    const browser = await signedIn()
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const path of ['/api/v1/profile', '/api/v1/auth/sessions']) {
      expect((await fetch(`${service.url}${path}`, { headers: { cookie } })).status).toBe(401)
    }
  })

  test('has a cookie that only TLS carries, where the installation has TLS', async () => {
    const secure = await startApp({ publicUrl: 'https://id.example.com', issuer: 'https://id.example.com' })
    const browser = openBrowser(secure)
    const answer = await browser.authorize(requestFor(own).params)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-tenantry-browser=[\w-]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ])
    await secure.app.close()
  })
})
