import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './report.ts'

const file = fileURLToPath(new URL('../docs/proof-results.md', import.meta.url))

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const rowOf = ({ suite, promise, result, evidence }: Outcome) =>
  `| ${suite} | ${cell(promise)} | ${result === 'holds' ? result : `**${result}**`}: ${cell(evidence)} |`

const today = () => new Date().toISOString().slice(0, 10)

const machine = () =>
  `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`

/** Writes the outcomes into docs/proof-results.md, in place of the last run on the same kind of stores. */
export const writeResults = async (kind: string, form: string, outcomes: Outcome[]): Promise<void> => {
  const [begin, end] = [`<!-- begin ${kind} -->`, `<!-- end ${kind} -->`]
  const text = await readFile(file, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${file} lacks the markers ${begin} … ${end}`)
  const head = `${form} form, ${today()}, on ${machine()}.\n\n| Suite | Promise | Evidence |\n| --- | --- | --- |`
  const section = [begin, '', head, ...outcomes.map(rowOf), '', ''].join('\n')
  await writeFile(file, text.slice(0, from) + section + text.slice(to))
}
