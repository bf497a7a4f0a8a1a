import { describe, expect, test } from 'vitest'
import { recordsOf } from '../../../../../test/accounts.ts'
import { refusalOf } from '../../../../../test/answers.ts'
import { newTenant, ok, type Caller } from '../../../../../test/factories.ts'
import {
  changeApplication,
  newApplication,
  newSignIn,
  openSession,
  postForm,
  type BrowserSignIn,
} from '../../../../../test/front-door.ts'
import { call, clock, service } from '../../../../../test/harness.ts'
import { insertMember } from '../../../../../test/people.ts'

const bye = 'https://app.example.com/bye'

const cookieOf = ({ cookie }: BrowserSignIn) => ({ cookie: `tenantry-sign-in=${cookie}` })

const logout = (params: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/oauth2/logout?${new URLSearchParams(params).toString()}`, {
    headers,
    redirect: 'manual',
  })

const isLive = async (token: string): Promise<boolean> =>
  (await postForm('/userinfo', { access_token: token })).status === 200

const listening = () => newApplication({ post_logout_redirect_uris: [bye] })

const own = { 'sec-fetch-site': 'same-origin' }

describe('a logout whose hint comes of the sign-in of this browser', () => {
  test('ends the sign-in and all its sessions without a question, and goes to the registered address', async () => {
    const { admin } = await newTenant()
    const [application, other] = [await listening(), await newApplication()]
    const { id_token: hint, access_token: one, signIn } = await openSession(admin, application)
    const { access_token: two } = await openSession(admin, other, { signIn })
    const elsewhere = await openSession(admin, application)
    const answer = await logout(
      { id_token_hint: hint, post_logout_redirect_uri: bye, state: 'a b' },
      cookieOf(signIn),
    )
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${bye}?state=a+b`])
    expect(answer.headers.get('set-cookie')).toMatch(/^tenantry-sign-in=;/)
    expect([await isLive(one), await isLive(two), await isLive(elsewhere.access_token)]).toEqual([
      false,
      false,
      true,
    ])
    expect((await recordsOf(admin)).at(-1)).toMatchObject({
      action: 'auth.logout',
      detail: { application: { to: [application.name, other.name].toSorted().join(', ') } },
    })
  })

  test('takes an expired hint, and ends its own session with offline_access too', async () => {
    const { admin } = await newTenant()
    const application = await listening()
    const opened = await openSession(admin, application, { scopes: ['openid', 'offline_access'] })
    const kept = await openSession(admin, application, {
      signIn: opened.signIn,
      scopes: ['openid', 'offline_access'],
    })
    clock.advance(3600_000)
    const answer = await logout({ id_token_hint: opened.id_token }, cookieOf(opened.signIn))
    expect(answer.headers.get('location')).toBe('/sign-in#signed-out')
    expect([await isLive(opened.access_token), await isLive(kept.access_token)]).toEqual([false, true])
  })

  test('is recorded in each tenant that the person was signed in to', async () => {
    const [home, away] = [await newTenant(), await newTenant()]
    const user = home.admin
    const userId = await insertMember(user, away)
    const there: Pick<Caller, 'userId' | 'tenantId'> = { userId, tenantId: away.id }
    const application = await listening()
    const { id_token: hint, signIn } = await openSession(user, application)
    await openSession(there, application, { signIn })
    await logout({ id_token_hint: hint }, cookieOf(signIn))
    for (const who of [user, there]) {
      expect((await recordsOf(who)).at(-1)).toMatchObject({ action: 'auth.logout' })
    }
  })
})

describe('any other logout', () => {
  test('asks on our page, which gets the request in its fragment, and ends nothing yet', async () => {
    const { admin } = await newTenant()
    const application = await listening()
    const { id_token: hint, access_token: token, signIn } = await openSession(admin, application)
    const another = await newSignIn(admin)
    for (const headers of [{}, cookieOf(another)]) {
      const answer = await logout({ id_token_hint: hint }, headers)
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `/sign-in#logout=${encodeURIComponent(`id_token_hint=${hint}`)}`,
      ])
    }
    const bare = await logout({}, cookieOf(signIn))
    expect(bare.headers.get('location')).toBe('/sign-in#logout=')
    expect(await isLive(token)).toBe(true)
  })

  test('ends the sign-in when the person says so on our page', async () => {
    const { admin } = await newTenant()
    const application = await listening()
    const { access_token: token, signIn } = await openSession(admin, application)
    const body = { client_id: application.clientId, post_logout_redirect_uri: bye }
    const options = { body, headers: { ...own, ...cookieOf(signIn) } }
    expect(ok(await call('POST', '//oauth2/logout/question', options))).toEqual({
      application: { name: application.name, logo: '', home_url: '' },
      account: admin.email,
    })
    expect(await isLive(token)).toBe(true)
    expect(ok(await call('POST', '//oauth2/logout/confirm', options))).toEqual({ redirect_to: bye })
    expect(await isLive(token)).toBe(false)
    expect(ok(await call('POST', '//oauth2/logout/question', options)).account).toBe('')
    expect(ok(await call('POST', '//oauth2/logout/confirm', options))).toEqual({ redirect_to: bye })
  })

  test('is confirmed by no page of another origin', async () => {
    const { admin } = await newTenant()
    const signIn = await newSignIn(admin)
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example.com' }]) {
      const answer = await call('POST', '//oauth2/logout/confirm', {
        body: {},
        headers: { ...headers, ...cookieOf(signIn) },
      })
      expect([answer.status, answer.body.code]).toEqual([403, 40322])
    }
    const sessions: { id: string }[] = ok(await admin.get('/auth/sessions'))
    expect(sessions.map(({ id }) => id)).toContain(signIn.id)
  })

  test('a POST equals a GET, since a POST of a foreign page carries no cookie', async () => {
    const answer = await postForm('/logout', { client_id: 'x', state: 'a b' })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/oauth2/logout?client_id=x&state=a+b',
    ])
  })
})

describe('a logout is an error page, which repeats nothing of the request and ends nothing, for', () => {
  test('an address that is not registered, or comes without a client, and a hint that does not fit', async () => {
    const { admin } = await newTenant()
    const [application, other, shut] = [await listening(), await listening(), await listening()]
    const { id_token: hint, access_token: token, signIn } = await openSession(admin, application)
    await changeApplication(shut, { status: 0 })
    const requests: Record<string, string>[] = [
      { id_token_hint: hint, post_logout_redirect_uri: `${bye}/evil` },
      { id_token_hint: hint, post_logout_redirect_uri: `${bye}?x=1` },
      { id_token_hint: hint, post_logout_redirect_uri: bye.toUpperCase() },
      { post_logout_redirect_uri: bye },
      { id_token_hint: hint, client_id: other.clientId },
      { id_token_hint: `${hint.slice(0, -8)}AAAAAAAA` },
      { id_token_hint: token },
      { client_id: 'nobody', post_logout_redirect_uri: bye },
      { client_id: shut.clientId, post_logout_redirect_uri: bye },
    ]
    for (const request of requests) {
      const answer = await logout(request, cookieOf(signIn))
      const text = await answer.text()
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
      for (const value of Object.values(request)) expect(text).not.toContain(value)
      const confirm = { body: request, headers: { ...own, ...cookieOf(signIn) } }
      expect(await call('POST', '//oauth2/logout/confirm', confirm)).toMatchObject(refusalOf('body'))
    }
    expect(await isLive(token)).toBe(true)
  })
})
