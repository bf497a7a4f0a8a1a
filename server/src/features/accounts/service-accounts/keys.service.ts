import {
  changingAuthority,
  requireGivingUser,
  requireRankOverUser,
  type AuthorityCtx,
} from '../../../access/authority.ts'
import { isOwnUser } from '../../../access/policies.ts'
import type { Ctx, CallerlessCtx, TransactionCtx } from '../../../context.ts'
import { createKeyText } from '../../../crypto/access-keys.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { isNetwork } from '../../../values/networks.ts'
import { record, changesBetween } from '../../audit/audit/audit.service.ts'
import * as store from './keys.store.ts'
import type { CreatedKey, CreateKey, Key, ServiceAccount } from './service-accounts.schemas.ts'
import { getServiceAccount, lockAccountWithCodes } from './service-accounts.service.ts'

/** docs/contract.md, "Limits". */
const livingKeysMax = 10
/** Expired keys that remain in the list. */
const expiredKeysKept = 50

const dayMs = 86_400_000
/** The time before the end of a key at which administrators are told of it. */
const warnedMs = 14 * dayMs

/** Undefined for a key that lives less than twice as long: its maker knows its end. */
const warnAtOf = (expiresAt: Date | undefined, now: Date): Date | undefined =>
  expiresAt && expiresAt.getTime() - now.getTime() >= 2 * warnedMs
    ? new Date(expiresAt.getTime() - warnedMs)
    : undefined

const accountRefOf = ({ tenantId }: CallerlessCtx, accountId: number): store.ServiceAccountRef => ({
  tenantId,
  accountId,
})

/** Keys of a service account by id, also expired ones. */
export const listKeys = async (ctx: Ctx, accountId: number): Promise<Key[]> => {
  const [keys] = await Promise.all([
    store.selectKeys(ctx.db, accountRefOf(ctx, accountId)),
    getServiceAccount(ctx, accountId),
  ])
  return keys
}

/** Whether a key of a service account in the tenant in scope is valid. Its account and tenant must be enabled. */
export const isLivingKey = async (ctx: CallerlessCtx, accountId: number, id: number): Promise<boolean> =>
  (await store.selectLivingKey(ctx.db, accountRefOf(ctx, accountId), id, ctx.parts.now())) !== undefined

/**
 * The requested end and networks of a key. Throws 400 for an end in the past or after the year 9999, and for a text
 * that is no network.
 */
const boundsOf = (ctx: Ctx, { expires_at: end, allowed_cidrs: allowedCidrs = [] }: CreateKey) => {
  const expiresAt = end === undefined ? undefined : new Date(end)
  if (expiresAt && !(expiresAt > ctx.parts.now() && expiresAt.getUTCFullYear() <= 9999)) {
    throw invalid('expires_at', 'must be in the future, and by the year 9999')
  }
  const wrong = allowedCidrs.findIndex((text) => !isNetwork(text))
  if (wrong >= 0) {
    throw invalid(`allowed_cidrs.${wrong}`, 'must be an IP address or a range such as 10.0.0.0/8')
  }
  return { expiresAt, allowedCidrs }
}

type Bounds = ReturnType<typeof boundsOf>

/**
 * Throws 403 if a caller with a key creates a key with a longer lifetime, with more networks, or for the same account.
 * Otherwise a stolen key could renew itself.
 */
const requireWithinOwnKey = (ctx: AuthorityCtx, accountId: number, wanted: Bounds): void => {
  const { actor, tenantId } = ctx
  if (!actor.key) return
  if (isOwnUser(actor, { tenant_id: tenantId, user_id: accountId })) {
    throw new AppError('keyExceedsOwn', 'A key creates no keys for its own service account')
  }
  const { expiresAt, networks } = actor.key
  const isLonger = expiresAt !== undefined && !(wanted.expiresAt && wanted.expiresAt <= expiresAt)
  if (isLonger || !networks.covers(wanted.allowedCidrs)) {
    throw new AppError('keyExceedsOwn', 'A key creates no keys that live longer or reach further than itself')
  }
}

const described = (account: ServiceAccount, { name, prefix, expires_at, allowed_cidrs }: Key) => ({
  account_id: account.id,
  account: account.name,
  name,
  prefix,
  expires_at,
  allowed_cidrs,
})

/** Creates a key of a service account that does not rank above the caller. Only the answer shows the secret. */
export const createKey = (ctx: Ctx, accountId: number, input: CreateKey): Promise<CreatedKey> => {
  const bounds = boundsOf(ctx, input)
  return changingAuthority(
    ctx,
    (ctx) =>
      Promise.all([
        lockAccountWithCodes(ctx, accountId),
        store.countLivingKeys(ctx.db, accountRefOf(ctx, accountId), ctx.parts.now()),
      ]),
    async (ctx, [{ account, codes }, living]) => {
      requireWithinOwnKey(ctx, accountId, bounds)
      requireGivingUser(ctx, { userId: accountId, codes }, bounds.expiresAt)
      if ((living?.count ?? 0) >= livingKeysMax) {
        throw new AppError(
          'keysFull',
          `A service account has at most ${livingKeysMax} living keys. Revoke one first`,
        )
      }
      const { key, secret } = await addKey(ctx, accountId, { ...bounds, name: input.name })
      record(ctx, {
        action: 'service_account_key.create',
        resourceId: key.id,
        detail: changesBetween({}, described(account, key)),
      })
      return { ...key, secret }
    },
  )
}

const addKey = async (ctx: AuthorityCtx, accountId: number, wanted: Bounds & { name: string }) => {
  const holder = accountRefOf(ctx, accountId)
  const { secret, prefix, hash } = createKeyText(ctx.tenantId, accountId)
  const now = ctx.parts.now()
  const warnAt = warnAtOf(wanted.expiresAt, now)
  const row = { ...holder, ...wanted, prefix, hash, createdBy: ctx.actor.userId, warnAt }
  const [key] = await Promise.all([
    store.insertKey(ctx.db, row, now),
    store.deleteExpiredKeyRows(ctx.db, holder, now, expiredKeysKept),
  ])
  return { key, secret }
}

/**
 * Revokes a key of a service account that does not rank above the caller. After the answer, requests with the key get
 * 401.
 */
export const deleteKey = (ctx: Ctx, accountId: number, id: number): Promise<null> =>
  changingAuthority(
    ctx,
    (ctx) =>
      Promise.all([
        lockAccountWithCodes(ctx, accountId),
        store.selectKey(ctx.db, accountRefOf(ctx, accountId), id),
      ]),
    async (ctx, [{ account, codes }, key]) => {
      if (!key) throw new AppError('keyUnknown', 'The service account has no such key')
      requireRankOverUser(ctx, accountId, codes)
      await store.deleteKeyRow(ctx.db, accountRefOf(ctx, accountId), id)
      record(ctx, {
        action: 'service_account_key.delete',
        resourceId: id,
        detail: changesBetween({ ...described(account, key), created_at: key.created_at }, {}),
      })
      ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId: accountId, sessionId: '' })
      return null
    },
  )

/** The most keys of a round. */
const roundMax = 1000

/** The keys whose end administrators are to be told of. */
export const listDueKeys = ({ parts }: Ctx): Promise<store.DueKey[]> =>
  parts.store.transaction({}, (db) => store.selectDueKeys(db, parts.now(), roundMax), 'tenantry_search')

/** Takes a due warning. Undefined if another process has taken it, or if a newer key lives longer. */
export const takeKeyWarning = async (
  { db, tenantId, parts }: TransactionCtx,
  id: number,
): Promise<store.WarnedKey | undefined> => {
  const warned = await store.updateWarned(db, tenantId, { id, now: parts.now() })
  return warned?.is_replaced ? undefined : warned
}
