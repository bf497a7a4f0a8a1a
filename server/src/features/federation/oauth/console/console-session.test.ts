/** The console's session: its refresh token lives in a cookie that scripts cannot read. */
import { beforeAll, describe, expect, test } from 'vitest'
import sql from 'sql-template-tag'
import {
  answerIn,
  beginForConsole,
  consoleCodeIn,
  interactionOf,
  openBrowser,
  openConsole,
  requestFor,
  type Browser,
} from '../../../../../test/browser.ts'
import { newTenant, ok, password, type Caller } from '../../../../../test/factories.ts'
import { newApplication, postToken } from '../../../../../test/front-door.ts'
import { call, parts, service, startApp, type Running } from '../../../../../test/harness.ts'
import { insertLink } from '../../../../../test/mail-queue.ts'

let person: Caller

beforeAll(async () => {
  person = (await newTenant()).admin
})

const ownPage = { 'sec-fetch-site': 'same-origin' }

const ask = async (body: object, headers: Record<string, string> = {}, { url }: Running = service) => {
  const site = (headers['sec-fetch-site'] ?? headers['origin']) ? {} : ownPage
  const response = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...site, ...headers },
    body: JSON.stringify(body),
  })
  const { code, data } = (await response.json()) as { code: number; data: { access_token: string } | null }
  const [cookie = ''] = response.headers.getSetCookie()
  return { status: response.status, code, data, cookie, sent: cookie.split(';')[0] ?? '' }
}

const sessionIdOf = (token: unknown): string =>
  JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()).sid

/** Signs in, and moves the refresh token into the cookie. */
const keep = async (headers?: Record<string, string>, at?: Running) => {
  const { data } = await call('POST', '/auth/login', {
    body: { email: person.email, password },
  })
  return {
    given: data.refresh_token as string,
    ...(await ask({ refresh_token: data.refresh_token }, headers, at)),
  }
}

describe('the refresh token', () => {
  test('goes into a cookie and not into the answer', async () => {
    const { status, data, cookie } = await keep()
    expect(status).toBe(200)
    expect(Object.keys(data ?? {}).toSorted()).toEqual(['access_token', 'expires_in'])
    expect(cookie).toMatch(/^tenantry-console=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/)
  })

  test('the refresh token that was exchanged for a cookie is dead', async () => {
    const { given, data, sent } = await keep()
    const session_id = sessionIdOf(data?.access_token)
    expect((await ask({ session_id }, { cookie: sent })).status).toBe(200)
    expect((await call('POST', '/auth/refresh', { body: { refresh_token: given } })).status).toBe(401)
  })

  test('rotates in its cookie', async () => {
    const first = await keep()
    const session_id = sessionIdOf(first.data?.access_token)
    const second = await ask({ session_id }, { cookie: first.sent })
    expect(second.status).toBe(200)
    expect(second.sent).not.toBe(first.sent)
    const profile = await call('GET', '/profile', { token: second.data?.access_token })
    expect(profile.status).toBe(200)
  })
})

describe('the cookie', () => {
  test('alone renews nothing: the page names its session', async () => {
    const { sent } = await keep()
    expect(await ask({}, { cookie: sent })).toMatchObject({ status: 400, code: 40001, cookie: '' })
  })

  test('a cookie of another session renews nothing, and stays valid', async () => {
    const [one, other] = [await keep(), await keep()]
    const foreign = { session_id: sessionIdOf(one.data?.access_token) }
    expect(await ask(foreign, { cookie: other.sent })).toMatchObject({ status: 401, code: 40106, cookie: '' })
    const own = { session_id: sessionIdOf(other.data?.access_token) }
    expect((await ask(own, { cookie: other.sent })).status).toBe(200)
  })

  test('a missing cookie is 401', async () => {
    const { data } = await keep()
    const session_id = sessionIdOf(data?.access_token)
    expect(await ask({ session_id })).toMatchObject({ status: 401, code: 40106 })
  })

  test.each(['cross-site', 'same-site', 'none'])('is refused to a page that is %s', async (site) => {
    const { data, sent } = await keep()
    const body = { session_id: sessionIdOf(data?.access_token) }
    const refused = await ask(body, { cookie: sent, 'sec-fetch-site': site })
    expect(refused).toMatchObject({ status: 403, code: 40322, cookie: '' })
    expect((await ask(body, { cookie: sent, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  test('is opened to no form of another site, which cannot send JSON', async () => {
    const { sent } = await keep()
    const headers = { cookie: sent, 'content-type': 'text/plain' }
    expect((await ask({ session_id: 'x' }, headers)).status).toBe(415)
  })

  test('is refused to a page of another origin in a browser that names the origin alone', async () => {
    const { data, sent } = await keep()
    const body = { session_id: sessionIdOf(data?.access_token) }
    for (const origin of ['https://elsewhere.example.com', 'http://localhost:1', 'null']) {
      const refused = await ask(body, { cookie: sent, origin })
      expect(refused).toMatchObject({ status: 403, code: 40322, cookie: '' })
    }
    expect((await ask(body, { cookie: sent, origin: parts.config.publicUrl })).status).toBe(200)
  })

  test('is Secure and bound to its host where the installation is https, whatever the page says', async () => {
    const publicUrl = 'https://admin.example.com'
    const at = await startApp({ publicUrl })
    const own = await keep({ origin: publicUrl }, at)
    expect(own.cookie).toMatch(
      /^__Host-tenantry-console=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    const insecure = await keep({ origin: 'http://10.0.0.7:8080', ...ownPage }, at)
    expect(insecure.cookie).toContain('; Secure;')
    const body = { session_id: sessionIdOf(own.data?.access_token) }
    const unbound = own.sent.replace('__Host-', '')
    expect(await ask(body, { cookie: unbound }, at)).toMatchObject({ status: 401, code: 40106 })
    expect((await ask(body, { cookie: own.sent }, at)).status).toBe(200)
    await at.app.close()
  })
})

/** Signs the person in on the sign-in pages. Returns the code of the console. */
const signInForConsole = async (browser: Browser, { email }: Pick<Caller, 'email'>): Promise<string> => {
  const id = interactionOf(await beginForConsole(browser, { prompt: 'login' }))
  ok(await browser.act(id, 'identify', { email }))
  const { redirect_to: to } = ok(await browser.act(id, 'password', { email, password }))
  return consoleCodeIn(to) ?? ''
}

/** Opens a session of the console with the browser's sign-in. */
const openAgain = async (browser: Browser) =>
  openConsole(browser, consoleCodeIn((await beginForConsole(browser)).location) ?? '')

const profileStatus = async (token: string) => (await call('GET', '/profile', { token })).status

describe('a code of the sign-in', () => {
  test('opens the session of the console, whose refresh token goes into the cookie', async () => {
    const browser = openBrowser()
    const code = await signInForConsole(browser, person)
    const { body } = await browser.keepSession({ code, code_verifier: 'x'.repeat(43) })
    expect(body.code).toBe(40150)
    const { data, headers } = await openAgain(browser)
    expect(headers.getSetCookie()[0]).toMatch(/^tenantry-console=[^;]+; .*HttpOnly; SameSite=Strict$/)
    expect(await profileStatus(data.access_token)).toBe(200)
    const session_id = sessionIdOf(data.access_token)
    expect((await browser.keepSession({ session_id })).status).toBe(200)
  })

  test('goes to the pages of the own account too, which name their address at the exchange', async () => {
    const browser = openBrowser()
    await signInForConsole(browser, person)
    const redirect_uri = '/account/signed-in'
    const begin = async () =>
      answerIn((await beginForConsole(browser, { redirect_uri })).location).params['code'] ?? ''
    expect(await openConsole(browser, await begin())).toMatchObject({ status: 401, body: { code: 40150 } })
    const { status, data } = await openConsole(browser, await begin(), { redirect_uri })
    expect([status, await profileStatus(data.access_token)]).toEqual([200, 200])
    ok(await browser.call('POST', '/logout/confirm', {}))
    expect(await profileStatus(data.access_token)).toBe(401)
  })

  test('works once, with its verifier alone, and its second use ends the session of the first', async () => {
    const browser = openBrowser()
    const code = await signInForConsole(browser, person)
    const { data } = await openConsole(browser, code)
    expect(await openConsole(browser, code)).toMatchObject({ status: 401, body: { code: 40150 } })
    expect(await profileStatus(data.access_token)).toBe(401)
    const stolen = await signInForConsole(browser, person)
    expect(await openConsole(openBrowser(), stolen)).toMatchObject({ status: 401, body: { code: 40150 } })
    expect(await openConsole(browser, stolen)).toMatchObject({ status: 401, body: { code: 40150 } })
  })

  test('the token endpoint refuses a code of the console, and the console a code of an application', async () => {
    const browser = openBrowser()
    const code = await signInForConsole(browser, person)
    const grant = {
      grant_type: 'authorization_code',
      redirect_uri: '/console/signed-in',
      code_verifier: 'x'.repeat(43),
    }
    expect(await postToken({ ...grant, client_id: 'console', code })).toMatchObject({
      status: 400,
      body: { error: 'unauthorized_client' },
    })
    const { params, verifier } = requestFor(await newApplication())
    const { location } = await browser.authorize(params)
    const other = new URL(location).searchParams.get('code') ?? ''
    expect(await browser.keepSession({ code: other, code_verifier: verifier })).toMatchObject({ status: 401 })
  })

  test('is refused to the console without PKCE, and at another address', async () => {
    const browser = openBrowser()
    await signInForConsole(browser, person)
    const bare = { code_challenge: undefined, code_challenge_method: undefined }
    expect((await beginForConsole(browser, bare)).location).toMatch(
      /^\/console\/signed-in\?error=invalid_request&/,
    )
    for (const redirect_uri of [
      'https://evil.example/',
      '//evil.example/',
      '/console/signed-in/x',
      '/console/',
    ]) {
      const { status, location } = await beginForConsole(browser, { redirect_uri })
      expect([redirect_uri, status, location]).toEqual([redirect_uri, 400, ''])
    }
  })
})

describe('the session of the console', () => {
  test('ends with the sign-in of its browser, and takes that along', async () => {
    const browser = openBrowser()
    const first = await openConsole(browser, await signInForConsole(browser, person))
    const second = await openAgain(browser)
    ok(await browser.call('POST', '/logout/confirm', {}))
    for (const { data } of [first, second]) expect(await profileStatus(data.access_token)).toBe(401)
    const { data } = await openConsole(browser, await signInForConsole(browser, person))
    ok(await call('POST', '/auth/logout', { token: data.access_token }))
    expect((await beginForConsole(browser)).location).toMatch(/^\/sign-in#interaction=/)
  })

  test('goes on when the person confirms the e-mail by the sign-in of its browser', async () => {
    const user = await (await newTenant()).member()
    const [browser, other] = [openBrowser(), openBrowser()]
    const own = await openConsole(browser, await signInForConsole(browser, user))
    const elsewhere = await openConsole(other, await signInForConsole(other, user))
    const token = await insertLink(user, 'verification')
    ok(await browser.call('POST', '/verify-email', { token }))
    expect(await profileStatus(own.data.access_token)).toBe(200)
    expect(await profileStatus(elsewhere.data.access_token)).toBe(401)
  })

  test('lasts seven days from its last use, and is one row of a list', async () => {
    const browser = openBrowser()
    const { data } = await openConsole(browser, await signInForConsole(browser, person))
    const id = sessionIdOf(data.access_token)
    const row = await parts.store.scoped({ tenantId: person.tenantId }).only<{
      days: number
      end: unknown
    }>(sql`
      select (extract(epoch from expires_at - created_at) / 86400)::float8 as days, latest_expires_at as end
      from sessions where tenant_id = ${person.tenantId} and id = ${id}`)
    expect([row.days, row.end]).toEqual([7, null])
    const sessions = ok(await call('GET', '/auth/sessions', { token: data.access_token })) as {
      user_agent: string
      is_current: boolean
    }[]
    expect(sessions.filter((one) => one.is_current)).toHaveLength(1)
  })
})
