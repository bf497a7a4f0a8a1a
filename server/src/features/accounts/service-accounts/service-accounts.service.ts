import {
  changingAuthority,
  codesOfUser,
  requireRankOverUser,
  type AuthorityCtx,
} from '../../../access/authority.ts'
import { isOwnUser } from '../../../access/policies.ts'
import type { Ctx, EarlyCtx, CallerlessCtx } from '../../../context.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, type CountedPage } from '../../../http/schemas.ts'
import { record, changesBetween, naming } from '../../audit/audit/audit.service.ts'
import { withinLimit } from '../../configuration/limits/limits.service.ts'
import type {
  CreateServiceAccount,
  ServiceAccount,
  ServiceAccountQuery,
  UpdateServiceAccount,
} from './service-accounts.schemas.ts'
import * as store from './service-accounts.store.ts'

/** docs/contract.md, "Limits". */
const accountsMax = 1000

const dayMs = 24 * 3_600_000

const accountUnknown = () =>
  new AppError('serviceAccountUnknown', 'The service account does not exist in this tenant')

const nameTaken = (err: unknown): never => {
  throw violatesUnique(err, 'service_accounts_tenant_id_name_key')
    ? new AppError('serviceAccountNameTaken', 'A service account of this name exists in the tenant')
    : err
}

const editable = ({ name, description, status }: ServiceAccount) => ({ name, description, status })

const count = async ({ db, tenantId }: CallerlessCtx, filter: store.ServiceAccountFilter): Promise<number> =>
  (await store.countServiceAccounts(db, tenantId, filter))?.count ?? 0

export const listServiceAccounts = async (
  ctx: Ctx,
  query: ServiceAccountQuery,
): Promise<CountedPage<ServiceAccount>> => {
  const { search, status, page, keys_end_within_days: days } = query
  const now = ctx.parts.now()
  const keysEnd =
    days === undefined ? undefined : { after: now, until: new Date(now.getTime() + days * dayMs) }
  const filter = { search, status, keysEnd }
  const [items, total] = await Promise.all([
    store.selectServiceAccounts(ctx.db, ctx.tenantId, filter, sliceOf(query)),
    count(ctx, filter),
  ])
  return pageOf(items, total, page, false)
}

export const getServiceAccount = async (ctx: Ctx, id: number): Promise<ServiceAccount> => {
  const account = await store.selectServiceAccount(ctx.db, ctx.tenantId, id)
  if (!account) throw accountUnknown()
  return account
}

/** Creates a service account without roles or keys. Throws 409 when the name is taken. */
export const createServiceAccount = (ctx: Ctx, input: CreateServiceAccount): Promise<ServiceAccount> =>
  changingAuthority(
    ctx,
    (ctx) => count(ctx, {}),
    async (ctx, present) => {
      if (present >= accountsMax) {
        throw new AppError(
          'serviceAccountsFull',
          `A tenant has at most ${accountsMax} service accounts. Delete one first`,
        )
      }
      const { name, description = '' } = input
      const row = { tenant_id: ctx.tenantId, name, description }
      const account = await withinLimit(ctx, 'service_accounts', () =>
        store.insertServiceAccount(ctx.db, row, ctx.parts.now()),
      ).catch(nameTaken)
      record(ctx, {
        action: 'service_account.create',
        resourceId: account.id,
        detail: changesBetween({}, editable(account)),
      })
      return account
    },
  )

/** Locks a service account, or throws 404. Returns it with the codes of its permissions. */
export const lockAccountWithCodes = async (ctx: EarlyCtx, id: number) => {
  const [account, codes] = await Promise.all([
    store.selectServiceAccountForUpdate(ctx.db, ctx.tenantId, id),
    codesOfUser(ctx, id),
  ])
  if (!account) throw accountUnknown()
  return { account, codes }
}

const refuseOwnAccount = (ctx: Ctx, id: number, verb: string): void => {
  if (isOwnUser(ctx.actor, { tenant_id: ctx.tenantId, user_id: id })) {
    throw new AppError('ownAccount', `A key cannot ${verb} its own service account`)
  }
}

/** Changes a service account that does not rank above the caller. While the account is disabled, its keys get 401. */
export const updateServiceAccount = (
  ctx: Ctx,
  id: number,
  input: UpdateServiceAccount,
): Promise<ServiceAccount> =>
  changingAuthority(
    ctx,
    (ctx) => lockAccountWithCodes(ctx, id),
    async (ctx, { account: before, codes }) => {
      // Uses only the editable fields: the body may also name an id or a tenant.
      const { name = before.name, description = before.description, status = before.status } = input
      const after = { ...before, name, description, status }
      if (Object.keys(input).length === 0) return before
      requireRankOverUser(ctx, id, codes)
      if (status === 0) refuseOwnAccount(ctx, id, 'disable')
      return keepAccount(ctx, before, after)
    },
  )

const keepAccount = async (
  ctx: AuthorityCtx,
  before: ServiceAccount,
  after: ServiceAccount,
): Promise<ServiceAccount> => {
  const { id, name } = before
  const detail = changesBetween(editable(before), editable(after))
  if (Object.keys(detail).length === 0) return before
  const account = await store.updateServiceAccount(ctx.db, after).catch(nameTaken)
  if (!account) throw accountUnknown()
  record(ctx, {
    action: 'service_account.update',
    resourceId: id,
    detail: { ...naming({ name }), ...detail },
  })
  ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId: id, sessionId: '' })
  return account
}

/** Enables an existing service account, and compares no ranks: the connection that names it was activated. */
export const enableAccount = async (ctx: AuthorityCtx, id: number): Promise<void> => {
  const account = await store.selectServiceAccountForUpdate(ctx.db, ctx.tenantId, id)
  if (account) await keepAccount(ctx, account, { ...account, status: 1 })
}

/** Throws 400 for a directory's account: without it the directory cannot report that users have left. */
const refuseDirectoryAccount = async ({ db, tenantId }: CallerlessCtx, id: number): Promise<void> => {
  if (!(await store.selectConnectionOf(db, tenantId, id))) return
  throw new AppError(
    'directoryAccount',
    'A connection names this service account as its directory. Name another one there first',
  )
}

/**
 * Deletes a service account that does not rank above the caller, with its keys and assignments. Throws 400 for a
 * directory's account.
 */
export const deleteServiceAccount = (ctx: Ctx, id: number): Promise<null> =>
  changingAuthority(
    ctx,
    (ctx) => lockAccountWithCodes(ctx, id),
    async (ctx, { account, codes }) => {
      requireRankOverUser(ctx, id, codes)
      refuseOwnAccount(ctx, id, 'delete')
      await refuseDirectoryAccount(ctx, id)
      removeAccount(ctx, account)
      return null
    },
  )

const removeAccount = (ctx: AuthorityCtx, account: ServiceAccount): void => {
  const { id, created_at } = account
  store.deleteServiceAccountRow(ctx.db, ctx.tenantId, id)
  record(ctx, {
    action: 'service_account.delete',
    resourceId: id,
    detail: changesBetween({ ...editable(account), created_at }, {}),
  })
  ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId: id, sessionId: '' })
}

/**
 * Deletes an existing service account, and compares no ranks: its setup link has ended. Returns false for one that a
 * connection names: it stays.
 */
export const removeUnnamedAccount = async (ctx: AuthorityCtx, id: number): Promise<boolean> => {
  const [account, named] = await Promise.all([
    store.selectServiceAccountForUpdate(ctx.db, ctx.tenantId, id),
    store.selectConnectionOf(ctx.db, ctx.tenantId, id),
  ])
  if (account && !named) removeAccount(ctx, account)
  return !named
}
