import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import {
  builtIn,
  newTenant,
  password,
  platformAdmin,
  signIn,
  unique,
  type Caller,
} from '../../../../test/factories.ts'
import { call, clock, parts, startApp } from '../../../../test/harness.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import {
  actionsOf,
  newSource,
  pingStatus,
  postLogin,
  postRefresh,
  recordsOf,
} from '../../../../test/accounts.ts'
import { deliver, useMailServer, waitingFor } from '../../../../test/mail-queue.ts'
import { addPasskey, codeOf, postFactor, secondStepOf } from '../../../../test/second-factors.ts'

const minute = 60_000
const next = 'another good password'

const server = useMailServer()

const forgot = (email: string, options: Parameters<typeof call>[2] = {}) =>
  call('POST', '/auth/password/forgot', { ...options, body: { email } })

const reset = (token: string, newPassword = next) =>
  call('POST', '/auth/password/reset', { body: { token, new_password: newPassword } })

/** The token of the newest link mailed to an address. */
const mailedToken = async (email: string): Promise<string> => {
  await deliver(server)
  return server.to(email).findLast(({ link }) => link !== undefined)?.token ?? ''
}

const askedToken = async (user: Pick<Caller, 'email'>): Promise<string> => {
  expect(await forgot(user.email)).toMatchObject({ status: 200, body: { data: null } })
  return mailedToken(user.email)
}

describe('a forgotten password', () => {
  test('is replaced by the link that was mailed', async () => {
    const user = await (await newTenant()).member()
    expect(await reset(await askedToken(user))).toMatchObject({ status: 200, body: { data: null } })
    expect(await postLogin(user.email, next)).toMatchObject({ status: 200 })
    expect(await postLogin(user.email, password)).toMatchObject(refusal('credentialsWrong'))
  })

  test('the link leads to the console of this installation, with its token in the fragment', async () => {
    const user = await (await newTenant()).member()
    await askedToken(user)
    const { link } = server.to(user.email).at(-1) ?? {}
    expect(link).toMatch(new RegExp(`^${parts.config.publicUrl}/sign-in/reset-password#token=[\\w-]{43}$`))
  })

  test('no header of the request changes the link', async () => {
    const user = await (await newTenant()).member()
    await forgot(user.email, {
      headers: {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
      },
    })
    await deliver(server)
    const mails = server.to(user.email)
    expect(mails.at(-1)?.link).toMatch(new RegExp(`^${parts.config.publicUrl}/sign-in/`))
    for (const { source } of mails) expect(source).not.toContain('evil')
  })

  test('a reset ends every session of the account', async () => {
    const user = await (await newTenant()).member()
    const other = await signIn(user)
    await reset(await askedToken(user))
    for (const { token, refreshToken } of [user, other]) {
      expect(await pingStatus(token)).toBe(401)
      expect(await postRefresh(refreshToken)).toMatchObject({ status: 401 })
    }
  })

  test('asking and resetting leave one record each, and the person is told', async () => {
    const user = await (await newTenant()).member()
    const token = await askedToken(user)
    await reset(token)
    expect(await actionsOf(user)).toEqual(['auth.login', 'auth.password_forgot', 'auth.password_reset'])
    expect((await recordsOf(user)).at(-1)).toMatchObject({
      ip: '127.0.0.1',
      resource_id: String(user.userId),
    })
    await deliver(server)
    expect(server.to(user.email).map(({ subject }) => subject)).toEqual([
      'Reset your password',
      'Your password was changed',
    ])
  })

  test('no token is in the log, in the audit log or in the database in the clear', async () => {
    const user = await (await newTenant()).member()
    await forgot(user.email)
    const dump = async () =>
      JSON.stringify(
        await Promise.all(
          ['mail_queue', 'account_links'].map((table) =>
            parts.store.scoped({}).many(sql([`select to_jsonb(t)::text as row from ${table} t`])),
          ),
        ),
      )
    const before = await dump()
    const token = await mailedToken(user.email)
    expect(token).toHaveLength(43)
    for (const form of [
      token,
      Buffer.from(token).toString('hex'),
      Buffer.from(token, 'base64url').toString('hex'),
    ]) {
      expect(before).not.toContain(form)
    }
    await reset(token)
    expect(JSON.stringify(await recordsOf(user))).not.toContain(token)
  })

  test.each([
    ['unknown', async () => unique('x').padEnd(43, 'x')],
    ['used', async (token: string) => reset(token).then(() => token)],
    ['late', async (token: string) => (clock.advance(30 * minute), token)],
  ])('a link that is %s answers 400 like every dead link, and changes nothing', async (_kind, killed) => {
    const user = await (await newTenant()).member()
    const token = await killed(await askedToken(user))
    const answer = await reset(token, 'a third good password')
    expect(answer).toMatchObject({
      ...refusal('linkDead'),
      body: { message: 'This link does not work any more. Ask for a new one' },
    })
    expect(await postLogin(user.email, 'a third good password')).toMatchObject(refusal('credentialsWrong'))
  })

  test('a link works until its 30 minutes are over', async () => {
    const user = await (await newTenant()).member()
    const token = await askedToken(user)
    clock.advance(29 * minute)
    expect(await reset(token)).toMatchObject({ status: 200 })
  })

  test('a link is dead after the address, the password or the account has changed', async () => {
    const tenant = await newTenant()
    const [moved, changed, deleted] = [await tenant.member(), await tenant.member(), await tenant.member()]
    const tokens = [await askedToken(moved), await askedToken(changed), await askedToken(deleted)]
    await tenant.admin.put(`/users/${moved.userId}`, { email: `${unique()}@example.com` })
    await changed.post('/password', { old_password: password, new_password: next })
    await tenant.admin.delete(`/users/${deleted.userId}`)
    for (const token of tokens) expect(await reset(token)).toMatchObject(refusal('linkDead'))
  })

  test('a link of a removed tenant is dead', async () => {
    const tenant = await newTenant()
    const token = await askedToken(tenant.admin)
    await (await platformAdmin()).delete(`/org/tenants/${tenant.id}`)
    expect(await reset(token)).toMatchObject(refusal('linkDead'))
  })

  test('earlier links stay valid when a later one was asked for', async () => {
    const user = await (await newTenant()).member()
    const early = await askedToken(user)
    await askedToken(user)
    expect(await reset(early)).toMatchObject({ status: 200 })
  })

  test('exactly one of concurrent resets with one link succeeds', async () => {
    const user = await (await newTenant()).member()
    const token = await askedToken(user)
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => reset(token, `good password ${n}`)))
    expect(tally(answers)).toEqual({ 200: 1, 400: 5 })
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await postLogin(user.email, `good password ${winner}`)).toMatchObject({ status: 200 })
  })

  test('exactly one of a reset and a concurrent password change succeeds', async () => {
    const user = await (await newTenant()).member()
    const token = await askedToken(user)
    const changed = 'changed good password'
    const [byLink, byPassword] = await Promise.all([
      reset(token),
      user.post('/password', { old_password: password, new_password: changed }),
    ])
    expect([byLink.status, byPassword.status].filter((status) => status === 200)).toHaveLength(1)
    const [right, wrong] = byLink.status === 200 ? [next, changed] : [changed, next]
    expect(await postLogin(user.email, right)).toMatchObject({ status: 200 })
    expect(await postLogin(user.email, wrong)).toMatchObject({ status: 401 })
  })

  test('a reset does not let a disabled user in', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    await tenant.admin.put(`/users/${user.userId}`, { status: 0 })
    expect(await reset(await askedToken(user))).toMatchObject({ status: 200 })
    expect(await postLogin(user.email, next)).toMatchObject(refusal('accountDisabled'))
  })

  test.each([
    ['an e-mail that is none', '/auth/password/forgot', { email: 'nobody' }, 'email'],
    ['a short password', '/auth/password/reset', { token: 'x', new_password: 'short' }, 'new_password'],
    ['an empty token', '/auth/password/reset', { token: '', new_password: next }, 'token'],
    ['a long token', '/auth/password/reset', { token: 'x'.repeat(129), new_password: next }, 'token'],
  ])('%s is refused', async (_what, path, body, field) => {
    expect(await call('POST', path, { body })).toMatchObject(refusalOf(field))
  })
})

describe('the second factors of an account', () => {
  test('factors of an account that somebody else prepared are deleted by the first proof of its mailbox', async () => {
    const tenant = await newTenant()
    const victim = await tenant.member()
    const planted = await addPasskey(victim)
    const { challenge, passkey_options: options } = await secondStepOf(victim.email)
    expect((await reset(await askedToken(victim))).status).toBe(200)
    const passkey = planted.authenticator.get(options)
    expect(await postFactor({ challenge, passkey })).toMatchObject(refusal('challengeDead'))
    const alone = planted.authenticator.get((await call('POST', '/auth/passkey/options')).data)
    expect(await call('POST', '/auth/passkey', { body: { response: alone } })).toMatchObject(
      refusal('passkeyUnknown'),
    )
    expect((await postLogin(victim.email, next)).status).toBe(200)
    await deliver(server)
    expect(server.to(victim.email).some(({ source }) => source.includes('“Laptop” was removed'))).toBe(true)
    const taken = (await recordsOf(victim)).find(({ action }) => action === 'factor.reset')
    expect(taken).toMatchObject({
      user_id: victim.userId,
      detail: { factors: { from: ['Laptop'], to: [] } },
    })
  })

  test('factors of an owner stay when the password is reset by a link', async () => {
    const user = await (await newTenant()).member()
    await reset(await askedToken(user))
    const owner = await signIn(user, next)
    const { id, secret } = (await owner.post('/auth/factors/totp', { name: 'App', password: next })).data
    await owner.post(`/auth/factors/totp/${id}/confirm`, { code: codeOf(secret) })
    expect((await reset(await askedToken(user), 'a third good password')).status).toBe(200)
    const answer = await postLogin(user.email, 'a third good password')
    expect([answer.status, answer.body.code]).toEqual([401, 40108])
    clock.advance(30_000)
    const { challenge } = answer.data
    expect((await postFactor({ challenge, code: codeOf(secret) })).status).toBe(200)
  })
})

describe('an unknown address', () => {
  test('gets the answer of a known one, no e-mail and no record', async () => {
    const root = await platformAdmin()
    const user = await (await newTenant()).member()
    const count = async () => (await root.get('/audit/logs', { tenant: builtIn.id })).data.total
    const before = await count()
    const email = `${unique()}@example.com`
    const [unknown, known] = [await forgot(email), await forgot(user.email)]
    expect(unknown.status).toBe(known.status)
    expect({ ...unknown.body, trace_id: '' }).toEqual({ ...known.body, trace_id: '' })
    expect(await waitingFor(email)).toEqual([])
    expect(await count()).toBe(before)
  })

  test('costs the same statements as a known one', async () => {
    const seen: string[][] = []
    const { store } = parts
    const noting: typeof store = {
      ...store,
      scoped: (scope) => {
        const db = store.scoped(scope)
        return { ...db, one: (statement) => (seen.at(-1)?.push(statement.text), db.one(statement)) }
      },
      transaction: (scope, work, role) =>
        store.transaction(
          scope,
          (db) =>
            work({
              many: (statement) => (seen.at(-1)?.push(statement.text), db.many(statement)),
              one: (statement) => (seen.at(-1)?.push(statement.text), db.one(statement)),
              only: (statement) => (seen.at(-1)?.push(statement.text), db.only(statement)),
              run: (statement) => (seen.at(-1)?.push(statement.text), db.run(statement)),
              send: (statement) => (seen.at(-1)?.push(statement.text), db.send(statement)),
            }),
          role,
        ),
    }
    const app = await startApp({}, undefined, { store: noting })
    const user = await (await newTenant()).member()
    for (const email of [user.email, `${unique()}@example.com`]) {
      seen.push([])
      await forgot(email, { at: app })
    }
    await app.app.close()
    const [known, unknown] = seen.map((texts) =>
      texts.map((text) => text.replace(/^(?:release|rollback to) savepoint/, 'end of savepoint')),
    )
    expect(known?.length).toBeGreaterThan(8)
    expect(unknown).toEqual(known)
  })
})

describe('the limits of asking', () => {
  test('an address gets five links an hour, the sixth is dropped, and the earlier ones stay valid', async () => {
    const user = await (await newTenant()).member()
    const answers = await Promise.all(Array.from({ length: 8 }, () => forgot(user.email.toUpperCase())))
    expect(tally(answers)).toEqual({ 200: 8 })
    const resets = async () => (await waitingFor(user.email)).filter(({ kind }) => kind === 'reset')
    expect(await resets()).toHaveLength(5)
    expect(await reset(await mailedToken(user.email))).toMatchObject({ status: 200 })
    clock.advance(61 * minute)
    await forgot(user.email)
    expect(await resets()).toHaveLength(1)
  })

  test('a source that asks too often gets 429', async () => {
    const app = await startApp({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
    const from = { at: app, headers: newSource() }
    const answers = []
    for (let n = 0; n < 62; n += 1) answers.push(await forgot(`${unique()}@example.com`, from))
    await app.app.close()
    expect(tally(answers)).toEqual({ 200: 60, 429: 2 })
  })
})

describe('an installation without e-mail', () => {
  test('says so, and answers 503 to those who ask for a link', async () => {
    const app = await startApp({}, undefined, { mailer: undefined })
    const user = await (await newTenant()).member()
    expect((await call('GET', '/auth/options', { at: app })).data).toEqual({
      registration: true,
      sign_up: 'user',
      password_reset: false,
      mail: false,
      mail_in_files: false,
      robots: 'off',
      passkeys: true,
      ways: { password: true, passkey: true, email_code: false, offer_passkey: false, providers: [] },
      passwords: { min_length: 8, refuse_common: false, refuse_personal: false, breached: 'off' },
    })
    const body = { email: user.email, password }
    expect(await forgot(user.email, { at: app })).toMatchObject(refusal('mailOff'))
    expect(await user.post('/auth/email', body, { at: app })).toMatchObject(refusal('mailOff'))
    expect(await user.post('/auth/email/verification', undefined, { at: app })).toMatchObject(
      refusal('mailOff'),
    )
    await app.app.close()
  })

  test('one with e-mail says that a password can be reset', async () => {
    expect((await call('GET', '/auth/options')).data).toMatchObject({ password_reset: true, mail: true })
  })
})
