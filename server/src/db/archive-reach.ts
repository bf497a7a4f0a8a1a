import sql from 'sql-template-tag'
import type { Store } from './client.ts'

/** The part of the audit log that archive servers keep (audit-archives.ts). */
export interface ArchivedRange {
  /** The first id in this database. 0 means that this database has all ids. */
  floor: number
  /** The time of the newest archived record. Undefined means that nothing is archived. */
  newestAt: Date | undefined
}

export interface Archives {
  /**
   * The range, cached for a second. A query with an older range still finds every record, because it then asks the
   * archive.
   */
  reach(): Promise<ArchivedRange>
  /** Reads the range from the database. */
  renew(): Promise<ArchivedRange>
  /** The range of the last read. */
  known(): ArchivedRange
}

const nothing: ArchivedRange = { floor: 0, newestAt: undefined }
const rememberedMs = 1000

export const createArchives = (store: Pick<Store, 'engine' | 'scoped'>, now: () => Date): Archives => {
  let known = nothing
  let until = 0
  let reading: Promise<ArchivedRange> | undefined
  const read = async (): Promise<ArchivedRange> => {
    const { floor, newest } = await store
      .scoped({})
      .only<{ floor: number | null; newest: Date | null }>(
        sql`select max(to_id) as floor, max(newest_at) as newest from audit_archives`,
      )
    known = { floor: floor ?? 0, newestAt: newest ?? undefined }
    until = now().getTime() + rememberedMs
    return known
  }
  const renew = async (): Promise<ArchivedRange> => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  return {
    known: () => known,
    renew,
    reach: async () => (store.engine === 'embedded' || now().getTime() < until ? known : renew()),
  }
}
