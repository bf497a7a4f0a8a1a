import type { App } from '../../../http/app-type.ts'
import { IdParams, Nothing } from '../../../http/schemas.ts'
import { Approval, ApprovalPage, ApprovalQuery, AskApproval, DecideApproval } from './approvals.schemas.ts'
import { askApproval, cancelApproval, getApproval, listApprovals } from './approvals.service.ts'
import { decideApproval } from './decisions.service.ts'
import type { Replay, RunningRehearsals } from './rehearsals.service.ts'

const readingRoutes = (app: App): void => {
  app.get(
    '/approvals',
    {
      config: { allow: 'caller' },
      schema: {
        operationId: 'listApprovals',
        tags: ['approvals'],
        summary: 'List changes that need approval',
        description:
          'All of the tenant with `approval:read` or `approval:decide`, else own ones. Newest first.',
        querystring: ApprovalQuery,
        response: { 200: ApprovalPage },
      },
    },
    ({ ctx, query }) => listApprovals(ctx, query),
  )
  app.get(
    '/approvals/:id',
    {
      config: { allow: 'caller', fails: ['approvalUnknown'] },
      schema: {
        operationId: 'getApproval',
        tags: ['approvals'],
        summary: 'Get one change that needs approval',
        description: 'Own ones need no permission; those of others `approval:read` or `approval:decide`.',
        params: IdParams,
        response: { 200: Approval },
      },
    },
    ({ ctx, params }) => getApproval(ctx, params.id),
  )
}

export const approvalRoutes = (app: App, replay: Replay, running: RunningRehearsals): void => {
  readingRoutes(app)
  app.post(
    '/approvals',
    {
      config: {
        allow: 'caller',
        failsAsOthers: true,
        fails: ['approvalUnasked', 'breakGlassOff', 'approvalElsewhere', 'mfaRequired', 'ownSessionNeeded'],
      },
      schema: {
        operationId: 'askApproval',
        tags: ['approvals'],
        summary: 'Ask others to approve a change',
        description:
          'Makes the change in a transaction that is rolled back, and is refused as the change is. Once it is approved, send the request itself with the header `X-Approval-ID`. Keys may ask; people need an own session with a second factor.',
        body: AskApproval,
        response: { 200: Approval },
      },
    },
    ({ ctx, body }) => askApproval(ctx, replay, running, body),
  )
  app.post(
    '/approvals/:id/decide',
    {
      config: {
        allow: 'approval:decide',
        failsAsOthers: true,
        fails: [
          'approvalUnknown',
          'ownApproval',
          'approvalElsewhere',
          'approvalOver',
          'approvalOutdated',
          'alreadyDecided',
          'mfaRequired',
          'ownSessionNeeded',
        ],
      },
      schema: {
        operationId: 'decideApproval',
        tags: ['approvals'],
        summary: 'Approve or reject a change',
        description:
          'For own users of the tenant, neither the requester nor the person concerned, who could make the change themselves. One rejection ends it.',
        params: IdParams,
        body: DecideApproval,
        response: { 200: Approval },
      },
    },
    ({ ctx, params, body }) => decideApproval(ctx, { replay, running }, params.id, body),
  )
  app.delete(
    '/approvals/:id',
    {
      config: {
        allow: 'caller',
        fails: ['approvalUnknown', 'approvalOver', 'mfaRequired', 'ownSessionNeeded', 'permissionMissing'],
      },
      schema: {
        operationId: 'cancelApproval',
        tags: ['approvals'],
        summary: 'Cancel a change that waits for approval',
        description: 'Own ones need no permission; those of others `approval:manage`.',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => cancelApproval(ctx, params.id),
  )
}
