import { beforeAll, describe, expect, test } from 'vitest'
import { decodeJwt } from 'jose'
import { actionsOf, pingStatus, postLogin, postRefresh } from '../../../../test/accounts.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import { newTenant, ok, password, platformAdmin, type Caller } from '../../../../test/factories.ts'
import { call, clock, startApp } from '../../../../test/harness.ts'
import {
  addPasskey,
  addTotp,
  postFactor,
  secondStepOf,
  signInWithCode,
  wrongCode,
} from '../../../../test/second-factors.ts'

beforeAll(() => platformAdmin())

const member = async (): Promise<Caller> => (await newTenant()).member()

const amrOf = (token: string) => (decodeJwt(token)['amr'] as string[]).toSorted()

const minuteMs = 60_000

describe('a sign-in with a second factor', () => {
  test('asks for it only after the right password, and opens no session before', async () => {
    const user = await member()
    const app = await addTotp(user)
    const sessions = async () => ok(await user.get('/auth/sessions')).length
    const answer = await postLogin(user.email)
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject({
      code: 40108,
      data: { methods: ['totp', 'recovery_code'], passkey_options: null },
    })
    expect(answer.data.challenge).toMatch(/^[\w-]{43}$/)
    expect(await sessions()).toBe(1)
    expect(await postLogin(user.email, 'not the password')).toMatchObject(refusal('credentialsWrong'))
    ok(await postFactor({ challenge: answer.data.challenge, code: app.nextCode() }))
    expect(await sessions()).toBe(2)
  })

  test('gives tokens that tell both proofs, also after a refresh', async () => {
    const user = await member()
    expect(amrOf(user.token)).toEqual(['pwd'])
    const again = await signInWithCode(user, await addTotp(user))
    expect(amrOf(again.token)).toEqual(['mfa', 'otp', 'pwd'])
    const refreshed = ok(await postRefresh(again.refreshToken))
    expect(amrOf(refreshed.access_token)).toEqual(['mfa', 'otp', 'pwd'])
    expect(decodeJwt(refreshed.refresh_token)).not.toHaveProperty('amr')
  })

  test('takes a passkey in place of a code', async () => {
    const user = await member()
    const { authenticator } = await addPasskey(user)
    const { challenge, methods, passkey_options: options } = await secondStepOf(user.email)
    expect(methods).toEqual(['passkey', 'recovery_code'])
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    const pair = ok(await postFactor({ challenge, passkey: authenticator.get(options) }))
    expect(amrOf(pair.access_token)).toEqual(['mfa', 'pop', 'pwd'])
  })

  test('takes exactly one answer', async () => {
    const user = await member()
    const app = await addTotp(user)
    const { challenge } = await secondStepOf(user.email)
    const [recovery_code] = app.recoveryCodes
    expect(await postFactor({ challenge })).toMatchObject(refusalOf('body'))
    expect(await postFactor({ challenge, code: app.nextCode(), recovery_code })).toMatchObject(
      refusalOf('body'),
    )
    ok(await postFactor({ challenge, recovery_code }))
  })

  test('answers a disabled user and a disabled tenant as login does', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const user = await tenant.member()
    const app = await addTotp(user)
    const { challenge } = await secondStepOf(user.email)
    ok(await tenant.admin.put(`/users/${user.userId}`, { status: 0 }))
    expect(await postFactor({ challenge, code: app.nextCode() })).toMatchObject(refusal('accountDisabled'))
    ok(await tenant.admin.put(`/users/${user.userId}`, { status: 1 }))
    ok(await root.put(`/org/tenants/${tenant.id}`, { status: 0 }))
    expect(await postFactor({ challenge, code: app.nextCode() })).toMatchObject(refusal('tenantSuspended'))
  })

  test('keeps to the tenant that login asked for', async () => {
    const user = await member()
    const other = await newTenant()
    const app = await addTotp(user)
    const login = (tenant_id: string) =>
      call('POST', '/auth/login', { body: { email: user.email, password, tenant_id } })
    expect(await login(other.id)).toMatchObject(refusal('credentialsWrong'))
    const { data } = await login(user.tenantId)
    const pair = ok(await postFactor({ challenge: data.challenge, code: app.nextCode() }))
    expect(decodeJwt(pair.access_token)['tid']).toBe(user.tenantId)
  })

  test('records a wrong answer as a failed login, and the right one as a login', async () => {
    const user = await member()
    const app = await addTotp(user)
    const before = (await actionsOf(user)).length
    const { challenge } = await secondStepOf(user.email)
    await postFactor({ challenge, code: wrongCode(app.secret) })
    await postFactor({ challenge, code: app.nextCode() })
    expect((await actionsOf(user)).slice(before)).toEqual(['auth.login_failed', 'auth.login'])
  })
})

describe('the challenge of a sign-in', () => {
  test('is used up by the right answer', async () => {
    const user = await member()
    const app = await addTotp(user)
    const { challenge } = await secondStepOf(user.email)
    ok(await postFactor({ challenge, code: app.nextCode() }))
    expect(await postFactor({ challenge, code: app.nextCode() })).toMatchObject(refusal('challengeDead'))
  })

  test('dies after five minutes', async () => {
    const user = await member()
    const app = await addTotp(user)
    const { challenge } = await secondStepOf(user.email)
    clock.advance(5 * minuteMs)
    expect(await postFactor({ challenge, code: app.code() })).toMatchObject(refusal('challengeDead'))
  })

  test('dies after five wrong answers, of codes and passkeys together', async () => {
    const user = await member()
    const app = await addTotp(user)
    const { authenticator } = await addPasskey(user)
    const { challenge, passkey_options: options } = await secondStepOf(user.email)
    const wrong = [
      { code: wrongCode(app.secret) },
      { recovery_code: 'AAAA-AAAA-AAAA-AAAA' },
      { passkey: authenticator.get(options, { origin: 'https://evil.example' }) },
      { code: wrongCode(app.secret) },
      { code: 'abcdef' },
    ]
    for (const answer of wrong) {
      expect(await postFactor({ challenge, ...answer })).toMatchObject(refusal('factorWrong'))
    }
    expect(await postFactor({ challenge, code: app.nextCode() })).toMatchObject(refusal('challengeDead'))
  })

  test('bears five wrong answers in all, also of ten connections at once', async () => {
    const user = await member()
    const app = await addTotp(user)
    const { challenge } = await secondStepOf(user.email)
    const code = wrongCode(app.secret)
    const answers = await Promise.all(Array.from({ length: 10 }, () => postFactor({ challenge, code })))
    const codes = answers.map(({ body }) => body.code as number)
    expect(tally(answers)).toEqual({ 401: 10 })
    expect(codes.filter((one) => one === 40109)).toHaveLength(5)
    expect(codes.filter((one) => one === 40110)).toHaveLength(5)
    expect(await postFactor({ challenge, code: app.nextCode() })).toMatchObject(refusal('challengeDead'))
  })

  test('opens one session, also when the right code comes twice at once', async () => {
    const user = await member()
    const app = await addTotp(user)
    const steps = await Promise.all([secondStepOf(user.email), secondStepOf(user.email)])
    const code = app.nextCode()
    const answers = await Promise.all(steps.map(({ challenge }) => postFactor({ challenge, code })))
    expect(tally(answers)).toEqual({ 200: 1, 401: 1 })
    const [{ challenge }] = [await secondStepOf(user.email)]
    const next = app.nextCode()
    const twice = await Promise.all([1, 2, 3].map(() => postFactor({ challenge, code: next })))
    expect(tally(twice)).toEqual({ 200: 1, 401: 2 })
  })

  test('dies with the sessions of the account: after a change of the password, or of factors', async () => {
    const user = await member()
    const app = await addTotp(user)
    const ended = await secondStepOf(user.email)
    const next = 'another good password'
    ok(await user.post('/password', { old_password: password, new_password: next }))
    expect(await postFactor({ challenge: ended.challenge, code: app.nextCode() })).toMatchObject(
      refusal('challengeDead'),
    )
    const { data } = await postLogin(user.email, next)
    const { id } = ok(await user.post('/auth/factors/totp', { name: 'Second', password: next }))
    expect(id).toBeDefined()
    ok(await user.post(`/auth/factors/${app.id}/remove`, { password: next }))
    expect(await postFactor({ challenge: data.challenge, code: app.nextCode() })).toMatchObject(
      refusal('challengeDead'),
    )
  })

  test('is of no use to another account', async () => {
    const [victim, thief] = [await member(), await member()]
    const [own, foreign] = [await addTotp(thief), await addTotp(victim)]
    const { challenge } = await secondStepOf(thief.email)
    const code = foreign.nextCode()
    expect(await postFactor({ challenge, code })).toMatchObject(refusal('factorWrong'))
    const answer = ok(await postFactor({ challenge, code: own.code() }))
    expect(decodeJwt(answer.access_token)['sub']).toBe(String(thief.userId))
  })

  test('a challenge that the service did not make is refused', async () => {
    for (const challenge of ['x', 'A'.repeat(43), 'A'.repeat(128)]) {
      expect(await postFactor({ challenge, code: '123456' })).toMatchObject(refusal('challengeDead'))
    }
    expect(await postFactor({ challenge: 'A'.repeat(129), code: '123456' })).toMatchObject(
      refusalOf('challenge'),
    )
  })
})

describe('wrong codes', () => {
  test('count like wrong passwords: the tenth makes the source wait', async () => {
    const limited = await startApp({ rateLimit: true })
    const at = { at: limited }
    try {
      const user = await member()
      const app = await addTotp(user)
      for (let round = 0; round < 2; round += 1) {
        const { challenge } = await secondStepOf(user.email, at)
        const code = wrongCode(app.secret)
        for (let count = 0; count < 5; count += 1) await postFactor({ challenge, code }, at)
      }
      const refused = await postLogin(user.email, password, at)
      expect(refused).toMatchObject(refusal('tooManyFailures'))
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await limited.app.close()
    }
  })

  test('wrong codes from many sources close the account to codes for an hour, and not to passkeys', async () => {
    const limited = await startApp({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
    let sources = 0
    const from = () => {
      sources += 1
      return { at: limited, headers: { 'x-forwarded-for': `203.0.113.${sources}` } }
    }
    try {
      const user = await member()
      const app = await addTotp(user)
      const { authenticator } = await addPasskey(user)
      const before = (await actionsOf(user)).length
      for (let round = 0; round < 4; round += 1) {
        const { challenge } = await secondStepOf(user.email, from())
        const code = wrongCode(app.secret)
        const answers = await Promise.all([1, 2, 3, 4, 5].map(() => postFactor({ challenge, code }, from())))
        expect(tally(answers)).toEqual({ 401: 5 })
      }
      const { challenge, passkey_options: options } = await secondStepOf(user.email, from())
      const closed = await postFactor({ challenge, code: app.nextCode() }, from())
      expect(closed).toMatchObject(refusal('tooManyCodes'))
      expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(3500)
      const [recovery_code] = app.recoveryCodes
      expect(await postFactor({ challenge, recovery_code }, from())).toMatchObject(refusal('tooManyCodes'))
      ok(await postFactor({ challenge, passkey: authenticator.get(options) }, from()))
      const records = (await actionsOf(user)).slice(before)
      expect(records.filter((action) => action === 'factor.codes_guessed')).toHaveLength(1)
      clock.advance(60 * minuteMs)
      const later = await secondStepOf(user.email, from())
      ok(await postFactor({ challenge: later.challenge, code: app.nextCode() }, from()))
    } finally {
      await limited.app.close()
    }
  })
})

test('an earlier session ends with the first factor, and the session that added it continues', async () => {
  const user = await member()
  const other = ok(await postLogin(user.email))
  await addTotp(user)
  expect(await pingStatus(other.access_token)).toBe(401)
  expect(await pingStatus(user.token)).toBe(200)
})
