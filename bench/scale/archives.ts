/** A log whose old part moves to another server: the cost of a write and of the newest page before, meanwhile, after. */
import type pg from 'pg'
import { ownPostgres } from '../../lab/own-postgres.ts'
import { run, start, type Running } from '../../lab/processes.ts'
import { tenantry } from '../../lab/replica.ts'
import type { Server } from '../contender.ts'
import type { Request } from '../load.ts'
import { isInterrupted, peakMB } from '../process.ts'
import { progress } from '../progress.ts'
import { api, asCaller, startTenantry } from '../service.ts'
import { measureExports, type ExportSample } from './exports.ts'
import type { Tenant } from './ladder.ts'
import { awaitQuiet } from './quiet.ts'
import { awaitSeals } from './seeding.ts'
import { askUntil, inTurn, seriesOf, type Series } from './series.ts'

const states = ['one table', 'partitioned', 'archived'] as const

/** Rounds of one state of the log. */
interface StateRounds {
  state: (typeof states)[number]
  writes: Series[]
  newest: Series[]
}

export interface ArchiveFigures {
  records: number
  rounds: StateRounds[]
  /** Seconds of the whole command, and its peak memory. */
  seconds: number
  peakMB: number
  /** Writes during the move, and the longest ones in milliseconds. */
  meanwhile: Series
  longestMs: number[]
  /** An export that reads across both servers. */
  exported: ExportSample | undefined
}

interface Stage {
  server: Server
  client: pg.Client
  tenant: Tenant
  env: Record<string, string>
}

interface Plan {
  rounds: number
  requests: number
}

const requestsOf = async ({ server, tenant }: Stage): Promise<{ writes: Request[]; newest: Request[] }> => {
  const { headers } = await asCaller(server.url, tenant.callerAddress, tenant.id)
  const path = `${api}/settings/tenant/setting.1`
  return {
    // Each request writes another value: the same value again would be no change.
    writes: [1, 2].map((value) => ({ method: 'PUT', path, headers, body: { value } })),
    newest: [{ method: 'GET', path: `${api}/audit/logs`, headers }],
  }
}

const measureState = async (
  stage: Stage,
  state: StateRounds['state'],
  { rounds, requests }: Plan,
): Promise<StateRounds> => {
  await awaitQuiet(stage.client)
  const of = await requestsOf(stage)
  const ask = (what: Request[]) =>
    askUntil(stage.server.url, inTurn(what), { isOver: (asked) => asked >= requests })
  const measured: StateRounds = { state, writes: [], newest: [] }
  for (const what of [of.writes, of.newest, of.writes]) await ask(what) // warms up
  for (let round = 1; round <= rounds; round++) {
    if (isInterrupted()) throw new Error('interrupted')
    progress(`archives, ${state}, round ${round}/${rounds}`)
    measured.writes.push(seriesOf(await ask(of.writes)))
    measured.newest.push(seriesOf(await ask(of.newest)))
  }
  return measured
}

const archive = 'bench'
const pauseMs = 10
const longestShown = 3

/** 0 for a process that has just ended. */
const peakOf = (running: Running): number => {
  try {
    return running.hasEnded() ? 0 : peakMB(running.pid) || 0
  } catch {
    return 0
  }
}

/** Moves all closed partitions while a client writes. */
const moveBesideWrites = async (
  stage: Stage,
): Promise<Pick<ArchiveFigures, 'seconds' | 'peakMB' | 'meanwhile' | 'longestMs'>> => {
  const { writes } = await requestsOf(stage)
  const started = performance.now()
  const moving = start(tenantry(['audit', 'move', '--before', '2100-01-01', '--to', archive], stage.env))
  const seen = { peakMB: 0 }
  const isOver = (): boolean => {
    seen.peakMB = Math.max(seen.peakMB, peakOf(moving))
    progress(`archives: ${moving.log.at(-1) ?? 'the move starts'}`)
    return moving.hasEnded()
  }
  const answers = await askUntil(stage.server.url, inTurn(writes), { isOver, pauseMs })
  const code = await moving.exited
  if (code !== 0) throw new Error(`the move ended with ${code}: ${moving.log.slice(-5).join('\n')}`)
  const longestMs = answers
    .map(({ ms }) => ms)
    .toSorted((a, b) => b - a)
    .slice(0, longestShown)
  const seconds = (performance.now() - started) / 1000
  return { seconds, peakMB: seen.peakMB, meanwhile: seriesOf(answers), longestMs }
}

/** Writes one record: the first partition closes when the ids go on behind it. */
const closeFirst = async (stage: Stage): Promise<void> => {
  const { writes } = await requestsOf(stage)
  await askUntil(stage.server.url, inTurn(writes), { isOver: (asked) => asked > 0 })
  await awaitSeals(stage.client)
}

const countRecords = async (client: pg.Client): Promise<number> =>
  Number((await client.query<{ count: string }>('select count(*) from audit_logs')).rows[0]?.count)

/** Partitions the log and moves it to a server of its own. The service of this part knows the archive. */
export const measureArchives = async (
  client: pg.Client,
  tenant: Tenant,
  { env: stores, ...plan }: Plan & { env: Record<string, string> },
): Promise<ArchiveFigures> => {
  const there = await ownPostgres({})
  const env = { ...stores, TENANTRY_ARCHIVES: `${archive}=${there.url}` }
  try {
    await there.start()
    const server = await startTenantry(env)
    const stage = { server, client, tenant, env }
    try {
      const records = await countRecords(client)
      const before = await measureState(stage, 'one table', plan)
      await run(tenantry(['audit', 'partition'], env))
      await closeFirst(stage)
      const partitioned = await measureState(stage, 'partitioned', plan)
      const moved = await moveBesideWrites(stage)
      const archived = await measureState(stage, 'archived', plan)
      const [exported] = await measureExports(() => startTenantry(env), [tenant], 1)
      return { records, rounds: [before, partitioned, archived], ...moved, exported: exported?.samples[0] }
    } finally {
      await server.stop()
    }
  } finally {
    await there.remove()
  }
}
