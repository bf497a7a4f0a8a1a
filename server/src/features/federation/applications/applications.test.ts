import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { mistyped } from '../../../../test/accounts.ts'
import {
  application,
  clientOf,
  newApplication,
  newResource,
  redirectUri,
} from '../../../../test/applications.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import {
  auditRecords,
  builtIn,
  clearCatalogue,
  countAuditRecords,
  newTenant,
  nobodysId,
  ok,
  platformAdmin,
  unique,
  type Caller,
} from '../../../../test/factories.ts'
import { markRegistered } from '../../../../test/front-door.ts'
import { clock, parts } from '../../../../test/harness.ts'
import { permissions } from '../../../access/permissions.ts'
import { isSecretOf } from './clients.service.ts'

afterAll(clearCatalogue)

const hourMs = 3_600_000

/** PNG files of the given dimensions. They have only the bytes that state the dimensions. */
const png = (width: number, height: number, length = 64) => {
  const file = Buffer.alloc(length)
  file.write('89504e470d0a1a0a0000000d49484452', 'hex')
  file.writeUInt32BE(width, 16)
  file.writeUInt32BE(height, 20)
  return `data:image/png;base64,${file.toString('base64')}`
}
const jpeg = (width: number, height: number) => {
  const file = Buffer.from('ffd8ffc0000b0800000000010100', 'hex')
  file.writeUInt16BE(height, 7)
  file.writeUInt16BE(width, 9)
  return `data:image/jpeg;base64,${file.toString('base64')}`
}

const root = () => platformAdmin()
const create = async (fields: object = {}) => (await root()).post('/applications', application(fields))

describe('an application', () => {
  test('has all fields of the specification, with usual values for those that nobody gave', async () => {
    const body = application()
    const { secret, ...made } = ok(await (await root()).post('/applications', body))
    expect(made).toStrictEqual({
      id: expect.any(Number),
      client_id: expect.stringMatching(/^[0-9A-Za-z]{22,}$/),
      name: body.name,
      kind: 'web',
      is_third_party: false,
      status: 1,
      secrets: [{ id: expect.any(String), created_at: expect.any(String), expires_at: '' }],
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [],
      backchannel_logout_uri: '',
      allowed_origins: [],
      grant_types: ['authorization_code'],
      resource_ids: [],
      require_mfa: false,
      session_seconds: 604_800,
      tenant_ids: null,
      required_permission: null,
      tenantry_api: false,
      logo: '',
      home_url: '',
      support_uri: '',
      created_at: expect.any(String),
      updated_at: made.created_at,
    })
    expect(secret).toMatch(/^tns_[0-9A-Za-z]{49}$/)
    expect(ok(await (await root()).get(`/applications/${made.id}`))).toStrictEqual(made)
  })

  test('a browser or native application has no secret', async () => {
    for (const kind of ['browser', 'native']) {
      const made = ok(await create({ kind }))
      expect([made.secrets, 'secret' in made]).toEqual([[], false])
      expect(await (await root()).post(`/applications/${made.id}/secrets`)).toMatchObject(
        refusal('applicationPublic'),
      )
    }
  })

  test('keeps each field that is given, once', async () => {
    const tenant = await newTenant()
    const given = {
      kind: 'native',
      status: 0,
      redirect_uris: ['com.example.app:/cb', 'com.example.app:/cb'],
      post_logout_redirect_uris: ['https://shop.example.com/'],
      backchannel_logout_uri: 'https://shop.example.com/logout',
      allowed_origins: ['https://shop.example.com'],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      require_mfa: true,
      session_seconds: 300,
      tenant_ids: [tenant.id.toUpperCase(), tenant.id],
      tenantry_api: true,
      logo: png(256, 256),
      home_url: 'https://shop.example.com/',
    }
    const kept = { ...given, redirect_uris: ['com.example.app:/cb'], tenant_ids: [tenant.id] }
    expect(ok(await create(given))).toMatchObject(kept)
  })

  test('changes all but client_id, kind and is_third_party, with a record in the built-in tenant', async () => {
    const before = await newApplication({ is_third_party: true, kind: 'browser' })
    const path = `/applications/${before.id}`
    clock.advance(1000)
    const input = { name: ' New ', require_mfa: true, client_id: 'x', kind: 'web', is_third_party: false }
    const after = ok(await (await root()).put(path, input))
    const { updated_at } = after
    expect(after).toStrictEqual({ ...before, name: 'New', require_mfa: true, updated_at })
    expect(updated_at > before.updated_at).toBe(true)
    const [record] = await auditRecords(builtIn.id, 'application', before.id)
    expect(record).toMatchObject({ action: 'application.update' })
    expect(Object.keys(record?.detail ?? {}).toSorted()).toEqual(['name', 'require_mfa'])
  })

  test('a change to the present values leaves no record', async () => {
    const { id } = await newApplication()
    const before = await countAuditRecords(builtIn.id)
    for (const body of [{}, { status: 1 }, { redirect_uris: [redirectUri, redirectUri] }]) {
      ok(await (await root()).put(`/applications/${id}`, body))
    }
    expect(await countAuditRecords(builtIn.id)).toBe(before)
  })

  test('is gone for good once it is deleted', async () => {
    const { id, client_id } = await newApplication()
    const path = `/applications/${id}`
    expect(ok(await (await root()).delete(path))).toBeNull()
    for (const answer of [
      await (await root()).get(path),
      await (await root()).put(path, {}),
      await (await root()).put(path, { status: 0 }),
      await (await root()).delete(path),
      await (await root()).post(`${path}/secrets`),
      await (await root()).delete(`${path}/secrets/3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b`),
    ]) {
      expect(answer).toMatchObject(refusal('applicationUnknown'))
    }
    const [record] = await auditRecords(builtIn.id, 'application', id)
    expect(record).toMatchObject({ action: 'application.delete', detail: { client_id: { from: client_id } } })
  })

  test('is found by part of its name, kind and status, in pages', async () => {
    const mark = unique('Marked')
    const made = [
      await newApplication({ name: `${mark} one` }),
      await newApplication({ name: `${mark} two`, kind: 'native', status: 0 }),
    ]
    const list = async (query: string) => {
      const { items, total, page } = ok(
        await (await root()).get(`/applications?search=${mark.toLowerCase()}${query}`),
      )
      return [items.map(({ id }: { id: number }) => id), total, page]
    }
    const [one, two] = made.map(({ id }) => id)
    expect(await list('')).toEqual([[one, two], 2, 1])
    expect(await list('&page=2&page_size=1')).toEqual([[two], 2, 2])
    expect(await list('&kind=native')).toEqual([[two], 1, 1])
    expect(await list('&status=1')).toEqual([[one], 1, 1])
  })

  test('an application that registered itself is listed with the others, and marked', async () => {
    const mark = unique('Marked')
    const [made, registered] = [
      await newApplication({ name: `${mark} made` }),
      await newApplication({ name: `${mark} registered`, kind: 'native', is_third_party: true }),
    ]
    await markRegistered({ clientId: registered.client_id })
    const list = async (query: string) => {
      const { items, total } = ok(await (await root()).get(`/applications?search=${mark}${query}`))
      const told = items.map((one: { id: number; is_registered?: boolean }) => [one.id, one.is_registered])
      return [told, total]
    }
    expect(await list('')).toEqual([
      [
        [made.id, undefined],
        [registered.id, undefined],
      ],
      2,
    ])
    expect(await list('&include=is_registered')).toEqual([
      [
        [made.id, false],
        [registered.id, true],
      ],
      2,
    ])
    expect(await list('&is_registered=false')).toEqual([[[made.id, undefined]], 1])
    expect(await list('&is_registered=true')).toEqual([[[registered.id, undefined]], 1])
    const path = `/applications/${registered.id}`
    expect(ok(await (await root()).get(`${path}?include=is_registered`)).is_registered).toBe(true)
    expect(ok(await (await root()).put(path, { status: 0 }))).not.toHaveProperty('is_registered')
    for (const [field, value] of [
      ['is_registered', 'yes'],
      ['include', 'origin'],
    ]) {
      const answer = await (await root()).get(`/applications?${field}=${value}`)
      expect(answer).toMatchObject(refusalOf(`${field}`))
    }
  })

  test.each([
    ['name', ''],
    ['name', 'x'.repeat(65)],
    ['kind', 'server'],
    ['redirect_uris', []],
    ['redirect_uris', Array.from({ length: 21 }, () => redirectUri)],
    ['post_logout_redirect_uris', Array.from({ length: 21 }, () => redirectUri)],
    ['allowed_origins', Array.from({ length: 21 }, () => 'https://shop.example.com')],
    ['grant_types', ['refresh_token']],
    ['grant_types', ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code']],
    ['grant_types.1', ['authorization_code', 'password']],
    ['grant_types.1', ['authorization_code', 'implicit']],
    ['resource_ids', Array.from({ length: 21 }, (_, at) => at + 1)],
    ['resource_ids.0', [nobodysId]],
    ['session_seconds', 299],
    ['session_seconds', 7_776_001],
    ['tenant_ids.0', ['3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b']],
    ['logo', png(257, 1)],
    ['logo', png(1, 257)],
    ['logo', png(0, 0)],
    ['logo', png(1, 1, 16_385)],
    ['logo', jpeg(257, 1)],
    ['logo', png(16, 16).replace('png', 'jpeg')],
    ['logo', 'data:image/svg+xml;base64,PHN2Zz4='],
    ['logo', 'https://shop.example.com/logo.png'],
    ['status', 2],
  ])('is refused with the field %s for %j', async (field, value) => {
    const given = field.split('.')[0] ?? ''
    expect(await create({ [given]: value })).toMatchObject(refusalOf(field))
    const { id } = await newApplication()
    if (given === 'kind') return
    const changed = await (await root()).put(`/applications/${id}`, { [given]: value })
    expect(changed).toMatchObject(refusalOf(field))
  })

  test.each([png(256, 256), png(1, 1, 16_384), jpeg(256, 256)])(
    'has a small picture as its logo',
    async (logo) => {
      expect(ok(await create({ logo })).logo).toBe(logo)
    },
  )

  test('a third-party application never gets codes of devices, nor the API of Tenantry', async () => {
    const grant_types = ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code']
    const foreign = { is_third_party: true, kind: 'native' }
    expect(await create({ ...foreign, grant_types })).toMatchObject(refusalOf('grant_types'))
    expect(await create({ ...foreign, tenantry_api: true })).toMatchObject(refusalOf('tenantry_api'))
    const { id } = await newApplication(foreign)
    const change = async (body: object) => (await root()).put(`/applications/${id}`, body)
    expect(await change({ grant_types })).toMatchObject(refusalOf('grant_types'))
    expect(await change({ tenantry_api: true })).toMatchObject(refusalOf('tenantry_api'))
  })

  test('keeps the id of a tenant that was removed since', async () => {
    const tenant = await newTenant()
    const { id } = await newApplication({ tenant_ids: [tenant.id] })
    ok(await (await root()).delete(`/org/tenants/${tenant.id}`))
    const tenant_ids = [tenant.id, (await newTenant()).id]
    expect(ok(await (await root()).put(`/applications/${id}`, { tenant_ids })).tenant_ids).toEqual(tenant_ids)
  })

  test('is one of at most 1,000', async () => {
    const mark = unique('Many')
    const db = parts.store.scoped({})
    await db.run(sql`
      insert into applications
        (client_id, name, name_folded, kind, is_third_party, redirect_uris, grant_types, created_at, updated_at)
      select ${mark}::text || n, ${mark}, ${mark}, 'browser', true, '{}', '{}', now(), now()
      from generate_series(1, 1000 - (select count(*)::int from applications where origin = 'managed')) n`)
    expect(await create()).toMatchObject(refusal('applicationsFull'))
    await db.run(sql`delete from applications where name = ${mark}`)
    expect((await create()).status).toBe(200)
  })
})

describe('an own application, which speaks for every user without asking', () => {
  const acts = async (caller: Caller, id: number, secretId: string) => [
    await caller.post('/applications', application()),
    await caller.put(`/applications/${id}`, { redirect_uris: ['https://evil.example.com/cb'] }),
    await caller.post(`/applications/${id}/secrets`),
    await caller.delete(`/applications/${id}/secrets/${secretId}`),
    await caller.delete(`/applications/${id}`),
  ]

  test('is neither created, changed, deleted nor given a secret with application:manage alone', async () => {
    const caller = await builtIn.userWith('application:manage', 'application:read')
    const before = await newApplication()
    for (const answer of await acts(caller, before.id, before.secrets[0].id)) {
      expect(answer).toMatchObject(refusal('permissionMissing'))
    }
    expect(ok(await caller.get(`/applications/${before.id}`))).toStrictEqual(
      ok(await (await root()).get(`/applications/${before.id}`)),
    )
    expect(await clientOf(before.id)).toMatchObject({ redirect_uris: [redirectUri] })
  })

  test('is changed with tenant:enter besides', async () => {
    const caller = await builtIn.userWith('application:manage', 'tenant:enter')
    const { id, secrets } = await newApplication()
    for (const answer of await acts(caller, id, secrets[0].id)) expect(answer.status).toBe(200)
  })

  test('a third-party application needs application:manage alone', async () => {
    const caller = await builtIn.userWith('application:manage')
    const { id, secrets } = ok(await caller.post('/applications', application({ is_third_party: true })))
    ok(await caller.post(`/applications/${id}/secrets`))
    ok(await caller.delete(`/applications/${id}/secrets/${secrets[0].id}`))
    expect(ok(await caller.put(`/applications/${id}`, { name: 'New' })).name).toBe('New')
    expect(ok(await caller.delete(`/applications/${id}`))).toBeNull()
  })

  test('an application that uses the API of Tenantry needs every permission, before and after the change', async () => {
    await clearCatalogue()
    const codes = permissions.map(({ code }) => code)
    const all = await builtIn.userWith(...codes)
    const most = await builtIn.userWith(...codes.filter((code) => code !== 'user:delete'))
    const api = await newApplication({ tenantry_api: true })
    const plain = await newApplication()
    for (const answer of [
      await most.post('/applications', application({ tenantry_api: true })),
      await most.put(`/applications/${plain.id}`, { tenantry_api: true }),
      await most.put(`/applications/${api.id}`, { tenantry_api: false }),
      await most.put(`/applications/${api.id}`, { name: 'New' }),
      await most.post(`/applications/${api.id}/secrets`),
      await most.delete(`/applications/${api.id}/secrets/${api.secrets[0].id}`),
      await most.delete(`/applications/${api.id}`),
    ]) {
      expect(answer).toMatchObject(refusal('grantExceedsOwn'))
    }
    const short = await builtIn.member()
    const [whole] = ok(await all.get(`/rbac/users/${all.userId}/roles`)).filter(
      ({ name }: any) => name !== 'member',
    )
    const body = { role_id: whole.id, expires_at: new Date(Date.now() + 3_600_000).toISOString() }
    ok(await (await root()).post(`/rbac/users/${short.userId}/roles`, body, { tenant: builtIn.id }))
    expect(await short.put(`/applications/${plain.id}`, { tenantry_api: true })).toMatchObject(
      refusal('grantOutlastsOwn'),
    )
    ok(await all.put(`/applications/${plain.id}`, { tenantry_api: true }))
    // The application also has the product's permissions, which no role of this caller has.
    ok(await (await root()).post('/rbac/permissions', { code: `${unique('m')}:go`, name: 'Go' }))
    const refused = await all.put(`/applications/${plain.id}`, { name: 'New' })
    expect(refused).toMatchObject(refusal('grantExceedsOwn'))
  })

  test('belongs to the installation: an administrator of a tenant neither sees nor makes one', async () => {
    const { admin } = await newTenant()
    const { id } = await newApplication()
    for (const answer of [
      await admin.get('/applications'),
      await admin.get(`/applications/${id}`),
      await admin.post('/applications', application({ is_third_party: true })),
      await admin.get('/resources'),
    ]) {
      expect(answer).toMatchObject(refusal('permissionMissing'))
    }
  })
})

describe('a secret of an application', () => {
  test('is one of at most two living ones, and works until it is revoked or late', async () => {
    const { id, secret } = await newApplication()
    const path = `/applications/${id}/secrets`
    const expires_at = new Date(clock.now().getTime() + hourMs).toISOString()
    const second = ok(await (await root()).post(path, { expires_at }))
    expect(Object.keys(second).toSorted()).toEqual(['id', 'secret'])
    expect(await (await root()).post(path)).toMatchObject(refusal('applicationSecretsFull'))
    const works = async () => {
      const client = await clientOf(id)
      return [secret, second.secret].map((text) => client && isSecretOf(client, text))
    }
    expect(await works()).toEqual([true, true])
    clock.advance(hourMs)
    expect(await works()).toEqual([true, false])
    const third = ok(await (await root()).post(path))
    const { secrets } = ok(await (await root()).get(`/applications/${id}`))
    expect(secrets.map((one: { id: string }) => one.id)).toContain(third.id)
    expect(secrets).toHaveLength(2)
    ok(await (await root()).delete(`${path}/${secrets[0].id}`))
    expect(await works()).toEqual([false, false])
    expect(await (await root()).delete(`${path}/${secrets[0].id}`)).toMatchObject(
      refusal('applicationSecretUnknown'),
    )
  })

  test('stands in no record, and is not that of another application', async () => {
    const [one, two] = [await newApplication(), await newApplication()]
    const added = ok(await (await root()).post(`/applications/${one.id}/secrets`))
    ok(await (await root()).delete(`/applications/${one.id}/secrets/${added.id}`))
    const records = await auditRecords(builtIn.id, 'application', one.id)
    expect(records.map(({ action }) => action)).toEqual([
      'application.secret_revoke',
      'application.secret_create',
      'application.create',
    ])
    for (const text of [one.secret, added.secret]) expect(JSON.stringify(records)).not.toContain(text)
    const client = await clientOf(two.id)
    expect(client && isSecretOf(client, one.secret)).toBe(false)
    expect(client && isSecretOf(client, mistyped(two.secret))).toBe(false)
    const path = `/applications/${two.id}/secrets/${one.secrets[0].id}`
    expect(await (await root()).delete(path)).toMatchObject(refusal('applicationSecretUnknown'))
  })

  test('does not begin in the past', async () => {
    const { id } = await newApplication()
    const expires_at = clock.now().toISOString()
    expect(await (await root()).post(`/applications/${id}/secrets`, { expires_at })).toMatchObject(
      refusalOf('expires_at'),
    )
  })
})

test('an application names resources that exist', async () => {
  const { id: permissionId } = ok(
    await (await root()).post('/rbac/permissions', { code: `${unique('m')}:go`, name: 'Go' }),
  )
  const resource = await newResource(permissionId)
  const { id } = await newApplication({ resource_ids: [resource.id, resource.id] })
  const path = `/applications/${id}`
  expect(ok(await (await root()).get(path)).resource_ids).toEqual([resource.id])
  ok(await (await root()).delete(`/resources/${resource.id}`))
  expect(ok(await (await root()).get(path)).resource_ids).toEqual([])
})
