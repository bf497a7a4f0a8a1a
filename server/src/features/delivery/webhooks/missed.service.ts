import { builtInTenant } from '../../../access/permissions.ts'
import type { TransactionDb } from '../../../db/client.ts'
import * as store from './webhooks.store.ts'

/** Counts the records of a tenant's expiring seals as missed for the hooks that have not delivered them. */
export const countMissed = (
  db: TransactionDb,
  tenantId: string,
  seals: { number: number; record_ids: number[]; imported_to: number }[],
): void => {
  const expired = seals.map(({ number, record_ids: ids, imported_to: importedTo }) => ({
    number,
    records: ids.length,
    // In a seal, imported records come first.
    imported: ids.filter((id) => id <= importedTo).length,
  }))
  for (const id of new Set([tenantId, builtInTenant.id])) store.addMissed(db, id, tenantId, expired)
}
