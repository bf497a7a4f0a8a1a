import { quantile, ranged, shown, spreadOf } from '../figures.ts'
import { align, paragraph, verdictLines } from '../tables.ts'
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

/** Tabulates the operations that could grow with the users or with the records of a tenant. */
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
  ['export of all records', 'MB read', 'seconds [range]', 'records/s', 'memory before, MB', 'peak, MB'],
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
    return `p99 of ${what}: ${first} ms before (${count(before.together[what].requests)} answers), ${then} ms during the purge (${count(meanwhile.together[what].requests)} answers)`
  })
  return [
    `The bench deleted a tenant of ${count(users)} users and ${count(records)} audit records: the answer took ${shown(answerMs)} ms, the purge ${shown(purgedSeconds)} s. In another tenant, over all answers [and the range of the rounds]: ${neighbour.join('; ')}.`,
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
    `Own profiles in a small tenant, beside a user of the tenant of ${count(users)} users: p50 / p99 ${cheap} ms while that user reads their profile, ${search} ms while that user repeats a search that finds one in twenty (${searches} ms).`,
  ]
}

const replicaLines = ({ replicaDelays }: ScaleResults): string[] =>
  replicaDelays
    ? [
        `The other replica applied a change of permissions ${shown(quantile(replicaDelays, 0.5))} ms after its answer (median; p99 ${shown(quantile(replicaDelays, 0.99))} ms; ${replicaDelays.length} changes).`,
      ]
    : []

const catalogueLines = ({ catalogue }: ScaleResults): string[] => {
  if (!catalogue) return []
  const answers = Object.entries(catalogue.answersMs).map(
    ([title, ms]) => `${title} ${ranged(spreadOf(ms))} ms`,
  )
  return [`Changes of the catalogue with ${count(catalogue.tenants)} tenants: ${answers.join(', ')}.`]
}

const archiveLines = ({ archives }: ScaleResults): string[] => {
  if (!archives) return []
  const { records, rounds, seconds, meanwhile, longestMs } = archives
  const states = rounds.map(
    ({ state, writes, newest }) => `${state}: a write ${latency(writes)}, the newest page ${latency(newest)}`,
  )
  return [
    `Audit log of ${count(records)} records, p50 / p99 ms: ${states.join('; ')}.`,
    `Its move to an archive took ${shown(seconds)} s (${shown(records / seconds)} records/s) and ${shown(archives.peakMB)} MB. ${count(meanwhile.requests)} writes meanwhile: ${latency([meanwhile])} ms, the longest ${longestMs.map(shown).join(', ')} ms.`,
    ...(archives.exported
      ? [
          `An export across both servers: ${shown(archives.exported.megabytes)} MB in ${shown(archives.exported.seconds)} s.`,
        ]
      : []),
  ]
}

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
  ...catalogueLines(results),
  ...archiveLines(results),
]

const tablesOf = (results: ScaleResults): string[][][] => [
  ...(results.reads ? [ladderTable(results, 'users'), ladderTable(results, 'records')] : []),
  ...(results.exports ? [exportTable(results)] : []),
]

/** The text that a run prints at its end. */
export const scaleReport = (results: ScaleResults): string =>
  [
    ...tablesOf(results).map(align),
    ...linesOf(results).map(paragraph),
    seedingLine(results),
    verdictLines(judgeScale(results)),
  ].join('\n\n')
