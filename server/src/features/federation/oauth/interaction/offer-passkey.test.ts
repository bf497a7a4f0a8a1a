/** The step `offer_passkey` of the sign-in pages. */
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../../test/answers.ts'
import { actionsOf } from '../../../../../test/accounts.ts'
import { createAuthenticator } from '../../../../../test/authenticator.ts'
import { interactionOf, openBrowser, requestFor, type Browser } from '../../../../../test/browser.ts'
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
import { useEmailCodes } from '../../../../../test/mailed-codes.ts'
import { addPasskey, addTotp } from '../../../../../test/second-factors.ts'

useEmailCodes({ offer_passkey: true })

let tenant: Tenant
let application: TestApplication
beforeAll(async () => {
  await platformAdmin()
  tenant = await newTenant()
  application = await newApplication()
})

const begin = async (browser: Browser): Promise<string> =>
  interactionOf(await browser.authorize(requestFor(application).params))

/** Signs in by the password, in a browser of its own or a given one. */
const signInAs = async ({ email }: Caller, browser = openBrowser()) => {
  const id = await begin(browser)
  const { data } = await browser.act(id, 'password', { email, password })
  return { browser, id, step: data.step as string }
}

const accept = (browser: Browser, id: string, type = 'passkey') =>
  browser.act(id, 'enrol', { type, name: 'Laptop' })

describe('a person without a passkey', () => {
  test('is offered one, which needs no password and then signs in alone', async () => {
    const user = await tenant.member()
    const { browser, id, step } = await signInAs(user)
    expect(step).toBe('offer_passkey')
    expect((await browser.read(id)).data).toMatchObject({ account: user.email, methods: ['passkey'] })
    const authenticator = createAuthenticator()
    const { enrolment } = ok(await accept(browser, id))
    const response = authenticator.create(enrolment)
    const added = ok(await browser.act(id, 'enrol/confirm', { response }))
    expect(added).toMatchObject({ step: 'done', recovery_codes: { length: 10 } })
    expect(await actionsOf(user)).toContain('factor.add')

    const other = openBrowser()
    const next = await begin(other)
    const { passkey_options: options } = ok(await other.act(next, 'passkey/options', {}))
    const signedIn = await other.act(next, 'passkey', { response: authenticator.get(options) })
    expect(signedIn.data.step).toBe('done')
  })

  test('goes on without one, and is asked again after 30 days', async () => {
    const user = await tenant.member()
    const { browser, id } = await signInAs(user)
    const skipped = ok(await browser.act(id, 'skip', {}))
    expect(skipped.step).toBe('done')
    expect((await signInAs(user)).step).toBe('done')
    clock.advance(30 * 24 * 3600_000 + 1)
    expect((await signInAs(user)).step).toBe('offer_passkey')
  })

  test('adds no authenticator app instead, and none in another browser', async () => {
    const { browser, id } = await signInAs(await tenant.member())
    expect(await accept(browser, id, 'totp')).toMatchObject(refusalOf('type'))
    expect(await accept(openBrowser(), id)).toMatchObject(refusal('interactionUnknown'))
    expect(await browser.act(id, 'skip', {})).toMatchObject({ status: 200 })
    expect(await accept(browser, id)).toMatchObject(refusal('interactionUnknown'))
  })
})

test('nobody is offered a passkey who has one, or was signed in before', async () => {
  const [owner, user] = [await tenant.member(), await tenant.member()]
  await addPasskey(owner)
  expect((await signInAs(owner)).step).toBe('factor')
  const { browser, step } = await signInAs(user)
  expect(step).toBe('offer_passkey')
  clock.advance(1000)
  const { params } = requestFor(application, { prompt: 'consent' })
  const later = interactionOf(await browser.authorize(params))
  expect((await browser.read(later)).data.step).toBe('consent')
})

test('a tenant that closes passkeys or the offer makes none', async () => {
  for (const value of [{ offer_passkey: false }, { passkey: false }]) {
    const closed = await newTenant()
    await addTotp(closed.admin)
    ok(await closed.admin.put('/settings/tenant/auth.ways', { value }))
    expect((await signInAs(await closed.member())).step).toBe('done')
  }
})
