/** Accounts without a password prove themselves by a recent sign-in. */
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { newTenant, ok, password, unique, type Caller } from '../../../../test/factories.ts'
import { call, clock, parts } from '../../../../test/harness.ts'
import { useMailServer } from '../../../../test/mail-queue.ts'
import { joinTenant, newPerson } from '../../../../test/people.ts'
import { addTotp, proveBy } from '../../../../test/second-factors.ts'

const server = useMailServer()
const minute = 60_000

/** Takes the password of an account away, as an import without hashes makes accounts. */
const dropPassword = ({ email }: Pick<Caller, 'email'>) =>
  parts.store
    .scoped({})
    .run(sql`update accounts set password_hash = '', password_scheme = 'none' where email = ${email}`)

const passwordless = async (): Promise<Caller> => {
  const user = await (await newTenant()).member()
  await dropPassword(user)
  return user
}

/** Every endpoint that asks for the own password. */
const asking: [path: string, body: object][] = [
  ['/auth/factors/totp', { name: 'App' }],
  ['/auth/factors/passkey/options', {}],
  ['/auth/email', { email: `${unique()}@example.com` }],
  ['/auth/account/export', {}],
  ['/auth/account/delete', {}],
]

describe.each(asking)('%s', (path, body) => {
  test('takes a sign-in of at most 10 minutes ago in place of the password', async () => {
    const user = await passwordless()
    clock.advance(9 * minute)
    expect((await user.post(path, body)).status).toBe(200)
  })

  test('refuses an older sign-in', async () => {
    const user = await passwordless()
    clock.advance(11 * minute)
    expect(await user.post(path, body)).toMatchObject(refusal('proofTooOld'))
  })

  test('asks an account with a password for it', async () => {
    const user = await (await newTenant()).member()
    expect(await user.post(path, body)).toMatchObject(refusalOf('password'))
    expect(await user.post(path, { ...body, password: 'wrong' })).toMatchObject(refusal('oldPasswordWrong'))
  })
})

test('a password is wrong for an account that has none', async () => {
  const user = await passwordless()
  const answer = await user.post('/auth/factors/totp', { name: 'App', password })
  expect(answer).toMatchObject(refusal('oldPasswordWrong'))
  const change = { old_password: password, new_password: 'another good password' }
  expect(await user.post('/password', change)).toMatchObject(refusal('oldPasswordWrong'))
})

test('a refresh and a switch make no sign-in younger', async () => {
  const [tenant, other] = [await newTenant(), await newTenant()]
  const person = await newPerson(server, tenant)
  await joinTenant(server, person, other)
  await dropPassword(person)
  clock.advance(11 * minute)
  const refreshed = ok(await call('POST', '/auth/refresh', { body: { refresh_token: person.refreshToken } }))
  const switched = ok(
    await call('POST', '/auth/switch', { token: refreshed.access_token, body: { tenant_id: other.id } }),
  )
  for (const { access_token: token } of [refreshed, switched]) {
    const answer = await call('POST', '/auth/factors/totp', { token, body: { name: 'App' } })
    expect(answer).toMatchObject(refusal('proofTooOld'))
  }
})

test('the second factor is asked for as before', async () => {
  const user = await (await newTenant()).member()
  const app = await addTotp(user)
  await proveBy(user, 'pop')
  await dropPassword(user)
  const answer = await user.post(`/auth/factors/${app.id}/remove`, {})
  expect(answer).toMatchObject(refusal('mfaRequired'))
})
