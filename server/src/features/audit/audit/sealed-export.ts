/** The sealed export (decision 0051): one JSON object per line, in a canonical form that shows every changed byte. */
import { publicKeyOf, type AuditKey } from '../../../crypto/statements.ts'
import type { SealRow } from './chain.store.ts'

export const exportVersion = 1

/** The first line of the file. */
export interface ExportHeader {
  version: number
  tenant_id: string
  keys: AuditKey[]
  /** The signed head; '' before the first seal. */
  head: string
}

export const headerLine = ({ version, tenant_id, keys, head }: ExportHeader): string =>
  JSON.stringify({ audit_export: { version, tenant_id, keys: keys.map(publicKeyOf), head } })

/** The line of a seal, written after the lines of its records. */
export const sealLine = ({ sequence, record_ids, digests, statement }: SealRow): string =>
  JSON.stringify({ seal: { sequence, record_ids, digests: digests.toString('base64url'), statement } })

/** Undefined unless the line is exactly in the canonical form. */
export const parseHeader = (line: string): ExportHeader | undefined =>
  parsed(line, ({ audit_export: header }) => header as ExportHeader, headerLine)

/** Undefined unless the line is exactly in the canonical form. */
export const parseSeal = (line: string): SealRow | undefined =>
  parsed(
    line,
    ({ seal }) => {
      const { digests, ...fields } = seal as Omit<SealRow, 'digests'> & { digests: string }
      const numbers = [fields.sequence, ...fields.record_ids]
      if (!numbers.every(Number.isSafeInteger) || typeof fields.statement !== 'string') throw new TypeError()
      return { ...fields, digests: Buffer.from(digests, 'base64url') }
    },
    sealLine,
  )

const parsed = <T>(
  line: string,
  read: (object: Record<string, unknown>) => T,
  write: (value: T) => string,
): T | undefined => {
  try {
    const value = read(JSON.parse(line) as Record<string, unknown>)
    return write(value) === line ? value : undefined
  } catch {
    return undefined
  }
}
