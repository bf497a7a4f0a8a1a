import { roundsOfCaller, type Round, type Sample, type Server } from '../contender.ts'
import { isInterrupted } from '../process.ts'
import { progress } from '../measure.ts'
import { api, asCaller, rootEmail } from '../service.ts'
import { filters, keywords, type Size, type Tenant } from './ladder.ts'

const pageRows = 20
/** Issue-sized depth: as far as a page of an audit log is asked for. */
export const deepPage = 10_000

export interface ReadOperation {
  name: string
  title: string
  /** Which of a tenant's numbers it could grow with. */
  by: keyof Size
  /** `search` and `filter` are judged. */
  kind?: 'search' | 'filter'
  paths: (tenant: Tenant) => string[]
}

const lastPage = (rows: number) => Math.max(1, Math.floor(rows / pageRows))

const search = (name: string, title: string, keyword: string): ReadOperation => ({
  name,
  title: `user page, ${title}`,
  by: 'users',
  kind: 'search',
  paths: () => [`/users?search=${keyword}`],
})

const filter = (name: string, title: string, query: (tenant: Tenant) => string): ReadOperation => ({
  name,
  title: `audit page by ${title}`,
  by: 'records',
  kind: 'filter',
  paths: (tenant) => [`/audit/logs?${query(tenant)}`],
})

/** Asked in each tenant of the ladder. */
export const ladderOperations: ReadOperation[] = [
  { name: 'users', title: 'user page', by: 'users', paths: () => ['/users'] },
  {
    name: 'users-deep',
    title: 'user page, the last',
    by: 'users',
    paths: ({ users }) => [`/users?page=${lastPage(users)}`],
  },
  search('search-rare', 'rare keyword', keywords.rare),
  search('search-common', 'keyword of 5 %', keywords.common),
  search('search-absent', 'keyword of nobody', keywords.absent),
  search('search-short', 'two letters of 5 %', keywords.short),
  search('search-short-absent', 'two letters of nobody', keywords.shortAbsent),
  {
    name: 'user',
    title: 'read one user',
    by: 'users',
    paths: ({ userIds }) => userIds.map((id) => `/users/${id}`),
  },
  { name: 'profile', title: 'own profile', by: 'users', paths: () => ['/profile'] },
  { name: 'roles', title: 'roles with permissions', by: 'users', paths: () => ['/rbac/roles'] },
  { name: 'stats', title: 'dashboard', by: 'records', paths: () => ['/dashboard/stats'] },
  { name: 'audit', title: 'audit page', by: 'records', paths: () => ['/audit/logs'] },
  {
    name: 'audit-deep',
    title: `audit page ${deepPage.toLocaleString('en')}, or the last`,
    by: 'records',
    paths: ({ records }) => [`/audit/logs?page=${Math.min(deepPage, lastPage(records))}`],
  },
  filter('audit-user', 'user (1 %)', ({ busyUserId }) => `user_id=${busyUserId}`),
  filter('audit-action', 'action (5 %)', () => `action=${filters.action}`),
  filter('audit-resource', 'resource (10 %)', () => `resource=${filters.resource}`),
  filter(
    'audit-action-user',
    'action and user (0.2 %)',
    ({ busyUserId }) => `action=${filters.actionOfUser}&user_id=${busyUserId}`,
  ),
]

/** Asked once, by the platform administrator. */
const tenantList = { name: 'tenants', title: 'tenant list' }

export const titleOf = (operation: string): string =>
  [...ladderOperations, tenantList].find(({ name }) => name === operation)?.title ?? operation

/** All rounds of one operation in one tenant of the ladder. */
export interface ReadMeasurement {
  operation: string
  rung: number
  samples: Sample[]
}

export interface ReadPlan {
  rounds: number
  /** At least so many in a round, unless that takes too long. */
  requests: number
}

const warmUp = { connections: 1, seconds: 1 }
const secondsMax = 20

/** One request after the other: what is measured is an answer, not the machine's throughput. */
const extentOf = ({ perSecond }: Sample, requests: number) => ({
  connections: 1,
  seconds: Math.min(secondsMax, Math.ceil(requests / perSecond)),
})

/** Rounds in turn: each tenant once, then each again, so that what disturbs the machine disturbs all alike. */
const alternate = async (operation: string, rounds: Round[], plan: ReadPlan): Promise<ReadMeasurement[]> => {
  const extents = []
  for (const round of rounds) {
    progress(`${operation}, warming up`)
    extents.push(extentOf(await round(warmUp), plan.requests))
  }
  const measured = rounds.map((_round, rung): ReadMeasurement => ({ operation, rung, samples: [] }))
  for (let number = 1; number <= plan.rounds; number++) {
    for (const [rung, round] of rounds.entries()) {
      if (isInterrupted()) throw new Error('interrupted')
      progress(`${operation}, round ${number}/${plan.rounds}: rung ${rung + 1} of ${rounds.length}`)
      measured[rung]?.samples.push(await round(extents[rung] ?? warmUp))
    }
  }
  return measured
}

const roundIn =
  (server: Server, tenant: Tenant) =>
  ({ paths }: ReadOperation): Round =>
    roundsOfCaller(
      server,
      async () => (await asCaller(server.url, tenant.callerAddress, tenant.id)).headers,
      api,
    ).reading(...paths(tenant))

export const measureReads = async (
  server: Server,
  rungs: Tenant[],
  plan: ReadPlan,
): Promise<ReadMeasurement[]> => {
  const measured: ReadMeasurement[] = []
  for (const operation of ladderOperations) {
    const rounds = rungs.map((tenant) => roundIn(server, tenant)(operation))
    measured.push(...(await alternate(operation.name, rounds, plan)))
  }
  const asRoot = roundsOfCaller(server, async () => (await asCaller(server.url, rootEmail)).headers, api)
  measured.push(...(await alternate(tenantList.name, [asRoot.reading('/org/tenants')], plan)))
  return measured
}
