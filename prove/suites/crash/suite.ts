import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../../attack.ts'
import { ok, signIn, type Session } from '../../../lab/client.ts'
import { startAndKill, startReplica, type Replica } from '../../../lab/replica.ts'
import type { Prove, Suite } from '../../suite.ts'
import { embeddedStores, serviceStores, type Stores, type Target } from '../../target.ts'
import { findBreaches } from './check.ts'
import { openStage, writeUntilGone, type Stage } from './writes.ts'

const clients = 8

interface Running {
  replica: Replica
  root: Session
}

/** Starts servers on stores of the proof's own. */
interface Ground {
  stores: Stores
  started: Replica[]
}

const start = async ({ stores: { env }, started }: Ground): Promise<Running> => {
  const replica = await startReplica(env)
  started.push(replica)
  const root = await signIn(
    replica.url,
    env['TENANTRY_ADMIN_EMAIL'] ?? '',
    env['TENANTRY_ADMIN_PASSWORD'] ?? '',
  )
  return { replica, root }
}

/** Throws when a round had fewer writes than a proof needs. */
const requireWrites = ({ writes }: Stage, rounds: number): string => {
  const acknowledged = writes.filter((write) => write.acknowledged).length
  if (acknowledged < rounds * clients) throw new Error(`only ${acknowledged} writes in ${rounds} rounds`)
  return `${acknowledged} acknowledged writes of 10 kinds from ${clients} clients`
}

/** Runs a proof on stores of its own and removes them with every server, also when a promise is broken. */
const onOwnStores = async ({ kind }: Target, proof: (ground: Ground) => Promise<string>): Promise<string> => {
  const stores = await (kind === 'embedded' ? embeddedStores() : serviceStores())
  const started: Replica[] = []
  try {
    return await proof({ stores, started })
  } finally {
    for (const replica of started) replica.signal('SIGKILL')
    await Promise.all(started.map(({ exited }) => exited))
    await stores.remove()
  }
}

/** Starts the server, writes, and ends it at a random moment. Resolves with its exit code. */
const live = async ({ replica, root }: Running, stage: Stage, round: number, signal: NodeJS.Signals) => {
  const writing = writeUntilGone(stage, root, { round, clients })
  await sleep(150 + Math.random() * 1000)
  const signalledAt = performance.now()
  replica.signal(signal)
  const code = await replica.exited
  const tookMs = performance.now() - signalledAt
  await writing
  return { code, signalledAt, tookMs }
}

const checkAgain = async (ground: Ground, stage: Stage) => {
  const startedAt = performance.now()
  const running = await start(ground)
  const startMs = performance.now() - startedAt
  const { breaches, committed } = await findBreaches(running.root, stage)
  refuteNothing(breaches)
  return { running, committed, startMs }
}

const proveKills = async (ground: Ground, rounds: number): Promise<string> => {
  let running = await start(ground)
  const stage = await openStage(running.root)
  let slowestMs = 0
  let committed = 0
  for (let round = 0; round < rounds; round += 1) {
    await live(running, stage, round, 'SIGKILL')
    const checked = await checkAgain(ground, stage)
    running = checked.running
    committed = checked.committed
    slowestMs = Math.max(slowestMs, checked.startMs)
  }
  const open = stage.writes.filter(({ acknowledged }) => !acknowledged).length
  return (
    `${rounds} times kill -9 during ${requireWrites(stage, rounds)}: none lost, each with one audit record; of ${open} ` +
    `requests in flight ${committed} took effect with their record, ${open - committed} had no effect; slowest restart ` +
    `${(slowestMs / 1000).toFixed(1)} s`
  )
}

/** The service serves for 3 seconds after SIGTERM; a request sent a second before that end has to be answered. */
const servedForMs = 2000

const proveStops = async (ground: Ground, rounds: number): Promise<string> => {
  let running = await start(ground)
  const stage = await openStage(running.root)
  const tookMs: number[] = []
  const dropped: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { code, signalledAt, tookMs: took } = await live(running, stage, round, 'SIGTERM')
    if (code !== 0) {
      throw new Error(`SIGTERM ended it with code ${code}: ${running.replica.log.slice(-2).join(' | ')}`)
    }
    tookMs.push(took)
    const cut = stage.writes.filter((write) => write.round === round && !write.acknowledged)
    dropped.push(...cut.filter(({ sentAt }) => sentAt < signalledAt + servedForMs).map(({ what }) => what))
    running = (await checkAgain(ground, stage)).running
  }
  refuteNothing(
    dropped.map((what) => `${what} was sent while the service served on after SIGTERM, and got no answer`),
  )
  return (
    `${rounds} times SIGTERM during ${requireWrites(stage, rounds)}: code 0 each time, after ` +
    `${Math.max(...tookMs).toFixed(0)} ms at most; none lost, each with one audit record`
  )
}

/**
 * A first start creates the database, the schema, the keys and the administrator. It takes about 4 seconds in each
 * round.
 */
const firstStartMs = 6000

/** Kills one first start at a random moment. Resolves with the milliseconds until then. */
const killFirstStart = async (): Promise<number> => {
  const own = await embeddedStores()
  const started: Replica[] = []
  const afterMs = Math.random() * firstStartMs
  try {
    await startAndKill(own.env, afterMs)
    const { root } = await start({ stores: own, started })
    const { items } = ok(await root.call('GET', '/users')) as { items: { email: string }[] }
    const emails = items.map(({ email }) => email).join()
    if (emails !== root.email) {
      throw new Error(`killed after ${afterMs.toFixed(0)} ms: the users are ${emails}`)
    }
    return afterMs
  } finally {
    for (const replica of started) replica.signal('SIGKILL')
    await Promise.all(started.map(({ exited }) => exited))
    await own.remove()
  }
}

const proveFirstStarts = async (rounds: number): Promise<string> => {
  const moments: number[] = []
  for (let round = 0; round < rounds; round += 1) moments.push(await killFirstStart())
  const shown = moments.toSorted((a, b) => a - b).map((ms) => (ms / 1000).toFixed(1))
  return `killed ${shown.join(', ')} s after the start: the next start succeeded, with one user, the administrator`
}

const prove = async (target: Target, record: Prove): Promise<void> => {
  const rounds = target.short ? 3 : 25
  await record('kill -9 during writes loses no acknowledged write and leaves no partial one', () =>
    onOwnStores(target, (ground) => proveKills(ground, rounds)),
  )
  await record(
    'SIGTERM under load answers the requests in flight, loses no acknowledged write and ends with code 0',
    () => onOwnStores(target, (ground) => proveStops(ground, target.short ? 2 : 5)),
  )
  if (target.kind !== 'embedded') return
  await record('kill -9 during the first start leaves a folder on which the next start succeeds', () =>
    proveFirstStarts(target.short ? 2 : 25),
  )
}

export const crash: Suite = { name: 'crash', kinds: ['embedded', 'services'], prove }
