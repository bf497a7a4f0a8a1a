/** Signing in with a second factor through the SDK. */
import { expect, test } from 'vitest'
import { newTenant, password } from '../../server/test/factories.ts'
import { service } from '../../server/test/harness.ts'
import { startMailServer } from '../../lab/mail-server.ts'
import { invite, newPerson } from '../../server/test/people.ts'
import { addPasskey, addTotp, withTokens } from '../../server/test/second-factors.ts'
import { createClient } from '../src/client.ts'
import { refused } from './signed-in.ts'

const clientOf = () => createClient({ baseUrl: service.url })

test('a login tells the second step as a result, and signs nobody in before it is done', async () => {
  const user = await (await newTenant()).member()
  const app = await addTotp(user)
  const client = clientOf()
  const result = await client.auth.login({ email: user.email, password })
  expect(result).toMatchObject({
    needsFactor: true,
    methods: ['totp', 'recovery_code'],
    passkey_options: null,
  })
  expect(await client.auth.session()).toBeUndefined()
  if (!result.needsFactor) throw new Error('no second step')
  const { challenge } = result
  expect(await refused(client.auth.loginWithFactor({ challenge, code: '12345' }))).toMatchObject({
    status: 401,
    reason: 'factorWrong',
  })
  await client.auth.loginWithFactor({ challenge, code: app.nextCode() })
  expect(await client.profile.get()).toMatchObject({ id: user.userId })
})

test('a login without a second factor gives the tokens', async () => {
  const user = await (await newTenant()).member()
  const result = await clientOf().auth.login({ email: user.email, password })
  expect(result).toMatchObject({ needsFactor: false, accessToken: expect.any(String) })
})

test('accepting an invitation by the password tells the second step as a result, in the new tenant', async () => {
  const [home, tenant] = [await newTenant(), await newTenant()]
  const server = await startMailServer()
  const person = await newPerson(server, home)
  const app = await addTotp(
    withTokens(await home.member(), {
      access_token: person.token,
      refresh_token: person.refreshToken,
    }),
  )
  const { token } = await invite(server, tenant.admin, { email: person.email })
  await server.stop()
  const client = clientOf()
  const result = await client.auth.acceptInvitation({ token, username: 'ada', password })
  if (!result.needsFactor) throw new Error('no second step')
  await client.auth.loginWithFactor({ challenge: result.challenge, code: app.nextCode() })
  expect((await client.auth.session())?.tenantId).toBe(tenant.id)
})

test('a passkey alone signs in', async () => {
  const user = await (await newTenant()).member()
  const { authenticator } = await addPasskey(user)
  const client = clientOf()
  const response = authenticator.get(await client.auth.beginPasskeyLogin())
  await client.auth.loginWithPasskey({ response })
  expect(await client.profile.get()).toMatchObject({ id: user.userId })
})

test('a wrong password rejects as before', async () => {
  const user = await (await newTenant()).member()
  await addTotp(user)
  const answer = await refused(clientOf().auth.login({ email: user.email, password: 'not the password' }))
  expect(answer).toMatchObject({ status: 401, reason: 'credentialsWrong' })
})
