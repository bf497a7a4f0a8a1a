import type { Parts } from '../../../context.ts'
import { openAuditKeys } from '../../../crypto/statements.ts'
import { Breach, recordsBetween, type Tombstone } from './chain.ts'
import type { Db } from '../../../db/client.ts'
import * as store from './chain.store.ts'
import { requireHead } from './seal.service.ts'

/**
 * Signs a statement of the end of a removed tenant's chain. Several processes write it only once. Runs after the
 * deletion of the records and before that of the seals.
 */
export const leaveTombstone = (
  { store: database, secrets, now }: Pick<Parts, 'store' | 'secrets' | 'now'>,
  tenantId: string,
): Promise<void> =>
  database.transaction(
    { tenantId },
    async (db) => {
      store.lockChain(db, tenantId)
      const removed = await store.selectRemoved(db, tenantId)
      if (!removed || (await store.selectTombstone(db, tenantId))) return
      const at = now()
      const tombstone: Tombstone = {
        typ: 'audit-tombstone',
        tenant_id: tenantId,
        removed_at: removed.removed_at,
        ...(await readEnd(db, tenantId)),
        at: at.toISOString(),
      }
      const { sign } = await openAuditKeys(db, secrets)
      await store.insertTombstone(db, tenantId, (await sign(tombstone)).text, at)
    },
    'tenantry_seal',
  )

/** A broken chain does not prevent the erasure of its tenant. Its tombstone has neither count nor end. */
const readEnd = async (db: Db, tenantId: string): Promise<Pick<Tombstone, 'records' | 'head'>> => {
  try {
    const head = await requireHead(db, tenantId)
    return head ? { records: recordsBetween(head), head: head.end } : { records: 0, head: null }
  } catch (err) {
    if (err instanceof Breach) return { records: null, head: null }
    throw err
  }
}
