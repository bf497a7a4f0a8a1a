/** The operations of a tenant that need approvals. */
import { changingAuthority, type AuthorityCtx } from '../../../access/authority.ts'
import { platformOperations } from '../../../access/operations.ts'
import { builtInTenant, type PermissionCode } from '../../../access/permissions.ts'
import { isOwnTenant, requireFullSession } from '../../../access/policies.ts'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { listUnknownCodes } from '../../accounts/roles/roles.service.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import type { ApprovalPolicy, PolicyOperation, PutApprovalPolicy } from './policies.schemas.ts'
import * as store from './policies.store.ts'

export const listPolicies = ({ db, tenantId }: Ctx): Promise<ApprovalPolicy[]> =>
  store.selectPolicies(db, tenantId)

/** Throws 403 for callers of another tenant: own users set policies, decide and break the glass. */
export const requireOwnUser = ({ actor, tenantId }: Ctx): void => {
  if (!isOwnTenant(actor, tenantId)) {
    throw new AppError('approvalElsewhere', 'Only users of this tenant do this. Ask one of them')
  }
}

const decide: PermissionCode = 'approval:decide'

/** Throws 400 unless enough people may decide without an end: one more than a change needs. */
const requireDeciders = async ({ db, tenantId }: TransactionCtx, approvals: number): Promise<void> => {
  const { count } = await store.countDeciders(db, tenantId, decide, approvals + 1)
  if (count > approvals) return
  throw new AppError(
    'approversFew',
    `${approvals + 1} enabled users need a second factor and approval:decide without an end; there are ${count}`,
  )
}

const requireFitting = async (ctx: Ctx, operation: PolicyOperation, codes: string[]): Promise<void> => {
  if (platformOperations.has(operation) && ctx.tenantId !== builtInTenant.id) {
    throw invalid('operation', 'is one of the built-in tenant')
  }
  if (codes.length > 0 && operation !== 'authority.give') {
    throw invalid('permission_codes', 'must be empty: only authority.give has them')
  }
  const unknown = await listUnknownCodes(ctx, codes)
  if (unknown.length > 0) {
    throw invalid('permission_codes', `no permission has the code ${unknown.join(', ')}`, 'unknownPermission')
  }
}

const fields = ({ operation: _operation, ...policy }: ApprovalPolicy) => policy

/** Creates or replaces a policy. While the tenant has any, this needs approvals itself. */
export const putPolicy = async (
  outer: Ctx,
  operation: PolicyOperation,
  { approvals, permission_codes: codes = [], break_glass: breakGlass = false }: PutApprovalPolicy,
): Promise<ApprovalPolicy> => {
  requireMaySet(outer)
  const policy = {
    operation,
    approvals,
    permission_codes: [...new Set(codes)].toSorted(),
    break_glass: breakGlass,
  }
  await requireFitting(outer, operation, policy.permission_codes)
  return changingAuthority(
    outer,
    ({ db, tenantId }) => store.selectPolicy(db, tenantId, operation),
    async (ctx, before) => {
      requireMaySet(ctx)
      await requireDeciders(ctx, approvals)
      const detail = changesBetween(before ? fields(before) : {}, fields(policy))
      if (Object.keys(detail).length === 0) return policy
      store.upsertPolicy(ctx.db, ctx.tenantId, policy)
      record(ctx, {
        action: 'approval_policy.update',
        resourceId: operation,
        detail: { ...naming({ operation }), ...detail },
      })
      return policy
    },
  )
}

const requireMaySet = (ctx: Ctx): void => {
  requireOwnUser(ctx)
  requireFullSession(ctx.actor)
}

/** Deletes a policy, which needs approvals itself. */
export const deletePolicy = (outer: Ctx, operation: PolicyOperation): Promise<null> =>
  changingAuthority(
    outer,
    ({ db, tenantId }) => store.selectPolicy(db, tenantId, operation),
    async (ctx, policy) => {
      requireMaySet(ctx)
      if (!policy) throw policyUnknown()
      await store.deletePolicyRow(ctx.db, ctx.tenantId, operation)
      recordRemoval(ctx, policy)
      return null
    },
  )

const policyUnknown = () =>
  new AppError('approvalPolicyUnknown', 'The tenant has no policy for this operation')

const recordRemoval = (ctx: AuthorityCtx, policy: ApprovalPolicy): void =>
  record(ctx, {
    action: 'approval_policy.delete',
    resourceId: policy.operation,
    detail: changesBetween({ ...policy }, {}),
  })

/** Deletes all policies of the tenant in scope, by the operator. Returns their number. */
export const deletePoliciesByOperator = (ctx: Ctx): Promise<number> =>
  changingAuthority(
    ctx,
    ({ db, tenantId }) => store.selectPolicies(db, tenantId),
    async (ctx, policies) => {
      await store.deletePolicyRows(ctx.db, ctx.tenantId)
      for (const policy of policies) recordRemoval(ctx, policy)
      return policies.length
    },
  )
