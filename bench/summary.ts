import { shown, spreadOf } from './figures.ts'
import { titleOf, type OperationName } from './operations.ts'
import { failureOf, measurementOf, sourceOf, type Results } from './results.ts'
import { markdown, paragraph } from './tables.ts'

/** Six operations represent the others: two that read a record, two that read a page, and two that write. */
const operations: OperationName[] = ['profile', 'user', 'users', 'audit', 'setting', 'refresh']

const connections = 16

const contenders = ['Tenantry', 'NestJS', 'Better Auth', 'Directus'] as const

/** One operation as the README shows it. */
export interface SummaryRow {
  title: string
  /** Tenantry's answers a second, and its median time in milliseconds. */
  perSecond: number
  p50Ms: number
  /** The requests that a second of processor time answers, for each contender with the operation. */
  perCpuSecond: { contender: string; value: number }[]
}

const rowOf = (results: Results, operation: OperationName): SummaryRow[] => {
  const measured = contenders.flatMap((contender) => {
    const found = measurementOf(results, operation, connections, contender)
    return found && failureOf(found) === undefined ? [found] : []
  })
  const [ours] = measured
  if (ours?.contender !== 'Tenantry') return []
  const perCpuSecond = measured.map(({ contender, samples }) => ({
    contender,
    value: 1e6 / spreadOf(samples.map(({ cpuMicros }) => cpuMicros)).median,
  }))
  const median = (field: 'perSecond' | 'p50Ms') =>
    spreadOf(ours.samples.map((sample) => sample[field])).median
  return [{ title: titleOf(operation), perSecond: median('perSecond'), p50Ms: median('p50Ms'), perCpuSecond }]
}

/** Returns the rows that the run measured with Tenantry. */
export const summaryOf = (results: Results): SummaryRow[] =>
  operations.flatMap((operation) => rowOf(results, operation))

/** Renders a chart, and its figures as a table. */
export const summarySection = (results: Results): string => {
  const rows = summaryOf(results)
  const table = rows.map(({ title, perSecond, p50Ms, perCpuSecond }) => [
    title,
    shown(perSecond),
    shown(p50Ms),
    ...contenders.map((name) => {
      const found = perCpuSecond.find(({ contender }) => contender === name)
      return found ? shown(found.value) : '–'
    }),
  ])
  const head = ['', 'req/s', 'p50 ms', ...contenders.map((name) => `${name}, req/CPU s`)]
  return [
    '![Requests that a second of processor time answers, for Tenantry and its peers](images/performance.svg)',
    markdown([head, ...table]),
    paragraph(
      `At ${connections} connections. req/CPU s is the number of requests that one second of the service's processor time answers.`,
    ),
    sourceOf('operations', results),
  ].join('\n\n')
}
