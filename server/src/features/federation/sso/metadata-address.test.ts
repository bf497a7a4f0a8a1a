/** Decision 0265: SAML metadata from an address. */
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, type Listener } from '../../../../../lab/receiver.ts'
import { rsaKey } from '../../../../../lab/saml.ts'
import { newTenant, ok, unique, type Tenant } from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { strangersMetadata } from '../../../../test/saml.ts'
import { samlifyProvider } from '../../../../test/samlify.ts'
import { systemCtx } from '../../../start/parts.ts'
import { warnOfCertificates } from './certificates.service.ts'
import { readAllMetadata } from './metadata-reads.service.ts'

const [key, fresh] = [rsaKey(), rsaKey()]

const metadataOf = (entityId: string) =>
  samlifyProvider({ entityId, ssoUrl: 'https://provider.example/sso', key, ours: strangersMetadata }).metadata

/** The text at each path. Other paths get 404. */
const documents = new Map<string, string>()
let site: Listener
beforeAll(async () => {
  site = await listen(({ url = '' }, response) => {
    const text = documents.get(url)
    response.writeHead(text === undefined ? 404 : 200).end(text ?? 'nothing')
  })
})
afterAll(() => site.stop())

const create = (tenant: Tenant, fields: object) =>
  tenant.admin.post('/connections', { type: 'saml', name: 'Acme', ...fields })

/** A connection with the address of its metadata. */
const connect = async () => {
  const [tenant, path] = [await newTenant(), `/${unique('m')}`]
  const metadata = metadataOf(`https://${unique('p')}.example/entity`)
  documents.set(path, metadata)
  const made = ok(await create(tenant, { metadata_url: `${site.url}${path}` }))
  const at = `/connections/${made.id}`
  return {
    tenant,
    path,
    metadata,
    made,
    renewed: metadata.replaceAll(key.certificate, fresh.certificate),
    put: (fields: object) => tenant.admin.put(at, fields),
    get: async () => ok(await tenant.admin.get(at)),
  }
}

const ctx = systemCtx(parts, 'maintenance')

const lookAfter = (days: number) => {
  const now = () => new Date(Date.now() + days * 86_400_000 + 1000)
  return readAllMetadata({ ...ctx, parts: { ...parts, now } })
}

const titlesOf = async (tenant: Tenant, userId: number) =>
  ok(await tenant.admin.get(`/notifications/user/${userId}`))
    .items.map(({ title }: { title: string }) => title)
    .filter((title: string) => title === 'A provider has new metadata')

test('a connection reads its metadata from an address, and shows the address in their place', async () => {
  const { made, metadata, put, get, path } = await connect()
  expect(made).toMatchObject({
    metadata_url: `${site.url}${path}`,
    sso_url: 'https://provider.example/sso',
    certificates: [key.certificate],
  })
  expect(made).not.toHaveProperty('metadata')
  // A provider signs its metadata again, with another time.
  documents.set(path, metadata.replace('<IDPSSODescriptor', '\n<IDPSSODescriptor'))
  expect(ok(await put({ ...made, status: undefined }))).toEqual(made)
  expect(ok(await put({ metadata }))).toMatchObject({ metadata, metadata_url: '' })
  expect(ok(await put({ metadata_url: made.metadata_url }))).toMatchObject({
    metadata_url: made.metadata_url,
  })
  documents.set(path, metadataOf('https://other.example'))
  expect((await put({ metadata_url: made.metadata_url })).body).toMatchObject({ code: 40001 })
  expect(await get()).toMatchObject({ certificates: [key.certificate] })
})

test('a new certificate is told to managers once, and taken only by the next write', async () => {
  const { tenant, path, renewed, metadata, put, get } = await connect()
  const manager = await tenant.userWith('sso:manage')
  documents.set(path, renewed)
  await lookAfter(0)
  expect(await titlesOf(tenant, manager.userId)).toEqual([])
  await Promise.all([lookAfter(1), lookAfter(1)])
  await lookAfter(2)
  expect(await titlesOf(tenant, manager.userId)).toHaveLength(1)
  expect(await get()).toMatchObject({ certificates: [key.certificate] })
  // The change uses the metadata that managers were notified of, not the present metadata.
  documents.delete(path)
  expect(ok(await put({ name: 'Renamed' }))).toMatchObject({ certificates: [fresh.certificate] })
  documents.set(path, metadata)
  await lookAfter(3)
  expect(await titlesOf(tenant, manager.userId)).toHaveLength(2)
})

test('an address that is silent, or has another entity or no metadata, changes nothing', async () => {
  const { tenant, path, metadata, get } = await connect()
  const manager = await tenant.userWith('sso:manage')
  const before = await get()
  for (const [day, text] of [undefined, '<a/>', metadataOf('https://other.example')].entries()) {
    if (text === undefined) documents.delete(path)
    else documents.set(path, text)
    await lookAfter(day + 1)
  }
  documents.set(path, metadata)
  await lookAfter(9)
  expect(await titlesOf(tenant, manager.userId)).toEqual([])
  expect(await get()).toEqual(before)
})

test('a removed tenant, whose rows wait for the purge, ends no round of maintenance', async () => {
  const { tenant } = await connect()
  await parts.store.scoped({}).run(sql`update tenants set deleted_at = now() where id = ${tenant.id}`)
  await expect(lookAfter(1)).resolves.toBeUndefined()
  await expect(
    warnOfCertificates({ ...ctx, parts: { ...parts, now: () => new Date('9999-01-01') } }),
  ).resolves.toBeUndefined()
})

test('an address is refused that leads inward, is silent, or answers at length; a clerk makes nobody ask', async () => {
  const tenant = await newTenant()
  documents.set('/long', 'x'.repeat(262_145))
  for (const address of [
    'https://10.0.0.1/metadata',
    'https://169.254.169.254',
    'http://provider.example/metadata',
    `${site.url.replace('http://', 'http://user:secret@')}/long`,
    `${site.url}/long`,
    `${site.url}/none`,
    'nothing',
  ]) {
    const { status, body } = await create(tenant, { metadata_url: address })
    expect([address, status, body.message]).toEqual([address, 400, expect.stringContaining('metadata_url')])
  }
  const both = await create(tenant, { metadata: '<a/>', metadata_url: `${site.url}/none` })
  expect(both.body.message).toContain('metadata_url: must stand without metadata')
  const clerk = await tenant.userWith('sso:manage')
  const refused = await clerk.post('/connections', {
    type: 'saml',
    name: 'A',
    metadata_url: `${site.url}/none`,
  })
  expect(refused.status).toBe(403)
})
