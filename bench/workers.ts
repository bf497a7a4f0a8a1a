/**
 * `npm run bench:workers` measures the processor time of a request with one worker and with several. Generator,
 * database and service share the cores here, so answers a second cannot grow with the workers. Equal processor time per
 * request means that n workers on n free cores answer n times as many.
 */
import { availableParallelism } from 'node:os'
import { Command } from 'commander'
import { wholeNumber, wholeNumbers } from './arguments.ts'
import { roundsOfCaller, runRound, settle, type Round, type Sample, type Server } from './contender.ts'
import { ranged, shown, spreadOf } from './figures.ts'
import { progress } from './progress.ts'
import { provide } from './programs.ts'
import type { About } from './results.ts'
import { runBench, type Own } from './runner.ts'
import { adminEnv, api, asCaller, rootEmail, startTenantry } from './service.ts'
import type { Stores } from './stores.ts'
import { align, paragraph, type Verdict } from './tables.ts'

interface Plan {
  workers: number[]
  rounds: number
  seconds: number
  connections: number
}

/** The paths on which the service's own work weighs most: one runs no statement, the other reads one row. */
const paths = { ping: '/ping', 'own profile': '/profile' }
type Name = keyof typeof paths
const names = Object.keys(paths) as Name[]

/** The measurements with one number of workers. */
interface Measured {
  workers: number
  samples: Record<Name, Sample[]>
}

interface WorkersResults extends About {
  plan: Plan
  measured: Measured[]
}

interface Service extends Measured {
  server: Server
  rounds: Record<Name, Round>
}

const startService = async (workers: number, env: Record<string, string>): Promise<Service> => {
  const server = await startTenantry({ ...env, ...adminEnv, TENANTRY_WORKERS: String(workers) })
  const headers = async () => (await asCaller(server.url, rootEmail)).headers
  const { reading } = roundsOfCaller(server, headers, api)
  const rounds = { ping: reading(paths.ping), 'own profile': reading(paths['own profile']) }
  return { workers, server, rounds, samples: { ping: [], 'own profile': [] } }
}

/** Runs the rounds in turn, each service once and then each again: a disturbance of the machine hits all alike. */
const measureServices = async (
  services: Service[],
  { rounds, seconds, connections }: Plan,
): Promise<void> => {
  const settleAll = () => Promise.all(services.map(({ server }) => settle(server.pid)))
  for (const service of services) {
    for (const name of names) await runRound(service.rounds[name], { connections, seconds: 1 }, settleAll)
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of names) {
      for (const service of services) {
        progress(`${name}, ${service.workers} workers, round ${round} of ${rounds}`)
        service.samples[name].push(await runRound(service.rounds[name], { connections, seconds }, settleAll))
      }
    }
  }
}

const measureAll = async (stores: Stores, plan: Plan): Promise<Measured[]> => {
  const services: Service[] = []
  try {
    const env = {
      DATABASE_URL: await stores.createDatabase('workers'),
      REDIS_URL: stores.redisUrl,
      TENANTRY_BCRYPT_COST: '4',
    }
    for (const workers of plan.workers) services.push(await startService(workers, env))
    await measureServices(services, plan)
    return services.map(({ workers, samples }) => ({ workers, samples }))
  } finally {
    for (const { server } of services) await server.stop()
  }
}

/**
 * Divides the processor time of a request with the first number of workers by that with this one, in the same round; 1
 * is linear.
 */
const efficiencies = (first: Measured, { samples }: Measured, name: Name): number[] =>
  samples[name].map(
    ({ cpuMicros }, round) => (first.samples[name][round]?.cpuMicros ?? cpuMicros) / cpuMicros,
  )

const rowOf = (first: Measured, one: Measured, name: Name): string[] => {
  const samples = one.samples[name]
  const median = (field: 'cpuMicros' | 'perSecond' | 'residentMB') =>
    spreadOf(samples.map((sample) => sample[field])).median
  const cpuMicros = median('cpuMicros')
  const perSecond = median('perSecond')
  return [
    name,
    String(one.workers),
    shown(perSecond),
    shown((perSecond * cpuMicros) / 1e6),
    shown(cpuMicros),
    ranged(spreadOf(efficiencies(first, one, name))),
    shown((one.workers * 1e6) / cpuMicros),
    shown(median('residentMB')),
    String(samples.reduce((sum, { failures }) => sum + failures, 0)),
  ]
}

const head = [
  '',
  'workers',
  'req/s here',
  'cores used',
  'CPU µs',
  'efficiency [range]',
  'req/s on as many free cores',
  'MB',
  'failed',
]

const tableOf = ({ measured }: WorkersResults): string[][] => {
  const [first] = measured
  return first ? [head, ...names.flatMap((name) => measured.map((one) => rowOf(first, one, name)))] : [head]
}

const introduction = ({ date, machine: on, versions, plan }: WorkersResults): string => {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return paragraph(
    `${date.slice(0, 10)}, ${on}; ${named.join(', ')}. ${plan.connections} connections, ${plan.rounds} alternating rounds of ${plan.seconds} s. Efficiency is the processor time of a request with the first number of workers divided by that with this number: 1.00 is linear.`,
  )
}

/** There is no target: 1.00 is linear. */
const efficienciesOf = ({ measured: [first, ...others] }: WorkersResults): Verdict[] =>
  others.flatMap((one) =>
    names.map((name) => ({
      target: `${name}: efficiency of ${one.workers} workers, where 1.00 is linear`,
      measured: first ? ranged(spreadOf(efficiencies(first, one, name))) : '–',
      met: undefined,
    })),
  )

const cores = availableParallelism()

await runBench<Plan, Own<WorkersResults>>({
  name: 'workers',
  command: new Command()
    .description('measure the processor time of a request with one worker and with several')
    .option('--workers <counts>', 'numbers of workers, such as 1,2,4', wholeNumbers, [1, cores])
    .option('--rounds <count>', 'rounds of each', wholeNumber, 5)
    .option('--seconds <count>', 'length of a round', wholeNumber, 3)
    .option('--connections <count>', 'connections of the generator', wholeNumber, 64),
  async measure(stores, plan) {
    await provide('wrk', 'wrk')
    return { plan, measured: await measureAll(stores, plan) }
  },
  report: (results) => `${introduction(results)}\n\n${align(tableOf(results))}`,
  judge: efficienciesOf,
})
