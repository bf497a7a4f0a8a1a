/**
 * `npm run bench:scale` measures the growth of an operation's cost. It goes from tenants of a thousand users to one of
 * a million, and from ten thousand audit records to ten million. A missed target does not fail the run.
 */
import { Command } from 'commander'
import pg from 'pg'
import { oneOf, wholeNumber, wholeNumbers } from './arguments.ts'
import type { Server } from './contender.ts'
import { runBench, type Own } from './runner.ts'
import { measureArchives } from './scale/archives.ts'
import { measureCatalogue } from './scale/catalogue.ts'
import { measureDeletion } from './scale/deletion.ts'
import { measureExports } from './scale/exports.ts'
import { full, small, type Ladder, type Tenant } from './scale/ladder.ts'
import { measureMixed } from './scale/mixed.ts'
import { measureReads } from './scale/reads.ts'
import { measureReplicas } from './scale/replicas.ts'
import { scaleReport } from './scale/report.ts'
import type { ScaleResults } from './scale/results.ts'
import { seedLadder } from './scale/seeding.ts'
import { judgeScale } from './scale/targets.ts'
import { adminEnv, asCaller, rootEmail, startTenantry } from './service.ts'
import type { Stores } from './stores.ts'

const parts = ['reads', 'exports', 'mixed', 'replicas', 'deletion', 'catalogue', 'archives'] as const
type Part = (typeof parts)[number]

interface Options {
  small: boolean
  users?: number[]
  records?: number[]
  tenants?: number
  rounds: number
  requests: number
  changes: number
  only: Part[]
}

const ladderOf = (options: Options): Ladder => {
  const { rungs, smallTenants } = options.small ? small : full
  const users = options.users ?? rungs.map((size) => size.users)
  const records = options.records ?? rungs.map((size) => size.records)
  if (users.length !== records.length) {
    throw new Error('--users and --records need the same length: each tenant has a number of both')
  }
  return {
    rungs: users.map((count, rung) => ({ users: count, records: records[rung] ?? 0 })),
    smallTenants: options.tenants ?? smallTenants,
  }
}

/** The service and the tenants that all parts measure. */
interface Stage {
  env: Record<string, string>
  server: Server
  client: pg.Client
  rungs: Tenant[]
  removed: Tenant
}

type Scaled = Own<ScaleResults>
type Measured = Pick<
  ScaleResults,
  'reads' | 'exports' | 'mixed' | 'deletion' | 'replicaDelays' | 'catalogue' | 'archives'
>

const withReplica = async <T>({ env }: Stage, work: (replica: Server) => Promise<T>): Promise<T> => {
  const replica = await startTenantry(env)
  try {
    return await work(replica)
  } finally {
    await replica.stop()
  }
}

/** Deletion, catalogue and archives come last: they change the database for the other parts. */
const measureParts = async (stage: Stage, options: Options): Promise<Measured> => {
  const { env, server, client, rungs, removed } = stage
  const { rounds, only } = options
  const [neighbour, largest] = [rungs[0], rungs.at(-1)]
  if (!neighbour || !largest) throw new Error('the ladder is empty')
  const when = async <T>(part: Part, work: () => Promise<T>) => (only.includes(part) ? work() : undefined)
  return {
    reads: await when('reads', () => measureReads(server, rungs, options)),
    exports: await when('exports', () => measureExports(() => startTenantry(env), rungs, rounds)),
    mixed: await when('mixed', () => measureMixed(server, { reader: neighbour, searcher: largest, rounds })),
    replicaDelays: await when('replicas', () =>
      withReplica(stage, (other) => measureReplicas([server, other], neighbour, options.changes)),
    ),
    deletion: await when('deletion', () => measureDeletion(server, client, { removed, neighbour, rounds })),
    catalogue: await when('catalogue', () =>
      measureCatalogue(server, client, { tenants: options.small ? 10_000 : 100_000, rounds }),
    ),
    archives: await when('archives', () =>
      measureArchives(client, largest, { env, rounds, requests: options.requests }),
    ),
  }
}

const measureOn = async (
  { env, server, client }: Pick<Stage, 'env' | 'server' | 'client'>,
  options: Options,
): Promise<Scaled> => {
  const ladder = ladderOf(options)
  const { rungs, removed, figures } = await seedLadder(client, await asCaller(server.url, rootEmail), ladder)
  return {
    plan: { rounds: options.rounds, requests: options.requests, ladder },
    seeding: figures,
    ...(await measureParts({ env, server, client, rungs, removed }, options)),
  }
}

/** Runs with the cheapest hashes: sign-ins are not measured. */
const measureAll = async (stores: Stores, options: Options): Promise<Scaled> => {
  const databaseUrl = await stores.createDatabase('scale')
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: stores.redisUrl, TENANTRY_BCRYPT_COST: '4' }
  const server = await startTenantry({ ...env, ...adminEnv })
  const client = new pg.Client({ connectionString: databaseUrl })
  try {
    await client.connect()
    return await measureOn({ env, server, client }, options)
  } finally {
    await client.end()
    await server.stop()
  }
}

await runBench<Options, Scaled>({
  name: 'scale',
  command: new Command()
    .description('measure how the cost of each operation grows with the size of a tenant')
    .option('--small', 'up to 100,000 users and 1,000,000 audit records', false)
    .option('--users <counts>', 'users of each tenant of the ladder', wholeNumbers)
    .option('--records <counts>', 'audit records of each of them', wholeNumbers)
    .option('--tenants <count>', 'number of further small tenants', wholeNumber)
    .option('--rounds <count>', 'rounds in each tenant', wholeNumber, 5)
    .option('--requests <count>', 'requests in a round, unless they take more than 20 s', wholeNumber, 300)
    .option('--changes <count>', 'changes of permissions, measured at the other replica', wholeNumber, 100)
    .option('--only <parts>', `of ${parts.join(', ')}`, oneOf(parts), [...parts]),
  measure: measureAll,
  report: scaleReport,
  judge: judgeScale,
})
