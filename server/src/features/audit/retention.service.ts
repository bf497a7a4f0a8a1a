import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../context.ts'
import { openSigner, sha256 } from '../../crypto/statements.ts'
import { actAs } from '../../db/scope.ts'
import { AppError, invalid } from '../../errors.ts'
import { record } from './audit.service.ts'
import { Breach, shortenedHead, type Head, type Seal } from './chain.ts'
import type { SealRow } from './chain.store.ts'
import * as store from './chain.store.ts'
import { requireHead } from './seal.service.ts'

/** The setting of a tenant that says how long its audit records are kept; without it, or null: for ever. */
const retentionKey = 'audit.retention_days'
/** Less would let a thief of an administrator's account wipe out his traces before they are missed (decision 0052). */
const daysMin = 30
const daysMax = 36_500

/** Seals, and about how many records, one transaction lets expire. */
const sealsMax = 200
const recordsMax = 5000

/** Throws when the tenant setting of that key is the one on retention, and the value none it can have. */
export const requireRetention = (key: string, value: unknown): void => {
  if (key !== retentionKey || value === null) return
  const days = Number.isInteger(value) ? (value as number) : 0
  if (days < daysMin || days > daysMax) {
    throw invalid(
      'value',
      `must be a whole number of days from ${daysMin} to ${daysMax}, or null: kept for ever`,
    )
  }
}

/** Deletes the audit records that tenants have let expire. Can be stopped anywhere and run again, also by several at once. */
export const expireAuditLogs = async (ctx: Ctx): Promise<void> => {
  const tenants = await ctx.parts.store.transaction({}, store.selectExpiringTenants, 'tenantry_purge')
  const failures: unknown[] = []
  for (const { id } of tenants) {
    await expireTenant(inTenant(ctx, id)).catch((err: unknown) => failures.push(err))
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} chains could not be shortened`)
  }
}

const expireTenant = async (ctx: Ctx): Promise<void> => {
  try {
    while (await inTransaction(ctx, expireBatch));
  } catch (err) {
    // Removed meanwhile: it goes as a whole.
    if (!(err instanceof AppError)) throw err
  }
}

/** Shortens the chain by some seals at its start; false when there is nothing more to expire. */
const expireBatch = async (ctx: TransactionCtx): Promise<boolean> => {
  const { db, tenantId } = ctx
  const { before = null } = (await store.selectExpiry(db, tenantId)) ?? {}
  await actAs(db, 'tenantry_seal')
  await store.lockChain(db, tenantId)
  const head = await requireHead(db, tenantId)
  const seals = head && before ? await selectExpired(ctx, head, before) : []
  const last = seals.at(-1)
  if (!head || !before || !last) return false
  await actAs(db, 'tenantry_purge')
  const ids = seals.flatMap((seal) => seal.record_ids)
  await deleteExpired(ctx, seals, ids)
  await actAs(db, 'tenantry_seal')
  await signShortened(ctx, head, last)
  await actAs(db, 'tenantry_app')
  await record(ctx, {
    action: 'audit.expire',
    resourceId: last.sequence,
    detail: {
      records: { from: ids.length, to: 0 },
      written_before: { from: null, to: before.toISOString() },
    },
  })
  return true
}

/** Never the last seal: a chain has an end that is signed. */
const selectExpired = async (
  { db, tenantId }: TransactionCtx,
  { start, end }: Head,
  before: Date,
): Promise<SealRow[]> => {
  const first = start.sequence
  const seals = await store.selectFirstSeals(db, tenantId, { first, before, limit: sealsMax })
  let room = recordsMax
  const isExpired = seals.map(({ sequence, expired, record_ids }, index) => {
    room -= record_ids.length
    return expired && sequence === first + index && sequence < end.sequence && (index === 0 || room >= 0)
  })
  const count = isExpired.indexOf(false)
  return count === -1 ? seals : seals.slice(0, count)
}

/** What is missing already was not deleted by this setting: the chain stays as it is, so that it can be seen. */
const deleteExpired = async (
  { db, tenantId }: TransactionCtx,
  seals: SealRow[],
  ids: number[],
): Promise<void> => {
  const sequences = seals.map(({ sequence }) => sequence)
  const records = await store.deleteLogRows(db, tenantId, ids)
  const deleted = await store.deleteSealRows(db, tenantId, sequences)
  if (records !== ids.length || deleted !== seals.length) {
    throw new Breach(`the audit chain of tenant ${tenantId} is broken: not all that has expired is there`)
  }
}

const signShortened = async (
  { db, parts, tenantId }: TransactionCtx,
  head: Head,
  { statement }: SealRow,
): Promise<void> => {
  const payload = Buffer.from(statement.split('.')[1] ?? '', 'base64url')
  const seal = JSON.parse(payload.toString()) as Seal
  const sign = await openSigner(db)
  const shortened = shortenedHead(head, seal, sha256(payload).toString('hex'), parts.now())
  await store.upsertHead(db, tenantId, (await sign(shortened)).text)
}
