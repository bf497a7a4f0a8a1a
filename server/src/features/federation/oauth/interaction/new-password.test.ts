/** The step `new_password` of the sign-in pages. */
import { beforeAll, describe, expect, test } from 'vitest'
import { pingStatus, postLogin, recordsOf } from '../../../../../test/accounts.ts'
import { refusal, refusalOf } from '../../../../../test/answers.ts'
import {
  beginForConsole,
  consoleCodeIn,
  interactionOf,
  openBrowser,
  openConsole,
  requestFor,
  type Browser,
} from '../../../../../test/browser.ts'
import {
  newTenant,
  ok,
  password,
  platformAdmin,
  type Caller,
  type Tenant,
} from '../../../../../test/factories.ts'
import { newApplication, type TestApplication } from '../../../../../test/front-door.ts'
import { clock } from '../../../../../test/harness.ts'

let application: TestApplication
beforeAll(async () => {
  await platformAdmin()
  application = await newApplication()
})

const next = 'another good password'

const begin = async (browser: Browser): Promise<string> =>
  interactionOf(await browser.authorize(requestFor(application).params))

const expire = async ({ admin }: Tenant, { userId }: Caller) =>
  ok(await admin.post(`/users/${userId}/password-expiry`))

const expiredUser = async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  await expire(tenant, user)
  return { tenant, user }
}

/** A browser at the step, with its interaction. */
const atStep = async () => {
  const { tenant, user } = await expiredUser()
  const browser = openBrowser()
  const id = await begin(browser)
  const answer = await browser.act(id, 'password', { email: user.email, password })
  expect(answer).toMatchObject({ status: 200, data: { step: 'new_password', account: user.email } })
  return { tenant, user, browser, id }
}

const choose = (browser: Browser, id: string, chosen = next) =>
  browser.act(id, 'new-password', { new_password: chosen })

describe('the page for an expired password', () => {
  test('asks for another one, and then goes on to the application', async () => {
    const { user, browser, id } = await atStep()
    const answer = await choose(browser, id)
    expect(answer).toMatchObject({ status: 200, data: { step: 'done' } })
    expect(answer.data.redirect_to).toContain('code=')
    expect((await postLogin(user.email, password)).status).toBe(401)
    expect(await pingStatus(ok(await postLogin(user.email, next)).access_token)).toBe(200)
    const actions = (await recordsOf(user)).map(({ action }) => action)
    expect(actions).toContain('auth.password_change')
  })

  test('asks before a session of the console, too', async () => {
    const { user } = await expiredUser()
    const browser = openBrowser()
    const id = interactionOf(await beginForConsole(browser))
    await browser.act(id, 'password', { email: user.email, password })
    const { data } = await choose(browser, id)
    const opened = await openConsole(browser, consoleCodeIn(data.redirect_to) ?? '')
    expect(await pingStatus(opened.data.access_token)).toBe(200)
  })

  test('refuses the same password, and one that the rules refuse', async () => {
    const { tenant, browser, id } = await atStep()
    expect(await choose(browser, id, password)).toMatchObject(refusalOf('new_password'))
    ok(await tenant.admin.put('/settings/tenant/auth.passwords', { value: { min_length: 30 } }))
    expect(await choose(browser, id)).toMatchObject({
      status: 400,
      body: { code: 40080, data: { reasons: ['too_short'], errors: [{ field: 'new_password' }] } },
    })
    expect(await choose(browser, id, 'short')).toMatchObject(refusalOf('new_password'))
    expect((await choose(browser, id, `${next} of thirty characters`)).status).toBe(200)
  })

  test('gives the browser another cookie, and ends the other sessions', async () => {
    const { user, browser, id } = await atStep()
    const before = browser.cookies.get('tenantry-sign-in')
    ok(await choose(browser, id))
    expect(browser.cookies.get('tenantry-sign-in')).not.toBe(before)
    expect(await pingStatus(user.token)).toBe(401)
  })
})

test('an earlier sign-in of the browser must prove the password before it changes it', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  const browser = openBrowser()
  await browser.act(await begin(browser), 'password', { email: user.email, password })
  await expire(tenant, user)
  clock.advance(1000)
  const id = await begin(browser)
  expect((await browser.read(id)).data.step).toBe('identify')
  expect(await choose(browser, id)).toMatchObject(refusal('stepWrong'))
  const proved = await browser.act(id, 'password', { email: user.email, password })
  expect(proved.data.step).toBe('new_password')
})

test('the step is refused before its turn, and in another browser', async () => {
  const { user } = await expiredUser()
  const browser = openBrowser()
  const id = await begin(browser)
  expect(await choose(browser, id)).toMatchObject(refusal('stepWrong'))
  await browser.act(id, 'password', { email: user.email, password })
  expect(await choose(openBrowser(), id)).toMatchObject(refusal('interactionUnknown'))
})

test('a code from before the password expired opens no session', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  const browser = openBrowser()
  const id = interactionOf(await beginForConsole(browser))
  const { data } = await browser.act(id, 'password', { email: user.email, password })
  await expire(tenant, user)
  const code = consoleCodeIn(data.redirect_to) ?? ''
  expect((await openConsole(browser, code)).status).toBe(401)
})
