import { shown } from './figures.ts'
import type { SummaryRow } from './summary.ts'

const width = 760
const padding = 24
const barsX = 290
const barsWidth = 380
const barHeight = 13
const barStep = 17
const rowGap = 16
const headHeight = 76

const title = 'Requests answered by one second of processor time'
const note = 'Tenantry and its peers at 16 connections; each operation has a scale of its own'

/** The card has a background of its own, which keeps the picture readable on any page. */
const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2937 }
  .title { font-size: 16px; font-weight: 600 }
  .soft { fill: #57606a }
  .card { fill: #ffffff; stroke: #d0d7de }
  .ours { fill: #2563eb }
  .other { fill: #94a3b8 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .soft { fill: #9da7b3 }
    .card { fill: #0d1117; stroke: #30363d }
    .ours { fill: #60a5fa }
    .other { fill: #64748b }
  }`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const textAt = (x: number, y: number, text: string, attributes = ''): string =>
  `<text x="${x}" y="${y}" ${attributes}>${escaped(text)}</text>`

const heightOf = ({ perCpuSecond }: SummaryRow): number => perCpuSecond.length * barStep + rowGap

const barsOf = (row: SummaryRow, top: number): string[] => {
  const most = Math.max(...row.perCpuSecond.map(({ value }) => value))
  return row.perCpuSecond.flatMap(({ contender, value }, index) => {
    const y = top + index * barStep
    const baseline = y + barHeight - 2
    const length = Math.max(1, Math.round((value / most) * barsWidth))
    const kind = contender === 'Tenantry' ? 'ours' : 'other'
    return [
      textAt(barsX - 10, baseline, contender, 'class="soft" text-anchor="end"'),
      `<rect class="${kind}" x="${barsX}" y="${y}" width="${length}" height="${barHeight}" rx="2"/>`,
      textAt(barsX + length + 8, baseline, shown(value)),
    ]
  })
}

const sentenceOf = ({ title: operation, perCpuSecond }: SummaryRow): string =>
  `${operation}: ${perCpuSecond.map(({ contender, value }) => `${contender} ${shown(value)}`).join(', ')}.`

/** Draws the rows as SVG. Its description holds all figures as text. */
export const chartOf = (rows: SummaryRow[]): string => {
  let top = headHeight
  const groups = rows.map((row) => {
    const lines = [textAt(padding, top + barHeight - 2, row.title), ...barsOf(row, top)]
    top += heightOf(row)
    return lines.join('\n')
  })
  const height = top + padding - rowGap
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title figures">`,
    `<title id="title">${title}</title>`,
    `<desc id="figures">${escaped(rows.map(sentenceOf).join(' '))}</desc>`,
    `<style>${style}\n</style>`,
    `<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    textAt(padding, 34, title, 'class="title"'),
    textAt(padding, 54, note, 'class="soft"'),
    ...groups,
    '</svg>',
  ].join('\n')}\n`
}
