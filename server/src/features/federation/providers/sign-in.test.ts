import { decodeJwt } from 'jose'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  begin,
  pathOf,
  personOf,
  setOwner,
  tokensOf,
  useProviders,
  type Made,
  type Person,
} from '../../../../test/at-providers.ts'
import { consoleCodeIn } from '../../../../../lab/browser.ts'
import { movedTo, openBrowser, openConsole } from '../../../../test/browser.ts'
import { builtIn, newTenant, ok, password, unique, type Caller } from '../../../../test/factories.ts'
import { call, parts, service, startApp, type Running } from '../../../../test/harness.ts'
import { deliver, proofMailedTo, useMailServer } from '../../../../test/mail-queue.ts'
import { signInAt } from '../../../../test/provider.ts'
import { addTotp } from '../../../../test/second-factors.ts'

const mails = useMailServer()

const { site, admin, create, activate, returnOf, goTo } = useProviders()

let open: Running
let shut: Running
beforeAll(async () => {
  open = await startApp({ signUp: 'user' })
  shut = await startApp({ signUp: 'closed' })
})
afterAll(async () => {
  await open.app.close()
  await shut.app.close()
})

const signIn = async (provider: Made, person: Person) => tokensOf(await goTo(provider, person))

/** Adds the person's identity to a user with that address, by the password. */
const link = async (provider: Made, user: Caller, person: Person) => {
  const went = await goTo(provider, person)
  ok(await went.browser.act(went.id, 'password', { email: user.email, password }))
  return went
}

const statusOf = async (token: string) => (await call('GET', '/profile', { token })).status

/** A user who has proved the mailbox and chosen the password. */
const member = async (): Promise<Caller> => {
  const user = await (await newTenant()).member()
  await setOwner(user, true)
  return user
}

describe('a person whose identity is known', () => {
  test('signs in without a proof, and the session names the kind of proof alone', async () => {
    const [provider, user] = [await activate(), await member()]
    const person = personOf({ email: user.email })
    await link(provider, user, person)
    const pair = await signIn(provider, { ...person, email: 'other@example.com' })
    expect(decodeJwt(pair.access_token)).toMatchObject({ sub: String(user.userId), amr: ['fed'] })
    expect(ok(await call('GET', '/profile', { token: pair.access_token }))).toMatchObject({
      email: user.email,
    })
    const refreshed = ok(await call('POST', '/auth/refresh', { body: { refresh_token: pair.refresh_token } }))
    expect(decodeJwt(refreshed.access_token)['amr']).toEqual(['fed'])
  })

  test('is asked for the second factor of the account: a provider makes no mfa', async () => {
    const [provider, user] = [await activate(), await member()]
    const person = personOf({ email: user.email, amr: ['mfa'], acr: 'mfa' })
    await link(provider, user, person)
    const app = await addTotp(user)
    const { browser, id, landed } = await goTo(provider, person)
    expect(landed.location).toBe(`/oauth2/resume/${id}`)
    expect((await browser.read(id)).data).toMatchObject({ step: 'factor' })
    const { data } = await browser.act(id, 'factor', { code: app.nextCode() })
    const pair = ok(await openConsole(browser, consoleCodeIn(data.redirect_to) ?? ''))
    expect((decodeJwt(pair.access_token)['amr'] as string[]).toSorted()).toEqual(['fed', 'mfa', 'otp'])
  })

  test('loses the session at once when the provider is disabled, closed in the tenant, or deleted', async () => {
    const [provider, user] = [await activate(), await member()]
    const person = personOf({ email: user.email })
    await link(provider, user, person)
    const own = { tenantId: user.tenantId }
    const close = (slugs: string[]) =>
      parts.store.scoped(own).run(sql`
        insert into tenant_settings (tenant_id, key, value, version, updated_at)
        values (${user.tenantId}, 'auth.ways', ${JSON.stringify({ providers: slugs })}, 1, now())
        on conflict (tenant_id, key) do update set value = excluded.value`)
    const first = await signIn(provider, person)
    await close(['another'])
    await parts.cache.publish({ kind: 'tenant', tenantId: user.tenantId })
    expect(await statusOf(first.access_token)).toBe(401)
    await close([provider.slug])
    const second = await signIn(provider, person)
    expect(await statusOf(second.access_token)).toBe(200)
    ok(await admin().put(`/providers/${provider.id}`, { status: 'disabled' }))
    expect(await statusOf(second.access_token)).toBe(401)
    expect(await statusOf(user.token)).toBe(200)
    await parts.store.scoped({}).run(sql`update providers set status = 'active' where id = ${provider.id}`)
    const third = await signIn(provider, person)
    ok(await admin().delete(`/providers/${provider.id}`))
    expect(await statusOf(third.access_token)).toBe(401)
    expect(await statusOf(user.token)).toBe(200)
  })
})

describe("a provider's account with a victim's address", () => {
  test.each([true, false])(
    'opens nothing without a proof of the account: verified is %s',
    async (verified) => {
      const [provider, victim] = [await activate(), await member()]
      const thief = await goTo(provider, personOf({ email: victim.email, email_verified: verified }))
      expect((await thief.browser.read(thief.id)).data).toMatchObject({
        step: 'proof',
        account: victim.email,
      })
      expect([...thief.browser.cookies.keys()].some((name) => name.includes('sign-in'))).toBe(false)
      const wrong = { email: victim.email, password: 'a wrong password' }
      expect((await thief.browser.act(thief.id, 'password', wrong)).status).toBe(401)
      expect(await parts.store.scoped({}).many(sql`select id from identities`)).toEqual([])
    },
  )

  test('is added by a mailed link in the browser of the sign-in alone: the click of a victim gives nothing', async () => {
    const [provider, victim] = [await activate(), await member()]
    const thief = await goTo(provider, personOf({ email: victim.email }))
    ok(await thief.browser.act(thief.id, 'proof'))
    const { token } = await proofMailedTo(mails, victim.email)
    expect((await openBrowser().act(thief.id, 'proof', { token })).status).toBe(404)
    expect(await parts.store.scoped({}).many(sql`select id from identities`)).toEqual([])
    ok(await thief.browser.act(thief.id, 'proof', { token }))
    await deliver(mails)
    expect(mails.to(victim.email).at(-1)?.subject).toContain('Google')
  })

  test('looks for a typed address alike with and without an account', async () => {
    const [provider, user] = [await activate({ trusts_email: false }), await member()]
    const answers = []
    for (const email of [user.email, `${unique('n')}@example.com`]) {
      const { browser, id, landed } = await goTo(provider, personOf({ email }))
      const shown = (await browser.read(id)).data
      const sent = await browser.act(id, 'proof')
      const wrong = await browser.act(id, 'password', { email, password: 'a wrong password' })
      answers.push([landed.status, shown.step, shown.methods, sent.status, wrong.status, wrong.body.code])
      expect(shown.account).toBe(email)
    }
    expect(answers[0]).toEqual(answers[1])
  })

  test('starts clean by the mailed link where nobody has proved the mailbox', async () => {
    const [provider, prepared] = [await activate(), await member()]
    const attacker = personOf({ email: prepared.email })
    await link(provider, prepared, attacker)
    await setOwner(prepared, false)
    const victim = await goTo(provider, personOf({ email: prepared.email }))
    const right = { email: prepared.email, password }
    expect((await victim.browser.act(victim.id, 'password', right)).status).toBe(400)
    ok(await victim.browser.act(victim.id, 'proof'))
    const { token } = await proofMailedTo(mails, prepared.email)
    ok(await victim.browser.act(victim.id, 'proof', { token }))
    const rows = await parts.store.scoped({}).many<{ subject: string }>(sql`select subject from identities`)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.subject).not.toBe(attacker.sub)
    const body = { email: prepared.email, password }
    expect((await call('POST', '/auth/login', { body })).status).toBe(401)
    expect(await statusOf(prepared.token)).toBe(401)
  })
})

describe('a stranger', () => {
  /** Another process, where strangers may register. */
  const stranger = async (changes: object, person: object) => {
    const provider = await activate(changes)
    return goTo(provider, person, openBrowser(open))
  }

  test('gets by a proved address an account without a password, and its owner is this person', async () => {
    const person = personOf()
    const pair = await tokensOf(await stranger({}, person))
    expect(ok(await call('GET', '/profile', { token: pair.access_token, at: open }))).toMatchObject({
      email: person.email,
      nickname: 'Ada Lovelace',
      tenant_id: builtIn.id,
    })
    const row = await parts.store.scoped({}).one(sql`
      select password_scheme, has_own_password, proved_email from accounts where email = ${person.email}`)
    expect(row).toEqual({ password_scheme: 'none', has_own_password: true, proved_email: person.email })
  })

  test.each([
    ['the provider may bring nobody new', { allow_new: false }, {}],
    ['the provider names no address', {}, { email: undefined }],
  ])('is refused without a reason where %s', async (_why, changes, claims) => {
    const { landed } = await stranger(changes, personOf(claims))
    expect(landed).toMatchObject({ status: 403, text: expect.stringContaining('301') })
  })

  test('is refused where registration is closed', async () => {
    const { landed } = await goTo(await activate(), personOf(), openBrowser(shut))
    expect(landed.status).toBe(403)
  })
})

describe('an answer', () => {
  test('counts once, in the browser that began, at the provider that was asked', async () => {
    const [provider, other, user] = [await activate(), await activate(), await member()]
    const person = personOf({ email: user.email })
    await link(provider, user, person)
    const browser = openBrowser()
    const id = await begin(browser)
    const back = await returnOf(browser, id, provider, person)
    // Login CSRF: the answer of an attacker in the browser of a victim.
    expect((await openBrowser().open(back)).status).toBe(400)
    // Mix-up: the answer of one provider at the address of another.
    expect((await browser.open(back.replace(provider.slug, other.slug))).status).toBe(400)
    expect((await browser.open(back)).status).toBe(303)
    expect((await browser.open(back)).status).toBe(400)
  })

  test('counts at another replica, after the one that began has ended', async () => {
    const [provider, user] = [await activate(), await member()]
    const person = personOf({ email: user.email })
    await link(provider, user, person)
    const first = await startApp()
    const browser = openBrowser(first)
    const back = await returnOf(browser, await begin(browser), provider, person)
    await first.app.close()
    const moved = movedTo(service, browser)
    const { location } = await moved.open(pathOf((await moved.open(back)).location))
    expect(consoleCodeIn(location)).toBeDefined()
  })

  test('is refused after the provider behind the slug was exchanged', async () => {
    const [provider, user] = [await activate({ slug: 'exchanged' }), await member()]
    await link(provider, user, personOf({ email: user.email }))
    const browser = openBrowser()
    const id = await begin(browser)
    const back = await returnOf(browser, id, provider, personOf({ email: user.email }))
    ok(await admin().delete(`/providers/${provider.id}`))
    await activate({ slug: 'exchanged' })
    expect((await browser.open(back)).status).toBe(400)
    expect(await parts.store.scoped({}).many(sql`select id from identities`)).toEqual([])
  })

  test('waits for its browser under a handle, once, after a POST', async () => {
    const [provider, user] = [await activate(), await member()]
    const person = personOf({ email: user.email })
    await link(provider, user, person)
    const browser = openBrowser()
    const id = await begin(browser)
    const back = new URL(await returnOf(browser, id, provider, person), service.url)
    const post = () =>
      fetch(`${service.url}${back.pathname}`, { method: 'POST', body: back.searchParams, redirect: 'manual' })
    const first = await post()
    expect(first.status).toBe(303)
    expect((await post()).status).toBe(400)
    const handle = first.headers.get('location') ?? ''
    expect((await openBrowser().open(handle)).status).toBe(400)
    expect((await browser.open(handle)).location).toBe(`/oauth2/resume/${id}`)
    expect((await browser.open(handle)).status).toBe(400)
  })

  test('leads back to the sign-in where the person cancelled', async () => {
    const { landed, id } = await goTo(await activate(), undefined)
    expect(landed).toMatchObject({ status: 303, location: `/oauth2/resume/${id}` })
  })
})

describe('a start', () => {
  test('leads nowhere for an unknown, inactive or closed provider, and for another browser', async () => {
    const browser = openBrowser()
    const id = await begin(browser)
    const draft = await create()
    for (const slug of ['unknown', draft.slug]) {
      expect((await browser.open(`/sso/start?provider=${slug}&interaction=${id}`)).status).toBe(400)
    }
    const { slug } = await activate()
    expect((await openBrowser().open(`/sso/start?provider=${slug}&interaction=${id}`)).status).toBe(400)
    expect((await browser.open(`/sso/start?provider=${slug}`)).location).toBe(
      `/console/sign-in?provider=${slug}`,
    )
  })

  test('is among the methods of an interaction', async () => {
    const { slug } = await activate()
    const browser = openBrowser()
    expect((await browser.read(await begin(browser))).data.methods).toContain(`provider:${slug}`)
  })
})

describe('a test', () => {
  test('works once, in its browser, signs nobody in, and lets the provider be active', async () => {
    const provider = await create()
    const answer = await admin().post(`/providers/${provider.id}/test`)
    const { url } = ok(answer)
    const browser = openBrowser()
    expect((await browser.open(pathOf(url))).status).toBe(400)
    const cookies = new Map(
      answer.headers
        .getSetCookie()
        .map((line) => /^([^=]+)=([^;]*)/.exec(line)?.slice(1) as [string, string]),
    )
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    site().person = personOf()
    const { location } = await browser.open(pathOf(url))
    expect((await browser.open(pathOf(url))).status).toBe(400)
    const result = await browser.open(pathOf(await signInAt(site(), location)))
    expect(result).toMatchObject({ status: 303, location: `/console/providers/${provider.id}?test=new` })
    expect([...browser.cookies.keys()].some((name) => name.includes('sign-in'))).toBe(false)
    expect(ok(await admin().put(`/providers/${provider.id}`, { status: 'active' }))).toMatchObject({
      status: 'active',
    })
  })
})
