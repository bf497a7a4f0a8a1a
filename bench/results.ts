import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { spreadOf, type Spread } from './figures.ts'
import type { Measurement, Plan, Starts } from './measure.ts'
import type { OperationName } from './operations.ts'
import { run } from '../lab/processes.ts'
import { paragraph, verdictTable, type Verdict } from './tables.ts'

/** The first fields of all results. */
export interface About {
  date: string
  machine: string
  versions: Record<string, string>
}

/** Each has a file in bench/results/ and a section in docs/benchmarks.md. */
export type ResultName =
  | 'assistants'
  | 'decisions'
  | 'directories'
  | 'events'
  | 'flags'
  | 'operations'
  | 'scale'
  | 'settings'
  | 'sign-in'
  | 'streams'
  | 'workers'

/** The measurements of a run, round by round; all tables are computed from it. */
export interface Results extends About {
  plan: Plan & { bcryptCost: number }
  /** Peers that could not be set up, with the reason. */
  skipped: { peer: string; reason: string }[]
  measurements: Measurement[]
  starts: Starts[]
}

export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`

const folder = fileURLToPath(new URL('results', import.meta.url))

const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(5)) : value

/** The longest value on one line: a measurement with its rounds. */
const lineMax = 700

/** JSON with a line for each measurement. */
const linesOf = (value: unknown, indent = ''): string => {
  const line = JSON.stringify(value)
  const isShort = indent !== '' && line.length <= lineMax
  if (typeof value !== 'object' || value === null || isShort) return line
  const inner = `${indent} `
  const parts = Array.isArray(value)
    ? value.map((one) => linesOf(one, inner))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${linesOf(one, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}

/** Reads the saved results of that name. Throws when there are none. */
export const readResults = async (name: ResultName): Promise<unknown> =>
  JSON.parse(await readFile(`${folder}/${name}.json`, 'utf8'))

/** Saves the results, in place of the last ones or beside them, and resolves with the file. */
export const saveResults = async (name: ResultName, results: About, isLasting: boolean): Promise<string> => {
  const file = `${folder}/${name}${isLasting ? '' : `-${results.date.replaceAll(':', '-')}`}.json`
  await mkdir(folder, { recursive: true })
  await writeFile(file, `${linesOf(JSON.parse(JSON.stringify(results, rounded)))}\n`)
  return file
}

export const measurementOf = (
  { measurements }: Results,
  operation: OperationName,
  connections: number,
  contender: string,
): Measurement | undefined =>
  measurements.find(
    (one) => one.operation === operation && one.connections === connections && one.contender === contender,
  )

/** Returns why a measurement does not count: an error, or unsuccessful answers, which are faster than real ones. */
export const failureOf = ({ error, samples }: Pick<Measurement, 'error' | 'samples'>): string | undefined => {
  const failures = samples.reduce((total, sample) => total + sample.failures, 0)
  return error ?? (failures > 0 ? `${failures} answers failed` : undefined)
}

/**
 * Divides Tenantry's answers a second by those of another contender in the same round; undefined when either failed.
 */
export const ratioOf = (
  results: Results,
  operation: OperationName,
  connections: number,
  other: string,
): Spread | undefined => {
  const ours = measurementOf(results, operation, connections, 'Tenantry')
  const theirs = measurementOf(results, operation, connections, other)
  if (!ours || !theirs || [ours, theirs].some((one) => failureOf(one) !== undefined)) return undefined
  return spreadOf(
    theirs.samples.map(({ perSecond }, round) => (ours.samples[round]?.perSecond ?? 0) / perSecond),
  )
}

const oxfmt = fileURLToPath(new URL('../node_modules/.bin/oxfmt', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

/** Writes a formatted section between two markers of a document. Throws when the document lacks them. */
const writeBetween = async (path: string, [begin, end]: [string, string], section: string): Promise<void> => {
  const file = `${root}${path}`
  const text = await readFile(file, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${path} lacks the markers ${begin} … ${end}`)
  await writeFile(file, `${text.slice(0, from)}${begin}\n\n${section}\n\n${text.slice(to)}`)
  await run({ program: oxfmt, args: [file] })
}

/** Names the file of the results, which has all versions, the day and the processors. */
export const sourceOf = (name: ResultName, { date, machine: on }: About): string =>
  paragraph(
    `[results/${name}.json](../bench/results/${name}.json): ${date.slice(0, 10)}, ${on.split(',', 1)[0]}.`,
  )

/** Writes the targets of a bench, with their results, into docs/benchmarks.md. */
export const writeVerdicts = (name: ResultName, about: About, verdicts: Verdict[]): Promise<void> =>
  writeBetween(
    'docs/benchmarks.md',
    [`<!-- begin ${name} -->`, `<!-- end ${name} -->`],
    `${sourceOf(name, about)}\n\n${verdictTable(verdicts)}`,
  )

/** Writes the table of the worst inputs into docs/guarantees.md. */
export const writeBounds = (section: string): Promise<void> =>
  writeBetween('docs/guarantees.md', ['<!-- begin bounds -->', '<!-- end bounds -->'], section)

/** Writes the summary into docs/benchmarks.md and its chart into docs/images/. */
export const writeSummary = async (section: string, chart: string): Promise<void> => {
  await writeFile(`${root}docs/images/performance.svg`, chart)
  await writeBetween('docs/benchmarks.md', ['<!-- begin summary -->', '<!-- end summary -->'], section)
}
