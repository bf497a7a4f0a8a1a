/** The end of a tenant's period of retention, for the rows that go with its records. */
import type { TransactionDb } from '../src/db/client.ts'
import { settingsOf } from '../src/db/scope.ts'
import { parts } from './harness.ts'

/** Deletes what belongs to the records before a moment, as the transaction that deletes these records. */
export const expireBefore = (
  tenantId: string,
  before: Date,
  expire: (db: TransactionDb, tenantId: string) => void,
): Promise<void> =>
  parts.store.transaction(
    { tenantId },
    async (db) => {
      await db.run(settingsOf({ 'app.expired_before': before.toISOString() }))
      expire(db, tenantId)
    },
    'tenantry_purge',
  )
