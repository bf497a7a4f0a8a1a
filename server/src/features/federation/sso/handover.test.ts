/** Changes that hand the roles of a connection to other people: approvals ask for them as for gifts of these roles. */
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { rsaKey } from '../../../../../lab/saml.ts'
import { isNeeded, withPolicy } from '../../../../test/approving.ts'
import { insertActiveConnection } from '../../../../test/connection-rows.ts'
import { ok, unique, type Caller, type Tenant } from '../../../../test/factories.ts'
import { parts, startApp } from '../../../../test/harness.ts'
import { strangersMetadata } from '../../../../test/saml.ts'
import { samlifyProvider } from '../../../../test/samlify.ts'

const given = isNeeded({ operations: ['authority.give'], approvals: 1, break_glass: false })
const taken = isNeeded({ operations: ['authority.take'], approvals: 1, break_glass: false })

/** A tenant whose policy asks for gifts of `user:delete`. */
const withGifts = () => withPolicy('authority.give', { approvals: 1, permission_codes: ['user:delete'] })

const scoped = (tenant: Tenant) => parts.store.scoped({ tenantId: tenant.id })

const map = (tenant: Tenant, connection: string, roleId: number) =>
  scoped(tenant).run(sql`
    insert into group_mappings (tenant_id, connection_id, group_name, role_id)
    values (${tenant.id}, ${connection}, 'staff', ${roleId})`)

const setStatus = (tenant: Tenant, connection: string, status: string) =>
  scoped(tenant).run(sql`
    update connections set status = ${status} where tenant_id = ${tenant.id} and id = ${connection}`)

/** An active connection that maps a group to a role with the permission. */
const mapped = async (tenant: Tenant, code: 'user:delete' | 'user:read') => {
  const connection = await insertActiveConnection(tenant)
  await map(tenant, connection, (await tenant.role(code)).id)
  return connection
}

const newAccount = async (by: Caller): Promise<number> =>
  ok(await by.post('/service-accounts', { name: unique() })).id

/** A domain of the tenant that nobody has verified. */
const newDomain = async (by: Caller, options: object = {}) =>
  ok(await by.post('/domains', { domain: `${unique('d')}.example.com` }, options))

const handovers = async (by: Caller): Promise<object[]> => [
  { client_secret: 'that of another client' },
  { client_id: 'another' },
  { auth_method: 'client_secret_post' },
  { groups_claim: 'roles' },
  { email_claim: 'upn' },
  { jit: true },
  { scim_account_id: await newAccount(by) },
  { domains: [(await newDomain(by)).domain] },
]

const harmless = [{ name: 'Other' }, { session_seconds: 600 }, { jit: false }, { domains: [] }]

test('another provider, secret, directory or domain of an active connection gives the mapped roles', async () => {
  const { tenant, asker } = await withGifts()
  const [strong, weak] = [await mapped(tenant, 'user:delete'), await mapped(tenant, 'user:read')]
  for (const body of harmless) {
    expect([body, (await asker.put(`/connections/${strong}`, body)).status]).toEqual([body, 200])
  }
  ok(await asker.put(`/connections/${weak}`, { jit: false }))
  for (const body of await handovers(asker)) {
    expect([body, await asker.put(`/connections/${strong}`, body)]).toMatchObject([body, given])
    expect([body, (await asker.put(`/connections/${weak}`, body)).status]).toEqual([body, 200])
  }
})

test('a connection that is not active gives only by a directory', async () => {
  const { tenant, asker } = await withGifts()
  const connection = await mapped(tenant, 'user:delete')
  const at = `/connections/${connection}`
  ok(await asker.put(at, { status: 'disabled' }))
  ok(await asker.put(at, { client_secret: 'that of another client' }))
  expect(await asker.put(at, { scim_account_id: await newAccount(asker) })).toMatchObject(given)
  await scoped(tenant).run(sql`
    update connections set scim_account_id = ${await newAccount(asker)}
    where tenant_id = ${tenant.id} and id = ${connection}`)
  expect(await asker.put(at, { domains: [(await newDomain(asker)).domain] })).toMatchObject(given)
  ok(await asker.put(at, { client_id: 'another', scim_account_id: null }))
})

test('other metadata of an active SAML connection give the mapped roles', async () => {
  const { tenant, asker } = await withGifts()
  const [key, fresh] = [rsaKey(), rsaKey()]
  const some = { entityId: `https://${unique('p')}.example/entity`, ssoUrl: 'https://provider.example/sso' }
  const { metadata } = samlifyProvider({ ...some, key, ours: strangersMetadata })
  const { id } = ok(await asker.post('/connections', { type: 'saml', name: 'Any', metadata }))
  const renewed = metadata.replaceAll(key.certificate, fresh.certificate)
  await map(tenant, id, (await tenant.role('user:delete')).id)
  ok(await asker.put(`/connections/${id}`, { metadata: renewed }))
  await setStatus(tenant, id, 'active')
  expect(await asker.put(`/connections/${id}`, { metadata })).toMatchObject(given)
  // Metadata that were read from their address count from the next change on.
  await scoped(tenant).run(sql`
    update connections set found_metadata = ${metadata} where tenant_id = ${tenant.id} and id = ${id}`)
  expect(await asker.put(`/connections/${id}`, { name: 'Other' })).toMatchObject(given)
})

test('the proof of a domain that leads to an active connection gives the mapped roles', async () => {
  const { tenant, asker } = await withGifts()
  let text = ''
  const at = await startApp({}, undefined, { readTexts: async () => [text] })
  onTestFinished(() => at.app.close())
  const prove = async (connection: string | null) => {
    const domain = await newDomain(asker, { at })
    text = domain.record_value
    await scoped(tenant).run(sql`
      update domains set connection_id = ${connection} where tenant_id = ${tenant.id} and id = ${domain.id}`)
    return asker.post(`/domains/${domain.id}/verify`, undefined, { at })
  }
  const strong = await mapped(tenant, 'user:delete')
  expect(await prove(strong)).toMatchObject(given)
  expect((await prove(await mapped(tenant, 'user:read'))).data).toMatchObject({ status: 'verified' })
  expect((await prove(null)).data).toMatchObject({ status: 'verified' })
  await setStatus(tenant, strong, 'disabled')
  expect((await prove(strong)).data).toMatchObject({ status: 'verified' })
})

test('another directory takes the mapped roles', async () => {
  const { tenant, asker } = await withPolicy('authority.take')
  const at = `/connections/${await mapped(tenant, 'user:read')}`
  expect(await asker.put(at, { scim_account_id: await newAccount(asker) })).toMatchObject(taken)
  ok(await asker.put(at, { client_secret: 'that of another client' }))
})
