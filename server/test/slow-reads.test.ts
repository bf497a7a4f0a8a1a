/** Only the caller of a slow statement waits for it. */
import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Db } from '../src/db/client.ts'
import { onPostgres } from './test-database.ts'
import { countAuditLogs, selectAuditLogs } from '../src/features/audit/audit/audit.store.ts'
import { selectTenantSetting } from '../src/features/configuration/settings/settings.store.ts'
import { selectTenants } from '../src/features/tenancy/tenants/tenants.store.ts'
import { countUsers, selectUsers } from '../src/features/accounts/users/users.store.ts'
import { parts } from './harness.ts'

/** Locks a table: reads of it wait until the returned function releases it. */
const lockTable = async (table: string): Promise<() => Promise<void>> => {
  let letGo = () => {}
  const released = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let ended: Promise<unknown> = released
  await new Promise<void>((locked, fail) => {
    ended = parts.store.transaction({}, async (db) => {
      await db.run(sql`select set_config('role', 'none', true)`)
      await db.run(sql`lock table ${raw(table)} in access exclusive mode`)
      locked()
      await released
    })
    ended.catch(fail)
  })
  return async () => {
    letGo()
    await ended
  }
}

interface Slow {
  what: string
  table: string
  read: (db: Db, tenantId: string) => Promise<unknown>
}

const slow: Slow[] = [
  { what: 'a count of users', table: 'users', read: countUsers },
  {
    what: 'a page of users far behind',
    table: 'users',
    read: (db, id) => selectUsers(db, id, {}, { limit: 20, offset: 10_000 }),
  },
  {
    what: 'a count of audit records',
    table: 'audit_logs',
    read: (db, id) => countAuditLogs(db, id, { actions: ['a.b'] }, 10_000),
  },
  {
    what: 'a page of audit records between two moments',
    table: 'audit_logs',
    read: (db, id) => selectAuditLogs(db, id, { from: '2000-01-01T00:00:00Z' }, { limit: 20, offset: 0 }),
  },
  { what: 'a list of all tenants', table: 'tenants', read: (db) => selectTenants(db, {}, {}) },
]

// The embedded database has one session: there later calls wait.
describe.runIf(onPostgres)('reads of one tenant', () => {
  test.each(slow)('do not wait for $what in another', async ({ table, read }) => {
    const [tenantId, other] = [randomUUID(), randomUUID()]
    const unlock = await lockTable(table)
    const slowRead = read(parts.store.scoped({ tenantId }), tenantId)
    const reads = Array.from({ length: 20 }, () =>
      selectTenantSetting(parts.store.scoped({ tenantId: other }), other, 'key'),
    )
    const first = await Promise.race([
      Promise.all(reads).then(() => 'the others'),
      slowRead.then(() => 'the slow one'),
    ])
    await unlock()
    await slowRead
    expect(first).toBe('the others')
  })
})
