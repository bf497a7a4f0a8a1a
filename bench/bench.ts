/**
 * `npm run bench` measures Tenantry against the floor (the least that an operation can cost) and against its peers, in
 * alternating rounds on one machine. A missed target does not fail the run. bench/README.md says what each contender
 * does.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { oneOf, wholeNumber, wholeNumbers } from './arguments.ts'
import { chartOf } from './chart.ts'
import { measureDecisions } from './decisions/measure.ts'
import { decisionReport } from './decisions/report.ts'
import type { DecisionResults } from './decisions/results.ts'
import { judgeDecisions } from './decisions/targets.ts'
import type { Contender } from './contender.ts'
import { openFloor, pureBcrypt } from './contenders/floor.ts'
import { openTenantry, seedTenantry } from './contenders/tenantry.ts'
import {
  giveUp,
  hashSeconds,
  measure,
  measureStarts,
  type Launch,
  type Measurement,
  type Plan,
} from './measure.ts'
import { operations, type OperationName } from './operations.ts'
import { openPeer, peerNames, versionOf, type PeerName } from './peers.ts'
import { provide } from './programs.ts'
import { progress } from './progress.ts'
import { report } from './report.ts'
import { machine, readResults, saveResults, writeSummary, writeVerdicts, type Results } from './results.ts'
import { adminEnv, startTenantry } from './service.ts'
import { summaryOf, summarySection } from './summary.ts'
import { judge, withoutRedis } from './targets.ts'
import { openStores, type Stores } from './stores.ts'

interface Options {
  rounds: number
  seconds: number
  connections: number[]
  only: OperationName[]
  /** Whether to measure questions about permissions as well. */
  decisions: boolean
  peers: PeerName[]
  cost: number
  write: boolean
  render: boolean
}

interface Opened {
  contenders: Contender[]
  skipped: Results['skipped']
}

const openPeers = async (
  stores: Stores,
  { peers, cost }: Options,
  { contenders, skipped }: Opened,
): Promise<void> => {
  for (const peer of peers) {
    await openPeer(peer, stores, cost).then(
      (contender) => contenders.push(contender),
      (err: unknown) => skipped.push({ peer, reason: giveUp(peer, err) }),
    )
  }
}

/** The floor gets a copy of the database, in which no service seals audit records. */
const openAll = async (
  stores: Stores,
  options: Options,
  env: Record<'DATABASE_URL', string>,
  opened: Opened,
): Promise<void> => {
  progress('seeding Tenantry')
  const seeded = await seedTenantry(env, env.DATABASE_URL)
  const copy = await stores.createDatabase('floor', 'tenantry')
  opened.contenders.push(await openTenantry(env, env.DATABASE_URL, seeded))
  progress('starting the floor')
  opened.contenders.push(await openFloor(copy, seeded))
  opened.contenders.push(pureBcrypt(options.cost))
  await openPeers(stores, options, opened)
}

/** Tenantry on PostgreSQL without Redis, and on the embedded database: in an empty folder and in an existing one. */
const otherLaunches = ({ REDIS_URL: _redis, ...env }: Record<string, string>, folder: string): Launch[] => {
  let count = 0
  const on = (name: string) => startTenantry({ TENANTRY_DATA_DIR: join(folder, name), ...adminEnv })
  return [
    { contender: withoutRedis, launch: () => startTenantry(env) },
    { contender: 'Tenantry, embedded, empty', launch: () => on(`empty-${count++}`) },
    { contender: 'Tenantry, embedded', launch: () => on('empty-0') },
  ]
}

const cheapHashes: OperationName = 'create-4'

const launchesOf = (contenders: Contender[]): Launch[] =>
  contenders.flatMap(({ name, launch }) => (launch ? [{ contender: name, launch }] : []))

const measureAll = async (stores: Stores, options: Options, opened: Opened): Promise<Results> => {
  const { rounds, seconds, connections, only, cost } = options
  const plan = { rounds, seconds, connections, operations: only }
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-bench-'))
  try {
    const env = {
      DATABASE_URL: await stores.createDatabase('tenantry'),
      REDIS_URL: stores.redisUrl,
      TENANTRY_BCRYPT_COST: String(cost),
    }
    await openAll(stores, options, env, opened)
    const [usual, cheap] = [
      only.filter((name) => name !== cheapHashes),
      only.filter((name) => name === cheapHashes),
    ]
    const measurements = await measure(opened.contenders, { ...plan, operations: usual })
    const launches = [...launchesOf(opened.contenders), ...otherLaunches(env, folder)]
    const starts = await measureStarts(launches, rounds)
    measurements.push(...(await measureCheapHashes(opened, { ...plan, operations: cheap })))
    return {
      date: new Date().toISOString(),
      machine: machine(),
      versions: await versionsOf(stores, options.peers, opened),
      plan: { ...plan, bcryptCost: cost },
      skipped: opened.skipped,
      measurements,
      starts,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const cheapestCost = 4

/**
 * Creation of users with the cheapest hashes, which leaves the writing to be measured. The other processes end first: a
 * second Tenantry would take a share of the sealing.
 */
const measureCheapHashes = async ({ contenders, skipped }: Opened, plan: Plan): Promise<Measurement[]> => {
  const opened: Contender[] = []
  try {
    for (const contender of contenders) await contender.stop()
    for (const { name, withCost } of contenders) {
      await withCost?.(cheapestCost).then(
        (contender) => opened.push(contender),
        (err: unknown) => skipped.push({ peer: name, reason: giveUp(name, err) }),
      )
    }
    return await measure(opened, plan)
  } finally {
    for (const contender of opened) await contender.stop()
  }
}

const versionsOf = async (
  stores: Stores,
  peers: PeerName[],
  { skipped }: Opened,
): Promise<Record<string, string>> => ({
  PostgreSQL: await stores.postgresVersion(),
  ...Object.fromEntries(peers.filter((name) => skipped.every(({ peer }) => peer !== name)).map(versionOf)),
})

const writeDocuments = async (results: Results): Promise<void> => {
  await writeVerdicts('operations', results, judge(results))
  await writeSummary(summarySection(results), chartOf(summaryOf(results)))
}

const benchOperations = async (stores: Stores, options: Options): Promise<void> => {
  const opened: Opened = { contenders: [], skipped: [] }
  try {
    const results = await measureAll(stores, options, opened)
    const file = await saveResults('operations', results, options.write)
    progress('')
    process.stdout.write(`\n${report(results)}\n\n${file}\n`)
    if (options.write) await writeDocuments(results)
  } finally {
    for (const contender of opened.contenders) await contender.stop()
  }
}

const benchDecisions = async (stores: Stores, options: Options): Promise<void> => {
  const { rounds, seconds, peers, write } = options
  const results = await measureDecisions(stores, { rounds, seconds, hasPeers: peers.length > 0 })
  const file = await saveResults('decisions', results, write)
  progress('')
  process.stdout.write(`\n${decisionReport(results)}\n\n${file}\n`)
  if (write) await writeVerdicts('decisions', results, judgeDecisions(results))
}

const render = async (): Promise<void> => {
  const results = (await readResults('operations')) as Results
  const decided = (await readResults('decisions')) as DecisionResults
  process.stdout.write(`\n${report(results)}\n\n${decisionReport(decided)}\n`)
  await writeDocuments(results)
  await writeVerdicts('decisions', decided, judgeDecisions(decided))
}

const main = async (options: Options): Promise<void> => {
  await provide('wrk', 'wrk')
  const stores = await openStores()
  try {
    if (options.only.length > 0) await benchOperations(stores, options)
    if (options.decisions) await benchDecisions(stores, options)
  } finally {
    await stores.close()
  }
}

const decisions = 'decisions'
const names = [...operations.map(({ name }) => name), decisions] as const

const program = new Command('bench')
  .description('measure Tenantry against the floor and its peers')
  .option('--rounds <count>', 'rounds of each contender', wholeNumber, 5)
  .option(
    '--seconds <count>',
    `length of a round; at least ${hashSeconds} where the operation hashes`,
    wholeNumber,
    1,
  )
  .option('--connections <counts>', 'numbers of connections', wholeNumbers, [1, 16, 64])
  .option('--only <operations>', `of ${names.join(', ')}`, oneOf(names), [...names])
  .option('--peers <peers>', `of ${peerNames.join(', ')}`, oneOf(peerNames), peerNames)
  .option('--no-peers', 'compare only with the floor')
  .option('--cost <cost>', 'cost of bcrypt hashes', wholeNumber, 10)
  .option('--write', 'save in bench/results, and write the tables and the chart', false)
  .option('--render', 'print bench/results, write the tables and the chart, and measure nothing', false)

interface Given extends Omit<Options, 'only' | 'decisions' | 'peers'> {
  only: (typeof names)[number][]
  peers: PeerName[] | false
}

const { only, peers, ...options } = program.parse().opts<Given>()
const start = async (): Promise<void> =>
  options.render
    ? render()
    : main({
        ...options,
        only: only.filter((name) => name !== decisions),
        decisions: only.includes(decisions),
        peers: peers === false ? [] : peers,
      })

await start().catch((err: unknown) => {
  process.stderr.write(`bench: ${err instanceof Error ? err.message : String(err)}\n`)
  process.exitCode = 1
})
