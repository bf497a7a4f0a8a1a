import type { Contender, Sample, Server } from './contender.ts'
import { operations, type OperationName } from './operations.ts'
import { isInterrupted, residentMiB } from './process.ts'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Plan {
  rounds: number
  seconds: number
  connections: number[]
  operations: OperationName[]
}

/** All rounds of one operation by one contender with so many connections. */
export interface Measurement {
  operation: OperationName
  connections: number
  contender: string
  samples: Sample[]
}

/** Starts of one contender, one after another. */
export interface Starts {
  contender: string
  startMs: number[]
  /** Resident memory two seconds after the first answer. */
  idleMiB: number[]
}

/** Tells what is being done; on a terminal in one line that the next one overwrites. */
export const progress = (text: string): void => {
  const { isTTY, columns } = process.stderr
  process.stderr.write(isTTY ? `\r\u001B[K${text.slice(0, columns - 1)}` : `${text}\n`)
}

/** One hash takes a large part of a second, so a short round would count too few of them. */
const hashSeconds = 5
const warmUp = { connections: 16, seconds: 1 }

type Operation = (typeof operations)[number]

/** What a contender cannot do leaves a gap in the table, and does not end a run of an hour. */
const giveUp =
  (contender: string) =>
  (err: unknown): undefined => {
    if (isInterrupted()) throw new Error('interrupted')
    process.stderr.write(`\n${contender} failed: ${err instanceof Error ? err.message : String(err)}\n`)
  }

/** Rounds in turn: each contender once, then each again, so that what disturbs the machine disturbs all alike. */
const alternate = async (
  among: Contender[],
  { name, hashes }: Operation,
  plan: Plan,
  connections: number,
): Promise<Measurement[]> => {
  const seconds = hashes ? Math.max(hashSeconds, plan.seconds) : plan.seconds
  const rows = among.map((contender) => ({ contender, samples: [] as Sample[] }))
  const broken = new Set<string>()
  for (let round = 1; round <= plan.rounds; round++) {
    for (const { contender, samples } of rows.filter((row) => !broken.has(row.contender.name))) {
      progress(`${name}, ${connections} connections, round ${round}/${plan.rounds}: ${contender.name}`)
      const sample = await contender.rounds[name]?.({ connections, seconds }).catch(giveUp(contender.name))
      if (sample) samples.push(sample)
      else broken.add(contender.name)
    }
  }
  const whole = rows.filter(({ contender }) => !broken.has(contender.name))
  return whole.map(({ contender, samples }) => ({
    operation: name,
    connections,
    contender: contender.name,
    samples,
  }))
}

const warmUpAll = async (among: Contender[], { name, hashes }: Operation): Promise<void> => {
  if (hashes) return // one of them takes longer than what there is to warm up
  for (const contender of among) await contender.rounds[name]?.(warmUp).catch(giveUp(contender.name))
}

export const measure = async (contenders: Contender[], plan: Plan): Promise<Measurement[]> => {
  const measured: Measurement[] = []
  for (const operation of operations.filter(({ name }) => plan.operations.includes(name))) {
    const among = contenders.filter(({ rounds }) => rounds[operation.name] !== undefined)
    await warmUpAll(among, operation)
    for (const connections of plan.connections) {
      measured.push(...(await alternate(among, operation, plan, connections)))
    }
  }
  return measured
}

/** How to start one more process of a contender. */
export interface Launch {
  contender: string
  launch: () => Promise<Server>
}

const idleMs = 2000

const startOnce = async (launch: Launch['launch']): Promise<[startMs: number, idleMiB: number]> => {
  const server = await launch()
  await sleep(idleMs)
  const idleMiB = residentMiB(server.pid)
  await server.stop()
  return [server.startMs, idleMiB]
}

/** Starts in turn, like the rounds. */
export const measureStarts = async (launches: Launch[], rounds: number): Promise<Starts[]> => {
  const starts = launches.map(({ contender }): Starts => ({ contender, startMs: [], idleMiB: [] }))
  for (let round = 1; round <= rounds; round++) {
    for (const [position, { contender, launch }] of launches.entries()) {
      progress(`start, round ${round}/${rounds}: ${contender}`)
      const [startMs, idleMiB] = await startOnce(launch)
      starts[position]?.startMs.push(startMs)
      starts[position]?.idleMiB.push(idleMiB)
    }
  }
  return starts
}
