/** One way to run a bench that writes one section of docs/benchmarks.md: stores, options, results, report. */
import type { Command } from 'commander'
import { progress } from './progress.ts'
import { machine, readResults, saveResults, writeTables } from './results.ts'
import { openStores, type Stores } from './stores.ts'

interface About {
  date: string
  machine: string
  versions: Record<string, string>
}

/** The results of a bench, without those that all tell. */
export type Own<Results extends About> = Omit<Results, keyof About>

interface Bench<Options, Results> {
  name: 'directories' | 'events' | 'flags' | 'scale' | 'settings' | 'sign-in' | 'streams' | 'workers'
  /** Describes the bench, and has its own options. */
  command: Command
  /** Versions of programs beside PostgreSQL. */
  versions?: () => Record<string, string>
  measure: (stores: Stores, options: Options) => Promise<Results>
  /** Tells the results on a terminal. */
  report: (results: About & Results) => string
  /** Tells them in the document. */
  section: (results: About & Results) => string
}

const measureAndSave = async <Options, Results extends object>(
  { name, versions, measure, report, section }: Bench<Options, Results>,
  options: Options,
  isWritten: boolean,
): Promise<void> => {
  const stores = await openStores()
  try {
    const results = {
      date: new Date().toISOString(),
      machine: machine(),
      versions: { PostgreSQL: await stores.postgresVersion(), ...versions?.() },
      ...(await measure(stores, options)),
    }
    const file = await saveResults(results, isWritten ? name : `${name}-${results.date.replaceAll(':', '-')}`)
    progress('')
    process.stdout.write(`\n${report(results)}\n\n${file}\n`)
    if (isWritten) await writeTables(name, section(results))
  } finally {
    await stores.close()
  }
}

/** Runs the bench that the command line asks for. */
export const runBench = async <Options, Results extends object>(
  bench: Bench<Options, Results>,
): Promise<void> => {
  const { name, command, section } = bench
  command
    .name(`bench:${name}`)
    .option(
      '--write',
      `save as bench/results/${name}.json, and write the section of docs/benchmarks.md`,
      false,
    )
    .option('--render', `write that section from bench/results/${name}.json, and measure nothing`, false)
    .action(async ({ write, render, ...options }: { write: boolean; render: boolean }) =>
      render
        ? writeTables(name, section((await readResults(name)) as About & Results))
        : measureAndSave(bench, options as Options, write),
    )
  await command.parseAsync().catch((err: unknown) => {
    process.stderr.write(`bench:${name}: ${err instanceof Error ? err.message : String(err)}\n`)
    process.exitCode = 1
  })
}
