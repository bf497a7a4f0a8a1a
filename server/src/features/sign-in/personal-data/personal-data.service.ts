import {
  policies,
  requireMay,
  requireMfa,
  requireOwnSignIn,
  requireUnrestricted,
} from '../../../access/policies.ts'
import { selectTenantInScope } from '../../../access/tenancy.store.ts'
import type { Limit } from '../../../cache/cache.ts'
import {
  inTenantWithin,
  inTransaction,
  inTransactionAfter,
  requireStillAllowed,
  tokenInvalid,
  type Ctx,
  type TransactionCtx,
} from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { capacityOf } from '../../configuration/attributes/attribute-access.service.ts'
import { listUsersOfAccount, recordForAccount } from '../../accounts/accounts/accounts.service.ts'
import { passwordWrong, requireOwnPassword } from '../../accounts/accounts/credentials.service.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import { isPasswordStill } from '../auth/invited-account.service.ts'
import {
  listFactorsOfAccount,
  needsSecondStep,
  readSecondStep,
} from '../../accounts/factors/factors.service.ts'
import { listIdentitiesOfAccount } from '../../accounts/identities/identities.service.ts'
import { ownSession } from '../../accounts/sessions/sessions.service.ts'
import { getUser, userUnknown } from '../../accounts/users/users.service.ts'
import { list, listOfPieces, object, value, type Pieces } from './json-pieces.ts'
import { batchesOf, membershipFields, type Check } from './membership.service.ts'
import type { ExportAccount, ExportedInvitation, ExportedSignIn } from './personal-data.schemas.ts'
import * as store from './personal-data.store.ts'

const contentType = 'application/json; charset=utf-8'

/** An export reads much data, and a person needs few exports. */
const perAccount: Limit = { name: 'account-export', points: 3, windowSeconds: 86_400 }

/** Counts an export of an account. Uncounts a refused export. Throws 429 for the fourth export within a day. */
const countingExport = async <T>({ parts }: Ctx, accountId: number, work: () => Promise<T>): Promise<T> => {
  if (!parts.config.rateLimit) return work()
  const key = String(accountId)
  const { allowed, retryAfterSeconds } = await parts.cache.consume(perAccount, key)
  try {
    if (!allowed) {
      throw new AppError('tooManyRequests', 'At most 3 exports within a day. Try again later', {
        retryAfterSeconds,
      })
    }
    return await work()
  } catch (err) {
    await parts.cache.giveBack(perAccount, key)
    throw err
  }
}

/**
 * A file with the data that all tenants store about the caller. Each tenant gets an audit record. Throws 401 for a
 * wrong password, and 429 for the fourth export within a day. Throws 403 in a session of an application, in a session
 * that one of the person's tenants restricts, and without the account's second factor. The stream ends early when the
 * session ends.
 */
export const exportAccount = async (ctx: Ctx, { password }: ExportAccount) => {
  requireOwnSignIn(ctx.actor)
  const { accountId } = ownSession(ctx.actor)
  const proved = await requireOwnPassword(ctx, password)
  await countingExport(ctx, accountId, () =>
    inTransactionAfter(
      ctx,
      (ctx) => isPasswordStill(ctx, proved),
      async (ctx, isStill) => {
        if (!isStill) throw passwordWrong()
        await requireSafe(ctx, accountId)
        await recordForAccount(ctx, accountId, { action: 'account.export' })
      },
    ),
  )
  return { contentType, fileName: 'personal-data.json', body: accountPieces(ctx, accountId) }
}

/** The file has data of every tenant, so it needs a second factor if any of these tenants requires one. */
const requireSafe = async (ctx: TransactionCtx, accountId: number): Promise<void> => {
  if (needsSecondStep(await readSecondStep(ctx, accountId))) requireMfa(ctx.actor)
  for (const { tenant_id: tenantId } of await listUsersOfAccount(ctx, accountId)) {
    await inTenantWithin(ctx, tenantId, async (ctx) => {
      const tenant = await selectTenantInScope(ctx.db, tenantId)
      if (tenant) requireUnrestricted(ctx.actor, undefined, tenant)
    })
  }
}

async function* accountPieces(ctx: Ctx, accountId: number): Pieces {
  const { db, parts } = ctx
  const check: Check = () => requireStillAllowed(ctx)
  const found = await store.selectAccount(db, accountId)
  if (!found) throw tokenInvalid()
  const { email_folded: email, ...account } = found
  yield* object({
    exported_at: value(parts.now().toISOString()),
    account: value(account),
    factors: value(await listFactorsOfAccount(ctx, accountId)),
    identities: value(await listIdentitiesOfAccount(ctx, accountId)),
    devices: value(await store.selectDevices(db, accountId)),
    sign_ins: list(batchesOf<ExportedSignIn>(check, (last) => store.selectSignInsAfter(db, accountId, last))),
    // Only a person who has proved the mailbox gets the invitations: they were sent to the owner of the address.
    invitations: account.email_confirmed ? list(invitationBatches(ctx, email, check)) : value([]),
    memberships: listOfPieces(membershipPieces(ctx, accountId, check)),
  })
}

const invitationBatches = ({ parts }: Ctx, email: string, check: Check) =>
  batchesOf<ExportedInvitation>(check, (last) =>
    parts.store.transaction(
      {},
      (db) => store.selectInvitationsAfter(db, email, parts.now(), last),
      'tenantry_login',
    ),
  )

async function* membershipPieces(ctx: Ctx, accountId: number, check: Check): AsyncGenerator<Pieces> {
  const db = ctx.parts.store.scoped({ accountId })
  for await (const users of batchesOf<store.ExportedUserId>(check, (last) =>
    store.selectUsersAfter(db, accountId, last),
  )) {
    for (const user of users) {
      const fields = await membershipFields(ctx, user, check)
      if (fields) yield object(fields)
    }
  }
}

/**
 * A file with the data that the tenant in scope stores about a user. Throws 404 for an unknown user. Writes an audit
 * record. The stream ends early when the caller loses a permission.
 */
export const exportUser = async (ctx: Ctx, id: number) => {
  await inTransaction(ctx, async (ctx) => {
    requireMay(ctx.actor, policies.receiveRecords, undefined)
    const { username } = await getUser(ctx, id)
    record(ctx, { action: 'user.export', resourceId: id, detail: naming({ username }) })
  })
  return { contentType, fileName: `user-${id}.json`, body: userPieces(ctx, id) }
}

async function* userPieces(ctx: Ctx, userId: number): Pieces {
  const { db, parts, tenantId } = ctx
  const who = { tenantId, userId }
  const check: Check = async () =>
    requireMay(await requireStillAllowed(ctx), policies.receiveRecords, undefined)
  const fields = await membershipFields(ctx, who, check, ['self', capacityOf(ctx.actor)])
  if (!fields) throw userUnknown()
  const invitations = batchesOf<ExportedInvitation>(check, (last) =>
    store.selectInvitationsOfUserAfter(db, who, parts.now(), last),
  )
  yield* object({ exported_at: value(parts.now().toISOString()), ...fields, invitations: list(invitations) })
}
