import type { Server } from '../contender.ts'
import type { Request } from '../load.ts'
import { isInterrupted } from '../process.ts'
import { api, asCaller } from '../service.ts'
import type { Tenant } from './ladder.ts'
import { askSideBySide, seriesOf, type Answer, type Series } from './series.ts'

/** A load far below what the machine can do: with more, everything that takes processor time would slow it down. */
export const load = { readers: 3, writers: 1, pauseMs: 10, roundMs: 10_000 }

/** What another tenant got in one round. */
export interface Neighbour<T = Series> {
  reads: T
  writes: T
}

/** Round by round, and the answers of all rounds together: of so many, p99 is more than the worst one. */
export interface NeighbourRounds {
  rounds: Neighbour[]
  together: Neighbour
}

export type RunRound = (isOver: () => boolean) => Promise<Neighbour<Answer[]>>

/** Reads and writes of one tenant side by side, for the length of a round or until it is over. */
export const openNeighbour = async ({ url }: Server, tenant: Tenant): Promise<RunRound> => {
  const { headers } = await asCaller(url, tenant.callerAddress)
  const reads = tenant.userIds.map((id): Request => ({ method: 'GET', path: `${api}/users/${id}`, headers }))
  const path = `${api}/settings/tenant/setting.1`
  // Each writes another value: the same again would be no change.
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

/** `whole`: the rounds that were not cut short. */
export const pooled = (all: Neighbour<Answer[]>[], whole: Neighbour<Answer[]>[] = all): NeighbourRounds => ({
  rounds: whole.map(seriesOfBoth),
  together: seriesOfBoth({
    reads: all.flatMap(({ reads }) => reads),
    writes: all.flatMap(({ writes }) => writes),
  }),
})
