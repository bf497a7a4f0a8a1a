import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { openAuditKeys, openTrustedKeys } from '../../../crypto/statements.ts'
import type { TransactionDb } from '../../../db/client.ts'
import { actAs } from '../../../db/scope.ts'
import { AppError } from '../../../errors/app-error.ts'
import { record } from './audit.service.ts'
import { Breach, shortenedHead, type ChainEnd, type Head } from './chain.ts'
import { checkChain, foundRecord } from './chain-check.ts'
import * as store from './chain.store.ts'
import { requireHead } from './seal.service.ts'
import { readChain } from './sealed-log.service.ts'
import type { StoredSeal } from './sealed-log.store.ts'

/** Bounds one transaction to so many seals, and to about so many records. */
const sealsMax = 200
const recordsMax = 5000

/** Called with the seals that a transaction has deleted. */
type OnExpired = (db: TransactionDb, tenantId: string, seals: StoredSeal[]) => void

/** Deletes expired audit records of all tenants. Interruption, repetition and several processes at once do no harm. */
export const expireAuditLogs = async (ctx: Ctx, onExpired: OnExpired): Promise<void> => {
  const tenants = await ctx.parts.store.transaction({}, store.selectExpiringTenants, 'tenantry_purge')
  const failures: unknown[] = []
  for (const { id } of tenants) {
    await expireTenant(inTenant(ctx, id), onExpired).catch((err: unknown) => failures.push(err))
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} chains could not be shortened`)
  }
}

const expireTenant = async (ctx: Ctx, onExpired: OnExpired): Promise<void> => {
  try {
    while (await inTransaction(ctx, (ctx) => expireBatch(ctx, onExpired)));
  } catch (err) {
    // The tenant was removed meanwhile; its purge deletes everything.
    if (!(err instanceof AppError)) throw err
  }
}

/** Deletes some seals from the start of the chain. False when no further seals have expired. */
const expireBatch = async (ctx: TransactionCtx, onExpired: OnExpired): Promise<boolean> => {
  const { db, parts, tenantId } = ctx
  const { before } = (await store.enterExpired(db, tenantId)) ?? {}
  await actAs(db, 'tenantry_seal')
  store.lockChain(db, tenantId)
  const head = await requireHead(db, tenantId)
  const count = head && before ? await countExpired(ctx, head, before) : 0
  if (!head || !before || count === 0) return false
  const { last, seals } = await requireSound(ctx, head, count)
  await actAs(db, 'tenantry_purge')
  const records = await deleteExpired(ctx, seals)
  onExpired(db, tenantId, seals)
  await actAs(db, 'tenantry_seal')
  const { sign } = await openAuditKeys(db, parts.secrets)
  store.upsertHead(db, tenantId, (await sign(shortenedHead(head, last, parts.now()))).text)
  await actAs(db, 'tenantry_app')
  record(ctx, {
    action: 'audit.expire',
    resourceId: last.sequence,
    detail: {
      records: { from: records, to: 0 },
      written_before: { from: null, to: before.toISOString() },
    },
  })
  return true
}

/** Counts the expired seals at the start of the chain. Never counts the last seal, because it proves the signed end. */
const countExpired = async (
  { db, tenantId }: TransactionCtx,
  { start, end }: Head,
  before: Date,
): Promise<number> => {
  const range = { first: start.sequence, last: end.sequence - 1, limit: sealsMax }
  const seals = await store.selectFirstSeals(db, tenantId, before, range)
  let room = recordsMax
  const isKept = seals.map(({ expired, records }, index) => {
    room -= records
    return !expired || (index > 0 && room < 0)
  })
  const count = isKept.indexOf(true)
  return count === -1 ? seals.length : count
}

/** Throws a Breach for a broken chain, and keeps its records: a new signed start would hide the fault. */
const requireSound = async (
  { db, tenantId }: TransactionCtx,
  head: Head,
  count: number,
): Promise<{ last: ChainEnd; seals: StoredSeal[] }> => {
  const check = checkChain(head, await openTrustedKeys(db))
  const seals: StoredSeal[] = []
  for await (const batch of readChain(db, tenantId, head.start.sequence + count - 1)) {
    for (const { seal, records } of batch) {
      await check.add(
        seal,
        records.map(({ log }) => foundRecord(log)),
      )
      seals.push(seal)
    }
  }
  return { last: check.last(), seals }
}

/**
 * Returns the number of records. Row-level security limits the deletion too. The transaction fails if PostgreSQL
 * deletes too few rows.
 */
const deleteExpired = async (
  { db, tenantId, parts }: TransactionCtx,
  seals: StoredSeal[],
): Promise<number> => {
  const { floor } = await parts.archives.reach()
  const ids = seals.flatMap((seal) => seal.record_ids)
  const [first, last] = [seals[0]?.sequence ?? 0, seals.at(-1)?.sequence ?? 0]
  const records = await deleteRecords(db, tenantId, ids, floor)
  const deleted = await store.deleteSealRows(db, tenantId, { first, last })
  if (records !== ids.length || deleted !== seals.length) {
    throw new Breach(`the seals up to ${last} of tenant ${tenantId} have not expired as a whole`)
  }
  return records
}

/**
 * Deletes records, and returns their number. Deletions on another server commit separately: this transaction notes
 * those records, and `deleteLeftovers` deletes them later.
 */
const deleteRecords = async (
  db: TransactionDb,
  tenantId: string,
  ids: number[],
  floor: number,
): Promise<number> => {
  const [near, far] = [ids.filter((id) => id >= floor), ids.filter((id) => id < floor)]
  const left = far.length === 0 ? 0 : await store.insertLeftovers(db, tenantId, far)
  return left + (near.length === 0 ? 0 : await store.deleteLogRows(db, tenantId, near))
}

/**
 * Deletes the expired records that archives still have. After a crash between the two commits the note remains, and the
 * next run deletes the records.
 */
export const deleteLeftovers = async ({ parts }: Ctx): Promise<void> => {
  const { store: database } = parts
  const deleteSome = () =>
    database.transaction(
      {},
      async (db) => {
        const some = await store.selectLeftovers(db, recordsMax)
        for (const { tenant_id: tenantId, ids } of some) {
          await store.enterLeftovers(db, tenantId)
          await store.deleteLogRows(db, tenantId, ids)
          await store.deleteLeftoverRows(db, tenantId, ids)
        }
        return some.length
      },
      'tenantry_purge',
    )
  while ((await deleteSome()) > 0);
}
