import { refuteNothing } from '../attack.ts'
import type { Session } from '../client.ts'
import { findBreaches } from './crash-check.ts'
import { boundMs, type Traffic } from './store-traffic.ts'

/** When a store was away, in moments as `performance.now()`. */
export interface Outage {
  /** The last moment at which all was well. */
  from: number
  /** Between these two it was away for certain. */
  awayAt: number
  endingAt: number
  /** From here on all is well again. */
  until: number
  /** Whether requests are served all the same. */
  isServed: boolean
}

/** How long a probe may go on telling what was true before. */
const truthMs = 2000
/** How long after the end of an outage everything has to work again. */
const recoveryMs = 3000

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** The last moment at which one of these was seen, as milliseconds after `from`; 0: none. */
const lastAfter = (times: number[], from: number): number => Math.max(0, ...times.map((at) => at - from))

const judgeReadiness = ({ readiness }: Traffic, outage: Outage, breaches: string[]) => {
  const { awayAt, endingAt, until } = outage
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
  if (downMs > truthMs) breaches.push(`/readyz was 200 until ${seconds(downMs)} after it began`)
  if (upMs > truthMs) breaches.push(`/readyz was 503 until ${seconds(upMs)} after it ended`)
  return { downMs, upMs }
}

const judgeRecovery = ({ requests }: Traffic, { from, until, isServed }: Outage, breaches: string[]) => {
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
  if (good.length === 0) breaches.push('no request succeeded after it')
  const firstMs = Math.min(...good.map(({ endedAt }) => endedAt)) - until
  return { refused: refused.length, backMs, firstMs }
}

/** Throws when anything seen during an outage breaks a promise; resolves with the figures. */
export const judge = async (root: Session, traffic: Traffic, outage: Outage): Promise<string> => {
  const breaches = [...traffic.breaches]
  const { downMs, upMs } = judgeReadiness(traffic, outage, breaches)
  const { refused, firstMs, backMs } = judgeRecovery(traffic, outage, breaches)
  const longestMs = Math.max(...traffic.requests.map(({ sentAt, endedAt }) => endedAt - sentAt))
  if (longestMs >= boundMs) breaches.push(`the longest request took ${seconds(longestMs)}`)
  const { stage, round } = traffic
  const acknowledged = stage.writes.filter((write) => write.acknowledged && write.round === round).length
  if (acknowledged < 20) breaches.push(`only ${acknowledged} writes`)
  const checked = await findBreaches(root, stage)
  refuteNothing([...breaches, ...checked.breaches])
  return (
    `${traffic.requests.length} requests, ${refused} of them 503, longest ${seconds(longestMs)}; /readyz turned within ` +
    `${seconds(downMs)} and back within ${seconds(upMs)}; first good answer ${seconds(firstMs)}, last 503 ` +
    `${seconds(backMs)} after it; all ${acknowledged} acknowledged writes there with one audit record each`
  )
}
