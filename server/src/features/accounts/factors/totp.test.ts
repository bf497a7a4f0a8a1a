import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { Secret, TOTP, URI } from 'otpauth'
import { recordsOf } from '../../../../test/accounts.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { keyWith, newTenant, ok, password, platformAdmin, type Caller } from '../../../../test/factories.ts'
import { clock, parts, startApp } from '../../../../test/harness.ts'
import {
  addTotp,
  beginTotp,
  codeOf,
  postFactor,
  secondStepOf,
  signInWithCode,
  wrongCode,
} from '../../../../test/second-factors.ts'
import { createSecrets } from '../../../crypto/secrets.ts'
import { sweepChallenges } from './factors.service.ts'

beforeAll(() => platformAdmin())

const member = async (): Promise<Caller> => (await newTenant()).member()

const stepMs = 30_000
const minuteMs = 60_000

describe('an authenticator app', () => {
  test('gets a secret that its QR code carries as well', async () => {
    const user = await member()
    const { secret, otpauth_uri: uri } = ok(await beginTotp(user))
    const read = URI.parse(uri)
    expect(read).toBeInstanceOf(TOTP)
    expect(read).toMatchObject({
      issuer: 'Tenantry',
      label: user.email,
      algorithm: 'SHA1',
      digits: 6,
      period: 30,
    })
    expect(read.secret.base32).toBe(secret)
    expect(Secret.fromBase32(secret).bytes).toHaveLength(20)
  })

  test('counts once its first code was right', async () => {
    const user = await member()
    const { id, secret } = ok(await beginTotp(user))
    expect(ok(await user.get('/auth/factors'))).toEqual({
      factors: [],
      recovery_codes_left: 0,
      has_password: true,
      accepted_passkeys: null,
    })
    const confirm = (code: string) => user.post(`/auth/factors/totp/${id}/confirm`, { code })
    expect(await confirm(wrongCode(secret))).toMatchObject(refusalOf('code', 'codeWrong'))
    const { recovery_codes: codes } = ok(await confirm(codeOf(secret)))
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    expect(ok(await user.get('/auth/factors'))).toEqual({
      factors: [{ id, type: 'totp', name: 'App', created_at: expect.any(String), last_used_at: '' }],
      recovery_codes_left: 10,
      has_password: true,
      accepted_passkeys: null,
    })
    expect(await confirm(codeOf(secret))).toMatchObject(refusal('factorUnknown'))
  })

  test('an app that is begun anew replaces the one without a first code', async () => {
    const user = await member()
    const former = ok(await beginTotp(user))
    const next = ok(await beginTotp(user))
    const confirm = ({ id, secret }: { id: string; secret: string }) =>
      user.post(`/auth/factors/totp/${id}/confirm`, { code: codeOf(secret) })
    expect(await confirm(former)).toMatchObject(refusal('factorUnknown'))
    ok(await confirm(next))
  })

  test('has to be confirmed within 15 minutes, and is deleted after that', async () => {
    const user = await member()
    const { id, secret } = ok(await beginTotp(user))
    clock.advance(15 * minuteMs)
    const path = `/auth/factors/totp/${id}/confirm`
    expect(await user.post(path, { code: codeOf(secret) })).toMatchObject(refusal('factorUnknown'))
    await sweepChallenges(parts)
    const rows = await parts.store.scoped({}).many(sql`select id from factors where id = ${id}`)
    expect(rows).toEqual([])
  })

  test('an app of another account cannot be confirmed', async () => {
    const [user, thief] = [await member(), await member()]
    const { id, secret } = ok(await beginTotp(user))
    const path = `/auth/factors/totp/${id}/confirm`
    expect(await thief.post(path, { code: codeOf(secret) })).toMatchObject(refusal('factorUnknown'))
  })

  test('takes the password, and is refused to a key', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const answer = await user.post('/auth/factors/totp', { name: 'App', password: 'not the password' })
    expect(answer).toMatchObject(refusal('oldPasswordWrong'))
    const key = await keyWith(tenant.id, [])
    expect(await key.post('/auth/factors/totp', { name: 'App', password })).toMatchObject(
      refusal('permissionMissing'),
    )
  })

  test('is 503 without a secret key', async () => {
    const user = await member()
    const without = await startApp({}, undefined, { secrets: createSecrets([]) })
    try {
      expect(await user.post('/auth/factors/totp', { name: 'App', password }, { at: without })).toMatchObject(
        refusal('secretsOff'),
      )
    } finally {
      await without.app.close()
    }
  })

  test('is encrypted in the database, bound to its row', async () => {
    const user = await member()
    const app = await addTotp(user)
    const row = await parts.store
      .scoped({})
      .one<{ secret_sealed: Buffer }>(sql`select secret_sealed from factors where id = ${app.id}`)
    const sealed = row?.secret_sealed ?? Buffer.alloc(0)
    expect(sealed.toString('latin1')).not.toContain(app.secret)
    expect(parts.secrets.open(sealed, `factors ${app.id}`)).toBe(app.secret)
    expect(() => parts.secrets.open(sealed, `factors ${crypto.randomUUID()}`)).toThrow(/authenticate/)
  })

  test('leaves records without its secret and its codes', async () => {
    const user = await member()
    const app = await addTotp(user, 'Telephone')
    const records = await recordsOf(user)
    expect(records.map(({ action }) => action)).toEqual(['auth.login', 'factor.begin', 'factor.add'])
    expect(records.at(-1)).toMatchObject({
      resource: 'factor',
      resource_id: String(user.userId),
      detail: { type: { from: null, to: 'totp' }, name: { from: null, to: 'Telephone' } },
    })
    const text = JSON.stringify(records)
    for (const secret of [app.secret, ...app.recoveryCodes]) expect(text).not.toContain(secret)
  })
})

describe('a code', () => {
  const answer = async (user: Caller, code: string) => {
    const { challenge } = await secondStepOf(user.email)
    return postFactor({ challenge, code })
  }

  test('works once, also that of the confirmation, and so do earlier ones from then on', async () => {
    const user = await member()
    const app = await addTotp(user)
    expect(await answer(user, app.code())).toMatchObject(refusal('factorWrong'))
    const [first, second] = [app.nextCode(), app.nextCode()]
    ok(await answer(user, second))
    expect(await answer(user, second)).toMatchObject(refusal('factorWrong'))
    expect(await answer(user, first)).toMatchObject(refusal('factorWrong'))
    ok(await answer(user, app.nextCode()))
  })

  test('may be one step early or late, and no more', async () => {
    const user = await member()
    const app = await addTotp(user)
    // Moves the clock to the beginning of a time step, so that no step ends during the test.
    clock.advance(10 * stepMs - (clock.now().getTime() % stepMs))
    const codes = [-2, -1, 0, 1, 2].map((steps) => {
      const timestamp = clock.now().getTime() + steps * stepMs
      return new TOTP({ secret: Secret.fromBase32(app.secret) }).generate({ timestamp })
    })
    const statuses: number[] = []
    for (const code of codes) statuses.push((await answer(user, code)).status)
    expect(statuses).toEqual([401, 200, 200, 200, 401])
  })

  test('may carry spaces', async () => {
    const user = await member()
    const app = await addTotp(user)
    const code = app.nextCode()
    expect((await answer(user, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
  })

  test.each([
    ['full-width', 0xff10],
    ['Arabic', 0x660],
    ['Persian', 0x6f0],
  ])('may be typed in %s digits', async (_script, zero) => {
    const user = await member()
    const typed = (code: string) =>
      code.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
    const { id, secret } = ok(await beginTotp(user))
    ok(await user.post(`/auth/factors/totp/${id}/confirm`, { code: typed(codeOf(secret)) }))
    clock.advance(stepMs)
    expect((await answer(user, typed(codeOf(secret)))).status).toBe(200)
  })

  test.each([
    ['Devanagari digits', '१२३४५६'],
    ['mathematical digits', '𝟏𝟐𝟑𝟒𝟓𝟔'],
    ['circled digits', '①②③④⑤⑥'],
    ['letters', 'äöüßéè'],
    ['pictures', '🔑🔑🔑'],
    ['a sign', '+12345'],
    ['spaces alone', '      '],
    ['too few digits', '12345'],
    ['too many digits', '1234567'],
  ])('a code of %s is a wrong answer', async (_form, code) => {
    const user = await member()
    const app = await addTotp(user)
    const { challenge } = await secondStepOf(user.email)
    for (let count = 0; count < 5; count += 1) {
      expect(await postFactor({ challenge, code })).toMatchObject(refusal('factorWrong'))
    }
    expect(await postFactor({ challenge, code: app.nextCode() })).toMatchObject(refusal('challengeDead'))
    const newcomer = await member()
    const { id } = ok(await beginTotp(newcomer))
    expect(await newcomer.post(`/auth/factors/totp/${id}/confirm`, { code })).toMatchObject(
      refusalOf('code', 'codeWrong'),
    )
  })

  test('notes the use of its factor', async () => {
    const user = await member()
    const again = await signInWithCode(user, await addTotp(user))
    const [factor] = ok(await again.get('/auth/factors')).factors
    expect(Date.parse(factor.last_used_at)).toBeGreaterThan(Date.parse(factor.created_at))
  })

  test('a code of each of several apps is accepted', async () => {
    const user = await member()
    const [first, second] = [await addTotp(user, 'First'), await addTotp(user, 'Second')]
    expect(second.recoveryCodes).toEqual([])
    for (const code of [first.nextCode(), second.code()]) {
      expect((await answer(user, code)).status).toBe(200)
    }
  })
})

test('a first code cannot be guessed in a stolen session: the twentieth wrong one closes the account to codes', async () => {
  const limited = await startApp({ rateLimit: true })
  const at = { at: limited }
  try {
    const user = await member()
    const { id, secret } = ok(await beginTotp(user))
    const confirm = (code: string) => user.post(`/auth/factors/totp/${id}/confirm`, { code }, at)
    const code = wrongCode(secret)
    for (let count = 0; count < 20; count += 1) expect((await confirm(code)).status).toBe(400)
    expect(await confirm(codeOf(secret))).toMatchObject(refusal('tooManyCodes'))
  } finally {
    await limited.app.close()
  }
})
