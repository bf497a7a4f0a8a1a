import { spreadOf } from './figures.ts'
import { ratioOf, measurementOf, type Results } from './results.ts'
import type { OperationName } from './operations.ts'

/** What was set as a goal, and what came of it. */
export interface Verdict {
  target: string
  measured: string
  met: boolean
}

interface RatioTarget {
  title: string
  operations: readonly OperationName[]
  least: number
  against: string[]
  /** Fewer connections are not judged. */
  connectionsMin?: number
}

/** With one connection nothing hashes while an answer travels: that is no throughput. */
const hashing = { title: 'login and create', operations: ['login', 'create'], connectionsMin: 2 } as const

const cached: OperationName[] = ['ping', 'profile', 'unread']
const peers = ['Directus', 'Better Auth', 'NestJS']

const ratioTargets: RatioTarget[] = [
  { title: 'cached authority', operations: cached, least: 0.7, against: ['floor'] },
  { title: 'cached authority', operations: cached, least: 5, against: peers },
  { title: 'read one user', operations: ['user'], least: 0.6, against: ['floor'] },
  { title: 'read one user', operations: ['user'], least: 4, against: peers },
  { title: 'refresh', operations: ['refresh'], least: 0.5, against: ['floor'] },
  { title: 'refresh', operations: ['refresh'], least: 3, against: peers },
  { ...hashing, least: 0.95, against: ['bcrypt'] },
]

/** A ratio is reached when each of its operations reaches it with each number of connections that is judged: the worst one counts. */
const judgeRatio = (
  results: Results,
  { title, operations, least, against, connectionsMin = 1 }: RatioTarget,
): Verdict[] =>
  against.flatMap((other) => {
    const found = operations.flatMap((operation) =>
      results.plan.connections.flatMap((connections) => {
        if (connections < connectionsMin) return []
        const ratio = ratioOf(results, operation, connections, other)?.median
        return ratio === undefined ? [] : [{ ratio, where: `${operation} at ${connections}` }]
      }),
    )
    const [worst] = found.toSorted((a, b) => a.ratio - b.ratio)
    if (!worst) return []
    return {
      target: `${title}: at least ${least} × ${other}`,
      measured: `${worst.ratio.toFixed(2)} (${worst.where})`,
      met: worst.ratio >= least,
    }
  })

interface Limit {
  title: string
  most: number
  unit: string
  values: (results: Results) => number[]
}

const startOf = (contender: string, field: 'startMs' | 'idleMiB') => (results: Results) => {
  const starts = results.starts.find((one) => one.contender === contender)
  return starts ? [spreadOf(starts[field]).median] : []
}

const loopDelays = (results: Results): number[] =>
  (['login', 'create'] as const).flatMap((operation) =>
    results.plan.connections.flatMap((connections) => {
      const samples = measurementOf(results, operation, connections, 'Tenantry')?.samples ?? []
      const delays = samples.flatMap(({ loopDelayMs }) => loopDelayMs ?? [])
      return delays.length > 0 ? [spreadOf(delays).median] : []
    }),
  )

export const withoutRedis = 'Tenantry, without Redis'

const limits: Limit[] = [
  { title: 'event loop while hashing, p99', most: 20, unit: 'ms', values: loopDelays },
  {
    title: 'idle memory on PostgreSQL',
    most: 120,
    unit: 'MiB',
    values: startOf(withoutRedis, 'idleMiB'),
  },
  { title: 'idle memory with Redis', most: 120, unit: 'MiB', values: startOf('Tenantry', 'idleMiB') },
  { title: 'start on PostgreSQL', most: 1500, unit: 'ms', values: startOf('Tenantry', 'startMs') },
  {
    title: 'start on an existing embedded database',
    most: 4000,
    unit: 'ms',
    values: startOf('Tenantry, embedded', 'startMs'),
  },
]

const judgeLimit = (results: Results, { title, most, unit, values }: Limit): Verdict[] => {
  const found = values(results)
  const worst = Math.max(...found)
  const measured = `${worst.toFixed(worst < 10 ? 1 : 0)} ${unit}`
  return found.length > 0 ? [{ target: `${title}: below ${most} ${unit}`, measured, met: worst < most }] : []
}

/** The goals that a run has measured. */
export const judge = (results: Results): Verdict[] => [
  ...ratioTargets.flatMap((target) => judgeRatio(results, target)),
  ...limits.flatMap((limit) => judgeLimit(results, limit)),
]
