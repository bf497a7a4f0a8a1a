/**
 * `npm run bench`: Tenantry against the floor (what an operation costs at least) and against its peers, in alternating
 * rounds on one machine. It measures, and does not fail on a missed target. README.md beside this file says what is
 * compared with what.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { oneOf, wholeNumber, wholeNumbers } from './arguments.ts'
import type { Contender } from './contender.ts'
import { openFloor, pureBcrypt } from './contenders/floor.ts'
import { openTenantry } from './contenders/tenantry.ts'
import { measure, measureStarts, progress, type Launch } from './measure.ts'
import { operations, type OperationName } from './operations.ts'
import { openPeer, peerNames, versionOf, type PeerName } from './peers.ts'
import { start } from './process.ts'
import { readmeOf, report } from './report.ts'
import { machine, saveResults, writeReadme, type Results } from './results.ts'
import { adminEnv, startTenantry } from './service.ts'
import { withoutRedis } from './targets.ts'
import { openStores, type Stores } from './stores.ts'

interface Options {
  rounds: number
  seconds: number
  connections: number[]
  only: OperationName[]
  peers: PeerName[]
  cost: number
  write: boolean
}

const openContenders = async (
  stores: Stores,
  options: Options,
  database: string,
  opened: Contender[],
): Promise<Contender[]> => {
  progress('seeding Tenantry')
  const tenantry = await openTenantry(database, stores.redisUrl, options.cost)
  opened.push(tenantry)
  progress('starting the floor')
  opened.push(await openFloor(database, tenantry.seeded))
  opened.push(pureBcrypt(options.cost))
  for (const name of options.peers) opened.push(await openPeer(name, stores, options.cost))
  return opened
}

/** Tenantry on PostgreSQL alone, and embedded: on an empty folder and on one that exists. */
const otherLaunches = (database: string, cost: number, folder: string): Launch[] => {
  let count = 0
  const on = (name: string) => startTenantry({ TENANTRY_DATA_DIR: join(folder, name), ...adminEnv })
  const env = { DATABASE_URL: database, TENANTRY_BCRYPT_COST: String(cost) }
  return [
    { contender: withoutRedis, launch: () => startTenantry(env) },
    { contender: 'Tenantry, embedded, empty', launch: () => on(`empty-${count++}`) },
    { contender: 'Tenantry, embedded', launch: () => on('empty-0') },
  ]
}

const launchesOf = (contenders: Contender[]): Launch[] =>
  contenders.flatMap(({ name, launch }) => (launch ? [{ contender: name, launch }] : []))

const measureAll = async (stores: Stores, options: Options, opened: Contender[]): Promise<Results> => {
  const { rounds, seconds, connections, only, cost } = options
  const plan = { rounds, seconds, connections, operations: only }
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-bench-'))
  try {
    const database = await stores.createDatabase('tenantry')
    const contenders = await openContenders(stores, options, database, opened)
    const measurements = await measure(contenders, plan)
    const launches = [...launchesOf(contenders), ...otherLaunches(database, cost, folder)]
    const starts = await measureStarts(launches, rounds)
    return {
      date: new Date().toISOString(),
      machine: machine(),
      versions: await versionsOf(stores, options.peers),
      plan: { ...plan, bcryptCost: cost },
      measurements,
      starts,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const versionsOf = async (stores: Stores, peers: PeerName[]): Promise<Record<string, string>> => ({
  PostgreSQL: await stores.postgresVersion(),
  ...Object.fromEntries(peers.map(versionOf)),
})

const main = async (options: Options): Promise<void> => {
  await requireWrk()
  const stores = await openStores()
  const opened: Contender[] = []
  try {
    const results = await measureAll(stores, options, opened)
    const file = await saveResults(results, options.write ? 'latest' : results.date.replaceAll(':', '-'))
    progress('')
    process.stdout.write(`\n${report(results)}\n\n${file}\n`)
    if (options.write) await writeReadme('bench', readmeOf(results))
  } finally {
    for (const contender of opened) await contender.stop()
    await stores.close()
  }
}

/** Throws with what to do about it. */
const requireWrk = async (): Promise<void> => {
  const found = await start({ program: 'wrk', args: ['-v'] }).exited.catch(() => undefined)
  // Asked for its version, wrk exits with 1.
  if (found !== 0 && found !== 1) {
    throw new Error(
      'the load comes from wrk, which is not installed: apt-get install wrk, or brew install wrk',
    )
  }
}

const names = operations.map(({ name }) => name)

const program = new Command('bench')
  .description('measure Tenantry against the floor and its peers')
  .option('--rounds <count>', 'rounds of each contender', wholeNumber, 5)
  .option('--seconds <count>', 'length of a round; where passwords are hashed at least 5', wholeNumber, 2)
  .option('--connections <counts>', 'numbers of connections', wholeNumbers, [1, 16, 64])
  .option('--only <operations>', `of ${names.join(', ')}`, oneOf(names), names)
  .option('--peers <peers>', `of ${peerNames.join(', ')}`, oneOf(peerNames), peerNames)
  .option('--no-peers', 'the floor alone')
  .option('--cost <cost>', 'of bcrypt hashes', wholeNumber, 10)
  .option('--write', 'keep as bench/results/latest.json, and write the section of the README', false)

const { peers, ...options } = program.parse().opts<Omit<Options, 'peers'> & { peers: PeerName[] | false }>()
await main({ ...options, peers: peers === false ? [] : peers }).catch((err: unknown) => {
  process.stderr.write(`bench: ${err instanceof Error ? err.message : String(err)}\n`)
  process.exitCode = 1
})
