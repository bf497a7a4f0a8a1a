/** Operations beside another one of the same caller, in alternating rounds: the bench of a part of the service. */
import { loadavg } from 'node:os'
import { Command } from 'commander'
import { wholeNumber } from './arguments.ts'
import { runRound, settle, type Round, type Sample, type Server } from './contender.ts'
import { ranged, shown, spreadOf } from './figures.ts'
import { progress } from './progress.ts'
import { provide } from './programs.ts'
import type { About } from './results.ts'
import { runBench, type Own } from './runner.ts'
import { adminEnv, startTenantry } from './service.ts'
import type { Stores } from './stores.ts'
import { align, paragraph, verdictLines, type Verdict } from './tables.ts'

interface Plan {
  rounds: number
  seconds: number
  connections: number
}

interface Results extends About {
  plan: Plan
  /** The mean number of processes that ran or waited, in the minute before the run and in its last. */
  load: [number, number]
  samples: Record<string, Sample[]>
}

interface BesideProfile {
  name: 'assistants' | 'flags' | 'settings'
  description: string
  /** The operation that the others are compared with. */
  base?: string
  /** Settings of the environment. */
  env?: Record<string, string>
  /** The operations, and how much of the base each may cost. */
  targets: { name: string; most: number }[]
  /** Makes the data, and returns a round of the base and of each operation. */
  prepare: (server: Server) => Promise<Record<string, Round>>
  /** The data, for the introduction; "" where the operation's name says it. */
  data: string
}

type Measured = Pick<BesideProfile, 'name' | 'env' | 'prepare'>

const measureAll = async (
  stores: Stores,
  plan: Plan,
  { name: database, env, prepare }: Measured,
): Promise<Results['samples']> => {
  const server = await startTenantry({
    DATABASE_URL: await stores.createDatabase(database),
    REDIS_URL: stores.redisUrl,
    TENANTRY_BCRYPT_COST: '4',
    ...adminEnv,
    ...env,
  })
  try {
    const rounds = await prepare(server)
    const samples: Results['samples'] = {}
    const runAll = async (title: string): Promise<void> => {
      for (const [name, round] of Object.entries(rounds)) {
        progress(`${name}, ${title}`)
        ;(samples[name] ??= []).push(await runRound(round, plan, () => settle(server.pid)))
      }
    }
    await runAll('to warm up')
    for (const name of Object.keys(rounds)) samples[name] = []
    for (let at = 1; at <= plan.rounds; at += 1) await runAll(`round ${at} of ${plan.rounds}`)
    return samples
  } finally {
    await server.stop()
  }
}

/** Processor time of one operation by that of the base, in the same round. */
const ratioOf = ({ samples }: Results, name: string, base: string) =>
  spreadOf(
    (samples[name] ?? []).map(
      ({ cpuMicros }, round) => cpuMicros / (samples[base]?.[round]?.cpuMicros ?? NaN),
    ),
  )

type Judged = Required<Pick<BesideProfile, 'targets' | 'base'>>

const judge = (results: Results, { targets, base }: Judged): Verdict[] =>
  targets.map(({ name, most }) => {
    const ratio = ratioOf(results, name, base)
    return {
      target: `${name}: at most ${most} × ${base}`,
      measured: ranged(ratio),
      met: ratio.median <= most,
    }
  })

const medianOf = (samples: Sample[], field: 'perSecond' | 'cpuMicros'): string =>
  shown(spreadOf(samples.map((sample) => sample[field])).median)

const tableOf = ({ samples }: Results): string[][] => [
  ['', 'req/s', 'CPU µs', 'failed'],
  ...Object.entries(samples).map(([name, all]) => [
    name,
    medianOf(all, 'perSecond'),
    medianOf(all, 'cpuMicros'),
    String(all.reduce((sum, { failures }) => sum + failures, 0)),
  ]),
]

const introduction = ({ date, machine: on, versions, plan, load }: Results, data: string): string => {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const [before, after] = load.map((one) => one.toFixed(1))
  return paragraph(
    `${date.slice(0, 10)}, ${on}; ${named.join(', ')}. ${plan.connections} connections, ${plan.rounds} alternating rounds of ${plan.seconds} s${data === '' ? '' : `; ${data}`}. × is processor time of the service in the same round: the median of the rounds and their range. The load of the machine was ${before} before the run and ${after} at its end, which includes the bench itself.`,
  )
}

/** Runs the bench that the command line asks for. */
export const runBesideProfile = ({
  name,
  description,
  base = 'own profile',
  env,
  targets,
  prepare,
  data,
}: BesideProfile): Promise<void> =>
  runBench<Plan, Own<Results>>({
    name,
    command: new Command()
      .description(description)
      .option('--rounds <count>', 'rounds of each', wholeNumber, 5)
      .option('--seconds <count>', 'length of a round', wholeNumber, 1)
      .option('--connections <count>', 'connections of the generator', wholeNumber, 16),
    async measure(stores, plan) {
      await provide('wrk', 'wrk')
      const [before = NaN] = loadavg()
      const samples = await measureAll(stores, plan, { name, ...(env && { env }), prepare })
      const [after = NaN] = loadavg()
      return { plan, load: [before, after], samples }
    },
    report: (results) =>
      [
        introduction(results, data),
        align(tableOf(results)),
        verdictLines(judge(results, { targets, base })),
      ].join('\n\n'),
    judge: (results) => judge(results, { targets, base }),
  })
