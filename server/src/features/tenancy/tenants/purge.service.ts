import type { Parts } from '../../../context.ts'
import type { TransactionDb } from '../../../db/client.ts'
import { inBatches } from '../../../db/sweep.ts'
import { endSessionsOfRemoved } from '../../accounts/sessions/sessions.service.ts'
import { sealUnlessBroken } from '../../audit/audit/seal.service.ts'
import { leaveTombstone } from '../../audit/audit/tombstone.service.ts'
import * as store from './tenants.store.ts'

type PurgeParts = Pick<Parts, 'store' | 'secrets' | 'now' | 'archives' | 'cache'>

/**
 * Runs one batch under the purge's lock. Without it, a parallel purge could find no more rows and go on before the last
 * batch is deleted.
 */
const inTurn = <T>(
  parts: PurgeParts,
  tenantId: string,
  work: (db: TransactionDb) => Promise<T>,
): Promise<T> =>
  parts.store.transaction(
    {},
    async (db) => {
      await store.lockPurge(db, tenantId)
      await Promise.all([store.enterRemovedTenant(db, tenantId), store.tunePurge(db)])
      return work(db)
    },
    'tenantry_purge',
  )

/**
 * Deletes all rows of a removed tenant in batches. Writes the tombstone of the audit chain after the deletion of the
 * records. Deletes the tenant's own row last. Interruption, repetition and several processes at once do no harm.
 */
export const purgeTenant = async (parts: PurgeParts, tenantId: string): Promise<void> => {
  await store.awaitWriters(parts.store, tenantId)
  await sealUnlessBroken(parts, tenantId)
  await inBatches(async (limit) => {
    const ended = await inTurn(parts, tenantId, (db) => endSessionsOfRemoved(db, tenantId, limit))
    await parts.cache.publish({ kind: 'queued', queue: 'logout' })
    return ended
  })
  await purgeTables(parts, tenantId, store.purgedTables)
  await inTurn(parts, tenantId, (db) => store.deleteHookSecrets(db, tenantId))
  await inTurn(parts, tenantId, (db) => store.deleteConnectionSecrets(db, tenantId))
  await inBatches((limit) => inTurn(parts, tenantId, (db) => purgeUsers(db, tenantId, limit)))
  await purgeTables(parts, tenantId, store.purgedRecords)
  await leaveTombstone(parts, tenantId)
  await purgeTables(parts, tenantId, store.purgedChain)
  await inTurn(parts, tenantId, (db) => store.deleteTenantRow(db, tenantId))
}

const purgeTables = async (
  parts: PurgeParts,
  tenantId: string,
  tables: readonly store.PurgedTable[],
): Promise<void> => {
  for (const table of tables) {
    await inBatches((limit) =>
      inTurn(parts, tenantId, (db) => store.deleteRowsOfTenant(db, table, tenantId, limit)),
    )
  }
}

const purgeUsers = async (db: TransactionDb, tenantId: string, limit: number): Promise<number> => {
  const users = await store.deleteUserRowsOfTenant(db, tenantId, limit)
  const accountIds = users.map((user) => user.account_id)
  store.enterAccounts(db, accountIds)
  await store.deleteAccountRows(db, accountIds)
  return users.length
}

/** Finishes purges that a crash interrupted. Runs at start and at intervals. */
export const purgeRemovedTenants = async (parts: PurgeParts): Promise<void> => {
  const failures: unknown[] = []
  for (const { id } of await store.selectRemovedTenants(parts.store.scoped({}))) {
    await purgeTenant(parts, id).catch((err: unknown) => failures.push(err))
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} tenants could not be purged`)
  }
}
