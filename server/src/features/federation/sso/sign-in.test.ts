/** Sign-in by a connection of OpenID Connect, with `oidc-provider` on loopback. */
import { randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  consoleCodeIn,
  interactionOf,
  movedTo,
  openBrowser,
  openConsole,
  requestFor,
  type Browser,
} from '../../../../test/browser.ts'
import { keyWith, newTenant, ok, password, unique, type Tenant } from '../../../../test/factories.ts'
import { newApplication } from '../../../../test/front-door.ts'
import { call, parts, startApp } from '../../../../test/harness.ts'
import { deliver, proofMailedTo, useMailServer } from '../../../../test/mail-queue.ts'
import { insertMember } from '../../../../test/people.ts'
import { addTotp } from '../../../../test/second-factors.ts'
import {
  attemptsOf,
  follow,
  goThrough,
  newConnection,
  personAt,
  returnOf,
  signInBySso,
  startSso,
  tokensOf,
  type TestConnection,
} from '../../../../test/sso.ts'

const mails = useMailServer()

let tenant: Tenant
let connection: TestConnection
beforeAll(async () => {
  tenant = await newTenant()
  connection = await newConnection(tenant)
})

/** A connection in a separate tenant, because a tenant has at most 5. */
const fresh = async (fields: object = {}) => {
  const of = await newTenant()
  return { of, own: await newConnection(of, fields) }
}

const profileOf = async (token: string) => ok(await call('GET', '/profile', { token }))
const statusOf = async (token: string) => (await call('GET', '/profile', { token })).status

/** The page that shows the number of a reason. */
const refusal = (number: number) => ({ status: 403, text: expect.stringContaining(`Reason ${number}.`) })
const over = { status: 400, text: expect.stringContaining('This sign-in has expired') }

/** The step of the interaction after the sign-in at the provider. */
const stepAfter = async (browser: Browser, person: object, at = connection) => {
  const landed = await goThrough(browser, at, { ...person })
  const id = interactionOf(await follow(browser, landed))
  return { id, step: (await browser.read(id)).data }
}

/** A provider's person with the address of an existing user. */
const personOf = ({ email }: { email: string }) => ({ sub: unique('s'), email, name: 'Ada' })

/** A user of the tenant with a password. The user's address is in the connection's domain. */
const colleague = async (of: Tenant = tenant, domain = connection.domain) => {
  const email = `${unique('c')}@${domain}`
  const made = ok(await of.admin.post('/users', { email, username: unique('c'), password }))
  return {
    email,
    userId: made.user_id ?? made.id,
    login: () => call('POST', '/auth/login', { body: { email, password } }),
  }
}

describe('a person whom nobody knows', () => {
  test('becomes a user without a password, and signs in to the console', async () => {
    const role = await tenant.role('user:read')
    const own = await newConnection(tenant, { default_role_ids: [role.id], session_seconds: 300 })
    const person = personAt(own)
    const { access_token: token } = await signInBySso(own, person)
    expect(decodeJwt(token)).toMatchObject({ con: own.id, amr: ['sso'], tid: tenant.id })
    expect(await profileOf(token)).toMatchObject({ email: person['email'], nickname: 'Ada Lovelace' })
    expect((await call('GET', '/users', { token })).status).toBe(200)
    const { email } = await profileOf(token)
    expect((await call('POST', '/auth/login', { body: { email, password } })).status).toBe(401)
    expect(await attemptsOf(tenant, own)).toMatchObject([
      { outcome: 'signed_in', reason: 'created', number: 0, subject: person['sub'], email: person['email'] },
    ])
    const { items } = ok(await tenant.admin.get(`/audit/logs?user_id=${decodeJwt(token).sub}&page_size=100`))
    // The provider signs the browser in, and the browser opens the session of the console.
    expect(items.map((one: { action: string }) => one.action).toSorted()).toEqual([
      'auth.login',
      'auth.login',
      'auth.login_failed',
      'sso.link',
      'user.create',
    ])
  })

  test.each<[string, object, number]>([
    ['without an address', { email: undefined }, 201],
    ['with an address of another domain', { email: `${unique()}@other.example` }, 202],
    ['with an address of a subdomain', { email: `ada@sub.${unique()}.example` }, 202],
  ])('is refused %s', async (_name, claims, number) => {
    expect(await goThrough(openBrowser(), connection, personAt(connection, { ...claims }))).toMatchObject(
      refusal(number),
    )
    expect(await attemptsOf(tenant, connection)).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ outcome: 'refused', number })]),
    )
  })

  test('is refused where jit is off, and by a domain that leads to another connection', async () => {
    const closed = await newConnection(tenant, { jit: false })
    expect(await goThrough(openBrowser(), closed, personAt(closed))).toMatchObject(refusal(205))
    expect(await goThrough(openBrowser(), connection, personAt(closed))).toMatchObject(refusal(202))
  })

  test('is refused on a page in the language of the browser, which leads back to the sign-in', async () => {
    const browser = openBrowser()
    const person = personAt(connection, { email: 'ada@elsewhere.example' })
    const backAfter = async (query = ''): Promise<string> => {
      const { text } = await goThrough(browser, connection, person, query)
      const path = /href="(\/oauth2\/resume\/[\w-]+)"/.exec(text)?.[1] ?? ''
      return (await browser.open(path)).location
    }
    const id = interactionOf(await browser.authorize(requestFor(await newApplication()).params))
    expect(await backAfter(`&interaction=${id}`)).toBe(`/sign-in#interaction=${id}`)
    expect(await backAfter()).toMatch(/^\/sign-in#interaction=/)
    expect((await browser.open(`/sso/start?connection=${connection.id}`)).location).toBe(
      `/console/sign-in?connection=${connection.id}`,
    )
    const chinese = await call('GET', `//sso/start?connection=${connection.id}&test=unknown`, {
      headers: { 'accept-language': 'zh-CN' },
    })
    expect(chinese.text).toContain('此登录已结束')
  })

  test.each(['client_secret_basic', 'client_secret_post'])(
    'is refused where the provider does not take the secret, sent as %s',
    async (auth_method) => {
      const own = await newConnection(await newTenant(), { client_secret: 'another', auth_method })
      expect(await goThrough(openBrowser(), own, personAt(own))).toMatchObject(refusal(108))
    },
  )

  test('is told by odd texts, which neither end in an error nor reach the database', async () => {
    const odd = { name: 'A\0da\ud800\u202e', groups: ['a\0', '\udfff'], 'cl\0aim': 'x' }
    const { access_token: token } = await signInBySso(connection, personAt(connection, odd))
    expect((await profileOf(token)).nickname).toBe('Ada')
    const refusedFor = (claims: object) =>
      goThrough(openBrowser(), connection, personAt(connection, { ...claims }))
    expect(await refusedFor({ sub: 'a\0b' })).toMatchObject(refusal(106))
    for (const local of ['a b', 'a\0', 'a'.repeat(254)]) {
      expect(await refusedFor({ email: `${local}@${connection.domain}` })).toMatchObject(refusal(201))
    }
  })
})

describe('a person who was linked', () => {
  test('is known by the subject: address and nickname follow, and roles follow the groups', async () => {
    const [mapped, byHand] = [await tenant.role('user:read'), await tenant.role('role:read')]
    const own = await newConnection(tenant, {
      group_mappings: [
        { group: 'accounting', role_id: mapped.id },
        { group: 'both', role_id: byHand.id },
      ],
    })
    const person = personAt(own, { groups: ['accounting', 'Accounting '] })
    const { sub } = decodeJwt((await signInBySso(own, person)).access_token)
    ok(await tenant.admin.post(`/rbac/users/${sub}/roles`, { role_id: byHand.id }))
    const rolesAfter = async (claims: object): Promise<number[]> => {
      await signInBySso(own, { ...person, ...claims })
      const roles = ok(await tenant.admin.get(`/rbac/users/${sub}/roles`)) as { id: number }[]
      return roles.map(({ id }) => id).filter((id) => [mapped.id, byHand.id].includes(id))
    }
    expect(await rolesAfter({ groups: undefined })).toEqual([mapped.id, byHand.id])
    expect(await rolesAfter({ groups: ['both', 'accountin', 'ACCOUNTING'] })).toEqual([byHand.id])
    expect(await rolesAfter({ groups: ['accounting'] })).toEqual([mapped.id, byHand.id])
    expect(await rolesAfter({ groups: [] })).toEqual([byHand.id])
    const moved = { email: `${unique('m')}@${own.domain}`, name: 'Ada King' }
    const token = (await signInBySso(own, { ...person, ...moved })).access_token
    expect(await profileOf(token)).toMatchObject({ email: moved.email, nickname: 'Ada King' })
    expect(decodeJwt(token).sub).toBe(sub)
  })

  test('keeps no role of a group that the claim gave before there was a directory', async () => {
    const of = await newTenant()
    const mapped = await of.role('user:read')
    const own = await newConnection(of, {
      group_mappings: [{ group: 'accounting', role_id: mapped.id }],
    })
    const person = personAt(own, { groups: ['accounting'] })
    const { sub } = decodeJwt((await signInBySso(own, person)).access_token)
    const isHeld = async (): Promise<boolean> =>
      ok(await of.admin.get(`/rbac/users/${sub}/roles`)).some(({ id }: { id: number }) => id === mapped.id)
    expect(await isHeld()).toBe(true)
    const { userId: account } = await keyWith(of.id, ['scim:provision'])
    ok(await of.admin.put(`/connections/${own.id}`, { scim_account_id: account }))
    await signInBySso(own, person)
    expect(await isHeld()).toBe(false)
  })

  test('keeps the address where another account has the new one, or the domain leads elsewhere', async () => {
    const person = personAt(connection)
    const { email: taken } = await colleague()
    await signInBySso(connection, person)
    for (const email of [taken, `${unique()}@elsewhere.example`]) {
      const { access_token: token } = await signInBySso(connection, { ...person, email })
      expect(await profileOf(token)).toMatchObject({ email: person['email'] })
    }
  })

  test('keeps the address once they belong to another tenant: nobody moves it to reset a password there', async () => {
    const person = personAt(connection)
    const profile = await profileOf((await signInBySso(connection, person)).access_token)
    await insertMember({ ...profile, tenantId: tenant.id }, await newTenant())
    const moved = await signInBySso(connection, { ...person, email: `${unique('m')}@${connection.domain}` })
    expect(await profileOf(moved.access_token)).toMatchObject({ email: person['email'] })
  })

  test('is refused once disabled, and with another subject, until an administrator unlinks', async () => {
    const person = personAt(connection)
    const { access_token: token } = await signInBySso(connection, person)
    const id = decodeJwt(token).sub
    const other = { ...person, sub: unique('s') }
    expect(await goThrough(openBrowser(), connection, other)).toMatchObject(refusal(203))
    const linked = async () =>
      ok(await tenant.admin.get(`/users/${id}?include=security`)).security.connections
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(await linked()).toEqual([
      { id: connection.id, name: 'Acme IdP', linked_at: time, last_used_at: time },
    ])
    ok(await tenant.admin.delete(`/users/${id}/sso`))
    expect(await linked()).toEqual([])
    expect(await statusOf(token)).toBe(401)
    const again = await signInBySso(connection, other)
    expect(decodeJwt(again.access_token).sub).toBe(id)
    ok(await tenant.admin.put(`/users/${id}`, { status: 0 }))
    expect(await goThrough(openBrowser(), connection, other)).toMatchObject(refusal(204))
    const logs = ok(await tenant.admin.get('/audit/logs?resource=sso&page_size=100')).items
    expect(logs.map((one: { action: string }) => one.action)).toEqual(
      expect.arrayContaining(['sso.refused', 'sso.unlink', 'sso.link']),
    )
  })
})

describe('a person whose address has an account', () => {
  test('the person of an account with a password has to prove it, an administrator too, and gets nothing before', async () => {
    const { email, userId } = await colleague()
    const browser = openBrowser()
    const { id, step } = await stepAfter(browser, personOf({ email }))
    expect(step).toMatchObject({
      step: 'proof',
      account: email,
      methods: expect.arrayContaining(['password', 'link']),
    })
    expect([...browser.cookies.keys()].some((name) => name.includes('sign-in'))).toBe(false)
    expect((await browser.act(id, 'password', { email, password: 'a wrong one' })).status).toBe(401)
    // The address of the request does not choose another account.
    const mine = await colleague()
    expect((await browser.act(id, 'password', { email: mine.email, password: 'a wrong one' })).status).toBe(
      401,
    )
    const { data } = await browser.act(id, 'password', { email, password })
    expect(data).toMatchObject({ step: 'done' })
    const code = consoleCodeIn(data.redirect_to) ?? ''
    const pair = ok(await openConsole(browser, code))
    expect(decodeJwt(pair.access_token)).toMatchObject({
      sub: String(userId),
      con: connection.id,
      amr: ['sso'],
    })
    await deliver(mails)
    expect(mails.to(email).map((one: { subject: string }) => one.subject)).toContainEqual(
      expect.stringContaining('linked'),
    )
  })

  test('is linked by a mailed link in the browser of the sign-in alone: the click of a victim gives nothing', async () => {
    const { email } = await colleague()
    const thief = openBrowser()
    const { id } = await stepAfter(thief, personOf({ email }))
    ok(await thief.act(id, 'proof'))
    const { token, interaction } = await proofMailedTo(mails, email)
    expect(interaction).toBe(id)
    const victim = openBrowser()
    expect((await victim.act(id, 'proof', { token })).status).toBe(404)
    const own = (await stepAfter(victim, personOf({ email }))).id
    expect(await victim.act(own, 'proof', { token })).toMatchObject({ status: 400, body: { code: 40018 } })
    expect((await thief.read(id)).data.step).toBe('proof')
    expect((await thief.act(id, 'proof', { token })).data).toMatchObject({ step: 'done' })
    expect((await thief.act(id, 'proof', { token })).status).toBe(404)
  })

  test('an account elsewhere without an owner is linked only by the mailed link, and starts clean', async () => {
    const elsewhere = await newTenant()
    const { email, login } = await colleague(elsewhere)
    const before = ok(await login()).access_token
    const browser = openBrowser()
    const { id, step } = await stepAfter(browser, personOf({ email }))
    expect(step.methods).toEqual(['link'])
    expect(await browser.act(id, 'password', { email, password })).toMatchObject({ status: 400 })
    ok(await browser.act(id, 'proof'))
    const { token } = await proofMailedTo(mails, email)
    expect((await browser.act(id, 'proof', { token })).data).toMatchObject({ step: 'done' })
    expect([(await login()).status, await statusOf(before)]).toEqual([401, 401])
  })

  test('an owned account elsewhere with a factor is linked by password and factor, and becomes a user here', async () => {
    const elsewhere = await newTenant()
    const { email, login } = await colleague(elsewhere)
    const token = ok(await login()).access_token as string
    const app = await addTotp({
      post: (path: string, body: object) => call('POST', path, { token, body }),
    } as Parameters<typeof addTotp>[0])
    await parts.store.scoped({}).run(sql`
      update accounts set proved_email = email_folded, has_own_password = true where email = ${email}`)
    const browser = openBrowser()
    const { id } = await stepAfter(browser, personOf({ email }))
    expect((await browser.act(id, 'password', { email, password })).data.step).toBe('factor')
    const { data } = await browser.act(id, 'factor', { code: app.nextCode() })
    const code = consoleCodeIn(data.redirect_to) ?? ''
    const pair = ok(await openConsole(browser, code))
    expect(decodeJwt(pair.access_token)).toMatchObject({ tid: tenant.id, amr: ['mfa', 'otp', 'sso'] })
    const memberships = ok(await call('GET', '/auth/memberships', { token: pair.access_token }))
    expect(memberships.map((one: { tenant: { id: string } }) => one.tenant.id)).toEqual([tenant.id])
  })
})

describe('an attempt', () => {
  test('is spent by one answer, in the browser that began, at its own connection', async () => {
    const { own: other } = await fresh()
    const [browser, person] = [openBrowser(), personAt(connection)]
    const answer = await returnOf(browser, connection, person)
    const replica = await startApp()
    expect(await openBrowser().open(answer)).toMatchObject(over)
    expect(await browser.open(answer.replace(connection.id, other.id))).toMatchObject(over)
    expect(
      await browser.open(answer.replace(/state=[^&]+/, `state=${randomBytes(32).toString('base64url')}`)),
    ).toMatchObject(over)
    const landed = await Promise.all([movedTo(replica, browser), browser].map((at) => at.open(answer)))
    expect(landed.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(await browser.open(answer)).toMatchObject(over)
    expect(await movedTo(replica, browser).open(answer)).toMatchObject(over)
    await replica.app.close()
  })

  /** The authorization code after the sign-in at the provider. */
  const codeAfter = async (browser: Browser, person: object): Promise<string> => {
    const { location } = await follow(browser, await goThrough(browser, connection, { ...person }))
    return consoleCodeIn(location) ?? ''
  }

  test('ends in one code that works once, and in its browser alone', async () => {
    const [browser, person] = [openBrowser(), personAt(connection)]
    const back = await goThrough(browser, connection, person)
    const landed = await Promise.all([1, 2, 3].map(() => follow(browser, back)))
    const codes = landed.flatMap(({ location }) => consoleCodeIn(location) ?? [])
    expect(codes).toHaveLength(1)
    const [code = ''] = codes
    const exchanges = await Promise.all([openConsole(browser, code), openConsole(browser, code)])
    expect(exchanges.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    const other = await codeAfter(browser, person)
    for (const thief of [openBrowser(), browser]) {
      expect(await openConsole(thief, other)).toMatchObject({ status: 401, body: { code: 40150 } })
    }
  })

  test('ends in a code that opens nothing once an administrator has ended the sessions of the user', async () => {
    const [browser, person] = [openBrowser(), personAt(connection)]
    const { id } = await profileOf((await signInBySso(connection, person)).access_token)
    const code = await codeAfter(browser, person)
    ok(await tenant.admin.delete(`/users/${id}/sessions`))
    expect(await openConsole(browser, code)).toMatchObject({ status: 401, body: { code: 40150 } })
  })

  test('is not begun by an inactive or unknown connection, nor for the interaction of another browser', async () => {
    const draft = ok(await tenant.admin.get(`/connections/${connection.id}`))
    const { of, own: idle } = await fresh()
    ok(await of.admin.put(`/connections/${idle.id}`, { status: 'disabled' }))
    const application = await newApplication()
    const browser = openBrowser()
    const id = interactionOf(await browser.authorize(requestFor(application).params))
    const start = (connectionId: string, query = '') => `/sso/start?connection=${connectionId}${query}`
    expect(await browser.open(start(idle.id))).toMatchObject(over)
    expect(await browser.open(start('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'))).toMatchObject(over)
    expect(await openBrowser().open(start(draft.id, `&interaction=${id}`))).toMatchObject(over)
    expect((await browser.open(start(draft.id, `&interaction=${id}`))).status).toBe(303)
  })

  test('an attempt that person or provider gives up shows a number, and records the reason', async () => {
    expect(await goThrough(openBrowser(), connection, undefined)).toMatchObject(refusal(101))
    const { of, own: lost } = await fresh()
    await lost.provider.stop()
    expect(await startSso(openBrowser(), lost.id)).toMatchObject(refusal(102))
    expect(await attemptsOf(of, lost)).toMatchObject([{ outcome: 'refused', reason: 'provider_unreachable' }])
  })
})

describe('an application', () => {
  const grants = ['authorization_code', 'refresh_token']

  test('gets a session of the connection, which ends with it', async () => {
    const { of, own } = await fresh()
    const application = await newApplication({ grant_types: grants })
    const request = requestFor(application, { scope: 'openid offline_access', connection: own.id })
    const browser = openBrowser()
    const { location } = await browser.authorize(request.params)
    const [, id = ''] = /^\/sso\/start\?connection=[\da-f-]+&interaction=([\da-f-]+)$/.exec(location) ?? []
    const person = personAt(own)
    const done = await follow(browser, await goThrough(browser, own, person, `&interaction=${id}`))
    const code = new URL(done.location).searchParams.get('code') ?? ''
    const post = (form: Record<string, string>) =>
      call('POST', '//oauth2/token', {
        form: new URLSearchParams({
          client_id: application.clientId,
          client_secret: application.secret,
          ...form,
        }).toString(),
      })
    const exchanged = await post({
      grant_type: 'authorization_code',
      code,
      redirect_uri: request.params['redirect_uri'] ?? '',
      code_verifier: request.verifier,
    })
    expect(exchanged.status).toBe(200)
    expect(decodeJwt(exchanged.body.access_token)).toMatchObject({ con: own.id, amr: ['sso'] })
    const refresh = (token: string) => post({ grant_type: 'refresh_token', refresh_token: token })
    const refreshed = await refresh(exchanged.body.refresh_token)
    expect(decodeJwt(refreshed.body.access_token)).toMatchObject({ con: own.id })
    ok(await of.admin.put(`/connections/${own.id}`, { status: 'disabled' }))
    expect((await refresh(refreshed.body.refresh_token)).status).toBe(400)
    // The browser's sign-in cookie has expired as well.
    expect(interactionOf(await browser.authorize(requestFor(application).params))).toMatch(/^[\da-f-]{36}$/)
  })

  test('an application that requires a second factor accepts trust_mfa or that of the account', async () => {
    const application = await newApplication({ require_mfa: true })
    const { own: trusting } = await fresh({ trust_mfa: true })
    const begin = async (at: TestConnection, person: object, browser = openBrowser()) => {
      const id = interactionOf(await browser.authorize(requestFor(application).params))
      const landed = await follow(browser, await goThrough(browser, at, { ...person }, `&interaction=${id}`))
      return { browser, id, landed }
    }
    const trusted = await begin(trusting, personAt(trusting))
    expect(trusted.landed.location).toContain('code=')
    const without = await begin(connection, personAt(connection))
    expect(without.landed.location).toContain('error=access_denied')
    const { email } = await colleague()
    const token = ok(await call('POST', '/auth/login', { body: { email, password } })).access_token as string
    const app = await addTotp({
      post: (path: string, body: object) => call('POST', path, { token, body }),
    } as Parameters<typeof addTotp>[0])
    const person = personOf({ email })
    const linking = openBrowser()
    const { id: first } = await stepAfter(linking, person)
    await linking.act(first, 'password', { email, password })
    expect((await linking.act(first, 'factor', { code: app.nextCode() })).data.step).toBe('done')
    const { browser, id, landed } = await begin(connection, person)
    expect(interactionOf(landed)).toBe(id)
    expect((await browser.read(id)).data).toMatchObject({
      step: 'factor',
      methods: expect.arrayContaining(['totp']),
    })
    expect((await browser.act(id, 'factor', { code: '000000' })).status).toBe(401)
    expect((await browser.act(id, 'factor', { code: app.nextCode() })).data.redirect_to).toContain('code=')
  })
})

describe('a test', () => {
  test('signs nobody in, tells what would happen, and lets the connection become active', async () => {
    const { of, own } = await fresh()
    await parts.store.scoped({ tenantId: of.id }).run(sql`
      update connections set status = 'draft' where tenant_id = ${of.id} and id = ${own.id}`)
    const activate = () => of.admin.put(`/connections/${own.id}`, { status: 'active' })
    expect(await activate()).toMatchObject({ status: 400, body: { code: 40064 } })
    const run = async (person: object | undefined) => {
      const { url } = ok(await of.admin.post(`/connections/${own.id}/test`))
      const query = url.slice(url.indexOf('&'))
      const browser = openBrowser()
      const landed = await goThrough(browser, own, person && { ...person }, query)
      return { landed, again: await startSso(browser, own.id, query) }
    }
    expect((await run(undefined)).landed.text).toContain('Reason 101')
    expect((await run({ sub: 'x', email: 'x@other.example' })).landed.text).toContain('Reason 202')
    expect((await activate()).status).toBe(400)
    const passed = await run(personAt(own))
    expect(passed.landed).toMatchObject({ status: 200, text: expect.stringContaining('The test passed') })
    expect(passed.again).toMatchObject(over)
    expect(await attemptsOf(of, own)).toMatchObject([
      { outcome: 'test_passed', reason: 'created', number: 0 },
      { outcome: 'test_failed', reason: 'address_outside', number: 202 },
      { outcome: 'test_failed', reason: 'provider_refused', number: 101 },
    ])
    expect((await of.admin.get('/users')).data).toMatchObject({ total: 1 })
    ok(await activate())
    // A test is no proof for other claims.
    ok(await of.admin.put(`/connections/${own.id}`, { status: 'disabled', email_claim: 'upn' }))
    expect((await activate()).status).toBe(400)
  })
})

describe('an address', () => {
  test('leads to the connection of its domain, and tells nothing of accounts', async () => {
    const discover = async (email: string) => ok(await call('POST', '/auth/discover', { body: { email } }))
    const found = { connection: { id: connection.id, name: 'Acme IdP', tenant: { id: tenant.id } } }
    expect(await discover(`${unique()}@${connection.domain.toUpperCase()}`)).toMatchObject(found)
    expect(await discover(`a@sub.${connection.domain}`)).toEqual({ connection: null })
    expect(await discover(tenant.admin.email)).toEqual({ connection: null })
  })
})

describe('two tenants', () => {
  test('a provider that lies about people of another tenant reaches none of them', async () => {
    const [mine, theirs] = [await newTenant(), await newTenant()]
    const [honest, lying] = [await newConnection(mine), await newConnection(theirs)]
    const person = personAt(honest)
    await signInBySso(honest, person)
    expect(await goThrough(openBrowser(), lying, person)).toMatchObject(refusal(202))
    expect(await goThrough(openBrowser(), lying, { ...person, sub: unique() })).toMatchObject(refusal(202))
    // The same subject at another provider means another person.
    const namesake = personAt(lying, { sub: person['sub'] })
    const { access_token: token } = await signInBySso(lying, namesake)
    expect(await profileOf(token)).toMatchObject({ email: namesake['email'] })
    expect((await call('GET', '/profile', { token, tenant: mine.id })).status).toBe(200)
    expect((await call('GET', '/users', { token, tenant: mine.id })).status).toBe(403)
    expect((await call('POST', '/auth/switch', { token, body: { tenant_id: mine.id } })).body.code).toBe(
      40360,
    )
  })
})

test('tokens of the console are refreshed, and end with session_seconds', async () => {
  const { of, own: short } = await fresh({ session_seconds: 300 })
  const browser = openBrowser()
  const pair = ok(await tokensOf(browser, await goThrough(browser, short, personAt(short))))
  const next = ok(await call('POST', '/auth/refresh', { body: { refresh_token: pair.refresh_token } }))
  expect(decodeJwt(next.access_token)).toMatchObject({ con: short.id })
  const { sid } = decodeJwt(next.access_token)
  const row = await parts.store.scoped({ tenantId: of.id }).only<{ seconds: number }>(sql`
    select extract(epoch from expires_at - created_at)::int as seconds from sessions
    where tenant_id = ${of.id} and id = ${sid}`)
  expect(row.seconds).toBe(300)
})
