/**
 * `npm run bench:workers`: what a request costs with one worker and with more. Where generator, database and service share
 * the cores, answers a second cannot grow with the workers; what can be seen there is whether a request costs the same
 * processor time in each of them. If it does, n workers on n free cores answer n times as many.
 */
import { availableParallelism } from 'node:os'
import { Command } from 'commander'
import { call, roundsOfCaller, type Round, type Sample, type Server } from './contender.ts'
import { adminEnv, startTenantry } from './service.ts'
import { shown, spreadOf } from './figures.ts'
import { progress } from './measure.ts'
import { openStores } from './stores.ts'

interface Options {
  workers: number[]
  rounds: number
  seconds: number
  connections: number
}

/** Paths that cost the service most: one without a statement, and one with a read of one row. */
const paths = { ping: '/ping', 'own profile': '/profile' }
type Name = keyof typeof paths
const names = Object.keys(paths) as Name[]

interface Crew {
  workers: number
  server: Server
  rounds: Record<Name, Round>
  samples: Record<Name, Sample[]>
}

const { TENANTRY_ADMIN_EMAIL: email, TENANTRY_ADMIN_PASSWORD: password } = adminEnv

const startCrew = async (workers: number, env: Record<string, string>): Promise<Crew> => {
  const server = await startTenantry({ ...env, ...adminEnv, TENANTRY_WORKERS: String(workers) })
  const signIn = async (): Promise<Record<string, string>> => {
    const body = { email, password }
    const { json } = await call(server.url, '/api/v1/auth/login', { method: 'POST', body })
    return { authorization: `Bearer ${json.data.access_token}` }
  }
  const { reading } = roundsOfCaller(server, signIn, '/api/v1')
  const rounds = { ping: reading(paths.ping), 'own profile': reading(paths['own profile']) }
  return { workers, server, rounds, samples: { ping: [], 'own profile': [] } }
}

/** Each crew has its round, then each its next one: what disturbs the machine disturbs all alike. */
const measureAll = async (crews: Crew[], { rounds, seconds, connections }: Options): Promise<void> => {
  for (const { rounds: of } of crews) {
    for (const name of names) await of[name]({ connections, seconds: 1 })
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of names) {
      for (const crew of crews) {
        progress(`${name}, ${crew.workers} workers, round ${round} of ${rounds}`)
        crew.samples[name].push(await crew.rounds[name]({ connections, seconds }))
      }
    }
  }
}

/** The CPU time of a request with the first crew, divided by that of the same round with this one: 1 is linear. */
const efficiencies = (first: Crew, crew: Crew, name: Name): number[] =>
  crew.samples[name].map(
    ({ cpuMicros }, round) => (first.samples[name][round]?.cpuMicros ?? cpuMicros) / cpuMicros,
  )

const lineOf = (first: Crew, crew: Crew, name: Name): string => {
  const samples = crew.samples[name]
  const cpuMicros = spreadOf(samples.map((sample) => sample.cpuMicros)).median
  const perSecond = spreadOf(samples.map((sample) => sample.perSecond)).median
  const { median, min, max } = spreadOf(efficiencies(first, crew, name))
  const failures = samples.reduce((sum, sample) => sum + sample.failures, 0)
  const cells = [
    name,
    crew.workers,
    shown(perSecond),
    shown((perSecond * cpuMicros) / 1e6),
    shown(cpuMicros),
    `${shown(median)} (${shown(min)} to ${shown(max)})`,
    shown((crew.workers * 1e6) / cpuMicros),
    shown(spreadOf(samples.map((sample) => sample.residentMiB)).median),
    failures,
  ]
  return `| ${cells.join(' | ')} |`
}

const tableOf = (crews: Crew[]): string => {
  const [first] = crews
  if (!first) return ''
  return [
    '| Operation | Workers | req/s here | cores used | CPU µs/req | efficiency | req/s on as many free cores | MiB | failures |',
    '|---|---|---|---|---|---|---|---|---|',
    ...names.flatMap((name) => crews.map((crew) => lineOf(first, crew, name))),
  ].join('\n')
}

const bench = async (options: Options): Promise<void> => {
  const stores = await openStores()
  const crews: Crew[] = []
  try {
    const env = {
      DATABASE_URL: await stores.createDatabase('workers'),
      REDIS_URL: stores.redisUrl,
      TENANTRY_BCRYPT_COST: '4',
    }
    for (const workers of options.workers) crews.push(await startCrew(workers, env))
    await measureAll(crews, options)
    progress('')
    process.stdout.write(`\n${availableParallelism()} cores; ${options.connections} connections\n\n`)
    process.stdout.write(`${tableOf(crews)}\n`)
  } finally {
    for (const { server } of crews) await server.stop()
    await stores.close()
  }
}

const cores = availableParallelism()

await new Command('bench:workers')
  .description('what a request costs with one worker and with more')
  .option('--workers <list>', 'numbers of workers, such as 1,2,4', (text) => text.split(',').map(Number), [
    1,
    cores,
  ])
  .option('--rounds <n>', 'rounds of each', Number, 5)
  .option('--seconds <n>', 'seconds of a round', Number, 3)
  .option('--connections <n>', 'connections of the generator', Number, 64)
  .action(bench)
  .parseAsync()
