import { ranged, shown, spreadOf } from '../figures.ts'
import type { About } from '../results.ts'
import { align, paragraph, verdictLines, type Verdict } from '../tables.ts'
import type { Arrivals, Drained } from './drain.ts'
import type { Memory } from './delays.ts'
import { hooksOfTenant, tenantsCount } from './tenantry.ts'

export interface Plan {
  rounds: number
  deliveries: number
  backlog: number
  rates: number[]
  seconds: number
}

/** The rounds of one sender. */
export interface Drains {
  name: string
  samples: Drained[]
}

export interface EventsResults extends About {
  plan: Plan
  drains: Drains[]
  /** At each rate of changes. */
  delays: { perSecond: number; arrivals: Arrivals }[]
  memory: Memory
}

const targets = { perSecond: 500, p99Ms: 2000, growthMB: 32 }

const ratesOf = ({ samples }: Drains): number[] => samples.map(({ perSecond }) => perSecond)

const rowOf = (one: Drains, ours: Drains | undefined): string[] => {
  const median = (read: (sample: Drained) => number) => shown(spreadOf(one.samples.map(read)).median)
  const ratios = ratesOf(one).map((rate, round) => (ours ? (ratesOf(ours)[round] ?? NaN) : NaN) / rate)
  return [
    one.name,
    ranged(spreadOf(ratesOf(one))),
    ranged(spreadOf(ratios)),
    median(({ cpuMicros }) => cpuMicros),
    median(({ postgres }) => postgres.cpuSeconds * 1e6),
    median(({ postgres }) => postgres.walBytes),
    median(({ postgres }) => postgres.rows),
    median(({ postgres }) => postgres.commits),
  ]
}

const drainHead = [
  '',
  'deliveries/s [range]',
  'Tenantry ×',
  'CPU µs',
  'PostgreSQL µs',
  'WAL bytes',
  'rows written',
  'commits',
]

const drainTable = ({ drains }: EventsResults): string[][] => {
  const ours = drains.find(({ name }) => name === 'Tenantry')
  return [drainHead, ...drains.map((one) => rowOf(one, ours))]
}

const delayTable = ({ delays }: EventsResults): string[][] => [
  ['changes/s', 'deliveries/s', 'deliveries', 'p50 ms', 'p99 ms', 'longest ms'],
  ...delays.map(({ perSecond, arrivals: { count, p50Ms, p99Ms, maxMs } }) => [
    String(perSecond),
    String(perSecond * hooksOfTenant),
    ...[count, p50Ms, p99Ms, maxMs].map((value) => value.toLocaleString('en')),
  ]),
]

const grown = ({ memory }: EventsResults): number => memory.peakMB - memory.beforeMB

export const judgeEvents = (results: EventsResults): Verdict[] => {
  const ours = results.drains.find(({ name }) => name === 'Tenantry')
  const rate = spreadOf(ours ? ratesOf(ours) : [NaN])
  const worstMs = Math.max(...results.delays.map(({ arrivals }) => arrivals.p99Ms))
  return [
    {
      target: `deliveries a second from one process: at least ${targets.perSecond}`,
      measured: ranged(rate),
      met: rate.median >= targets.perSecond,
    },
    {
      target: `from the change to its receipt, p99: below ${targets.p99Ms / 1000} s`,
      measured: `${shown(worstMs / 1000)} s`,
      met: worstMs < targets.p99Ms,
    },
    {
      target: `memory while ${results.memory.records.toLocaleString('en')} records are delivered: at most ${targets.growthMB} MB more`,
      measured: `${shown(grown(results))} MB`,
      met: grown(results) <= targets.growthMB,
    },
  ]
}

const introduction = ({ date, machine, versions, plan }: EventsResults): string => {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return paragraph(
    `${date.slice(0, 10)}, ${machine}; ${named.join(', ')}. ${tenantsCount} tenants with ${hooksOfTenant} webhooks each, and one fast receiver. ${plan.rounds} alternating rounds drain ${plan.deliveries.toLocaleString('en')} deliveries. × is Tenantry's rate divided by that of the row, in the same round. All costs are those of one delivery: the processor time of the sending process and of PostgreSQL, the bytes of its write-ahead log, the rows that it inserted, updated or deleted, and its commits.`,
  )
}

const memoryLine = ({ memory }: EventsResults): string =>
  paragraph(
    `The process held ${shown(memory.beforeMB)} MB before ${memory.records.toLocaleString('en')} waiting records were delivered, at most ${shown(memory.peakMB)} MB meanwhile, and ${shown(memory.afterMB)} MB after the last one.`,
  )

export const eventsReport = (results: EventsResults): string =>
  [
    introduction(results),
    align(drainTable(results)),
    align(delayTable(results)),
    memoryLine(results),
    verdictLines(judgeEvents(results)),
  ].join('\n\n')
