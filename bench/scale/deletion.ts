import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { call, type Server } from '../contender.ts'
import type { Request } from '../load.ts'
import { progress } from '../measure.ts'
import { isInterrupted } from '../process.ts'
import { api, asCaller, rootEmail } from '../service.ts'
import type { Size, Tenant } from './ladder.ts'
import { askUntil, inTurn, seriesOf, type Series } from './series.ts'

/** What another tenant got in one round. */
export interface Neighbour {
  reads: Series
  writes: Series
}

export interface DeletionFigures extends Size {
  answerMs: number
  /** From the answer until nothing of the tenant is left. */
  purgedSeconds: number
  /** Rounds before the deletion, and until the last row was gone. */
  before: Neighbour[]
  meanwhile: Neighbour[]
}

/** A load far below what the machine can do: with more, everything that takes processor time would slow it down. */
const load = { readers: 3, writers: 1, pauseMs: 10, roundMs: 2000 }

/** Reads and writes of one tenant side by side, for the length of a round. */
const openNeighbour = async ({ url }: Server, tenant: Tenant): Promise<() => Promise<Neighbour>> => {
  const { headers } = await asCaller(url, tenant.callerAddress)
  const reads = tenant.userIds.map((id): Request => ({ method: 'GET', path: `${api}/users/${id}`, headers }))
  const path = `${api}/settings/tenant/setting.1`
  // Each writes another value: the same again would be no change.
  const writes = reads.map((_read, at): Request => ({ method: 'PUT', path, headers, body: { value: at } }))
  const askAll = async (count: number, requests: Request[]): Promise<Series> => {
    const deadline = performance.now() + load.roundMs
    const isOver = () => performance.now() > deadline
    const lines = Array.from({ length: count }, () =>
      askUntil(url, inTurn(requests), { isOver, pauseMs: load.pauseMs }),
    )
    return seriesOf((await Promise.all(lines)).flat())
  }
  return async () => {
    if (isInterrupted()) throw new Error('interrupted')
    const [read, written] = await Promise.all([askAll(load.readers, reads), askAll(load.writers, writes)])
    return { reads: read, writes: written }
  }
}

const pollMs = 100

/** Resolves with the moment when the last row of a removed tenant, its own, is gone. */
const awaitPurge = async (client: pg.Client, tenantId: string): Promise<number> => {
  for (;;) {
    const { rowCount } = await client.query('select from tenants where id = $1', [tenantId])
    if (rowCount === 0) return performance.now()
    await sleep(pollMs)
  }
}

const removeTenant = async (
  { url }: Server,
  tenantId: string,
): Promise<{ sentAt: number; answeredAt: number }> => {
  const { headers } = await asCaller(url, rootEmail)
  const sentAt = performance.now()
  await call(url, `${api}/org/tenants/${tenantId}`, { method: 'DELETE', headers })
  return { sentAt, answeredAt: performance.now() }
}

/** Rounds until the end; one that it falls into counts only if there is no other. */
const roundsUntil = async (
  isOver: () => boolean,
  runRound: () => Promise<Neighbour>,
): Promise<Neighbour[]> => {
  const rounds: Neighbour[] = []
  while (!isOver()) {
    progress(`deletion: the neighbour meanwhile, round ${rounds.length + 1}`)
    const one = await runRound()
    if (!isOver() || rounds.length === 0) rounds.push(one)
  }
  return rounds
}

const roundsBefore = async (count: number, runRound: () => Promise<Neighbour>): Promise<Neighbour[]> => {
  await runRound() // warms up
  const rounds: Neighbour[] = []
  while (rounds.length < count) {
    progress(`deletion: the neighbour before it, round ${rounds.length + 1}/${count}`)
    rounds.push(await runRound())
  }
  return rounds
}

/** Deletes a tenant, and watches another one before and meanwhile. There is one deletion only. */
export const measureDeletion = async (
  server: Server,
  client: pg.Client,
  { removed, neighbour, rounds }: { removed: Tenant; neighbour: Tenant; rounds: number },
): Promise<DeletionFigures> => {
  const { users, records } = removed
  const runRound = await openNeighbour(server, neighbour)
  const before = await roundsBefore(rounds, runRound)
  const { sentAt, answeredAt } = await removeTenant(server, removed.id)
  const state = { isPurged: false }
  const [purgedAt, meanwhile] = await Promise.all([
    awaitPurge(client, removed.id).finally(() => (state.isPurged = true)),
    roundsUntil(() => state.isPurged, runRound),
  ])
  const purgedSeconds = (purgedAt - answeredAt) / 1000
  return { users, records, answerMs: answeredAt - sentAt, purgedSeconds, before, meanwhile }
}
