/** Reads a log whose old part is on other servers. Reads only the young part where that is enough. */
import type { Ctx } from '../../../context.ts'
import type { ArchivedRange } from '../../../db/archive-reach.ts'
import { ArchiveUnavailable } from '../../../db/errors.ts'
import type { AuditFilter } from './audit.store.ts'

const dayMs = 24 * 3_600_000

/** Times and ids disagree by at most a day (decision 0083). */
const isYoung = ({ from }: AuditFilter, newestAt: Date | undefined): boolean =>
  from !== undefined && newestAt !== undefined && Date.parse(from) - dayMs > newestAt.getTime()

interface Reading<T> {
  read: (filter: AuditFilter) => Promise<T>
  /** True if older records would not change the result. */
  isEnough: (found: T) => boolean | Promise<boolean>
}

/** Adds the young part's lowest id to the filter if no older record can match. */
export const boundedFilter = async ({ parts }: Ctx, filter: AuditFilter): Promise<AuditFilter> => {
  const { floor, newestAt } = await parts.archives.reach()
  return isYoung(filter, newestAt) ? { ...filter, floor } : filter
}

const readBoth = async <T>(
  reach: ArchivedRange,
  filter: AuditFilter,
  { read, isEnough }: Reading<T>,
): Promise<T> => {
  const { floor, newestAt } = reach
  if (floor === 0) return read(filter)
  const young = await read({ ...filter, floor })
  return isYoung(filter, newestAt) || (await isEnough(young)) ? young : read(filter)
}

/**
 * Reads the young part, and the whole log only if that is not enough. Reads again when a partition has just moved to
 * another server.
 */
export const readYoungFirst = async <T>(
  { parts: { archives } }: Ctx,
  filter: AuditFilter,
  reading: Reading<T>,
): Promise<T> => {
  const reach = await archives.reach()
  try {
    return await readBoth(reach, filter, reading)
  } catch (err) {
    if (!(err instanceof ArchiveUnavailable)) throw err
    const renewed = await archives.renew()
    if (renewed.floor === reach.floor) throw err
    return readBoth(renewed, filter, reading)
  }
}
