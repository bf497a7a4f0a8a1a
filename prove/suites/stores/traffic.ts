import { setTimeout as sleep } from 'node:timers/promises'
import { request, type Answer, type Session } from '../../../lab/client.ts'
import { writeUntil, type Stage } from '../crash/writes.ts'

/** The outcome of one request. */
interface Seen {
  what: string
  /** In milliseconds of `performance.now()`. */
  sentAt: number
  endedAt: number
  /** 0 if the connection broke. */
  status: number
}

/** Reads, writes and probes at all replicas, from before a fault until after it. */
export interface Traffic {
  stage: Stage
  /** The number of the last round of writes. */
  round: number
  requests: Seen[]
  readiness: Seen[]
  /** Answers that break a rule. */
  breaches: string[]
  stop: () => Promise<void>
}

/** The time limit of every request, with or without stores. */
export const boundMs = 5000

const probeMs = 50
const readMs = 20
const readers = 2
const writers = 2

const readPaths = [
  '/users?page_size=5',
  '/rbac/roles',
  '/settings/tenant',
  '/profile',
  '/audit/logs?page_size=3',
]

/** A refusal in the envelope, with Retry-After. */
const isWellSaid = ({ status, headers, body }: Answer): boolean => {
  const { code, message, trace_id: trace } = (body ?? {}) as Record<string, unknown>
  const isEnvelope = typeof code === 'number' && typeof message === 'string' && typeof trace === 'string'
  return status === 503 && isEnvelope && headers.get('retry-after') !== null
}

/** Returns the fault of an answer apart from its status, if it has one. */
const faultOf = (answer: Answer | undefined, ms: number): string | undefined => {
  if (!answer) return 'no answer'
  if (ms >= boundMs) return `${answer.status} after ${Math.round(ms)} ms`
  const isRight = answer.status === 200 || isWellSaid(answer)
  return isRight ? undefined : `${answer.status} ${answer.text.slice(0, 120)}`
}

const observer =
  ({ requests, breaches }: Pick<Traffic, 'requests' | 'breaches'>) =>
  (what: string, sentAt: number, answer: Answer | undefined): void => {
    const endedAt = performance.now()
    requests.push({ what, sentAt, endedAt, status: answer?.status ?? 0 })
    const fault = faultOf(answer, endedAt - sentAt)
    if (fault !== undefined) breaches.push(`${what}: ${fault}`)
  }

const get = async (base: string, path: string, call: { token?: string; tenant?: string } = {}) => {
  const sentAt = performance.now()
  const answer = await request(base, 'GET', path, call).catch(() => undefined)
  return { sentAt, answer }
}

const probe = async (base: string, { readiness, breaches }: Traffic): Promise<void> => {
  const live = await get(base, '/healthz')
  const tookMs = performance.now() - live.sentAt
  if (live.answer?.status !== 200 || tookMs > 1000) {
    breaches.push(`/healthz: ${live.answer?.status ?? 'no answer'} after ${Math.round(tookMs)} ms`)
  }
  const { sentAt, answer } = await get(base, '/readyz')
  readiness.push({ what: base, sentAt, endedAt: performance.now(), status: answer?.status ?? 0 })
}

/** Starts the traffic of several clients at each replica. Reads also check writes from earlier rounds of the stage. */
export const startTraffic = (root: Session, urls: string[], stage: Stage): Traffic => {
  const round = stage.writes.length
  stage.refusals.length = 0
  let over = false
  const isOver = () => over
  const traffic: Traffic = {
    stage,
    round,
    requests: [],
    readiness: [],
    breaches: stage.refusals,
    stop: async () => {
      over = true
      await Promise.all(clients)
    },
  }
  const observe = observer(traffic)
  stage.observe = observe
  const repeat = async (pauseMs: number, work: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 0; !isOver(); turn += 1) {
      await work(turn)
      await sleep(pauseMs)
    }
  }
  const read = (url: string) => async (turn: number) => {
    const path = `/api/v1${readPaths[turn % readPaths.length]}`
    const { sentAt, answer } = await get(url, path, { token: root.token, tenant: stage.tenant })
    observe(`GET ${path}`, sentAt, answer)
  }
  const clients = urls.flatMap((url, place) => [
    repeat(probeMs, () => probe(url, traffic)),
    ...Array.from({ length: readers }, () => repeat(readMs, read(url))),
    ...Array.from({ length: writers }, (_, n) =>
      writeUntil(stage, root.at(url), { round, lane: place * writers + n }, isOver),
    ),
  ])
  return traffic
}

/** Whether every replica has reported ready and answered a request since this moment. */
export const isBackSince = ({ readiness, requests }: Traffic, since: number, urls: string[]): boolean =>
  requests.some(({ sentAt, status }) => sentAt > since && status === 200) &&
  urls.every((url) => readiness.some((one) => one.what === url && one.sentAt > since && one.status === 200))
