import type { Db } from '../../../db/client.ts'
import * as store from './chain.store.ts'

/** Ids per read. */
const idsMax = 10_000
/**
 * Bounds the records that wait in memory for their seal, because the chain has them out of order. Concurrent writers
 * cause far fewer.
 */
const straysMax = 200_000

/** Finds records that no seal lists, while a check reads the chain. */
export interface StrayRecords {
  /** Call after each seal; marks its records as listed. */
  account(ids: number[]): Promise<void>
  /** Call after the last seal. Returns the first record that is neither sealed, nor waiting, nor expired. */
  find(sequence: number): Promise<number | undefined>
}

/** Holds only records that are out of order. Ids grow in nearly the order of the chain. */
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
      // This read comes first: a record that waited when its id was read still waits, or a seal lists it.
      const waiting = await store.selectUnsealedIds(db, tenantId, [...strays])
      for (const { id } of waiting) strays.delete(id)
      const sealed = await store.selectSealedIdsAfter(db, tenantId, sequence, [...strays])
      for (const { id } of sealed) strays.delete(id)
      const left = await store.selectLeftoverIds(db, tenantId, [...strays])
      for (const { id } of left) strays.delete(id)
      return [...strays].toSorted((a, b) => a - b)[0]
    },
  }
}
