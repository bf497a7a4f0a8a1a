/** The filtered total of the audit log around 10,000 records (decision 0083). */
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { asOwner, sealRecords, writeMany } from '../../../../test/audit-chain.ts'
import { newTenant, type Tenant } from '../../../../test/factories.ts'
import { clock, parts } from '../../../../test/harness.ts'
import { systemCtx } from '../../../start/parts.ts'
import { expireAuditLogs } from './retention.service.ts'
import { countMissed } from '../../delivery/webhooks/missed.service.ts'

/** The total of a filter, and the header that says whether there are more. */
const totalOf = async ({ admin }: Tenant, filter: string) => {
  const { data, headers } = await admin.get(`/audit/logs?page_size=1&${filter}`)
  return [data.total, headers.get('x-total-capped')]
}

/** A tenant with a chain and 10,001 records of one action, after a first request for them. */
const largeTenant = async (): Promise<Tenant> => {
  const tenant = await newTenant()
  await sealRecords(tenant.id)
  await writeMany(tenant.id, 10_001, { action: 'many.write' })
  expect(await totalOf(tenant, 'action=many.write')).toEqual([10_000, 'true'])
  return tenant
}

const removeLargeAction = ({ id }: Tenant) =>
  asOwner(sql`delete from audit_logs where tenant_id = ${id} and action = 'many.write'`)

describe('a filtered total of the audit log', () => {
  test('is exact up to 10,000 records of its own filter and tenant, and says from 10,001 on that there are more', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    await sealRecords(tenant.id)
    const totals = []
    for (const added of [9_999, 1, 1, 0, 1]) {
      if (added > 0) await writeMany(tenant.id, added, { action: 'many.write' })
      totals.push(await totalOf(tenant, 'action=many.write'))
    }
    expect(totals).toEqual([
      [9_999, null],
      [10_000, null],
      [10_000, 'true'],
      [10_000, 'true'],
      [10_000, 'true'],
    ])
    await writeMany(tenant.id, 2, { action: 'many.read' })
    await writeMany(other.id, 5, { action: 'many.write' })
    expect(await totalOf(tenant, 'action=many.read')).toEqual([2, null])
    expect(await totalOf(other, 'action=many.write')).toEqual([5, null])
  })

  test('is exact again as soon as retention has taken records', async () => {
    const tenant = await newTenant()
    const { id, admin } = tenant
    await writeMany(id, 3, { action: 'many.write' })
    await asOwner(sql`update audit_logs set created_at = now() - interval '60 days' where tenant_id = ${id}`)
    await sealRecords(id)
    await admin.put('/settings/tenant/audit.retention_days', { value: 30 })
    await sealRecords(id)
    await writeMany(id, 9_998, { action: 'many.write' })
    expect(await totalOf(tenant, 'action=many.write')).toEqual([10_000, 'true'])
    await expireAuditLogs(systemCtx(parts, 'maintenance'), countMissed)
    expect(await totalOf(tenant, 'action=many.write')).toEqual([9_998, null])
  })

  test('a total above 10,000 is counted once a minute, for a database that was set back', async () => {
    const tenant = await largeTenant()
    await removeLargeAction(tenant)
    expect(await totalOf(tenant, 'action=many.write')).toEqual([10_000, 'true'])
    expect(await totalOf(tenant, 'resource=many')).toEqual([0, null])
    clock.advance(60_000)
    expect(await totalOf(tenant, 'action=many.write')).toEqual([0, null])
  })

  test('a total above 10,000 is counted each time where the chain has no readable head', async () => {
    const tenant = await largeTenant()
    await asOwner(sql`update audit_heads set statement = 'a.b.c' where tenant_id = ${tenant.id}`)
    expect(await totalOf(tenant, 'action=many.write')).toEqual([10_000, 'true'])
    await removeLargeAction(tenant)
    expect(await totalOf(tenant, 'action=many.write')).toEqual([0, null])
  })
})
