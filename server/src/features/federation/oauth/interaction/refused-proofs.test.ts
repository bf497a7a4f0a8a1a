/** The sign-in pages refuse proofs and factors as `/auth/login` does. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { newSource } from '../../../../../test/accounts.ts'
import { refusal, refusalOf } from '../../../../../test/answers.ts'
import { createAuthenticator, type Authenticator } from '../../../../../test/authenticator.ts'
import { interactionOf, movedTo, openBrowser, pageHeaders, requestFor } from '../../../../../test/browser.ts'
import {
  newTenant,
  ok,
  password,
  platformAdmin,
  type Caller,
  type Tenant,
} from '../../../../../test/factories.ts'
import { newApplication, type TestApplication } from '../../../../../test/front-door.ts'
import { clock, parts, startApp, type Running } from '../../../../../test/harness.ts'
import { insertLink } from '../../../../../test/mail-queue.ts'
import { addPasskey, addTotp, codeOf, wrongCode } from '../../../../../test/second-factors.ts'
import { createHasher } from '../../../../crypto/passwords.ts'
import { createSecrets } from '../../../../crypto/secrets.ts'

let tenant: Tenant
let application: TestApplication
let careful: TestApplication
/** Replicas with another configuration. */
let limited: Running
let withoutPasskeys: Running
let withoutSecrets: Running

const numbered = 'http://127.0.0.1:8080'

beforeAll(async () => {
  await platformAdmin()
  tenant = await newTenant()
  application = await newApplication()
  careful = await newApplication({ require_mfa: true })
  limited = await startApp({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
  withoutPasskeys = await startApp({ publicUrl: numbered, issuer: numbered })
  withoutSecrets = await startApp({}, undefined, { secrets: createSecrets([]) })
})
afterAll(async () => {
  for (const { app } of [limited, withoutPasskeys, withoutSecrets]) await app.close()
})

/** Opens an interaction. */
const openPage = async (to = application) => {
  const browser = openBrowser()
  const id = interactionOf(await browser.authorize(requestFor(to).params))
  return {
    act: (name: string, body: object = {}) => browser.act(id, name, body),
    /** Sends a step to another replica, from a source that no other test uses. */
    actAt: (at: Running, name: string, body: object = {}, source = newSource()) =>
      movedTo(at, browser).call('POST', `/interactions/${id}/${name}`, body, { ...pageHeaders, ...source }),
    call: browser.call,
  }
}

type Page = Awaited<ReturnType<typeof openPage>>

const prove = async (page: Page, { email }: Pick<Caller, 'email'>) =>
  ok(await page.act('password', { email, password }))

const beginPasskey = async (page: Page) => ok(await page.act('passkey/options')).passkey_options

/** Functions that disable a person or the tenant, and the expected refusals. */
const ends: [
  what: string,
  error: 'accountDisabled' | 'tenantSuspended',
  end: (user: Caller) => Promise<void>,
][] = [
  [
    'a disabled person',
    'accountDisabled',
    async ({ userId, tenantId }) =>
      ok(await (await platformAdmin()).put(`/users/${userId}`, { status: 0 }, { tenant: tenantId })),
  ],
  [
    'a person of a disabled tenant',
    'tenantSuspended',
    async ({ tenantId }) => ok(await (await platformAdmin()).put(`/org/tenants/${tenantId}`, { status: 0 })),
  ],
]

const times = (count: number) => Array.from({ length: count })

describe('a password', () => {
  test('is waited for after ten wrong ones of a source', async () => {
    const { email } = await tenant.member()
    const [page, source] = [await openPage(), newSource()]
    const give = (given: string) => page.actAt(limited, 'password', { email, password: given }, source)
    for (const _ of times(10)) {
      expect(await give('not the password')).toMatchObject(refusal('credentialsWrong'))
    }
    const refused = await give(password)
    expect(refused).toMatchObject(refusal('tooManyFailures'))
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('a second factor', () => {
  test.each(ends)('is refused to %s', async (_who, error, end) => {
    const user = await (await newTenant()).member()
    const app = await addTotp(user)
    const page = await openPage()
    expect(await prove(page, user)).toMatchObject({ step: 'factor' })
    await end(user)
    expect(await page.act('factor', { code: app.nextCode() })).toMatchObject(refusal(error))
  })

  test('is asked for anew, behind the password, after five wrong answers', async () => {
    const user = await tenant.member()
    const app = await addTotp(user)
    const page = await openPage()
    await prove(page, user)
    for (const _ of times(5)) {
      expect(await page.act('factor', { code: wrongCode(app.secret) })).toMatchObject(refusal('factorWrong'))
    }
    const code = app.nextCode()
    expect(await page.act('factor', { code })).toMatchObject(refusal('challengeDead'))
    expect(await page.act('factor', { code })).toMatchObject(refusal('stepWrong'))
    await prove(page, user)
    expect(ok(await page.act('factor', { code }))).toMatchObject({ step: 'done' })
  })

  test('is waited for after ten wrong proofs of a source', async () => {
    const user = await tenant.member()
    const app = await addTotp(user)
    const [page, source] = [await openPage(), newSource()]
    const give = (name: string, body: object) => page.actAt(limited, name, body, source)
    for (const _ of times(9)) await give('password', { email: user.email, password: 'not the password' })
    ok(await give('password', { email: user.email, password }))
    expect(await give('factor', { code: wrongCode(app.secret) })).toMatchObject(refusal('factorWrong'))
    expect(await give('factor', { code: app.nextCode() })).toMatchObject(refusal('tooManyFailures'))
  })

  test('a code has to wait after twenty wrong codes of many sources', async () => {
    const user = await tenant.member()
    const app = await addTotp(user)
    const page = await openPage()
    for (const _ of times(4)) {
      await prove(page, user)
      for (const _code of times(5)) {
        expect(await page.actAt(limited, 'factor', { code: wrongCode(app.secret) })).toMatchObject(
          refusal('factorWrong'),
        )
      }
    }
    await prove(page, user)
    expect(await page.actAt(limited, 'factor', { code: app.nextCode() })).toMatchObject(
      refusal('tooManyCodes'),
    )
  })
})

describe('a passkey', () => {
  const withPasskey = async (): Promise<{ user: Caller; authenticator: Authenticator }> => {
    const user = await (await newTenant()).member()
    return { user, authenticator: (await addPasskey(user)).authenticator }
  }

  test.each(ends)('is refused to %s', async (_who, error, end) => {
    const { user, authenticator } = await withPasskey()
    const page = await openPage()
    await end(user)
    const response = authenticator.get(await beginPasskey(page))
    expect(await page.act('passkey', { response })).toMatchObject(refusal(error))
  })

  test('is refused for another origin, a second time, and at an unknown sign-in', async () => {
    const { authenticator } = await withPasskey()
    const page = await openPage()
    const foreign = authenticator.get(await beginPasskey(page), { origin: 'https://evil.example' })
    expect(await page.act('passkey', { response: foreign })).toMatchObject(refusal('factorWrong'))
    expect(await page.act('passkey', { response: foreign })).toMatchObject(refusal('challengeDead'))
    const response = authenticator.get(await beginPasskey(page))
    expect(await page.call('POST', `/interactions/${randomUUID()}/passkey`, { response })).toMatchObject(
      refusal('interactionUnknown'),
    )
    expect(ok(await page.act('passkey', { response }))).toMatchObject({ step: 'done' })
  })

  test('is refused where the installation has an address without a name', async () => {
    const { authenticator } = await withPasskey()
    const page = await openPage()
    const response = authenticator.get(await beginPasskey(page))
    expect(await page.actAt(withoutPasskeys, 'passkey', { response })).toMatchObject(refusal('passkeysOff'))
  })
})

describe('a factor that is added', () => {
  /** An interaction at the step `enrol`. */
  const openEnrolment = async (): Promise<Page> => {
    const page = await openPage(careful)
    expect(await prove(page, await tenant.member())).toMatchObject({ step: 'enrol' })
    return page
  }
  const totp = { type: 'totp', name: 'Phone', password }
  const passkey = { type: 'passkey', name: 'Laptop', password }

  test('is refused where the installation lacks what it needs', async () => {
    const page = await openEnrolment()
    expect(await page.actAt(withoutSecrets, 'enrol', totp)).toMatchObject(refusal('secretsOff'))
    expect(await page.actAt(withoutPasskeys, 'enrol', passkey)).toMatchObject(refusal('passkeysOff'))
    const { enrolment } = ok(await page.act('enrol', passkey))
    const response = createAuthenticator().create(enrolment)
    expect(await page.actAt(withoutPasskeys, 'enrol/confirm', { response })).toMatchObject(
      refusal('passkeysOff'),
    )
  })

  test('is another step where the sign-in ends while the password is checked', async () => {
    const hasher = await createHasher(4)
    const at = await startApp({}, undefined, { hasher })
    onTestFinished(() => at.app.close())
    for (const body of [totp, passkey]) {
      const person = await tenant.member()
      const page = await openPage(careful)
      expect(await prove(page, person)).toMatchObject({ step: 'enrol' })
      const gate = Promise.withResolvers<undefined>()
      const before = times(3).map(() => hasher.verify('whatever', () => gate.promise))
      const { waiting } = hasher.stats()
      const answer = page.actAt(at, 'enrol', body)
      await vi.waitFor(() => expect(hasher.stats().waiting).toBe(waiting + 1), { timeout: 10_000 })
      await parts.store.scoped({}).run(sql`
        delete from sign_ins where account_id = (select id from accounts where email = ${person.email})`)
      gate.resolve(undefined)
      expect(await answer).toMatchObject(refusal('stepWrong'))
      await Promise.all(before)
    }
  })

  test('is waited for after ten wrong passwords of a source', async () => {
    const [page, source] = [await openEnrolment(), newSource()]
    const begin = (given: string) => page.actAt(limited, 'enrol', { ...totp, password: given }, source)
    for (const _ of times(10)) expect(await begin('not it')).toMatchObject(refusal('oldPasswordWrong'))
    expect(await begin(password)).toMatchObject(refusal('tooManyFailures'))
  })

  test('a code has to wait after twenty wrong codes', async () => {
    const page = await openEnrolment()
    const { enrolment } = ok(await page.act('enrol', totp))
    const confirm = (code: string) => page.actAt(limited, 'enrol/confirm', { code })
    for (const _ of times(20)) {
      expect(await confirm(wrongCode(enrolment.secret))).toMatchObject(refusalOf('code', 'codeWrong'))
    }
    expect(await confirm(codeOf(enrolment.secret))).toMatchObject(refusal('tooManyCodes'))
  })

  test('an authenticator app is unknown when its first code comes late', async () => {
    const page = await openEnrolment()
    const { enrolment } = ok(await page.act('enrol', totp))
    clock.advance(15 * 60_000)
    expect(await page.act('enrol/confirm', { code: codeOf(enrolment.secret) })).toMatchObject(
      refusal('factorUnknown'),
    )
  })

  test('a passkey of another origin is refused', async () => {
    const page = await openEnrolment()
    const { enrolment } = ok(await page.act('enrol', passkey))
    const response = createAuthenticator().create(enrolment, { origin: 'https://evil.example' })
    expect(await page.act('enrol/confirm', { response })).toMatchObject(refusal('passkeyInvalid'))
  })
})

describe('a mailed link', () => {
  test('confirms no address of another person, nor one that somebody has by now', async () => {
    const [user, other] = [await tenant.member(), await tenant.member()]
    const page = await openPage()
    await prove(page, user)
    const verify = (token: string) => page.call('POST', '/verify-email', { token })
    expect(await verify(await insertLink(other, 'verification'))).toMatchObject(refusal('linkOfAnother'))
    expect(await verify(await insertLink(user, 'change', other.email))).toMatchObject(refusal('emailTaken'))
    ok(await verify(await insertLink(user, 'verification')))
  })
})
