/** Sealed records from a position on, checked against their seals. Webhooks deliver them as events. */
import type { Parts } from '../../../context.ts'
import { openTrustedKeys } from '../../../crypto/statements.ts'
import type { Db } from '../../../db/client.ts'
import { shown } from './actors.ts'
import type { AuditLog, AuditPosition } from './audit.schemas.ts'
import { Breach, digestAt, digestBytes } from './chain.ts'
import { compareRecords, foundRecord, requireSeal } from './chain-check.ts'
import { requireHead } from './seal.service.ts'
import {
  readNext,
  readSealed,
  type ReadBounds,
  type SealedRecord,
  type SealPart,
  type Tenants,
} from './sealed-log.service.ts'
import { selectLiving } from './sealed-log.store.ts'

export { Breach } from './chain.ts'

export interface FeedRecord extends SealedRecord {
  log: AuditLog
  /** SHA-256 of the record in its sealed form. */
  digest: Buffer
}

/** Reads about `limit` records from a position on, and at least one. Throws a Breach at a broken chain. */
export const readFeed = async (
  parts: Pick<Parts, 'store'>,
  tenants: Tenants,
  from: AuditPosition,
  limit: number,
): Promise<FeedRecord[]> => {
  const read = async (
    db: Db,
    tenantId: string,
    position: AuditPosition,
    range: ReadBounds,
  ): Promise<SealPart[]> => {
    try {
      return await readSteadily(db, tenantId, position, range)
    } catch (err) {
      if (!(err instanceof Breach)) throw err
      // The purge of a removed tenant breaks its chain.
      if (!(await selectLiving(db, tenantId))) return []
      throw typeof tenants === 'string' ? err : new Breach(`${err.message}, in tenant ${tenantId}`)
    }
  }
  const records: FeedRecord[] = []
  for await (const batch of readSealed(parts, tenants, from, { range: { limit }, read })) {
    records.push(...batch.flatMap(feedRecords))
    // For a single tenant, one read fills the limit.
    if (records.length >= limit || typeof tenants === 'string') break
  }
  return records
}

/** Reads again after a Breach: retention may have deleted records between two statements. */
const readSteadily: typeof readChecked = (...question) =>
  readChecked(...question).catch((err: unknown) => {
    if (!(err instanceof Breach)) throw err
    return readChecked(...question)
  })

const readChecked = async (
  db: Db,
  tenantId: string,
  from: AuditPosition,
  range: ReadBounds,
): Promise<SealPart[]> => {
  const [parts, keys, head] = await Promise.all([
    readNext(db, tenantId, from, range),
    openTrustedKeys(db),
    requireHead(db, tenantId),
  ])
  for (const { seal, first, ids, records } of parts) {
    const before = seal.before ?? (head ? head.start.sequence - 1 : 0)
    if (seal.sequence > before + 1) throw new Breach(`seal ${before + 1} was removed`)
    await requireSeal(seal, tenantId, keys)
    const digests = seal.digests.subarray(first * digestBytes, (first + ids.length) * digestBytes)
    compareRecords(
      { record_ids: ids, digests },
      records.map(({ log }) => foundRecord(log)),
    )
  }
  return parts
}

const feedRecords = ({ seal, records }: SealPart): FeedRecord[] =>
  records.map((record) => ({
    ...record,
    log: shown(record.log),
    // Copied, because a slice would keep all digests of the seal in memory.
    digest: Buffer.from(digestAt(seal.digests, record.position.index)),
  }))
