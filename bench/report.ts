import type { Sample } from './contender.ts'
import { shown, spreadOf } from './figures.ts'
import { operations, type OperationName } from './operations.ts'
import { measurementOf, ratioOf, type Results } from './results.ts'
import { align, markdown, verdictLines, verdictTable } from './tables.ts'
import { judge } from './targets.ts'

/** What stands beside Tenantry; where passwords are hashed, nothing but hashes is the floor. */
const columns: { title: string; others: string[] }[] = [
  { title: 'floor', others: ['floor', 'bcrypt'] },
  { title: 'NestJS', others: ['NestJS'] },
  { title: 'Better Auth', others: ['Better Auth'] },
  { title: 'Directus', others: ['Directus'] },
]

const median = (samples: Sample[], field: 'p50Ms' | 'p99Ms' | 'cpuMicros' | 'residentMiB'): string =>
  shown(spreadOf(samples.map((sample) => sample[field])).median)

const ratio = (
  results: Results,
  operation: OperationName,
  connections: number,
  others: string[],
): string | undefined => {
  const found = others
    .map((other) => ratioOf(results, operation, connections, other))
    .find((one) => one !== undefined)
  return found && found.median.toFixed(found.median < 10 ? 2 : 1)
}

const rowOf = (results: Results, operation: OperationName, connections: number): string[] => {
  const { samples = [] } = measurementOf(results, operation, connections, 'Tenantry') ?? {}
  const rate = spreadOf(samples.map(({ perSecond }) => perSecond))
  return [
    operations.find(({ name }) => name === operation)?.title ?? '',
    String(connections),
    `${shown(rate.median)} [${shown(rate.min)}–${shown(rate.max)}]`,
    ...(['p50Ms', 'p99Ms', 'cpuMicros', 'residentMiB'] as const).map((field) => median(samples, field)),
    ...columns.map(({ others }) => ratio(results, operation, connections, others) ?? '–'),
  ]
}

const mainTable = (results: Results): string => {
  const head = ['Tenantry', 'conn', 'req/s [range]', 'p50 ms', 'p99 ms', 'µs/req', 'MiB']
  const { plan } = results
  const rows = plan.operations.flatMap((operation) =>
    plan.connections.map((connections) => rowOf(results, operation, connections)),
  )
  return align([[...head, ...columns.map(({ title }) => title)], ...rows])
}

const contendersTable = (results: Results): string => {
  const head = ['all of them', 'conn', 'who', 'req/s [range]', 'p50 ms', 'p99 ms', 'µs/req', 'MiB', 'failed']
  const rows = results.measurements.map(({ operation, connections, contender, samples }) => {
    const rate = spreadOf(samples.map(({ perSecond }) => perSecond))
    return [
      operation,
      String(connections),
      contender,
      `${shown(rate.median)} [${shown(rate.min)}–${shown(rate.max)}]`,
      ...(['p50Ms', 'p99Ms', 'cpuMicros', 'residentMiB'] as const).map((field) => median(samples, field)),
      String(samples.reduce((total, { failures }) => total + failures, 0)),
    ]
  })
  return align([head, ...rows])
}

const startRows = ({ starts }: Results): string[][] =>
  starts.map(({ contender, startMs, idleMiB }) => {
    const ms = spreadOf(startMs)
    return [
      contender,
      `${shown(ms.median)} [${shown(ms.min)}–${shown(ms.max)}]`,
      shown(spreadOf(idleMiB).median),
    ]
  })

const startHead = ['', 'first answer, ms', 'idle, MiB']

/** What a run prints in the end. */
export const report = (results: Results): string =>
  [
    contendersTable(results),
    `${mainTable(results)}\nThe last columns: Tenantry's req/s by the other's in the same round, median of the rounds; for hashes, floor is bcrypt`,
    align([startHead, ...startRows(results)]),
    verdictLines(judge(results)),
  ].join('\n\n')

/** The number of connections of the first figures in the README. */
const shownConnections = ({ plan }: Results): number =>
  plan.connections.includes(16) ? 16 : (plan.connections[0] ?? 1)

const readmeRow = (results: Results, operation: OperationName): string[] => {
  const { connections } = results.plan
  const [title = '', , rate = '', p50 = '', p99 = '', cpu = ''] = rowOf(
    results,
    operation,
    shownConnections(results),
  )
  const ratios = columns.map(({ others }) => {
    const found = connections.map((one) => ratio(results, operation, one, others))
    return found.every((one) => one === undefined) ? '–' : found.map((one) => one ?? '–').join(' / ')
  })
  return [title, rate, `${p50} / ${p99}`, cpu, ...ratios]
}

/** The section of the README. */
export const readmeOf = (results: Results): string => {
  const { plan, date, versions } = results
  const at = shownConnections(results)
  const head = [
    '',
    `req/s at ${at} [range]`,
    'p50 / p99 ms',
    'CPU µs',
    ...columns.map(({ title }) => `× ${title}`),
  ]
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `${date.slice(0, 10)}, ${results.machine}; ${named.join(', ')}. ${plan.rounds} alternating rounds of ${plan.seconds} s, bcrypt cost ${plan.bcryptCost}. A ratio is Tenantry's req/s by the other's, at ${plan.connections.join(' / ')} connections.`,
    markdown([head, ...plan.operations.map((operation) => readmeRow(results, operation))]),
    markdown([startHead, ...startRows(results)]),
    verdictTable(judge(results)),
  ].join('\n\n')
}
