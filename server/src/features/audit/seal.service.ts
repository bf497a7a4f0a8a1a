import type { Parts } from '../../context.ts'
import { openAuditKeys, type TrustedKeys } from '../../crypto/statements.ts'
import type { Db } from '../../db/client.ts'
import { enterTenant } from '../../tenancy.store.ts'
import type { AuditLog } from './audit.schemas.ts'
import { selectUnsealedLogs } from './audit.store.ts'
import { Breach, digestsOf, extendedHead, lineOf, nextSeal, type Head } from './chain.ts'
import { openHead } from './chain-check.ts'
import * as store from './chain.store.ts'

/** Records of one seal: some milliseconds of hashing. */
export const sealRecords = 1000

type SealParts = Pick<Parts, 'store' | 'now'>

/**
 * The head of a chain, undefined when nothing is sealed yet, in a transaction of `tenantry_seal`. Throws a Breach when it
 * is not signed by a key of ours, or does not name the last seal that stands there: what was cut off must not be
 * healed by sealing on.
 */
export const requireHead = async (db: Db, tenantId: string): Promise<Head | undefined> => {
  const [ends, { trusted }] = await Promise.all([store.selectChainEnds(db, tenantId), openAuditKeys(db)])
  return headOf(ends, tenantId, trusted)
}

const headOf = async (
  ends: store.ChainEnds | undefined,
  tenantId: string,
  keys: TrustedKeys,
): Promise<Head | undefined> => {
  if (!ends || (ends.head === null && ends.last === null)) return undefined
  if (ends.head === null) throw new Breach('the head is missing')
  const head = await openHead(ends.head, tenantId, keys)
  if (head.end.sequence !== ends.last || head.end.hash !== ends.hash?.toString('hex')) {
    throw new Breach('the head does not name the last seal')
  }
  return head
}

/**
 * Seals what waits, up to one batch, in a transaction of `tenantry_seal` that holds the chain's turn. Throws a Breach,
 * before it writes anything, when the chain is broken. Statements that do not need each other's answers go out together.
 */
export const sealBatch = async (db: Db, tenantId: string, now: Date): Promise<number> => {
  const [logs, ends, { trusted, sign }] = await Promise.all([
    selectUnsealedLogs(db, tenantId, sealRecords),
    store.selectChainEnds(db, tenantId),
    openAuditKeys(db),
  ])
  if (logs.length === 0) return 0
  const head = await headOf(ends, tenantId, trusted)
  const ids = logs.map(({ id }) => id)
  const digests = digestsOf(logs.map(lineOf))
  const seal = nextSeal(tenantId, head, { ids, digests }, now)
  const { text: statement, hash } = await sign(seal)
  const row = { sequence: seal.sequence, record_ids: ids, digests, statement, hash }
  const extended = await sign(extendedHead(head, seal, hash.toString('hex')))
  await Promise.all([
    store.insertSeal(db, tenantId, row, newestOf(logs)),
    store.upsertHead(db, tenantId, extended.text),
    store.deleteUnsealedRows(db, tenantId, ids),
  ])
  return logs.length
}

const newestOf = (logs: AuditLog[]) =>
  logs
    .map(({ created_at }) => created_at)
    .toSorted()
    .at(-1)

/** Seals everything that is committed now; waits for another replica that is at it. */
export const sealCommitted = async (parts: SealParts, tenantId: string): Promise<void> => {
  const sealNext = () =>
    parts.store.transaction(
      { tenantId },
      async (db) => {
        await store.lockChain(db, tenantId)
        return sealBatch(db, tenantId, parts.now())
      },
      'tenantry_seal',
    )
  while ((await sealNext()) === sealRecords);
}

/** Before an export: a chain that is broken is exported as it is, and who checks the file sees it. */
export const sealUnlessBroken = async (parts: SealParts, tenantId: string): Promise<void> => {
  try {
    await sealCommitted(parts, tenantId)
  } catch (err) {
    if (!(err instanceof Breach)) throw err
  }
}

/** How far sealing in all tenants has come. */
interface Round {
  /** The last tenant that was taken, in the order of their ids. */
  after: string | undefined
  /** Whether somewhere more than one batch waits. */
  hasMore: boolean
  /** By tenant; '' stands for all of them. */
  failures: Map<string, unknown>
}

/**
 * Seals one batch of the next tenant that nobody else is at; whether there was one. A record that is committed later is
 * seen, and sealed, later: the chain is in the order of the commits, and no writer waits for it.
 */
const sealNext = async (parts: SealParts, round: Round): Promise<boolean> => {
  let tenantId: string | undefined
  const seal = async (db: Db): Promise<number> => {
    tenantId = (await store.lockWaitingTenant(db, round.after))?.tenant_id
    if (tenantId === undefined || round.failures.has(tenantId)) return 0
    const [, count] = await Promise.all([enterTenant(db, tenantId), sealBatch(db, tenantId, parts.now())])
    return count
  }
  try {
    const count = await parts.store.transaction({}, seal, 'tenantry_seal')
    if (count === sealRecords) round.hasMore = true
  } catch (err) {
    round.failures.set(tenantId ?? '', err)
  }
  if (tenantId !== undefined && tenantId > (round.after ?? '')) round.after = tenantId
  return tenantId !== undefined
}

/** Tenants that a process seals at once: one is hashed and signed while others wait for the database. */
const tenantsAtOnce = 3

/**
 * Seals what waits in all tenants; returns the failure of each tenant where it failed. `isStopped` ends it early. Several
 * share the tenants: each takes those that nobody is at.
 */
export const sealWaiting = async (
  parts: SealParts,
  isStopped: () => boolean = () => false,
): Promise<Map<string, unknown>> => {
  const round: Round = { after: undefined, hasMore: false, failures: new Map() }
  const sealOn = async () => {
    while (!isStopped() && (await sealNext(parts, round)));
  }
  do {
    Object.assign(round, { after: undefined, hasMore: false })
    // Mostly nothing waits: one finds out.
    if (await sealNext(parts, round)) await Promise.all(Array.from({ length: tenantsAtOnce }, sealOn))
  } while (round.hasMore && !isStopped())
  return round.failures
}
