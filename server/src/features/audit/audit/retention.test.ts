import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../test/answers.ts'
import { asOwner, breachOf, headOf, sealRecords, sealsOf, verdictOn } from '../../../../test/audit-chain.ts'
import { newTenant, platformAdmin, unique, type Tenant } from '../../../../test/factories.ts'
import { clock, parts } from '../../../../test/harness.ts'
import { settingsOf } from '../../../db/scope.ts'
import { systemCtx } from '../../../start/parts.ts'
import { enterExpired } from './chain.store.ts'
import { record } from './audit.service.ts'
import { expireAuditLogs } from './retention.service.ts'
import { countMissed } from '../../delivery/webhooks/missed.service.ts'

const dayMs = 24 * 3_600_000

const setRetention = (tenant: Tenant, value: unknown) =>
  tenant.admin.put('/settings/tenant/audit.retention_days', { value })

const expire = () => expireAuditLogs(systemCtx(parts, 'maintenance'), countMissed)

/** Writes records with a date so many days ago, and seals them. */
const writeAgo = async ({ id }: Tenant, days: number, rows = 2): Promise<void> => {
  clock.advance(-days * dayMs)
  const tenant = { is_factor_required: false, is_sso_required: false, policies: null }
  const ctx = { ...systemCtx(parts, 'test'), tenantId: id, changes: [], effects: [], tenant }
  await parts.store.transaction({ tenantId: id }, async (db) => {
    for (let row = 0; row < rows; row += 1) {
      record({ ...ctx, db }, { action: 'notification.delete', resourceId: unique(), detail: {} })
    }
  })
  clock.advance(days * dayMs)
  await sealRecords(id)
}

/** A tenant whose first records are 200 days old. */
const oldTenant = async (): Promise<Tenant> => {
  const tenant = await newTenant()
  await asOwner(
    sql`update audit_logs set created_at = now() - interval '200 days' where tenant_id = ${tenant.id}`,
  )
  await sealRecords(tenant.id)
  return tenant
}

/** An old tenant, also with records of 100, 50 and 10 days ago. */
const agedTenant = async (): Promise<Tenant> => {
  const tenant = await oldTenant()
  for (const days of [100, 50, 10]) await writeAgo(tenant, days)
  return tenant
}

const actions = async ({ admin }: Tenant): Promise<string[]> =>
  (await admin.get('/audit/logs?page_size=200')).data.items.map((log: { action: string }) => log.action)

describe('the retention of audit records', () => {
  test.each([29, 0, -1, 36_501, 30.5, '90', true, [], {}])(
    'is a whole number from 30 to 36,500 days, or null: %j is refused',
    async (value) => {
      const { status, body } = await setRetention(await newTenant(), value)
      expect([status, body.data.errors[0].field]).toEqual([400, 'value'])
    },
  )

  test.each([30, 36_500, null])('can be %j', async (value) => {
    expect((await setRetention(await newTenant(), value)).status).toBe(200)
  })

  test('is a setting of tenants only', async () => {
    const root = await platformAdmin()
    const answer = await root.put('/settings/global/audit.retention_days', { value: 30 })
    expect(answer).toMatchObject(refusalOf('key'))
  })

  test('records are kept for ever without a setting, with null, and after its deletion', async () => {
    const tenants = [await agedTenant(), await agedTenant(), await agedTenant()] as const
    await setRetention(tenants[1], null)
    await setRetention(tenants[2], 30)
    await tenants[2].admin.delete('/settings/tenant/audit.retention_days')
    await expire()
    for (const tenant of tenants) {
      expect((await actions(tenant)).filter((action) => action === 'notification.delete')).toHaveLength(6)
    }
  })

  test('deletes whole seals that are older than it, leaves a record of it, and the rest can be checked', async () => {
    const tenant = await agedTenant()
    const before = await sealsOf(tenant.id)
    await setRetention(tenant, 30)
    await sealRecords(tenant.id)
    const kept = await headOf(tenant.id)
    await expire()
    const expired = before.slice(0, 3).flat()
    expect((await sealsOf(tenant.id)).slice(0, 1)).toEqual([before[3]])
    const [log] = (await tenant.admin.get('/audit/logs')).data.items
    expect(log).toMatchObject({
      user_id: 0,
      action: 'audit.expire',
      resource_id: '3',
      detail: { records: { from: expired.length, to: 0 } },
    })
    expect(await breachOf(tenant.id, kept)).toBeUndefined()
    await sealRecords(tenant.id)
    expect(await verdictOn(tenant.id)).toMatchObject({ summary: { seals: 3, records: 4 } })
    const total = (await actions(tenant)).length
    await expire()
    expect((await actions(tenant)).length).toBe(total)
  })

  test('leaves an export that can be checked', async () => {
    const tenant = await agedTenant()
    await setRetention(tenant, 30)
    await expire()
    const { text } = await tenant.admin.get('/audit/export?format=sealed')
    expect(text.split('\n').filter((line) => line.includes('notification.delete'))).toHaveLength(2)
    expect(await breachOf(tenant.id)).toBeUndefined()
  })

  test('never deletes the last seal, and nothing that waits to be sealed', async () => {
    const tenant = await newTenant()
    await setRetention(tenant, 30)
    await asOwner(
      sql`update audit_logs set created_at = now() - interval '60 days' where tenant_id = ${tenant.id}`,
    )
    await expire()
    const total = (await actions(tenant)).length
    await sealRecords(tenant.id)
    await expire()
    expect((await actions(tenant)).length).toBe(total)
    expect(await breachOf(tenant.id)).toBeUndefined()
  })

  test('goes through many seals in batches, by several at once', async () => {
    const tenant = await oldTenant()
    for (let seal = 0; seal < 205; seal += 1) await writeAgo(tenant, 60, 1)
    await setRetention(tenant, 30)
    await sealRecords(tenant.id)
    await Promise.allSettled(Array.from({ length: 3 }, expire))
    await expire()
    expect((await actions(tenant)).filter((action) => action === 'notification.delete')).toEqual([])
    expect(await breachOf(tenant.id)).toBeUndefined()
  })

  test('an earlier head cannot be confirmed once its seal has expired', async () => {
    const tenant = await agedTenant()
    const kept = { sequence: 1, hash: '0'.repeat(64) }
    await setRetention(tenant, 30)
    await expire()
    expect(await breachOf(tenant.id, kept)).toBe(
      `the head 1:${kept.hash} cannot be confirmed: the seals before 4 have expired`,
    )
  })
})

describe('deleting more than the setting allows', () => {
  test('is refused by the database to the role that deletes expired records', async () => {
    const tenant = await agedTenant()
    const deleted = () =>
      parts.store.transaction(
        { tenantId: tenant.id },
        async (db) => {
          await enterExpired(db, tenant.id)
          return [
            await db.run(sql`delete from audit_logs`),
            await db.run(sql`delete from audit_seals`),
            await db.run(sql`delete from audit_heads`),
            await db.run(sql`delete from audit_unsealed`),
          ]
        },
        'tenantry_purge',
      )
    expect(await deleted()).toEqual([0, 0, 0, 0])
    await setRetention(tenant, 90)
    const [, seals, ...others] = await deleted()
    expect([seals, others]).toEqual([2, [0, 0]])
    expect((await actions(tenant)).filter((action) => action === 'notification.delete')).toHaveLength(4)
  })

  test('is refused for records younger than 30 days, whatever moment a statement sets', async () => {
    const tenant = await agedTenant()
    const left = await parts.store
      .transaction(
        { tenantId: tenant.id },
        async (db) => {
          await db.run(settingsOf({ 'app.expired_before': '2999-01-01' }))
          await db.run(sql`delete from audit_logs`)
          await db.run(sql`delete from audit_seals`)
        },
        'tenantry_purge',
      )
      .then(() => actions(tenant))
    // The records of 10 days ago.
    expect(left.filter((action) => action === 'notification.delete')).toHaveLength(2)
  })

  test('is found when the owner of the database does it, and nothing more expires', async () => {
    const tenant = await agedTenant()
    await setRetention(tenant, 30)
    const [first = []] = await sealsOf(tenant.id)
    await asOwner(sql`delete from audit_logs where tenant_id = ${tenant.id} and id = ${first[0]}`)
    await expect(expire()).rejects.toThrow('1 chains could not be shortened')
    expect(await breachOf(tenant.id)).toBe(`record ${first[0]} was removed`)
    await asOwner(sql`delete from tenant_settings where tenant_id = ${tenant.id}`)
  })

  test('is found, also when the last seal to expire names a later one as the start of the rest', async () => {
    const tenant = await agedTenant()
    await setRetention(tenant, 90)
    const { id } = tenant
    const [, second = [], third = []] = await sealsOf(id)
    await asOwner(
      sql`delete from audit_logs where tenant_id = ${id} and id in (${third[0]}, ${third[1]})`,
      sql`update audit_seals set statement = (
        select statement from audit_seals where tenant_id = ${id} and sequence = 3)
        where tenant_id = ${id} and sequence = 2`,
      sql`delete from audit_seals where tenant_id = ${id} and sequence = 3`,
    )
    await expect(expire()).rejects.toThrow('1 chains could not be shortened')
    expect((await sealsOf(id))[1]).toEqual(second)
    expect(await breachOf(id)).toBe('seal 3 stands where seal 2 was: reordered')
    await asOwner(sql`delete from tenant_settings where tenant_id = ${id}`)
  })

  test('is found, also when the seal of the deleted records claims to be old', async () => {
    const tenant = await agedTenant()
    await setRetention(tenant, 30)
    const { id } = tenant
    await sealRecords(id)
    await asOwner(sql`update audit_seals set newest_at = '2000-01-01' where tenant_id = ${id}`)
    await expect(expire()).rejects.toThrow('1 chains could not be shortened')
    expect((await actions(tenant)).filter((action) => action === 'notification.delete')).toHaveLength(6)
    await asOwner(sql`delete from tenant_settings where tenant_id = ${id}`)
  })
})
