import type { Verdict } from './targets.ts'

/** Columns side by side, each as wide as its widest cell; the first to the left, the rest to the right. */
export const align = (rows: string[][]): string => {
  const widths = (rows[0] ?? []).map((_cell, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const pad = (cell: string, at: number) =>
    at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)
  return rows.map((row) => row.map(pad).join('  ')).join('\n')
}

export const markdown = (rows: string[][]): string => {
  const [head = [], ...rest] = rows
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [head, head.map((_cell, at) => (at === 0 ? '---' : '--:')), ...rest].map(line).join('\n')
}

const mark = ({ met }: Verdict): string => {
  if (met === undefined) return '–'
  return met ? '✓' : '✗'
}

/** Goals and what came of them, a line each. */
export const verdictLines = (verdicts: Verdict[]): string => {
  const width = Math.max(...verdicts.map(({ target }) => target.length))
  return verdicts.map((one) => `${mark(one)} ${one.target.padEnd(width)}  ${one.measured}`).join('\n')
}

/** The same as a table of the README. */
export const verdictTable = (verdicts: Verdict[]): string =>
  markdown([
    ['Target', 'Measured', ''],
    ...verdicts.map((verdict) => [verdict.target, verdict.measured, mark(verdict)]),
  ])
