import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { call, type Server } from '../contender.ts'
import { progress } from '../progress.ts'
import { api, asCaller, rootEmail } from '../service.ts'
import type { Size, Tenant } from './ladder.ts'
import { openNeighbour, pooled, type Neighbour, type NeighbourRounds, type RunRound } from './neighbour.ts'
import { awaitQuiet } from './quiet.ts'
import type { Answer } from './series.ts'

export interface DeletionFigures extends Size {
  answerMs: number
  /** Seconds from the answer until the last row of the tenant is gone. */
  purgedSeconds: number
  /** Rounds before the deletion, and from then on until the last row was gone. */
  before: NeighbourRounds
  meanwhile: NeighbourRounds
}

const pollMs = 100

/** Resolves with the moment when the tenant's own row, the last one of it, is gone. */
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

/** Runs rounds until the purge ends, which cuts the last round short. */
const roundsMeanwhile = async (isOver: () => boolean, runRound: RunRound): Promise<NeighbourRounds> => {
  const all: Neighbour<Answer[]>[] = []
  while (!isOver()) {
    progress(`deletion: the other tenant during it, round ${all.length + 1}`)
    all.push(await runRound(isOver))
  }
  return pooled(all, all.length > 1 ? all.slice(0, -1) : all)
}

const roundsBefore = async (count: number, runRound: RunRound): Promise<NeighbourRounds> => {
  const run = () => runRound(() => false)
  await run() // the first round warms up
  const all: Neighbour<Answer[]>[] = []
  while (all.length < count) {
    progress(`deletion: the other tenant before it, round ${all.length + 1}/${count}`)
    all.push(await run())
  }
  return pooled(all)
}

/** Deletes a tenant once and measures another tenant before and during the purge. */
export const measureDeletion = async (
  server: Server,
  client: pg.Client,
  { removed, neighbour, rounds }: { removed: Tenant; neighbour: Tenant; rounds: number },
): Promise<DeletionFigures> => {
  const { users, records } = removed
  const runRound = await openNeighbour(server, neighbour)
  await awaitQuiet(client)
  const before = await roundsBefore(rounds, runRound)
  const { sentAt, answeredAt } = await removeTenant(server, removed.id)
  const state = { isPurged: false }
  const [purgedAt, meanwhile] = await Promise.all([
    awaitPurge(client, removed.id).finally(() => (state.isPurged = true)),
    roundsMeanwhile(() => state.isPurged, runRound),
  ])
  const purgedSeconds = (purgedAt - answeredAt) / 1000
  return { users, records, answerMs: answeredAt - sentAt, purgedSeconds, before, meanwhile }
}
