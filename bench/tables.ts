/** A target and its result. */
export interface Verdict {
  target: string
  measured: string
  /** Undefined where there is no target, or where the other contender failed. */
  met: boolean | undefined
}

/** Aligns columns to their widest cells: the first to the left, the others to the right. */
export const align = (rows: string[][]): string => {
  const widths = (rows[0] ?? []).map((_cell, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const pad = (cell: string, at: number) =>
    at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)
  return rows.map((row) => row.map(pad).join('  ')).join('\n')
}

const proseWidth = 120

/** Wraps prose of a document. */
export const paragraph = (text: string): string => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= proseWidth) {
      lines[lines.length - 1] += ` ${word}`
    } else lines.push(word)
  }
  return lines.join('\n')
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

/** Formats targets and their results, one per line. */
export const verdictLines = (verdicts: Verdict[]): string => {
  const width = Math.max(...verdicts.map(({ target }) => target.length))
  return verdicts.map((one) => `${mark(one)} ${one.target.padEnd(width)}  ${one.measured}`).join('\n')
}

/** Formats targets and their results as a table of docs/benchmarks.md. */
export const verdictTable = (verdicts: Verdict[]): string =>
  markdown([
    ['Target', 'Measured'],
    ...verdicts.map((verdict) => [`${mark(verdict)} ${verdict.target}`, verdict.measured]),
  ])
