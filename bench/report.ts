import { ranged, shown, spreadOf } from './figures.ts'
import type { Measurement } from './measure.ts'
import { titleOf, type OperationName } from './operations.ts'
import { failureOf, measurementOf, ratioOf, type Results } from './results.ts'
import { align, paragraph, verdictLines } from './tables.ts'
import { judge } from './targets.ts'

/** The contenders beside Tenantry; for operations that hash, the floor is only bcrypt. */
const columns: { title: string; others: string[] }[] = [
  { title: '× floor', others: ['floor', 'bcrypt'] },
  { title: '× NestJS', others: ['NestJS'] },
  { title: '× Better Auth', others: ['Better Auth'] },
  { title: '× Directus', others: ['Directus'] },
]

const figureHead = ['req/s [range]', 'p50 ms', 'p99 ms', 'CPU µs', 'MB']

const figuresOf = (measurement: Measurement): string[] => {
  if (failureOf(measurement) !== undefined) return ['failed', ...figureHead.slice(1).map(() => '–')]
  const { samples } = measurement
  const median = (field: 'p50Ms' | 'p99Ms' | 'cpuMicros' | 'residentMB') =>
    shown(spreadOf(samples.map((sample) => sample[field])).median)
  return [
    ranged(spreadOf(samples.map(({ perSecond }) => perSecond))),
    median('p50Ms'),
    median('p99Ms'),
    median('cpuMicros'),
    median('residentMB'),
  ]
}

const ratioCell = (
  results: Results,
  operation: OperationName,
  connections: number,
  others: string[],
): string => {
  const other = others.find((one) => measurementOf(results, operation, connections, one))
  if (other === undefined) return '–'
  const ratio = ratioOf(results, operation, connections, other)
  return ratio ? ranged(ratio) : 'failed'
}

const mainTable = (results: Results): string[][] => {
  const { plan } = results
  const rows = plan.operations.flatMap((operation) =>
    plan.connections.flatMap((connections) => {
      const ours = measurementOf(results, operation, connections, 'Tenantry')
      if (!ours) return []
      const ratios = columns.map(({ others }) => ratioCell(results, operation, connections, others))
      return [[titleOf(operation), String(connections), ...figuresOf(ours), ...ratios]]
    }),
  )
  return [['', 'conn', ...figureHead, ...columns.map(({ title }) => title)], ...rows]
}

const contendersTable = ({ measurements }: Results): string[][] => {
  const rows = measurements.map((one) => [
    titleOf(one.operation),
    String(one.connections),
    one.contender,
    ...figuresOf(one),
  ])
  return [['all contenders', 'conn', 'contender', ...figureHead], ...rows]
}

/** Lists what the tables lack, with the reasons. */
const failureLines = ({ skipped, measurements, starts }: Results): string[] => [
  ...skipped.map(({ peer, reason }) => `Not measured: ${peer}: ${reason}`),
  ...measurements.flatMap((one) => {
    const failure = failureOf(one)
    const where = `${titleOf(one.operation)} at ${one.connections}`
    return failure === undefined ? [] : [`Failed: ${one.contender}, ${where}: ${failure}`]
  }),
  ...starts.flatMap(({ contender, error }) =>
    error === undefined ? [] : [`Failed: ${contender}, start: ${error}`],
  ),
]

const startTable = ({ starts }: Results): string[][] => [
  ['', 'first answer, ms', 'idle, MB'],
  ...starts
    .filter(({ error }) => error === undefined)
    .map(({ contender, startMs, idleMB }) => [
      contender,
      ranged(spreadOf(startMs)),
      ranged(spreadOf(idleMB)),
    ]),
]

const legend =
  "× is Tenantry's req/s divided by the other contender's in the same round: the median of the rounds and their range. For operations that hash, the floor is only bcrypt. wrk corrects p50 and p99: beside an answer much slower than the mean it counts the requests that it would have sent meanwhile. CPU and MB (resident) are those of the service's processes; MB is measured after the round."

/** The text that a run prints at its end. */
export const report = (results: Results): string =>
  [
    align(contendersTable(results)),
    align(mainTable(results)),
    paragraph(legend),
    align(startTable(results)),
    ...failureLines(results),
    verdictLines(judge(results)),
  ].join('\n\n')
