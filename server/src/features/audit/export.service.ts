import { Readable } from 'node:stream'
import { requireStillAllowed, type Ctx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import type { AuditExportQuery, AuditLog } from './audit.schemas.ts'
import { selectAuditLogsInRange, selectIdRange, type AuditFilter, type IdRange } from './audit.store.ts'
import { lineOf } from './chain.ts'
import { exportSealed } from './sealed-export.service.ts'

/** Records read at a time: what an export holds in memory, however long it is. */
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

/** RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe in front: user agents are strangers' words. */
const csvCell = (value: unknown): string => {
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
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
 * The records of the tenant in scope as a stream in constant memory: those that fit, oldest first, or the sealed chain.
 * It breaks off when the caller loses the right to it meanwhile.
 */
export const exportAuditLogs = async (ctx: Ctx, { format, ...filters }: AuditExportQuery) => {
  if (format === 'sealed') {
    requireNone(filters)
    return exportSealed(ctx)
  }
  return {
    contentType: formats[format].contentType,
    fileName: `audit-${ctx.tenantId}.${format}`,
    body: Readable.from(readChunks(ctx, formats[format], filters), { objectMode: false }),
  }
}

const requireNone = (filters: Filters): void => {
  const [filter] = Object.entries(filters).find(([, value]) => value !== undefined) ?? []
  if (filter) throw invalid(filter, 'cannot be combined with the format sealed: a chain is exported whole')
}

async function* readChunks(
  ctx: Ctx,
  { head, line }: (typeof formats)['csv'],
  { user_id, ...query }: Filters,
): AsyncGenerator<string> {
  const filter = { ...query, userId: user_id }
  if (head) yield head
  let range = await rangeOf(ctx, filter)
  while (range) {
    await requireStillAllowed(ctx)
    const { tenantId } = ctx
    const logs = await selectAuditLogsInRange(ctx.db, { tenantId, filter, range, limit: batchRows })
    if (logs.length > 0) yield logs.map(line).join('')
    if (logs.length < batchRows) return
    range = { ...range, afterId: logs.at(-1)?.id ?? range.lastId }
  }
}

/** Where to look: everywhere, unless moments are given; then not further than what is there at the start. */
const rangeOf = async ({ db, tenantId }: Ctx, filter: AuditFilter): Promise<IdRange | undefined> =>
  filter.from === undefined && filter.to === undefined
    ? { afterId: 0, lastId: Number.MAX_SAFE_INTEGER }
    : selectIdRange(db, tenantId, filter)
