import { describe, expect, test } from 'vitest'
import { recordsOf } from '../../../../../test/accounts.ts'
import { keyWith, newTenant } from '../../../../../test/factories.ts'
import {
  credentialsOf,
  newApplication,
  openSession,
  postForm,
  refresh,
  type TestApplication,
} from '../../../../../test/front-door.ts'

const isLive = async (token: string): Promise<boolean> =>
  (await postForm('/userinfo', { access_token: token })).status === 200

const revoke = (application: TestApplication, token: string) =>
  postForm('/revoke', { ...credentialsOf(application), token })

describe('revocation', () => {
  test.each(['access_token', 'refresh_token'] as const)(
    'an %s ends its session, and no other',
    async (which) => {
      const { admin } = await newTenant()
      const application = await newApplication()
      const tokens = await openSession(admin, application)
      const { signIn } = tokens
      const other = await openSession(admin, application, { signIn })
      const { status, body } = await revoke(application, tokens[which])
      expect([status, body]).toEqual([200, {}])
      expect(await isLive(tokens.access_token)).toBe(false)
      expect((await refresh(application, tokens.refresh_token)).body.error).toBe('invalid_grant')
      expect(await isLive(other.access_token)).toBe(true)
    },
  )

  test('is recorded with the name of the application, once', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const { refresh_token: token } = await openSession(admin, application)
    await revoke(application, token)
    await revoke(application, token)
    const records = (await recordsOf(admin)).filter(({ action }) => action === 'auth.logout')
    expect(records).toMatchObject([{ detail: { application: { to: application.name } } }])
  })

  test('unknown tokens, and tokens of another client, get 200 and end nothing', async () => {
    const { admin, id } = await newTenant()
    const [application, other] = [await newApplication(), await newApplication()]
    const tokens = await openSession(admin, application)
    const key = await keyWith(id, [])
    for (const token of ['x', tokens.id_token, tokens.access_token, tokens.refresh_token, admin.token]) {
      expect((await revoke(other, token)).status).toBe(200)
    }
    const byKey = { client_id: `sa_${key.userId}`, client_secret: key.token, token: tokens.refresh_token }
    expect((await postForm('/revoke', byKey)).status).toBe(200)
    expect(await isLive(tokens.access_token)).toBe(true)
    expect((await admin.get('/ping')).status).toBe(200)
  })

  test('needs the proof of a client that has a secret', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const { access_token: token } = await openSession(admin, application)
    expect((await revoke({ ...application, secret: '' }, token)).status).toBe(401)
    expect(await isLive(token)).toBe(true)
  })
})
