/** Measures questions about permissions: Tenantry's, those of libraries, and the guard of a product's own route. */
import { fileURLToPath } from 'node:url'
import { roundsOfCaller, runRound, settle, startServer, type Round, type Server } from '../contender.ts'
import { callerName, seedTenantry } from '../contenders/tenantry.ts'
import { alternate, giveUp } from '../measure.ts'
import { email, username } from '../operations.ts'
import { versionIn } from '../peers.ts'
import { progress } from '../progress.ts'
import { machine } from '../results.ts'
import { asCaller, startTenantry } from '../service.ts'
import type { Stores } from '../stores.ts'
import { asker, ownQuestions } from './data.ts'
import { inside, openDecider, overHttp } from './peers.ts'
import { rowNames, type DecisionMeasurement, type DecisionResults, type RowName } from './results.ts'
import { roundsOfTenantry, seedDecisions, type Deciding } from './tenantry.ts'

export interface DecisionPlan {
  rounds: number
  seconds: number
  hasPeers: boolean
}

const connections = 16
/** The guard compares it with the tokens; the address of the bench's service is another one. */
const issuer = 'https://tenantry.example.com'

interface Opened {
  servers: Server[]
  rounds: Partial<Record<RowName, Round>>
  skipped: DecisionResults['skipped']
}

const openTenantry = async (stores: Stores, opened: Opened): Promise<Deciding> => {
  progress('decisions: seeding Tenantry')
  const databaseUrl = await stores.createDatabase('decisions')
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: stores.redisUrl,
    TENANTRY_BCRYPT_COST: '4',
    TENANTRY_ISSUER: issuer,
  }
  const { tenantId } = await seedTenantry(env, databaseUrl)
  const server = await startTenantry(env)
  opened.servers.push(server)
  const deciding = await seedDecisions(server, databaseUrl, { tenantId, callerAddress: email(callerName) })
  Object.assign(opened.rounds, await roundsOfTenantry(deciding))
  return deciding
}

const program = fileURLToPath(new URL('guarded.ts', import.meta.url))

const openGuarded = async ({ server, key }: Deciding, opened: Opened): Promise<void> => {
  const env = {
    TENANTRY_URL: server.url,
    TENANTRY_KEY: key,
    ISSUER: issuer,
    CODE: ownQuestions[0]?.permission ?? '',
  }
  const app = await startServer(
    (port) => ({
      program: process.execPath,
      args: [program],
      env: { NODE_ENV: 'production', PORT: String(port), ...env },
    }),
    '/unprotected',
  )
  opened.servers.push(app)
  const { status } = await fetch(`${app.url}/protected`)
  if (status !== 401) throw new Error(`the guard answers a request without a token with ${status}`)
  const { reading } = roundsOfCaller(
    app,
    async () => (await asCaller(server.url, email(username(asker)))).headers,
  )
  Object.assign(opened.rounds, { unprotected: reading('/unprotected'), protected: reading('/protected') })
}

/** A peer that cannot be set up is left out. */
const openPeers = async (stores: Stores, { servers, rounds, skipped }: Opened): Promise<void> => {
  const open = async (
    name: 'casbin' | 'casl',
    ways: string[],
    roundsOf: (server: Server) => Opened['rounds'],
  ) => {
    await openDecider(name, stores, ways).then(
      (server) => {
        servers.push(server)
        Object.assign(rounds, roundsOf(server))
      },
      (err: unknown) => skipped.push({ peer: name, reason: giveUp(name, err) }),
    )
  }
  await open('casbin', ['plain', 'cached'], (server) => ({
    casbin: overHttp(server, 'plain'),
    'casbin cached': overHttp(server, 'cached'),
    'casbin inside': inside(server, 'plain'),
    'casbin cached inside': inside(server, 'cached'),
  }))
  await open('casl', ['built', 'kept'], (server) => ({
    'casl built inside': inside(server, 'built'),
    'casl inside': inside(server, 'kept'),
  }))
}

const versionsOf = async (stores: Stores, hasPeers: boolean): Promise<Record<string, string>> => ({
  PostgreSQL: await stores.postgresVersion(),
  ...(hasPeers
    ? Object.fromEntries([
        versionIn('casbin', 'casbin'),
        versionIn('casbin', 'casbin-pg-adapter'),
        versionIn('casl', '@casl/ability'),
      ])
    : {}),
})

const measureRounds = async (
  { servers, rounds }: Opened,
  plan: DecisionPlan,
): Promise<DecisionMeasurement[]> => {
  const entries = rowNames.flatMap((contender) => {
    const round = rounds[contender]
    const measurement: DecisionMeasurement = { contender, samples: [] }
    return round ? [{ round, measurement }] : []
  })
  const settleAll = () => Promise.allSettled(servers.map(({ pid }) => settle(pid)))
  const run = (seconds: number) => (round: Round) => runRound(round, { connections, seconds }, settleAll)
  await alternate(entries, { title: 'decisions, warm-up', rounds: 1 }, run(1))
  for (const { measurement } of entries) measurement.samples = []
  await alternate(entries, { title: 'decisions', rounds: plan.rounds }, run(plan.seconds))
  return entries.map(({ measurement }) => measurement)
}

export const measureDecisions = async (stores: Stores, plan: DecisionPlan): Promise<DecisionResults> => {
  const opened: Opened = { servers: [], rounds: {}, skipped: [] }
  try {
    await openGuarded(await openTenantry(stores, opened), opened)
    if (plan.hasPeers) await openPeers(stores, opened)
    return {
      date: new Date().toISOString(),
      machine: machine(),
      versions: await versionsOf(stores, plan.hasPeers),
      plan: { rounds: plan.rounds, seconds: plan.seconds, connections },
      skipped: opened.skipped,
      measurements: await measureRounds(opened, plan),
    }
  } finally {
    for (const server of opened.servers) await server.stop()
  }
}
