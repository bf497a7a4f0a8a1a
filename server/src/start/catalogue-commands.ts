import { writeFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Ctx } from '../context.ts'
import { CatalogueFile } from '../features/roles/catalogue-file.schemas.ts'
import {
  applyCatalogue,
  exportCatalogue,
  parseCatalogue,
  planCatalogue,
  type FileOptions,
} from '../features/roles/catalogue-file.service.ts'
import { compileValidator, type InvalidInput } from '../http/validation.ts'
import { readNamed } from '../named-file.ts'
import { withParts } from './commands.ts'
import type { Config } from '../config/config.ts'
import { systemCtx } from './parts.ts'

const faultsOf = (value: unknown): string[] => {
  const validate = compileValidator({ schema: CatalogueFile, method: 'POST', url: '', httpPart: 'body' })
  const { error } = validate(value) as { error?: InvalidInput }
  return error?.fields.map(({ field, message }) => `${field} ${message}`) ?? []
}

const withFile = async <T>(
  config: Config,
  log: Logger,
  path: string,
  work: (ctx: Ctx, file: CatalogueFile) => Promise<T>,
): Promise<T> => {
  const file = parseCatalogue(readNamed(path), faultsOf)
  return withParts(config, log, (parts) => work(systemCtx(parts, 'catalogue'), file))
}

/** Writes the product's part of the catalogue into a new file. Returns the line to print. */
export const exportCatalogueTo = (config: Config, log: Logger, path: string): Promise<string> =>
  withParts(config, log, async (parts) => {
    await writeFile(path, await exportCatalogue(systemCtx(parts, 'catalogue')), { flag: 'wx' })
    return `wrote ${path}`
  })

interface PlanOptions extends FileOptions {
  /** Called while the plan counts the holders, tenant by tenant. */
  onProgress: (done: number, total: number) => void
}

/** Tells what an apply would change. Returns the lines to print, and whether there is a difference. */
export const planCatalogueFrom = (config: Config, log: Logger, path: string, options: PlanOptions) =>
  withFile(config, log, path, async (ctx, file) => {
    const { lines, tenants, users } = await planCatalogue(ctx, file, options, options.onProgress)
    if (lines.length === 0) return { lines: ['nothing to change'], differs: false }
    const concerned = `${users} users in ${tenants} tenants hold a role that gains or loses something`
    return { lines: [...lines, concerned], differs: true }
  })

/** Brings the installation to the state of the file. Returns the lines to print. */
export const applyCatalogueFrom = (config: Config, log: Logger, path: string, options: FileOptions) =>
  withFile(config, log, path, async (ctx, file) => {
    const lines = await applyCatalogue(ctx, file, options)
    return lines.length === 0 ? ['nothing to change'] : [...lines, `applied ${lines.length} changes`]
  })
