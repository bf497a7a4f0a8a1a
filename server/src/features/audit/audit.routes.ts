import type { App } from '../../http/app-type.ts'
import { Page } from '../../http/schemas.ts'
import { AuditLog, AuditQuery } from './audit.schemas.ts'
import { listAuditLogs } from './audit.service.ts'

export const auditRoutes = (app: App): void => {
  app.get(
    '/audit/logs',
    {
      config: { allow: 'audit:read', fails: [400] },
      schema: {
        operationId: 'listAuditLogs',
        tags: ['audit'],
        summary: 'Query the audit log',
        description: 'Records of the tenant in scope, newest first.',
        querystring: AuditQuery,
        response: { 200: Page(AuditLog) },
      },
    },
    ({ ctx, query }) => listAuditLogs(ctx, query),
  )
}
