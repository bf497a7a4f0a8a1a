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
import { openTenantry, seedTenantry } from './contenders/tenantry.ts'
import { giveUp, hashSeconds, measure, measureStarts, type Launch } from './measure.ts'
import { operations, type OperationName } from './operations.ts'
import { openPeer, peerNames, versionOf, type PeerName } from './peers.ts'
import { provide } from './programs.ts'
import { progress } from './progress.ts'
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

/** The floor gets a copy of the database: there nobody seals what it records. */
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

/** Tenantry on PostgreSQL alone, and embedded: on an empty folder and on one that exists. */
const otherLaunches = ({ REDIS_URL: _redis, ...env }: Record<string, string>, folder: string): Launch[] => {
  let count = 0
  const on = (name: string) => startTenantry({ TENANTRY_DATA_DIR: join(folder, name), ...adminEnv })
  return [
    { contender: withoutRedis, launch: () => startTenantry(env) },
    { contender: 'Tenantry, embedded, empty', launch: () => on(`empty-${count++}`) },
    { contender: 'Tenantry, embedded', launch: () => on('empty-0') },
  ]
}

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
    const measurements = await measure(opened.contenders, plan)
    const launches = [...launchesOf(opened.contenders), ...otherLaunches(env, folder)]
    const starts = await measureStarts(launches, rounds)
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

const versionsOf = async (
  stores: Stores,
  peers: PeerName[],
  { skipped }: Opened,
): Promise<Record<string, string>> => ({
  PostgreSQL: await stores.postgresVersion(),
  ...Object.fromEntries(peers.filter((name) => skipped.every(({ peer }) => peer !== name)).map(versionOf)),
})

const main = async (options: Options): Promise<void> => {
  await provide('wrk', 'wrk')
  const stores = await openStores()
  const opened: Opened = { contenders: [], skipped: [] }
  try {
    const results = await measureAll(stores, options, opened)
    const file = await saveResults(results, options.write ? 'latest' : results.date.replaceAll(':', '-'))
    progress('')
    process.stdout.write(`\n${report(results)}\n\n${file}\n`)
    if (options.write) await writeReadme('bench', readmeOf(results))
  } finally {
    for (const contender of opened.contenders) await contender.stop()
    await stores.close()
  }
}

const names = operations.map(({ name }) => name)

const program = new Command('bench')
  .description('measure Tenantry against the floor and its peers')
  .option('--rounds <count>', 'rounds of each contender', wholeNumber, 5)
  .option(
    '--seconds <count>',
    `length of a round; where passwords are hashed at least ${hashSeconds}`,
    wholeNumber,
    1,
  )
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
