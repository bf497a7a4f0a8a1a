import type { Parts } from '../../context.ts'
import { listAuditKeys, openSigner, trustKeys } from '../../crypto/statements.ts'
import type { Db } from '../../db/client.ts'
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
  const ends = await store.selectChainEnds(db, tenantId)
  if (!ends || (ends.head === null && ends.last === null)) return undefined
  if (ends.head === null) throw new Breach('the head is missing')
  const head = await openHead(ends.head, tenantId, await trustKeys(await listAuditKeys(db)))
  if (head.end.sequence !== ends.last || head.end.hash !== ends.hash?.toString('hex')) {
    throw new Breach('the head does not name the last seal')
  }
  return head
}

/**
 * Seals what waits, up to one batch, in a transaction of `tenantry_seal` that holds the chain's turn. Throws a Breach,
 * before it writes anything, when the chain is broken.
 */
export const sealBatch = async (db: Db, tenantId: string, now: Date): Promise<number> => {
  const logs = await selectUnsealedLogs(db, tenantId, sealRecords)
  if (logs.length === 0) return 0
  const head = await requireHead(db, tenantId)
  const ids = logs.map(({ id }) => id)
  const digests = digestsOf(logs.map(lineOf))
  const seal = nextSeal(tenantId, head, { ids, digests }, now)
  const sign = await openSigner(db)
  const { text: statement, hash } = await sign(seal)
  const row = { sequence: seal.sequence, record_ids: ids, digests, statement, hash }
  await store.insertSeal(db, tenantId, row, newestOf(logs))
  const extended = await sign(extendedHead(head, seal, hash.toString('hex')))
  await store.upsertHead(db, tenantId, extended.text)
  await store.deleteUnsealedRows(db, tenantId, ids)
  return logs.length
}

const newestOf = (logs: AuditLog[]) =>
  logs
    .map(({ created_at }) => created_at)
    .toSorted()
    .at(-1)

/**
 * Seals one batch, unless another replica is at it. A record that is committed later is seen, and sealed, later: the
 * chain is in the order of the commits, and no writer waits for it.
 */
const sealInTurn = (parts: SealParts, tenantId: string): Promise<number> =>
  parts.store.transaction(
    { tenantId },
    async (db) => ((await store.tryLockChain(db, tenantId)) ? sealBatch(db, tenantId, parts.now()) : 0),
    'tenantry_seal',
  )

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

/** Seals what waits in all tenants; returns the failure of each tenant where it failed. `isStopped` ends it early. */
export const sealWaiting = async (
  parts: SealParts,
  isStopped: () => boolean = () => false,
): Promise<Map<string, unknown>> => {
  const failures = new Map<string, unknown>()
  const tenants = await parts.store.transaction({}, store.selectWaitingTenants, 'tenantry_seal')
  for (const { tenant_id: tenantId } of tenants) {
    try {
      while (!isStopped() && (await sealInTurn(parts, tenantId)) === sealRecords);
    } catch (err) {
      failures.set(tenantId, err)
    }
  }
  return failures
}
