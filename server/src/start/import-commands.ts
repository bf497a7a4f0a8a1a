import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { inTenant, type Ctx } from '../context.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { ImportRow, type ImportedUsers } from '../features/tenancy/imports/imports.schemas.ts'
import {
  importUsersByOperator,
  tryImportUsers,
  type CheckedRows,
} from '../features/tenancy/imports/imports.service.ts'
import { getTenantNamed } from '../features/tenancy/transfer/export.service.ts'
import { compileItemCheck } from '../http/validation.ts'
import { Refusal } from '../errors/refusal.ts'
import { withParts } from './commands.ts'
import { createRefusedFile, explain, openImportFile, type FileRow, type ImportFile } from './import-file.ts'
import { systemCtx } from './parts.ts'

const batchRows = 1000

export interface UsersImport {
  file: string
  /** The id or slug of the tenant. */
  tenant: string
  isDryRun: boolean
}

type Counts = Record<ImportedUsers['results'][number]['status'], number>

type ShowProgress = (done: number, total: number) => void

/**
 * Imports the users of a file into a tenant, a thousand in one transaction. Writes refused rows into a file beside it.
 * Returns the lines to print. `isComplete` is false if a row was refused.
 */
export const importUsersFrom = async (
  config: Config,
  log: Logger,
  { file, tenant: name, isDryRun }: UsersImport,
  showProgress: ShowProgress,
): Promise<{ lines: string[]; isComplete: boolean }> => {
  const source = openImportFile(file)
  const refusedFile = `${file.replace(/\.\w+$/, '')}.refused${source.ending}`
  if (existsSync(refusedFile)) {
    throw new Refusal([
      `${refusedFile} exists: it holds the refused rows of an earlier import. Move it away first`,
    ])
  }
  return withParts(config, log, async (parts) => {
    const system = systemCtx(parts, 'users import')
    const tenant = await getTenantNamed(system, name)
    const began = performance.now()
    const work = { source, refusedFile, work: isDryRun ? tryImportUsers : importUsersByOperator }
    const counts = await importAll(inTenant(system, tenant.id), file, work, showProgress)
    const seconds = (performance.now() - began) / 1000
    const rate = Math.round((counts.created + counts.exists + counts.refused) / Math.max(seconds, 0.001))
    return {
      isComplete: counts.refused === 0,
      lines: [
        `${file}, into the tenant ${tenant.name} (${tenant.slug}, ${tenant.id}):`,
        `  created  ${counts.created}`,
        `  exists   ${counts.exists}`,
        `  refused  ${counts.refused}`,
        `${seconds.toFixed(1)} s, ${rate} rows a second`,
        ...(counts.refused > 0
          ? [`wrote ${refusedFile}, which only you can read: mend its rows and import it`]
          : []),
        ...(isDryRun ? ['nothing was changed (--dry-run)'] : []),
      ],
    }
  })
}

interface ImportWork {
  source: ImportFile
  refusedFile: string
  work: (ctx: Ctx, rows: CheckedRows) => Promise<ImportedUsers>
}

const importAll = async (
  ctx: Ctx,
  file: string,
  { source, refusedFile, work }: ImportWork,
  showProgress: ShowProgress,
): Promise<Counts> => {
  const refused = createRefusedFile(refusedFile)
  const counts: Counts = { created: 0, exists: 0, refused: 0 }
  const importBatch = async (batch: FileRow[]) => {
    const { results } = await patiently(() => work(ctx, { rows: batch.map(check) }))
    for (const [index, { status, error }] of results.entries()) {
      counts[status] += 1
      if (error) {
        const reason = [error.field, error.message].filter(Boolean).join(': ')
        refused.write(source.head(), batch[index]?.refusedAs(reason) ?? '')
      }
    }
    showProgress(batch.at(-1)?.bytesRead ?? 0, source.bytes)
  }
  try {
    let batch: FileRow[] = []
    for await (const row of source.rows()) {
      batch.push(row)
      if (batch.length < batchRows) continue
      await importBatch(batch)
      batch = []
    }
    if (batch.length > 0) await importBatch(batch)
    return counts
  } catch (err) {
    throw explainStop(explain(file, err), counts)
  } finally {
    refused.close()
  }
}

const attemptsMax = 5
const pauseMs = 2000

/**
 * Repeats a batch while the database is unavailable or too slow. If a batch got no answer, it may be imported already,
 * and its users then count as existing.
 */
const patiently = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let attempts = 1; attempts < attemptsMax; attempts += 1) {
    try {
      return await attempt()
    } catch (err) {
      if (!(err instanceof DatabaseUnavailable)) throw err
      await sleep(attempts * pauseMs)
    }
  }
  return attempt()
}

/** Adds the counts of imported rows to an error. Batches are imported as a whole, so the counts are exact. */
const explainStop = (err: unknown, { created, exists, refused }: Counts): unknown => {
  const done = created + exists + refused
  if (done === 0 || !(err instanceof Error)) return err
  return new Error(
    `${err.message} (after ${done} rows; run the command again: users that exist stay as they are)`,
    {
      cause: err,
    },
  )
}

const checkRow = compileItemCheck<ImportRow>(ImportRow)

/** If the row is a text, the text is the reason why the row could not be read. */
const check = ({ input }: FileRow): CheckedRows['rows'][number] =>
  typeof input === 'string' ? { fault: { field: 'body', message: `The row ${input}` } } : checkRow(input)
