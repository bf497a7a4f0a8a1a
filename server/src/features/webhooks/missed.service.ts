import { builtInTenant } from '../../access/permissions.ts'
import type { TransactionDb } from '../../db/client.ts'
import * as store from './webhooks.store.ts'

/** Counts the records of seals that expire for the hooks that have not delivered them. */
export const countMissed = (db: TransactionDb, seals: { number: number | null; records: number }[]): void => {
  const numbered = seals.filter(({ number }) => number !== null)
  if (numbered.length > 0) store.addMissed(db, builtInTenant.id, numbered)
}
