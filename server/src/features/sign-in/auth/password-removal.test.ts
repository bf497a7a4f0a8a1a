import { describe, expect, onTestFinished, test } from 'vitest'
import { refusal } from '../../../../test/answers.ts'
import { actionsOf, pingStatus, postLogin } from '../../../../test/accounts.ts'
import { newTenant, ok, password, platformAdmin, type Caller } from '../../../../test/factories.ts'
import { call, startApp } from '../../../../test/harness.ts'
import { deliver, useMailServer } from '../../../../test/mail-queue.ts'
import { deleteProviders, insertIdentity } from '../../../../test/provider-rows.ts'
import { addPasskey, addTotp, signInWithCode } from '../../../../test/second-factors.ts'

const server = useMailServer()

const remove = (user: Caller, body: object = { password }) => user.post('/auth/password/remove', body)

/** A user with an authenticator app, signed in with it. */
const careful = async (): Promise<Caller> => {
  const user = await (await newTenant()).member()
  return signInWithCode(user, await addTotp(user))
}

describe('a password that its person removes', () => {
  test('is gone, and a mailed link gives one again', async () => {
    const user = await careful()
    expect(ok(await user.get('/auth/factors')).has_password).toBe(true)
    ok(await remove(user))
    expect(ok(await user.get('/auth/factors')).has_password).toBe(false)
    expect(await postLogin(user.email, password)).toMatchObject(refusal('credentialsWrong'))
    expect(await user.post('/password', { old_password: password, new_password: password })).toMatchObject(
      refusal('oldPasswordWrong'),
    )
    expect(await actionsOf(user)).toContain('auth.password_removed')
    ok(await call('POST', '/auth/password/forgot', { body: { email: user.email } }))
    await deliver(server)
    const token = server.to(user.email).findLast(({ link }) => link !== undefined)?.token
    ok(await call('POST', '/auth/password/reset', { body: { token, new_password: 'another good one' } }))
    expect((await postLogin(user.email, 'another good one')).status).toBe(200)
  })

  test('is proved first, in a session with a second factor', async () => {
    const user = await careful()
    expect(await remove(user, { password: 'a wrong one' })).toMatchObject(refusal('oldPasswordWrong'))
    expect(await remove(await (await newTenant()).member())).toMatchObject(refusal('mfaRequired'))
  })

  test('ends every other session of the person', async () => {
    const user = await (await newTenant()).member()
    const app = await addTotp(user)
    const other = await signInWithCode(user, app)
    ok(await remove(user))
    expect(await pingStatus(user.token)).toBe(200)
    expect(await pingStatus(other.token)).toBe(401)
  })
})

test('nobody takes their own last way', async () => {
  await platformAdmin()
  const mailless = await startApp({}, undefined, { mailer: undefined })
  const user = await careful()
  expect(await user.post('/auth/password/remove', { password }, { at: mailless })).toMatchObject(
    refusal('lastOwnWay'),
  )
  const other = await (await newTenant()).member()
  const { id } = await addPasskey(other)
  ok(await other.post('/auth/password/remove', { password }, { at: mailless }))
  expect(await other.post(`/auth/factors/${id}/remove`, {}, { at: mailless })).toMatchObject(
    refusal('lastOwnWay'),
  )
  ok(await other.post(`/auth/factors/${id}/remove`, {}))
  await mailless.app.close()
})

test('an identity at a provider is another way, until it is the last', async () => {
  onTestFinished(async () => void (await deleteProviders()))
  await platformAdmin()
  const mailless = await startApp({}, undefined, { mailer: undefined })
  const user = await careful()
  const identity = await insertIdentity(user)
  ok(await user.post('/auth/password/remove', { password }, { at: mailless }))
  expect(await user.post(`/auth/identities/${identity}/remove`, {}, { at: mailless })).toMatchObject(
    refusal('lastOwnWay'),
  )
  await mailless.app.close()
})
