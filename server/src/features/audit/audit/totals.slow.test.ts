/** The memory of filtered totals of the audit log is bounded (decision 0083). */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { asOwner, sealRecords, writeMany } from '../../../../test/audit-chain.ts'
import { newTenant } from '../../../../test/factories.ts'

test('a process remembers 1,000 filters with more than 10,000 records, and counts an older one again', async () => {
  const { id, admin } = await newTenant()
  await writeMany(id, 10_001, { action: 'many.write' })
  await sealRecords(id)
  const isCapped = async (filter: string) =>
    (await admin.get(`/audit/logs?page_size=1&${filter}`)).headers.get('x-total-capped') === 'true'
  const filters = Array.from({ length: 1000 }, (_, index) => `from=${new Date(index).toISOString()}`)
  for (const filter of ['action=many.write', ...filters]) expect(await isCapped(filter)).toBe(true)
  await asOwner(sql`delete from audit_logs where tenant_id = ${id} and action = 'many.write'`)
  expect(await isCapped('action=many.write')).toBe(false)
  expect(await isCapped(filters[999] ?? '')).toBe(true)
})
