import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, tally } from '../../../../test/answers.ts'
import {
  actionsOf,
  credentials,
  newSource,
  postLogin,
  postRegister,
  recordsOf,
} from '../../../../test/accounts.ts'
import { newTenant, ok, password, unique, type Caller } from '../../../../test/factories.ts'
import { call, clock, parts, startApp, type Answer, type Running } from '../../../../test/harness.ts'
import { useMailServer, waitingFor } from '../../../../test/mail-queue.ts'
import {
  askCode,
  codeIn,
  giveCode,
  mailedCode,
  otherThan,
  putGlobalWays,
  useEmailCodes,
} from '../../../../test/mailed-codes.ts'
import { claimsOf, insertMember } from '../../../../test/people.ts'
import {
  addPasskey,
  addTotp,
  postFactor,
  signInWithCode,
  withTokens,
} from '../../../../test/second-factors.ts'

const minute = 60_000
const server = useMailServer()
useEmailCodes()

let limited: Running
let closed: Running
beforeAll(async () => {
  limited = await startApp({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
  closed = await startApp({ signUp: 'closed' })
})
afterAll(async () => {
  await limited.app.close()
  await closed.app.close()
})

const wrong = refusal('emailCodeWrong')
const unknownEmail = () => `${unique('x')}@example.com`
const member = async (): Promise<Caller> => (await newTenant()).member()

/** The claims of a session that a code has opened. */
const proofsOf = ({ data }: Answer): string[] =>
  (JSON.parse(Buffer.from(data.access_token.split('.')[1], 'base64url').toString()) as { amr: string[] }).amr

describe('a code by mail', () => {
  test('signs in with the challenge that it was asked with', async () => {
    const user = await member()
    const { challenge, code } = await mailedCode(server, user.email)
    const answer = await giveCode(challenge, code)
    expect(claimsOf(ok(answer).access_token).userId).toBe(user.userId)
    expect(proofsOf(answer)).toEqual(['email'])
    const [record] = (await recordsOf(user)).filter(({ action }) => action === 'auth.login').slice(-1)
    expect(record).toMatchObject({ detail: { way: { to: 'email_code' } } })
  })

  test.each([
    [
      'full-width digits',
      (code: string) => [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join(''),
    ],
    ['a space', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
  ])('may be typed with %s', async (_how, typed) => {
    const { challenge, code } = await mailedCode(server, (await member()).email)
    expect((await giveCode(challenge, typed(code))).status).toBe(200)
  })

  test('comes in an e-mail without a link, which says that nobody will ask for it', async () => {
    const { email } = await member()
    await mailedCode(server, email)
    const { source = '', subject = '', link } = server.to(email).at(-1) ?? {}
    expect(link).toBeUndefined()
    expect(source).not.toMatch(/https?:|<a /)
    expect(source).toContain('No one from Tenantry will ever ask you for this code.')
    expect(subject).not.toMatch(/\d{6}/)
    const zh = await member()
    ok(await askCode(zh.email, { headers: { 'accept-language': 'zh-CN' } }))
    expect(await codeIn(server, zh.email)).toMatch(/^\d{6}$/)
    expect(server.to(zh.email).at(-1)?.source).toContain('不会向您索要此验证码')
  })

  test('opens the tenant that was asked for', async () => {
    const user = await member()
    const other = await newTenant()
    await insertMember(user, other)
    const { challenge, code } = await mailedCode(server, user.email, { tenant_id: other.id })
    expect(claimsOf(ok(await giveCode(challenge, code)).access_token).tenantId).toBe(other.id)
    const foreign = await mailedCode(server, user.email, { tenant_id: (await newTenant()).id })
    expect(await giveCode(foreign.challenge, foreign.code)).toMatchObject(wrong)
  })
})

const signInWithCodeByMail = async (user: Pick<Caller, 'email'>): Promise<Answer> => {
  const { challenge, code } = await mailedCode(server, user.email)
  return giveCode(challenge, code)
}

/** A user whose account has an owner and no password. */
const owner = async (): Promise<Caller> => {
  const user = await member()
  return withTokens(user, ok(await signInWithCodeByMail(user)))
}

test('the second factor of an owner is asked for after the code, and counts with it', async () => {
  const user = await owner()
  const app = await addTotp(user, 'App', {})
  const step = await signInWithCodeByMail(user)
  expect(step).toMatchObject({ status: 401, body: { code: 40108 } })
  const answer = await postFactor({ challenge: step.data.challenge, code: app.nextCode() })
  ok(answer)
  expect(proofsOf(answer)).toEqual(['email', 'otp', 'mfa'])
})

describe('the first proof of a mailbox', () => {
  test('removes what another person had prepared: password, factors and sessions', async () => {
    const user = await member()
    await addPasskey(user)
    const fresh = ok(await signInWithCodeByMail(user))
    expect(await user.get('/profile')).toMatchObject(refusal('tokenInvalid'))
    expect(await postLogin(user.email, password)).toMatchObject(refusal('credentialsWrong'))
    expect(ok(await withTokens(user, fresh).get('/auth/factors')).factors).toEqual([])
    expect(await actionsOf(user)).toContain('auth.email_verify')
    await codeIn(server, user.email)
    expect(server.to(user.email).map(({ subject }) => subject)).toContain(
      'Your account no longer has a password',
    )
  })

  test('happens once: an owner keeps factors and other sessions', async () => {
    const user = await owner()
    ok(await signInWithCodeByMail(user))
    expect((await user.get('/profile')).status).toBe(200)
  })
})

describe('a code that opens nothing', () => {
  test('is one for another challenge, used, late, or for a dead challenge, all alike', async () => {
    const user = await member()
    const [one, other] = [await mailedCode(server, user.email), await mailedCode(server, user.email)]
    expect(await giveCode(other.challenge, otherThan(other.code))).toMatchObject(wrong)
    expect(await giveCode('unknown', one.code)).toMatchObject(wrong)
    ok(await giveCode(one.challenge, one.code))
    expect(await giveCode(one.challenge, one.code)).toMatchObject(wrong)
    const late = await mailedCode(server, (await member()).email)
    clock.advance(10 * minute)
    expect(await giveCode(late.challenge, late.code)).toMatchObject(wrong)
  })

  test('is the right one after five wrong ones', async () => {
    const { challenge, code } = await mailedCode(server, (await member()).email)
    for (let n = 0; n < 5; n += 1) expect(await giveCode(challenge, otherThan(code))).toMatchObject(wrong)
    expect(await giveCode(challenge, code)).toMatchObject(wrong)
  })

  test('is one of two at once', async () => {
    const { challenge, code } = await mailedCode(server, (await member()).email)
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => giveCode(challenge, code, n % 2 ? { at: limited } : {})),
    )
    expect(tally(answers)).toEqual({ 200: 1, 401: 3 })
  })

  test('is one for an earlier address of the account', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const { challenge, code } = await mailedCode(server, user.email)
    ok(await tenant.admin.put(`/users/${user.userId}`, { email: unknownEmail() }))
    expect(await giveCode(challenge, code)).toMatchObject(wrong)
  })

  test('is any while user, tenant or way is closed, which only the right one tells', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const first = await mailedCode(server, user.email)
    const admin = await signInWithCode(tenant.admin, await addTotp(tenant.admin))
    ok(await admin.put('/settings/tenant/auth.ways', { value: { email_code: false } }))
    expect(await giveCode(first.challenge, otherThan(first.code))).toMatchObject(wrong)
    expect(await giveCode(first.challenge, first.code)).toMatchObject(refusal('wayClosed'))
    expect(await giveCode(first.challenge, first.code)).toMatchObject(wrong)
    ok(await admin.put(`/users/${user.userId}`, { status: 0 }))
    const second = await mailedCode(server, user.email)
    expect(await giveCode(second.challenge, second.code)).toMatchObject(refusal('accountDisabled'))
  })
})

describe('nobody', () => {
  test('kills the code of another request', async () => {
    const { email } = await member()
    const { challenge, code } = await mailedCode(server, email)
    for (let n = 0; n < 3; n += 1) ok(await askCode(email))
    expect((await giveCode(challenge, code)).status).toBe(200)
  })

  test('gets more than 3 of the 5 e-mails of an hour from one source, and the answer stays the same', async () => {
    const { email } = await member()
    const mailsFrom = async (count: number, headers: Record<string, string>) => {
      for (let n = 0; n < count; n += 1) ok(await askCode(email, { at: limited, headers }))
      return (await waitingFor(email)).length
    }
    expect(await mailsFrom(5, newSource())).toBe(3)
    expect(await mailsFrom(5, newSource())).toBe(5)
    expect(await mailsFrom(1, newSource())).toBe(5)
    clock.advance(60 * minute + 1)
    expect(await mailsFrom(1, newSource())).toBe(6)
  })

  test.each([
    ['a known', async () => (await member()).email],
    ['an unknown', async () => unknownEmail()],
  ])(
    'guesses the codes of %s address more than 20 times in an hour, from many sources',
    async (_kind, emailOf) => {
      const email = await emailOf()
      const guess = async (challenge: string) =>
        giveCode(challenge, 'wrong', { at: limited, headers: newSource() })
      const { challenge: spare } = ok(await askCode(email, { at: limited, headers: newSource() }))
      for (let n = 0; n < 4; n += 1) {
        const { challenge } = ok(await askCode(email, { at: limited, headers: newSource() }))
        const answers = []
        for (let m = 0; m < 5; m += 1) answers.push(await guess(challenge))
        expect(tally(answers)).toEqual({ 401: 5 })
      }
      const asking = await askCode(email, { at: limited, headers: newSource() })
      expect(asking).toMatchObject(refusal('tooManyCodes'))
      const refused = await guess(spare)
      expect(refused).toMatchObject(refusal('tooManyCodes'))
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500)
      clock.advance(60 * minute)
      const { challenge: later } = ok(await askCode(email, { at: limited, headers: newSource() }))
      expect(await guess(later)).toMatchObject(wrong)
    },
  )

  test('guesses more than ten times from one source, as with passwords', async () => {
    const { email } = await member()
    const from = { at: limited, headers: newSource() }
    for (let n = 0; n < 2; n += 1) {
      const { challenge } = ok(await askCode(email, from))
      for (let m = 0; m < 5; m += 1) await giveCode(challenge, 'wrong', from)
    }
    expect(await postLogin(email, password, from)).toMatchObject(refusal('tooManyFailures'))
    expect((await postLogin(email, password, { at: limited, headers: newSource() })).status).toBe(200)
  })
})

describe('an address without an account', () => {
  test('gets the same answer and no e-mail while registration is closed', async () => {
    const email = unknownEmail()
    const { challenge } = ok(await askCode(email, { at: closed }))
    const { challenge: known } = ok(await askCode((await member()).email, { at: closed }))
    expect(challenge).toHaveLength(known.length)
    expect(await waitingFor(email)).toEqual([])
    expect(await giveCode(challenge, '123456')).toMatchObject(wrong)
  })

  test('is offered an account by mail while people may register', async () => {
    const email = unknownEmail()
    ok(await askCode(email))
    expect(await codeIn(server, email)).toBe('')
    expect(server.to(email).at(-1)).toMatchObject({
      subject: 'There is no account with this e-mail address',
      link: undefined,
    })
  })

  test('opens no account that is registered after the request', async () => {
    const account = credentials()
    const { challenge } = ok(await askCode(account.email))
    ok(await postRegister(account))
    expect(await giveCode(challenge, '123456')).toMatchObject(wrong)
  })
})

test('no code is in the database in the clear, nor in a record', async () => {
  const user = await member()
  const { challenge } = ok(await askCode(user.email))
  const dump = async () =>
    JSON.stringify(
      await Promise.all(
        ['mail_queue', 'email_codes'].map((table) =>
          parts.store.scoped({}).many(sql([`select to_jsonb(t)::text as row from ${table} t`])),
        ),
      ),
    )
  const before = await dump()
  const code = await codeIn(server, user.email)
  expect(before).not.toContain(challenge)
  for (const form of [`"${code}"`, Buffer.from(code).toString('hex')]) expect(before).not.toContain(form)
  ok(await giveCode(challenge, code))
  expect(JSON.stringify(await recordsOf(user))).not.toContain(code)
})

describe('codes by mail', () => {
  test('are 403 while the installation closes them, and send nothing', async () => {
    const { email } = await member()
    await putGlobalWays({})
    try {
      expect(await askCode(email)).toMatchObject(refusal('emailCodesOff'))
      expect(await waitingFor(email)).toEqual([])
    } finally {
      await putGlobalWays({ email_code: true })
    }
  })

  test('end the sessions that they opened when they are closed', async () => {
    const user = await owner()
    expect((await user.get('/profile')).status).toBe(200)
    await putGlobalWays({})
    try {
      expect(await user.get('/profile')).toMatchObject(refusal('tokenInvalid'))
    } finally {
      await putGlobalWays({ email_code: true })
    }
  })

  test('are 503 without mail, and no way then', async () => {
    const mailless = await startApp({}, undefined, { mailer: undefined })
    expect(await askCode((await member()).email, { at: mailless })).toMatchObject(refusal('mailOff'))
    const told = async (at?: Running) =>
      ok(await call('GET', '/auth/options', at ? { at } : {})).ways.email_code
    expect([await told(), await told(mailless)]).toEqual([true, false])
    await mailless.app.close()
  })

  test('are closed in a tenant that says so, and opened by none that the installation closes', async () => {
    const tenant = await newTenant()
    const admin = await signInWithCode(tenant.admin, await addTotp(tenant.admin))
    const told = async () => ok(await call('GET', `/auth/options?tenant=${tenant.id}`)).ways.email_code
    expect(await told()).toBe(true)
    ok(await admin.put('/settings/tenant/auth.ways', { value: { email_code: false } }))
    expect(await told()).toBe(false)
    ok(await admin.put('/settings/tenant/auth.ways', { value: { email_code: true } }))
    await putGlobalWays({})
    try {
      expect(await told()).toBe(false)
      const [setting] = ok(await admin.get('/settings/effective?prefix=auth.ways'))
      expect(setting.value.email_code).toBe(false)
    } finally {
      await putGlobalWays({ email_code: true })
    }
  })
})
