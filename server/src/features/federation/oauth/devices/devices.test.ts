import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { newSource } from '../../../../../test/accounts.ts'
import { refusal } from '../../../../../test/answers.ts'
import { openBrowser, pageHeaders, type Browser } from '../../../../../test/browser.ts'
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
  credentialsOf,
  newApplication,
  newResource,
  oauthRefusal,
  postForm,
  postToken,
  type TestApplication,
} from '../../../../../test/front-door.ts'
import { clock, parts, startApp } from '../../../../../test/harness.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

let tenant: Tenant
let user: Caller
let television: TestApplication

beforeAll(async () => {
  await platformAdmin()
  tenant = await newTenant()
  user = await tenant.member()
  television = await newApplication({
    kind: 'native',
    grant_types: ['authorization_code', 'refresh_token', deviceGrant],
  })
})

const begin = async (form: Record<string, string> = {}) => {
  const { status, body } = await postForm('/device_authorization', {
    ...credentialsOf(television),
    scope: 'openid',
    ...form,
  })
  expect({ status, error: body.error_description }).toEqual({ status: 200, error: undefined })
  return body
}

const ask = (code: string, application = television) =>
  postToken({ ...credentialsOf(application), grant_type: deviceGrant, device_code: code })

/** Types the code and signs in. */
const typeCode = async (browser: Browser, userCode: string, who = user): Promise<string> => {
  const { id, step } = ok(await browser.call('POST', '/interactions', { user_code: userCode }))
  if (step === 'identify') ok(await browser.act(id, 'password', { email: who.email, password }))
  return id
}

describe('a device', () => {
  test('shows a code, and gets a session of its own once the person has allowed it', async () => {
    const device = await begin()
    expect(device).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${parts.config.publicUrl}/sign-in/device`,
      verification_uri_complete: `${parts.config.publicUrl}/sign-in/device#code=${device.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    expect(await ask(device.device_code)).toMatchObject(oauthRefusal('authorization_pending'))
    const browser = openBrowser()
    const id = await typeCode(browser, device.user_code.toLowerCase().replace('-', ' '))
    expect(ok(await browser.read(id))).toMatchObject({
      step: 'consent',
      application: { name: television.name, redirect_host: '' },
    })
    expect(ok(await browser.act(id, 'consent', { allow: true }))).toMatchObject({
      step: 'done',
      redirect_to: '',
    })
    const { status, body } = await ask(device.device_code)
    expect(status).toBe(200)
    expect(claimsOf(body.access_token)).toMatchObject({
      sub: String(user.userId),
      client_id: television.clientId,
      amr: ['pwd'],
    })
    expect(await ask(device.device_code)).toMatchObject(oauthRefusal('invalid_grant'))
    // The session continues after the browser's sign-in.
    const [signIn] = ok(await user.get('/auth/sessions')).filter(
      ({ tenant_id: of }: { tenant_id: string }) => of === '',
    )
    ok(await user.delete(`/auth/sessions/${signIn.id}`))
    const again = await postToken({
      ...credentialsOf(television),
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
    })
    expect(again.status).toBe(200)
  })

  test('one of two devices with the same code gets a session', async () => {
    const device = await begin()
    const browser = openBrowser()
    await browser.act(await typeCode(browser, device.user_code), 'consent', { allow: true })
    const answers = await Promise.all([ask(device.device_code), ask(device.device_code)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  test('a device that the person refuses gets access_denied, and its code is dead', async () => {
    const device = await begin()
    const browser = openBrowser()
    const id = await typeCode(browser, device.user_code)
    expect(ok(await browser.act(id, 'consent', { allow: false }))).toMatchObject({ step: 'done' })
    expect(await ask(device.device_code)).toMatchObject(oauthRefusal('access_denied'))
    expect(await openBrowser().call('POST', '/interactions', { user_code: device.user_code })).toMatchObject(
      refusal('deviceUnknown'),
    )
  })

  test.each([true, false])(
    'hears the first of two decisions, and the second is 404: allow is %s',
    async (allow) => {
      const device = await begin()
      const [first, second] = [openBrowser(), openBrowser()]
      const ids = [await typeCode(first, device.user_code), await typeCode(second, device.user_code)] as const
      ok(await first.act(ids[0], 'consent', { allow: true }))
      for (const _ of [1, 2]) {
        expect(await second.act(ids[1], 'consent', { allow })).toMatchObject(refusal('interactionUnknown'))
      }
      expect((await ask(device.device_code)).status).toBe(200)
    },
  )

  test('hears one of many decisions at once', async () => {
    const device = await begin()
    const [first, second] = [openBrowser(), openBrowser()]
    const ids = [await typeCode(first, device.user_code), await typeCode(second, device.user_code)] as const
    const decisions = await Promise.all(
      [true, false, true].flatMap((allow) => [
        first.act(ids[0], 'consent', { allow }),
        second.act(ids[1], 'consent', { allow }),
      ]),
    )
    expect(decisions.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('a device that asks too often has to wait longer', async () => {
    const { device_code: code } = await begin()
    expect(await ask(code)).toMatchObject(oauthRefusal('authorization_pending'))
    expect(await ask(code)).toMatchObject(oauthRefusal('slow_down'))
    clock.advance(9000)
    expect(await ask(code)).toMatchObject(oauthRefusal('slow_down'))
    clock.advance(16_000)
    expect(await ask(code)).toMatchObject(oauthRefusal('authorization_pending'))
  })

  test('has ten minutes', async () => {
    const device = await begin()
    clock.advance(600_000)
    expect(await ask(device.device_code)).toMatchObject(oauthRefusal('expired_token'))
    expect(await openBrowser().call('POST', '/interactions', { user_code: device.user_code })).toMatchObject(
      refusal('deviceUnknown'),
    )
  })

  test('gets nothing by the code of another application, or after the sign-in of the person has ended', async () => {
    const person = await tenant.member()
    const device = await begin()
    const browser = openBrowser()
    const id = await typeCode(browser, device.user_code, person)
    await browser.act(id, 'consent', { allow: true })
    const another = await newApplication({ kind: 'native', grant_types: ['authorization_code', deviceGrant] })
    expect(await ask(device.device_code, another)).toMatchObject(oauthRefusal('invalid_grant'))
    for (const status of [0, 1]) ok(await tenant.admin.put(`/users/${person.userId}`, { status }))
    expect(await ask(device.device_code)).toMatchObject(oauthRefusal('invalid_grant'))
  })

  test('gets nothing for a resource that has another identifier since', async () => {
    const resource = await newResource([])
    const reader = await newApplication({
      kind: 'native',
      grant_types: ['authorization_code', deviceGrant],
      resource_ids: [resource.id],
    })
    const device = await begin({ ...credentialsOf(reader), resource: resource.identifier })
    const browser = openBrowser()
    await browser.act(await typeCode(browser, device.user_code), 'consent', { allow: true })
    const identifier = `https://${unique('r')}.example.com/`
    ok(await (await platformAdmin()).put(`/resources/${resource.id}`, { identifier }))
    expect(await ask(device.device_code, reader)).toMatchObject(oauthRefusal('invalid_grant'))
  })

  test('always waits for a click, also of a person who is signed in', async () => {
    const browser = openBrowser()
    await typeCode(browser, (await begin()).user_code)
    const device = await begin()
    const { step } = ok(await browser.call('POST', '/interactions', { user_code: device.user_code }))
    expect(step).toBe('consent')
    expect(await ask(device.device_code)).toMatchObject(oauthRefusal('authorization_pending'))
  })
})

test('an application without the grant, and one that is unknown, begins no device', async () => {
  const plain = await newApplication({ kind: 'native' })
  expect(await postForm('/device_authorization', credentialsOf(plain))).toMatchObject(
    oauthRefusal('unauthorized_client'),
  )
  expect(await postForm('/device_authorization', { client_id: 'unknown' })).toMatchObject(
    oauthRefusal('invalid_client', 401),
  )
})

test('a device that asks for permissions alone that do not exist begins nothing', async () => {
  const form = { ...credentialsOf(television), scope: 'openid x:gone' }
  expect(await postForm('/device_authorization', form)).toMatchObject(oauthRefusal('invalid_scope'))
  await begin({ scope: 'openid phone' })
})

test('ten wrong codes of a source are followed by 429, also for the right one', async () => {
  const limited = await startApp({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
  const device = await begin()
  const browser = openBrowser(limited)
  const headers = { ...pageHeaders, ...newSource() }
  const type = (code: string) => browser.call('POST', '/interactions', { user_code: code }, headers)
  const statuses: number[] = []
  for (let tries = 0; tries < 11; tries += 1) statuses.push((await type('BBBB-BBBB')).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429])
  expect(await type(device.user_code)).toMatchObject({ status: 429 })
  await limited.app.close()
})

test('the codes of a device are stored as a hash, and what the person types for ten minutes', async () => {
  const device = await begin()
  const rows = await parts.store
    .scoped({})
    .many<{ text: string }>(sql`select row_to_json(d)::text as text from device_codes d`)
  expect(rows.some(({ text }) => text.includes(device.device_code))).toBe(false)
})
