import type { Parts } from '../../../context.ts'
import { inBatches } from '../../../db/sweep.ts'
import { deleteItemRows } from './items.store.ts'
import { deleteReviewRow, selectExpiredReviews } from './reviews.store.ts'

/** The most reviews of a round. */
const roundMax = 100

/**
 * Deletes closed reviews that are older than the tenant keeps audit records. Interruption, repetition and several
 * processes at once do no harm.
 */
export const sweepReviews = async ({ store }: Pick<Parts, 'store'>): Promise<void> => {
  const expired = await store.transaction({}, (db) => selectExpiredReviews(db, roundMax), 'tenantry_purge')
  for (const { tenant_id: tenantId, id } of expired) {
    const db = store.scoped({ tenantId })
    await inBatches((limit) => deleteItemRows(db, tenantId, id, limit))
    await deleteReviewRow(db, tenantId, id)
  }
}
