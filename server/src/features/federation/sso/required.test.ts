/** A tenant that requires its connection accepts only sign-ins by the connection, and those of break-glass users. */
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { credentials, postLogin, postRefresh, postRegister } from '../../../../test/accounts.ts'
import { refusal } from '../../../../test/answers.ts'
import { answerIn, interactionOf, openBrowser, requestFor } from '../../../../test/browser.ts'
import { bySso, insertActiveConnection } from '../../../../test/connection-rows.ts'
import {
  auditRecords,
  keyWith,
  newTenant,
  ok,
  password,
  platformAdmin,
  type Caller,
  type KeyCaller,
  type Tenant,
} from '../../../../test/factories.ts'
import {
  admit,
  exchange,
  newApplication,
  oauthRefusal,
  openSession,
  postForm,
  postToken,
  credentialsOf,
  refresh,
  type TestApplication,
  type Tokens,
} from '../../../../test/front-door.ts'
import { call, parts, service, startApp, type Call, type Running } from '../../../../test/harness.ts'
import { openInstallation, startOn } from '../../../../test/installation.ts'
import { clearQueue, waitingFor } from '../../../../test/mail-queue.ts'
import { accept, insertMember, inviteShown, lookUp } from '../../../../test/people.ts'
import {
  addPasskey,
  addTotp,
  postFactor,
  secondStepOf,
  signInWithCode,
  type Passkey,
} from '../../../../test/second-factors.ts'
import { newReadyTenant, shut, ssoPath, type ReadyTenant } from '../../../../test/shut-tenants.ts'

const statusOf = async ({ token }: { token: string }, options: Call = {}): Promise<number> =>
  (await call('GET', '/ping', { token, ...options })).status

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

let other: Running
let application: TestApplication
let television: TestApplication
beforeAll(async () => {
  await platformAdmin()
  other = await startApp()
  application = await newApplication({ tenantry_api: true })
  const grants = ['authorization_code', 'refresh_token', deviceGrant]
  television = await newApplication({ kind: 'native', grant_types: grants })
})
afterAll(() => other.app.close())

describe('the moment in which a tenant requires its connection', () => {
  let tenant: ReadyTenant
  let member: Caller
  let colleague: Caller
  let key: KeyCaller
  let ofApplication: Tokens
  let code: Awaited<ReturnType<typeof admit>>
  let deviceCode: string
  let effect: unknown
  /** The users of the sessions that have ended. */
  let ended: number[]

  const usersOfSessions = async (): Promise<Map<string, number>> => {
    const db = parts.store.scoped({ tenantId: tenant.id })
    const rows = await db.many<{ id: string; user_id: number }>(sql`
      select id, user_id from sessions where tenant_id = ${tenant.id}`)
    return new Map(rows.map(({ id, user_id: userId }) => [id, userId]))
  }

  /** Completes a device authorization. */
  const allowDevice = async (): Promise<string> => {
    const { body: device } = await postForm('/device_authorization', {
      ...credentialsOf(television),
      scope: 'openid',
    })
    const browser = openBrowser()
    const { id } = ok(await browser.call('POST', '/interactions', { user_code: device.user_code }))
    ok(await browser.act(id, 'password', { email: member.email, password }))
    ok(await browser.act(id, 'consent', { allow: true }))
    return device.device_code
  }

  beforeAll(async () => {
    tenant = await newReadyTenant()
    member = await tenant.member()
    colleague = await bySso(await tenant.member(), tenant.connection)
    key = await keyWith(tenant.id, ['user:read'])
    ofApplication = await openSession(member, application)
    code = await admit(member, application)
    deviceCode = await allowDevice()
    // Both replicas have cached the callers.
    for (const token of [member.token, ofApplication.access_token]) {
      for (const at of [service, other]) ok(await call('GET', '/ping', { token, at }))
    }
    const before = await usersOfSessions()
    effect = ok(await tenant.boss.get('/sso-exemptions/effect'))
    await shut(tenant)
    const after = await usersOfSessions()
    ended = [...before].filter(([id]) => !after.has(id)).map(([, userId]) => userId)
  })

  test('ends as many sessions of as many people as were counted before', () => {
    expect(ended).toContain(member.userId)
    expect(effect).toEqual({ users: new Set(ended).size, sessions: ended.length })
  })

  test('ends every other session at every replica, those of applications too, and for good', async () => {
    for (const token of [member.token, ofApplication.access_token]) {
      expect([await statusOf({ token }), await statusOf({ token }, { at: other })]).toEqual([401, 401])
    }
    for (const who of [tenant.boss, colleague, tenant.breakGlass, key]) expect(await statusOf(who)).toBe(200)
    expect(await postRefresh(member.refreshToken)).toMatchObject(refusal('connectionNeeded'))
    ok(await postRefresh(colleague.refreshToken))
    ok(await postRefresh(tenant.breakGlass.refreshToken))
    ok(await tenant.boss.put(ssoPath, { value: 'optional' }))
    expect(await postRefresh(member.refreshToken)).toMatchObject(refusal('refreshTokenInvalid'))
    await shut(tenant)
  })

  test('lets no application in that was admitted before', async () => {
    expect(await refresh(application, ofApplication.refresh_token)).toMatchObject(
      oauthRefusal('invalid_grant'),
    )
    expect(await exchange(application, code)).toMatchObject(oauthRefusal('invalid_grant'))
    const form = { ...credentialsOf(television), grant_type: deviceGrant, device_code: deviceCode }
    expect(await postToken(form)).toMatchObject(oauthRefusal('invalid_grant'))
  })

  test('leaves no session that another replica opens by what it read before', async () => {
    const [late, disabled] = [await newReadyTenant(), await newReadyTenant()]
    const [user, stranded] = [await late.member(), await bySso(await disabled.member(), disabled.connection)]
    const keep = (to: ReadyTenant) =>
      parts.store.scoped({ tenantId: to.id }).run(sql`
        insert into tenant_settings (tenant_id, key, value, updated_at)
        values (${to.id}, 'auth.sso', '"required"', now())`)
    await keep(late)
    await keep(disabled)
    await parts.store
      .scoped({ tenantId: disabled.id })
      .run(sql`update connections set status = 'disabled' where tenant_id = ${disabled.id}`)
    const fresh = await startApp()
    for (const who of [user, stranded]) {
      expect(await statusOf(who, { at: fresh })).toBe(401)
      expect(await postRefresh(who.refreshToken)).toMatchObject(refusal('connectionNeeded'))
    }
    await fresh.app.close()
  })
})

describe('a person of a tenant that requires its connection', () => {
  let tenant: ReadyTenant
  let open: Tenant
  /** A person of both tenants, whose last use was of the restricted tenant. */
  let person: Caller
  let withFactor: Caller
  let passkey: Passkey
  /** A second step that began before the change of the setting. */
  let begun: { challenge: string; code: string }
  beforeAll(async () => {
    tenant = await newReadyTenant()
    open = await newTenant()
    person = await open.member()
    await insertMember(person, tenant)
    withFactor = await tenant.member()
    const app = await addTotp(withFactor)
    passkey = await addPasskey(withFactor)
    begun = { challenge: (await secondStepOf(withFactor.email)).challenge, code: app.nextCode() }
    ok(await call('POST', '/auth/login', { body: { email: person.email, password, tenant_id: tenant.id } }))
    await shut(tenant)
  })

  test('learns of it only after the right proof of any kind', async () => {
    const { email, id } = ok(await tenant.boss.post('/users', credentials()))
    expect(await postLogin(email, 'a wrong password')).toMatchObject(refusal('credentialsWrong'))
    expect(await postLogin(email)).toMatchObject(refusal('connectionNeeded'))
    expect(await postLogin(withFactor.email)).toMatchObject(refusal('connectionNeeded'))
    expect(await postFactor(begun)).toMatchObject(refusal('connectionNeeded'))
    const response = passkey.authenticator.get(ok(await call('POST', '/auth/passkey/options')))
    expect(await call('POST', '/auth/passkey', { body: { response } })).toMatchObject(
      refusal('connectionNeeded'),
    )
    const actions = (await auditRecords(tenant.id, 'auth', id)).map(({ action }) => action)
    expect(actions).toEqual(['auth.login_failed', 'auth.login_failed'])
  })

  test('signs in to another tenant where the sign-in chooses, and does not switch', async () => {
    const { access_token: token } = ok(await postLogin(person.email))
    expect(ok(await call('GET', '/profile', { token })).tenant_id).toBe(open.id)
    const named = { email: person.email, password, tenant_id: tenant.id }
    expect(await call('POST', '/auth/login', { body: named })).toMatchObject(refusal('connectionNeeded'))
    expect(await call('POST', '/auth/switch', { token, body: { tenant_id: tenant.id } })).toMatchObject(
      refusal('connectionNeededHere'),
    )
  })

  test('reaches applications only by another tenant', async () => {
    const browser = openBrowser()
    const give = (id: string, { email }: Caller) => browser.act(id, 'password', { email, password })
    const begin = async (changes = {}) =>
      interactionOf(await browser.authorize(requestFor(application, changes).params))
    expect(await give(await begin(), withFactor)).toMatchObject(refusal('connectionNeeded'))
    expect(ok(await give(await begin(), person))).toMatchObject({ step: 'done' })
    const fixed = { tenant: tenant.slug }
    const silent = await browser.authorize(requestFor(application, { ...fixed, prompt: 'none' }).params)
    expect(answerIn(silent.location).params).toMatchObject({ error: 'login_required' })
    // The earlier sign-in gives no access, but another sign-in can.
    const id = await begin(fixed)
    expect(ok(await browser.read(id))).toMatchObject({ step: 'identify' })
    const { redirect_to: to } = ok(await give(id, person))
    expect(answerIn(to).params).toMatchObject({
      error: 'access_denied',
      error_description: expect.stringContaining('its own sign-in provider'),
    })
  })

  test('accepts no invitation, and does not spend it', async () => {
    const known = await open.member()
    // A person with a second factor joins before the proof of the factor.
    await addTotp(known)
    const tokens = [await inviteShown(tenant.boss), await inviteShown(tenant.boss, known.email)]
    await parts.store.scoped({ tenantId: open.id }).run(sql`
      update accounts set has_own_password = true, proved_email = email_folded where email = ${known.email}`)
    for (const token of tokens) {
      expect(await accept(token, { password })).toMatchObject(refusal('connectionNeeded'))
      ok(await lookUp(token))
    }
    expect(await accept(tokens[1] ?? '', { password: 'a wrong password' })).toMatchObject(
      refusal('credentialsWrong'),
    )
  })
})

describe('a break-glass user', () => {
  test('signs in with a second factor, and everybody hears of it who manages sign-in', async () => {
    const tenant = await newReadyTenant()
    const clerk = await tenant.userWith('sso:manage')
    const manager = await bySso(clerk, tenant.connection)
    await clearQueue()
    await signInWithCode(tenant.breakGlass, tenant.app)
    expect(await waitingFor(tenant.boss.email)).toEqual([])
    await shut(tenant)
    const user = await signInWithCode(tenant.breakGlass, tenant.app)
    expect(await statusOf(user)).toBe(200)
    const { username, userId } = user
    const actions = (await auditRecords(tenant.id, 'auth', userId)).map(({ action }) => action)
    expect(actions.filter((action) => action === 'auth.break_glass')).toHaveLength(1)
    for (const who of [tenant.boss, manager]) {
      const { items } = ok(await who.get(`/notifications/user/${who.userId}`))
      const title = 'A break-glass user signed in'
      expect(items[0]).toMatchObject({ title, content: expect.stringContaining(username), type: 'warning' })
      expect((await waitingFor(who.email)).map(({ kind }) => kind)).toEqual(['break_glass'])
    }
  })

  test('comes by a switch and to an application as well, and each is told', async () => {
    const [tenant, home] = [await newReadyTenant(), await newTenant()]
    const person = await home.member()
    const userId = await insertMember(person, tenant)
    const app = await addTotp(person)
    ok(await tenant.boss.put(`/users/${userId}/sso-exemption`, { exempt: true }))
    await shut(tenant)
    const { token } = await signInWithCode(person, app)
    ok(await call('POST', '/auth/switch', { token, body: { tenant_id: tenant.id } }))
    const browser = openBrowser()
    const request = requestFor(application, { tenant: tenant.slug })
    const id = interactionOf(await browser.authorize(request.params))
    ok(await browser.act(id, 'password', { email: person.email, password }))
    const { redirect_to: to } = ok(await browser.act(id, 'factor', { code: app.nextCode() }))
    const { code = '' } = answerIn(to).params
    expect((await exchange(application, { code, verifier: request.verifier })).status).toBe(200)
    const actions = (await auditRecords(tenant.id, 'auth', userId)).map(({ action }) => action)
    expect(actions.filter((action) => action === 'auth.break_glass')).toHaveLength(2)
  })

  test('a break-glass user without the factor does not sign in here, and signs in elsewhere', async () => {
    const [tenant, home] = [await newReadyTenant(), await newTenant()]
    const person = await home.member()
    const userId = await insertMember(person, tenant)
    const app = await addTotp(person)
    ok(await tenant.boss.put(`/users/${userId}/sso-exemption`, { exempt: true }))
    await shut(tenant)
    const named = { email: person.email, password, tenant_id: tenant.id }
    const { challenge } = (await call('POST', '/auth/login', { body: named })).data
    ok(await postFactor({ challenge, code: app.nextCode() }))
    const root = await platformAdmin()
    ok(await root.delete(`/users/${person.userId}/factors`, { tenant: home.id }))
    expect(await call('POST', '/auth/login', { body: named })).toMatchObject(refusal('connectionNeeded'))
    const { access_token: token } = ok(await postLogin(person.email))
    expect(ok(await call('GET', '/profile', { token })).tenant_id).toBe(home.id)
  })
})

test('the built-in tenant binds the callers who enter others, and takes no registration', async () => {
  const installation = await openInstallation()
  const at = await startOn(installation.parts)
  const root = credentials()
  const registered = ok(await postRegister(root, { at }))
  const builtIn = ok(await call('GET', '/profile', { token: registered.access_token, at })).tenant_id
  const options = { token: registered.access_token, at }
  const body = { name: 'Other', slug: 'other' }
  const { id: tenant } = ok(await call('POST', '/org/tenants', { ...options, tenant: builtIn, body }))
  expect((await call('GET', '/users', { ...options, tenant })).status).toBe(200)
  await installation.parts.store.scoped({ tenantId: builtIn }).run(sql`
    insert into tenant_settings (tenant_id, key, value, updated_at)
    values (${builtIn}, 'auth.sso', '"required"', now())`)
  const fresh = await startOn(installation.parts)
  expect((await call('GET', '/users', { ...options, tenant, at: fresh })).status).toBe(401)
  expect(await postRegister(credentials(), { at: fresh })).toMatchObject(refusal('connectionNeededHere'))
  expect(await postLogin(root.email, password, { at: fresh })).toMatchObject(refusal('connectionNeeded'))
  await at.app.close()
  await fresh.app.close()
  await installation.remove()
})

test('a connection of another tenant leads nowhere', async () => {
  const [tenant, foreign] = [await newReadyTenant(), await newTenant()]
  const user = await bySso(await tenant.member(), await insertActiveConnection(foreign))
  await shut(tenant)
  expect(await statusOf(user)).toBe(401)
})
