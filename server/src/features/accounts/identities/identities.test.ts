import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal } from '../../../../test/answers.ts'
import { openBrowser, type Browser } from '../../../../test/browser.ts'
import { bySso, insertActiveConnection } from '../../../../test/connection-rows.ts'
import {
  assign,
  auditRecords,
  builtIn,
  newTenant,
  newUser,
  ok,
  password,
  systemRoleId,
  unique,
  type Caller,
} from '../../../../test/factories.ts'
import { call, clock, parts, service } from '../../../../test/harness.ts'
import { deliver, useMailServer } from '../../../../test/mail-queue.ts'
import { insertMember } from '../../../../test/people.ts'
import { deleteProviders, newProvider } from '../../../../test/provider-rows.ts'
import { providerSecret, signInAt, startProvider, type TestProvider } from '../../../../test/provider.ts'
import { addTotp, signInWithCode } from '../../../../test/second-factors.ts'

const mails = useMailServer()

let root: Caller
let idp: TestProvider
let slug: string
beforeAll(async () => {
  root = await newUser(builtIn.id)
  await assign(builtIn.id, root.userId, systemRoleId('platform-admin'))
  idp = await startProvider()
})
afterAll(() => idp.stop())
afterEach(deleteProviders)

const provider = async (): Promise<string> => {
  const fields = { kind: 'oidc', issuer: idp.issuer, client_secret: providerSecret }
  const made = ok(await root.post('/providers', newProvider(fields)))
  idp.allow(made.callback_url)
  await parts.store.scoped({}).run(sql`update providers set status = 'active' where id = ${made.id}`)
  return made.slug
}

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address, service.url)
  return `${pathname}${search}`
}

/** Asks for an address, in a browser that gets the cookie of the answer. */
const askFor = async (user: Caller, body: object = {}): Promise<{ url: string; browser: Browser }> => {
  const answer = await user.post('/auth/identities', { provider: slug, password, ...body })
  const { url } = ok(answer)
  const browser = openBrowser()
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    browser.cookies.set(name, value)
  }
  return { url: pathOf(url), browser }
}

const add = async (user: Caller, sub = randomUUID()) => {
  const { url, browser } = await askFor(user)
  idp.person = { sub, email: `${unique('x')}@example.com` }
  const { location } = await browser.open(url)
  const back = pathOf(await signInAt(idp, location))
  return { sub, browser, back, landed: await browser.open(back) }
}

const identitiesOf = async (user: Caller) => ok(await user.get('/auth/identities'))

const member = async () => (await newTenant()).member()

describe('an identity', () => {
  test('is added by the answer of the provider, and removed again, both told by mail and recorded', async () => {
    slug = await provider()
    const user = await member()
    const { landed } = await add(user)
    expect(landed).toMatchObject({ status: 303, location: '/account/sign-in' })
    const [identity, ...others] = await identitiesOf(user)
    expect(others).toEqual([])
    expect(identity).toMatchObject({ provider: { slug, name: 'Google', kind: 'oidc' }, last_used_at: '' })
    const exported = await user.post('/auth/account/export', { password })
    expect(exported.body).toMatchObject({ identities: [identity] })
    ok(await user.post(`/auth/identities/${identity.id}/remove`, { password }))
    expect(await identitiesOf(user)).toEqual([])
    await deliver(mails)
    expect(mails.to(user.email).map((one: { subject: string }) => one.subject)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('can now sign you in'),
        expect.stringContaining('can no longer sign you in'),
      ]),
    )
    const log = await auditRecords(user.tenantId, 'identity', user.userId)
    expect(log.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['identity.add', 'identity.remove']),
    )
    expect(await user.post(`/auth/identities/${identity.id}/remove`, { password })).toMatchObject(
      refusal('identityUnknown'),
    )
  })

  test('is recorded in each tenant of the person', async () => {
    slug = await provider()
    const [user, other] = [await member(), await newTenant()]
    await insertMember(user, other)
    await add(user)
    const log = ok(await other.admin.get('/audit/logs?resource=identity')).items
    expect(log.map((one: { action: string }) => one.action)).toEqual(['identity.add'])
  })

  test('belongs to one account: the same subject is refused elsewhere', async () => {
    slug = await provider()
    const [first, second] = [await member(), await member()]
    const { sub } = await add(first)
    const { landed } = await add(second, sub)
    expect(landed.status).toBe(403)
    expect(await identitiesOf(second)).toEqual([])
    expect(await identitiesOf(first)).toHaveLength(1)
  })

  test('is one of at most 10', async () => {
    slug = await provider()
    const user = await member()
    for (let count = 0; count < 10; count += 1) await add(user)
    expect((await add(user)).landed.status).toBe(403)
    expect(await identitiesOf(user)).toHaveLength(10)
  })

  test('is seen and removed by its own person alone', async () => {
    slug = await provider()
    const [user, other] = [await member(), await member()]
    await add(user)
    const [{ id }] = await identitiesOf(user)
    expect(await identitiesOf(other)).toEqual([])
    expect(await other.post(`/auth/identities/${id}/remove`, { password })).toMatchObject(
      refusal('identityUnknown'),
    )
  })
})

describe('an address that adds an identity', () => {
  test('works once, in the browser of the session alone: a link prepared for a victim gives nothing', async () => {
    slug = await provider()
    const attacker = await member()
    const { url, browser } = await askFor(attacker)
    expect((await openBrowser().open(url)).status).toBe(400)
    expect((await browser.open(url)).status).toBe(303)
    expect((await browser.open(url)).status).toBe(400)
  })

  test('takes no answer of another browser: nobody adds an identity to the session of a victim', async () => {
    slug = await provider()
    const [victim, attacker] = [await member(), await member()]
    const own = await askFor(attacker)
    idp.person = { sub: randomUUID() }
    const back = pathOf(await signInAt(idp, (await own.browser.open(own.url)).location))
    const { browser } = await askFor(victim)
    expect((await browser.open(back)).status).toBe(400)
    expect(await identitiesOf(victim)).toEqual([])
  })

  test('adds nothing after the session has ended', async () => {
    slug = await provider()
    const user = await member()
    const { url, browser } = await askFor(user)
    idp.person = { sub: randomUUID() }
    const back = pathOf(await signInAt(idp, (await browser.open(url)).location))
    ok(await user.post('/auth/logout'))
    expect((await browser.open(back)).status).toBe(403)
    expect(await parts.store.scoped({}).many(sql`select id from identities`)).toEqual([])
  })

  test('is 404 for a provider that is unknown or not active', async () => {
    slug = 'unknown'
    const user = await member()
    const body = { provider: 'unknown', password }
    expect(await user.post('/auth/identities', body)).toMatchObject(refusal('providerUnknown'))
  })
})

describe('a change of identities', () => {
  const change = (user: Caller, body: object = { password }) =>
    user.post('/auth/identities', { provider: slug, ...body })

  test('needs the own password', async () => {
    slug = await provider()
    const user = await member()
    expect(await change(user, { password: 'a wrong password' })).toMatchObject(refusal('oldPasswordWrong'))
    const remove = (body: object) => user.post(`/auth/identities/${randomUUID()}/remove`, body)
    expect(await remove({ password: 'a wrong password' })).toMatchObject(refusal('oldPasswordWrong'))
  })

  test('needs a fresh proof for an account without a password', async () => {
    slug = await provider()
    const user = await member()
    await parts.store.scoped({}).run(sql`
      update accounts set password_hash = '', password_scheme = 'none' where email = ${user.email}`)
    expect((await change(user, {})).status).toBe(200)
    clock.advance(11 * 60_000)
    expect(await change(user, {})).toMatchObject(refusal('proofTooOld'))
  })

  test('needs mfa where the account has a factor', async () => {
    slug = await provider()
    const user = await member()
    const careful = await signInWithCode(user, await addTotp(user))
    await parts.store.scoped({ tenantId: user.tenantId }).run(sql`
      update sessions set amr = array_remove(amr, 'mfa') where tenant_id = ${user.tenantId} and user_id = ${user.userId}`)
    await parts.cache.publish({ kind: 'tenant', tenantId: user.tenantId })
    expect(await change(careful)).toMatchObject(refusal('mfaRequired'))
  })

  test('is refused for a session of a connection', async () => {
    slug = await provider()
    const tenant = await newTenant()
    const user = await bySso(await tenant.member(), await insertActiveConnection(tenant))
    await parts.cache.publish({ kind: 'tenant', tenantId: tenant.id })
    expect(await change(user)).toMatchObject(refusal('sessionOfConnection'))
  })

  test('never takes the last way that is open in a tenant, not even at once in two tabs', async () => {
    slug = await provider()
    const user = await member()
    await add(user)
    await add(user)
    const identities = await identitiesOf(user)
    await parts.store.scoped({ tenantId: user.tenantId }).run(sql`
      insert into tenant_settings (tenant_id, key, value, version, updated_at)
      values (${user.tenantId}, 'auth.ways', '{"password":false}', 1, now())`)
    await parts.store.scoped({ tenantId: user.tenantId }).run(sql`
      update sessions set amr = array['fed:' || ${identities[0].id}]
      where tenant_id = ${user.tenantId} and user_id = ${user.userId}`)
    await parts.cache.publish({ kind: 'tenant', tenantId: user.tenantId })
    const remove = ({ id }: { id: string }) => user.post(`/auth/identities/${id}/remove`, { password })
    const answers = await Promise.all([remove(identities[1]), remove(identities[1])])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
    expect(await remove(identities[0])).toMatchObject(refusal('lastOwnWay'))
    expect(await identitiesOf(user)).toHaveLength(1)
  })
})

test('the sessions that an identity opened end with it', async () => {
  slug = await provider()
  const user = await member()
  await add(user)
  const [{ id }] = await identitiesOf(user)
  const other = ok(await call('POST', '/auth/login', { body: { email: user.email, password } }))
  await parts.store.scoped({ tenantId: user.tenantId }).run(sql`
    update sessions set amr = array['fed:' || ${id}]
    where tenant_id = ${user.tenantId} and user_id = ${user.userId} and created_at = (
      select min(created_at) from sessions where tenant_id = ${user.tenantId} and user_id = ${user.userId})`)
  await parts.cache.publish({ kind: 'tenant', tenantId: user.tenantId })
  expect((await user.get('/profile')).status).toBe(200)
  const body = { password }
  ok(await call('POST', `/auth/identities/${id}/remove`, { token: other.access_token, body }))
  expect(await user.get('/profile')).toMatchObject(refusal('tokenInvalid'))
  expect((await call('GET', '/profile', { token: other.access_token })).status).toBe(200)
})
