import { refuteNothing } from '../../attack.ts'
import type { Session } from '../../../lab/client.ts'
import { findBreaches } from '../crash/check.ts'
import { boundMs, type Traffic } from './traffic.ts'

/** The time of an outage, in moments of `performance.now()`. */
export interface Outage {
  /** The last moment before the outage. */
  from: number
  /** The store was certainly away between these two moments. */
  awayAt: number
  endingAt: number
  /** The store works again from this moment on. */
  until: number
  /** Whether the service answers requests during the outage. */
  isServed: boolean
  /** Whether a replica may have kept a connection: its probe may then report ready. */
  isPartial: boolean
  /** The time after an outage within which everything has to work. */
  recoveryMs: number
}

/** The figures of an outage that broke no promise. */
export interface Figures {
  requests: number
  /** Requests that got 503. */
  refused: number
  acknowledged: number
  longestMs: number
  /** From the beginning of the outage until the last probe that reported ready. */
  downMs: number
  /** From its end until the last probe that did not. */
  upMs: number
  /** From its end until the first answer 200, and until the first one to a write. */
  firstMs: number
  firstWriteMs: number
  /** From its end until the last request that got 503 was sent. */
  backMs: number
}

/** The longest time that a probe may report ready after a store failed. */
const truthMs = 2000
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** The last of these moments in milliseconds after `from`; 0 when there is none. */
const lastAfter = (times: number[], from: number): number => Math.max(0, ...times.map((at) => at - from))

const judgeReadiness = ({ readiness }: Traffic, outage: Outage, breaches: string[]) => {
  const { awayAt, endingAt, until, isPartial, recoveryMs } = outage
  const late = readiness.filter(
    ({ status, sentAt, endedAt }) => status === 200 && sentAt > awayAt && endedAt < endingAt,
  )
  const early = readiness.filter(({ status, endedAt }) => status !== 200 && endedAt > until)
  const downMs = lastAfter(
    late.map(({ endedAt }) => endedAt),
    awayAt,
  )
  const upMs = lastAfter(
    early.map(({ endedAt }) => endedAt),
    until,
  )
  if (!isPartial && downMs > truthMs) breaches.push(`/readyz was 200 until ${seconds(downMs)} after it began`)
  if (upMs > recoveryMs) breaches.push(`/readyz was 503 until ${seconds(upMs)} after it ended`)
  return { downMs, upMs }
}

const judgeRecovery = ({ requests }: Traffic, outage: Outage, breaches: string[]) => {
  const { from, until, isServed, recoveryMs } = outage
  const refused = requests.filter(({ status }) => status === 503)
  const before = refused.filter(({ endedAt }) => endedAt < from)
  if (before.length > 0) breaches.push(`${before.length} requests got 503 before it`)
  if (isServed && refused.length > 0) breaches.push(`${refused.length} requests got 503`)
  const backMs = lastAfter(
    refused.map(({ sentAt }) => sentAt),
    until,
  )
  if (backMs > recoveryMs) breaches.push(`requests sent ${seconds(backMs)} after its end got 503`)
  const good = requests.filter(({ status, sentAt }) => status === 200 && sentAt > until)
  const writes = good.filter(({ what }) => !what.startsWith('GET'))
  if (writes.length === 0) breaches.push('no write succeeded after it')
  const firstMs = Math.min(...good.map(({ endedAt }) => endedAt)) - until
  const firstWriteMs = Math.min(...writes.map(({ endedAt }) => endedAt)) - until
  if (firstWriteMs > recoveryMs) breaches.push(`the first write succeeded ${seconds(firstWriteMs)} after it`)
  return { refused: refused.length, backMs, firstMs, firstWriteMs }
}

/** Throws when an observation during an outage breaks a promise; resolves with the figures. */
export const judge = async (root: Session, traffic: Traffic, outage: Outage): Promise<Figures> => {
  const breaches = [...traffic.breaches]
  const ready = judgeReadiness(traffic, outage, breaches)
  const served = judgeRecovery(traffic, outage, breaches)
  const longestMs = Math.max(...traffic.requests.map(({ sentAt, endedAt }) => endedAt - sentAt))
  if (longestMs >= boundMs) breaches.push(`the longest request took ${seconds(longestMs)}`)
  const { stage, round } = traffic
  const acknowledged = stage.writes.filter((write) => write.acknowledged && write.round === round).length
  if (acknowledged < 20) breaches.push(`only ${acknowledged} writes`)
  const checked = await findBreaches(root, stage)
  refuteNothing([...breaches, ...checked.breaches])
  return { requests: traffic.requests.length, acknowledged, longestMs, ...ready, ...served }
}

/** Formats the figures of one outage. */
export const say = (figures: Figures): string => {
  const { requests, refused, acknowledged, longestMs, downMs, upMs, firstMs, backMs } = figures
  return (
    `${requests} requests, ${refused} of them 503, longest ${seconds(longestMs)}; /readyz turned within ` +
    `${seconds(downMs)} and back within ${seconds(upMs)}; first good answer ${seconds(firstMs)}, last 503 ` +
    `${seconds(backMs)} after it; all ${acknowledged} acknowledged writes exist with one audit record each`
  )
}
