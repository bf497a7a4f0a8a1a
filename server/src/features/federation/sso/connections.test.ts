import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  newTenant,
  ok,
  platformAdmin,
  systemRoleId,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { parts, startApp } from '../../../../test/harness.ts'
import { providerSecret, startProvider, type TestProvider } from '../../../../test/provider.ts'
import { createSecrets } from '../../../crypto/secrets.ts'

let honest: TestProvider
/** A provider whose metadata name an issuer other than its address. */
let lying: TestProvider
beforeAll(async () => {
  honest = await startProvider()
  lying = await startProvider(undefined, { path: '/other' })
})
afterAll(async () => {
  await honest.stop()
  await lying.stop()
})

const bodyOf = (changes: object = {}) => ({
  type: 'oidc',
  name: 'Entra ID',
  issuer: honest.issuer,
  client_id: 'tenantry',
  client_secret: providerSecret,
  ...changes,
})

const create = async (by: Caller, changes: object = {}) => ok(await by.post('/connections', bodyOf(changes)))

const refusalOf = (status: number, code: number) => ({ status, body: { code } })

const actionsOf = async ({ admin }: Tenant): Promise<string[]> =>
  ok(await admin.get('/audit/logs?resource=connection')).items.map((one: { action: string }) => one.action)

const setTested = ({ id: tenantId }: Tenant, id: string, at = new Date()) =>
  parts.store
    .scoped({ tenantId })
    .run(sql`update connections set tested_at = ${at} where tenant_id = ${tenantId} and id = ${id}`)

describe('a connection', () => {
  test('takes an id of the caller, which gives its address before it exists, and which no other tenant takes', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const id = randomUUID()
    const taken = refusalOf(409, 40963)
    expect((await create(tenant.admin, { id: id.toUpperCase() })).callback_url).toBe(
      `${parts.config.publicUrl}/sso/oidc/${id}/callback`,
    )
    expect(await tenant.admin.post('/connections', bodyOf({ id }))).toMatchObject(taken)
    expect(await other.admin.post('/connections', bodyOf({ id }))).toMatchObject(taken)
    expect(ok(await other.admin.get('/connections'))).toEqual([])
    expect(await tenant.admin.post('/connections', bodyOf({ id: 'mine' }))).toMatchObject(
      refusalOf(400, 40001),
    )
  })

  test('begins as a draft with what it was given, and its secret is in no answer and no record', async () => {
    const tenant = await newTenant()
    const role = await tenant.role('user:read')
    const domain = `${unique('d')}.example.com`
    ok(await tenant.admin.post('/domains', { domain }))
    const made = await create(tenant.admin, {
      domains: [`${domain.toUpperCase()}.`],
      default_role_ids: [role.id],
      group_mappings: [{ group: 'accounting', role_id: role.id }],
    })
    expect(made).toMatchObject({
      type: 'oidc',
      status: 'draft',
      domains: [domain],
      jit: true,
      default_role_ids: [role.id],
      group_mappings: [{ group: 'accounting', role_id: role.id }],
      scim_account_id: null,
      trust_mfa: false,
      session_seconds: 86_400,
      application_id: null,
      issuer: honest.issuer,
      auth_method: 'client_secret_basic',
      scopes: 'openid profile email',
      subject_claim: 'sub',
      callback_url: `${parts.config.publicUrl}/sso/oidc/${made.id}/callback`,
    })
    expect(ok(await tenant.admin.get(`/connections/${made.id}`))).toEqual(made)
    const log = ok(await tenant.admin.get('/audit/logs?resource=connection'))
    expect(JSON.stringify([made, log])).not.toContain(providerSecret)
    const row = await parts.store
      .scoped({})
      .one<{ sealed: Buffer }>(sql`select sealed from connection_secrets where id = ${made.id}`)
    expect(parts.secrets.open(row?.sealed ?? Buffer.alloc(0), `connection_secrets ${made.id}`)).toBe(
      providerSecret,
    )
  })

  test('forgets a role that is deleted', async () => {
    const tenant = await newTenant()
    const [gone, kept] = [await tenant.role('user:read'), await tenant.role('user:read')]
    const mappings = [gone, kept].map(({ id }) => ({ group: 'accounting', role_id: id }))
    const { id } = await create(tenant.admin, {
      default_role_ids: [gone.id, kept.id],
      group_mappings: mappings,
    })
    ok(await tenant.admin.delete(`/rbac/roles/${gone.id}`))
    expect(ok(await tenant.admin.get(`/connections/${id}`))).toMatchObject({
      default_role_ids: [kept.id],
      group_mappings: [{ group: 'accounting', role_id: kept.id }],
    })
  })

  test.each([
    ['https://login.microsoftonline.com/common/v2.0', 40001],
    ['https://login.microsoftonline.com/organizations/v2.0', 40001],
    ['https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0', 40063],
    ['https://appleid.apple.com', 40063],
    ['https://gitlab.com', 40063],
    ['https://user@idp.example.com', 40001],
    ['https://idp.example.com?x=1', 40001],
    ['http://idp.example.com', 40001],
    ['ftp://idp.example.com', 40001],
    ['not an address', 40001],
  ])('is refused for an issuer that no tenant can trust: %s', async (issuer, code) => {
    const { admin } = await newTenant()
    expect(await admin.post('/connections', bodyOf({ issuer }))).toMatchObject(refusalOf(400, code))
  })

  test('is refused where the issuer does not answer, names itself otherwise, or lies inward', async () => {
    const { admin } = await newTenant()
    for (const issuer of [
      'http://127.0.0.1:9',
      lying.issuer,
      'https://10.0.0.1',
      'https://169.254.169.254',
    ]) {
      expect([issuer, (await admin.post('/connections', bodyOf({ issuer }))).body.code]).toEqual([
        issuer,
        40001,
      ])
    }
  })

  test('takes no role that carries permissions of the platform', async () => {
    const tenant = await newTenant()
    const root = await platformAdmin()
    const wrong = [{ default_role_ids: [1] }, { group_mappings: [{ group: 'root', role_id: 1 }] }]
    for (const changes of wrong) {
      expect(await root.post('/connections', bodyOf(changes))).toMatchObject(refusalOf(400, 40009))
      expect(await tenant.admin.post('/connections', bodyOf(changes))).toMatchObject(refusalOf(400, 40001))
    }
    const admin = systemRoleId('admin')
    expect(await create(tenant.admin, { default_role_ids: [admin] })).toMatchObject({ status: 'draft' })
  })

  test('gets no domain of another tenant or connection', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    const domain = `${unique('d')}.example.com`
    ok(await one.admin.post('/domains', { domain }))
    const refused = refusalOf(400, 40001)
    expect(await other.admin.post('/connections', bodyOf({ domains: [domain] }))).toMatchObject(refused)
    await create(one.admin, { domains: [domain] })
    expect(await one.admin.post('/connections', bodyOf({ domains: [domain] }))).toMatchObject(refused)
    expect(ok(await one.admin.get('/connections'))).toHaveLength(1)
  })

  test('becomes active only within 24 hours of a successful test, and another secret asks for a new one', async () => {
    const tenant = await newTenant()
    const { id } = await create(tenant.admin)
    const activate = () => tenant.admin.put(`/connections/${id}`, { status: 'active' })
    expect(await activate()).toMatchObject(refusalOf(400, 40064))
    await setTested(tenant, id, new Date(Date.now() - 25 * 3_600_000))
    expect(await activate()).toMatchObject(refusalOf(400, 40064))
    const changes = [
      { client_secret: 'another' },
      { client_id: 'another' },
      { scopes: 'openid email' },
      { email_claim: 'upn' },
      { groups_claim: 'roles' },
    ]
    for (const change of changes) {
      await setTested(tenant, id)
      // The connection's test was with its earlier fields.
      const both = { ...change, status: 'active' }
      expect(await tenant.admin.put(`/connections/${id}`, both)).toMatchObject(refusalOf(400, 40064))
      ok(await tenant.admin.put(`/connections/${id}`, change))
      expect(await activate()).toMatchObject(refusalOf(400, 40064))
    }
    await setTested(tenant, id)
    ok(await tenant.admin.put(`/connections/${id}`, { name: 'Okta', client_id: 'another' }))
    expect(ok(await activate())).toMatchObject({ status: 'active' })
    expect((await actionsOf(tenant)).slice(0, 2)).toEqual(['connection.activate', 'connection.update'])
  })

  test('a connection put with equal values stays tested and notifies nobody; a secret counts as changed', async () => {
    const tenant = await newTenant()
    const roles = [await tenant.role('user:read'), await tenant.role('user:read')]
    const mappings = roles.map(({ id }) => ({ group: 'accounting', role_id: id }))
    const made = await create(tenant.admin, { group_mappings: mappings })
    await setTested(tenant, made.id)
    const put = async (fields: object) => ok(await tenant.admin.put(`/connections/${made.id}`, fields))
    expect(await put({ ...made, status: undefined, group_mappings: mappings.toReversed() })).toEqual(made)
    expect(await actionsOf(tenant)).toEqual(['connection.create'])
    expect(await put({ status: 'active' })).toMatchObject({ status: 'active' })
    await put({ status: 'active', client_secret: providerSecret })
    await put({ group_mappings: mappings.slice(1) })
    expect(await actionsOf(tenant)).toEqual([
      'connection.update',
      'connection.update',
      'connection.activate',
      'connection.create',
    ])
  })

  test('keeps its issuer and its subject, whatever a change says', async () => {
    const { admin } = await newTenant()
    const { id } = await create(admin)
    const changes = { issuer: 'https://other.example.com', subject_claim: 'oid', type: 'saml', name: 'Okta' }
    expect(ok(await admin.put(`/connections/${id}`, changes))).toMatchObject({
      issuer: honest.issuer,
      subject_claim: 'sub',
      type: 'oidc',
      name: 'Okta',
    })
  })

  test('a disabled or deleted connection ends its sessions, and no others', async () => {
    const tenant = await newTenant()
    const [kept, ended] = [await tenant.member(), await tenant.member()]
    const { id } = await create(tenant.admin)
    await parts.store
      .scoped({ tenantId: tenant.id })
      .run(
        sql`update sessions set connection_id = ${id} where tenant_id = ${tenant.id} and user_id = ${ended.userId}`,
      )
    ok(await tenant.admin.put(`/connections/${id}`, { status: 'disabled' }))
    expect((await ended.get('/profile')).status).toBe(401)
    expect((await kept.get('/profile')).status).toBe(200)
    ok(await tenant.admin.delete(`/connections/${id}`))
    expect(await tenant.admin.get(`/connections/${id}`)).toMatchObject(refusalOf(404, 40461))
  })

  test('frees its domains when it is deleted', async () => {
    const { admin } = await newTenant()
    const domain = `${unique('d')}.example.com`
    ok(await admin.post('/domains', { domain }))
    const { id } = await create(admin, { domains: [domain] })
    ok(await admin.delete(`/connections/${id}`))
    expect(await create(admin, { domains: [domain] })).toMatchObject({ domains: [domain] })
  })

  test('is one of 5 at most, and not there for SAML yet', async () => {
    const { admin } = await newTenant()
    expect(await admin.post('/connections', bodyOf({ type: 'saml' }))).toMatchObject(refusalOf(400, 40001))
    for (let count = 0; count < 5; count += 1) await create(admin)
    expect(await admin.post('/connections', bodyOf())).toMatchObject(refusalOf(400, 40062))
  })

  test('needs a secret key', async () => {
    const { admin } = await newTenant()
    const at = await startApp({}, undefined, { secrets: createSecrets([]) })
    expect(await admin.post('/connections', bodyOf(), { at })).toMatchObject(refusalOf(503, 50304))
    await at.app.close()
  })

  test('is changed only by callers who hold every permission of the tenant, and others are told', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith('sso:manage', 'sso:read', 'user:update')
    const { id } = await create(tenant.admin)
    const refused = refusalOf(403, 40306)
    expect(await clerk.post('/connections', bodyOf())).toMatchObject(refused)
    expect(await clerk.put(`/connections/${id}`, { name: 'x' })).toMatchObject(refused)
    expect(await clerk.delete(`/connections/${id}`)).toMatchObject(refused)
    const notes = ok(await tenant.admin.get(`/notifications/user/${clerk.userId}`)).items
    expect(notes.map(({ title }: { title: string }) => title)).toEqual(['A connection was added'])
  })
})
