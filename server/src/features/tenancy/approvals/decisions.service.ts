/** Decisions about changes of others. */
import type { GatheredRequest } from '../../../access/operations.ts'
import { requireFullSession } from '../../../access/policies.ts'
import { inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { AppError, orRefusal } from '../../../errors/app-error.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import type { Approval, DecideApproval } from './approvals.schemas.ts'
import { approvalOver, approvalUnknown, belowBase, getStored } from './approvals.service.ts'
import * as store from './approvals.store.ts'
import { requireOwnUser } from './policies.service.ts'
import {
  findChange,
  oneAtATime,
  rehearseRequest,
  type Replay,
  type RunningRehearsals,
} from './rehearsals.service.ts'

const ownApproval = () =>
  new AppError('ownApproval', 'You asked for this change, or it concerns you. Another person decides')

/** Throws 403 for the requester's person and the people concerned, and 409 for what is not open to this decision. */
const requireOpen = async (
  { actor, db, tenantId }: Ctx,
  approval: store.StoredApproval,
  { digest }: DecideApproval,
): Promise<void> => {
  const { accountId, userId } = actor
  const { requested_by: requester, requester_tenant: elsewhere, requester_account: account } = approval
  const [concerned, makers] = await Promise.all([
    store.selectAccounts(db, tenantId, approval.concerned),
    account === null && elsewhere === null ? store.selectKeyMakers(db, tenantId, requester.id) : [],
  ])
  const persons = new Set([
    account,
    ...approval.maker_accounts,
    ...[...concerned, ...makers].map((one) => one.account_id),
  ])
  if (persons.has(accountId ?? null) || approval.concerned.includes(userId)) throw ownApproval()
  if (approval.status !== 'pending') throw approvalOver(approval.status)
  if (approval.digest !== digest) {
    throw new AppError('approvalOutdated', 'This is another change than the one you saw. Read it again')
  }
}

/** The request that shows whether the decider could make the change. An elevation counts as an assignment. */
const rehearsed = (approval: store.StoredApproval, now: Date): GatheredRequest => {
  const { method, body, operations } = approval
  const path = belowBase(approval.path)
  if (!operations.includes('elevation.start')) return { method, path, body }
  const { role_id: roleId, minutes } = body as { role_id: number; minutes: number }
  const end = new Date(now.getTime() + (minutes + 1) * 60_000)
  return {
    method,
    path: `/rbac/users/${approval.requested_by.id}/roles`,
    body: { role_id: roleId, expires_at: end.toISOString() },
  }
}

interface Rehearsing {
  replay: Replay
  running: RunningRehearsals
}

/**
 * Throws unless the decider could make the change. A decider may also reject a change that has become impossible for
 * everybody.
 */
const requireCapable = async (
  ctx: Ctx,
  { replay, running }: Rehearsing,
  approval: store.StoredApproval,
  approves: boolean,
): Promise<void> => {
  const request = rehearsed(approval, ctx.parts.now())
  const refusal = await orRefusal(
    oneAtATime(ctx, running, () => rehearseRequest(ctx, replay, request, { find: findChange })),
  )
  if (!(refusal instanceof AppError)) return
  const isImpossible = [400, 404, 409].includes(refusal.status)
  if (approves || !isImpossible) throw refusal
}

const find = async (found: Promise<store.StoredApproval | undefined>): Promise<store.StoredApproval> => {
  const approval = await found
  if (!approval) throw approvalUnknown()
  return approval
}

/**
 * Approves or rejects a change. Throws 403 for callers of another tenant, for the requester's person and the person
 * concerned. Throws the refusal of the change, which is rehearsed as the decider's. One rejection ends the request.
 */
export const decideApproval = async (
  outer: Ctx,
  rehearsing: Rehearsing,
  id: number,
  input: DecideApproval,
): Promise<Approval> => {
  const approval = await find(store.selectApproval(outer.db, outer.tenantId, id))
  requireMayDecide(outer)
  await requireOpen(outer, approval, input)
  await requireCapable(outer, rehearsing, approval, input.approve)
  return inTransaction(outer, async (ctx) => {
    requireMayDecide(ctx)
    const locked = await find(store.selectApprovalForUpdate(ctx.db, ctx.tenantId, id))
    await requireOpen(ctx, locked, input)
    decide(ctx, locked, input)
    return getStored(ctx, id)
  })
}

const requireMayDecide = (ctx: Ctx): void => {
  requireOwnUser(ctx)
  requireFullSession(ctx.actor)
}

const decide = (
  ctx: TransactionCtx,
  { id, approvals, decisions, requested_by, reason }: store.StoredApproval,
  { approve, comment = '' }: DecideApproval,
): void => {
  const { db, tenantId, actor } = ctx
  const { userId, accountId = 0, name: username } = actor
  if (decisions.some(({ user }) => user.id === userId)) throw alreadyDecided()
  store.insertDecision(db, tenantId, { approvalId: id, userId, accountId, username, approve, comment })
  const approved = decisions.filter((one) => one.approve).length + 1
  if (!approve) store.updateStatus(db, tenantId, id, 'rejected')
  else if (approved >= approvals) store.updateStatus(db, tenantId, id, 'approved')
  record(ctx, {
    action: 'approval.decide',
    resourceId: id,
    detail: {
      ...naming({ requested_by: requested_by.name, reason, ...(comment !== '' && { comment }) }),
      approve: { from: null, to: approve },
    },
  })
}

const alreadyDecided = () => new AppError('alreadyDecided', 'You have decided this already')
