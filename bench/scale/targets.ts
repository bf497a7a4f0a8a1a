import { quantile, type Spread } from '../figures.ts'
import type { Verdict } from '../targets.ts'
import { deepPage, ladderOperations, titleOf, type ReadOperation } from './reads.ts'
import { comparisonOf, failuresOf, growthOf, neighbourOf, type ScaleResults } from './results.ts'

const count = (value: number) => value.toLocaleString('en')

interface GrowthTarget {
  kind: NonNullable<ReadOperation['kind']>
  title: string
  by: ReadOperation['by']
  most: number
}

const growthTargets: GrowthTarget[] = [
  { kind: 'search', title: 'user search, p99', by: 'users', most: 3 },
  { kind: 'filter', title: 'audit page with a filter, p99', by: 'records', most: 2 },
]

/** Reached when each operation of its kind reaches it: the worst one counts. */
const judgeGrowth = (results: ScaleResults, { kind, title, by, most }: GrowthTarget): Verdict[] => {
  const { rungs } = results.plan.ladder
  const [first, last] = [rungs[0]?.[by] ?? 0, rungs.at(-1)?.[by] ?? 0]
  const found = ladderOperations
    .filter((operation) => operation.kind === kind)
    .flatMap(({ name }) => {
      const growth = growthOf(results, name, 'p99Ms')
      return growth ? [{ name, times: growth.median, failures: failuresOf(results, name) }] : []
    })
  const [worst] = found.toSorted((a, b) => b.failures - a.failures || b.times - a.times)
  if (!worst) return []
  const target = `${title}: at ${count(last)} ${by} at most ${most} × that at ${count(first)}`
  return [verdictOf(target, worst, most, titleOf(worst.name))]
}

const verdictOf = (
  target: string,
  { times, failures }: { times: number; failures: number },
  most: number,
  where?: string,
): Verdict => {
  const measured = `${times.toFixed(2)} ×${failures > 0 ? `, ${failures} failed` : ''}${where ? ` (${where})` : ''}`
  return { target, measured, met: failures === 0 && times <= most }
}

const judgeDeepPage = (results: ScaleResults): Verdict[] => {
  const ratio: Spread | undefined = comparisonOf(results, 'audit-deep', 'audit')
  if (!ratio) return []
  const failures = failuresOf(results, 'audit-deep')
  const page = count(Math.min(deepPage, (results.plan.ladder.rungs.at(-1)?.records ?? 0) / 20))
  return [verdictOf(`audit page ${page}, p99: at most 2 × page 1`, { times: ratio.median, failures }, 2)]
}

const below = (target: string, value: number, most: number, unit: string): Verdict => ({
  target: `${target}: below ${most} ${unit}`,
  measured: `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`,
  met: value < most,
})

const judgeDeletion = ({ deletion }: ScaleResults): Verdict[] => {
  if (!deletion) return []
  const others = (['reads', 'writes'] as const).map((what) =>
    verdictOf(`p99 of ${what} in another tenant meanwhile: at most 1.5 ×`, neighbourOf(deletion, what), 1.5),
  )
  const what = `deleting ${count(deletion.users)} users and ${count(deletion.records)} records`
  return [below(`${what}, answer`, deletion.answerMs, 1000, 'ms'), ...others]
}

const judgeReplicas = ({ replicaDelays }: ScaleResults): Verdict[] =>
  replicaDelays
    ? [below('permission change at the other replica, p99', quantile(replicaDelays, 0.99), 50, 'ms')]
    : []

/** An export holds a batch of records, however many there are: its peak is that of the smallest. */
const judgeExport = ({ exports = [], plan }: ScaleResults): Verdict[] => {
  const [first, last] = [exports[0], exports.at(-1)]
  if (!first || !last) return []
  const peaks = [first, last].map(({ samples }) => Math.max(...samples.map(({ peakMiB }) => peakMiB)))
  const [small = 0, large = 0] = peaks
  const [few, many] = [first, last].map(({ rung }) => count(plan.ladder.rungs[rung]?.records ?? 0))
  const target = `peak memory of an export of ${many} records: at most 1.25 × that of ${few}`
  return [verdictOf(target, { times: large / small, failures: 0 }, 1.25, `${large.toFixed(0)} MiB`)]
}

/** The goals that a run has measured. */
export const judgeScale = (results: ScaleResults): Verdict[] => [
  ...growthTargets.flatMap((target) => judgeGrowth(results, target)),
  ...judgeDeepPage(results),
  ...judgeDeletion(results),
  ...judgeReplicas(results),
  ...judgeExport(results),
]
