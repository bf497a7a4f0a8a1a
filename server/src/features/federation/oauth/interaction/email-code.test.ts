/** The step `email_code` of the sign-in pages. */
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal } from '../../../../../test/answers.ts'
import { postLogin } from '../../../../../test/accounts.ts'
import { interactionOf, openBrowser, requestFor, type Browser } from '../../../../../test/browser.ts'
import { newTenant, ok, password, platformAdmin, unique, type Caller } from '../../../../../test/factories.ts'
import { newApplication, type TestApplication } from '../../../../../test/front-door.ts'
import { clock } from '../../../../../test/harness.ts'
import { useMailServer, waitingFor } from '../../../../../test/mail-queue.ts'
import {
  codeIn,
  giveCode,
  insertEmailCode,
  mailedCode,
  otherThan,
  putGlobalWays,
  useEmailCodes,
} from '../../../../../test/mailed-codes.ts'
import { addTotp, signInWithCode, withTokens } from '../../../../../test/second-factors.ts'

const server = useMailServer()
useEmailCodes()

let application: TestApplication
beforeAll(async () => {
  await platformAdmin()
  application = await newApplication()
})

const wrong = refusal('emailCodeWrong')

/** An interaction in a browser, for which a code was mailed. */
const begin = async (email: string, more = {}): Promise<{ browser: Browser; id: string; code: string }> => {
  const browser = openBrowser()
  const id = interactionOf(await browser.authorize(requestFor(application, more).params))
  ok(await browser.act(id, 'identify', { email }))
  expect(ok(await browser.act(id, 'email-code', {}))).toMatchObject({ step: 'email_code', account: email })
  return { browser, id, code: await codeIn(server, email) }
}

const member = async (): Promise<Caller> => (await newTenant()).member()

describe('the step email_code', () => {
  test('proves the account', async () => {
    const { browser, id, code } = await begin((await member()).email)
    const done = ok(await browser.act(id, 'email-code', { code }))
    expect(done).toMatchObject({ step: 'done' })
    expect(done.redirect_to).toContain('code=')
  })

  test('is offered for every address alike, and stays until it is proved', async () => {
    const offered = async (email: string) => {
      const browser = openBrowser()
      const id = interactionOf(await browser.authorize(requestFor(application).params))
      expect(await browser.act(id, 'email-code', {})).toMatchObject(refusal('stepWrong'))
      expect(ok(await browser.act(id, 'identify', { email })).methods).toContain('email_code')
      const { id: _, ...shown } = ok(await browser.act(id, 'email-code', {}))
      expect(await browser.act(id, 'email-code', { code: '12345' })).toMatchObject(wrong)
      return { ...shown, account: '' }
    }
    const { email } = await member()
    expect(await offered(email)).toEqual(await offered(`${unique()}@example.com`))
  })

  test('counts in its own browser alone, and only the newest of its codes', async () => {
    const { email } = await member()
    // The account has an owner: a first proof would end the other code.
    await insertEmailCode(email)
    const [one, other] = [await begin(email), await begin(email)]
    expect(await other.browser.act(one.id, 'email-code', { code: one.code })).toMatchObject(
      refusal('interactionUnknown'),
    )
    expect(await other.browser.act(other.id, 'email-code', { code: one.code })).toMatchObject(wrong)
    expect(await giveCode(one.id, one.code)).toMatchObject(wrong)
    ok(await one.browser.act(one.id, 'email-code', {}))
    expect(await one.browser.act(one.id, 'email-code', { code: one.code })).toMatchObject(wrong)
    const newest = await codeIn(server, email)
    expect(ok(await one.browser.act(one.id, 'email-code', { code: newest })).step).toBe('done')
    expect(ok(await other.browser.act(other.id, 'email-code', { code: other.code })).step).toBe('done')
  })

  test('is followed by the second factor', async () => {
    const user = await owner()
    const app = await addTotp(user, 'App', {})
    const { browser, id, code } = await begin(user.email)
    const step = ok(await browser.act(id, 'email-code', { code }))
    expect(step).toMatchObject({ step: 'factor', methods: ['totp', 'recovery_code'] })
    expect(ok(await browser.act(id, 'factor', { code: app.nextCode() })).step).toBe('done')
  })

  test('ends the password and the factors of an account without an owner', async () => {
    const user = await member()
    await addTotp(user)
    const { browser, id, code } = await begin(user.email)
    expect(ok(await browser.act(id, 'email-code', { code })).step).toBe('done')
    expect(await postLogin(user.email, password)).toMatchObject(refusal('credentialsWrong'))
  })

  test('refuses a wrong, late or closed code, and the password still works', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const first = await begin(user.email)
    expect(await first.browser.act(first.id, 'email-code', { code: otherThan(first.code) })).toMatchObject(
      wrong,
    )
    clock.advance(10 * 60_000)
    expect(await first.browser.act(first.id, 'email-code', { code: first.code })).toMatchObject(wrong)
    const admin = await signInWithCode(tenant.admin, await addTotp(tenant.admin))
    ok(await admin.put('/settings/tenant/auth.ways', { value: { email_code: false } }))
    const second = await begin(user.email)
    expect(await second.browser.act(second.id, 'email-code', { code: second.code })).toMatchObject(
      refusal('wayClosed'),
    )
    expect(ok(await second.browser.act(second.id, 'password', { email: user.email, password })).step).toBe(
      'done',
    )
  })

  test('is none of a tenant that closes it, and 403 while the installation closes it', async () => {
    const tenant = await newTenant()
    const admin = await signInWithCode(tenant.admin, await addTotp(tenant.admin))
    ok(await admin.put('/settings/tenant/auth.ways', { value: { email_code: false } }))
    const browser = openBrowser()
    const { params } = requestFor(application, { tenant: tenant.id })
    const id = interactionOf(await browser.authorize(params))
    const { email } = await tenant.member()
    expect(ok(await browser.act(id, 'identify', { email })).methods).not.toContain('email_code')
    await putGlobalWays({})
    try {
      expect(await browser.act(id, 'email-code', {})).toMatchObject(refusal('emailCodesOff'))
      expect(await waitingFor(email)).toEqual([])
    } finally {
      await putGlobalWays({ email_code: true })
    }
  })
})

/** A user whose account has an owner and no password. */
const owner = async (): Promise<Caller> => {
  const user = await member()
  const { challenge, code } = await mailedCode(server, user.email)
  return withTokens(user, ok(await giveCode(challenge, code)))
}
