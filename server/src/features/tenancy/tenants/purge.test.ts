import sql, { raw } from 'sql-template-tag'
import { consent, newApplication } from '../../../../test/applications.ts'
import { insertApprovalRows, insertPolicies } from '../../../../test/approval-rows.ts'
import { insertHookRows } from '../../../../test/hooks.ts'
import { insertSupportRows } from '../../../../test/support.ts'
import { insertConnectionRows } from '../../../../test/connection-rows.ts'
import { insertSettingRows } from '../../../../test/setting-rows.ts'
import { describe, expect, test } from 'vitest'
import {
  asOwner,
  breachOf,
  insertLeftover,
  sealRecords,
  verdictOn,
  writeMany,
} from '../../../../test/audit-chain.ts'
import { eventually } from '../../../../test/waits.ts'
import {
  keyWith,
  newTenant,
  password,
  platformAdmin,
  unique,
  type Tenant,
} from '../../../../test/factories.ts'
import { call, parts } from '../../../../test/harness.ts'
import { insertReview } from '../../../../test/reviews.ts'
import { insertElevation } from '../../../../test/role-rows.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { writeDay } from '../dashboard/days.service.ts'
import { purgeRemovedTenants } from './purge.service.ts'

/** Every table that has a column `tenant_id`, also in later migrations. */
const boundTables = async (): Promise<string[]> => {
  const rows = await parts.store.scoped({}).many<{ name: string }>(sql`
    select table_name as name from information_schema.columns
    where column_name = 'tenant_id' and table_schema = current_schema() order by 1`)
  return rows.map(({ name }) => name)
}

const count = async (tenantId: string, table: string, column = 'tenant_id'): Promise<number> => {
  const statement = sql`select count(*) as count from ${raw(table)} where ${raw(column)} = ${tenantId}`
  return (await parts.store.scoped({ tenantId }).one<{ count: number }>(statement))?.count ?? -1
}

/** The number of a tenant's rows per table. Includes its row in `tenants`, and the accounts of these e-mails. */
const rowsOf = async (tenantId: string, emails: string[]): Promise<Record<string, number>> => {
  const folded = emails.map((email) => email.toLowerCase())
  const accounts = await parts.store
    .scoped({})
    .one<{ count: number }>(sql`select count(*) as count from accounts where lower(email) = any (${folded})`)
  const tables = await boundTables()
  const counts = await Promise.all(
    tables.map(async (table) => [table, await count(tenantId, table)] as const),
  )
  return {
    ...Object.fromEntries(counts),
    tenants: await count(tenantId, 'tenants', 'id'),
    accounts: accounts?.count ?? -1,
  }
}

const remove = async ({ id }: Tenant) =>
  expect((await (await platformAdmin()).delete(`/org/tenants/${id}`)).status).toBe(200)

const untilPurged = ({ id }: Tenant) =>
  eventually(async () => expect(await count(id, 'tenants', 'id')).toBe(0))

/** A tenant with a row in every table. */
const filledTenant = async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  await insertElevation(user, (await tenant.role('user:read')).id)
  expect((await tenant.admin.put('/settings/tenant/key', { value: 1 })).status).toBe(200)
  await keyWith(tenant.id, [])
  expect((await tenant.admin.post('/invitations', { email: `${unique('i')}@example.com` })).status).toBe(200)
  await insertHookRows(tenant)
  await insertSettingRows(tenant)
  await insertConnectionRows(tenant)
  await insertSupportRows(tenant)
  await insertReview(tenant)
  await consent(user, await newApplication({ is_third_party: true }))
  await sealRecords(tenant.id)
  await writeDay(parts, tenant.id, '2026-01-31')
  const note = await tenant.admin.post('/notifications', { user_id: user.userId, title: 'hello' })
  expect(note.status).toBe(200)
  await insertLeftover(tenant)
  await insertApprovalRows(tenant)
  await insertPolicies(tenant.id, ['global.change'])
  return { tenant, emails: [tenant.admin.email, user.email] }
}

/** Marks a tenant as removed and stops, as a process does that dies before the purge. */
const crashAfterRemoval = ({ id }: Tenant) =>
  parts.store
    .scoped({ tenantId: builtInTenant.id })
    .run(sql`update tenants set deleted_at = now() where id = ${id}`)

/** Whether a process that dies after this many transactions leaves the purge unfinished. */
const diesAfter = (transactions: number): Promise<boolean> => {
  let left = transactions
  const dying: typeof parts.store = {
    ...parts.store,
    transaction: (scope, work, role) => {
      if (left-- === 0) throw new Error('the process died')
      return parts.store.transaction(scope, work, role)
    },
  }
  return purgeRemovedTenants({ ...parts, store: dying }).then(
    () => false,
    () => true,
  )
}

const fill = async ({ id, admin }: Tenant, rows: number): Promise<void> => {
  const mark = unique('bulk')
  await parts.store.transaction({ tenantId: id }, async (db) => {
    await db.run(sql`
      insert into accounts (email, email_folded, password_hash)
      select e, e, '' from (select ${mark}::text || n || '@example.com' as e from generate_series(1, ${rows}::int) n) s`)
    await db.run(sql`
      insert into users
        (tenant_id, account_id, email, username, username_folded, search_folded, created_at, updated_at)
      select ${id}::uuid, id, email, email, email, email, now(), now() from accounts where email like ${`${mark}%`}
      returning id`)
    await db.run(sql`
      insert into notifications (tenant_id, user_id, title, created_at)
      select ${id}::uuid, ${admin.userId}::bigint, 'bulk', now() from generate_series(1, ${rows}::int)
      returning id`)
  })
  await writeMany(id, rows, { action: 'bulk.fill' })
}

describe('purging a removed tenant', () => {
  test('leaves a signed tombstone that says how many records it had, where its chain ended, and nothing of people', async () => {
    const { tenant } = await filledTenant()
    const { id } = tenant
    const records = await count(id, 'audit_logs')
    await crashAfterRemoval(tenant)
    await purgeRemovedTenants(parts)
    const verdict = await verdictOn(id)
    expect(verdict).toEqual({
      tenant: id,
      erased: {
        typ: 'audit-tombstone',
        tenant_id: id,
        removed_at: expect.stringMatching(/Z$/),
        records,
        head: { sequence: 2, position: records, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        at: expect.stringMatching(/Z$/),
      },
    })
    expect(await breachOf(id, { sequence: 2, hash: '0'.repeat(64) })).toBe(
      'the chain did not end at the head that was kept',
    )
    await asOwner(sql`update audit_tombstones set statement = statement || 'A' where id = ${id}`)
    expect(await breachOf(id)).toBe('the tombstone is forged')
  })

  test('is not held up by a broken chain; the tombstone then names no end', async () => {
    const { tenant } = await filledTenant()
    await asOwner(sql`delete from audit_heads where tenant_id = ${tenant.id}`)
    await crashAfterRemoval(tenant)
    await purgeRemovedTenants(parts)
    expect(await verdictOn(tenant.id)).toMatchObject({ erased: { records: null, head: null } })
  })

  test('deletes its rows from every table, and no one else’s', async () => {
    const [{ tenant, emails }, other] = [await filledTenant(), await filledTenant()]
    const before = await rowsOf(tenant.id, emails)
    expect(Object.entries(before).filter(([, rows]) => rows === 0)).toEqual([])
    const others = await rowsOf(other.tenant.id, other.emails)
    await remove(tenant)
    await untilPurged(tenant)
    const after = await rowsOf(tenant.id, emails)
    expect(after).toEqual(Object.fromEntries(Object.keys(before).map((table) => [table, 0])))
    expect(await rowsOf(other.tenant.id, other.emails)).toEqual(others)
  })

  test('deletes an account whose e-mail has a new account meanwhile, and keeps the new one', async () => {
    const { tenant, emails } = await filledTenant()
    await crashAfterRemoval(tenant)
    const [email = ''] = emails
    const joined = await call('POST', '/auth/register', { body: { email, username: unique(), password } })
    expect(joined.status).toBe(200)
    await purgeRemovedTenants(parts)
    expect(await rowsOf(tenant.id, emails)).toMatchObject({ tenants: 0, users: 0, accounts: 1 })
    expect((await call('POST', '/auth/login', { body: { email, password } })).status).toBe(200)
  })

  test('continues after a crash between the removal and the purge', async () => {
    const { tenant, emails } = await filledTenant()
    await crashAfterRemoval(tenant)
    expect((await rowsOf(tenant.id, emails))['users']).toBeGreaterThan(0)
    await purgeRemovedTenants(parts)
    expect(Object.values(await rowsOf(tenant.id, emails)).every((rows) => rows === 0)).toBe(true)
  })

  test('continues after a crash at every point of the purge', async () => {
    const deaths: boolean[] = []
    do {
      const { tenant, emails } = await filledTenant()
      const records = await count(tenant.id, 'audit_logs')
      await crashAfterRemoval(tenant)
      deaths.push(await diesAfter(deaths.length))
      await purgeRemovedTenants(parts)
      expect(Object.values(await rowsOf(tenant.id, emails)).every((rows) => rows === 0)).toBe(true)
      expect(await verdictOn(tenant.id)).toMatchObject({ erased: { records, head: { position: records } } })
    } while (deaths.at(-1))
    expect(deaths.length).toBeGreaterThan(13)
  })

  test('several purges at once all succeed', async () => {
    const tenant = await newTenant()
    await fill(tenant, 1200)
    await crashAfterRemoval(tenant)
    await Promise.all(Array.from({ length: 4 }, () => purgeRemovedTenants(parts)))
    expect(Object.values(await rowsOf(tenant.id, [])).every((rows) => rows === 0)).toBe(true)
  })

  test('a purge of 1,000 users and as many notifications and records holds up no other tenant', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    await fill(tenant, 1000)
    await remove(tenant)
    let slowestMs = 0
    let requests = 0
    do {
      const startedAt = performance.now()
      expect((await other.admin.put('/settings/tenant/key', { value: requests })).status).toBe(200)
      expect((await other.admin.get('/users')).data.total).toBe(1)
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      requests += 1
    } while ((await count(tenant.id, 'tenants', 'id')) > 0)
    expect(requests).toBeGreaterThan(1)
    // The limit is ten times the usual time of two requests during a purge of this size.
    expect(slowestMs).toBeLessThan(10_000)
    expect(Object.values(await rowsOf(tenant.id, [])).every((rows) => rows === 0)).toBe(true)
  })
})
