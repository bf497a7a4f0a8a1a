import { quantile, shown, spreadOf, type Spread } from '../figures.ts'
import type { Verdict } from '../tables.ts'
import type { ExportMeasurement } from './exports.ts'
import type { MixedFigures } from './mixed.ts'
import { ladderOperations, titleOf, type ReadOperation } from './reads.ts'
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

const growthTargets: GrowthTarget[] = [
  { kind: 'search', title: 'user search', by: 'users', most: 3 },
  { kind: 'audit', title: 'audit page 1, any filter', by: 'records', most: 2 },
  { kind: 'users-on', title: 'users, reading on', by: 'users', most: 2 },
  { kind: 'audit-on', title: 'audit log, reading on, any filter', by: 'records', most: 2 },
]

/** The ratio of two times. */
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

/** Returns the worst ratio, by which the target is judged. */
const worstOf = (found: Times[]): Times | undefined =>
  found.toSorted((a, b) => b.failures - a.failures || b.times.median - a.times.median)[0]

const ofKind = (kind: ReadOperation['kind']) =>
  ladderOperations.filter((operation) => operation.kind === kind).map(({ name }) => name)

/** The target is met when every operation of its kind meets it. */
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

/** Compares a page that reads on from far behind with the first page of the same query. */
const judgeReadingOn = (results: ScaleResults): Verdict[] => {
  const worst = worstOf(
    [...ofKind('users-on'), ...ofKind('audit-on')].flatMap((name) => {
      const first = name.replace('-on', '')
      const times = comparisonOf(results, name, first, 'p99Ms')
      const p50 = comparisonOf(results, name, first, 'p50Ms')
      return times ? [{ times, p50, failures: failuresOf(results, name), where: titleOf(name) }] : []
    }),
  )
  return worst ? [verdictOf('reading on, p99: at most 2 × page 1', worst, 2)] : []
}

/** Compares a page by attributes with the page of all users. */
const judgeAttributes = (results: ScaleResults): Verdict[] => {
  const worst = worstOf(
    ofKind('attribute').flatMap((name) => {
      const times = comparisonOf(results, name, 'users', 'p50Ms')
      return times ? [{ times, failures: failuresOf(results, name), where: titleOf(name) }] : []
    }),
  )
  return worst
    ? [verdictOf('users by indexed attributes, p50: at most 1.5 × the page of all', worst, 1.5)]
    : []
}

const below = (target: string, value: number, most: number, unit: string): Verdict => ({
  target: `${target}: below ${most} ${unit}`,
  measured: `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`,
  met: value < most,
})

const neighbourMost = 1.5

/**
 * Compares p99 of all answers during the purge with p99 of those before. Names the spread of the rounds before where it
 * exceeds the limit: the machine was not quiet enough to judge.
 */
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
  const where = differ > neighbourMost ? `the rounds before differ by ${shown(differ)} ×` : ''
  return verdictOf(
    `p99 of ${what} in another tenant during it: at most ${neighbourMost} ×`,
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

const judgeCatalogue = ({ catalogue }: ScaleResults): Verdict[] =>
  catalogue
    ? [
        below(
          `a change of the catalogue with ${count(catalogue.tenants)} tenants, slowest answer`,
          Math.max(...Object.values(catalogue.answersMs).flat()),
          1000,
          'ms',
        ),
      ]
    : []

const judgeMixed = ({ mixed }: ScaleResults): Verdict[] => {
  const times = mixed && mixedRatioOf(mixed)
  if (!times) return []
  const target = `p99 of reads beside searches in another tenant of ${count(mixed.users)}: at most 1.5 ×`
  return [verdictOf(target, { times, failures: failuresIn(mixed) }, 1.5)]
}

const failuresIn = ({ besideSearch, besideCheap }: MixedFigures): number =>
  [...besideSearch, ...besideCheap].reduce(
    (total, { reads, beside }) => total + reads.failures + beside.failures,
    0,
  )

/** The memory that an export may add to a fresh service: half of the 383 MB that it sends. */
const exportOf = { records: 1_000_000, mostMB: 192 }

/** An export holds one batch of records at a time, so its memory levels off. */
const judgeExport = ({ exports = [], plan }: ScaleResults): Verdict[] => {
  const [smaller, largest] = exports.slice(-2)
  if (!smaller || !largest) return []
  const recordsOf = ({ rung }: ExportMeasurement) => plan.ladder.rungs[rung]?.records ?? 0
  const bounded = exports.find((one) => recordsOf(one) === exportOf.records) ?? largest
  const added = Math.max(...bounded.samples.map(({ beforeMB, peakMB }) => peakMB - beforeMB))
  const ratios = largest.samples.map(({ peakMB }, round) => peakMB / (smaller.samples[round]?.peakMB ?? NaN))
  const title = (one: ExportMeasurement) => `an export of ${count(recordsOf(one))} records`
  return [
    below(`memory added by ${title(bounded)}`, added, exportOf.mostMB, 'MB'),
    verdictOf(
      `peak memory of ${title(largest)}: at most 1.25 × that of ${count(recordsOf(smaller))}`,
      { times: spreadOf(ratios), failures: 0 },
      1.25,
    ),
  ]
}

const judgeArchives = ({ archives }: ScaleResults): Verdict[] => {
  if (!archives) return []
  const [first, ...later] = archives.rounds
  const growth = (what: 'writes' | 'newest'): Times[] =>
    later.map((state) => ({
      times: spreadOf(state[what].map(({ p50Ms }, round) => p50Ms / (first?.[what][round]?.p50Ms ?? NaN))),
      failures: state[what].reduce((total, { failures }) => total + failures, 0),
      where: state.state,
    }))
  return [
    ...(['writes', 'newest'] as const).flatMap((what) => {
      const worst = worstOf(growth(what))
      const title = what === 'writes' ? 'a write' : 'the newest audit page'
      return worst ? [verdictOf(`${title}, partitioned and archived: at most 1.1 ×`, worst, 1.1)] : []
    }),
    below('longest write during a move', archives.longestMs[0] ?? NaN, 100, 'ms'),
  ]
}

/** Judges the targets that a run has measured. */
export const judgeScale = (results: ScaleResults): Verdict[] => [
  ...growthTargets.flatMap((target) => judgeGrowth(results, target)),
  ...judgeReadingOn(results),
  ...judgeAttributes(results),
  ...judgeDeletion(results),
  ...judgeMixed(results),
  ...judgeReplicas(results),
  ...judgeExport(results),
  ...judgeCatalogue(results),
  ...judgeArchives(results),
]
