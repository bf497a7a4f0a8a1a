/**
 * Positions in the sealed log, and its reader for webhooks, streams, exports and checks. Seals are numbered over all
 * tenants. The numbers of a tenant's seals rise along its chain, with gaps.
 */
import type { Parts } from '../../../context.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { StoredAuditLog } from './actors.ts'
import type { AuditPosition } from './audit.schemas.ts'
import { selectImportedTo, selectLogsByIds } from './audit.store.ts'
import { sealRecords } from './seal.service.ts'
import * as store from './sealed-log.store.ts'

/** One tenant by its id, or all tenants that the function accepts. */
export type Tenants = string | ((tenantId: string) => boolean)

export const allTenants = (): boolean => true

type LogParts = Pick<Parts, 'store'>

export const isBefore = (one: AuditPosition, other: AuditPosition): boolean =>
  one.seal === other.seal ? one.index < other.index : one.seal < other.seal

/** Reads in the scope of one tenant, or across all tenants. */
const readOver = <T>(
  { store: database }: LogParts,
  tenants: Tenants,
  read: (db: TransactionDb, tenantId: string | undefined) => Promise<T>,
): Promise<T> =>
  typeof tenants === 'string'
    ? database.transaction({ tenantId: tenants }, (db) => read(db, tenants), 'tenantry_seal')
    : database.transaction({}, (db) => read(db, undefined), 'tenantry_search')

/** The position after the last seal. No later seal gets a lower number. */
export const findEnd = (parts: LogParts, tenants: Tenants): Promise<AuditPosition> =>
  readOver(parts, tenants, async (db, tenantId) => {
    if (tenantId === undefined) store.lockNumbers(db)
    return { seal: ((await store.selectHighestNumber(db, tenantId))?.number ?? 0) + 1, index: 0 }
  })

/** The position of a record. Undefined if it is unsealed, or if an import brought it. */
export const findPositionOf = async (
  db: Db,
  tenantId: string,
  id: number,
): Promise<AuditPosition | undefined> => {
  const [imported, position] = await Promise.all([
    selectImportedTo(db, tenantId),
    store.selectSealOf(db, tenantId, id),
  ])
  return id > (imported?.imported_to ?? 0) ? position : undefined
}

/** The position of the first record at or after `moment`, or else the end. */
export const findPositionAt = async (
  parts: LogParts,
  tenants: Tenants,
  moment: Date,
): Promise<AuditPosition> => {
  const seal = await readOver(parts, tenants, (db, tenantId) => store.selectSealAt(db, tenantId, moment))
  if (!seal) return findEnd(parts, tenants)
  const { tenant_id: tenantId, number } = seal
  const first = await readOver(parts, tenantId, async (db) => {
    const { ids = [] } = (await store.selectIdsOfSeal(db, tenantId, number)) ?? {}
    return ids.length === 0 ? undefined : store.selectIndexAt(db, tenantId, ids, moment)
  })
  return { seal: number, index: first?.index ?? 0 }
}

/**
 * True if no record at or after a position has expired. Across all tenants, the lowest remaining seal number decides.
 */
export const isWhole = async (
  parts: LogParts,
  tenants: Tenants,
  position: AuditPosition,
): Promise<boolean> => {
  const first = await readOver(parts, tenants, store.selectFirstSeal)
  return !first || first.number <= position.seal || (typeof tenants === 'string' && first.sequence === 1)
}

/** The most seals that a count of a backlog includes. */
const countedSealsMax = 10_000

export const countFrom = async (
  parts: LogParts,
  tenants: Tenants,
  { seal, index }: AuditPosition,
): Promise<number> => {
  const counted = await readOver(parts, tenants, (db, tenantId) =>
    store.countRecords(db, tenantId, { first: seal }, countedSealsMax),
  )
  return counted ? counted.count - (counted.first === seal ? index : 0) : 0
}

/** Counts the records from one position up to another. Returns 0 if `to` is before `from`. */
export const countBetween = async (
  parts: LogParts,
  tenants: Tenants,
  from: AuditPosition,
  to: AuditPosition,
): Promise<number> => {
  if (!isBefore(from, to)) return 0
  if (from.seal === to.seal) return to.index - from.index
  const counted = await readOver(parts, tenants, (db, tenantId) =>
    store.countRecords(db, tenantId, { first: from.seal, end: to.seal }, countedSealsMax),
  )
  return (counted?.count ?? 0) - (counted?.first === from.seal ? from.index : 0) + to.index
}

/** The most records of a tenant that a count by action includes. */
const countedRecordsMax = 10_000

/** Counts the records with these actions between two positions, within the tenant's next 10,000 records. */
export const countActions = async (
  parts: LogParts,
  tenantId: string,
  range: { from: AuditPosition; to: AuditPosition | undefined; actions: string[] },
): Promise<number> => {
  const count = async (db: Db) => {
    const ids = (await store.selectIdsFrom(db, tenantId, range, countedRecordsMax)).map(({ id }) => id)
    return ids.length === 0 ? undefined : store.countActions(db, tenantId, ids, range.actions)
  }
  return (await readOver(parts, tenantId, count))?.count ?? 0
}

export interface SealedRecord {
  log: StoredAuditLog
  position: AuditPosition
  /** The position after this record. */
  next: AuditPosition
  /** True if an import of the tenant added the record. */
  isImported: boolean
}

/** Consecutive records of one seal: all of them, or as many as one read takes. */
export interface SealPart {
  seal: store.StoredSeal
  /** The index of `ids[0]` in the seal. */
  first: number
  ids: number[]
  /** The records that still exist, in the order of the seal. */
  records: SealedRecord[]
  next: AuditPosition
}

export interface ReadBounds {
  /** Reads stop before this seal number. */
  end?: number | undefined
  /** Records per read: whole seals that fit, or a part of the first seal. */
  limit: number
}

const positionAfter = ({ number, record_ids: ids }: store.StoredSeal, index: number): AuditPosition =>
  index < ids.length ? { seal: number, index } : { seal: number + 1, index: 0 }

/** Reads the next records of a tenant in its scope, without checking them. */
export const readNext = async (
  db: Db,
  tenantId: string,
  from: AuditPosition,
  { end, limit }: ReadBounds,
): Promise<SealPart[]> => {
  const seals = await store.selectSeals(db, tenantId, from.seal, { end, limit })
  const cuts = seals.map((seal) => {
    const first = seal.number === from.seal ? from.index : 0
    return { seal, first, ids: seal.record_ids.slice(first, first + limit) }
  })
  const wanted = cuts.flatMap(({ ids }) => ids)
  const logs = wanted.length === 0 ? [] : await selectLogsByIds(db, tenantId, wanted)
  const byId = new Map(logs.map((log) => [log.id, log]))
  return cuts.map(({ seal, first, ids }) => ({
    seal,
    first,
    ids,
    records: ids.flatMap((id, at) => recordAt(seal, first + at, byId.get(id)) ?? []),
    next: positionAfter(seal, first + ids.length),
  }))
}

const recordAt = (
  seal: store.StoredSeal,
  index: number,
  log: StoredAuditLog | undefined,
): SealedRecord | undefined =>
  log && {
    log,
    position: { seal: seal.number, index },
    next: positionAfter(seal, index + 1),
    isImported: log.id <= seal.imported_to,
  }

type Read = typeof readNext

/** Reads the records of a tenant, part by part. */
async function* readOn(
  from: AuditPosition,
  end: number | undefined,
  read: (from: AuditPosition) => Promise<SealPart[]>,
): AsyncGenerator<SealPart[]> {
  for (let next = from; ;) {
    const parts = await read(next)
    const last = parts.at(-1)
    if (!last) return
    yield parts
    next = last.next
    if (end !== undefined && next.seal >= end) return
  }
}

/**
 * Reads the records of tenants from a position on, in the order of the seals. Each read is a transaction of its own.
 */
export async function* readSealed(
  parts: LogParts,
  tenants: Tenants,
  from: AuditPosition,
  { range, read = readNext }: { range: ReadBounds; read?: Read },
): AsyncGenerator<SealPart[]> {
  if (typeof tenants === 'string') {
    yield* readOn(from, range.end, (next) => readOver(parts, tenants, (db) => read(db, tenants, next, range)))
    return
  }
  const end = range.end ?? (await findEnd(parts, tenants)).seal
  for await (const { tenant_id: tenantId, number } of listNumbers(parts, from.seal, end)) {
    if (!tenants(tenantId)) continue
    const position = number === from.seal ? from : { seal: number, index: 0 }
    yield* readSealed(parts, tenantId, position, { range: { ...range, end: number + 1 }, read })
  }
}

async function* listNumbers(parts: LogParts, first: number, end: number) {
  for (let next = first; next < end;) {
    const seals = await readOver(parts, allTenants, (db) => store.selectNumbers(db, next, end))
    const last = seals.at(-1)
    if (!last) return
    yield* seals
    next = last.number + 1
  }
}

/** The whole seals of a tenant with their records, up to the sequence `last`. Ends early at missing seals. */
export async function* readChain(db: Db, tenantId: string, last: number): AsyncGenerator<SealPart[]> {
  const read = (from: AuditPosition) => readNext(db, tenantId, from, { limit: sealRecords })
  for await (const parts of readOn({ seal: 0, index: 0 }, undefined, read)) {
    const wanted = parts.filter(({ seal }) => seal.sequence <= last)
    yield wanted
    if (wanted.length < parts.length || parts.at(-1)?.seal.sequence === last) return
  }
}
