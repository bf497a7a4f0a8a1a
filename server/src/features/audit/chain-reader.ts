import type { Db } from '../../db/client.ts'
import type { StoredAuditLog } from './actors.ts'
import { selectLogsByIds } from './audit.store.ts'
import { lineOf } from './chain.ts'
import type { FoundRecord } from './chain-check.ts'
import * as store from './chain.store.ts'

/** Seals and records of one read: bounds the memory of reading a chain of any length. */
const sealsMax = 50
const recordsMax = 1000

export interface SealedRecords {
  seal: store.SealRow
  /** The existing records of the seal, in the order they were sealed in. */
  records: FoundRecord[]
}

/** The seals of a chain from `first` to `last` with their records, in batches. Ends early where a seal is missing. */
export async function* readChain(
  db: Db,
  tenantId: string,
  { first, last }: { first: number; last: number },
): AsyncGenerator<SealedRecords[]> {
  for (let next = first; next <= last;) {
    const seals = await store.selectSeals(db, tenantId, { first: next, last, limit: sealsMax })
    for (const batch of batchesOf(seals)) yield await withRecords(db, tenantId, batch)
    if (seals.length === 0) return
    next = (seals.at(-1)?.sequence ?? last) + 1
  }
}

/** Groups neighbouring seals that together have few enough records. */
const batchesOf = (seals: store.SealRow[]): store.SealRow[][] => {
  const batches: store.SealRow[][] = []
  let room = 0
  for (const seal of seals) {
    room -= seal.record_ids.length
    if (room >= 0) {
      batches.at(-1)?.push(seal)
      continue
    }
    batches.push([seal])
    room = recordsMax - seal.record_ids.length
  }
  return batches
}

const withRecords = async (db: Db, tenantId: string, seals: store.SealRow[]): Promise<SealedRecords[]> => {
  const ids = seals.flatMap((seal) => seal.record_ids)
  const logs = await selectLogsByIds(db, tenantId, ids)
  const byId = new Map(logs.map((log) => [log.id, log]))
  return seals.map((seal) => ({ seal, records: foundOf(seal.record_ids, byId) }))
}

const foundOf = (ids: number[], byId: Map<number, StoredAuditLog>): FoundRecord[] =>
  ids.flatMap((id) => {
    const log = byId.get(id)
    return log ? [{ id, line: lineOf(log) }] : []
  })
