import { setTimeout as sleep } from 'node:timers/promises'
import type { Parts } from '../../context.ts'
import type { Db } from '../../db/client.ts'
import { leaveTombstone } from '../audit/tombstone.service.ts'
import * as store from './tenants.store.ts'

/** Rows a transaction deletes: some three milliseconds' worth (docs/decisions/0082-a-purge-rests.md). */
const batchRows = 100

type PurgeParts = Pick<Parts, 'store' | 'now'>

/** One batch, in a transaction that holds the turn: of several purges, none takes another's batch for the last one. */
const inTurn = <T>(parts: PurgeParts, tenantId: string, work: (db: Db) => Promise<T>): Promise<T> =>
  parts.store.transaction(
    { tenantId },
    async (db) => {
      await store.lockPurge(db, tenantId)
      await store.settlePurge(db)
      return work(db)
    },
    'tenantry_purge',
  )

/**
 * Deletes all rows of a removed tenant, in batches, and leaves a tombstone of its audit chain. Can be stopped anywhere and
 * run again, also by several at once.
 */
export const purgeTenant = async (parts: PurgeParts, tenantId: string): Promise<void> => {
  await store.awaitWriters(parts.store, tenantId)
  await leaveTombstone(parts, tenantId)
  const inBatches = (deleteBatch: (db: Db) => Promise<number>) =>
    untilDone(() => inTurn(parts, tenantId, deleteBatch))
  for (const table of store.purgedTables) {
    await inBatches((db) => store.deleteRowsOfTenant(db, table, tenantId, batchRows))
  }
  await inBatches((db) => purgeUsers(db, tenantId))
  // A request that was under way still adds to it, as long as its user is there.
  await inBatches((db) => store.deleteRowsOfTenant(db, 'activity_counts', tenantId, batchRows))
  await inTurn(parts, tenantId, (db) => store.deleteTenantRow(db, tenantId))
}

const purgeUsers = async (db: Db, tenantId: string): Promise<number> => {
  const users = await store.deleteUserRowsOfTenant(db, tenantId, batchRows)
  await store.deleteAccountRows(
    db,
    users.map((user) => user.account_id),
  )
  return users.length
}

/** Rests after each batch for twice as long as it took, so that others have most of the time to themselves. */
const untilDone = async (deleteBatch: () => Promise<number>): Promise<void> => {
  for (;;) {
    const startedAt = performance.now()
    if ((await deleteBatch()) < batchRows) return
    await sleep(2 * (performance.now() - startedAt))
  }
}

/** Finishes what a crash left: called at start and now and then. */
export const purgeRemovedTenants = async (parts: PurgeParts): Promise<void> => {
  const failures: unknown[] = []
  for (const { id } of await store.selectRemovedTenants(parts.store.scoped({}))) {
    await purgeTenant(parts, id).catch((err: unknown) => failures.push(err))
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} tenants could not be purged`)
  }
}
