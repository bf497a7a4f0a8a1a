/** Commands for a part of the installation that a file describes as code: `export`, `plan` and `apply`. */
import type { Command } from 'commander'
import type { Logger } from 'pino'
import type { FileOptions } from '../as-code.ts'
import type { Config } from '../config/config.ts'
import { exitOnSignals, print, printLines, showProgress } from './terminal.ts'

/** Functions that every command calls first. */
export interface Setup {
  loadConfig: () => Config
  loadStrongConfig: () => Config
  quiet: () => Logger
}

export interface PlanOptions extends FileOptions {
  /** A long plan calls it with its progress. */
  onProgress: (done: number, total: number) => void
}

/** The functions behind the commands. Each returns the lines to print. */
interface FileWork {
  exportTo: (config: Config, log: Logger, path: string) => Promise<string>
  planFrom: (
    config: Config,
    log: Logger,
    path: string,
    options: PlanOptions,
  ) => Promise<{ lines: string[]; differs: boolean }>
  applyFrom: (config: Config, log: Logger, path: string, options: FileOptions) => Promise<string[]>
}

interface FileCommands {
  name: string
  description: string
  /** The texts of `--help` that differ between the parts. */
  texts: { export: string; target: string; apply: string; prune: string }
  source: [argument: string, text: string]
  /** Loads the code of the commands when one runs. Otherwise it would take memory of the service. */
  load: () => Promise<FileWork>
}

export const addFileCommands = (
  program: Command,
  { loadConfig, loadStrongConfig, quiet }: Setup,
  { name, description, texts, source, load }: FileCommands,
): void => {
  const commands = program.command(name).description(description)

  commands
    .command('export')
    .description(texts.export)
    .argument(source[0], texts.target)
    .action(async (path: string) => {
      exitOnSignals()
      const { exportTo } = await load()
      print(await exportTo(loadConfig(), quiet(), path))
    })

  commands
    .command('plan')
    .description('show what `apply` would change; exit code 2 when there is a difference')
    .argument(...source)
    .option('--prune', texts.prune)
    .action(async (path: string, { prune = false }: { prune?: boolean }) => {
      exitOnSignals()
      const { planFrom } = await load()
      const options = { prune, onProgress: showProgress }
      const { lines, differs } = await planFrom(loadConfig(), quiet(), path, options)
      printLines(lines)
      if (differs) process.exitCode = 2
    })

  commands
    .command('apply')
    .description(texts.apply)
    .argument(...source)
    .option('--prune', texts.prune)
    .action(async (path: string, { prune = false }: { prune?: boolean }) => {
      exitOnSignals()
      const { applyFrom } = await load()
      printLines(await applyFrom(loadStrongConfig(), quiet(), path, { prune }))
    })
}
