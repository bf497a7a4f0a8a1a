import { ranged, spreadOf, type Spread } from './figures.ts'
import type { OperationName } from './operations.ts'
import { failureOf, measurementOf, ratioOf, type Results } from './results.ts'
import type { Verdict } from './tables.ts'

interface RatioTarget {
  title: string
  operations: readonly OperationName[]
  least: number
  against: string[]
  /** Selects the judged numbers of connections; without it all are. */
  isJudged?: (connections: number) => boolean
}

/** With one connection no hash runs while an answer travels, so throughput is not judged. */
const hashing = {
  title: 'login and create',
  operations: ['login', 'create'],
  isJudged: (connections: number) => connections > 1,
} as const

const cached: OperationName[] = ['ping', 'profile', 'unread']
const settings: OperationName[] = ['setting', 'settings']
const peers = ['Directus', 'Better Auth', 'NestJS']

const ratioTargets: RatioTarget[] = [
  { title: 'cached authority', operations: cached, least: 0.7, against: ['floor'] },
  { title: 'cached authority', operations: cached, least: 5, against: peers },
  { title: 'read one user', operations: ['user'], least: 0.6, against: ['floor'] },
  { title: 'read one user', operations: ['user'], least: 4, against: peers },
  { title: 'refresh', operations: ['refresh'], least: 0.5, against: ['floor'] },
  { title: 'refresh', operations: ['refresh'], least: 3, against: peers },
  {
    title: 'a setting, up to 16 connections',
    operations: settings,
    least: 3,
    against: ['NestJS'],
    isJudged: (connections) => connections <= 16,
  },
  {
    title: 'a setting, more connections',
    operations: settings,
    least: 2.5,
    against: ['NestJS'],
    isJudged: (connections) => connections > 16,
  },
  { ...hashing, least: 0.95, against: ['bcrypt'] },
]

/** One operation with one number of connections, measured with both contenders. */
interface Comparison {
  where: string
  ratio: Spread | undefined
  /** Whether Tenantry failed. */
  isOurs: boolean
}

const comparisonsOf = (
  results: Results,
  { operations, isJudged = () => true }: RatioTarget,
  other: string,
): Comparison[] =>
  operations.flatMap((operation) =>
    results.plan.connections.flatMap((connections) => {
      if (!isJudged(connections) || !measurementOf(results, operation, connections, other)) return []
      const ours = measurementOf(results, operation, connections, 'Tenantry')
      return {
        where: `${operation} at ${connections}`,
        ratio: ratioOf(results, operation, connections, other),
        isOurs: !ours || failureOf(ours) !== undefined,
      }
    }),
  )

/** The target is met when every operation meets it with each judged number of connections: the worst ratio counts. */
const judgeRatio = (results: Results, ratioTarget: RatioTarget): Verdict[] =>
  ratioTarget.against.flatMap((other): Verdict[] => {
    const { title, least } = ratioTarget
    const found = comparisonsOf(results, ratioTarget, other)
    if (found.length === 0) return []
    const target = `${title}: at least ${least} × ${other}`
    const failed = found.filter(({ ratio }) => !ratio)
    const ours = failed.filter(({ isOurs }) => isOurs)
    if (ours.length > 0) return [{ target, measured: `Tenantry failed: ${listed(ours)}`, met: false }]
    const without = failed.length > 0 ? `; ${other} failed: ${listed(failed)}` : ''
    const [worst] = found
      .flatMap(({ ratio, where }) => (ratio ? [{ ...ratio, where }] : []))
      .toSorted((a, b) => a.median - b.median)
    return worst
      ? [{ target, measured: `${ranged(worst)} (${worst.where})${without}`, met: worst.median >= least }]
      : [{ target, measured: `not compared${without}`, met: undefined }]
  })

const listed = (comparisons: Comparison[]): string => comparisons.map(({ where }) => where).join(', ')

interface Limit {
  title: string
  most: number
  unit: string
  /** NaN stands for a failure. */
  values: (results: Results) => number[]
}

const startOf =
  (contender: string, field: 'startMs' | 'idleMB') =>
  ({ starts }: Results): number[] => {
    const found = starts.find((one) => one.contender === contender)
    return found ? [found.error === undefined ? spreadOf(found[field]).median : NaN] : []
  }

/** Returns the medians of Tenantry's rounds of these operations, one for each number of connections. */
const mediansOf = (
  { measurements }: Results,
  operations: readonly OperationName[],
  field: 'loopDelayMs' | 'residentMB',
): number[] =>
  measurements
    .filter(({ contender, operation }) => contender === 'Tenantry' && operations.includes(operation))
    .map((one) =>
      failureOf(one) === undefined ? spreadOf(one.samples.map((sample) => sample[field] ?? NaN)).median : NaN,
    )

export const withoutRedis = 'Tenantry, without Redis'

/** One process answers the whole run of some million requests, so a leak would add up. */
const growthUnderLoad = (results: Results): number[] => {
  const [idle = NaN] = startOf('Tenantry', 'idleMB')(results)
  return mediansOf(results, results.plan.operations, 'residentMB').map((loaded) => loaded / idle)
}

const limits: Limit[] = [
  {
    title: 'event loop while hashing, p99',
    most: 20,
    unit: 'ms',
    values: (results) => mediansOf(results, hashing.operations, 'loopDelayMs'),
  },
  { title: 'idle memory on PostgreSQL', most: 120, unit: 'MB', values: startOf(withoutRedis, 'idleMB') },
  { title: 'idle memory with Redis', most: 120, unit: 'MB', values: startOf('Tenantry', 'idleMB') },
  { title: 'memory after a load, by memory at rest', most: 2, unit: '×', values: growthUnderLoad },
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
  if (found.length === 0) return []
  const worst = Math.max(...found)
  const measured = Number.isNaN(worst) ? 'failed' : `${worst.toFixed(1)} ${unit}`
  return [{ target: `${title}: below ${most} ${unit}`, measured, met: worst < most }]
}

/** Judges the targets that a run has measured. */
export const judge = (results: Results): Verdict[] => [
  ...ratioTargets.flatMap((target) => judgeRatio(results, target)),
  ...limits.flatMap((limit) => judgeLimit(results, limit)),
]
