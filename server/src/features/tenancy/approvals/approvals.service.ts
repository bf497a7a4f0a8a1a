/** Changes that others must approve: asked for, listed and cancelled. */
import { isOwnUser, may, policies, requireAllowed, requireFullSession } from '../../../access/policies.ts'
import type { GatheredRequest } from '../../../access/operations.ts'
import { inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, totalMax, type CountedPage } from '../../../http/schemas.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import type { Approval, ApprovalQuery, AskApproval } from './approvals.schemas.ts'
import * as store from './approvals.store.ts'
import { notifyDeciders } from './notices.service.ts'
import { requireOwnUser } from './policies.service.ts'
import {
  findChange,
  oneAtATime,
  rehearseRequest,
  unasked,
  type Found,
  type Replay,
  type RunningRehearsals,
} from './rehearsals.service.ts'

/** docs/contract.md, "Approvals". */
const waitingMax = 100
const breakGlassPerHour = 5
const bodyBytesMax = 65_536
const urgentReasonMin = 20

const basePath = '/api/v1'

const requesterOf = ({ actor }: Ctx) => ({
  id: actor.userId,
  tenantId: actor.tenantId,
  accountId: actor.accountId,
  name: actor.name,
})

/** A path without the base path of the API, which a request may name. */
export const belowBase = (path: string): string =>
  path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path

/** A request as it is sent again. */
const requestOf = ({ method, path, body = null }: AskApproval): GatheredRequest => {
  if (Buffer.byteLength(JSON.stringify(body)) > bodyBytesMax) {
    throw invalid('body', 'must have at most 64 KiB as JSON')
  }
  return { method, path: belowBase(path), body }
}

/** Throws 403 unless the caller may ask: a key, or a person in a session of their own with a second factor. */
const requireMayAsk = (ctx: Ctx, { break_glass: isUrgent = false, reason }: AskApproval): void => {
  if (isUrgent || ctx.actor.key === undefined) requireFullSession(ctx.actor)
  if (!isUrgent) return
  requireOwnUser(ctx)
  requireAllowed(ctx.actor, 'approval:break_glass')
  if (reason.length < urgentReasonMin) {
    throw invalid('reason', `must have at least ${urgentReasonMin} characters, to break the glass`)
  }
}

const requireRoom = async (ctx: TransactionCtx, isUrgent: boolean): Promise<void> => {
  store.lockRequests(ctx.db, ctx.tenantId)
  const [waiting, broken] = await Promise.all([
    store.countWaiting(ctx.db, ctx.tenantId, requesterOf(ctx)),
    isUrgent ? store.countBreakGlass(ctx.db, ctx.tenantId) : { count: 0 },
  ])
  if (waiting.count >= waitingMax) {
    throw new AppError('tooManyRequests', `${waitingMax} of your requests wait. Cancel one first`, {
      retryAfterSeconds: 60,
    })
  }
  if (broken.count >= breakGlassPerHour) {
    throw new AppError(
      'tooManyRequests',
      `The glass was broken ${breakGlassPerHour} times within an hour. Ask others to approve`,
      { retryAfterSeconds: 600 },
    )
  }
}

/**
 * Asks others to approve a change, which is rehearsed. Throws the refusal of the change, and 400 if no policy asks. With
 * `break_glass` it is approved at once, and all who may decide learn it.
 */
export const askApproval = async (
  outer: Ctx,
  replay: Replay,
  running: RunningRehearsals,
  input: AskApproval,
): Promise<Approval> => {
  const { reason, break_glass: isUrgent = false } = input
  requireMayAsk(outer, input)
  const request = requestOf(input)
  const found = await oneAtATime(outer, running, () =>
    rehearseRequest(outer, replay, request, { find: findChange }),
  )
  const { demand } = found
  if (!demand) throw unasked()
  if (isUrgent && !demand.break_glass) throw breakGlassOff()
  return inTransaction(outer, async (ctx) => {
    requireMayAsk(ctx, input)
    await requireRoom(ctx, isUrgent)
    const { id } = await store.insertApproval(ctx.db, {
      tenantId: ctx.tenantId,
      requester: requesterOf(ctx),
      operations: demand.operations,
      approvals: demand.approvals,
      method: input.method,
      path: input.path,
      body: found.request.body,
      change: found.change,
      concerned: found.concerned,
      reason,
      digest: found.digest,
      isBreakGlass: isUrgent,
    })
    recordRequest(ctx, id, { ...input, found })
    if (isUrgent) await notifyDeciders(ctx, reason)
    return getStored(ctx, id)
  })
}

export const breakGlassOff = () =>
  new AppError(
    'breakGlassOff',
    'The policies of this change do not allow to break the glass. Ask others to approve',
  )

const recordRequest = (
  ctx: TransactionCtx,
  id: number,
  { reason, method, path, break_glass: isUrgent = false, found }: AskApproval & { found: Found },
): void =>
  record(ctx, {
    action: 'approval.request',
    resourceId: id,
    detail: {
      ...naming({ reason, request: `${method} ${path.split('?', 1)[0]}` }),
      operations: { from: null, to: found.demand?.operations ?? [] },
      ...(isUrgent && { break_glass: { from: false, to: true } }),
    },
  })

export const approvalUnknown = () =>
  new AppError('approvalUnknown', 'The approval does not exist in this tenant')

const withoutHidden = ({
  requester_tenant: _tenant,
  requester_account: _account,
  maker_accounts: _makers,
  concerned: _concerned,
  ...approval
}: store.StoredApproval): Approval => approval

export const getStored = async ({ db, tenantId }: Ctx, id: number): Promise<Approval> => {
  const found = await store.selectApproval(db, tenantId, id)
  if (!found) throw approvalUnknown()
  return withoutHidden(found)
}

/** True for callers who see every approval of the tenant. Others see their own. */
const seesAll = ({ actor }: Ctx): boolean =>
  may(actor, policies.readApprovals, undefined) || may(actor, policies.decideApprovals, undefined)

export const isRequester = ({ actor, tenantId }: Ctx, approval: store.StoredApproval): boolean =>
  isOwnUser(actor, { user_id: approval.requested_by.id, tenant_id: approval.requester_tenant ?? tenantId })

/** An approval. Throws 404 for one of another requester, unless the caller sees all. */
export const getApproval = async (ctx: Ctx, id: number): Promise<Approval> => {
  const found = await store.selectApproval(ctx.db, ctx.tenantId, id)
  if (!found || !(seesAll(ctx) || isRequester(ctx, found))) throw approvalUnknown()
  return withoutHidden(found)
}

/** Approvals of the tenant in scope, newest first: all, or the caller's own. */
export const listApprovals = async (ctx: Ctx, query: ApprovalQuery): Promise<CountedPage<Approval>> => {
  const { userId: id, tenantId } = ctx.actor
  const filter = {
    requester: seesAll(ctx) ? undefined : { id, tenantId },
    status: query.status,
    beforeId: query.before_id,
  }
  const [items, { count }] = await Promise.all([
    store.selectApprovals(ctx.db, ctx.tenantId, filter, sliceOf(query)),
    store.countApprovals(ctx.db, ctx.tenantId, filter, totalMax),
  ])
  return pageOf(items, count, query.page, true)
}

export const approvalOver = (status: string) =>
  new AppError('approvalOver', `The approval is ${status}. Ask for another one if it is still needed`)

/** Throws 404 for an approval that the caller may not see, and 403 for one that the caller may not cancel. */
const requireMayCancel = (ctx: Ctx, approval: store.StoredApproval): void => {
  const { actor } = ctx
  const isOwn = isRequester(ctx, approval)
  const sees = isOwn || seesAll(ctx) || may(actor, policies.cancelApprovals, undefined)
  if (!sees) throw approvalUnknown()
  if (!(isOwn && actor.key)) requireFullSession(actor)
  if (!isOwn) requireAllowed(actor, 'approval:manage')
}

const isWaiting = ({ status }: Approval): boolean => status === 'pending' || status === 'approved'

/** Cancels an approval that waits. Callers need `approval:manage`, except for their own. */
export const cancelApproval = (outer: Ctx, id: number): Promise<null> =>
  inTransaction(outer, async (ctx) => {
    const found = await store.selectApprovalForUpdate(ctx.db, ctx.tenantId, id)
    if (!found) throw approvalUnknown()
    requireMayCancel(ctx, found)
    if (!isWaiting(found)) throw approvalOver(found.status)
    store.updateStatus(ctx.db, ctx.tenantId, id, 'cancelled')
    record(ctx, {
      action: 'approval.cancel',
      resourceId: id,
      detail: naming({ requested_by: found.requested_by.name, reason: found.reason }),
    })
    return null
  })
