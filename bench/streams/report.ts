import { shown } from '../figures.ts'
import type { About } from '../results.ts'
import { align, paragraph, verdictLines, type Verdict } from '../tables.ts'

export interface Plan {
  tenants: number
  sessions: number
  streams: number
  seconds: number
}

/** The time from a change to each of the clients that hear it. */
export interface Heard {
  change: string
  clients: number
  p50Ms: number
  p99Ms: number
  /** Processor milliseconds of the service. */
  cpuMs: number
}

export interface StreamsResults extends About {
  plan: Plan
  /** Resident memory without a stream, and with all of them. */
  beforeMB: number
  openMB: number
  /** Processor seconds a second while nothing happens, without a stream and with all of them. */
  restingCores: number
  openCores: number
  heard: Heard[]
}

/** From the page of the live stream; kB are 1,000 bytes. */
const targets = { kB: 40, endMs: 100 }

export const streamsOf = ({ tenants, sessions, streams }: Plan): number => tenants * sessions * streams

const kBOf = ({ plan, beforeMB, openMB }: StreamsResults): number =>
  ((openMB - beforeMB) * 1000) / streamsOf(plan)

const table = ({ heard }: StreamsResults): string[][] => [
  ['', 'streams that hear it', 'p50 ms', 'p99 ms', 'CPU ms of the service'],
  ...heard.map(({ change, clients, ...figures }) => [
    change,
    clients.toLocaleString('en'),
    ...[figures.p50Ms, figures.p99Ms, figures.cpuMs].map(shown),
  ]),
]

export const judgeStreams = (results: StreamsResults): Verdict[] => {
  const end = results.heard.find(({ change }) => change.startsWith('a session')) ?? { p99Ms: NaN }
  return [
    {
      target: `memory of a stream: at most ${targets.kB} kB`,
      measured: `${shown(kBOf(results))} kB`,
      met: kBOf(results) <= targets.kB,
    },
    {
      target: `from the end of a session to the end of its streams, p99: at most ${targets.endMs} ms`,
      measured: `${shown(end.p99Ms)} ms`,
      met: end.p99Ms <= targets.endMs,
    },
  ]
}

const introduction = (results: StreamsResults): string => {
  const { date, machine, versions, plan, beforeMB, openMB, restingCores, openCores } = results
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const perStream = ((openCores - restingCores) / streamsOf(plan)) * 1e6
  return paragraph(
    `${date.slice(0, 10)}, ${machine}; ${named.join(', ')}. One process has ${streamsOf(plan).toLocaleString('en')} open streams: ${plan.tenants} tenants, ${plan.sessions} sessions in each, ${plan.streams} streams of each. It held ${shown(beforeMB)} MB before the first one and ${shown(openMB)} MB with all of them. While nothing happened for ${plan.seconds} s it took ${shown(openCores * 100)} % of a core, and ${shown(restingCores * 100)} % without streams: ${shown(perStream)} µs a second for each stream. The clients run in the bench, on the same cores.`,
  )
}

export const streamsReport = (results: StreamsResults): string =>
  [introduction(results), align(table(results)), verdictLines(judgeStreams(results))].join('\n\n')
