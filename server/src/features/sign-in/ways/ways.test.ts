import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import {
  assign,
  builtIn,
  keyWith,
  newTenant,
  newUser,
  ok,
  password,
  systemRoleId,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { call, parts } from '../../../../test/harness.ts'
import { useMailServer } from '../../../../test/mail-queue.ts'
import { accept, insertMember, invite } from '../../../../test/people.ts'
import { addPasskey, addTotp, signInWithCode, withTokens } from '../../../../test/second-factors.ts'
import { systemCtx } from '../../../start/parts.ts'
import { createSecretKeys } from '../../configuration/settings/declared.service.ts'
import { putGlobalSetting } from '../../configuration/settings/writes.service.ts'

const server = useMailServer()

const path = '/settings/tenant/auth.ways'
const globalPath = '/settings/global/auth.ways'

/** An administrator with a second factor. */
const careful = async (user: Caller): Promise<Caller> => signInWithCode(user, await addTotp(user))

/** A caller that signed in with only a passkey. */
const byPasskey = async (user: Caller): Promise<Caller> => {
  const { authenticator } = await addPasskey(user)
  const options = ok(await call('POST', '/auth/passkey/options'))
  const pair = ok(await call('POST', '/auth/passkey', { body: { response: authenticator.get(options) } }))
  return withTokens(user, pair)
}

const login = (user: Caller, more: object = {}) =>
  call('POST', '/auth/login', { body: { email: user.email, password, ...more } })

let root: Caller
beforeAll(async () => {
  // Other tests of this database sign in as the first platform administrator, by password alone.
  const admin = await newUser(builtIn.id)
  await assign(builtIn.id, admin.userId, systemRoleId('platform-admin'))
  root = await careful(admin)
})

/** A tenant that accepts only passkeys, its administrator, and a user who signed in by password before. */
const shut = async (): Promise<{ tenant: Tenant; admin: Caller; user: Caller }> => {
  const tenant = await newTenant()
  const user = await tenant.member()
  const admin = await byPasskey(tenant.admin)
  ok(await admin.put(path, { value: { password: false } }))
  return { tenant, admin, user }
}

describe('a way that a tenant closes', () => {
  test('ends its sessions at once, and no others', async () => {
    const { admin, user } = await shut()
    expect(await user.get('/profile')).toMatchObject(refusal('tokenInvalid'))
    expect((await admin.get('/profile')).status).toBe(200)
  })

  test('refuses a sign-in only after the right password', async () => {
    const { user } = await shut()
    expect(await login(user)).toMatchObject(refusal('wayClosed'))
    expect(await login(user, { password: 'a wrong one' })).toMatchObject(refusal('credentialsWrong'))
  })

  test('refuses the refresh of a session that it ended', async () => {
    const { user } = await shut()
    expect(await call('POST', '/auth/refresh', { body: { refresh_token: user.refreshToken } })).toMatchObject(
      refusal('wayClosed'),
    )
  })

  test('refuses a switch by a session of another tenant, and a sign-in passes the tenant over', async () => {
    const { tenant, user } = await shut()
    const home = await newTenant()
    await insertMember(user, home)
    const pair = ok(await login(user))
    const there = withTokens(user, pair)
    expect(ok(await there.get('/profile')).tenant_id).toBe(home.id)
    expect(await there.post('/auth/switch', { tenant_id: tenant.id })).toMatchObject(refusal('wayClosedHere'))
  })

  test('refuses an invitation that would open a session, and leaves it unspent', async () => {
    const { admin } = await shut()
    const { token } = await invite(server, admin, { email: `${unique()}@example.com` })
    expect(await accept(token, { password })).toMatchObject(refusal('wayClosed'))
    ok(await admin.put(path, { value: { password: true } }))
    expect((await accept(token, { password })).status).toBe(200)
  })

  test('is told by the options of the tenant alone', async () => {
    const { tenant } = await shut()
    const told = async (query: string) => ok(await call('GET', `/auth/options${query}`)).ways
    expect(await told(`?tenant=${tenant.id}`)).toMatchObject({ password: false, passkey: true })
    expect(await told('')).toMatchObject({ password: true, passkey: true })
    expect(await told('?tenant=unknown')).toMatchObject({ password: true, passkey: true })
  })

  test('leaves the keys of service accounts alone', async () => {
    const tenant = await newTenant()
    const key = await keyWith(tenant.id, ['user:read'])
    ok(await (await byPasskey(tenant.admin)).put(path, { value: { password: false } }))
    expect((await key.get('/users')).status).toBe(200)
  })
})

describe('a change of the ways', () => {
  test('needs a second factor', async () => {
    const tenant = await newTenant()
    expect(await tenant.admin.put(path, { value: { passkey: false } })).toMatchObject(refusal('mfaRequired'))
    const admin = await careful(tenant.admin)
    ok(await admin.put(path, { value: { passkey: false } }))
    expect(await (await tenant.member()).delete(path)).toMatchObject(refusal('permissionMissing'))
    ok(await admin.delete(path))
  })

  test('is refused where no way would be left, or where the own session would end', async () => {
    const tenant = await newTenant()
    const admin = await careful(tenant.admin)
    expect(await admin.put(path, { value: { password: false, passkey: false } })).toMatchObject(
      refusalOf('value'),
    )
    expect(await admin.put(path, { value: { password: false } })).toMatchObject(refusal('ownWay'))
    expect((await admin.get('/profile')).status).toBe(200)
  })
})

describe('a way that the installation closes', () => {
  test('is closed in every tenant, whatever the tenant opens, and ends its sessions everywhere', async () => {
    const tenant = await newTenant()
    const [user, other] = [await tenant.member(), await (await newTenant()).member()]
    const admin = await careful(tenant.admin)
    ok(await admin.put(path, { value: { password: true, passkey: true } }))
    const { authenticator } = await addPasskey(user)
    const options = ok(await call('POST', '/auth/passkey/options'))
    ok(await root.put(globalPath, { value: { passkey: false } }))
    try {
      expect((await user.get('/profile')).status).toBe(200)
      expect((await other.get('/profile')).status).toBe(200)
      const answer = { body: { response: authenticator.get(options), tenant_id: tenant.id } }
      expect(await call('POST', '/auth/passkey', answer)).toMatchObject(refusal('wayClosed'))
    } finally {
      ok(await root.delete(globalPath))
    }
  })

  test('ends a session of a passkey, in a tenant with a value of its own', async () => {
    const user = await byPasskey(await (await newTenant()).member())
    ok(await root.put(globalPath, { value: { passkey: false } }))
    try {
      expect(await user.get('/profile')).toMatchObject(refusal('tokenInvalid'))
    } finally {
      ok(await root.delete(globalPath))
    }
    expect(await user.get('/profile')).toMatchObject(refusal('tokenInvalid'))
  })

  test('cannot be the last one, nor that of the caller', async () => {
    expect(await root.put(globalPath, { value: { password: false, passkey: false } })).toMatchObject(
      refusalOf('value'),
    )
    expect(await root.put(globalPath, { value: { password: false } })).toMatchObject(refusal('ownWay'))
  })

  test('refuses registration, and the operator opens it again', async () => {
    // Written without the service, which would end the sessions of every test of this database.
    await parts.store.transaction({ tenantId: root.tenantId }, (db) =>
      db.run(sql`
        insert into global_settings (key, value, version, updated_at)
        values ('auth.ways', '{"password":false}', 1000, now())`),
    )
    const body = { email: `${unique()}@example.com`, username: unique(), password }
    expect(await call('POST', '/auth/register', { body })).toMatchObject(refusal('wayClosedHere'))
    const open = { value: { password: true }, ifMatch: undefined }
    await putGlobalSetting(systemCtx(parts, 'ways open'), createSecretKeys(), 'auth.ways', open)
    expect((await call('POST', '/auth/register', { body })).status).toBe(200)
  })
})
