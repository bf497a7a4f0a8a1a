/** Commands `tenantry audit …` for operators, and for auditors without access to the database. */
import type { Logger } from 'pino'
import type { Static } from 'typebox'
import { checkOf } from '../values/check.ts'
import { Type } from '../values/type.ts'
import { withParts } from './commands.ts'
import type { Config } from '../config/config.ts'
import type { Archive } from '../config/config-values.ts'
import { addPartitions, partitionAuditLog, selectPartitions, type Partition } from '../db/audit-partitions.ts'
import { bringBack, movePartitions } from '../db/audit-archives.ts'
import { asOwner, atServer } from '../db/open.ts'
import type { Parts } from '../context.ts'
import { trustKeys, type TrustedKeys } from '../crypto/statements.ts'
import { getAuditKeys } from '../features/audit/audit/keys.service.ts'
import { verifyFile } from '../features/audit/audit/verify-file.service.ts'
import {
  trustOwnKeys,
  verifyAll,
  verifyOne,
  type Trust,
  type Verdict,
} from '../features/audit/audit/verify.service.ts'
import { readNamed } from '../named-file.ts'
import { Refusal } from '../errors/refusal.ts'

/** Returns the public keys of the audit chain as a JSON Web Key Set. The operator stores it elsewhere. */
export const showAuditKeys = (config: Config, log: Logger): Promise<string> =>
  withParts(config, log, async (parts) => JSON.stringify(await getAuditKeys(parts), null, 2))

export interface VerifyOptions {
  tenant?: string
  file?: string
  keys?: string
  head?: string
}

type Print = (line: string) => void

/** Checks an export file, without database or configuration. Returns true if it is sound. */
export const verifyAuditFile = async (
  path: string,
  options: VerifyOptions,
  print: Print,
): Promise<boolean> => {
  const keys = options.keys === undefined ? undefined : await readKeySet(options.keys)
  const verdict = await verifyFile(path, { keys, kept: readHead(options) })
  if (!keys) print(`note    checked with the keys of the file itself: ${verdict.keys.join(', ') || 'none'}`)
  print(lineOf('breach' in verdict ? verdict : { ...verdict, waiting: 0 }))
  return !('breach' in verdict)
}

/** The least number of ids in a partition. */
const widthMin = 1000

const widthIn = (text: string): number => {
  const width = Number(text)
  if (Number.isSafeInteger(width) && width >= widthMin) return width
  throw new Refusal([`--width is a whole number of ids, at least ${widthMin}`])
}

const partitionLine = ({ name, from, to }: Partition): string =>
  `${name}: ids from ${from ?? 'the first'} to ${to - 1}`

/** Partitions the log, or adds partitions to a partitioned one. Returns the lines to print. */
export const partitionAudit = async (config: Config, widthText: string): Promise<string[]> => {
  const width = widthIn(widthText)
  if (config.databaseUrl === undefined) throw new Refusal(['the embedded database needs no partitions'])
  return asOwner(config, async (client) => {
    const isNew = (await selectPartitions(client)).length === 0
    if (isNew) await partitionAuditLog(client, width)
    const made = await addPartitions(client)
    const did = isNew
      ? 'the audit log is partitioned'
      : `the audit log was partitioned before; ${made} partitions are new`
    return [did, ...(await selectPartitions(client)).map(partitionLine)]
  })
}

export interface MoveOptions {
  to?: string
  before?: string
  back?: string
}

const archiveIn = ({ archives }: Config, name: string): Archive => {
  const archive = archives.find((one) => one.name === name)
  if (archive) return archive
  const known = archives.map((one) => one.name).join(', ') || 'none'
  throw new Refusal([`TENANTRY_ARCHIVES names no archive ${name}; it names: ${known}`])
}

const momentIn = (text: string): Date => {
  const moment = new Date(text)
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(moment.getTime())) return moment
  throw new Refusal(['--before is a day such as 2026-01-31, in UTC'])
}

type ArchiveConnections = Parameters<typeof movePartitions>[0]

const withConnections = <T>(
  config: Config,
  archive: Archive,
  work: (connections: ArchiveConnections) => Promise<T>,
): Promise<T> => {
  if (config.databaseUrl === undefined) throw new Refusal(['the embedded database keeps its whole log'])
  return asOwner(config, (primary) => atServer(archive.url, (remote) => work({ primary, remote, archive })))
}

/** Moves old partitions of the log to an archive, or the newest archived one back. Prints a line for each. */
export const moveAudit = async (
  config: Config,
  { to, before, back }: MoveOptions,
  print: Print,
  onProgress: (done: number, total: number) => void,
): Promise<void> => {
  if (back !== undefined && to === undefined && before === undefined) {
    const moved = await withConnections(config, archiveIn(config, back), (connections) =>
      bringBack(connections, onProgress),
    )
    print(
      moved
        ? `back    ${moved.partition}: ${moved.records} records`
        : 'the archive has no partition that comes back next',
    )
    return
  }
  if (to === undefined || before === undefined || back !== undefined) {
    throw new Refusal(['audit move takes --before DAY and --to NAME, or --back NAME'])
  }
  const moment = momentIn(before)
  await withConnections(config, archiveIn(config, to), async (connections) => {
    let count = 0
    for await (const { partition, records } of movePartitions(connections, moment, onProgress)) {
      print(`moved   ${partition}: ${records} records`)
      count += 1
    }
    if (count === 0) print(`no closed partition has only records from before ${before}`)
  })
}

/** Checks the chain of one tenant, or of all, in the database. Returns true if all are sound. */
export const verifyAudit = (
  config: Config,
  log: Logger,
  options: VerifyOptions,
  print: Print,
): Promise<boolean> =>
  withParts(config, log, async (parts) => {
    const trust = { keys: await trustedKeys(parts, options, print), kept: readHead(options) }
    let isSound = true
    for await (const verdict of verdictsOn(parts, options, trust)) {
      print(lineOf(verdict))
      if ('breach' in verdict) isSound = false
    }
    return isSound
  })

const trustedKeys = async (parts: Parts, { keys }: VerifyOptions, print: Print): Promise<TrustedKeys> => {
  if (keys !== undefined) return trustKeys(await readKeySet(keys))
  print('note    checked with the keys of the database itself; --keys names those you keep elsewhere')
  return trustOwnKeys(parts)
}

async function* verdictsOn(parts: Parts, { tenant }: VerifyOptions, trust: Trust): AsyncGenerator<Verdict> {
  if (tenant !== undefined) {
    yield await verifyOne(parts, tenant, trust)
    return
  }
  if (trust.kept) throw new Error('--head belongs to one tenant: name it with --tenant')
  yield* verifyAll(parts, trust)
}

const lineOf = (verdict: Verdict): string => {
  if ('breach' in verdict) return `BREACH  ${verdict.tenant}: ${verdict.breach}`
  if ('erased' in verdict) return erasedLine(verdict)
  const { tenant, summary, waiting } = verdict
  const waits = waiting > 0 ? `; ${waiting} records wait to be sealed` : ''
  if (!summary) return `ok      ${tenant}: nothing is sealed${waits}`
  const { records, seals, head } = summary
  return `ok      ${tenant}: ${records} records, ${seals} seals, head ${head.sequence}:${head.hash}${waits}`
}

const erasedLine = ({ tenant, erased }: Extract<Verdict, { erased: unknown }>): string => {
  const { removed_at, records, head } = erased
  const end = head ? `head ${head.sequence}:${head.hash}` : 'no head'
  const size = records === null ? 'a broken chain' : `${records} records`
  return `erased  ${tenant}: removed at ${removed_at} with ${size}, ${end}`
}

const readHead = ({ head }: VerifyOptions): { sequence: number; hash: string } | undefined => {
  if (head === undefined) return undefined
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(head) ?? []
  if (sequence === undefined || hash === undefined) {
    throw new Error('--head is what `audit verify` printed: a number, a colon and 64 hexadecimal digits')
  }
  return { sequence: Number(sequence), hash }
}

type PublicKeys = Static<typeof KeySet>['keys']
const KeySet = Type.Object({
  keys: Type.Array(Type.Object({ kid: Type.String(), x: Type.String() }), { minItems: 1 }),
})
const isKeySet = checkOf(KeySet)

const parseKeySet = (text: string): PublicKeys | undefined => {
  try {
    const set: unknown = JSON.parse(text)
    return isKeySet(set) ? set.keys : undefined
  } catch {
    return undefined
  }
}

const readUnlessRefused = (path: string, refuse: (fault: string) => Refusal): string => {
  try {
    return readNamed(path)
  } catch (err) {
    throw refuse((err as Error).message)
  }
}

/** Reads the file of `--keys`. Throws a Refusal that names the file, and quotes nothing of it. */
const readKeySet = async (path: string): Promise<PublicKeys> => {
  const refuse = (fault: string) =>
    new Refusal([
      `--keys ${fault}: it has to hold the public keys of the audit chain as \`tenantry audit keys\` prints ` +
        'them, a JSON Web Key Set {"keys": [{"kid": …, "x": …}]}',
    ])
  const keys = parseKeySet(readUnlessRefused(path, refuse))
  if (!keys) throw refuse(`${path} is not such a set`)
  await trustKeys(keys).catch(() => {
    throw refuse(`${path} has a key whose kid is not its thumbprint`)
  })
  return keys
}
