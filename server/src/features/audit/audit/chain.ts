/** The audit chain of a tenant (decision 0051): the hashing of records and the signed statements. */
import { sha256 } from '../../../crypto/sha256.ts'
import type { StoredAuditLog } from './actors.ts'

/** The start of a chain: its first seal, the position of its first record, and the hash of the seal before. */
export interface ChainStart {
  sequence: number
  position: number
  previous: string
}

/** The end of a chain: its last seal, the position of its last record, and the hash of that seal. */
export interface ChainEnd {
  sequence: number
  position: number
  hash: string
}

export interface Head {
  typ: 'audit-head'
  tenant_id: string
  start: ChainStart
  end: ChainEnd
  at: string
}

/** The statement of a seal; positions count the records of a tenant from 1. */
export interface Seal {
  typ: 'audit-seal'
  tenant_id: string
  sequence: number
  /** The position of the first record. */
  position: number
  count: number
  /** A hash over the ids of the records and their digests. */
  contents: string
  /** The hash of the preceding seal. */
  previous: string
  sealed_at: string
}

/** The signed statement that remains after the erasure of a tenant. */
export interface Tombstone {
  typ: 'audit-tombstone'
  tenant_id: string
  removed_at: string
  /** The final number of records; null for a broken chain. */
  records: number | null
  /** The end of the chain; null for an empty or a broken chain. */
  head: ChainEnd | null
  at: string
}

/** The "previous" hash of the first seal. */
const noHash = '0'.repeat(64)

export const digestBytes = 32

/** The end of a chain that has no seal. */
const noEnd: ChainEnd = { sequence: 0, position: 0, hash: noHash }

/** A record as it is exported and sealed. */
export const lineOf = (log: StoredAuditLog): string => JSON.stringify(log)

/** Concatenates the digests of all records. */
export const digestsOf = (lines: string[]): Buffer => Buffer.concat(lines.map(sha256))

export const digestAt = (digests: Buffer, index: number): Buffer =>
  digests.subarray(index * digestBytes, (index + 1) * digestBytes)

/** Hashes the contents of a seal: each id (64 bits, big-endian) with its digest. */
export const contentsOf = (ids: number[], digests: Buffer): string => {
  const numbers = Buffer.alloc(ids.length * 8)
  for (const [index, id] of ids.entries()) numbers.writeBigInt64BE(BigInt(id), index * 8)
  return sha256(Buffer.concat([numbers, digests])).toString('hex')
}

export const nextSeal = (
  tenantId: string,
  head: Head | undefined,
  records: { ids: number[]; digests: Buffer },
  now: Date,
): Seal => {
  const { sequence, position, hash } = head?.end ?? noEnd
  return {
    typ: 'audit-seal',
    tenant_id: tenantId,
    sequence: sequence + 1,
    position: position + 1,
    count: records.ids.length,
    contents: contentsOf(records.ids, records.digests),
    previous: hash,
    sealed_at: now.toISOString(),
  }
}

/** The head after one more seal. */
export const extendedHead = (head: Head | undefined, seal: Seal, hash: string): Head => ({
  typ: 'audit-head',
  tenant_id: seal.tenant_id,
  start: head?.start ?? { sequence: seal.sequence, position: seal.position, previous: seal.previous },
  end: { sequence: seal.sequence, position: seal.position + seal.count - 1, hash },
  at: seal.sealed_at,
})

/** The head after the seals up to `last` have expired. */
export const shortenedHead = (head: Head, last: ChainEnd, now: Date): Head => ({
  ...head,
  start: { sequence: last.sequence + 1, position: last.position + 1, previous: last.hash },
  at: now.toISOString(),
})

/** Reads a head without checking it, for callers that only extend or pass on the chain. */
export const peekHead = (statement: string): Pick<Head, 'start' | 'end'> =>
  JSON.parse(Buffer.from(statement.split('.')[1] ?? '', 'base64url').toString()) as Head

export const recordsBetween = ({ start, end }: Pick<Head, 'start' | 'end'>): number =>
  end.position - start.position + 1

const wholeNumber = (read: () => number): number | undefined => {
  try {
    const value = read()
    return Number.isSafeInteger(value) && value >= 0 ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * The number of sealed records that a signed head claims, without a check of the signature. Undefined when the head is
 * unreadable.
 */
export const sealedRecords = (statement: string): number | undefined =>
  wholeNumber(() => recordsBetween(peekHead(statement)))

/**
 * The position of the first record that a signed head claims, without a check of the signature. Undefined when the head
 * is unreadable.
 */
export const firstPosition = (statement: string): number | undefined =>
  wholeNumber(() => peekHead(statement).start.position)

/** A head in the form that operators store elsewhere: `12:3f2b…`. */
export const shownHead = ({ sequence, hash }: Pick<ChainEnd, 'sequence' | 'hash'>): string =>
  `${sequence}:${hash}`

/** The first fault of a chain, in words. */
export class Breach extends Error {
  override readonly name = 'Breach'
}
