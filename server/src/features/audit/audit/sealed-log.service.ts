/**
 * The sealed log: its places, and its one reader. Webhooks, streams, exports and checks read seals with it. A seal has a
 * number over all tenants. The numbers of a tenant's seals rise along its chain, with holes between them.
 */
import type { Parts } from '../../../context.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { StoredAuditLog } from './actors.ts'
import type { Place } from './audit.schemas.ts'
import { selectImportedTo, selectLogsByIds } from './audit.store.ts'
import { sealRecords } from './seal.service.ts'
import * as store from './sealed-log.store.ts'

/** One tenant by its id, or those of all that are asked for. */
export type Tenants = string | ((tenantId: string) => boolean)

export const allTenants = (): boolean => true

type LogParts = Pick<Parts, 'store'>

/** Whether a place comes before another one. */
export const isBefore = (one: Place, other: Place): boolean =>
  one.seal === other.seal ? one.index < other.index : one.seal < other.seal

/** Reads in the scope of one tenant, or over all tenants. */
const readOver = <T>(
  { store: database }: LogParts,
  tenants: Tenants,
  read: (db: TransactionDb, tenantId: string | undefined) => Promise<T>,
): Promise<T> =>
  typeof tenants === 'string'
    ? database.transaction({ tenantId: tenants }, (db) => read(db, tenants), 'tenantry_seal')
    : database.transaction({}, (db) => read(db, undefined), 'tenantry_search')

/** The place behind the last seal: no later seal gets a lower number. */
export const findEnd = (parts: LogParts, tenants: Tenants): Promise<Place> =>
  readOver(parts, tenants, async (db, tenantId) => {
    if (tenantId === undefined) store.lockNumbers(db)
    return { seal: ((await store.selectHighestNumber(db, tenantId))?.number ?? 0) + 1, index: 0 }
  })

/** The place of a record; undefined where no seal has it, or an import brought it. */
export const findPlaceOf = async (db: Db, tenantId: string, id: number): Promise<Place | undefined> => {
  const [imported, place] = await Promise.all([
    selectImportedTo(db, tenantId),
    store.selectSealOf(db, tenantId, id),
  ])
  return id > (imported?.imported_to ?? 0) ? place : undefined
}

/** The place of the first record of a moment or later, or the end. */
export const findPlaceAt = async (parts: LogParts, tenants: Tenants, moment: Date): Promise<Place> => {
  const seal = await readOver(parts, tenants, (db, tenantId) => store.selectSealAt(db, tenantId, moment))
  if (!seal) return findEnd(parts, tenants)
  const { tenant_id: tenantId, number } = seal
  const first = await readOver(parts, tenantId, async (db) => {
    const { ids = [] } = (await store.selectIdsOfSeal(db, tenantId, number)) ?? {}
    return ids.length === 0 ? undefined : store.selectIndexAt(db, tenantId, ids, moment)
  })
  return { seal: number, index: first?.index ?? 0 }
}

/** Whether no record from a place on has expired. Of all tenants, the lowest number that is left decides. */
export const isWhole = async (parts: LogParts, tenants: Tenants, place: Place): Promise<boolean> => {
  const first = await readOver(parts, tenants, store.selectFirstSeal)
  return !first || first.number <= place.seal || (typeof tenants === 'string' && first.sequence === 1)
}

/** A backlog is counted over so many seals. */
const countedSealsMax = 10_000

/** Counts the records from a place on. */
export const countFrom = async (
  parts: LogParts,
  tenants: Tenants,
  { seal, index }: Place,
): Promise<number> => {
  const counted = await readOver(parts, tenants, (db, tenantId) =>
    store.countRecords(db, tenantId, { first: seal }, countedSealsMax),
  )
  return counted ? counted.count - (counted.first === seal ? index : 0) : 0
}

/** Counts the records from a place up to another one; 0 where the other one comes first. */
export const countBetween = async (
  parts: LogParts,
  tenants: Tenants,
  from: Place,
  to: Place,
): Promise<number> => {
  if (!isBefore(from, to)) return 0
  if (from.seal === to.seal) return to.index - from.index
  const counted = await readOver(parts, tenants, (db, tenantId) =>
    store.countRecords(db, tenantId, { first: from.seal, end: to.seal }, countedSealsMax),
  )
  return (counted?.count ?? 0) - (counted?.first === from.seal ? from.index : 0) + to.index
}

/** Records of one tenant whose actions are looked at. */
const countedRecordsMax = 10_000

/** Counts the records of these actions among the next 10,000 of a tenant, from a place on and before another one. */
export const countActions = async (
  parts: LogParts,
  tenantId: string,
  range: { from: Place; to: Place | undefined; actions: string[] },
): Promise<number> => {
  const count = async (db: Db) => {
    const ids = (await store.selectIdsFrom(db, tenantId, range, countedRecordsMax)).map(({ id }) => id)
    return ids.length === 0 ? undefined : store.countActions(db, tenantId, ids, range.actions)
  }
  return (await readOver(parts, tenantId, count))?.count ?? 0
}

export interface SealedRecord {
  log: StoredAuditLog
  place: Place
  /** The place behind it. */
  next: Place
  /** It came with an import of the tenant. */
  isImported: boolean
}

/** Neighbouring records of one seal: all of them, or as many as one read takes. */
export interface SealPart {
  seal: store.StoredSeal
  /** The index of the first of them. */
  first: number
  ids: number[]
  /** Those that exist, in the order of the seal. */
  records: SealedRecord[]
  next: Place
}

export interface Range {
  /** The number before which the reading ends. */
  end?: number | undefined
  /** The records of one read: whole seals where they fit, or a part of the first one. */
  limit: number
}

const behind = ({ number, record_ids: ids }: store.StoredSeal, index: number): Place =>
  index < ids.length ? { seal: number, index } : { seal: number + 1, index: 0 }

/** Reads the next records of a tenant, unchecked, in its scope. */
export const readNext = async (
  db: Db,
  tenantId: string,
  from: Place,
  { end, limit }: Range,
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
    next: behind(seal, first + ids.length),
  }))
}

const recordAt = (
  seal: store.StoredSeal,
  index: number,
  log: StoredAuditLog | undefined,
): SealedRecord | undefined =>
  log && {
    log,
    place: { seal: seal.number, index },
    next: behind(seal, index + 1),
    isImported: log.id <= seal.imported_to,
  }

type Read = typeof readNext

/** Reads records of a tenant again and again. */
async function* readOn(
  from: Place,
  end: number | undefined,
  read: (from: Place) => Promise<SealPart[]>,
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

/** Reads the records of tenants from a place on, in the order of the seals; each read is a transaction of its own. */
export async function* readSealed(
  parts: LogParts,
  tenants: Tenants,
  from: Place,
  { range, read = readNext }: { range: Range; read?: Read },
): AsyncGenerator<SealPart[]> {
  if (typeof tenants === 'string') {
    yield* readOn(from, range.end, (next) => readOver(parts, tenants, (db) => read(db, tenants, next, range)))
    return
  }
  const end = range.end ?? (await findEnd(parts, tenants)).seal
  for await (const { tenant_id: tenantId, number } of listNumbers(parts, from.seal, end)) {
    if (!tenants(tenantId)) continue
    const place = number === from.seal ? from : { seal: number, index: 0 }
    yield* readSealed(parts, tenantId, place, { range: { ...range, end: number + 1 }, read })
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

/** The whole seals of a tenant up to one of its chain, with their records. Ends early where seals are missing. */
export async function* readChain(db: Db, tenantId: string, last: number): AsyncGenerator<SealPart[]> {
  const read = (from: Place) => readNext(db, tenantId, from, { limit: sealRecords })
  for await (const parts of readOn({ seal: 0, index: 0 }, undefined, read)) {
    const wanted = parts.filter(({ seal }) => seal.sequence <= last)
    yield wanted
    if (wanted.length < parts.length || parts.at(-1)?.seal.sequence === last) return
  }
}
