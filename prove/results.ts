import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './report.ts'
import { suites } from './suites.ts'

const file = fileURLToPath(new URL('../docs/proof-results.md', import.meta.url))

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

interface Run {
  /** The section of the page: the kind of stores. */
  section: string
  isShort: boolean
  /** Whether the run tried all promises of its suites; else rows of other promises stay. */
  isWhole: boolean
}

const today = () => new Date().toISOString().slice(0, 10)

const machine = () =>
  `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`

const rowOf = ({ suite, promise, result, evidence }: Outcome, seen: string) =>
  `| ${suite} | ${cell(promise)} | ${result === 'holds' ? result : `**${result}**`}: ${cell(evidence)} | ${seen} |`

/** The row of an earlier run, with the names by which a later run replaces it. */
const rowPattern = /^\| (?<suite>[a-z]+) +\| (?<promise>(?:[^|\\]|\\.)+?) +\|/

const places = new Map(suites.map(({ name }, place) => [name, place]))
const placeOf = (row: string): number => places.get(rowPattern.exec(row)?.groups?.['suite'] ?? '') ?? -1

/** Writes the outcomes into docs/proof-results.md, in place of the last run of the same suites on the same stores. */
export const writeResults = async (run: Run, outcomes: Outcome[]): Promise<void> => {
  const [begin, end] = [`<!-- begin ${run.section} -->`, `<!-- end ${run.section} -->`]
  const text = await readFile(file, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${file} lacks the markers ${begin} … ${end}`)
  const isReplaced = ({ suite, promise }: Record<string, string>) =>
    outcomes.some((one) => one.suite === suite && (run.isWhole || cell(one.promise) === promise))
  const kept = text
    .slice(from, to)
    .split('\n')
    .filter((line) => placeOf(line) >= 0 && !isReplaced(rowPattern.exec(line)?.groups ?? {}))
  const seen = `${run.isShort ? 'short' : 'full'}, ${today()}`
  const rows = [...kept, ...outcomes.map((outcome) => rowOf(outcome, seen))]
  rows.sort((a, b) => placeOf(a) - placeOf(b))
  const head = `On ${machine()}.\n\n| Suite | Promise | Evidence | Form, day |\n| --- | --- | --- | --- |`
  await writeFile(file, text.slice(0, from) + [begin, '', head, ...rows, '', ''].join('\n') + text.slice(to))
}
