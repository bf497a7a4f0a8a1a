/** Checks a chain seal by seal with its records, and finds the first fault. */
import { sha256 } from '../../../crypto/sha256.ts'
import { openStatement, type TrustedKeys } from '../../../crypto/statements.ts'
import type { StoredAuditLog } from './actors.ts'
import {
  Breach,
  contentsOf,
  digestAt,
  digestBytes,
  lineOf,
  recordsBetween,
  shownHead,
  type ChainEnd,
  type ChainStart,
  type Head,
  type Seal,
} from './chain.ts'
import type { SealRow } from './chain.store.ts'

/** A record as read: its hashed line, and its id if the line contains one. */
export interface FoundRecord {
  id: number | undefined
  line: string
}

export const foundRecord = (log: StoredAuditLog): FoundRecord => ({ id: log.id, line: lineOf(log) })

/** A head that an operator stored elsewhere. */
export type KeptHead = Pick<ChainEnd, 'sequence' | 'hash'>

export interface Summary {
  records: number
  seals: number
  head: ChainEnd
}

export interface ChainCheck {
  start: ChainStart
  end: ChainEnd
  /** Adds the next seal with its records in the order found. Throws a Breach for the first fault. */
  add(seal: SealRow, records: FoundRecord[]): Promise<void>
  /** The last seal that was checked. */
  last(): ChainEnd
  /** Call after the last seal. Throws when that seal is not the end of the chain. */
  finish(): Summary
}

/**
 * The payload of a signed head. Throws a Breach when no known key signed the head, or when it belongs to another
 * tenant.
 */
export const openHead = async (statement: string, tenantId: string, keys: TrustedKeys): Promise<Head> => {
  const opened = await openStatement(statement, keys)
  if ('fault' in opened) throw new Breach(`the head ${opened.fault}`)
  const head = opened.payload as Head
  if (head.typ !== 'audit-head' || head.tenant_id !== tenantId) {
    throw new Breach('the head is of another chain')
  }
  return head
}

/** Checks a chain between the ends that its head names. `kept` is an earlier head that must be part of the chain. */
export const checkChain = (head: Head, keys: TrustedKeys, kept?: KeptHead): ChainCheck => {
  const { start, end } = head
  let last: ChainEnd = { sequence: start.sequence - 1, position: start.position - 1, hash: start.previous }
  let lastId: number | undefined
  if (kept) requireReach(kept, head)
  requireKept(kept, last)
  return {
    start,
    end,
    async add(row, records) {
      const seal = await openSeal(row, head.tenant_id, keys)
      if (seal.sequence > end.sequence) {
        throw new Breach(`seal ${seal.sequence} stands after the end that the head names`)
      }
      requireNext(seal, row, last)
      compareRecords(row, records)
      lastId = row.record_ids.at(-1) ?? lastId
      last = { sequence: seal.sequence, position: seal.position + seal.count - 1, hash: seal.hash }
      requireKept(kept, last)
    },
    last: () => last,
    finish() {
      if (last.sequence < end.sequence) throw new Breach(cutOff(lastId, last, end))
      if (last.hash !== end.hash || last.position !== end.position) {
        throw new Breach(`seal ${last.sequence} is not the one that the head names`)
      }
      return {
        records: recordsBetween({ start, end: last }),
        seals: last.sequence - start.sequence + 1,
        head: last,
      }
    },
  }
}

const cutOff = (lastId: number | undefined, last: ChainEnd, end: ChainEnd): string => {
  const place = lastId === undefined ? 'before its first record' : `after record ${lastId}`
  return `cut off ${place}: the chain ends at seal ${last.sequence}, and its head names seal ${end.sequence}`
}

const requireReach = (kept: KeptHead, { start, end }: Head): void => {
  if (kept.sequence > end.sequence) {
    throw new Breach(`cut off: the chain ends at seal ${end.sequence}, before the head ${shownHead(kept)}`)
  }
  if (kept.sequence < start.sequence - 1) {
    throw new Breach(
      `the head ${shownHead(kept)} cannot be confirmed: the seals before ${start.sequence} have expired`,
    )
  }
}

const requireKept = (kept: KeptHead | undefined, { sequence, hash }: ChainEnd): void => {
  if (kept?.sequence === sequence && kept.hash !== hash) {
    throw new Breach(`the chain is not the one of the head ${shownHead(kept)}: it was sealed anew`)
  }
}

type OpenedSeal = Seal & { hash: string }

/** Checks a seal without its neighbours: signature, number, and list of records. Throws a Breach. */
export const requireSeal = async (row: SealRow, tenantId: string, keys: TrustedKeys): Promise<Seal> => {
  const seal = await openSeal(row, tenantId, keys)
  if (seal.sequence !== row.sequence) {
    throw new Breach(`seal ${seal.sequence} stands where seal ${row.sequence} was: reordered`)
  }
  requireContents(seal, row)
  return seal
}

const openSeal = async (row: SealRow, tenantId: string, keys: TrustedKeys): Promise<OpenedSeal> => {
  const opened = await openStatement(row.statement, keys)
  if ('fault' in opened) throw new Breach(`seal ${row.sequence} ${opened.fault}`)
  const seal = opened.payload as Seal
  if (seal.typ !== 'audit-seal' || seal.tenant_id !== tenantId) {
    throw new Breach(`seal ${row.sequence} is of another chain`)
  }
  return { ...seal, hash: opened.hash.toString('hex') }
}

const requireNext = (seal: OpenedSeal, row: SealRow, last: ChainEnd): void => {
  const sequence = last.sequence + 1
  if (row.sequence !== sequence) {
    throw new Breach(`seal ${sequence} was removed: seal ${row.sequence} follows`)
  }
  if (seal.sequence !== sequence) {
    throw new Breach(`seal ${seal.sequence} stands where seal ${sequence} was: reordered`)
  }
  if (seal.previous !== last.hash || seal.position !== last.position + 1) {
    throw new Breach(`seal ${sequence} does not continue the seal before it`)
  }
  requireContents(seal, row)
}

const requireContents = (seal: Seal, { record_ids: ids, digests, sequence }: SealRow): void => {
  const isWhole = ids.length === seal.count && digests.length === seal.count * digestBytes
  if (!isWhole || contentsOf(ids, digests) !== seal.contents) {
    throw new Breach(`the list of records in seal ${sequence} was changed`)
  }
}

/** Throws a Breach for the first difference between the records and the sealed ones, order included. */
export const compareRecords = (
  { record_ids: ids, digests }: Pick<SealRow, 'record_ids' | 'digests'>,
  records: FoundRecord[],
): void => {
  for (const [index, id] of ids.entries()) {
    const found = records[index]
    const isSame = found?.id === id && sha256(found.line).equals(digestAt(digests, index))
    if (!isSame) throw new Breach(differenceAt(index, ids, digests, records))
  }
  const surplus = records[ids.length]
  if (surplus) throw new Breach(`record ${surplus.id ?? '?'} was never sealed: added`)
}

const differenceAt = (index: number, ids: number[], digests: Buffer, records: FoundRecord[]): string => {
  const [id, found] = [ids[index], records[index]]
  if (found?.id === id) return differenceOf(index, ids, digests, found)
  const isElsewhere = records.some((record) => record.id === id)
  return isElsewhere ? displacement(id, ids, found) : absence(id, ids, records)
}

const absence = (id: number | undefined, ids: number[], records: FoundRecord[]): string =>
  records.length < ids.length ? `record ${id} was removed` : `record ${id} was changed`

const displacement = (id: number | undefined, ids: number[], found: FoundRecord | undefined): string =>
  found?.id !== undefined && ids.includes(found.id)
    ? `record ${found.id} stands where ${id} was sealed: reordered`
    : `record ${found?.id ?? '?'} was never sealed: added`

/** Explains a record with the right id but other content. Somebody swapped the seal's ids, or changed the content. */
const differenceOf = (
  index: number,
  ids: number[],
  digests: Buffer,
  found: FoundRecord | undefined,
): string => {
  const id = ids[index]
  const fields = JSON.parse(found?.line ?? '{}') as object
  const original = ids.find((other, at) =>
    sha256(JSON.stringify({ ...fields, id: other })).equals(digestAt(digests, at)),
  )
  return original === undefined || original === id
    ? `record ${id} was changed`
    : `record ${original} stands where ${id} was sealed: reordered`
}
