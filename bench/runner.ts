/** One way to run a bench that writes one section of docs/benchmarks.md: stores, options, results, report. */
import type { Command } from 'commander'
import { progress } from './progress.ts'
import { machine, readResults, saveResults, writeVerdicts, type About, type ResultName } from './results.ts'
import { openStores, type Stores } from './stores.ts'
import type { Verdict } from './tables.ts'

/** The results of a bench, without the fields that all have. */
export type Own<Results extends About> = Omit<Results, keyof About>

interface Bench<Options, Results> {
  name: ResultName
  /** Describes the bench, and has its own options. */
  command: Command
  /** Versions of programs beside PostgreSQL. */
  versions?: () => Record<string, string>
  measure: (stores: Stores, options: Options) => Promise<Results>
  /** All figures, for a terminal. */
  report: (results: About & Results) => string
  /** The targets with their results, for the document. */
  judge: (results: About & Results) => Verdict[]
}

const print = (text: string): boolean => process.stdout.write(`\n${text}\n`)

const measureAndSave = async <Options, Results extends object>(
  { name, versions, measure, report, judge }: Bench<Options, Results>,
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
    const file = await saveResults(name, results, isWritten)
    progress('')
    print(`${report(results)}\n\n${file}`)
    if (isWritten) await writeVerdicts(name, results, judge(results))
  } finally {
    await stores.close()
  }
}

/** Prints the saved results, and writes their section. */
const render = async <Options, Results extends object>({
  name,
  report,
  judge,
}: Bench<Options, Results>): Promise<void> => {
  const results = (await readResults(name)) as About & Results
  print(report(results))
  await writeVerdicts(name, results, judge(results))
}

/** Runs the bench that the command line asks for. */
export const runBench = async <Options, Results extends object>(
  bench: Bench<Options, Results>,
): Promise<void> => {
  const { name, command } = bench
  command
    .name(`bench:${name}`)
    .option(
      '--write',
      `save as bench/results/${name}.json, and write the section of docs/benchmarks.md`,
      false,
    )
    .option('--render', `print bench/results/${name}.json, write that section, and measure nothing`, false)
    .action(async ({ write, render: isRendered, ...options }: { write: boolean; render: boolean }) =>
      isRendered ? render(bench) : measureAndSave(bench, options as Options, write),
    )
  await command.parseAsync().catch((err: unknown) => {
    process.stderr.write(`bench:${name}: ${err instanceof Error ? err.message : String(err)}\n`)
    process.exitCode = 1
  })
}
