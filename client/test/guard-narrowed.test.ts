/** Tokens of applications and of service accounts at the guard: they may use a part of what their holder may. */
import { describe, expect, test } from 'vitest'
import { assign, builtIn, keyWith, newTenant, ok, platformAdmin } from '../../server/test/factories.ts'
import {
  narrow,
  ofApplication,
  renameSession,
  sessionOf,
  setStatus,
} from '../../server/test/narrowed-sessions.ts'
import { anyOf, signedIn } from '../src/guard/guard.ts'
import { code, guardWith, newProduct, outdated, signClaims, visit } from './guarded.ts'

const [missing, over] = [
  { status: 403, error: 'permissionMissing' },
  { status: 401, error: 'sessionOver' },
]

describe('a narrowed session', () => {
  test('comes in with the permissions of its set that its user holds now, and with no other ones', async () => {
    const { tenant, user, backend } = await newProduct()
    await narrow(user, [code, 'user:read'])
    const { guard } = guardWith({ key: backend.token })
    const [into, intoUsers] = [visit(guard), visit(guard, 'user:read')]
    expect(await into(user.token)).toMatchObject({ status: 200, caller: { permissions: [code] } })
    expect(await intoUsers(user.token)).toEqual(missing)
    await assign(tenant.id, user.userId, (await tenant.role('user:read', 'audit:read')).id)
    await outdated()
    expect(await intoUsers(user.token)).toMatchObject({ caller: { permissions: [code, 'user:read'] } })
    expect(await visit(guard, 'audit:read')(user.token)).toEqual(missing)
  })

  test('a session narrowed to no permission is admitted only by routes that ask for none', async () => {
    const { user, backend } = await newProduct()
    await narrow(user, [])
    const { guard } = guardWith({ key: backend.token })
    expect(await visit(guard)(user.token)).toEqual(missing)
    expect(await visit(guard, anyOf(code, 'user:read'))(user.token)).toEqual(missing)
    expect(await visit(guard, signedIn())(user.token)).toMatchObject({ caller: { permissions: [] } })
  })

  test('a session of a disabled application gets 401 on every route', async () => {
    const { tenant, user, backend } = await newProduct()
    const application = await ofApplication(user)
    const { guard } = guardWith({ key: backend.token })
    expect(await visit(guard)(user.token)).toMatchObject({ status: 200 })
    await setStatus(tenant.id, application, 0)
    guard.forget()
    expect(await visit(guard)(user.token)).toEqual(over)
    expect(await visit(guard, signedIn())(user.token)).toEqual(over)
  })

  test('is not mistaken for one of another tenant with its id', async () => {
    const [mine, theirs] = [await newProduct(), await newTenant()]
    const other = await theirs.userWith('user:read')
    const sid = sessionOf(mine.user)
    await renameSession(other, sid)
    const into = visit(guardWith({ key: (await platformAdmin()).token }).guard)
    expect(await into(mine.user.token)).toMatchObject({ status: 200 })
    expect(await into(await signClaims(other, { sid }))).toEqual(missing)
    expect(await into(await signClaims({ ...other, tenantId: mine.tenant.id }, { sid }))).toEqual(over)
  })
})

describe('the scope of a token', () => {
  test('takes permissions from it, and gives none', async () => {
    const { tenant, user, backend } = await newProduct()
    await assign(tenant.id, user.userId, (await tenant.role('user:read')).id)
    const { guard } = guardWith({ key: backend.token })
    const [into, intoUsers] = [visit(guard), visit(guard, 'user:read')]
    const sign = (scope: unknown) => signClaims(user, { sid: sessionOf(user), scope })
    expect(await into(await sign(`openid ${code}`))).toMatchObject({ caller: { permissions: [code] } })
    expect(await intoUsers(await sign(`openid ${code}`))).toEqual(missing)
    expect(await intoUsers(await sign('audit:read'))).toEqual(missing)
    expect(await visit(guard, 'audit:read')(await sign('audit:read'))).toEqual(missing)
    for (const scope of [undefined, '', 'openid profile email offline_access']) {
      const both = [code, 'user:read']
      expect(await into(await sign(scope))).toMatchObject({ caller: { permissions: both } })
    }
    for (const scope of [[code], 7, null]) {
      expect(await into(await sign(scope))).toEqual({ status: 401, error: 'tokenInvalid' })
    }
  })

  test('narrows a session further than its set', async () => {
    const { tenant, user, backend } = await newProduct()
    await assign(tenant.id, user.userId, (await tenant.role('user:read', 'audit:read')).id)
    await narrow(user, [code, 'user:read'])
    const token = await signClaims(user, { sid: sessionOf(user), scope: 'user:read audit:read' })
    const { guard } = guardWith({ key: backend.token })
    expect(await visit(guard, 'user:read')(token)).toMatchObject({ caller: { permissions: ['user:read'] } })
    for (const one of [code, 'audit:read']) expect(await visit(guard, one)(token)).toEqual(missing)
  })
})

describe('a token of a service account', () => {
  const newAccount = async () => {
    const tenant = await newTenant()
    const key = await keyWith(tenant.id, [code, 'user:read'])
    const backend = await tenant.userWith('authz:check')
    const { guard } = guardWith({ key: backend.token })
    const sign = (claims: object = {}) => signClaims(key, { sid: `key_${key.keyId}`, ...claims })
    return { tenant, key, guard, sign }
  }

  test('comes in with the permissions of the account, within its scope', async () => {
    const { tenant, key, guard, sign } = await newAccount()
    expect(await visit(guard)(await sign())).toEqual({
      status: 200,
      caller: { userId: key.userId, tenantId: tenant.id, permissions: [code, 'user:read'] },
    })
    const narrowed = await sign({ scope: 'user:read' })
    expect(await visit(guard, 'user:read')(narrowed)).toMatchObject({ status: 200 })
    expect(await visit(guard)(narrowed)).toEqual(missing)
  })

  test('is 401 once its key is revoked, or its account or tenant is disabled', async () => {
    const root = await platformAdmin()
    const ends: ((account: Awaited<ReturnType<typeof newAccount>>) => Promise<unknown>)[] = [
      async ({ tenant: { admin }, key }) =>
        ok(await admin.delete(`/service-accounts/${key.userId}/keys/${key.keyId}`)),
      async ({ tenant: { admin }, key }) =>
        ok(await admin.put(`/service-accounts/${key.userId}`, { status: 0 })),
      async ({ tenant }) => ok(await root.put(`/org/tenants/${tenant.id}`, { status: 0 })),
    ]
    const platform = await keyWith(builtIn.id, ['authz:check', 'tenant:enter'])
    for (const end of ends) {
      const account = await newAccount()
      const into = visit(guardWith({ key: platform.token }).guard, signedIn())
      expect(await into(await account.sign())).toMatchObject({ status: 200 })
      await end(account)
      await outdated()
      expect(await into(await account.sign())).toEqual(over)
    }
  })

  test('is 401 for the key of another account', async () => {
    const { tenant, guard, sign } = await newAccount()
    const another = await keyWith(tenant.id, [])
    expect(await visit(guard, signedIn())(await sign({ sid: `key_${another.keyId}` }))).toEqual(over)
    expect(await visit(guard, signedIn())(await sign({ sub: String(another.userId) }))).toEqual(over)
  })
})
