import { shown } from '../figures.ts'
import type { About } from '../results.ts'
import { align, paragraph, verdictLines, type Verdict } from '../tables.ts'

export interface Plan {
  users: number
  keys: number
  connections: number
  questions: number
}

/** Milliseconds of answers. */
export interface Times {
  p50: number
  p99: number
  most: number
}

/** The first push: one POST for each user. */
export interface Pushed {
  seconds: number
  /** Answers that asked the client to wait. */
  waits: number
  /** Any other answer than a created user. */
  failures: number
  ms: Times
  cpuMs: number
  beforeMB: number
  peakMB: number
  afterMB: number
}

export interface DirectoriesResults extends About {
  plan: Plan
  pushed: Pushed
  /** The time of a group of 20,000 members, and of one member who is added to it. */
  groupMs: { whole: number; one: number }
  filters: Record<string, Times>
  /** The end of the directory: the request, and what it leaves. */
  endSeconds: number
}

/** Specification, "Directories". */
const filterMs = 50

const worstFilter = (filters: DirectoriesResults['filters']): Verdict => {
  const [[filter, { p99 }] = ['none', { p99: NaN }]] = Object.entries(filters).toSorted(
    ([, one], [, other]) => other.p99 - one.p99,
  )
  return {
    target: `every filter, p99: below ${filterMs} ms`,
    measured: `${shown(p99)} ms (${filter})`,
    met: p99 < filterMs,
  }
}

export const judgeDirectories = ({ pushed, filters, plan }: DirectoriesResults): Verdict[] => [
  {
    target: `errors while ${plan.users.toLocaleString('en')} users are pushed, besides 429: none`,
    measured: String(pushed.failures),
    met: pushed.failures === 0,
  },
  worstFilter(filters),
]

const table = ({ filters, pushed }: DirectoriesResults): string[][] => [
  ['', 'p50 ms', 'p99 ms', 'most ms'],
  ...Object.entries({ 'POST /Users': pushed.ms, ...filters }).map(([what, { p50, p99, most }]) => [
    what,
    ...[p50, p99, most].map(shown),
  ]),
]

const introduction = (results: DirectoriesResults): string => {
  const { date, machine, versions, plan, pushed, groupMs, endSeconds } = results
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const perSecond = shown(plan.users / pushed.seconds)
  const cpu = shown(pushed.cpuMs / plan.users)
  return paragraph(
    `${date.slice(0, 10)}, ${machine}; ${named.join(', ')}. One process took ${plan.users.toLocaleString('en')} users in ${shown(pushed.seconds)} s, ${perSecond} a second, one POST each, with request limits on. ${plan.keys} keys of one directory sent them over ${plan.connections} connections, and waited ${pushed.waits.toLocaleString('en')} times after 429. A user took ${cpu} ms of the processor. The process held ${shown(pushed.beforeMB)} MB before, ${shown(pushed.peakMB)} MB at most, and ${shown(pushed.afterMB)} MB after. A group of 20,000 members took ${shown(groupMs.whole / 1000)} s, and a further member ${shown(groupMs.one)} ms. Filters were asked one after the other, ${plan.questions.toLocaleString('en')} of each kind. The end of the directory took ${shown(endSeconds)} s. The clients run in the bench, on the same cores.`,
  )
}

export const directoriesReport = (results: DirectoriesResults): string =>
  [introduction(results), align(table(results)), verdictLines(judgeDirectories(results))].join('\n\n')
