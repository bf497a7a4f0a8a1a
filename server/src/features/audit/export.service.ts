import { Readable } from 'node:stream'
import { requireStillAllowed, type Ctx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { spreadsheetFormula } from '../../text.ts'
import type { AuditExportQuery, AuditLog } from './audit.schemas.ts'
import { filterOf } from './audit.service.ts'
import { selectAuditLogsAfter, type AuditFilter } from './audit.store.ts'
import { lineOf } from './chain.ts'
import { exportSealed } from './sealed-export.service.ts'

/** Records of one read: bounds the memory of an export of any length. */
const batchRows = 1000

const csvColumns = [
  'id',
  'tenant_id',
  'user_id',
  'action',
  'resource',
  'resource_id',
  'detail',
  'ip',
  'user_agent',
  'trace_id',
  'created_at',
] as const satisfies readonly (keyof AuditLog)[]

/** A cell by RFC 4180. Any client can send a user agent that a spreadsheet would run as a formula. */
const csvCell = (value: unknown): string => {
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const harmless = spreadsheetFormula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const formats = {
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: '',
    line: (log: AuditLog) => `${lineOf(log)}\n`,
  },
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: `${csvColumns.join(',')}\r\n`,
    line: (log: AuditLog) => `${csvColumns.map((column) => csvCell(log[column])).join(',')}\r\n`,
  },
}

type Filters = Omit<AuditExportQuery, 'format'>

/**
 * Streams the records of the tenant in scope in constant memory: the matching ones, oldest first, or the sealed chain.
 * The stream breaks off when the caller loses the permission meanwhile.
 */
export const exportAuditLogs = async (ctx: Ctx, { format, ...filters }: AuditExportQuery) => {
  if (format === 'sealed') {
    requireNone(filters)
    return exportSealed(ctx)
  }
  return {
    contentType: formats[format].contentType,
    fileName: `audit-${ctx.tenantId}.${format}`,
    body: Readable.from(readChunks(ctx, formats[format], filterOf(filters)), { objectMode: false }),
  }
}

const requireNone = (filters: Filters): void => {
  const [filter] = Object.entries(filters).find(([, value]) => value !== undefined) ?? []
  if (filter) throw invalid(filter, 'cannot be combined with the format sealed: a chain is exported whole')
}

async function* readChunks(
  ctx: Ctx,
  { head, line }: (typeof formats)['csv'],
  filter: AuditFilter | undefined,
): AsyncGenerator<string> {
  if (head) yield head
  if (!filter) return
  for (let afterId: number | undefined = 0; afterId !== undefined;) {
    await requireStillAllowed(ctx)
    const { tenantId } = ctx
    const logs = await selectAuditLogsAfter(ctx.db, { tenantId, filter, afterId, limit: batchRows })
    if (logs.length > 0) yield logs.map(line).join('')
    afterId = logs.length < batchRows ? undefined : logs.at(-1)?.id
  }
}
