/** A column or table that the transfer forgets would vanish when a tenant moves: the catalogue of the database tells. */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { keyWith, newTenant, ok } from '../../../test/factories.ts'
import { parts as service } from '../../../test/harness.ts'
import { sealUnlessBroken } from '../audit/seal.service.ts'
import { writeDay } from '../dashboard/days.service.ts'
import { parts, selectPartRows, type PartName } from './transfer.store.ts'

/** Columns that stay behind, each for a reason. */
const leftColumns: Record<string, string[]> = {
  // The half of a key that signs never leaves its installation; the import retires the key.
  signing_keys: ['private_pem', 'private_sealed', 'purpose', 'retired_at', 'signs_from'],
}

/** Tables of tenants that stay behind, each for a reason. */
const leftTables: string[] = [
  // Every user signs in again.
  'sessions',
  // A link opens one installation.
  'invitations',
  // A key opens one installation, and its text stays with its users.
  'service_account_keys',
  // A receiver knows one installation, and its secret is sealed there.
  'webhook_deliveries',
  'webhook_leases',
  'webhooks',
]

interface Column {
  table: string
  name: string
}

const catalogue = await service.store.scoped({}).many<Column>(sql`
  select c.relname as table, a.attname as name
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attnum > 0 and not a.attisdropped`)

const columnsOf = (table: string) => catalogue.filter((one) => one.table === table).map(({ name }) => name)

/** A tenant with a row in each table. */
const fullTenant = async () => {
  const tenant = await newTenant()
  await tenant.role('user:read')
  ok(await tenant.admin.put('/settings/tenant/any', { value: [1.5, null, 'text'] }))
  ok(await tenant.admin.post('/notifications', { user_id: tenant.admin.userId, title: 'any' }))
  await keyWith(tenant.id, [])
  await writeDay(service, tenant.id, '2020-01-31')
  await sealUnlessBroken(service, tenant.id)
  ok(await tenant.admin.put('/settings/tenant/any', { value: 'waits to be sealed' }))
  return tenant
}

const linesOf = (tenantId: string, name: PartName) =>
  service.store.transaction({ tenantId }, async (db) =>
    (await selectPartRows(db, name, { tenantId, after: undefined })).map(({ line }) => line),
  )

test('every part moves every column of its table', async () => {
  const tenant = await fullTenant()
  for (const [name, { table }] of Object.entries(parts)) {
    const [line = '{}'] = await linesOf(tenant.id, name as PartName)
    const fields = Object.keys(JSON.parse(line) as object)
    const left = leftColumns[table] ?? []
    const missing = columnsOf(table).filter((column) => !fields.includes(column))
    expect([name, missing.toSorted()]).toEqual([name, left.toSorted()])
  }
})

test('every table of a tenant moves, but those that stay behind', () => {
  const bound = catalogue.filter(({ name }) => name === 'tenant_id').map(({ table }) => table)
  const moved = Object.values(parts).map(({ table }) => table)
  expect(bound.filter((table) => !moved.includes(table)).toSorted()).toEqual(leftTables.toSorted())
})
