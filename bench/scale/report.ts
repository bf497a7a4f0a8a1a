import { quantile, ranged, shown, spreadOf } from '../figures.ts'
import { align, markdown, verdictLines, verdictTable } from '../tables.ts'
import type { Size } from './ladder.ts'
import { ladderOperations, titleOf } from './reads.ts'
import { failuresOf, growthOf, neighbourOf, samplesOf, type ScaleResults } from './results.ts'
import type { Series } from './series.ts'
import { judgeScale } from './targets.ts'

const count = (value: number) => value.toLocaleString('en')

const latency = (samples: Series[]): string => {
  if (samples.length === 0) return '–'
  const [p50, p99] = (['p50Ms', 'p99Ms'] as const).map((field) =>
    shown(spreadOf(samples.map((sample) => sample[field])).median),
  )
  return `${p50} / ${p99}`
}

/** Operations in tenants of growing size, those that could grow with its users or with its records. */
const ladderTable = (results: ScaleResults, by: keyof Size): string[][] => {
  const { rungs } = results.plan.ladder
  const head = [
    `p50 / p99 ms, by ${by}`,
    ...rungs.map((size) => count(size[by])),
    'p50 × [range]',
    'p99 × [range]',
    'failed',
  ]
  const rows = ladderOperations
    .filter((operation) => operation.by === by)
    .map(({ name, title }) => {
      const [p50, p99] = (['p50Ms', 'p99Ms'] as const).map((field) => growthOf(results, name, field))
      return [
        title,
        ...rungs.map((_size, rung) => latency(samplesOf(results, name, rung))),
        p50 ? ranged(p50) : '–',
        p99 ? ranged(p99) : '–',
        String(failuresOf(results, name)),
      ]
    })
  return [head, ...rows]
}

const exportTable = ({ exports = [], plan }: ScaleResults): string[][] => [
  ['export of all records', 'MB read', 'seconds [range]', 'records/s', 'memory before, MB', 'its peak, MB'],
  ...exports.map(({ rung, samples }) => [
    count(plan.ladder.rungs[rung]?.records ?? 0),
    shown(spreadOf(samples.map(({ megabytes }) => megabytes)).median),
    ranged(spreadOf(samples.map(({ seconds }) => seconds))),
    shown(spreadOf(samples.map(({ records, seconds }) => records / seconds)).median),
    ranged(spreadOf(samples.map(({ beforeMB }) => beforeMB))),
    ranged(spreadOf(samples.map(({ peakMB }) => peakMB))),
  ]),
]

const deletionLines = ({ deletion }: ScaleResults): string[] => {
  if (!deletion) return []
  const { users, records, answerMs, purgedSeconds, before, meanwhile } = deletion
  const neighbour = (['reads', 'writes'] as const).map((what) => {
    const [first, then] = [before, meanwhile].map((rounds) => ranged(neighbourOf(rounds, what)))
    return `p99 of ${count(before.together[what].requests)} ${what} before ${first} ms, of ${count(meanwhile.together[what].requests)} meanwhile ${then} ms`
  })
  return [
    `A tenant with ${count(users)} users and ${count(records)} audit records was deleted: answered after ${shown(answerMs)} ms, nothing left of it ${shown(purgedSeconds)} s later. In another tenant, of all answers together [and round by round]: ${neighbour.join('; ')}.`,
  ]
}

const mixedLines = ({ mixed }: ScaleResults): string[] => {
  if (!mixed) return []
  const { users, besideCheap, besideSearch } = mixed
  const [cheap, search] = [besideCheap, besideSearch].map((rounds) =>
    latency(rounds.map(({ reads }) => reads)),
  )
  const searches = latency(besideSearch.map(({ beside }) => beside))
  return [
    `Own profiles in another tenant, while somebody in the one of ${count(users)} users reads theirs: p50 / p99 ${cheap} ms; while they repeat a search that finds one in twenty (${searches} ms): ${search} ms.`,
  ]
}

const replicaLines = ({ replicaDelays }: ScaleResults): string[] =>
  replicaDelays
    ? [
        `A permission given or taken was in force at the other replica ${shown(quantile(replicaDelays, 0.5))} ms after the answer at the median, p99 ${shown(quantile(replicaDelays, 0.99))} ms, over ${replicaDelays.length} changes.`,
      ]
    : []

const tenantListLines = (results: ScaleResults): string[] => {
  const samples = samplesOf(results, 'tenants', 0)
  const { smallTenants, rungs } = results.plan.ladder
  if (samples.length === 0) return []
  return [
    `The ${titleOf('tenants')} of ${count(smallTenants + rungs.length + 2)}: p50 / p99 ${latency(samples)} ms.`,
  ]
}

const seedingLine = ({ seeding }: ScaleResults): string =>
  `Seeded in ${shown(seeding.seconds)} s: ${shown(seeding.usersPerSecond)} users/s, ${shown(seeding.recordsPerSecond)} audit records/s; the service then sealed ${shown(seeding.sealedPerSecond)} records/s.`

const linesOf = (results: ScaleResults): string[] => [
  ...tenantListLines(results),
  ...mixedLines(results),
  ...deletionLines(results),
  ...replicaLines(results),
]

const tablesOf = (results: ScaleResults): string[][][] => [
  ...(results.reads ? [ladderTable(results, 'users'), ladderTable(results, 'records')] : []),
  ...(results.exports ? [exportTable(results)] : []),
]

/** What a run prints in the end. */
export const scaleReport = (results: ScaleResults): string =>
  [
    ...tablesOf(results).map(align),
    ...linesOf(results),
    seedingLine(results),
    verdictLines(judgeScale(results)),
  ].join('\n\n')

/** The section of the README. */
export const scaleReadmeOf = (results: ScaleResults): string => {
  const { plan, date, versions, machine } = results
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `${date.slice(0, 10)}, ${machine}; ${named.join(', ')}. One request after the other, ${plan.rounds} alternating rounds of ${plan.requests} requests; × is the largest tenant by the smallest in the same round.`,
    ...tablesOf(results).map(markdown),
    ...linesOf(results),
    verdictTable(judgeScale(results)),
  ].join('\n\n')
}
