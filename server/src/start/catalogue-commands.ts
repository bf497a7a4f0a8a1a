import { writeFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { FileOptions } from '../as-code.ts'
import type { Ctx } from '../context.ts'
import { CatalogueFile } from '../features/accounts/roles/catalogue-file.schemas.ts'
import {
  applyCatalogue,
  exportCatalogue,
  parseCatalogue,
  planCatalogue,
} from '../features/accounts/roles/catalogue-file.service.ts'
import { readNamed } from '../named-file.ts'
import { applied, checkBy, planned } from './as-code.ts'
import { withParts } from './commands.ts'
import type { Config } from '../config/config.ts'
import type { PlanOptions } from './file-commands.ts'
import { systemCtx } from './parts.ts'

const withFile = async <T>(
  config: Config,
  log: Logger,
  path: string,
  work: (ctx: Ctx, file: CatalogueFile) => Promise<T>,
): Promise<T> => {
  const file = parseCatalogue(readNamed(path), checkBy(CatalogueFile))
  return withParts(config, log, (parts) => work(systemCtx(parts, 'catalogue'), file))
}

/** Writes the product's part of the catalogue into a new file. Returns the line to print. */
export const exportTo = (config: Config, log: Logger, path: string): Promise<string> =>
  withParts(config, log, async (parts) => {
    await writeFile(path, await exportCatalogue(systemCtx(parts, 'catalogue')), { flag: 'wx' })
    return `wrote ${path}`
  })

/**
 * Describes the changes of an apply, and counts the affected holders of roles, tenant by tenant. Returns the lines to
 * print.
 */
export const planFrom = (config: Config, log: Logger, path: string, options: PlanOptions) =>
  withFile(config, log, path, async (ctx, file) => {
    const { lines, tenants, users } = await planCatalogue(ctx, file, options, options.onProgress)
    if (lines.length === 0) return planned([])
    return planned([
      ...lines,
      `${users} users in ${tenants} tenants hold a role that gains or loses something`,
    ])
  })

/** Applies the file to the installation. Returns the lines to print. */
export const applyFrom = (config: Config, log: Logger, path: string, options: FileOptions) =>
  withFile(config, log, path, async (ctx, file) => applied(await applyCatalogue(ctx, file, options)))
