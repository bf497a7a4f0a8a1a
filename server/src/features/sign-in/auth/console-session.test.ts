/** The console's session, whose refresh token is in a cookie that scripts cannot read. */
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, password, type Caller } from '../../../../test/factories.ts'
import { call, parts, service, startApp, type Running } from '../../../../test/harness.ts'

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

  test('that was given is dead, so a copy of it is a theft', async () => {
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

  test('of another session renews nothing, and stays good', async () => {
    const [one, other] = [await keep(), await keep()]
    const foreign = { session_id: sessionIdOf(one.data?.access_token) }
    expect(await ask(foreign, { cookie: other.sent })).toMatchObject({ status: 401, code: 40106, cookie: '' })
    const own = { session_id: sessionIdOf(other.data?.access_token) }
    expect((await ask(own, { cookie: other.sent })).status).toBe(200)
  })

  test('that is missing is 401', async () => {
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
