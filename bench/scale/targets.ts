import { quantile, shown, spreadOf, type Spread } from '../figures.ts'
import type { Verdict } from '../targets.ts'
import type { ExportMeasurement } from './exports.ts'
import type { MixedFigures } from './mixed.ts'
import { deepPage, ladderOperations, titleOf, type ReadOperation } from './reads.ts'
import {
  comparisonOf,
  failuresOf,
  growthOf,
  mixedRatioOf,
  neighbourOf,
  type ScaleResults,
} from './results.ts'

const count = (value: number) => value.toLocaleString('en')

interface GrowthTarget {
  kind: NonNullable<ReadOperation['kind']>
  title: string
  by: ReadOperation['by']
  most: number
}

const deepTitle = `audit page ${count(deepPage)}, or the last`

const growthTargets: GrowthTarget[] = [
  { kind: 'search', title: 'user search', by: 'users', most: 3 },
  { kind: 'audit', title: 'audit page 1, any filter', by: 'records', most: 2 },
  { kind: 'audit-deep', title: deepTitle, by: 'records', most: 2 },
]

/** How many times as much something takes as something else. */
interface Times {
  times: Spread
  p50?: Spread | undefined
  failures: number
  where?: string
}

const verdictOf = (target: string, { times, p50, failures, where }: Times, most: number): Verdict => {
  const parts = [
    p50 ? `p50 ${shown(p50.median)} ×` : '',
    failures > 0 ? `${failures} failed` : '',
    where ?? '',
  ].filter((part) => part !== '')
  const measured = `${rangedTimes(times)}${parts.length > 0 ? ` (${parts.join('; ')})` : ''}`
  return { target, measured, met: failures === 0 && times.median <= most }
}

const rangedTimes = ({ median, min, max }: Spread) => `${shown(median)} × [${shown(min)}–${shown(max)}]`

/** The worst one counts. */
const worstOf = (found: Times[]): Times | undefined =>
  found.toSorted((a, b) => b.failures - a.failures || b.times.median - a.times.median)[0]

const ofKind = (kind: ReadOperation['kind']) =>
  ladderOperations.filter((operation) => operation.kind === kind).map(({ name }) => name)

/** Reached when each operation of its kind reaches it. */
const judgeGrowth = (results: ScaleResults, { kind, title, by, most }: GrowthTarget): Verdict[] => {
  const { rungs } = results.plan.ladder
  const [first, last] = [rungs[0]?.[by] ?? 0, rungs.at(-1)?.[by] ?? 0]
  const worst = worstOf(
    ofKind(kind).flatMap((name) => {
      const times = growthOf(results, name, 'p99Ms')
      const p50 = growthOf(results, name, 'p50Ms')
      return times ? [{ times, p50, failures: failuresOf(results, name), where: titleOf(name) }] : []
    }),
  )
  const target = `${title}, p99: at ${count(last)} ${by} at most ${most} × that at ${count(first)}`
  return worst ? [verdictOf(target, worst, most)] : []
}

/** A page far behind by the first page of the same query. */
const judgeDeepPages = (results: ScaleResults): Verdict[] => {
  const worst = worstOf(
    ofKind('audit-deep').flatMap((name) => {
      const first = name.replace('-deep', '')
      const times = comparisonOf(results, name, first, 'p99Ms')
      const p50 = comparisonOf(results, name, first, 'p50Ms')
      return times ? [{ times, p50, failures: failuresOf(results, name), where: titleOf(name) }] : []
    }),
  )
  const records = count(results.plan.ladder.rungs.at(-1)?.records ?? 0)
  const target = `${deepTitle}, of ${records} records, p99: at most 2 × page 1`
  return worst ? [verdictOf(target, worst, 2)] : []
}

const below = (target: string, value: number, most: number, unit: string): Verdict => ({
  target: `${target}: below ${most} ${unit}`,
  measured: `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`,
  met: value < most,
})

const neighbourMost = 1.5

/** p99 of all answers until the purge was over by that of all before; beside it how far the rounds before differ. */
const judgeNeighbour = (
  { before, meanwhile }: NonNullable<ScaleResults['deletion']>,
  what: 'reads' | 'writes',
): Verdict => {
  const [first, then] = [neighbourOf(before, what), neighbourOf(meanwhile, what)]
  const times = {
    median: then.median / first.median,
    min: then.min / first.median,
    max: then.max / first.median,
  }
  const failures = before.together[what].failures + meanwhile.together[what].failures
  const differ = first.max / first.min
  const where = `the rounds before differ by ${shown(differ)} ×${differ > neighbourMost ? ', more than the limit' : ''}`
  return verdictOf(
    `p99 of ${what} in another tenant meanwhile: at most ${neighbourMost} ×`,
    { times, failures, where },
    neighbourMost,
  )
}

const judgeDeletion = ({ deletion }: ScaleResults): Verdict[] => {
  if (!deletion) return []
  const what = `deleting ${count(deletion.users)} users and ${count(deletion.records)} records`
  return [
    below(`${what}, answer`, deletion.answerMs, 1000, 'ms'),
    judgeNeighbour(deletion, 'reads'),
    judgeNeighbour(deletion, 'writes'),
  ]
}

const judgeReplicas = ({ replicaDelays }: ScaleResults): Verdict[] =>
  replicaDelays
    ? [below('permission change at the other replica, p99', quantile(replicaDelays, 0.99), 50, 'ms')]
    : []

const judgeMixed = ({ mixed }: ScaleResults): Verdict[] => {
  const times = mixed && mixedRatioOf(mixed)
  if (!times) return []
  const target = `p99 of reads while somebody searches another tenant of ${count(mixed.users)}: at most 1.5 ×`
  return [verdictOf(target, { times, failures: failuresIn(mixed) }, 1.5)]
}

const failuresIn = ({ besideSearch, besideCheap }: MixedFigures): number =>
  [...besideSearch, ...besideCheap].reduce(
    (total, { reads, beside }) => total + reads.failures + beside.failures,
    0,
  )

/** What an export may add to the memory of a service that has just started: half of the 383 MB that go through it. */
const exportOf = { records: 1_000_000, mostMB: 192 }

/** An export holds a batch of records, however many there are: what it adds levels off. */
const judgeExport = ({ exports = [], plan }: ScaleResults): Verdict[] => {
  const [smaller, largest] = exports.slice(-2)
  if (!smaller || !largest) return []
  const recordsOf = ({ rung }: ExportMeasurement) => plan.ladder.rungs[rung]?.records ?? 0
  const bounded = exports.find((one) => recordsOf(one) === exportOf.records) ?? largest
  const added = Math.max(...bounded.samples.map(({ beforeMB, peakMB }) => peakMB - beforeMB))
  const ratios = largest.samples.map(({ peakMB }, round) => peakMB / (smaller.samples[round]?.peakMB ?? NaN))
  const title = (one: ExportMeasurement) => `an export of ${count(recordsOf(one))} records`
  return [
    below(`what ${title(bounded)} adds to memory`, added, exportOf.mostMB, 'MB'),
    verdictOf(
      `peak memory of ${title(largest)}: at most 1.25 × that of ${count(recordsOf(smaller))}`,
      { times: spreadOf(ratios), failures: 0 },
      1.25,
    ),
  ]
}

/** The goals that a run has measured. */
export const judgeScale = (results: ScaleResults): Verdict[] => [
  ...growthTargets.flatMap((target) => judgeGrowth(results, target)),
  ...judgeDeepPages(results),
  ...judgeDeletion(results),
  ...judgeMixed(results),
  ...judgeReplicas(results),
  ...judgeExport(results),
]
