/** Makes a change with an approval, in one transaction. */
import type { GatheredRequest, UsedApproval } from '../../../access/operations.ts'
import { approvalNeeded, type Demand } from '../../../access/approval-wall.ts'
import type { PermissionCode } from '../../../access/permissions.ts'
import { isAllowed } from '../../../access/policies.ts'
import { lockTenantAuthority } from '../../../access/tenancy.store.ts'
import type { Ctx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { inOneSession } from '../../../rehearsal.ts'
import type { ApprovedChange } from './approvals.schemas.ts'
import { approvalOver, approvalUnknown, breakGlassOff, isRequester } from './approvals.service.ts'
import * as store from './approvals.store.ts'
import { selectApprovers, type Approver } from './policies.store.ts'
import { findChange, newGathering, readPolicies } from './rehearsals.service.ts'

const decide: PermissionCode = 'approval:decide'

/** Locks an approved change of the caller. Throws 404 for one of somebody else, and 409 unless it is approved. */
const take = async (ctx: Ctx, id: number): Promise<store.StoredApproval> =>
  ctx.parts.store.transaction({ tenantId: ctx.tenantId }, async (db) => {
    // Approvers and policies stay as they are read now until the change is made.
    await lockTenantAuthority(db, ctx.tenantId)
    const approval = await store.selectApprovalForUpdate(db, ctx.tenantId, id)
    if (!approval || !isRequester(ctx, approval)) throw approvalUnknown()
    if (approval.status !== 'approved') throw approvalOver(approval.status)
    return approval
  })

/** Those who approved and may still decide, before the change. */
const findApprovers = async (ctx: Ctx, { decisions }: store.StoredApproval): Promise<Approver[]> => {
  const ids = decisions.filter(({ approve }) => approve).map(({ user }) => user.id)
  const found = await selectApprovers(ctx.db, ctx.tenantId, ids)
  return found.filter(({ codes }) => codes.includes(decide))
}

interface Agreed {
  approval: store.StoredApproval
  approvers: Approver[]
}

/** Throws 403 unless as many people as the policies ask still may decide and make this change. */
const requireApprovers = ({ approvers }: Agreed, demand: Demand, needed: ReadonlySet<string>): void => {
  const capable = approvers.filter(({ codes }) => [...needed].every((code) => codes.includes(code)))
  if (capable.length >= demand.approvals) return
  throw new AppError(
    'approverMissing',
    `${demand.approvals} people must approve who may decide and make this change; there are ${capable.length}. Ask anew`,
  )
}

const requireAgreed = (ctx: Ctx, agreed: Agreed, demand: Demand, needed: ReadonlySet<string>): void => {
  if (!agreed.approval.break_glass) return requireApprovers(agreed, demand, needed)
  if (!demand.break_glass) throw breakGlassOff()
  if (!isAllowed(ctx.actor, 'approval:break_glass')) throw approvalNeeded(demand)
}

/**
 * Makes a change with an approval. One transaction locks the approval, and finds the policies and the approvers as they
 * are. It makes the change by all of its usual rules, compares its digest, and uses the approval up. A failed call
 * spends nothing.
 */
export const useApproval = <T>(
  outer: Ctx,
  { id, request }: { id: number; request: GatheredRequest },
  make: (ctx: Ctx) => Promise<T>,
): Promise<T> =>
  inOneSession(outer, async (ctx) => {
    const approval = await take(ctx, id)
    const policies = await readPolicies(ctx)
    const agreed = { approval, approvers: await findApprovers(ctx, approval) }
    const gathering = { ...newGathering(ctx), approval: usedOf(agreed), request }
    const result = await make({ ...ctx, gathering })
    const { demand, digest, change } = await findChange(ctx, policies, gathering)
    if (digest.toString('hex') !== approval.digest) {
      throw new AppError('approvalOutdated', 'This is another change than the approved one. Ask for it anew')
    }
    if (demand) requireAgreed(ctx, agreed, demand, neededOf(ctx, gathering.needed, change))
    await spend(ctx, id)
    return result
  })

/** The permissions that the change asked of its caller: that of its endpoint, and all that it gives. */
const neededOf = ({ allow }: Ctx, needed: ReadonlySet<string>, { gives }: ApprovedChange): Set<string> =>
  new Set([...needed, ...gives, ...(allow?.includes(':') ? [allow] : [])])

const usedOf = ({ approval, approvers }: Agreed): UsedApproval => ({
  id: approval.id,
  reason: approval.reason,
  approved_by: approvers.map(({ id, name }) => ({ id, name })),
})

const spend = ({ parts, tenantId }: Ctx, id: number): Promise<void> =>
  parts.store.transaction({ tenantId }, async (db) => store.updateStatus(db, tenantId, id, 'done'))
