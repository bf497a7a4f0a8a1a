import type { App } from '../../../http/app-type.ts'
import { List, Nothing } from '../../../http/schemas.ts'
import { ApprovalPolicy, PolicyParams, PutApprovalPolicy } from './policies.schemas.ts'
import { deletePolicy, listPolicies, putPolicy } from './policies.service.ts'

export const approvalPolicyRoutes = (app: App): void => {
  app.get(
    '/approval-policies',
    {
      config: { allow: 'approval:read' },
      schema: {
        operationId: 'listApprovalPolicies',
        tags: ['approvals'],
        summary: 'List the operations that need approvals',
        response: { 200: List(ApprovalPolicy) },
      },
    },
    ({ ctx }) => listPolicies(ctx),
  )
  app.put(
    '/approval-policies/:operation',
    {
      config: {
        allow: 'approval:manage',
        fails: ['approversFew', 'unknownPermission', 'approvalElsewhere', 'mfaRequired', 'ownSessionNeeded'],
      },
      schema: {
        operationId: 'putApprovalPolicy',
        tags: ['approvals'],
        summary: 'Make an operation depend on approvals',
        description:
          'Needs an own session with a second factor. While the tenant has a policy, this needs approvals itself, and so does giving `approval:decide`, `approval:manage` or `approval:break_glass`, and recovering a user who may decide.',
        params: PolicyParams,
        body: PutApprovalPolicy,
        response: { 200: ApprovalPolicy },
      },
    },
    ({ ctx, params, body }) => putPolicy(ctx, params.operation, body),
  )
  app.delete(
    '/approval-policies/:operation',
    {
      config: {
        allow: 'approval:manage',
        fails: ['approvalPolicyUnknown', 'approvalElsewhere', 'mfaRequired', 'ownSessionNeeded'],
      },
      schema: {
        operationId: 'deleteApprovalPolicy',
        tags: ['approvals'],
        summary: 'Delete the policy of an operation',
        description: 'Needs an own session with a second factor, and approvals.',
        params: PolicyParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deletePolicy(ctx, params.operation),
  )
}
