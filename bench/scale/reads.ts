import { settle, type Server } from '../contender.ts'
import type { Request } from '../load.ts'
import { progress } from '../progress.ts'
import { isInterrupted } from '../process.ts'
import { api, asCaller, get, rootEmail, type Caller } from '../service.ts'
import { attributes, filters, keywords, type Size, type Tenant } from './ladder.ts'
import { askUntil, inTurn, seriesOf, type Series } from './series.ts'

const pageRows = 20

export interface ReadOperation {
  name: string
  title: string
  /** The size that the operation could grow with. */
  by: keyof Size
  /** Targets apply to all operations of a kind. */
  kind?: 'search' | 'attribute' | 'audit' | 'users-on' | 'audit-on'
  paths: (tenant: Tenant, caller: Caller) => string[] | Promise<string[]>
}

const search = (name: string, title: string, keyword: string): ReadOperation => ({
  name,
  title: `user page, ${title}`,
  by: 'users',
  kind: 'search',
  paths: () => [`/users?search=${keyword}`],
})

const byAttribute = (name: string, title: string, query: string): ReadOperation => ({
  name,
  title: `user page, by ${title}`,
  by: 'users',
  kind: 'attribute',
  paths: () => [`/users?${query}`],
})

const { area, office } = attributes

const audit = (name: string, title: string, query: (tenant: Tenant) => string): ReadOperation => ({
  name,
  title: `audit page${title}`,
  by: 'records',
  kind: 'audit',
  paths: (tenant) => [`/audit/logs?${query(tenant)}`],
})

const momentDaysAgo = (days: number): string =>
  new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString()

const itemsOf = async (caller: Caller, path: string): Promise<{ id: number }[]> =>
  (await get(caller, path)).items

const idOfNewest = async (caller: Caller, daysAgo: number): Promise<number> => {
  const [newest] = await itemsOf(caller, `/audit/logs?page_size=1&to=${momentDaysAgo(daysAgo)}`)
  if (!newest) throw new Error(`no audit record is older than ${daysAgo} days`)
  return newest.id
}

/** Resolves with the path. Throws unless it answers a whole page beyond the id. */
const requireFarPage = async (
  caller: Caller,
  path: string,
  isFar: (id: number) => boolean,
): Promise<string> => {
  const items = await itemsOf(caller, path)
  if (items.length !== pageRows || !items.every(({ id }) => isFar(id))) {
    throw new Error(`${path} does not read on: ${items.map(({ id }) => id).join(', ')}`)
  }
  return path
}

/** Reads on from the newest record of that age, with the query. */
const auditOn = (
  name: string,
  title: string,
  { daysAgo, query }: { daysAgo: number; query: () => string },
): ReadOperation => ({
  name,
  title: `audit page${title}, read on`,
  by: 'records',
  kind: 'audit-on',
  paths: async (_tenant, caller) => {
    const before = await idOfNewest(caller, daysAgo)
    const path = `/audit/logs?before_id=${before}&${query()}`
    return [await requireFarPage(caller, path, (id) => id < before)]
  },
})

/** The seeded records cover 90 days; reading on starts after nine tenths of them. */
const farDaysAgo = 81

/** Ten days in the middle. */
const period = { firstDaysAgo: 50, farDaysAgo: 49, lastDaysAgo: 40 }

const between = (): string =>
  `from=${momentDaysAgo(period.firstDaysAgo)}&to=${momentDaysAgo(period.lastDaysAgo)}`

/** The operations that run in each tenant of the ladder. */
export const ladderOperations: ReadOperation[] = [
  { name: 'users', title: 'user page', by: 'users', paths: () => ['/users'] },
  {
    name: 'users-on',
    title: 'user page, read on',
    by: 'users',
    kind: 'users-on',
    paths: async ({ userIds }, caller) => {
      const after = userIds[Math.floor(userIds.length * 0.9)] ?? 0
      return [await requireFarPage(caller, `/users?after_id=${after}`, (id) => id > after)]
    },
  },
  search('search-rare', 'rare keyword', keywords.rare),
  search('search-common', 'keyword of 5 %', keywords.common),
  search('search-absent', 'keyword without a match', keywords.absent),
  search('search-short', 'two letters of 5 %', keywords.short),
  search('search-short-absent', 'two letters without a match', keywords.shortAbsent),
  byAttribute('attribute-common', 'an attribute (5 %)', `attribute.area=${area}`),
  byAttribute('attribute-rare', 'an attribute (0.1 %)', `attribute.office=${office}`),
  byAttribute('attributes', 'two attributes (0.1 %)', `attribute.area=${area}&attribute.office=${office}`),
  {
    name: 'user',
    title: 'read one user',
    by: 'users',
    paths: ({ userIds }) => userIds.map((id) => `/users/${id}`),
  },
  { name: 'profile', title: 'own profile', by: 'users', paths: () => ['/profile'] },
  { name: 'roles', title: 'roles with permissions', by: 'users', paths: () => ['/rbac/roles'] },
  { name: 'stats', title: 'dashboard', by: 'records', paths: () => ['/dashboard/stats'] },
  audit('audit', '', () => ''),
  audit('audit-user', ' by user (1 %)', ({ busyUserId }) => `user_id=${busyUserId}`),
  audit('audit-action', ' by action (5 %)', () => `action=${filters.action}`),
  audit('audit-resource', ' by resource (10 %)', () => `resource=${filters.resource}`),
  audit(
    'audit-action-user',
    ' by action and user (0.2 %)',
    ({ busyUserId }) => `action=${filters.actionOfUser}&user_id=${busyUserId}`,
  ),
  audit('audit-between', ' between two moments (11 %)', between),
  auditOn('audit-on', '', { daysAgo: farDaysAgo, query: () => '' }),
  auditOn('audit-action-on', ' by action (5 %)', {
    daysAgo: farDaysAgo,
    query: () => `action=${filters.action}`,
  }),
  auditOn('audit-between-on', ' between two moments', { daysAgo: period.farDaysAgo, query: between }),
]

/** This operation runs once, as platform administrator. */
const tenantList = { name: 'tenants', title: 'tenant list' }

export const titleOf = (operation: string): string =>
  [...ladderOperations, tenantList].find(({ name }) => name === operation)?.title ?? operation

/** All rounds of one operation in one tenant of the ladder. */
export interface ReadMeasurement {
  operation: string
  rung: number
  samples: Series[]
}

export interface ReadPlan {
  rounds: number
  /** Requests in a round, unless they take too long. */
  requests: number
}

const roundMs = 20_000
const warmUpMs = 500

/** Sends the requests in turn, one after another, until there are `count` answers or the time is over. */
const ask = async (
  { url, pid }: Server,
  requests: Request[],
  { count, ms }: { count: number; ms: number },
) => {
  await settle(pid)
  const deadline = performance.now() + ms
  const isOver = (asked: number) => asked > 0 && (asked >= count || performance.now() > deadline)
  return askUntil(url, inTurn(requests), { isOver })
}

/** Runs the rounds in turn, each tenant once and then each again: a disturbance of the machine hits all alike. */
const alternate = async (
  server: Server,
  operation: string,
  rungs: Request[][],
  plan: ReadPlan,
): Promise<ReadMeasurement[]> => {
  const measured = rungs.map((_requests, rung): ReadMeasurement => ({ operation, rung, samples: [] }))
  for (const requests of rungs) await ask(server, requests, { count: plan.requests, ms: warmUpMs })
  for (let round = 1; round <= plan.rounds; round++) {
    for (const [rung, requests] of rungs.entries()) {
      if (isInterrupted()) throw new Error('interrupted')
      progress(`${operation}, round ${round}/${plan.rounds}: tenant ${rung + 1} of ${rungs.length}`)
      const answers = await ask(server, requests, { count: plan.requests, ms: roundMs })
      measured[rung]?.samples.push(seriesOf(answers))
    }
  }
  return measured
}

const readsOf = ({ headers }: Caller, paths: string[]): Request[] =>
  paths.map((path) => ({ method: 'GET', path: `${api}${path}`, headers }))

export const measureReads = async (
  server: Server,
  rungs: Tenant[],
  plan: ReadPlan,
): Promise<ReadMeasurement[]> => {
  const measured: ReadMeasurement[] = []
  for (const { name, paths } of ladderOperations) {
    const requests = await Promise.all(
      rungs.map(async (tenant) => {
        const caller = await asCaller(server.url, tenant.callerAddress, tenant.id)
        return readsOf(caller, await paths(tenant, caller))
      }),
    )
    measured.push(...(await alternate(server, name, requests, plan)))
  }
  const ofAll = readsOf(await asCaller(server.url, rootEmail), ['/org/tenants'])
  return [...measured, ...(await alternate(server, tenantList.name, [ofAll], plan))]
}
