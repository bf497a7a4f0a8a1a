/** Questions about a session: docs/contract.md, "Decisions". */
import type { ChannelListener } from 'node:diagnostics_channel'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import {
  builtIn,
  keyWith,
  newTenant,
  ok,
  platformAdmin,
  signIn,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { postToken } from '../../../../test/front-door.ts'
import { narrow, ofApplication, sessionOf, setStatus } from '../../../../test/narrowed-sessions.ts'
import { clock } from '../../../../test/harness.ts'
import { addTotp } from '../../../../test/second-factors.ts'
import { eventually } from '../../../../test/waits.ts'
import { statementStep } from '../../../traced-steps.ts'

let tenant: Tenant
/** A backend of the product that has only the permission `authz:check`. */
let backend: Caller

beforeAll(async () => {
  tenant = await newTenant()
  backend = await tenant.userWith('authz:check')
})

const permissionsOf = (caller: Caller, { userId }: Caller, session: string) =>
  caller.get(`/authz/permissions?user_id=${userId}&session_id=${session}`)

const check = (caller: Caller, { userId }: Caller, session: string, ...permissions: string[]) =>
  caller.post('/authz/check', { user_id: userId, session_id: session, permissions })

describe('a narrowed session', () => {
  test('may do what its user may now and its set names, and nothing else', async () => {
    const user = await tenant.userWith('user:read', 'audit:read')
    await narrow(user, ['audit:read', 'role:read'])
    const session = sessionOf(user)
    for (const caller of [user, backend]) {
      for (const sid of [session, session.toUpperCase()]) {
        expect(ok(await permissionsOf(caller, user, sid)).permissions).toEqual(['audit:read'])
        expect(ok(await check(caller, user, sid, 'audit:read', 'user:read', 'role:read'))).toMatchObject({
          allowed: false,
          results: [{ allowed: true }, { allowed: false }, { allowed: false }],
        })
      }
    }
    await narrow(user, [])
    expect(ok(await permissionsOf(backend, user, session)).permissions).toEqual([])
  })

  test('follows at once what its user gains and loses', async () => {
    const user = await tenant.member()
    const role = await tenant.role('setting:read', 'user:read')
    await narrow(user, ['setting:read'])
    const roles = `/rbac/users/${user.userId}/roles`
    const held = async () => [
      ok(await permissionsOf(backend, user, sessionOf(user))).permissions as string[],
      ok(await check(backend, user, sessionOf(user), 'setting:read')).allowed as boolean,
    ]
    expect(await held()).toEqual([[], false])
    ok(await tenant.admin.post(roles, { role_id: role.id }))
    expect(await held()).toEqual([['setting:read'], true])
    ok(await tenant.admin.delete(`${roles}/${role.id}`))
    expect(await held()).toEqual([[], false])
  })

  test('leaves other sessions of its user, and questions without a session, as they are', async () => {
    const user = await tenant.userWith('user:read', 'audit:read')
    const second = await signIn(user)
    await narrow(second, ['audit:read'])
    const both = ['audit:read', 'user:read']
    expect(ok(await permissionsOf(backend, user, sessionOf(user))).permissions).toEqual(both)
    expect(ok(await permissionsOf(user, user, sessionOf(second))).permissions).toEqual(['audit:read'])
    expect(ok(await check(backend, user, sessionOf(second), 'user:read')).allowed).toBe(false)
    expect(ok(await check(backend, user, sessionOf(user), 'user:read')).allowed).toBe(true)
    const plain = { user_id: user.userId, permissions: ['user:read'] }
    expect(ok(await backend.post('/authz/check', plain)).allowed).toBe(true)
  })
})

describe('a question about a session', () => {
  const bothAbout = async (caller: Caller, user: Caller, session: string) => [
    await permissionsOf(caller, user, session),
    await check(caller, user, session, 'user:read'),
  ]
  const over = [refusal('sessionUnknown'), refusal('sessionUnknown')]

  test('is 404 when it is over, also a moment after it was asked about', async () => {
    const user = await tenant.userWith('user:read')
    const [signedOut, changed] = [await signIn(user), await signIn(user)]
    const sessions = [signedOut, changed].map(sessionOf)
    for (const session of sessions) {
      expect(await bothAbout(backend, user, session)).toMatchObject([{ status: 200 }, { status: 200 }])
    }
    ok(await signedOut.post('/auth/logout'))
    ok(await user.delete('/auth/sessions'))
    for (const session of sessions) {
      for (const caller of [user, backend]) {
        expect(await bothAbout(caller, user, session)).toMatchObject(over)
      }
    }
  })

  test('is 404 for the session of another user, and for a text that names no session', async () => {
    const user = await tenant.userWith('user:read')
    const another = await tenant.userWith('user:read')
    expect(await bothAbout(backend, user, sessionOf(another))).toMatchObject(over)
    const wrong = refusalOf('session_id')
    for (const text of ['none', 'key_', 'key_0', 'key_01', 'key_1e3', `key_${'9'.repeat(16)}`, 'KEY_1']) {
      expect(await bothAbout(backend, user, text)).toMatchObject([wrong, wrong])
    }
  })

  test('is 404 while its application is disabled', async () => {
    const user = await tenant.userWith('user:read')
    const application = await ofApplication(user)
    const path = () => permissionsOf(backend, user, sessionOf(user))
    expect((await path()).status).toBe(200)
    await setStatus(tenant.id, application, 0)
    expect(await path()).toMatchObject(refusal('sessionUnknown'))
    await setStatus(tenant.id, application, 1)
    expect((await path()).status).toBe(200)
  })

  test('is 404 once it lacks the second factor that its tenant asks for, also a moment after', async () => {
    const other = await newTenant()
    const user = await other.userWith('user:read')
    await addTotp(other.admin)
    const asker = await keyWith(other.id, ['authz:check'])
    expect(await bothAbout(asker, user, sessionOf(user))).toMatchObject([{ status: 200 }, { status: 200 }])
    ok(await other.admin.put('/settings/tenant/auth.require_second_factor', { value: true }))
    expect(await bothAbout(asker, user, sessionOf(user))).toMatchObject(over)
  })

  test('a question about the session of another user needs authz:check', async () => {
    const user = await tenant.userWith('user:read')
    const nobody = await tenant.userWith('user:read')
    const refused = refusal('permissionMissing')
    expect(await bothAbout(nobody, user, sessionOf(user))).toMatchObject([refused, refused])
  })

  test('a repeated question costs no statement, and a first one reads user and session at once', async () => {
    const user = await tenant.userWith('user:read', 'audit:read')
    await narrow(user, ['audit:read'])
    const key = await keyWith(tenant.id, ['authz:check'])
    const texts: string[] = []
    const note = ({ text }: { text: string }) => void texts.push(text)
    statementStep.start.subscribe(note as ChannelListener)
    onTestFinished(() => {
      statementStep.start.unsubscribe(note as ChannelListener)
    })
    const ask = async () => ok(await check(key, user, sessionOf(user), 'audit:read'))
    // A slow machine needs several attempts to ask twice within 1.5 seconds.
    await eventually(async () => {
      await ask()
      texts.length = 0
      await ask()
      expect(texts.filter((text) => /permissions|sessions/.test(text))).toEqual([])
    })
  })
})

describe('the session of a key', () => {
  const newKey = async () => {
    const owner = await newTenant()
    return { owner, asker: await owner.userWith('authz:check'), key: await keyWith(owner.id, ['user:read']) }
  }

  test('may do what its service account may, and is 404 for another account and for users', async () => {
    const { owner, asker, key } = await newKey()
    const session = `key_${key.keyId}`
    expect(ok(await permissionsOf(asker, key, session))).toMatchObject({
      user_id: key.userId,
      tenant_id: owner.id,
      permissions: ['user:read'],
    })
    expect(ok(await check(asker, key, session, 'user:read')).allowed).toBe(true)
    const another = await keyWith(owner.id, [])
    for (const holder of [another, owner.admin, asker]) {
      expect(await permissionsOf(asker, holder, session)).toMatchObject(refusal('sessionUnknown'))
    }
    expect(await permissionsOf(backend, key, session)).toMatchObject(refusal('userUnknown'))
  })

  test('a key asks about its own session with authz:check, in the tenant in scope', async () => {
    const platform = await keyWith(builtIn.id, ['authz:check', 'tenant:enter'])
    const session = `key_${platform.keyId}`
    expect((await permissionsOf(platform, platform, session)).status).toBe(200)
    const powerless = await keyWith(builtIn.id, [])
    expect(await permissionsOf(powerless, powerless, `key_${powerless.keyId}`)).toMatchObject(
      refusal('permissionMissing'),
    )
  })

  test('is asked about by a token for a key as by the key itself', async () => {
    const { id, admin } = await newTenant()
    const platform = await keyWith(builtIn.id, ['authz:check', 'tenant:enter'])
    const credentials = { client_id: `sa_${platform.userId}`, client_secret: platform.token }
    const { body } = await postToken({ grant_type: 'client_credentials', ...credentials })
    const path = `/authz/permissions?user_id=${admin.userId}&session_id=${sessionOf(admin)}`
    const own = `/authz/permissions?user_id=${platform.userId}&session_id=key_${platform.keyId}`
    for (const token of [platform.token, body.access_token as string]) {
      expect(ok(await platform.get(path, { token, tenant: id }))).toMatchObject({ tenant_id: id })
      // A user of the tenant in scope has the same id as the service account.
      expect(await platform.get(own, { token, tenant: id })).toMatchObject(refusal('userUnknown'))
      expect(ok(await platform.get(own, { token }))).toMatchObject({ user_id: platform.userId })
    }
  })

  test('is over with the key, its account and its tenant, also a moment after it was asked about', async () => {
    const root = await platformAdmin()
    const ends: ((owner: Tenant, key: Caller & { keyId: number }) => Promise<unknown>)[] = [
      async ({ admin }, key) => ok(await admin.delete(`/service-accounts/${key.userId}/keys/${key.keyId}`)),
      async ({ admin }, key) => ok(await admin.put(`/service-accounts/${key.userId}`, { status: 0 })),
      async ({ id }) => ok(await root.put(`/org/tenants/${id}`, { status: 0 })),
    ]
    for (const end of ends) {
      const { owner, key } = await newKey()
      const tenantOfKey = { tenant: owner.id }
      const question = { user_id: key.userId, session_id: `key_${key.keyId}`, permissions: ['user:read'] }
      const path = `/authz/permissions?user_id=${key.userId}&session_id=key_${key.keyId}`
      const ask = async () => [
        await root.get(path, tenantOfKey),
        await root.post('/authz/check', question, tenantOfKey),
      ]
      expect(await ask()).toMatchObject([{ status: 200 }, { status: 200, data: { allowed: true } }])
      await end(owner, key)
      expect(await ask()).toMatchObject([refusal('sessionUnknown'), refusal('sessionUnknown')])
    }
  })

  test('is over when the key expires', async () => {
    const owner = await newTenant()
    const asker = await owner.userWith('authz:check')
    const expiresAt = new Date(clock.now().getTime() + 1500).toISOString()
    const key = await keyWith(owner.id, [], { expires_at: expiresAt })
    const ask = () => permissionsOf(asker, key, `key_${key.keyId}`)
    expect((await ask()).status).toBe(200)
    await eventually(async () => expect(await ask()).toMatchObject(refusal('sessionUnknown')))
  })
})
