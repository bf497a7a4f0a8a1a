import sql from 'sql-template-tag'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { actionsOf, pingStatus, postLogin, postRefresh, recordsOf } from '../../../../test/accounts.ts'
import { refusal, tally } from '../../../../test/answers.ts'
import { createAuthenticator } from '../../../../test/authenticator.ts'
import { newTenant, ok, password, platformAdmin, unique, type Caller } from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { insertLink } from '../../../../test/mail-queue.ts'
import {
  addPasskey,
  addTotp,
  beginTotp,
  codeOf,
  postFactor,
  secondStepOf,
  signInWithCode,
} from '../../../../test/second-factors.ts'

beforeAll(() => platformAdmin())

const member = async (): Promise<Caller> => (await newTenant()).member()

const factorsOf = async (user: Caller) => ok(await user.get('/auth/factors'))

/** Removes the second factor from the session of the account, as an old backup of sessions would. */
const withoutMfa = async (user: Caller): Promise<void> => {
  const { sid } = decodeJwt(user.token)
  await parts.store
    .scoped({ tenantId: user.tenantId })
    .run(sql`update sessions set amr = '{pwd}' where tenant_id = ${user.tenantId} and id = ${sid}`)
  await parts.cache.publish({ kind: 'tenant', tenantId: user.tenantId })
}

describe('recovery codes', () => {
  test('work once each, however they are typed', async () => {
    const user = await member()
    const [first = '', second = ''] = (await addTotp(user)).recoveryCodes
    expect(first).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    const answer = async (recovery_code: string) => {
      const { challenge } = await secondStepOf(user.email)
      return postFactor({ challenge, recovery_code })
    }
    const { access_token: token } = ok(await answer(first))
    expect(decodeJwt(token)['amr']).toEqual(['pwd', 'otp', 'mfa'])
    expect(await answer(first)).toMatchObject(refusal('factorWrong'))
    ok(await answer(second.toLowerCase().replaceAll('-', ' ').replaceAll('1', 'l')))
    expect((await factorsOf(user)).recovery_codes_left).toBe(8)
  })

  test('a recovery code used twice at once opens one session', async () => {
    const user = await member()
    const [code] = (await addTotp(user)).recoveryCodes
    const steps = [await secondStepOf(user.email), await secondStepOf(user.email)]
    const answers = await Promise.all(
      steps.map(({ challenge }) => postFactor({ challenge, recovery_code: code })),
    )
    expect(tally(answers)).toEqual({ 200: 1, 401: 1 })
  })

  test('are stored as hashes alone', async () => {
    const user = await member()
    const { id, recoveryCodes } = await addTotp(user)
    const rows = await parts.store.scoped({}).many<{ code_hash: Buffer }>(sql`
      select code_hash from recovery_codes
      where account_id = (select account_id from factors where id = ${id})`)
    expect(rows).toHaveLength(10)
    for (const { code_hash: hash } of rows) {
      expect(hash).toHaveLength(32)
      expect(recoveryCodes.some((code) => hash.toString('latin1').includes(code.slice(0, 4)))).toBe(false)
    }
  })

  test('renewed recovery codes replace all earlier ones', async () => {
    const user = await member()
    const app = await addTotp(user)
    const { recovery_codes: renewed } = ok(await user.post('/auth/factors/recovery-codes', { password }))
    expect(renewed).toHaveLength(10)
    const { challenge } = await secondStepOf(user.email)
    const [former, present] = [app.recoveryCodes[0], renewed[0]]
    expect(await postFactor({ challenge, recovery_code: former })).toMatchObject(refusal('factorWrong'))
    ok(await postFactor({ challenge, recovery_code: present }))
    const records = await recordsOf(user)
    expect(records.map(({ action }) => action)).toContain('factor.recovery_codes')
    expect(JSON.stringify(records)).not.toContain(present)
  })

  test('need a factor that they replace', async () => {
    const user = await member()
    expect(await user.post('/auth/factors/recovery-codes', { password })).toMatchObject(
      refusal('factorMissing'),
    )
  })
})

describe('the first factor', () => {
  test('two first factors confirmed at once give recovery codes once', async () => {
    const user = await member()
    const passkey = await user.post('/auth/factors/passkey/options', { password })
    const { id, secret } = ok(await beginTotp(user))
    const [confirmed, added] = await Promise.all([
      user.post(`/auth/factors/totp/${id}/confirm`, { code: codeOf(secret) }),
      user.post('/auth/factors/passkey', {
        name: 'Laptop',
        response: createAuthenticator().create(passkey.data),
      }),
    ])
    expect([confirmed.status, added.status]).toContain(200)
    const counts = [confirmed, added].map(({ data }) => data?.recovery_codes?.length ?? 0)
    expect(counts.filter((count) => count === 10)).toHaveLength(1)
    expect((await factorsOf(user)).recovery_codes_left).toBe(10)
  })

  test('gives its own session the second proof, and the next access token tells it', async () => {
    const user = await member()
    await addTotp(user)
    const { access_token: token } = ok(await postRefresh(user.refreshToken))
    expect(decodeJwt(token)['amr']).toEqual(['mfa', 'otp', 'pwd'])
  })
})

describe('an account with a factor', () => {
  const changes = async (user: Caller) => {
    const [factor] = (await factorsOf(user)).factors
    return [
      () => user.post('/auth/factors/totp', { name: 'x', password }),
      () => user.post('/auth/factors/passkey/options', { password }),
      () => user.post(`/auth/factors/${factor.id}/remove`, { password }),
      () => user.post('/auth/factors/recovery-codes', { password }),
    ]
  }

  test('a stolen session without mfa changes no factor, even with the password', async () => {
    const user = await member()
    await addTotp(user)
    await withoutMfa(user)
    const before = await factorsOf(user)
    for (const change of await changes(user)) expect(await change()).toMatchObject(refusal('mfaRequired'))
    expect(await factorsOf(user)).toEqual(before)
  })

  test('a stolen session with mfa changes no factor without the password', async () => {
    const user = await member()
    await addTotp(user)
    const [factor] = (await factorsOf(user)).factors
    const wrong = { password: 'not the password' }
    for (const path of ['totp', 'passkey/options', `${factor.id}/remove`, 'recovery-codes']) {
      expect(await user.post(`/auth/factors/${path}`, { name: 'x', ...wrong })).toMatchObject(
        refusal('oldPasswordWrong'),
      )
    }
    expect((await factorsOf(user)).factors).toHaveLength(1)
  })

  test('a factor that was begun before the first one is not confirmed without mfa', async () => {
    const user = await member()
    const { id, secret } = ok(await beginTotp(user))
    await addPasskey(user)
    await withoutMfa(user)
    expect(await user.post(`/auth/factors/totp/${id}/confirm`, { code: codeOf(secret) })).toMatchObject(
      refusal('mfaRequired'),
    )
  })

  test('an account has at most ten', async () => {
    const user = await member()
    for (let count = 0; count < 10; count += 1) await addPasskey(user, `Passkey ${count}`)
    expect(await user.post('/auth/factors/passkey/options', { password })).toMatchObject(
      refusal('factorsFull'),
    )
    expect(await user.post('/auth/factors/totp', { name: 'x', password })).toMatchObject(
      refusal('factorsFull'),
    )
  })
})

describe('removing a factor', () => {
  test('ends every other session, and leaves a record in each tenant of the person', async () => {
    const user = await member()
    const app = await addTotp(user)
    await addPasskey(user)
    const other = await signInWithCode(user, app)
    const elsewhere = await newTenant()
    const userId = await joinTenant(user, elsewhere.id)
    ok(await user.post(`/auth/factors/${app.id}/remove`, { password }))
    expect(await pingStatus(other.token)).toBe(401)
    expect(await pingStatus(user.token)).toBe(200)
    expect(
      await postFactor({ challenge: (await secondStepOf(user.email)).challenge, code: app.nextCode() }),
    ).toMatchObject(refusal('factorWrong'))
    expect((await actionsOf(user)).at(-2)).toBe('factor.remove')
    const [record] = await recordsOf({ userId, tenantId: elsewhere.id })
    expect(record).toMatchObject({
      action: 'factor.remove',
      ip: '',
      user_agent: '',
      resource_id: String(userId),
    })
  })

  test('removing the last factor deletes the recovery codes, and the session is one without mfa again', async () => {
    const user = await member()
    const app = await addTotp(user)
    ok(await user.post(`/auth/factors/${app.id}/remove`, { password }))
    expect(await factorsOf(user)).toMatchObject({ factors: [], recovery_codes_left: 0, has_password: true })
    ok(await postLogin(user.email))
    const { access_token: token } = ok(await postRefresh(user.refreshToken))
    expect(decodeJwt(token)['amr']).toEqual(['otp', 'pwd'])
  })

  test('removing a factor of another account is 404', async () => {
    const [user, thief] = [await member(), await member()]
    const app = await addTotp(user)
    await addTotp(thief)
    expect(await thief.post(`/auth/factors/${app.id}/remove`, { password })).toMatchObject(
      refusal('factorUnknown'),
    )
    expect((await factorsOf(user)).factors).toHaveLength(1)
  })
})

test('the first proof of the mailbox deletes all factors, and their proof in the continuing session', async () => {
  const user = await member()
  await addTotp(user)
  const token = await insertLink(user, 'verification')
  ok(await user.post('/auth/email/verify', { token }))
  expect(await factorsOf(user)).toEqual({
    factors: [],
    recovery_codes_left: 0,
    has_password: false,
    accepted_passkeys: null,
  })
  const { access_token: next } = ok(await postRefresh(user.refreshToken))
  expect(decodeJwt(next)['amr']).toEqual(['otp', 'pwd'])
})

test('factors, codes and challenges go with their account', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  await addTotp(user)
  await secondStepOf(user.email)
  const db = parts.store.scoped({})
  const account = await db.one<{ id: number }>(sql`select id from accounts where email = ${user.email}`)
  const count = () =>
    db.one(sql`
      select (select count(*) from factors where account_id = ${account?.id}) as factors,
        (select count(*) from recovery_codes where account_id = ${account?.id}) as codes,
        (select count(*) from challenges where account_id = ${account?.id}) as challenges`)
  expect(await count()).toEqual({ factors: 1, codes: 10, challenges: 1 })
  ok(await tenant.admin.delete(`/users/${user.userId}`))
  expect(await count()).toEqual({ factors: 0, codes: 0, challenges: 0 })
})

/** A second user of the same person, in another tenant. */
const joinTenant = async (user: Caller, tenantId: string): Promise<number> => {
  const account = await parts.store
    .scoped({})
    .one<{ id: number }>(sql`select id from accounts where email = ${user.email}`)
  const name = unique('m')
  const added = await parts.store.transaction({ tenantId }, (db) =>
    db.one<{ id: number }>(sql`
      insert into users (tenant_id, account_id, email, username, username_folded, search_folded, created_at, updated_at)
      values (${tenantId}, ${account?.id}, ${user.email}, ${name}, ${name}, ${name}, now(), now())
      returning id`),
  )
  return added?.id ?? 0
}
