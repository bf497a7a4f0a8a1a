import { settle, type Server } from '../contender.ts'
import type { Request } from '../load.ts'
import { progress } from '../progress.ts'
import { isInterrupted } from '../process.ts'
import { api, asCaller, rootEmail, type Caller } from '../service.ts'
import { filters, keywords, type Size, type Tenant } from './ladder.ts'
import { askUntil, inTurn, seriesOf, type Series } from './series.ts'

const pageRows = 20
/** As far back as somebody may leaf through an audit log. */
export const deepPage = 10_000

export interface ReadOperation {
  name: string
  title: string
  /** Which of a tenant's numbers it could grow with. */
  by: keyof Size
  /** These are judged. */
  kind?: 'search' | 'audit' | 'audit-deep'
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

const audit = (name: string, title: string, query: (tenant: Tenant) => string): ReadOperation => ({
  name,
  title: `audit page${title}`,
  by: 'records',
  kind: 'audit',
  paths: (tenant) => [`/audit/logs?${query(tenant)}`],
})

/** As far back as somebody may leaf, of so many records that the query finds. */
const deepAudit = (
  name: string,
  title: string,
  { query, found }: { query: () => string; found: (records: number) => number },
): ReadOperation => ({
  name,
  title: `audit page ${deepPage.toLocaleString('en')}, or the last${title}`,
  by: 'records',
  kind: 'audit-deep',
  paths: ({ records }) => [`/audit/logs?page=${Math.min(deepPage, lastPage(found(records)))}&${query()}`],
})

/** Ten of the ninety days that the seeded records are from, in the middle. */
const period = { firstDaysAgo: 50, lastDaysAgo: 40, share: 10 / 90 }

const between = (): string => {
  const [from, to] = [period.firstDaysAgo, period.lastDaysAgo].map((days) =>
    new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString(),
  )
  return `from=${from}&to=${to}`
}

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
  deepAudit('audit-deep', '', { query: () => '', found: (records) => records }),
  deepAudit('audit-between-deep', ' between two moments', {
    query: between,
    // Somewhat before the end: a moment that is a page off would find none.
    found: (records) => records * period.share * 0.95,
  }),
]

/** Asked once, by the platform administrator. */
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
  /** So many in a round, unless that takes too long. */
  requests: number
}

const roundMs = 20_000
const warmUpMs = 500

/** Answers until there are so many, or the time is over; the requests in turn, one after the other. */
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

/** Rounds in turn: each tenant once, then each again, so that what disturbs the machine disturbs all alike. */
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
      rungs.map(async (tenant) =>
        readsOf(await asCaller(server.url, tenant.callerAddress, tenant.id), paths(tenant)),
      ),
    )
    measured.push(...(await alternate(server, name, requests, plan)))
  }
  const ofAll = readsOf(await asCaller(server.url, rootEmail), ['/org/tenants'])
  return [...measured, ...(await alternate(server, tenantList.name, [ofAll], plan))]
}
