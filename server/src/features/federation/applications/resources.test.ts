import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newApplication, newResource } from '../../../../test/applications.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import {
  auditRecords,
  builtIn,
  clearCatalogue,
  countAuditRecords,
  nobodysId,
  ok,
  permissionIds,
  platformAdmin,
  unique,
} from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { systemCtx } from '../../../start/parts.ts'
import { findClientById, findResourceFor } from './clients.service.ts'

let permissionId = 0
let code = ''

const root = () => platformAdmin()

beforeAll(async () => {
  code = `${unique('m')}:read`
  permissionId = ok(await (await root()).post('/rbac/permissions', { code, name: 'Read' })).id
})
afterAll(clearCatalogue)

const anyIdentifier = () => `https://${unique('r')}.example.com/mcp`
const create = async (fields: object = {}) =>
  (await root()).post('/resources', {
    identifier: anyIdentifier(),
    name: 'Invoices',
    permission_ids: [permissionId],
    ...fields,
  })

test('a resource has the fields of the specification, and is listed in pages', async () => {
  const identifier = anyIdentifier()
  const made = ok(await create({ identifier, permission_ids: [permissionId, permissionId] }))
  expect(made).toStrictEqual({
    id: expect.any(Number),
    identifier,
    name: 'Invoices',
    permission_ids: [permissionId],
    allow_unregistered: false,
    is_built_in: false,
    created_at: expect.any(String),
  })
  const { items, total } = ok(await (await root()).get('/resources?page_size=200'))
  expect([items.at(-1), total]).toEqual([made, items.length])
  const [record] = await auditRecords(builtIn.id, 'resource', made.id)
  expect(record).toMatchObject({ action: 'resource.create', detail: { identifier: { to: identifier } } })
})

test('a resource changes, with a record; what stays as it is leaves none', async () => {
  const made = await newResource(permissionId)
  const path = `/resources/${made.id}`
  const identifier = anyIdentifier()
  const input = { name: 'New', identifier, allow_unregistered: true, id: 1 }
  const changed = ok(await (await root()).put(path, input))
  expect(changed).toStrictEqual({ ...made, name: 'New', identifier, allow_unregistered: true })
  const before = await countAuditRecords(builtIn.id)
  for (const body of [{}, { name: 'New' }, { permission_ids: [permissionId] }]) {
    expect(ok(await (await root()).put(path, body))).toStrictEqual(changed)
  }
  expect(await countAuditRecords(builtIn.id)).toBe(before)
  ok(await (await root()).delete(path))
  const records = await auditRecords(builtIn.id, 'resource', made.id)
  expect(records.map(({ action }) => action)).toEqual([
    'resource.delete',
    'resource.update',
    'resource.create',
  ])
  for (const answer of [
    await (await root()).put(path, { name: 'x' }),
    await (await root()).put(path, {}),
    await (await root()).delete(path),
  ]) {
    expect(answer).toMatchObject(refusal('resourceUnknown'))
  }
})

test.each([
  'https://mcp.example.com',
  'https://mcp.example.com:8443/a?b=c',
  'http://mcp.internal/x',
  'urn:example:invoices',
  'com.example.app://invoices',
])('%j is the identifier of a resource, as text', async (identifier) => {
  const { id, identifier: kept } = ok(await create({ identifier }))
  expect(kept).toBe(identifier)
  ok(await (await root()).delete(`/resources/${id}`))
})

test.each([
  '',
  'invoices',
  '/invoices',
  '//mcp.example.com',
  'https:mcp.example.com',
  'https:///x',
  'https://mcp.example.com/#',
  'https://mcp.example.com/#x',
  'https://user@mcp.example.com',
  'https://mcp.example.com:99999/',
  'https://mcp.example.com/a b',
  'https://mcp.example.com/*',
  'urn:',
  'tenantry',
  'tenantry:refresh',
  'TENANTRY:restricted',
  `https://mcp.example.com/${'a'.repeat(500)}`,
])('%j is no identifier of a resource', async (identifier) => {
  expect(await create({ identifier })).toMatchObject(refusalOf('identifier'))
})

test('no resource has the name of the service, or lies below /oauth2 of it', async () => {
  const { issuer, audience, publicUrl } = parts.config
  const own = [issuer, audience, publicUrl, `${publicUrl}/`, publicUrl.toUpperCase(), `${publicUrl}/oauth2`]
  const below = ['/oauth2/userinfo', '/oauth2?x', '/x/../oauth2/token', '/oauth2/'].map(
    (path) => publicUrl + path,
  )
  for (const identifier of [...own, ...below]) {
    expect([identifier, (await create({ identifier })).status]).toEqual([identifier, 400])
  }
  const { id } = await newResource(permissionId)
  const refused = await (await root()).put(`/resources/${id}`, { identifier: `${publicUrl}/oauth2/userinfo` })
  expect(refused).toMatchObject(refusalOf('identifier'))
  ok(await create({ identifier: `${publicUrl}/oauth2x` }))
})

test('no resource has the name of a client', async () => {
  const identifier = anyIdentifier()
  const { id } = await newApplication()
  await parts.store.scoped({}).run(sql`update applications set client_id = ${identifier} where id = ${id}`)
  expect(await create({ identifier })).toMatchObject(refusalOf('identifier'))
})

test('an identifier belongs to one resource: scheme and host without case, an empty path is "/"', async () => {
  const host = `${unique('r')}.example.com`
  ok(await create({ identifier: `https://${host}` }))
  for (const identifier of [`https://${host}/`, `HTTPS://${host.toUpperCase()}`]) {
    expect(await create({ identifier })).toMatchObject(refusal('resourceIdentifierTaken'))
  }
  const { id } = ok(await create({ identifier: `https://${host}/Path` }))
  ok(await create({ identifier: `https://${host}/path` }))
  const taken = await (await root()).put(`/resources/${id}`, { identifier: `https://${host}/` })
  expect(taken).toMatchObject(refusal('resourceIdentifierTaken'))
})

test('a resource means permissions of the product, up to 200', async () => {
  for (const [permission_ids, name] of [
    [[], 'invalidInput'],
    [Array.from({ length: 201 }, (_, at) => at + 1000), 'invalidInput'],
    [permissionIds('user:read'), 'invalidInput'],
    [[999_999], 'unknownPermission'],
  ] as const) {
    expect(await create({ permission_ids })).toMatchObject(refusalOf('permission_ids', name))
    const { id } = await newResource(permissionId)
    const changed = await (await root()).put(`/resources/${id}`, { permission_ids })
    expect(changed).toMatchObject(refusalOf('permission_ids', name))
  }
})

test('a permission that the product deletes counts nowhere', async () => {
  const other = ok(await (await root()).post('/rbac/permissions', { code: `${unique('m')}:go`, name: 'Go' }))
  const { id, identifier } = await newResource(permissionId, { permission_ids: [permissionId, other.id] })
  const client = { origin: 'managed' as const, resource_ids: [id] }
  ok(await (await root()).delete(`/rbac/permissions/${other.id}`))
  const found = await findResourceFor(systemCtx(parts, 'test'), client, identifier)
  expect(found).toMatchObject({ id, identifier, codes: [code] })
})

test('a resource needs tenant:enter besides application:manage', async () => {
  const { id } = await newResource(permissionId)
  const body = { identifier: anyIdentifier(), name: 'x', permission_ids: [permissionId] }
  const manager = await builtIn.userWith('application:manage', 'application:read')
  for (const answer of [
    await manager.post('/resources', body),
    await manager.put(`/resources/${id}`, { name: 'x' }),
    await manager.put(`/resources/${nobodysId}`, { name: 'x' }),
    await manager.delete(`/resources/${id}`),
  ]) {
    expect(answer).toMatchObject(refusal('permissionMissing'))
  }
  expect((await manager.get('/resources')).status).toBe(200)
  const enough = await builtIn.userWith('application:manage', 'tenant:enter')
  ok(await enough.post('/resources', body))
})

test('an installation has at most 200 resources', async () => {
  const mark = unique('many')
  const db = parts.store.scoped({})
  await db.run(sql`
    insert into resources (identifier, identifier_folded, name, permission_ids, created_at)
    select ${mark}::text || n, ${mark}::text || n, ${mark}, '{}', now()
    from generate_series(1, 200 - (select count(*)::int from resources)) n`)
  expect(await create()).toMatchObject(refusal('resourcesFull'))
  await db.run(sql`delete from resources where name = ${mark}`)
})

test('a client names the resources of its list, one that registered itself those that allow it', async () => {
  const ctx = systemCtx(parts, 'test')
  const [one, two] = [
    await newResource(permissionId),
    await newResource(permissionId, { allow_unregistered: true }),
  ]
  const { id } = await newApplication({ resource_ids: [one.id], is_third_party: true, kind: 'native' })
  const names = async () => {
    const client = await findClientById(ctx, id)
    const found = [one, two].map(
      ({ identifier }) => client && findResourceFor(ctx, client, identifier.toUpperCase()),
    )
    const exact = [one, two].map(({ identifier }) => client && findResourceFor(ctx, client, identifier))
    return (await Promise.all([...exact, ...found])).map((resource) => resource?.id)
  }
  expect(await names()).toEqual([one.id, undefined, undefined, undefined])
  await parts.store.scoped({}).run(sql`update applications set origin = 'registered' where id = ${id}`)
  expect(await names()).toEqual([undefined, two.id, undefined, undefined])
})
