/** The names of a caller, which a route reads on demand. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { builtIn, keyWith, newTenant, ok, platformAdmin } from '../../server/test/factories.ts'
import { sessionOf } from '../../server/test/narrowed-sessions.ts'
import type { Caller } from '../src/guard/guard.ts'
import { signedIn } from '../src/guard/guard.ts'
import { guardWith, outdated, signClaims, startWatched, visit } from './guarded.ts'

const admitted = async (verdict: Promise<{ caller?: Caller }>): Promise<Caller> => {
  const { caller } = await verdict
  if (!caller) throw new Error('the request was refused')
  return caller
}

const platformKey = () => keyWith(builtIn.id, ['authz:check', 'tenant:enter', 'user:read'])

test('a caller tells username, e-mail and person, by one question each in 1.5 seconds', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  const { url, asked } = await startWatched()
  const into = visit(guardWith({ baseUrl: url, key: (await platformKey()).token }).guard, signedIn())
  const caller = await admitted(into(user.token))
  expect(await Promise.all([caller.username(), caller.email()])).toEqual([user.username, user.email])
  const root = await platformAdmin()
  const { person } = ok(await root.get(`/users/${user.userId}?include=person`, { tenant: tenant.id }))
  expect(await caller.person()).toBe(person)
  const again = await admitted(into(user.token))
  expect([await again.email(), await again.person()]).toEqual([user.email, person])
  const questions = () => asked.filter((one) => one.startsWith('GET /api/v1/users/'))
  expect(questions()).toHaveLength(2)
  ok(await tenant.admin.put(`/users/${user.userId}`, { email: `new-${user.email}` }))
  await outdated()
  expect(await again.email()).toBe(`new-${user.email}`)
})

test('a person in the token is taken from it, and asked for by nobody', async () => {
  const tenant = await newTenant()
  const [user, backend] = [await tenant.member(), await tenant.userWith('authz:check')]
  const person = randomUUID()
  const token = await signClaims(user, { sid: sessionOf(user), person })
  const caller = await admitted(visit(guardWith({ key: backend.token }).guard, signedIn())(token))
  expect(await caller.person()).toBe(person)
})

test('nothing but the names of a caller asks for them: the caller goes into an answer as data', async () => {
  const tenant = await newTenant()
  const [user, backend] = [await tenant.member(), await tenant.userWith('authz:check')]
  const caller = await admitted(visit(guardWith({ key: backend.token }).guard, signedIn())(user.token))
  const data = { userId: user.userId, tenantId: tenant.id, permissions: ['dashboard:read'] }
  expect(JSON.parse(JSON.stringify(caller))).toEqual(data)
  expect(structuredClone({ ...caller })).toEqual(data)
})

test('the names of a caller are refused to a key without the permission, and for a service account', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  const powerless = await tenant.userWith('authz:check')
  const caller = await admitted(visit(guardWith({ key: powerless.token }).guard, signedIn())(user.token))
  await expect(caller.email()).rejects.toMatchObject({ reason: 'permissionMissing' })
  await expect(caller.person()).rejects.toMatchObject({ reason: 'permissionMissing' })
  const account = await keyWith(tenant.id, [])
  const token = await signClaims(account, { sid: `key_${account.keyId}` })
  const robot = await admitted(
    visit(guardWith({ key: (await platformKey()).token }).guard, signedIn())(token),
  )
  await expect(robot.username()).rejects.toMatchObject({ reason: 'userUnknown' })
  await expect(robot.person()).rejects.toMatchObject({ reason: 'userUnknown' })
})
