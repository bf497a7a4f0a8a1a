import type { Server } from '../contender.ts'
import type { Request } from '../load.ts'
import { isInterrupted } from '../process.ts'
import { api, asCaller } from '../service.ts'
import type { Tenant } from './ladder.ts'
import { askSideBySide, seriesOf, type Answer, type Series } from './series.ts'

/** A load far below the machine's capacity: with more, any use of the processor would slow it down. */
export const load = { readers: 3, writers: 1, pauseMs: 10, roundMs: 10_000 }

/** The answers to another tenant in one round. */
export interface Neighbour<T = Series> {
  reads: T
  writes: T
}

/** Each round, and the answers of all rounds together: enough of them for a p99. */
export interface NeighbourRounds {
  rounds: Neighbour[]
  together: Neighbour
}

export type RunRound = (isOver: () => boolean) => Promise<Neighbour<Answer[]>>

/** Opens a function that reads and writes in one tenant for a round, or until `isOver`. */
export const openNeighbour = async ({ url }: Server, tenant: Tenant): Promise<RunRound> => {
  const { headers } = await asCaller(url, tenant.callerAddress)
  const reads = tenant.userIds.map((id): Request => ({ method: 'GET', path: `${api}/users/${id}`, headers }))
  const path = `${api}/settings/tenant/setting.1`
  // Each request writes another value: the same value again would be no change.
  const writes = reads.map((_read, at): Request => ({ method: 'PUT', path, headers, body: { value: at } }))
  return async (isOver) => {
    if (isInterrupted()) throw new Error('interrupted')
    const deadline = performance.now() + load.roundMs
    const until = { isOver: () => isOver() || performance.now() > deadline, pauseMs: load.pauseMs }
    const [read, written] = await Promise.all([
      askSideBySide(url, reads, { lines: load.readers, ...until }),
      askSideBySide(url, writes, { lines: load.writers, ...until }),
    ])
    return { reads: read, writes: written }
  }
}

const seriesOfBoth = ({ reads, writes }: Neighbour<Answer[]>): Neighbour => ({
  reads: seriesOf(reads),
  writes: seriesOf(writes),
})

/** `whole` holds the rounds that were not cut short. */
export const pooled = (all: Neighbour<Answer[]>[], whole: Neighbour<Answer[]>[] = all): NeighbourRounds => ({
  rounds: whole.map(seriesOfBoth),
  together: seriesOfBoth({
    reads: all.flatMap(({ reads }) => reads),
    writes: all.flatMap(({ writes }) => writes),
  }),
})
