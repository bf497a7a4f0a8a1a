import { writeFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { FileOptions } from '../as-code.ts'
import type { Config } from '../config/config.ts'
import type { Ctx } from '../context.ts'
import { SettingsFile } from '../features/configuration/settings/settings-file.schemas.ts'
import {
  applySettings,
  exportSettings,
  parseSettings,
  planSettings,
} from '../features/configuration/settings/settings-file.service.ts'
import { readNamed } from '../named-file.ts'
import { applied, checkBy, planned } from './as-code.ts'
import { withParts } from './commands.ts'
import { systemCtx } from './parts.ts'

const withFile = async <T>(
  config: Config,
  log: Logger,
  path: string,
  work: (ctx: Ctx, file: SettingsFile) => Promise<T>,
): Promise<T> => {
  const file = parseSettings(readNamed(path), checkBy(SettingsFile))
  return withParts(config, log, (parts) => work(systemCtx(parts, 'settings'), file))
}

/** Writes the product's declarations into a new file. Returns the line to print. */
export const exportTo = (config: Config, log: Logger, path: string): Promise<string> =>
  withParts(config, log, async (parts) => {
    await writeFile(path, await exportSettings(systemCtx(parts, 'settings')), { flag: 'wx' })
    return `wrote ${path}`
  })

/** Describes the changes of an apply. Returns the lines to print. */
export const planFrom = (config: Config, log: Logger, path: string, options: FileOptions) =>
  withFile(config, log, path, async (ctx, file) => planned(await planSettings(ctx, file, options)))

/** Applies the file to the installation. Returns the lines to print. */
export const applyFrom = (config: Config, log: Logger, path: string, options: FileOptions) =>
  withFile(config, log, path, async (ctx, file) => applied(await applySettings(ctx, file, options)))
