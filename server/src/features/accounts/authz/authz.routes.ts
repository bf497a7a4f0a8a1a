import type { App } from '../../../http/app-type.ts'
import {
  CheckAnswer,
  CheckQuery,
  CheckQuestion,
  ExplainQuestion,
  Explanation,
  HeldPermissions,
  PermissionsQuestion,
} from './authz.schemas.ts'
import { checkPermissions, explainPermission, getPermissions } from './authz.service.ts'
import type { PermissionCache } from './permission-cache.service.ts'
import { Preview, PreviewQuestion } from './preview.schemas.ts'
import { previewChanges, type RunningPreviews } from './preview.service.ts'

export const authzRoutes = (
  app: App,
  permissionCache: PermissionCache,
  runningPreviews: RunningPreviews,
): void => {
  app.get(
    '/authz/permissions',
    {
      config: { allow: 'caller', support: 'view', fails: ['userUnknown', 'sessionUnknown'] },
      schema: {
        operationId: 'getHeldPermissions',
        tags: ['authz'],
        summary: 'List the permissions a user holds',
        description: 'Callers read their own without a permission; those of others need `authz:check`.',
        querystring: PermissionsQuestion,
        response: { 200: HeldPermissions },
      },
    },
    ({ ctx, query }) => getPermissions(ctx, query),
  )
  app.post(
    '/authz/check',
    {
      config: {
        allow: 'caller',
        support: 'view',
        fails: ['unknownPermission', 'userUnknown', 'sessionUnknown'],
      },
      schema: {
        operationId: 'checkPermissions',
        tags: ['authz'],
        summary: 'Check whether a user holds permissions',
        description:
          'Questions about oneself need no permission, those about others `authz:check`. A disabled user is allowed nothing, and neither is a user of a disabled tenant.',
        querystring: CheckQuery,
        body: CheckQuestion,
        response: { 200: CheckAnswer },
      },
    },
    ({ ctx, body, query }) => checkPermissions(ctx, permissionCache, body, query),
  )
  app.post(
    '/authz/explain',
    {
      config: { allow: 'role:read', allowAlso: 'user:read', fails: ['unknownPermission', 'userUnknown'] },
      schema: {
        operationId: 'explainPermission',
        tags: ['authz'],
        summary: 'Explain why a user may or may not do something',
        body: ExplainQuestion,
        response: { 200: Explanation },
      },
    },
    ({ ctx, body }) => explainPermission(ctx, body),
  )
  app.post(
    '/authz/preview',
    {
      config: { allow: 'role:read', allowAlso: 'user:read' },
      schema: {
        operationId: 'previewChanges',
        tags: ['authz'],
        summary: 'Tell whom changes would give or take permissions',
        description:
          'Makes the changes in a transaction that is rolled back. A caller has one preview at a time. A change for which the caller lacks the permission is `refused`.',
        body: PreviewQuestion,
        response: { 200: Preview },
      },
    },
    ({ ctx, body }) => previewChanges(ctx, body.changes, runningPreviews),
  )
}
