import { requireStillAllowed, type Ctx } from '../../../context.ts'
import { invalid } from '../../../errors/app-error.ts'
import { spreadsheetFormula } from '../../../values/text.ts'
import { shown, shownWithActor, type StoredAuditLog } from './actors.ts'
import type { AuditExportQuery, AuditLog } from './audit.schemas.ts'
import { filterOf } from './audit.service.ts'
import { selectAuditLogsAfter, type AuditFilter } from './audit.store.ts'
import { boundedFilter } from './young-first.service.ts'
import { exportSealed } from './sealed-export.service.ts'

/** The number of records per read; it bounds the memory of any export. */
const batchRows = 1000

const fields = [
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

const csvColumns: [name: string, value: (log: AuditLog) => unknown][] = [
  ...fields.map((field): (typeof csvColumns)[number] => [field, (log) => log[field]]),
  ['actor_name', ({ actor }) => actor?.name],
  ['actor_kind', ({ actor }) => actor?.kind],
]

/** A cell by RFC 4180. Disables formulas: any client can send a user agent that a spreadsheet would run. */
const csvCell = (value: unknown): string => {
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
  const harmless = spreadsheetFormula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

interface Format {
  contentType: string
  head: string
  line: (log: StoredAuditLog) => string
}

const csv: Format = {
  contentType: 'text/csv; charset=utf-8; header=present',
  head: `${csvColumns.map(([name]) => name).join(',')}\r\n`,
  line: (log) => {
    const named = shownWithActor(log)
    return `${csvColumns.map(([, valueOf]) => csvCell(valueOf(named))).join(',')}\r\n`
  },
}

const ndjson = (show: (log: StoredAuditLog) => AuditLog): Format => ({
  contentType: 'application/x-ndjson; charset=utf-8',
  head: '',
  line: (log) => `${JSON.stringify(show(log))}\n`,
})

const formatOf = ({ format, include }: Pick<AuditExportQuery, 'format' | 'include'>): Format =>
  format === 'csv' ? csv : ndjson(include === 'actor' ? shownWithActor : shown)

type Filters = Omit<AuditExportQuery, 'format'>

/**
 * Streams records of the tenant in scope in constant memory: matching records, oldest first, or the sealed chain. Ends
 * the stream with an error when the caller loses the permission.
 */
export const exportAuditLogs = async (ctx: Ctx, query: AuditExportQuery) => {
  const { format: name, ...filters } = query
  if (name === 'sealed') {
    requireNone(filters)
    return exportSealed(ctx)
  }
  const format = formatOf(query)
  return {
    contentType: format.contentType,
    fileName: `audit-${ctx.tenantId}.${name}`,
    body: readChunks(ctx, format, filterOf(query)),
  }
}

const requireNone = (filters: Filters): void => {
  const [filter] = Object.entries(filters).find(([, value]) => value !== undefined) ?? []
  if (filter) throw invalid(filter, 'cannot be combined with the format sealed: a chain is exported whole')
}

async function* readChunks(
  ctx: Ctx,
  { head, line }: Format,
  filter: AuditFilter | undefined,
): AsyncGenerator<string> {
  // The header waits for the first records: an invalid query then fails before the file begins.
  let open = head
  for await (const logs of readBatches(ctx, filter, () => requireStillAllowed(ctx))) {
    yield open + logs.map(line).join('')
    open = ''
  }
  if (open) yield open
}

/** Reads the matching records of the tenant in scope, oldest first. `check` runs before each batch. */
export async function* readBatches(
  ctx: Ctx,
  wanted: AuditFilter | undefined,
  check: () => Promise<unknown>,
): AsyncGenerator<StoredAuditLog[]> {
  if (!wanted) return
  const { db, tenantId } = ctx
  const filter = await boundedFilter(ctx, wanted)
  for (let afterId: number | undefined = 0; afterId !== undefined;) {
    await check()
    const logs = await selectAuditLogsAfter(db, { tenantId, filter, afterId, limit: batchRows })
    if (logs.length > 0) yield logs
    afterId = logs.length < batchRows ? undefined : logs.at(-1)?.id
  }
}
