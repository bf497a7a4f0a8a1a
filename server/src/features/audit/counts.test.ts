/** Totals and pages of the audit query are exact, whatever happens to the records they are counted from. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { asOwner, newChain, ownerRows, sealRecords, writeRecords } from '../../../test/audit-chain.ts'
import {
  countedRecords,
  drawIds,
  expectExact,
  filters,
  those,
  writeMany,
  type Filter,
} from '../../../test/audit-counts.ts'
import { newTenant, platformAdmin, type Tenant } from '../../../test/factories.ts'
import { clock, parts } from '../../../test/harness.ts'
import { systemCtx } from '../../parts.ts'
import { purgeTenant } from '../tenants/purge.service.ts'
import { exportTenant } from '../transfer/export.service.ts'
import { importTenant } from '../transfer/import.service.ts'
import { expireAuditLogs } from './retention.service.ts'
import { sealBatch, sealWaiting } from './seal.service.ts'

const dayMs = 24 * 3_600_000
/** Where many records wait, each question takes long. */
const some = filters.filter((_filter, index) => index % 7 === 0)
const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs)

const sealOne = (tenantId: string) =>
  parts.store.transaction({ tenantId }, (db) => sealBatch(db, tenantId, clock.now()), 'tenantry_seal')

const waiting = async (tenantId: string): Promise<number> =>
  (await ownerRows(sql`select from audit_unsealed where tenant_id = ${tenantId}`)).length

/** Lets expire what is older, as somebody who asks for it so many days ago: a younger record would end what can expire. */
const expire = async (tenantId: string, keepDays: number, askedDaysAgo = 0): Promise<void> => {
  const setting = sql`${tenantId}::uuid, 'audit.retention_days', ${JSON.stringify(keepDays)}::jsonb, now()`
  await asOwner(sql`insert into tenant_settings (tenant_id, key, value, updated_at) values (${setting})`)
  clock.advance(-askedDaysAgo * dayMs)
  await expireAuditLogs(systemCtx(parts, 'maintenance'))
  clock.advance(askedDaysAgo * dayMs)
  await asOwner(sql`delete from tenant_settings where tenant_id = ${tenantId}`)
}

/** A tenant whose first records are 200 days old, and sealed. */
const oldTenant = async (): Promise<Tenant> => {
  const tenant = await newTenant()
  await asOwner(sql`update audit_logs set created_at = ${daysAgo(200)} where tenant_id = ${tenant.id}`)
  await sealRecords(tenant.id)
  return tenant
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe('totals and pages of the audit query are exact', () => {
  test('after any mixture of writes, late commits, seals and retention', { timeout: 120_000 }, async () => {
    const { id, admin } = await oldTenant()
    const random = randomFrom(63)
    const upTo = (max: number) => Math.floor(random() * max)
    let drawn: number[] = []
    let age = 120
    let expired = 0
    const commit = async () => {
      const late = drawn.filter(() => random() < 0.7)
      drawn = drawn.filter((one) => !late.includes(one))
      await writeMany(id, 0, daysAgo(age), those(late))
    }
    const steps = [
      () => writeMany(id, 1 + upTo(3000), daysAgo(age)),
      async () => void (drawn = [...drawn, ...(await drawIds(1 + upTo(50)))]),
      commit,
      () => sealOne(id),
      () => sealRecords(id),
      async () => {
        const before = await countedRecords(id)
        await expire(id, age + upTo(20), age)
        expired += before - (await countedRecords(id))
      },
    ]
    for (; age > 40; age -= 2) {
      await steps[upTo(steps.length)]?.()
      await expectExact(
        admin,
        id,
        filters.filter(() => random() < 0.1),
      )
    }
    await commit()
    expect(expired).toBeGreaterThan(1000)
    await expectExact(admin, id)
    await sealRecords(id)
    await expectExact(admin, id)
  })

  test('while records wait, and once they are sealed', async () => {
    const { id, admin } = await newTenant()
    await writeMany(id, 5000, clock.now())
    await expectExact(admin, id, some)
    await sealRecords(id)
    expect(await waiting(id)).toBe(0)
    await expectExact(admin, id)
  })

  test('for records that are committed after others with higher ids were sealed', async () => {
    const { id, admin } = await newTenant()
    const early = await drawIds(100)
    await writeMany(id, 5000, clock.now())
    const middle = await drawIds(100)
    await writeMany(id, 5000, clock.now())
    await sealRecords(id)
    await writeMany(id, 0, clock.now(), those([...early, ...middle]))
    await expectExact(admin, id)
    await sealRecords(id)
    await expectExact(admin, id)
  })

  test('while records expire, down to the last seal', async () => {
    const { id, admin } = await oldTenant()
    for (const days of [200, 100, 50, 1]) await writeMany(id, 4000, daysAgo(days))
    await sealRecords(id)
    for (const days of [150, 60, 30]) {
      await expire(id, days)
      await expectExact(admin, id, some)
    }
    await sealRecords(id)
    await expectExact(admin, id)
    expect((await admin.get('/audit/logs')).data.total).toBeLessThan(6000)
    const emptied = await ownerRows(sql`select from audit_counts where tenant_id = ${id} and count <= 0`)
    expect(emptied).toEqual([])
  })

  test('where the chain is broken and nothing more is sealed', async () => {
    const { tenant, id } = await newChain()
    await asOwner(sql`delete from audit_heads where tenant_id = ${id}`)
    await writeMany(id, 1000, clock.now())
    await writeRecords(tenant)
    expect((await sealWaiting(parts)).has(id)).toBe(true)
    expect(await waiting(id)).toBe(1003)
    await expectExact(tenant.admin, id, some)
  })

  test('when a version without counts, running beside, seals and lets expire', async () => {
    const { id, admin } = await newTenant()
    await writeMany(id, 300, daysAgo(60))
    const records = (await admin.get('/audit/logs')).data.total as number
    await parts.store.transaction(
      { tenantId: id },
      (db) => db.run(sql`delete from audit_unsealed where tenant_id = ${id}`),
      'tenantry_seal',
    )
    expect(await countedRecords(id)).toBe(records)
    await admin.put('/settings/tenant/audit.retention_days', { value: 30 })
    await parts.store.transaction(
      { tenantId: id },
      (db) => db.run(sql`delete from audit_logs where tenant_id = ${id}`),
      'tenantry_purge',
    )
    expect(await countedRecords(id)).toBe(records - 300)
    await expectExact(admin, id)
  })

  test('for an imported tenant, some of whose records waited', async () => {
    const { id, slug } = await newTenant()
    await writeMany(id, 5000, clock.now())
    const folder = await mkdtemp(join(tmpdir(), 'tenantry-counts-'))
    const file = join(folder, 'export')
    const ctx = systemCtx(parts, 'test')
    await asOwner(sql`delete from audit_heads where tenant_id = ${id}`)
    await sealOne(id)
    await asOwner(sql`delete from audit_heads where tenant_id = ${id}`)
    await exportTenant(ctx, slug, file)
    await asOwner(sql`update tenants set deleted_at = now() where id = ${id}`)
    await purgeTenant(parts, id)
    await asOwner(sql`delete from audit_tombstones where id = ${id}`)
    await importTenant(ctx, file)
    await rm(folder, { recursive: true })
    expect([await countedRecords(id), (await waiting(id)) > 4000]).toEqual([1000, true])
    await expectExact(await platformAdmin(), id, some)
  })

  test('after the owner of the database deleted records, sealed or waiting', async () => {
    const { id, admin } = await newTenant()
    await writeMany(id, 50, clock.now())
    await sealRecords(id)
    await writeMany(id, 50, clock.now())
    await asOwner(sql`delete from audit_logs where tenant_id = ${id} and id % 3 = 0`)
    const gone = sql`
      delete from audit_unsealed u where tenant_id = ${id}
        and not exists (select from audit_logs l where l.tenant_id = u.tenant_id and l.id = u.id)`
    await asOwner(gone)
    await expectExact(admin, id)
  })

  test('after the owner of the database deleted the last blocks, and while more records follow', async () => {
    const { id, admin } = await newTenant()
    const early = await drawIds(100)
    await writeMany(id, 10_000, clock.now())
    await sealRecords(id)
    await writeMany(id, 0, clock.now(), those(early))
    await sealRecords(id)
    const end = sql`select max(id) - 3000 from audit_logs where tenant_id = ${id}`
    await asOwner(sql`delete from audit_logs where tenant_id = ${id} and id > (${end})`)
    await expectExact(admin, id, some)
    await writeMany(id, 6000, clock.now())
    await sealRecords(id)
    await expectExact(admin, id, some)
  })

  test('after the owner of the database left few records in each of many blocks', async () => {
    const { id, admin } = await newTenant()
    await writeMany(id, 30_000, clock.now())
    await sealRecords(id)
    const end = sql`select max(id) - 24000 from audit_logs where tenant_id = ${id}`
    await asOwner(sql`delete from audit_logs where tenant_id = ${id} and id > (${end}) and id % 100 > 0`)
    await expectExact(admin, id, [{}, { to: clock.now().toISOString() }])
  })
})

test('totals and pages between two moments are exact, whatever the order of ids and times', async () => {
  const { id, admin } = await newTenant()
  const random = randomFrom(64)
  const upTo = (max: number) => Math.floor(random() * max)
  const now = clock.now().getTime()
  const times = Array.from({ length: 18 }, (_, batch) => new Date(now - (100 - 5 * batch + upTo(10)) * dayMs))
  const late = await drawIds(400)
  for (const time of times) await writeMany(id, 900, time)
  await sealRecords(id)
  await writeMany(id, 0, new Date(now - 50 * dayMs), those(late.slice(200)))
  await sealRecords(id)
  await writeMany(id, 0, new Date(now - 60 * dayMs), those(late.slice(0, 200)))
  await writeMany(id, 300, new Date(now - 30 * dayMs))
  for (const [batch, time] of times.entries()) {
    const [from, to] = [times[upTo(18)] ?? time, time].map((moment) => moment.toISOString()).toSorted()
    const between = [{ from, to }, { from: to }, { to }][batch % 3] as Filter
    await expectExact(admin, id, [between, { ...filters[upTo(filters.length)], ...between }])
  }
})

describe('an export between two moments', () => {
  /** Blocks whose times overlap: the records of one are written by a clock that is behind. */
  let skewed: Tenant
  beforeAll(async () => {
    skewed = await newTenant()
    for (const days of [90, 60, 61, 30, 59, 1]) await writeMany(skewed.id, 2000, daysAgo(days))
    await sealRecords(skewed.id)
    await writeMany(skewed.id, 50, daysAgo(60))
  })

  test.each([
    [95, 62],
    [61.5, 58],
    [60, 0],
    [40, -1],
    [3000, 2000],
  ])('has all records from %d to %d days ago, whatever the order of their ids', async (older, younger) => {
    const { id, admin } = skewed
    const [from, to] = [daysAgo(older), daysAgo(younger)]
    const range = sql`tenant_id = ${id} and created_at >= ${from} and created_at < ${to}`
    for (const filter of ['', '&user_id=2', '&user_id=1&action=user.create', '&resource=none']) {
      const { user_id, action, resource } = Object.fromEntries(new URLSearchParams(filter))
      const rows = await ownerRows<{ id: number }>(sql`
        select id from audit_logs where ${range} and user_id = coalesce(${user_id ?? null}::bigint, user_id)
          and action = coalesce(${action ?? null}, action) and resource = coalesce(${resource ?? null}, resource)
        order by id`)
      const query = `?from=${from.toISOString()}&to=${to.toISOString()}${filter}`
      const { text } = await admin.get(`/audit/export${query}`)
      const ids = text
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { id: number }).id)
      expect([query, ids]).toEqual([query, rows.map((row) => row.id)])
    }
  })
})
