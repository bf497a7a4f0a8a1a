/** A client that acts with the token of its application's caller, against the real service. */
import { expect, test } from 'vitest'
import { newTenant, ok } from '../../server/test/factories.ts'
import { clock, service } from '../../server/test/harness.ts'
import { createClient, type GivenToken } from '../src/client.ts'
import { accessTokenMs, refused } from './signed-in.ts'

/** A client with a given token, and the paths of its requests. */
const acting = (accessToken: GivenToken) => {
  const paths: string[] = []
  const client = createClient({
    baseUrl: service.url,
    accessToken,
    fetch: (input, init) => {
      paths.push(new URL(input as string).pathname)
      return fetch(input, init)
    },
  })
  return { client, paths }
}

test('every call carries the given token, in the tenant that it names', async () => {
  const { id, admin } = await newTenant()
  const { client } = acting(admin.token)
  expect(await client.profile.get()).toMatchObject({ id: admin.userId, tenant_id: id })
  expect(await client.roles.list()).not.toHaveLength(0)
  expect(await client.auth.session()).toMatchObject({ userId: admin.userId, tenantId: id })
})

test('a function is asked for the token of each call', async () => {
  const tenant = await newTenant()
  const { admin } = tenant
  const tokens = [admin.token, (await tenant.member()).token]
  const { client } = acting(async () => tokens.shift() ?? '')
  expect(await client.profile.get()).toMatchObject({ id: admin.userId })
  expect(await client.profile.get()).not.toMatchObject({ id: admin.userId })
  const fault = new Error('the vault is closed')
  const broken = acting(() => Promise.reject(fault))
  expect(await refused(broken.client.profile.get())).toBe(fault)
})

test('a function that gives no token fails the call, which is not sent', async () => {
  for (const none of ['', undefined as unknown as string]) {
    const { client, paths } = acting(() => none)
    expect(String(await refused(client.profile.get()))).toContain('gave no token')
    expect(paths).toEqual([])
  }
})

test('an expired token, and one whose session is over, are reported after one request', async () => {
  const tenant = await newTenant()
  const { admin } = tenant
  const gone = await tenant.member()
  ok(await admin.delete(`/users/${gone.userId}`))
  const ended = acting(gone.token)
  expect(await refused(ended.client.profile.get())).toMatchObject({ status: 401, reason: 'tokenInvalid' })
  expect(ended.paths).toEqual(['/api/v1/profile'])
  const expired = acting(admin.token)
  clock.advance(accessTokenMs)
  expect(await refused(expired.client.profile.get())).toMatchObject({ status: 401, reason: 'tokenInvalid' })
  expect(expired.paths).toEqual(['/api/v1/profile'])
})

test('methods that would open or end a session reject', async () => {
  const { admin } = await newTenant()
  const { client } = acting(admin.token)
  expect(await refused(client.session.logout())).toBeInstanceOf(TypeError)
  const input = { email: admin.email, password: 'correct horse battery' }
  expect(await refused(client.auth.login(input))).toBeInstanceOf(TypeError)
  expect(await refused(client.auth.refresh())).toMatchObject({ reason: 'refreshTokenInvalid' })
  client.close()
  expect(await client.profile.get()).toMatchObject({ id: admin.userId })
})

test('an empty token is refused at once', () => {
  expect(() => createClient({ baseUrl: service.url, accessToken: '' })).toThrow('accessToken is empty')
})
