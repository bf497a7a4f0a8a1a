import type { Server } from '../contender.ts'
import type { Request } from '../load.ts'
import { progress } from '../progress.ts'
import { isInterrupted } from '../process.ts'
import { api, asCaller } from '../service.ts'
import { keywords, type Tenant } from './ladder.ts'
import { load } from './neighbour.ts'
import { askSideBySide, askUntil, inTurn, seriesOf, type Series } from './series.ts'

/** One round: reads of own profiles in one tenant, and a repeated request in another one. */
export interface MixedRound {
  reads: Series
  beside: Series
}

export interface MixedFigures {
  /** The users of the searched tenant. */
  users: number
  besideCheap: MixedRound[]
  besideSearch: MixedRound[]
}

const runRound = async (url: string, read: Request, other: Request): Promise<MixedRound> => {
  if (isInterrupted()) throw new Error('interrupted')
  const deadline = performance.now() + load.roundMs
  const until = { isOver: () => performance.now() > deadline, pauseMs: load.pauseMs }
  const [reads, beside] = await Promise.all([
    askSideBySide(url, [read], { lines: load.readers, ...until }),
    askUntil(url, inTurn([other]), until),
  ])
  return { reads: seriesOf(reads), beside: seriesOf(beside) }
}

const requestOf = async (url: string, tenant: Tenant, path: string): Promise<Request> => {
  const { headers } = await asCaller(url, tenant.callerAddress, tenant.id)
  return { method: 'GET', path: `${api}${path}`, headers }
}

/** Measures beside a cheap request and beside a search with many results, in turn. */
export const measureMixed = async (
  { url }: Server,
  { reader, searcher, rounds }: { reader: Tenant; searcher: Tenant; rounds: number },
): Promise<MixedFigures> => {
  const read = await requestOf(url, reader, '/profile')
  const cheap = await requestOf(url, searcher, '/profile')
  const search = await requestOf(url, searcher, `/users?search=${keywords.common}`)
  const figures: MixedFigures = { users: searcher.users, besideCheap: [], besideSearch: [] }
  for (let round = 1; round <= rounds; round++) {
    progress(`mixed, round ${round}/${rounds}`)
    figures.besideCheap.push(await runRound(url, read, cheap))
    figures.besideSearch.push(await runRound(url, read, search))
  }
  return figures
}
