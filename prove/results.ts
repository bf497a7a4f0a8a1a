import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './report.ts'

const page = fileURLToPath(new URL('../docs/guarantees.md', import.meta.url))

/** The columns of the table of suites that say when a suite was last proved, by the kind of stores. */
const columns = { embedded: 2, services: 3 } as const

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const today = () => new Date().toISOString().slice(0, 10)

const formOf = (isShort: boolean) => `${isShort ? 'short' : 'full'}, ${today()}`

const machine = () =>
  `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`

/** Writes each promise with its evidence into a file: a page for a release. */
export const writeResults = async (
  file: string,
  stores: string,
  isShort: boolean,
  outcomes: Outcome[],
): Promise<void> => {
  const rows = outcomes.map(
    ({ suite, promise, result, evidence }) =>
      `| ${suite} | ${cell(promise)} | ${result === 'holds' ? result : `**${result}**`}: ${cell(evidence)} |`,
  )
  const head = [
    `# Results of the proofs on ${stores} stores`,
    `${formOf(isShort)}, on ${machine()}.`,
    '| Suite | Promise | Evidence |\n| --- | --- | --- |',
  ]
  await writeFile(file, `${head.join('\n\n')}\n${rows.join('\n')}\n`)
}

/** Names the day in docs/guarantees.md, in the rows of the suites whose promises all held. */
export const markProved = async (
  stores: keyof typeof columns,
  isShort: boolean,
  outcomes: Outcome[],
): Promise<void> => {
  const text = await readFile(page, 'utf8')
  const [from, to] = [text.indexOf('<!-- begin proved -->'), text.indexOf('<!-- end proved -->')]
  if (from < 0 || to < from) throw new Error(`${page} lacks the table of suites`)
  const held = new Set(outcomes.map(({ suite }) => suite))
  for (const { suite, result } of outcomes) if (result !== 'holds') held.delete(suite)
  const table = text
    .slice(from, to)
    .split('\n')
    .map((line) => {
      const cells = line.split('|').slice(1, -1)
      if (!held.has(cells[0]?.trim() ?? '')) return line
      return `|${cells.with(columns[stores], ` ${formOf(isShort)} `).join('|')}|`
    })
  await writeFile(page, text.slice(0, from) + table.join('\n') + text.slice(to))
}
