import { describe, expect, test } from 'vitest'
import { newTenant, password, register, signIn, unique, type Caller } from '../../../../test/factories.ts'
import { call, clock, parts } from '../../../../test/harness.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import { actionsOf, pingStatus, postLogin, recordsOf } from '../../../../test/accounts.ts'
import { clearQueue, deliver, useMailServer, waitingFor } from '../../../../test/mail-queue.ts'

const hour = 3_600_000

const server = useMailServer()

const newEmail = () => `${unique('new')}@example.com`

const verify = (caller: Caller, token: string, more: object = { new_password: password }) =>
  caller.post('/auth/email/verify', { token, ...more })

/** The token of the newest link mailed to an address. */
const mailedToken = async (email: string): Promise<string> => {
  await deliver(server)
  return server.to(email).findLast(({ link }) => link !== undefined)?.token ?? ''
}

/** Requests the change. First sends waiting e-mails, because a greeting to the same address also has a link. */
const askToMove = async (caller: Caller, email: string): Promise<string> => {
  await deliver(server)
  expect(await caller.post('/auth/email', { email, password })).toMatchObject({
    status: 200,
    body: { data: null },
  })
  return mailedToken(email)
}

const resetBy = async (email: string, newPassword: string) => {
  await call('POST', '/auth/password/forgot', { body: { email } })
  const body = { token: await mailedToken(email), new_password: newPassword }
  return call('POST', '/auth/password/reset', { body })
}

describe('the address of a registered account', () => {
  test('is confirmed by the link of the registration, in the own session', async () => {
    const user = await register()
    const token = await mailedToken(user.email)
    const [mail] = server.to(user.email)
    expect(mail?.subject).toBe('Confirm your e-mail address')
    expect(mail?.link).toMatch(new RegExp(`^${parts.config.publicUrl}/sign-in/verify-email#token=`))
    expect(await verify(user, token)).toMatchObject({ status: 200, body: { data: null } })
    expect(await verify(user, token)).toMatchObject(refusal('linkDead'))
    expect(await actionsOf(user)).toEqual(['auth.register', 'auth.email_verify'])
  })

  test('the first proof ends every other session, and keeps the one that gave it', async () => {
    const user = await register()
    const other = await signIn(user)
    expect(await verify(user, await mailedToken(user.email))).toMatchObject({ status: 200 })
    expect(await pingStatus(user.token)).toBe(200)
    expect(await pingStatus(other.token)).toBe(401)
  })

  test('the first proof ends the password, and the link takes a new one', async () => {
    const [silent, chosen] = [await register(), await register()]
    expect(await verify(silent, await mailedToken(silent.email), {})).toMatchObject({ status: 200 })
    expect(await postLogin(silent.email)).toMatchObject(refusal('credentialsWrong'))
    const next = { new_password: 'the password of the owner' }
    const token = await mailedToken(chosen.email)
    expect(await verify(chosen, token, { new_password: 'short' })).toMatchObject(refusalOf('new_password'))
    expect(await verify(chosen, token, next)).toMatchObject({ status: 200 })
    expect((await postLogin(chosen.email, next.new_password)).status).toBe(200)
    await deliver(server)
    expect(server.to(chosen.email).at(-1)?.subject).toBe('Your password was changed')
  })

  test('a later proof ends no session', async () => {
    const user = await register()
    await verify(user, await mailedToken(user.email))
    const other = await signIn(user)
    const email = newEmail()
    expect(await verify(user, await askToMove(user, email))).toMatchObject({ status: 200 })
    expect(await pingStatus(other.token)).toBe(200)
  })

  test('a link is refused in the session of another account, and stays', async () => {
    const [user, other] = [await register(), await register()]
    const token = await mailedToken(user.email)
    expect(await verify(other, token)).toMatchObject(refusal('linkOfAnother'))
    expect(await verify(user, token)).toMatchObject({ status: 200 })
  })

  test('a link without a session is 401', async () => {
    const user = await register()
    const token = await mailedToken(user.email)
    expect(await call('POST', '/auth/email/verify', { body: { token } })).toMatchObject({ status: 401 })
    expect(await verify(user, token)).toMatchObject({ status: 200 })
  })

  test('a link works for 24 hours, and a reset link does not confirm', async () => {
    const [early, late, third] = [await register(), await register(), await register()]
    const tokens = [await mailedToken(early.email), await mailedToken(late.email)]
    await call('POST', '/auth/password/forgot', { body: { email: third.email } })
    expect(await verify(third, await mailedToken(third.email))).toMatchObject(refusal('linkDead'))
    clock.advance(23 * hour)
    const earlyAgain = await signIn(early)
    expect(await verify(earlyAgain, tokens[0] ?? '')).toMatchObject({ status: 200 })
    clock.advance(1.1 * hour)
    expect(await verify(await signIn(late), tokens[1] ?? '')).toMatchObject(refusal('linkDead'))
  })

  test('a link is sent again as often as five times an hour, and not for a confirmed address', async () => {
    const user = await register()
    for (let n = 0; n < 6; n += 1) {
      expect(await user.post('/auth/email/verification')).toMatchObject({ status: 200, body: { data: null } })
    }
    expect(await waitingFor(user.email)).toHaveLength(5)
    await verify(user, await mailedToken(user.email))
    clock.advance(1.1 * hour)
    const again = await signIn(user)
    await clearQueue()
    await again.post('/auth/email/verification')
    expect(await waitingFor(user.email)).toEqual([])
    const sent = (await actionsOf(user)).filter((action) => action === 'auth.email_verification')
    expect(sent).toHaveLength(4)
  })
})

describe('an account that somebody else prepared', () => {
  test('a reset by its mailbox ends the sessions of the stranger who registered it', async () => {
    const stranger = await register()
    expect(await resetBy(stranger.email, 'the password of the owner')).toMatchObject({ status: 200 })
    expect(await pingStatus(stranger.token)).toBe(401)
    expect(await postLogin(stranger.email)).toMatchObject(refusal('credentialsWrong'))
    expect(await postLogin(stranger.email, 'the password of the owner')).toMatchObject({ status: 200 })
  })

  test('a reset ends the pending change to the address of a stranger', async () => {
    const stranger = await register()
    const token = await askToMove(stranger, newEmail())
    await resetBy(stranger.email, 'the password of the owner')
    const owner = await signIn(stranger, 'the password of the owner')
    expect(await verify(owner, token)).toMatchObject(refusal('linkDead'))
  })

  test('a link that was mailed before an administrator changed the address is dead', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    await user.post('/auth/email/verification')
    const token = await mailedToken(user.email)
    await tenant.admin.put(`/users/${user.userId}`, { email: newEmail() })
    expect(await verify(user, token)).toMatchObject(refusal('linkDead'))
  })

  test('the address that an administrator set has to be proved anew', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    await user.post('/auth/email/verification')
    await verify(user, await mailedToken(user.email))
    const email = newEmail()
    await tenant.admin.put(`/users/${user.userId}`, { email })
    await user.post('/auth/email/verification')
    const other = await signIn({ ...user, email })
    expect(await verify(user, await mailedToken(email))).toMatchObject({ status: 200 })
    expect(await pingStatus(other.token)).toBe(401)
  })
})

describe('the own address', () => {
  test('changes by the link that was mailed to the new one, everywhere at once', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const email = newEmail()
    const token = await askToMove(user, email)
    expect((await user.get('/profile')).data.email).toBe(user.email)
    expect(await verify(user, token)).toMatchObject({ status: 200 })
    expect((await user.get('/profile')).data.email).toBe(email)
    expect(await postLogin(email)).toMatchObject({ status: 200 })
    expect(await postLogin(user.email)).toMatchObject(refusal('credentialsWrong'))
    const found = async (word: string) => (await tenant.admin.get(`/users?search=${word}`)).data.total
    expect([await found(email), await found(user.email)]).toEqual([1, 0])
    expect((await recordsOf(user)).slice(1, 3)).toMatchObject([
      { action: 'auth.email_request', detail: { email: { from: user.email, to: email } } },
      { action: 'auth.email_change', detail: { email: { from: user.email, to: email } } },
    ])
    await deliver(server)
    expect(server.to(user.email).at(-1)?.subject).toBe('Your e-mail address was changed')
  })

  test('does not change by PUT /users with the own id, and the rest of the user does', async () => {
    const { admin } = await newTenant()
    const path = `/users/${admin.userId}`
    expect(await admin.put(path, { email: newEmail() })).toMatchObject(refusal('ownEmail'))
    expect(await admin.put(path, { email: admin.email, nickname: 'Ada' })).toMatchObject({ status: 200 })
  })

  test('a change of the own address takes the password', async () => {
    const user = await (await newTenant()).member()
    const email = newEmail()
    expect(await user.post('/auth/email', { email, password: 'not the password' })).toMatchObject(
      refusal('oldPasswordWrong'),
    )
    expect(await waitingFor(email)).toEqual([])
    expect((await actionsOf(user)).at(-1)).toBe('auth.password_failed')
    expect(await user.post('/auth/email', { email: 'none', password })).toMatchObject(refusalOf('email'))
  })

  test('an address that is taken gets the same answer, and only confirming tells', async () => {
    const [user, other] = [await register(), await register()]
    const token = await askToMove(user, other.email)
    expect(await verify(user, token)).toMatchObject(refusal('emailTaken'))
    expect((await user.get('/profile')).data.email).toBe(user.email)
  })

  test('exactly one of two accounts that confirm the same address at once gets it', async () => {
    const users = [await register(), await register()]
    const email = newEmail()
    const tokens: string[] = []
    for (const user of users) tokens.push(await askToMove(user, email))
    const answers = await Promise.all(users.map((user, n) => verify(user, tokens[n] ?? '')))
    expect(tally(answers)).toEqual({ 200: 1, 409: 1 })
  })

  test('a victim who opens the link of a stranger gives them nothing', async () => {
    const [stranger, victim] = [await register(), await register()]
    const token = await askToMove(stranger, newEmail())
    expect(await verify(victim, token)).toMatchObject(refusal('linkOfAnother'))
    expect((await stranger.get('/profile')).data.email).toBe(stranger.email)
  })

  test('changing it kills the open links to the old address', async () => {
    const user = await (await newTenant()).member()
    const email = newEmail()
    await call('POST', '/auth/password/forgot', { body: { email: user.email } })
    const reset = await mailedToken(user.email)
    await verify(user, await askToMove(user, email))
    const body = { token: reset, new_password: 'another good password' }
    expect(await call('POST', '/auth/password/reset', { body })).toMatchObject(refusal('linkDead'))
  })

  test('a second wish replaces the first one', async () => {
    const user = await register()
    const first = await askToMove(user, newEmail())
    const email = newEmail()
    const second = await askToMove(user, email)
    expect(await verify(user, first)).toMatchObject(refusal('linkDead'))
    expect(await verify(user, second)).toMatchObject({ status: 200 })
    expect((await user.get('/profile')).data.email).toBe(email)
  })
})
