import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { decodeJwt } from 'jose'
import { createAuthenticator, type Deceit } from '../../../../test/authenticator.ts'
import { actionsOf } from '../../../../test/accounts.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import { newTenant, ok, password, platformAdmin, signIn, type Caller } from '../../../../test/factories.ts'
import { call, clock, parts, startApp, type Call } from '../../../../test/harness.ts'
import { addPasskey, addTotp, postFactor, secondStepOf, withTokens } from '../../../../test/second-factors.ts'
import { passkeysAreOn } from '../../../config/relying-party.ts'

beforeAll(() => platformAdmin())

const member = async (): Promise<Caller> => (await newTenant()).member()

const fiveMinutes = 5 * 60_000

const begin = (options: Call = {}) => call('POST', '/auth/passkey/options', options)
const finish = (response: unknown, more: object = {}, options: Call = {}) =>
  call('POST', '/auth/passkey', { ...options, body: { response, ...more } })

const beginAdding = async (user: Caller) => ok(await user.post('/auth/factors/passkey/options', { password }))

/** Ways of cheating that every ceremony refuses. */
const deceits: Record<string, Deceit> = {
  'another origin': { origin: 'https://evil.example' },
  'a subdomain as origin': { origin: 'http://sub.localhost:0' },
  'another port as origin': { origin: 'http://localhost:1' },
  'another RP ID': { rpId: 'evil.example' },
  'a person who did not prove themselves': { isUnverified: true },
  'the other ceremony': { type: 'webauthn.other' },
}

describe('adding a passkey', () => {
  test('asks for a resident key with verification, under a random handle', async () => {
    const [user, other] = [await member(), await member()]
    const options = await beginAdding(user)
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: user.email },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32)
    expect((await beginAdding(user)).user.id).toBe(options.user.id)
    expect((await beginAdding(other)).user.id).not.toBe(options.user.id)
  })

  test('excludes those that the account has', async () => {
    const user = await member()
    await addPasskey(user)
    expect((await beginAdding(user)).excludeCredentials).toHaveLength(1)
  })

  test.each(Object.entries(deceits))('refuses %s', async (_name, deceit) => {
    const user = await member()
    const options = await beginAdding(user)
    const response = createAuthenticator().create(options, deceit)
    expect(await user.post('/auth/factors/passkey', { name: 'x', response })).toMatchObject(
      refusal('passkeyInvalid'),
    )
    expect(ok(await user.get('/auth/factors')).factors).toEqual([])
  })

  test('takes an id of up to 1,023 bytes, and refuses a longer one of the authenticator', async () => {
    const user = await member()
    const add = async (idBytes: number) => {
      const { id, rawId, ...made } = createAuthenticator().create(await beginAdding(user), { idBytes })
      const response = { ...made, id: id.slice(0, 1364), rawId: rawId.slice(0, 1364) }
      return user.post('/auth/factors/passkey', { name: 'x', response })
    }
    for (const idBytes of [4000, 10_000, 1024]) {
      expect(await add(idBytes)).toMatchObject(refusal('passkeyInvalid'))
    }
    ok(await add(1023))
  })

  test('takes an answer once, within five minutes, and only to the latest options', async () => {
    const user = await member()
    const post = (response: unknown) => user.post('/auth/factors/passkey', { name: 'x', response })
    const earlier = createAuthenticator().create(await beginAdding(user))
    const late = createAuthenticator().create(await beginAdding(user))
    expect(await post(earlier)).toMatchObject(refusal('passkeyInvalid'))
    clock.advance(fiveMinutes)
    expect(await post(late)).toMatchObject(refusal('passkeyInvalid'))
    const response = createAuthenticator().create(await beginAdding(user))
    expect(tally(await Promise.all([post(response), post(response)]))).toEqual({ 200: 1, 400: 1 })
  })

  test('is bound to the session that asked: neither another one of the person nor another account can answer', async () => {
    const [user, thief] = [await member(), await member()]
    const second = await signIn(user)
    const response = createAuthenticator().create(await beginAdding(user))
    for (const other of [second, thief]) {
      expect(await other.post('/auth/factors/passkey', { name: 'x', response })).toMatchObject(
        refusal('passkeyInvalid'),
      )
    }
    ok(await user.post('/auth/factors/passkey', { name: 'x', response }))
  })

  test('is not done by the challenge of a sign-in', async () => {
    const user = await member()
    const options = await beginAdding(user)
    const { challenge } = ok(await begin())
    const response = createAuthenticator().create({ ...options, challenge })
    expect(await user.post('/auth/factors/passkey', { name: 'x', response })).toMatchObject(
      refusal('passkeyInvalid'),
    )
  })

  test('refuses the password of somebody else, and input without bounds', async () => {
    const user = await member()
    expect(await user.post('/auth/factors/passkey/options', { password: 'wrong' })).toMatchObject(
      refusal('oldPasswordWrong'),
    )
    const response = createAuthenticator().create(await beginAdding(user))
    const long = { ...response, response: { ...response.response, attestationObject: 'A'.repeat(16_385) } }
    expect(await user.post('/auth/factors/passkey', { name: 'x', response: long })).toMatchObject(
      refusalOf('response.response.attestationObject'),
    )
    const nonsense = { ...response, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } }
    expect(await user.post('/auth/factors/passkey', { name: 'x', response: nonsense })).toMatchObject(
      refusal('passkeyInvalid'),
    )
  })
})

describe('signing in with only a passkey', () => {
  test('opens a session of its account, which has a second factor', async () => {
    const user = await member()
    const { authenticator } = await addPasskey(user)
    const options = ok(await begin())
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
    const { access_token: token } = ok(await finish(authenticator.get(options)))
    expect(decodeJwt(token)).toMatchObject({
      sub: String(user.userId),
      tid: user.tenantId,
      amr: ['pop', 'mfa'],
    })
    expect((await actionsOf(user)).at(-1)).toBe('auth.login')
    const [factor] = ok(
      await withTokens(user, { access_token: token, refresh_token: '' }).get('/auth/factors'),
    ).factors
    expect(factor.last_used_at).not.toBe('')
  })

  test.each(Object.entries(deceits))('refuses %s', async (_name, deceit) => {
    const { authenticator } = await addPasskey(await member())
    const response = authenticator.get(ok(await begin()), deceit)
    expect(await finish(response)).toMatchObject(refusal('factorWrong'))
  })

  test('says so when no account has the passkey, so that the browser forgets it', async () => {
    const user = await member()
    const [kept, removed] = [await addPasskey(user), await addPasskey(user, 'Telephone')]
    const before = ok(await user.get('/auth/factors')).accepted_passkeys
    expect(before).toMatchObject({ rpId: 'localhost', allAcceptedCredentialIds: { length: 2 } })
    expect(before.userId).toBe((await beginAdding(user)).user.id)
    ok(await user.post(`/auth/factors/${removed.id}/remove`, { password }))
    const answer = removed.authenticator.get(ok(await begin()))
    expect(await finish(answer)).toMatchObject(refusal('passkeyUnknown'))
    expect(ok(await user.get('/auth/factors')).accepted_passkeys.allAcceptedCredentialIds).toEqual([
      kept.authenticator.get(ok(await begin())).id,
    ])
    expect((await actionsOf(user)).at(-1)).toBe('auth.login_failed')
  })

  test('takes an answer once, within five minutes', async () => {
    const { authenticator } = await addPasskey(await member())
    const response = authenticator.get(ok(await begin()))
    expect(tally(await Promise.all([finish(response), finish(response)]))).toEqual({ 200: 1, 401: 1 })
    const late = authenticator.get(ok(await begin()))
    clock.advance(fiveMinutes)
    expect(await finish(late)).toMatchObject(refusal('challengeDead'))
  })

  test('takes no challenge of a login, and a login none of this', async () => {
    const user = await member()
    const { authenticator } = await addPasskey(user)
    const step = await secondStepOf(user.email)
    expect(await finish(authenticator.get(step.passkey_options))).toMatchObject(refusal('challengeDead'))
    const options = ok(await begin())
    expect(
      await postFactor({ challenge: options.challenge, passkey: authenticator.get(options) }),
    ).toMatchObject(refusal('challengeDead'))
    expect(
      await postFactor({ challenge: step.challenge, passkey: authenticator.get(options) }),
    ).toMatchObject(refusal('factorWrong'))
  })

  test('never signs in to another account, whatever handle the answer names', async () => {
    const [victim, thief] = [await member(), await member()]
    const handle = (await beginAdding(victim)).user.id
    await addPasskey(victim)
    const { authenticator } = await addPasskey(thief)
    const response = authenticator.get(ok(await begin()), { userHandle: handle })
    expect(await finish(response)).toMatchObject(refusal('factorWrong'))
    expect((await actionsOf(victim)).at(-1)).toBe('auth.login_failed')
  })

  test('refuses the passkey of another account as the second factor of a login', async () => {
    const [victim, thief] = [await member(), await member()]
    await addPasskey(victim)
    const { authenticator } = await addPasskey(thief)
    const { challenge, passkey_options: options } = await secondStepOf(victim.email)
    expect(await postFactor({ challenge, passkey: authenticator.get(options) })).toMatchObject(
      refusal('factorWrong'),
    )
  })

  test('refuses a cloned passkey, whose counter did not increase', async () => {
    const { authenticator } = await addPasskey(await member())
    ok(await finish(authenticator.get(ok(await begin()), { counter: 7 })))
    for (const counter of [7, 6, 0]) {
      const response = authenticator.get(ok(await begin()), { counter })
      expect(await finish(response)).toMatchObject(refusal('factorWrong'))
    }
    ok(await finish(authenticator.get(ok(await begin()), { counter: 8 })))
  })

  test('takes a passkey that does not count', async () => {
    const { authenticator } = await addPasskey(await member())
    for (const counter of [0, 0]) {
      expect((await finish(authenticator.get(ok(await begin()), { counter }))).status).toBe(200)
    }
  })

  test('refuses a forged signature and an unknown handle', async () => {
    const { authenticator } = await addPasskey(await member())
    const forged = authenticator.get(ok(await begin()))
    forged.response.signature = createSignatureLike(forged.response.signature)
    expect(await finish(forged)).toMatchObject(refusal('factorWrong'))
    const unknown = authenticator.get(ok(await begin()), { userHandle: 'AAAA' })
    expect(await finish(unknown)).toMatchObject(refusal('factorWrong'))
  })

  const createSignatureLike = (signature: string) => {
    const bytes = Buffer.from(signature, 'base64url')
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    return bytes.toString('base64url')
  }

  test('goes to the tenant that is asked for, and is 401 for one that is not the person’s', async () => {
    const [user, other] = [await member(), await newTenant()]
    const { authenticator } = await addPasskey(user)
    const foreign = authenticator.get(ok(await begin()))
    expect(await finish(foreign, { tenant_id: other.id })).toMatchObject(refusal('factorWrong'))
    const own = authenticator.get(ok(await begin()))
    ok(await finish(own, { tenant_id: user.tenantId }))
  })

  test('tells a disabled user so', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const { authenticator } = await addPasskey(user)
    ok(await tenant.admin.put(`/users/${user.userId}`, { status: 0 }))
    expect(await finish(authenticator.get(ok(await begin())))).toMatchObject(refusal('accountDisabled'))
  })
})

describe('the public address', () => {
  test.each([
    ['https://admin.example.com', true],
    ['https://admin.example.com:8443', true],
    ['https://intranet', true],
    ['http://localhost:8080', true],
    ['https://localhost', true],
    ['http://admin.example.com', false],
    ['https://203.0.113.7', false],
    ['https://[2001:db8::1]', false],
    ['http://127.0.0.1:8080', false],
  ])('%s has passkeys: %s', (publicUrl, expected) => {
    expect(passkeysAreOn({ publicUrl })).toBe(expected)
  })

  test('an address without passkeys says so, refuses them, and leaves the other factors of a login', async () => {
    const user = await member()
    await addPasskey(user)
    await addTotp(user)
    const off = await startApp({ publicUrl: 'http://127.0.0.1:8080' })
    const at = { at: off }
    try {
      expect(ok(await call('GET', '/auth/options', at)).passkeys).toBe(false)
      expect(await begin(at)).toMatchObject(refusal('passkeysOff'))
      expect(await user.post('/auth/factors/passkey/options', { password }, at)).toMatchObject(
        refusal('passkeysOff'),
      )
      const { methods, passkey_options: options } = await secondStepOf(user.email, at)
      expect([methods, options]).toEqual([['totp', 'recovery_code'], null])
    } finally {
      await off.app.close()
    }
    expect(ok(await call('GET', '/auth/options')).passkeys).toBe(true)
  })

  test('passkeys of the former host are not used at another host', async () => {
    const user = await member()
    const { id } = await addPasskey(user)
    await parts.store.scoped({}).run(sql`update factors set rp_id = 'old.example.com' where id = ${id}`)
    const { methods } = await secondStepOf(user.email)
    expect(methods).toEqual(['recovery_code'])
  })
})
