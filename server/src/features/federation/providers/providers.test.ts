import { generateKeyPairSync } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import {
  assign,
  auditRecords,
  builtIn,
  keyWith,
  newUser,
  ok,
  systemRoleId,
  type Caller,
} from '../../../../test/factories.ts'
import { call, parts, startApp } from '../../../../test/harness.ts'
import { deleteProviders, newProvider } from '../../../../test/provider-rows.ts'
import { addTotp, signInWithCode } from '../../../../test/second-factors.ts'
import { permissions } from '../../../access/permissions.ts'
import { createSecrets } from '../../../crypto/secrets.ts'

const { client_secret: secret } = newProvider()

const newAdmin = async (): Promise<Caller> => {
  const admin = await newUser(builtIn.id)
  await assign(builtIn.id, admin.userId, systemRoleId('platform-admin'))
  return admin
}

let root: Caller
beforeAll(async () => {
  root = await newAdmin()
})
afterEach(deleteProviders)

const create = async (changes: object = {}) => ok(await root.post('/providers', newProvider(changes)))

const setTested = (id: string, at: Date) =>
  parts.store.scoped({}).run(sql`update providers set tested_at = ${at} where id = ${id}`)

/** An active provider, without a test. */
const activate = async (changes: object = {}) => {
  const made = await create(changes)
  await setTested(made.id, new Date())
  return ok(await root.put(`/providers/${made.id}`, { status: 'active' }))
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

describe('a provider', () => {
  test('begins as a draft, and its secret is in no answer and no record', async () => {
    const made = await create({ slug: 'google-1' })
    expect(made).toMatchObject({
      kind: 'google',
      slug: 'google-1',
      status: 'draft',
      client_id: 'tenantry',
      scopes: 'openid email profile',
      allow_new: true,
      last_used_at: '',
      callback_url: `${parts.config.publicUrl}/sso/providers/google-1/callback`,
    })
    expect(ok(await root.get(`/providers/${made.id}`))).toEqual(made)
    expect(ok(await root.get('/providers'))).toContainEqual(made)
    const log = await auditRecords(builtIn.id, 'provider', made.id)
    expect(log.map(({ action }) => action)).toEqual(['provider.create'])
    expect(JSON.stringify([made, log])).not.toContain(secret)
    const row = await parts.store
      .scoped({})
      .one<{ sealed: Buffer }>(sql`select sealed from providers where id = ${made.id}`)
    expect(parts.secrets.open(row?.sealed ?? Buffer.alloc(0), `providers ${made.id}`)).toBe(secret)
  })

  test.each([
    [{ kind: 'microsoft' }, 'tenant'],
    [{ kind: 'microsoft', tenant: 'acme.onmicrosoft.com' }, 'tenant'],
    [{ kind: 'apple', team_id: 'A1' }, 'key_id'],
    [{ kind: 'apple', team_id: 'A1', key_id: 'B2' }, 'client_secret'],
    [{ kind: 'oidc' }, 'issuer'],
    [{ kind: 'oidc', issuer: 'http://idp.example.com' }, 'issuer'],
    [{ kind: 'oidc', issuer: 'https://accounts.google.com' }, 'issuer'],
    [{ kind: 'oidc', issuer: 'https://login.microsoftonline.com/common/v2.0' }, 'issuer'],
    [{ kind: 'google', issuer: 'https://idp.example.com' }, 'issuer'],
    [{ kind: 'google', trusts_email: true }, 'trusts_email'],
    [{ scopes: 'email' }, 'scopes'],
    [{ slug: 'Google' }, 'slug'],
  ])('is refused for a field that is missing, wrong or of another kind: %j', async (changes, field) => {
    expect(await root.post('/providers', newProvider(changes))).toMatchObject(refusalOf(field))
  })

  test('has the fields of its kind', async () => {
    const tenant = '3F2B8C1E-9D4A-4E5B-8A6F-0C1D2E3F4A5B'
    expect(await create({ kind: 'microsoft', tenant })).toMatchObject({ tenant: tenant.toLowerCase() })
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const apple = { kind: 'apple', team_id: 'A1', key_id: 'B2', client_secret: key }
    expect(await create(apple)).toMatchObject({ team_id: 'A1', key_id: 'B2' })
    const oidc = await create({ kind: 'oidc', issuer: 'https://idp.example.com' })
    expect(oidc).toMatchObject({ issuer: 'https://idp.example.com', trusts_email: false })
    expect(await create({ kind: 'github' })).toMatchObject({ scopes: 'read:user user:email' })
  })

  test('has a slug of its own, which never changes', async () => {
    const made = await create({ slug: 'one' })
    expect(await root.post('/providers', newProvider({ slug: 'one' }))).toMatchObject(
      refusal('providerSlugTaken'),
    )
    const changed = ok(
      await root.put(`/providers/${made.id}`, { slug: 'two', kind: 'github', name: 'Other' }),
    )
    expect(changed).toMatchObject({ slug: 'one', kind: 'google', name: 'Other' })
  })

  test('is one of at most 20', async () => {
    for (let count = 0; count < 20; count += 1) await create()
    expect(await root.post('/providers', newProvider())).toMatchObject(refusal('providersFull'))
  })

  test('cannot be stored without a secret key', async () => {
    const at = await startApp({}, undefined, { secrets: createSecrets([]) })
    expect(await root.post('/providers', newProvider(), { at })).toMatchObject(refusal('secretsOff'))
    await at.app.close()
  })
})

describe('the status of a provider', () => {
  test('is active only after a test of these very fields in the last 24 hours', async () => {
    const { id } = await create()
    const activation = () => root.put(`/providers/${id}`, { status: 'active' })
    expect(await activation()).toMatchObject(refusal('providerUntested'))
    await setTested(id, hoursAgo(25))
    expect(await activation()).toMatchObject(refusal('providerUntested'))
    for (const changes of [{ client_id: 'other' }, { client_secret: 'other' }, { scopes: 'openid' }]) {
      await setTested(id, hoursAgo(1))
      expect(await root.put(`/providers/${id}`, { ...changes, status: 'active' })).toMatchObject(
        refusal('providerUntested'),
      )
      ok(await root.put(`/providers/${id}`, changes))
      expect(await activation()).toMatchObject(refusal('providerUntested'))
    }
    await setTested(id, hoursAgo(23))
    expect(ok(await activation())).toMatchObject({ status: 'active' })
    const actions = (await auditRecords(builtIn.id, 'provider', id)).map(({ action }) => action)
    expect(actions.toSorted()).toEqual([
      'provider.activate',
      'provider.create',
      'provider.update',
      'provider.update',
      'provider.update',
    ])
  })

  test('decides whether the options name it', async () => {
    const told = async () => ok(await call('GET', '/auth/options')).ways.providers
    const { id, slug } = await activate()
    expect(await told()).toEqual([{ slug, name: 'Google', kind: 'google' }])
    ok(await root.put(`/providers/${id}`, { status: 'disabled' }))
    expect(await told()).toEqual([])
  })
})

describe('a write', () => {
  test('needs every permission there is, and its other holders are told', async () => {
    const weak = await builtIn.userWith('provider:read', 'provider:manage')
    const other = await newAdmin()
    const first = await newAdmin()
    expect(await weak.post('/providers', newProvider())).toMatchObject(refusal('targetOutranksCaller'))
    const { id } = ok(await first.post('/providers', newProvider()))
    expect(await weak.put(`/providers/${id}`, { name: 'Mine' })).toMatchObject(
      refusal('targetOutranksCaller'),
    )
    expect(await weak.delete(`/providers/${id}`)).toMatchObject(refusal('targetOutranksCaller'))
    expect(ok(await weak.get('/providers'))).toContainEqual(expect.objectContaining({ id }))
    ok(await first.delete(`/providers/${id}`))
    const notes = ok(await first.get(`/notifications/user/${other.userId}`)).items
    expect(notes.map(({ title }: { title: string }) => title)).toEqual([
      'A provider was deleted',
      'A provider was added',
    ])
    expect(ok(await first.get(`/notifications/user/${first.userId}`)).items).toEqual([])
    expect(await first.put(`/providers/${id}`, { name: 'Gone' })).toMatchObject(refusal('providerUnknown'))
  })
})

describe('the ways of the installation and of a tenant', () => {
  const globalPath = '/settings/global/auth.ways'

  /** Writes without the service, which would end the sessions of every test of this database. */
  const setGlobal = (value: object) =>
    parts.store.transaction({ tenantId: builtIn.id }, (db) =>
      db.run(sql`
        insert into global_settings (key, value, version, updated_at)
        values ('auth.ways', ${JSON.stringify(value)}, 1000, now())
        on conflict (key) do update set value = excluded.value`),
    )

  test('name the providers that are open, and a tenant opens none that the installation closed', async () => {
    const admin = await signInWithCode(root, await addTotp(root))
    const [one, two, three] = [await activate(), await activate(), await activate()]
    ok(await admin.put(globalPath, { value: { providers: [one.slug, two.slug] } }))
    try {
      const path = `/settings/tenant/auth.ways`
      ok(await admin.put(path, { value: { providers: [two.slug, three.slug] } }))
      const told = async (query: string) =>
        ok(await call('GET', `/auth/options${query}`)).ways.providers.map(
          (each: { slug: string }) => each.slug,
        )
      expect(await told('')).toEqual([one.slug, two.slug])
      expect(await told(`?tenant=${builtIn.id}`)).toEqual([two.slug])
      ok(await admin.delete(path))
    } finally {
      ok(await admin.delete(globalPath))
    }
  })

  test('keep the last open provider', async () => {
    const last = await activate()
    await activate()
    const key = await keyWith(
      builtIn.id,
      permissions.map(({ code }) => code),
    )
    await setGlobal({ password: false, passkey: false, providers: [last.slug] })
    try {
      const path = `/providers/${last.id}`
      expect(await key.put(path, { status: 'disabled' })).toMatchObject(refusal('lastProvider'))
      expect(await key.delete(path)).toMatchObject(refusal('lastProvider'))
      expect(ok(await key.get(`/providers/${last.id}`))).toMatchObject({ status: 'active' })
    } finally {
      await parts.store.transaction({ tenantId: builtIn.id }, (db) =>
        db.run(sql`delete from global_settings where key = 'auth.ways'`),
      )
    }
  })
})
