import type { Parts } from '../../../context.ts'
import { inBatches } from '../../../db/sweep.ts'
import * as store from './catalogue.store.ts'

/**
 * Deletes the rows of removed permissions and templates in all tenants, in batches with pauses. The rows have no effect
 * already. Interruption, repetition and several processes at once do no harm.
 */
export const sweepCatalogue = async (parts: Pick<Parts, 'store'>): Promise<void> => {
  const removals = await parts.store.transaction({}, store.selectRemovals, 'tenantry_purge')
  for (const removal of removals) await sweepRemoval(parts, removal)
}

const sweepRemoval = async (parts: Pick<Parts, 'store'>, removal: store.Removal): Promise<void> => {
  const within = <T>(work: (db: Parameters<typeof store.selectRemovals>[0]) => Promise<T>): Promise<T> =>
    parts.store.transaction(
      {},
      async (db) => {
        await store.enterRemoval(db, removal)
        return work(db)
      },
      'tenantry_purge',
    )
  const tenants = await within((db) => store.selectTenantsOfRemoval(db, removal))
  for (const { id } of tenants) {
    await inBatches((limit) => within((db) => store.deleteRowsOfRemoval(db, removal, id, limit)))
  }
  await within((db) => store.deleteRemoval(db, removal))
}
