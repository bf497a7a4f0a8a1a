import type { App } from '../../../http/app-type.ts'
import { IdParams, Page } from '../../../http/schemas.ts'
import { sendFile } from '../../../http/stream.ts'
import {
  AuditExportQuery,
  AuditQuery,
  CsvText,
  AuditLog,
  NdjsonText,
  OneAuditQuery,
} from './audit.schemas.ts'
import { getAuditLog, listAuditLogs } from './audit.service.ts'
import { exportAuditLogs } from './export.service.ts'
import type { LargeTotals } from './totals.service.ts'

export const auditRoutes = (app: App, large: LargeTotals): void => {
  app.get(
    '/audit/logs',
    {
      config: { allow: 'audit:read', support: 'view' },
      schema: {
        operationId: 'listAuditLogs',
        tags: ['audit'],
        summary: 'Query the audit log',
        description: 'Records of the tenant in scope, newest first.',
        querystring: AuditQuery,
        response: { 200: Page(AuditLog) },
      },
    },
    ({ ctx, query }) => listAuditLogs(ctx, query, large),
  )
  app.get(
    '/audit/logs/:id',
    {
      config: { allow: 'audit:read', support: 'view', fails: ['auditLogUnknown'] },
      schema: {
        operationId: 'getAuditLog',
        tags: ['audit'],
        summary: 'Read an audit record',
        params: IdParams,
        querystring: OneAuditQuery,
        response: { 200: AuditLog },
      },
    },
    ({ ctx, params, query }) => getAuditLog(ctx, params.id, query),
  )
}

/** This route answers a stream without the envelope. */
export const auditExportRoutes = (app: App): void => {
  app.get(
    '/audit/export',
    {
      config: { allow: 'audit:read' },
      schema: {
        operationId: 'exportAuditLogs',
        tags: ['audit'],
        summary: 'Export the audit log',
        description: 'Records of the tenant in scope, oldest first, as a stream.',
        querystring: AuditExportQuery,
        response: {
          200: {
            description: 'Success',
            content: {
              'application/x-ndjson': { schema: NdjsonText },
              'text/csv': { schema: CsvText },
            },
          },
        },
      },
    },
    async ({ ctx, query }, reply) => sendFile(reply, await exportAuditLogs(ctx, query)),
  )
}
