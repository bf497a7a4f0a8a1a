import type { Parts } from '../../context.ts'
import { openAuditKeys } from '../../crypto/statements.ts'
import type { Db, TransactionDb } from '../../db/client.ts'
import { countAuditLogs, selectAuditSize } from './audit.store.ts'
import { Breach, recordsBetween, type Tombstone } from './chain.ts'
import * as store from './chain.store.ts'
import { requireHead, sealBatch, sealRecords } from './seal.service.ts'

/**
 * Seals the remaining records of a removed tenant and signs a statement of the chain's end, before the purge. Runs
 * once; it can be interrupted and repeated, also by several processes at once.
 */
export const leaveTombstone = async (
  parts: Pick<Parts, 'store' | 'secrets' | 'now' | 'archives'>,
  tenantId: string,
): Promise<void> => {
  await parts.archives.reach()
  const bury = () =>
    parts.store.transaction({ tenantId }, (db) => buryBatch(db, parts, tenantId), 'tenantry_seal')
  while (!(await bury()));
}

/** Returns whether the tombstone is stored. */
const buryBatch = async (
  db: TransactionDb,
  parts: Pick<Parts, 'secrets' | 'now' | 'archives'>,
  tenantId: string,
): Promise<boolean> => {
  const { secrets } = parts
  const now = parts.now()
  store.lockChain(db, tenantId)
  if (await store.selectTombstone(db, tenantId)) return true
  const removed = await store.selectRemoved(db, tenantId)
  if (!removed) return true
  const sealed = await unlessBroken(() => sealBatch(db, parts, tenantId))
  if (sealed === sealRecords) return false
  const tombstone: Tombstone = {
    typ: 'audit-tombstone',
    tenant_id: tenantId,
    removed_at: removed.removed_at,
    ...(await measure(db, tenantId)),
    at: now.toISOString(),
  }
  const { sign } = await openAuditKeys(db, secrets)
  await store.insertTombstone(db, tenantId, (await sign(tombstone)).text, now)
  return true
}

/** Bounds the count where the chain is broken: well below the time limit of a statement. */
const countedMax = 1_000_000

/** The number of records and the end of the chain. A broken chain has no end, and its records are counted. */
const measure = async (db: Db, tenantId: string): Promise<Pick<Tombstone, 'records' | 'head'>> => {
  const head = await unlessBroken(() => requireHead(db, tenantId))
  if (!head) {
    const counted = await countAuditLogs(db, tenantId, {}, countedMax)
    return { records: Math.min(counted?.count ?? 0, countedMax), head: null }
  }
  const { waiting = 0 } = (await selectAuditSize(db, tenantId)) ?? {}
  return { records: recordsBetween(head) + waiting, head: head.end }
}

/** A broken chain does not stop the erasure of its tenant: the tombstone then names no end. */
const unlessBroken = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await work()
  } catch (err) {
    if (err instanceof Breach) return undefined
    throw err
  }
}
