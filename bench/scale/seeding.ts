import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { shown } from '../figures.ts'
import { progress } from '../progress.ts'
import { email, usersInTurn } from '../operations.ts'
import { createTenant, post, put, type Caller } from '../service.ts'
import { attributes, sizeOfRemoved, sizeOfSmall, sum, type Ladder, type Size, type Tenant } from './ladder.ts'
import { awaitQuiet } from './quiet.ts'
import { countUnsealed, insertRows } from './rows.ts'

/** Inserted rows a second, and sealed records a second after the last row. */
export interface SeedingFigures {
  usersPerSecond: number
  recordsPerSecond: number
  sealedPerSecond: number
  seconds: number
}

export interface Seeded {
  rungs: Tenant[]
  /** The tenant that the bench deletes. */
  removed: Tenant
  figures: SeedingFigures
}

/** Shows the progress of the seeding, and the speed for each kind of row. */
const countRows = (all: Size[]) => {
  const done = { users: 0, records: 0 }
  const seconds = { users: 0, records: 0 }
  let since = performance.now()
  const perSecond = (of: keyof Size) => done[of] / Math.max(seconds[of], 0.001)
  const onRows = (of: keyof Size, rows: number) => {
    done[of] += rows
    const now = performance.now()
    seconds[of] += (now - since) / 1000
    since = now
    const parts = (['users', 'records'] as const).map(
      (one) => `${shown(done[one])}/${shown(sum(all, one))} ${one}`,
    )
    progress(`seeding: ${parts.join(', ')}; ${shown(perSecond(of))} ${of}/s`)
  }
  return { onRows, perSecond, begin: () => (since = performance.now()) }
}

const seedTenant = async (
  client: pg.Client,
  root: Caller,
  { slug, ...size }: Size & { slug: string },
  count: ReturnType<typeof countRows>,
): Promise<Tenant> => {
  const callerName = `caller.${slug}`
  const { id } = await createTenant(root, slug, callerName)
  count.begin()
  const { low, high } = await insertRows(client, { id, slug, ...size }, email(callerName), count.onRows)
  const step = Math.max(1, Math.floor((high - low + 1) / usersInTurn))
  const userIds = Array.from({ length: Math.min(usersInTurn, size.users) }, (_, at) => low + at * step)
  return { id, slug, ...size, callerAddress: email(callerName), userIds, busyUserId: low }
}

const seedSmallTenants = async (
  client: pg.Client,
  root: Caller,
  passwordOf: string,
  { tenants, onRows }: { tenants: number; onRows: (of: keyof Size, rows: number) => void },
): Promise<void> => {
  for (let number = 1; number <= tenants; number++) {
    const slug = `small-${number}`
    const { id }: { id: string } = await post(root, '/org/tenants', { name: slug, slug })
    await insertRows(client, { id, slug, ...sizeOfSmall }, passwordOf, onRows)
  }
}

const sealingStepMs = 2000

/** Waits until the service has sealed the seeded records. Resolves with the sealed records a second. */
export const awaitSeals = async (client: pg.Client): Promise<number> => {
  const start = performance.now()
  const first = await countUnsealed(client)
  for (let waiting = first; waiting > 0; waiting = await countUnsealed(client)) {
    const perSecond = (first - waiting) / ((performance.now() - start) / 1000)
    progress(`sealing: ${shown(waiting)} records left, ${shown(perSecond)} a second`)
    await sleep(sealingStepMs)
  }
  return first / ((performance.now() - start) / 1000)
}

/** Creates the tenants of the ladder through the API and fills them. The service of `root` seals their records. */
export const seedLadder = async (client: pg.Client, root: Caller, ladder: Ladder): Promise<Seeded> => {
  const start = performance.now()
  const all = [...ladder.rungs, sizeOfRemoved(ladder)]
  const count = countRows(all)
  for (const key of Object.keys(attributes)) {
    const schema = { type: 'string', maxLength: 16 }
    await put(root, `/attributes/user/${key}`, { schema, administrators: 'write', indexed: true })
  }
  const rungs: Tenant[] = []
  for (const [rung, size] of ladder.rungs.entries()) {
    rungs.push(await seedTenant(client, root, { slug: `rung-${rung}`, ...size }, count))
  }
  const removed = await seedTenant(client, root, { slug: 'removed', ...sizeOfRemoved(ladder) }, count)
  const [usersPerSecond, recordsPerSecond] = [count.perSecond('users'), count.perSecond('records')]
  progress(`seeding ${ladder.smallTenants} small tenants`)
  await seedSmallTenants(client, root, removed.callerAddress, {
    tenants: ladder.smallTenants,
    onRows: () => {},
  })
  const sealedPerSecond = await awaitSeals(client)
  await awaitQuiet(client)
  const seconds = (performance.now() - start) / 1000
  return { rungs, removed, figures: { usersPerSecond, recordsPerSecond, sealedPerSecond, seconds } }
}
