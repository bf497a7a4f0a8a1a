/** Second factors of a person who is a user of several tenants. */
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pingStatus, postLogin } from '../../../../test/accounts.ts'
import { refusal } from '../../../../test/answers.ts'
import { newTenant, ok, password, platformAdmin, signIn, type Caller } from '../../../../test/factories.ts'
import { call } from '../../../../test/harness.ts'
import { startMailServer, type MailServer } from '../../../../../lab/mail-server.ts'
import { accept, claimsOf, invite, newPerson, type Person } from '../../../../test/people.ts'
import { addTotp, postFactor, withTokens } from '../../../../test/second-factors.ts'

let server: MailServer
beforeAll(async () => {
  server = await startMailServer()
  await platformAdmin()
})
afterAll(() => server.stop())

const callerOf = ({ userId, tenantId, email }: Person): Promise<Caller> =>
  signIn({ userId, tenantId, email, username: '' })

/** A person with a second factor in one tenant, and another tenant. */
const personWithFactor = async () => {
  const [home, away] = [await newTenant(), await newTenant()]
  const user = await callerOf(await newPerson(server, home))
  return { home, away, user, app: await addTotp(user) }
}

test('an invitation that is accepted by the password asks for the second factor, and signs in to that tenant', async () => {
  const { away, user, app } = await personWithFactor()
  const { token } = await invite(server, away.admin, { email: user.email })
  const answer = await accept(token, { password })
  expect([answer.status, answer.body.code]).toEqual([401, 40108])
  expect(answer.data.methods).toEqual(['totp', 'recovery_code'])
  const pair = ok(await postFactor({ challenge: answer.data.challenge, code: app.nextCode() }))
  expect(claimsOf(pair.access_token).tenantId).toBe(away.id)
})

test('an invitation that is accepted in a session, and a switch, inherit its proofs', async () => {
  const { home, away, user } = await personWithFactor()
  const { token } = await invite(server, away.admin, { email: user.email })
  const there = ok(await accept(token, {}, { token: user.token }))
  expect(decodeJwt(there.access_token)['amr']).toEqual(['mfa', 'otp', 'pwd'])
  const back = ok(
    await call('POST', '/auth/switch', { token: there.access_token, body: { tenant_id: home.id } }),
  )
  expect(decodeJwt(back.access_token)['amr']).toEqual(['mfa', 'otp', 'pwd'])
})

test('a switch to a tenant that asks for a second factor gives a restricted session, which may switch back', async () => {
  const [home, away] = [await newTenant(), await newTenant()]
  const user = await callerOf(await newPerson(server, home))
  const { token } = await invite(server, away.admin, { email: user.email })
  ok(await accept(token, {}, { token: user.token }))
  await addTotp(away.admin)
  ok(await away.admin.put('/settings/tenant/auth.require_second_factor', { value: true }))
  const switchTo = (from: Caller, tenant_id: string) => from.post('/auth/switch', { tenant_id })
  const there = withTokens({ ...user, tenantId: away.id }, ok(await switchTo(user, away.id)))
  expect(decodeProtectedHeader(there.token).typ).toBe('restricted+jwt')
  expect(await there.get('/ping')).toMatchObject(refusal('sessionRestricted'))
  expect((await there.get('/auth/memberships')).status).toBe(200)
  const back = ok(await switchTo(there, home.id))
  expect(await pingStatus(back.access_token)).toBe(200)
})

test('a restricted session, and one without mfa, deletes no account', async () => {
  const home = await newTenant()
  const user = await callerOf(await newPerson(server, home))
  await addTotp(home.admin)
  ok(await home.admin.put('/settings/tenant/auth.require_second_factor', { value: true }))
  expect(await user.post('/auth/account/delete', { password })).toMatchObject(refusal('sessionRestricted'))
  await addTotp(user)
  ok(await user.post('/auth/account/delete', { password }))
  expect(await postLogin(user.email)).toMatchObject(refusal('credentialsWrong'))
})

test('the factors of a person of several tenants are beyond the administrators of one', async () => {
  const { home, away, user, app } = await personWithFactor()
  const { token } = await invite(server, away.admin, { email: user.email })
  ok(await accept(token, {}, { token: user.token }))
  const all = `/users/${user.userId}/factors`
  const one = `${all}/${app.id}`
  for (const path of [all, one]) {
    expect(await home.admin.delete(path)).toMatchObject(refusal('emailOfPerson'))
  }
  ok(await (await platformAdmin()).delete(one, { tenant: home.id }))
  expect((await postLogin(user.email)).status).toBe(200)
})
