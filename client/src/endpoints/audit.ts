import { path, type Api } from '../api.ts'
import type { AuditLog, ExportAuditLogsQuery, ListAuditLogsQuery } from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** The audit log of the tenant in scope. */
export const auditEndpoints = ({ ask, askPage, askAll, askFile }: Api) => ({
  /**
   * Lists audit records, newest first, a page at a time. Needs `audit:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * const { items } = await client.audit.list({ action: 'role.create', page: 1 })
   * for (const { user_id, created_at, detail } of items) console.log(user_id, created_at, detail)
   */
  list: (query: ListAuditLogsQuery = {}, options?: CallOptions) =>
    askPage<AuditLog>('/audit/logs', query, options),

  /**
   * Loops over all matching records, newest first. It fetches a page (200 records unless `page_size` says otherwise) when
   * the loop comes to it. `export` is faster for many records. Needs `audit:read`.
   *
   * @throws ApiError from the loop: 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * for await (const record of client.audit.all({ resource: 'user' })) {
   *   if (record.created_at < '2026-01-01') break
   *   console.log(record.action, record.resource_id)
   * }
   */
  all: (query: Omit<ListAuditLogsQuery, 'page'> = {}, options?: CallOptions) =>
    askAll<AuditLog>('/audit/logs', 'before_id', query, options),

  /**
   * Reads an audit record. Needs `audit:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `auditLogUnknown`
   * @example
   * console.log((await client.audit.get(812)).detail)
   */
  get: (id: number, options?: CallOptions) => ask<AuditLog>('GET', path`/audit/logs/${id}`, {}, options),

  /**
   * Exports the audit log as a file, oldest first. The answer's `body` is a stream, and `blob()` reads the whole file.
   * `timeoutMs` ends when the file begins. Reading rejects when the connection breaks off, so that no file is cut short
   * unnoticed. Needs `audit:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * const file = await client.audit.export({ format: 'csv', from: '2026-01-01T00:00:00Z' })
   * console.log((await file.blob()).size)
   */
  export: (query: ExportAuditLogsQuery = {}, options?: CallOptions) =>
    askFile('/audit/export', query, options),
})
