import { setTimeout as sleep } from 'node:timers/promises'
import { runRound, type Contender, type Extent, type Round, type Sample, type Server } from './contender.ts'
import { expectAnswer, operations, type Operation, type OperationName } from './operations.ts'
import { isInterrupted, residentMB } from './process.ts'
import { progress } from './progress.ts'

export interface Plan {
  rounds: number
  seconds: number
  connections: number[]
  operations: OperationName[]
}

/** All rounds of one operation by one contender with one number of connections. */
export interface Measurement {
  operation: OperationName
  connections: number
  contender: string
  samples: Sample[]
  /** The reason for missing rounds. */
  error?: string
}

/** The starts of one contender. */
export interface Starts {
  contender: string
  startMs: number[]
  /** Resident memory two seconds after the first answer. */
  idleMB: number[]
  error?: string
}

/** One hash takes a large part of a second, so a shorter round would count too few hashes. */
export const hashSeconds = 4
const warmUp = { connections: 16, seconds: 1 }

/**
 * Reports a failure and returns its message. The failure leaves a gap in the table; the run of half an hour continues.
 */
export const giveUp = (contender: string, err: unknown): string => {
  if (isInterrupted()) throw new Error('interrupted')
  const { message, cause } = err as Error
  const why = cause instanceof Error ? `: ${cause.message}` : ''
  process.stderr.write(`\n${contender} failed: ${message}${why}\n`)
  return message
}

/** The rounds of one contender, with its measurements. */
export interface Entry {
  round: Round
  measurement: Pick<Measurement, 'contender' | 'samples' | 'error'>
}

interface Entered extends Entry {
  measurement: Measurement
}

const check = async (round: Round, operation: Operation): Promise<void> => {
  const answer = await round.ask(await round.prepare(1))
  if (answer !== undefined) expectAnswer(operation, answer)
}

/** Selects the contenders that have the operation. A contender whose answer differs from the seeded data fails here. */
const enter = async (contenders: Contender[], operation: Operation): Promise<Entered[]> => {
  const entries: Entered[] = []
  for (const { name: contender, rounds } of contenders) {
    const round = rounds[operation.name]
    if (!round) continue
    const measurement: Measurement = { operation: operation.name, connections: 0, contender, samples: [] }
    entries.push({ round, measurement })
    await check(round, operation).catch((err: unknown) => (measurement.error = giveUp(contender, err)))
  }
  return entries
}

/** Runs the rounds in turn, each contender once and then each again: a disturbance of the machine hits all alike. */
export const alternate = async (
  entries: Entry[],
  { title, rounds }: { title: string; rounds: number },
  run: (round: Round) => Promise<Sample>,
): Promise<void> => {
  for (let number = 1; number <= rounds; number++) {
    for (const { round, measurement } of entries) {
      if (measurement.error !== undefined) continue
      progress(`${title}, round ${number}/${rounds}: ${measurement.contender}`)
      await run(round).then(
        (sample) => measurement.samples.push(sample),
        (err: unknown) => (measurement.error = giveUp(measurement.contender, err)),
      )
    }
  }
}

export const measure = async (contenders: Contender[], plan: Plan): Promise<Measurement[]> => {
  const settleAll = () => Promise.allSettled(contenders.map((contender) => contender.settle()))
  const measured: Measurement[] = []
  for (const operation of operations.filter(({ name }) => plan.operations.includes(name))) {
    const { title, hashes } = operation
    const runAll = (entries: Entry[], rounds: number, extent: Extent) =>
      alternate(entries, { title: `${title}, ${extent.connections} connections`, rounds }, (round) =>
        runRound(round, extent, settleAll),
      )
    const entered = await enter(contenders, operation)
    if (!hashes) await runAll(entered, 1, warmUp) // one hash takes longer than any warm-up
    const seconds = hashes ? Math.max(hashSeconds, plan.seconds) : plan.seconds
    for (const connections of plan.connections) {
      const entries = entered.map(({ round, measurement }) => ({
        round,
        measurement: { ...measurement, connections, samples: [] },
      }))
      await runAll(entries, plan.rounds, { connections, seconds })
      measured.push(...entries.map(({ measurement }) => measurement))
    }
  }
  return measured
}

/** Starts one more process of a contender. */
export interface Launch {
  contender: string
  launch: () => Promise<Server>
}

const idleMs = 2000

const startOnce = async (starts: Starts, launch: Launch['launch']): Promise<void> => {
  const server = await launch()
  await sleep(idleMs)
  starts.startMs.push(server.startMs)
  starts.idleMB.push(residentMB(server.pid))
  await server.stop()
}

/** Starts the contenders in turn, like the rounds. */
export const measureStarts = async (launches: Launch[], rounds: number): Promise<Starts[]> => {
  const rows = launches.map(({ contender, launch }) => ({
    launch,
    starts: { contender, startMs: [], idleMB: [] } as Starts,
  }))
  for (let round = 1; round <= rounds; round++) {
    for (const { launch, starts } of rows.filter((row) => row.starts.error === undefined)) {
      progress(`start, round ${round}/${rounds}: ${starts.contender}`)
      await startOnce(starts, launch).catch((err: unknown) => {
        starts.error = giveUp(starts.contender, err)
      })
    }
  }
  return rows.map(({ starts }) => starts)
}
