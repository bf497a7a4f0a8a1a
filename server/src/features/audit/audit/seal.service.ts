import type { Parts } from '../../../context.ts'
import { openAuditKeys, openTrustedKeys, type TrustedKeys } from '../../../crypto/statements.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { enterTenant } from '../../../access/tenancy.store.ts'
import type { StoredAuditLog } from './actors.ts'
import { selectLogsByIds, selectUnsealedLogs } from './audit.store.ts'
import { Breach, digestsOf, extendedHead, lineOf, nextSeal, type Head } from './chain.ts'
import { openHead } from './chain-check.ts'
import * as store from './chain.store.ts'

/** The most records of one seal. Hashing them takes some milliseconds. */
export const sealRecords = 1000

type SealParts = Pick<Parts, 'store' | 'secrets' | 'now' | 'cache'>
type TenantSealParts = SealParts & Pick<Parts, 'archives'>

/** Notifies every replica, which then looks for webhooks that deliver the sealed records. */
const announceSealed = async ({ cache }: SealParts, count: number): Promise<void> => {
  if (count > 0) await cache.publish({ kind: 'queued', queue: 'webhooks' })
}

/**
 * The head of a chain in a transaction of `tenantry_seal`; undefined before the first seal. Throws a Breach when no
 * known key signed the head, or when the head does not name the last stored seal. Further sealing would hide a
 * truncation.
 */
export const requireHead = async (db: Db, tenantId: string): Promise<Head | undefined> => {
  const [ends, trusted] = await Promise.all([store.selectChainEnds(db, tenantId), openTrustedKeys(db)])
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
 * Seals one batch of waiting records, in a transaction of `tenantry_seal` that holds the chain's lock. Throws a Breach
 * before any write when the chain is broken. Sends independent statements together. All waiting records are at or above
 * the floor, so no archive is asked.
 */
const sealBatch = async (
  db: TransactionDb,
  { secrets, now }: Pick<Parts, 'secrets' | 'now'>,
  tenantId: string,
  floor: number,
): Promise<number> => {
  const [logs, ends, { trusted, sign }] = await Promise.all([
    selectUnsealedLogs(db, tenantId, { limit: sealRecords, floor }),
    store.selectChainEnds(db, tenantId),
    openAuditKeys(db, secrets),
  ])
  if (logs.length === 0) return 0
  const head = await headOf(ends, tenantId, trusted)
  const ids = logs.map(({ id }) => id)
  const digests = digestsOf(logs.map(lineOf))
  const seal = nextSeal(tenantId, head, { ids, digests }, now())
  const { text: statement, hash } = await sign(seal)
  const row = { sequence: seal.sequence, record_ids: ids, digests, statement, hash, newestAt: newestOf(logs) }
  const extended = await sign(extendedHead(head, seal, hash.toString('hex')))
  store.insertSeal(db, tenantId, row, extended.text)
  return logs.length
}

const newestOf = (logs: StoredAuditLog[]) =>
  logs
    .map(({ created_at }) => created_at)
    .toSorted()
    .at(-1)

/** Seals all records that are committed now. Waits while another replica seals this tenant. */
export const sealCommitted = async (parts: TenantSealParts, tenantId: string): Promise<void> => {
  const { floor } = await parts.archives.reach()
  const sealNext = () =>
    parts.store.transaction(
      { tenantId },
      async (db) => {
        store.lockChain(db, tenantId)
        return sealBatch(db, parts, tenantId, floor)
      },
      'tenantry_seal',
    )
  let count: number
  do {
    count = await sealNext()
    await announceSealed(parts, count)
  } while (count === sealRecords)
}

/** Seals before an export. Leaves a broken chain unchanged, so that a check of the exported file reports the fault. */
export const sealUnlessBroken = async (parts: TenantSealParts, tenantId: string): Promise<void> => {
  try {
    await sealCommitted(parts, tenantId)
  } catch (err) {
    if (!(err instanceof Breach)) throw err
  }
}

/** The age in seconds of the oldest waiting record of any tenant; 0 when none waits. */
export const oldestUnsealedSeconds = ({
  store: database,
  now,
}: Pick<Parts, 'store' | 'now'>): Promise<number> =>
  database.transaction(
    {},
    async (db) => {
      const oldest = await store.selectOldestUnsealed(db)
      if (!oldest) return 0
      enterTenant(db, oldest.tenant_id)
      const [record] = await selectLogsByIds(db, oldest.tenant_id, [oldest.id])
      return record ? Math.max(0, (now().getTime() - Date.parse(record.created_at)) / 1000) : 0
    },
    'tenantry_seal',
  )

/** The number of waiting tenants that one query names. */
const tenantsPerLook = 20

/** The progress of one round of sealing over all tenants, in the order of their ids. */
interface Round {
  /** The last tenant that this process sealed, or that another process held. */
  after: string
  /** The tenants after `after` that waited at the last query. */
  waiting: string[]
  /** The lowest record id that is not archived, at the last query. */
  floor: number
  /** True if another query may name more waiting tenants. */
  mayBeMore: boolean
  /** True if a tenant has more than one batch waiting. */
  hasMore: boolean
  /** True if any tenant waited. */
  hasFound: boolean
  /** Failures by tenant id; '' means all tenants. */
  failures: Map<string, unknown>
}

const beginning: Omit<Round, 'failures' | 'hasFound'> = {
  after: '00000000-0000-0000-0000-000000000000',
  waiting: [],
  floor: 0,
  mayBeMore: true,
  hasMore: false,
}

const mayHaveNext = ({ waiting, mayBeMore }: Round): boolean => waiting.length > 0 || mayBeMore

/** Locks the next waiting tenant that no other process seals. Returns undefined when there is none. */
const takeNext = async (db: TransactionDb, round: Round): Promise<string | undefined> => {
  while (mayHaveNext(round)) {
    if (round.waiting.length === 0) await findWaiting(db, round)
    const last = round.waiting.at(-1)
    if (last === undefined) return undefined
    const taken = await store.lockOneTenant(db, round.waiting)
    moveBehind(round, taken?.tenant_id ?? last)
    if (taken) return taken.tenant_id
  }
  return undefined
}

const findWaiting = async (db: TransactionDb, round: Round): Promise<void> => {
  const found = await store.selectWaitingTenants(db, round.after, tenantsPerLook)
  round.waiting = found.map(({ tenant_id }) => tenant_id)
  round.floor = found[0]?.floor ?? round.floor
  round.hasFound ||= found.length > 0
  round.mayBeMore = found.length === tenantsPerLook
}

const moveBehind = (round: Round, tenantId: string): void => {
  if (tenantId > round.after) round.after = tenantId
  round.waiting = round.waiting.filter((id) => id > round.after)
}

/** Drops the known tenants, so that the round queries again: other processes seal all of them. */
const forget = (round: Round): void => {
  round.mayBeMore ||= round.waiting.length > 0
  round.waiting = []
}

/**
 * Seals one batch of the next tenant. Returns whether further tenants may wait. The chain follows the order of commits:
 * a record that commits later is sealed later, and no writer waits.
 */
const sealNext = async (parts: SealParts, round: Round): Promise<boolean> => {
  let taken: string | undefined
  const seal = async (db: TransactionDb): Promise<number> => {
    taken = await takeNext(db, round)
    if (taken === undefined || round.failures.has(taken)) return 0
    enterTenant(db, taken)
    return sealBatch(db, parts, taken, round.floor)
  }
  try {
    const count = await parts.store.transaction({}, seal, 'tenantry_seal')
    if (count === sealRecords) round.hasMore = true
    if (count === 0) forget(round)
    await announceSealed(parts, count)
  } catch (err) {
    round.failures.set(taken ?? '', err)
  }
  return taken !== undefined && mayHaveNext(round)
}

/**
 * The tenants that one process seals at once. It hashes and signs for one tenant while others wait for the database.
 */
const tenantsAtOnce = 3

/**
 * Seals the waiting records of all tenants. Returns failures by tenant, and whether any tenant waited. `isStopped` ends
 * the round early. Several processes share the tenants: each takes one that no other seals.
 */
export const sealWaiting = async (
  parts: SealParts,
  isStopped: () => boolean = () => false,
): Promise<Pick<Round, 'failures' | 'hasFound'>> => {
  const round: Round = { ...beginning, hasFound: false, failures: new Map() }
  let atOnce = 0
  const sealOn = async (): Promise<void> => {
    atOnce++
    const others: Promise<void>[] = []
    // Usually at most one tenant waits, so further sealers start only after the first one finds work.
    while (!isStopped() && (await sealNext(parts, round))) if (atOnce < tenantsAtOnce) others.push(sealOn())
    await Promise.all(others)
    atOnce--
  }
  do {
    Object.assign(round, beginning)
    await sealOn()
  } while (round.hasMore && !isStopped())
  return round
}
