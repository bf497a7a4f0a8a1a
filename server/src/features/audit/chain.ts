/** What the audit chain of a tenant is made of (decision 0051): how records are hashed, and what is signed about them. */
import { sha256 } from '../../crypto/statements.ts'
import type { AuditLog } from './audit.schemas.ts'

/** Where a chain starts: the first seal in it, the position of its first record, the hash of the seal before it. */
export interface ChainStart {
  sequence: number
  position: number
  previous: string
}

/** Where a chain ends: its last seal, the position of its last record, the hash of that seal. */
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
  /** Of the first record. */
  position: number
  count: number
  /** Over the ids of the records and their digests. */
  contents: string
  /** The hash of the seal before. */
  previous: string
  sealed_at: string
}

/** What is left of an erased tenant. */
export interface Tombstone {
  typ: 'audit-tombstone'
  tenant_id: string
  removed_at: string
  /** How many there were in the end, sealed or not. */
  records: number
  /** The end of the chain; null when there was none, or none that could be trusted. */
  head: ChainEnd | null
  at: string
}

/** What stands in the place of a hash where nothing comes before. */
const noHash = '0'.repeat(64)

export const digestBytes = 32

/** The end of a chain without a seal. */
const noEnd: ChainEnd = { sequence: 0, position: 0, hash: noHash }

/** A record as it is exported and sealed. */
export const lineOf = (log: AuditLog): string => JSON.stringify(log)

/** The digests of all records, one after the other. */
export const digestsOf = (lines: string[]): Buffer => Buffer.concat(lines.map(sha256))

export const digestAt = (digests: Buffer, index: number): Buffer =>
  digests.subarray(index * digestBytes, (index + 1) * digestBytes)

/** What a seal says about its records: over each id (64 bits, big-endian) and each digest. */
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

/** What a head says, unchecked: for those who only hand the chain on. */
export const peekHead = (statement: string): Pick<Head, 'start' | 'end'> =>
  JSON.parse(Buffer.from(statement.split('.')[1] ?? '', 'base64url').toString()) as Head

/** Where a chain stands, as an operator keeps it elsewhere: `12:3f2b…`. */
export const shownHead = ({ sequence, hash }: Pick<ChainEnd, 'sequence' | 'hash'>): string =>
  `${sequence}:${hash}`

/** The first thing that is wrong with a chain, in words. */
export class Breach extends Error {
  override readonly name = 'Breach'
}
