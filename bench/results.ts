import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { spreadOf, type Spread } from './figures.ts'
import type { Measurement, Plan, Starts } from './measure.ts'
import type { OperationName } from './operations.ts'
import { run } from './process.ts'

/** What a run measured, round by round; everything that is shown is computed from it. */
export interface Results {
  date: string
  machine: string
  versions: Record<string, string>
  plan: Plan & { bcryptCost: number }
  /** Peers that could not be set up, and why. */
  skipped: { peer: string; reason: string }[]
  measurements: Measurement[]
  starts: Starts[]
}

export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`

const folder = fileURLToPath(new URL('results', import.meta.url))

const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(5)) : value

/** Keeps the results as JSON, and resolves with the file. */
export const saveResults = async (results: object, name: string): Promise<string> => {
  const file = `${folder}/${name}.json`
  await mkdir(folder, { recursive: true })
  await writeFile(file, `${JSON.stringify(results, rounded, 1)}\n`)
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

/** Why a measurement says nothing: it broke, or some answers were no success, which are quick or missing ones. */
export const failureOf = ({ error, samples }: Measurement): string | undefined => {
  const failures = samples.reduce((total, sample) => total + sample.failures, 0)
  return error ?? (failures > 0 ? `${failures} answers failed` : undefined)
}

/** Tenantry's answers a second by those of another in the same round; none where either failed. */
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
const readme = fileURLToPath(new URL('../README.md', import.meta.url))

/** Puts a text between the markers of that name in the README, formatted. Throws when they are not there. */
export const writeReadme = async (name: 'bench' | 'scale' | 'workers', section: string): Promise<void> => {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`]
  const text = await readFile(readme, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${readme} has no place for it: ${begin} … ${end}`)
  await writeFile(readme, `${text.slice(0, from)}${begin}\n\n${section}\n\n${text.slice(to)}`)
  await run({ program: oxfmt, args: [readme] })
}
