import type { Parts } from '../../context.ts'
import { openAuditKeys } from '../../crypto/statements.ts'
import type { Db } from '../../db/client.ts'
import { countAuditLogs } from './audit.store.ts'
import { Breach, type ChainEnd, type Tombstone } from './chain.ts'
import * as store from './chain.store.ts'
import { requireHead, sealBatch, sealRecords } from './seal.service.ts'

/**
 * Seals what is left of a removed tenant's records and leaves a signed statement of where its chain ended, before they
 * are purged. Once: can be stopped anywhere and run again, also by several at once.
 */
export const leaveTombstone = async (
  { store: database, now }: Pick<Parts, 'store' | 'now'>,
  tenantId: string,
): Promise<void> => {
  const bury = () =>
    database.transaction({ tenantId }, (db) => buryBatch(db, tenantId, now()), 'tenantry_seal')
  while (!(await bury()));
}

/** Whether the tombstone stands. */
const buryBatch = async (db: Db, tenantId: string, now: Date): Promise<boolean> => {
  await store.lockChain(db, tenantId)
  if (await store.selectTombstone(db, tenantId)) return true
  const removed = await store.selectRemoved(db, tenantId)
  if (!removed) return true
  const sealed = await unlessBroken(() => sealBatch(db, tenantId, now))
  if (sealed === sealRecords) return false
  const tombstone: Tombstone = {
    typ: 'audit-tombstone',
    tenant_id: tenantId,
    removed_at: removed.removed_at,
    records: await countRecords(db, tenantId),
    head: await endOf(db, tenantId),
    at: now.toISOString(),
  }
  const { sign } = await openAuditKeys(db)
  await store.insertTombstone(db, tenantId, (await sign(tombstone)).text, now)
  return true
}

const countRecords = async (db: Db, tenantId: string): Promise<number> => {
  const { sealed = 0, waiting = 0 } = (await countAuditLogs(db, tenantId)) ?? {}
  return sealed + waiting
}

const endOf = async (db: Db, tenantId: string): Promise<ChainEnd | null> =>
  (await unlessBroken(() => requireHead(db, tenantId)))?.end ?? null

/** A broken chain does not keep a tenant from being erased: its tombstone then names no end. */
const unlessBroken = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await work()
  } catch (err) {
    if (err instanceof Breach) return undefined
    throw err
  }
}
