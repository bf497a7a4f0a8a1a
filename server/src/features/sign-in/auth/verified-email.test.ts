/** TENANTRY_REQUIRE_VERIFIED_EMAIL restricts a registered account until its person has proved the mailbox. */
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentials, pingStatus, postLogin, postRefresh, postRegister } from '../../../../test/accounts.ts'
import { refusal } from '../../../../test/answers.ts'
import { newUser, ok, platformAdmin } from '../../../../test/factories.ts'
import { call, startApp, type Running } from '../../../../test/harness.ts'
import { startMailServer, type MailServer } from '../../../../../lab/mail-server.ts'
import { deliver } from '../../../../test/mail-queue.ts'
import { builtInTenant } from '../../../access/permissions.ts'

let server: MailServer
let strict: Running
beforeAll(async () => {
  server = await startMailServer()
  await platformAdmin()
  strict = await startApp({ requireVerifiedEmail: true })
})
afterAll(async () => {
  await strict.app.close()
  await server.stop()
})

const unverified = refusal('emailUnverified')

const registerStrictly = async () => {
  const account = credentials()
  return { ...account, ...ok(await postRegister(account, { at: strict })) }
}

const ping = (token: string) => call('GET', '/ping', { token, at: strict })

const typeOf = (token: string) => decodeProtectedHeader(token).typ

const verify = async (email: string, token: string) => {
  await deliver(server)
  const body = { token: server.to(email).findLast(({ link }) => link !== undefined)?.token }
  ok(await call('POST', '/auth/email/verify', { token, body, at: strict }))
}

test('a registered person reaches their own account alone, also after a sign-in and a refresh', async () => {
  const { email, password, access_token, refresh_token } = await registerStrictly()
  expect(await ping(access_token)).toMatchObject(unverified)
  ok(await call('GET', '/profile', { token: access_token, at: strict }))
  const signedIn = ok(await postLogin(email, password, { at: strict }))
  const refreshed = ok(await postRefresh(refresh_token, { at: strict }))
  for (const token of [access_token, signedIn.access_token, refreshed.access_token]) {
    expect(await ping(token)).toMatchObject(unverified)
    expect(typeOf(token)).toBe('restricted+jwt')
  }
})

test('the mailed link lifts the restriction at once, and the next refresh gives an unrestricted token', async () => {
  const { email, access_token, refresh_token } = await registerStrictly()
  await verify(email, access_token)
  expect((await ping(access_token)).status).toBe(200)
  const refreshed = ok(await postRefresh(refresh_token, { at: strict }))
  expect(typeOf(refreshed.access_token)).toBe('at+jwt')
})

test('an address that an administrator gives has to be confirmed anew', async () => {
  const { email, access_token } = await registerStrictly()
  await verify(email, access_token)
  const { id } = ok(await call('GET', '/profile', { token: access_token, at: strict }))
  const root = await platformAdmin()
  ok(await root.put(`/users/${id}`, { email: credentials().email }))
  expect(await ping(access_token)).toMatchObject(unverified)
})

test('accounts that nobody registered, and installations without the rule, are not concerned', async () => {
  const { access_token } = await registerStrictly()
  expect(await pingStatus(access_token)).toBe(200)
  const user = await newUser(builtInTenant.id)
  expect((await ping(user.token)).status).toBe(200)
})
