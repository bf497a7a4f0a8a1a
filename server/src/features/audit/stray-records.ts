import type { Db } from '../../db/client.ts'
import * as store from './chain.store.ts'

/** Ids read at a time. */
const idsMax = 10_000
/** Records that are out of order in the chain at most: those of writers that were under way at once are far fewer. */
const straysMax = 200_000

/** Looks for records that no seal lists, beside a walk along the chain. */
export interface StrayRecords {
  /** After each seal: its records are accounted for. */
  account(ids: number[]): Promise<void>
  /** After the last seal, `sequence`: the first record that is neither sealed nor waiting for it. */
  find(sequence: number): Promise<number | undefined>
}

/** Holds only the records that stand out of order: ids grow nearly as the chain does. */
export const findStrays = (db: Db, tenantId: string): StrayRecords => {
  const strays = new Set<number>()
  let readTo = 0

  const readUpTo = async (upToId: number): Promise<void> => {
    while (readTo < upToId && strays.size < straysMax) {
      const rows = await store.selectLogIds(db, tenantId, { afterId: readTo, upToId, limit: idsMax })
      for (const { id } of rows) strays.add(id)
      readTo = rows.length < idsMax ? upToId : (rows.at(-1)?.id ?? upToId)
    }
  }

  return {
    async account(ids) {
      await readUpTo(Math.max(...ids, 0))
      for (const id of ids) strays.delete(id)
    },
    async find(sequence) {
      await readUpTo(Number.MAX_SAFE_INTEGER)
      // In this order: what was waiting when its id was read is still waiting, or in a seal that stands there by now.
      const waiting = await store.selectUnsealedIds(db, tenantId, [...strays])
      for (const { id } of waiting) strays.delete(id)
      const sealed = await store.selectSealedIdsAfter(db, tenantId, sequence, [...strays])
      for (const { id } of sealed) strays.delete(id)
      return [...strays].toSorted((a, b) => a - b)[0]
    },
  }
}
