/**
 * `npm run bench:citus` compares one PostgreSQL with a Citus coordinator and its workers: the processor time of all
 * servers of a request, node by node. CITUS_URL names the coordinator. All nodes run on this machine, where the bench
 * reads their processor time, so answers a second say nothing here; the busiest node bounds them on machines apart.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import {
  createCitusDatabase,
  createDatabase,
  dropCitusDatabase,
  dropDatabase,
  query,
  workersOf,
} from '../lab/databases.ts'
import { wholeNumber } from './arguments.ts'
import { call, type Server } from './contender.ts'
import { progress } from './progress.ts'
import { postmasterOf, secondsOf } from './postgres.ts'
import { adminEnv, api, asCaller, rootEmail, startTenantry, type Caller } from './service.ts'

interface Plan {
  tenants: number
  users: number
  large: number
  requests: number
  rounds: number
  only: string[]
}

/** A running service, and the servers of its rows. */
interface Side {
  title: string
  url: string
  server: Server
  /** The main processes of the servers, the coordinator first. */
  nodes: { name: string; pid: number }[]
}

const callersMax = 100
const atOnce = 8
const warmUp = 100
const restSeconds = 10
/** The default of Citus. */
const shards = 32

/** A superuser writes the rows: a tenant has users of one role, and one has a million. */
const seed = async (url: string, { tenants, users, large }: Plan): Promise<void> => {
  progress('seeding')
  await query(
    url,
    `insert into tenants (id, name, slug, created_at, updated_at)
     select gen_random_uuid(), 'T' || n, 'bench-' || n, now(), now() from generate_series(1, $1::int) n`,
    [tenants],
  )
  await query(
    url,
    `insert into accounts (email, email_folded, password_hash, password_scheme)
     select n || '@bench-' || t || '.example.com', n || '@bench-' || t || '.example.com', root.password_hash, root.password_scheme
     from (select password_hash, password_scheme from accounts where email = $4) root, generate_series(1, $1::int) t,
       lateral generate_series(1, case when t = 1 then $3::int else $2::int end) n`,
    [tenants, users, large, rootEmail],
  )
  await query(
    url,
    `insert into users (tenant_id, account_id, email, username, username_folded, nickname, search_folded, created_at, updated_at)
     select t.id, a.id, a.email, a.email, a.email, '', a.email, now(), now()
     from accounts a join tenants t on t.slug = split_part(split_part(a.email, '@', 2), '.', 1)`,
  )
  await query(
    url,
    `insert into user_roles (tenant_id, user_id, role_id)
     select tenant_id, users.id, m.id from users, (select id from role_templates where name = 'admin') m
     where email like '1@bench-%'`,
  )
  for (const table of ['users', 'accounts', 'user_roles', 'tenants']) {
    await query(url, `vacuum analyze ${table}`)
  }
}

interface Seat extends Caller {
  userId: number
  tenantId: string
  email: string
}

const signInAll = async ({ server }: Side, plan: Plan): Promise<Seat[]> => {
  const seats: Seat[] = []
  for (let n = 1; n <= Math.min(plan.tenants, callersMax); n++) {
    const caller = await asCaller(server.url, `1@bench-${n}.example.com`)
    const { json } = await call(server.url, `${api}/profile`, { headers: caller.headers })
    seats.push({
      ...caller,
      email: `1@bench-${n}.example.com`,
      userId: json.data.id as number,
      tenantId: json.data.tenant_id as string,
    })
  }
  return seats
}

type Work = (seat: Seat, n: number) => Promise<unknown>

const at = ({ url, headers }: Seat, path: string, rest: object = {}) =>
  call(url, `${api}${path}`, { headers, ...rest })

const works: Record<string, Work> = {
  'read a user': (seat) => at(seat, `/users/${seat.userId}`),
  'list 20 users': (seat) => at(seat, '/users'),
  'write a setting': (seat, n) => at(seat, '/settings/tenant/color', { method: 'PUT', body: { value: n } }),
  'create a role': (seat, n) =>
    at(seat, '/rbac/roles', {
      method: 'POST',
      headers: { ...seat.headers, 'x-tenant-id': seat.tenantId },
      body: { name: `role ${n}` },
    }),
  'create a user': (seat, n) =>
    at(seat, '/users', {
      method: 'POST',
      body: {
        email: `n${n}@${seat.userId}.example.com`,
        username: `n${n}`,
        password: 'correct horse battery',
      },
    }),
  'sign in': (seat) =>
    call(seat.url, `${api}/auth/login`, {
      method: 'POST',
      body: { email: seat.email, password: adminEnv.TENANTRY_ADMIN_PASSWORD },
    }),
}

/** Microseconds of each server, and of the service, for one request. */
type Cost = Record<string, number>

const measure = (
  side: Side,
  seats: Seat[],
  work: Work,
  { requests, round }: Pick<Plan, 'requests'> & { round: number },
): Promise<Cost> =>
  costOf(side, requests, async () => {
    let next = 0
    const run = async () => {
      for (let n = next++; n < requests; n = next++) {
        const seat = seats[n % seats.length]
        if (seat) await work(seat, round * requests + n)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, run))
    await sleep(1500) // the seals of the round
  })

/** The cost of one of `parts` equal parts. */
const costOf = async (side: Side, parts: number, work: () => Promise<unknown>): Promise<Cost> => {
  const pids = [...side.nodes, { name: 'service', pid: side.server.pid }]
  const before = pids.map(({ pid }) => secondsOf(pid))
  await work()
  return Object.fromEntries(
    pids.map(({ name, pid }, place) => [name, ((secondsOf(pid) - (before[place] ?? 0)) / parts) * 1e6]),
  )
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const print = (title: string, side: Side, costs: Cost[]) => {
  const names = [...side.nodes.map(({ name }) => name), 'service']
  const shown = names.map((name) => `${name} ${Math.round(median(costs.map((cost) => cost[name] ?? 0)))}`)
  const all = costs.map((cost) => side.nodes.reduce((sum, { name }) => sum + (cost[name] ?? 0), 0))
  process.stdout.write(
    `${title}; ${side.title}; servers ${Math.round(median(all))} µs; ${shown.join(', ')}\n`,
  )
}

/** Leaves the rows of tenants to one worker, or spreads them again. */
const spreadOver = async (url: string, count: number): Promise<void> => {
  const workers = await workersOf(url)
  for (const [place, { host, port }] of workers.entries()) {
    const holds = place < count
    await query(url, `select citus_set_node_property($1, $2, 'shouldhaveshards', $3)`, [host, port, holds])
  }
  await query(url, `select rebalance_table_shards(shard_transfer_mode => 'block_writes')`)
}

const open = async (plan: Plan, side: Omit<Side, 'server'>): Promise<Side> => {
  const server = await startTenantry({
    ...adminEnv,
    DATABASE_URL: side.url,
    REDIS_URL: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379',
    TENANTRY_BCRYPT_COST: '4',
    TENANTRY_SECRET_KEY: Buffer.alloc(32, 'bench').toString('base64'),
  })
  await seed(side.url, plan)
  return { ...side, server }
}

const compare = async (side: Side, plan: Plan, only = plan.only): Promise<void> => {
  const seats = await signInAll(side, plan)
  const atRest = await costOf(side, restSeconds, () => sleep(restSeconds * 1000))
  print('a second without requests', side, [atRest])
  for (const title of only) {
    const work = works[title]
    if (!work) continue
    await measure(side, seats, work, { requests: warmUp, round: 1000 })
    const costs: Cost[] = []
    for (let round = 1; round <= plan.rounds; round++) {
      costs.push(await measure(side, seats, work, { ...plan, round }))
    }
    print(title, side, costs)
  }
}

const nodesOf = async (url: string): Promise<Side['nodes']> => {
  const workers = (await workersOf(url)).map(async ({ host, port }, place) => {
    const node = Object.assign(new URL(url), { hostname: host, port: String(port) })
    return { name: `worker ${place + 1}`, pid: await postmasterOf(node.href) }
  })
  return [{ name: 'coordinator', pid: await postmasterOf(url) }, ...(await Promise.all(workers))]
}

const measureSpread = async (side: Side, plan: Plan): Promise<void> => {
  const only = ['write a setting']
  await spreadOver(side.url, 1)
  await compare({ ...side, title: 'coordinator and one worker' }, plan, only)
  await spreadOver(side.url, 2)
  await compare(side, plan, only)
}

/** One after the other, so that only one service works. */
const measureOne = async (plan: Plan, citusUrl: string, name: string): Promise<void> => {
  const url = await createDatabase(citusUrl, name)
  const nodes = [{ name: 'PostgreSQL', pid: await postmasterOf(citusUrl) }]
  const side = await open(plan, { title: 'one PostgreSQL', url, nodes })
  try {
    await compare(side, plan)
  } finally {
    await side.server.stop()
    await dropDatabase(citusUrl, name)
  }
}

const measureNodes = async (plan: Plan, citusUrl: string, name: string): Promise<void> => {
  const url = await createCitusDatabase(citusUrl, name, shards)
  const side = await open(plan, { title: 'coordinator and two workers', url, nodes: await nodesOf(url) })
  try {
    await compare(side, plan)
    await measureSpread(side, plan)
  } finally {
    await side.server.stop()
    await dropCitusDatabase(citusUrl, name)
  }
}

const run = async (plan: Plan, citusUrl: string): Promise<void> => {
  const name = `tenantry_bench_${randomBytes(4).toString('hex')}`
  await measureOne(plan, citusUrl, `${name}_one`)
  await measureNodes(plan, citusUrl, `${name}_nodes`)
}

const program = new Command('bench:citus')
  .description('compare one PostgreSQL with Citus')
  .option('--tenants <n>', 'tenants', wholeNumber, 1000)
  .option('--users <n>', 'users of each', wholeNumber, 20)
  .option('--large <n>', 'users of the first tenant', wholeNumber, 1_000_000)
  .option('--requests <n>', 'requests of a round', wholeNumber, 2000)
  .option('--rounds <n>', 'rounds', wholeNumber, 3)
  .option('--only <operation...>', 'operations', Object.keys(works))

const plan = program.parse().opts<Plan>()
const citusUrl = process.env['CITUS_URL']
if (citusUrl) await run(plan, citusUrl)
else {
  process.stderr.write(
    'Nothing was measured: CITUS_URL is not set. It names a Citus coordinator with two workers.\n',
  )
  process.exitCode = 1
}
