/** A statement that takes long is waited for by who sent it, and by nobody else. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Db } from '../src/db/client.ts'
import { onPostgres } from '../src/db/test-database.ts'
import { countFilteredLogs } from '../src/features/audit/audit.store.ts'
import { countDeleted } from '../src/features/dashboard/dashboard.store.ts'
import { selectTenantSetting } from '../src/features/settings/settings.store.ts'
import { selectTenants } from '../src/features/tenants/tenants.store.ts'
import { selectUsers } from '../src/features/users/users.store.ts'
import { parts } from './harness.ts'

/** Keeps everybody from a table: what reads it takes as long as that lasts. Resolves with how to let go. */
const lockTable = async (table: string): Promise<() => Promise<void>> => {
  let letGo = () => {}
  const released = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let ended: Promise<unknown> = released
  await new Promise<void>((locked) => {
    ended = parts.store.transaction({}, async (db) => {
      await db.run(sql`select set_config('role', 'none', true)`)
      await db.run(sql`lock table ${raw(table)} in access exclusive mode`)
      locked()
      await released
    })
  })
  return async () => {
    letGo()
    await ended
  }
}

const page = { limit: 20, offset: 0, max: 100_000 }

interface Slow {
  what: string
  table: string
  read: (db: Db, tenantId: string) => Promise<unknown>
}

const slow: Slow[] = [
  { what: 'a search', table: 'users', read: (db, id) => selectUsers(db, id, { search: 'a' }, page) },
  {
    what: 'a count of what was deleted',
    table: 'audit_logs',
    read: (db, id) => countDeleted(db, id, 'user.delete', new Date()),
  },
  {
    what: 'a count of audit records between two moments',
    table: 'audit_counts',
    read: (db, id) => countFilteredLogs(db, id, { from: '2000-01-01T00:00:00Z' }, page.max),
  },
  { what: 'a list of all tenants', table: 'tenants', read: selectTenants },
]

// One session: there whoever comes later waits.
describe.runIf(onPostgres)('reads of one tenant', () => {
  test.each(slow)('do not wait for $what in another that takes long', async ({ table, read }) => {
    const [tenantId, other] = [randomUUID(), randomUUID()]
    const unlock = await lockTable(table)
    const slowRead = read(parts.store.scoped({ tenantId }), tenantId)
    const reads = Array.from({ length: 20 }, () =>
      selectTenantSetting(parts.store.scoped({ tenantId: other }), other, 'key'),
    )
    const first = await Promise.race([
      Promise.all(reads).then(() => 'the others'),
      slowRead.then(() => 'the slow one'),
      sleep(1000, 'nobody'),
    ])
    await unlock()
    await slowRead
    expect(first).toBe('the others')
  })
})
