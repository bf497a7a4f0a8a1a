/** An imported tenant keeps its ids. Later ids of any tenant are above the highest imported id. */
import sql, { raw } from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import { actAs } from '../../../db/scope.ts'

/** Tables with ids, each with the table whose counter generates them. */
const tablesWithIds = {
  users: 'users',
  service_accounts: 'users',
  roles: 'roles',
  notifications: 'notifications',
  sendings: 'sendings',
  audit_logs: 'audit_logs',
} as const

/** Half of the ids that a client can read (2^53). The other half remains for later ids. */
const importedIdMax = 2 ** 52

/** The most ids that the writers of all tenants use while one statement reads and sets a counter. */
const drawnMeanwhileMax = 1_000_000

/**
 * Raises the counters above all ids of the tenant, and above the ids of omitted users whom records name. Throws for an
 * invalid or too high id.
 */
export const raiseIds = async (db: Db, tenantId: string, leftUserIds: number[]): Promise<void> => {
  for (const [table, counter] of Object.entries(tablesWithIds)) {
    const bounds = await db.one<{ low: number; high: number }>(sql`
      select low, high from (
        select min(id) as low, max(id) as high from (
          select id from ${raw(table)} where tenant_id = ${tenantId}
          union all
          select unnest(${table === 'users' ? leftUserIds : []}::bigint[])
        ) as ids
      ) as present
      where low is not null`)
    if (bounds) await raiseCounter(db, counter, bounds)
  }
}

/**
 * Raises a table's counter above an id, and never lowers it, so that no id is used twice. Imports take turns. While the
 * statement runs, other writers use fewer ids than it adds to the counter.
 */
const raiseCounter = async (
  db: Db,
  table: (typeof tablesWithIds)[keyof typeof tablesWithIds],
  { low, high }: { low: number; high: number },
): Promise<void> => {
  if (low < 1) throw new Error(`the ids of ${table} are not all greater than 0`)
  if (high > importedIdMax) throw new Error(`the ids of ${table} cannot be raised to ${high}`)
  await actAs(db, 'tenantry_import')
  await db.run(sql`select pg_advisory_xact_lock(hashtext('tenantry ids'))`)
  await db.run(sql`
    select setval(counter, ${high}::bigint + ${drawnMeanwhileMax}::bigint)
    from (select pg_get_serial_sequence(${table}, 'id')::regclass as counter) as of_table
    where coalesce(pg_sequence_last_value(counter), 0) < ${high}::bigint`)
  await actAs(db, 'tenantry_app')
}
