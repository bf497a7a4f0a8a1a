/** The sealed records of a tenant from a place on, checked against their seals: the events that webhooks deliver. */
import { openTrustedKeys } from '../../crypto/statements.ts'
import type { Db } from '../../db/client.ts'
import { shown } from './actors.ts'
import type { AuditLog } from './audit.schemas.ts'
import { selectImportedTo, selectLogsByIds } from './audit.store.ts'
import { Breach, digestAt, digestBytes, lineOf, peekHead, type Seal } from './chain.ts'
import { compareRecords, requireSeal } from './chain-check.ts'
import * as store from './chain.store.ts'
import { requireHead } from './seal.service.ts'

export { Breach } from './chain.ts'

/** A place in a chain: the next record by its seal and its position, which counts all records from 1. */
export interface Place {
  seal: number
  position: number
}

export interface FeedRecord {
  log: AuditLog
  /** SHA-256 of the record as it was sealed. */
  digest: Buffer
  /** It came with an import of the tenant. */
  isImported: boolean
  place: Place
  /** The place behind it. */
  next: Place
}

export interface Feed {
  /** Records that expired before they were read. */
  missed: number
  /** The place of the first record that is left. */
  start: Place
  records: FeedRecord[]
}

/** Seals of one read besides the first; each has up to 1000 ids and digests, 40 kB. */
const sealsMax = 20

/** The place behind the last sealed record, by the head as it is stored. */
export const findEnd = async (db: Db, tenantId: string): Promise<Place> => {
  const ends = await store.selectChainEnds(db, tenantId)
  if (!ends?.head) return { seal: 1, position: 1 }
  const { sequence, position } = peekHead(ends.head).end
  return { seal: sequence + 1, position: position + 1 }
}

/**
 * Reads up to `limit` records from a place on, in a transaction of `tenantry_seal` in the tenant's scope. Throws a Breach
 * where the chain is broken.
 */
export const readFeed = async (db: Db, tenantId: string, from: Place, limit: number): Promise<Feed> => {
  const head = await requireHead(db, tenantId)
  if (!head || from.seal > head.end.sequence) return { missed: 0, start: from, records: [] }
  const first = { seal: head.start.sequence, position: head.start.position }
  const isCut = from.seal < first.seal
  const start = isCut ? first : from
  const records = await readSeals(db, tenantId, { start, last: head.end.sequence, limit })
  return { missed: isCut ? first.position - from.position : 0, start, records }
}

/** Reads up to `limit` records of neighbouring seals from a place on, and no seal that the limit does not reach. */
const readSeals = async (
  db: Db,
  tenantId: string,
  { start, last, limit }: { start: Place; last: number; limit: number },
): Promise<FeedRecord[]> => {
  const { open, read } = await openReader(db, tenantId)
  const records: FeedRecord[] = []
  let next = start.seal
  const add = async (row: store.SealRow | undefined): Promise<void> => {
    if (row?.sequence !== next) throw new Breach(`seal ${next} was removed`)
    const { position } = await open(row)
    const skipped = Math.max(0, start.position - position)
    const found = await read(row, skipped, limit - records.length)
    records.push(...found.map((one, at) => ({ ...one, ...placesOf(row, position, skipped + at) })))
    next += 1
  }
  const [first] = await store.selectSeals(db, tenantId, { first: next, last, limit: 1 })
  await add(first)
  if (records.length === limit || next > last) return records
  const wanted = { first: next, last, limit: sealsMax, records: limit - records.length }
  const rows = await store.selectSealsOfRecords(db, tenantId, wanted)
  for (const row of rows.length > 0 ? rows : [undefined]) await add(row)
  return records
}

const placesOf = (
  row: store.SealRow,
  position: number,
  index: number,
): Pick<FeedRecord, 'place' | 'next'> => ({
  place: { seal: row.sequence, position: position + index },
  next: {
    seal: index + 1 === row.record_ids.length ? row.sequence + 1 : row.sequence,
    position: position + index + 1,
  },
})

type SealedRecord = Omit<FeedRecord, 'place' | 'next'>

interface Reader {
  /** Throws a Breach where the seal is not as it was signed. */
  open: (row: store.SealRow) => Promise<Seal>
  /** Reads a part of the records of a seal, in their order. Throws a Breach where they are not those that were sealed. */
  read: (row: store.SealRow, from: number, count: number) => Promise<SealedRecord[]>
}

const openReader = async (db: Db, tenantId: string): Promise<Reader> => {
  const [keys, imported] = await Promise.all([openTrustedKeys(db), selectImportedTo(db, tenantId)])
  return {
    open: (row) => requireSeal(row, tenantId, keys),
    async read(row, from, count) {
      const part = {
        record_ids: row.record_ids.slice(from, from + count),
        digests: row.digests.subarray(from * digestBytes, (from + count) * digestBytes),
      }
      const byId = new Map((await selectLogsByIds(db, tenantId, part.record_ids)).map((log) => [log.id, log]))
      const logs = part.record_ids.flatMap((id) => byId.get(id) ?? [])
      compareRecords(
        part,
        logs.map((log) => ({ id: log.id, line: lineOf(log) })),
      )
      return logs.map((log, at) => ({
        log: shown(log),
        // A part of the seal's digests would keep all of them in memory.
        digest: Buffer.from(digestAt(part.digests, at)),
        isImported: log.id <= (imported?.imported_to ?? 0),
      }))
    },
  }
}

/**
 * Reads records of one seal from the one at `index` on, like `readFeed`. A seal that has expired has none. The places count
 * the records of the seal from 0, and name it by its number.
 */
export const readNumberedSeal = async (
  db: Db,
  { tenantId, sequence, number }: { tenantId: string; sequence: number; number: number },
  index: number,
  limit: number,
): Promise<FeedRecord[]> => {
  const [row] = await store.selectSeals(db, tenantId, { first: sequence, last: sequence, limit: 1 })
  if (!row) return []
  const { open, read } = await openReader(db, tenantId)
  await open(row)
  const found = await read(row, index, limit)
  return found.map((one, at) => {
    const isLast = index + at + 1 === row.record_ids.length
    return {
      ...one,
      place: { seal: number, position: index + at },
      next: isLast ? { seal: number + 1, position: 0 } : { seal: number, position: index + at + 1 },
    }
  })
}

/** The seal of a record and its index there; undefined where no seal has it, or an import brought it. */
export const findSealOf = async (db: Db, tenantId: string, id: number) => {
  const [imported, row] = await Promise.all([
    selectImportedTo(db, tenantId),
    store.selectSealOf(db, tenantId, id),
  ])
  return row && id > (imported?.imported_to ?? 0) ? row : undefined
}

/** The place of a record in the chain of its tenant. */
export const placeIn = ({ sequence, statement, index }: store.FoundSeal): Place => ({
  seal: sequence,
  position: positionOf(statement) + index,
})

/** The place of the first record of a moment or later, or the end of the chain. */
export const findPlaceAt = async (db: Db, tenantId: string, moment: Date): Promise<Place> => {
  const row = await store.selectSealAt(db, tenantId, moment)
  return row ? placeIn(row) : findEnd(db, tenantId)
}

/** The position of the first record of a seal, unchecked: reading checks it. */
const positionOf = (statement: string): number =>
  (JSON.parse(Buffer.from(statement.split('.')[1] ?? '', 'base64url').toString()) as { position: number })
    .position
