import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import type { AuditKey } from '../../../crypto/statements.ts'
import { trustKeys } from '../../../crypto/statements.ts'
import { openNamed } from '../../../named-file.ts'
import type { StoredAuditLog } from './actors.ts'
import { Breach } from './chain.ts'
import {
  checkChain,
  openHead,
  type ChainCheck,
  type FoundRecord,
  type KeptHead,
  type Summary,
} from './chain-check.ts'
import { exportVersion, parseHeader, parseSeal } from './sealed-export.ts'

/** The longest line of an export: 1000 ids and digests, or the keys of a thousand rotations. */
const lineBytesMax = 4 * 1024 * 1024
/** The most records that wait in memory for their seal. No seal has so many. */
const pendingMax = 10_000

export type FileVerdict = { tenant: string; keys: string[] } & ({ summary: Summary } | { breach: string })

/**
 * Checks a sealed export without a database. `keys` are the trusted keys. Without them the check uses the file's own
 * keys, which prove only that the file is consistent. Throws when the file is unreadable.
 */
export const verifyFile = async (
  path: string,
  { keys, kept }: { keys?: Pick<AuditKey, 'kid' | 'x'>[] | undefined; kept?: KeptHead | undefined },
): Promise<FileVerdict> => {
  const known = { tenant: path, keys: keys?.map(({ kid }) => kid) ?? [] }
  try {
    const lines = readLines(path)
    const first = await lines.next()
    const header = requireHeader(first.done ? undefined : first.value)
    known.tenant = header.tenant_id
    const own = await trustKeys(header.keys).catch((err: unknown) => {
      throw new Breach(err instanceof Error ? err.message : String(err))
    })
    if (!keys) known.keys = [...own.keys()]
    const trusted = keys ? await trustKeys(keys) : own
    const head = await openHead(header.head, header.tenant_id, trusted)
    return { ...known, summary: await checkLines(lines, checkChain(head, trusted, kept)) }
  } catch (err) {
    if (err instanceof Breach) return { ...known, breach: err.message }
    throw err
  }
}

const requireHeader = (line: string | undefined) => {
  const header = line === undefined ? undefined : parseHeader(line)
  if (!header) throw new Breach('the first line is missing or changed: this is not a sealed export')
  if (header.version !== exportVersion) {
    throw new Breach(`the export has version ${header.version}, not ${exportVersion}`)
  }
  return header
}

const checkLines = async (lines: AsyncGenerator<string>, check: ChainCheck): Promise<Summary> => {
  let sealed = check.start.sequence - 1
  let pending: FoundRecord[] = []
  for await (const line of lines) {
    if (!line.startsWith('{"seal":')) {
      pending.push({ id: idOf(line), line })
      if (pending.length > pendingMax) throw new Breach(`no seal follows record ${pending[0]?.id ?? '?'}`)
      continue
    }
    const seal = parseSeal(line)
    if (!seal) throw new Breach(`seal ${sealed + 1} was changed`)
    await check.add(seal, pending)
    sealed = seal.sequence
    pending = []
  }
  if (pending.length > 0) throw new Breach(leftOver(pending, sealed, check))
  return check.finish()
}

const leftOver = (pending: FoundRecord[], sealed: number, { end }: ChainCheck): string =>
  sealed === end.sequence
    ? `record ${pending[0]?.id ?? '?'} was never sealed: added`
    : `cut off after record ${pending.at(-1)?.id ?? '?'}: its seal is missing, and the head names seal ${end.sequence}`

const idOf = (line: string): number | undefined => {
  try {
    return (JSON.parse(line) as StoredAuditLog).id
  } catch {
    return undefined
  }
}

/** The lines of a file, split only at \n. Throws a Breach for a line that no export writes. */
async function* readLines(path: string): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { fd: openNamed(path) }) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk])
    let from = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      yield textOf(bytes.subarray(from, end))
      from = end + 1
    }
    rest = bytes.subarray(from)
    if (rest.length > lineBytesMax) throw new Breach('a line is longer than any of an export')
  }
  if (rest.length > 0) throw new Breach('cut off within a line')
}

const textOf = (line: Buffer): string => {
  if (!isUtf8(line)) throw new Breach('a line is not UTF-8')
  return line.toString()
}
