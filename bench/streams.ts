/**
 * `npm run bench:streams` measures the live stream: memory and processor time of open streams, and the time until they
 * hear of a change. A missed target does not fail the run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import PQueue from 'p-queue'
import { wholeNumber } from './arguments.ts'
import { call, type Server } from './contender.ts'
import { quantile } from './figures.ts'
import { email, seed } from './operations.ts'
import { cpuSeconds, residentMB } from './process.ts'
import { progress } from './progress.ts'
import { runBench, type Own } from './runner.ts'
import {
  adminEnv,
  api,
  asCaller,
  createTenant,
  post,
  put,
  rootEmail,
  signIn,
  startTenantry,
  type Caller,
} from './service.ts'
import type { Stores } from './stores.ts'
import { openClient, type Client } from './streams/clients.ts'
import {
  judgeStreams,
  streamsOf,
  streamsReport,
  type Heard,
  type Plan,
  type StreamsResults,
} from './streams/report.ts'

/** Requests of the preparation at the same time. */
const concurrency = 8
/** Sessions whose end is measured, one after the other. */
const endedSessions = 100

interface Session {
  token: string
  clients: Client[]
}

interface Tenant {
  id: string
  admin: Caller
  sessions: Session[]
}

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** Runs work for each number, some at a time. */
const forEach = async <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> => {
  const queue = new PQueue({ concurrency })
  return Promise.all(times(count).map((index) => queue.add(() => work(index))))
}

const fillTenant = async (root: Caller, number: number, sessions: number): Promise<Tenant> => {
  const name = `streams-${number}`
  const { id } = await createTenant(root, name, `${name}-admin`)
  const admin = await asCaller(root.url, email(`${name}-admin`), id)
  const filled = await forEach(sessions, async (index) => {
    const username = `${name}-${index}`
    await post(admin, '/users', { email: email(username), username, password: seed.password })
    return { token: (await signIn(root.url, email(username))).access_token, clients: [] }
  })
  return { id, admin, sessions: filled }
}

const openAll = async (url: string, tenants: Tenant[], streams: number): Promise<void> => {
  for (const { sessions } of tenants) {
    await forEach(sessions.length * streams, async (index) => {
      const session = sessions[index % sessions.length]
      if (session) session.clients.push(await openClient(url, session.token))
    })
  }
}

/** The cores that the service takes while nothing happens. */
const coresOf = async ({ pid }: Server, seconds: number): Promise<number> => {
  const before = cpuSeconds(pid)
  await sleep(seconds * 1000)
  return (cpuSeconds(pid) - before) / seconds
}

interface Change {
  change: string
  event: string
  clients: Client[]
  request: () => Promise<unknown>
}

/** The time from a request's start until each of the clients has heard the event. */
const measureHeard = async ({ pid }: Server, { change, event, clients, request }: Change): Promise<Heard> => {
  const cpuBefore = cpuSeconds(pid)
  const heard = Promise.all(clients.map((client) => client.next(event)))
  const begun = performance.now()
  await request()
  const ms = (await heard).map((moment) => moment - begun)
  await sleep(1000)
  const cpuMs = (cpuSeconds(pid) - cpuBefore) * 1000
  return { change, clients: clients.length, p50Ms: quantile(ms, 0.5), p99Ms: quantile(ms, 0.99), cpuMs }
}

const measureEnds = async (server: Server, sessions: Session[]): Promise<Heard> => {
  const ended = sessions.slice(0, endedSessions)
  const ms: number[] = []
  const cpuBefore = cpuSeconds(server.pid)
  for (const { token, clients } of ended) {
    const heard = Promise.all(clients.map((client) => client.next('end')))
    const begun = performance.now()
    const headers = { authorization: `Bearer ${token}` }
    await call(server.url, `${api}/auth/logout`, { method: 'POST', headers })
    ms.push(...(await heard).map((moment) => moment - begun))
  }
  const cpuMs = ((cpuSeconds(server.pid) - cpuBefore) * 1000) / ended.length
  const change = 'a session ends by its logout; mean of the CPU'
  return {
    change,
    clients: ended[0]?.clients.length ?? 0,
    p50Ms: quantile(ms, 0.5),
    p99Ms: quantile(ms, 0.99),
    cpuMs,
  }
}

const clientsOf = ({ sessions }: Tenant): Client[] => sessions.flatMap(({ clients }) => clients)

const notifyOne = async (url: string, { admin, sessions: [one] }: Tenant): Promise<Change> => {
  if (!one) throw new Error('the tenant has no session')
  const headers = { authorization: `Bearer ${one.token}` }
  const profile = await call(url, `${api}/profile`, { headers })
  const note = { user_id: profile.json.data.id, title: 'Hello' }
  const request = () => post(admin, '/notifications', note)
  return { change: 'a notification of one user', event: 'notification', clients: one.clients, request }
}

const notifyAll = async (tenant: Tenant): Promise<Change> => {
  const { id } = await post(tenant.admin, '/notifications/broadcasts', { title: 'To all' })
  const request = () => post(tenant.admin, `/notifications/broadcasts/${id}/batches`, {})
  return { change: 'a broadcast in one tenant', event: 'notification', clients: clientsOf(tenant), request }
}

const changeRole = async (tenant: Tenant): Promise<Change> => {
  const { id } = await post(tenant.admin, '/rbac/roles', { name: 'heard' })
  const request = () => put(tenant.admin, `/rbac/roles/${id}/permissions`, { permission_ids: [1] })
  return { change: 'the permissions of a role', event: 'authority', clients: clientsOf(tenant), request }
}

const measureChanges = async (server: Server, tenants: Tenant[]): Promise<Heard[]> => {
  const [first, second, third] = tenants
  if (!first || !second || !third) throw new Error('there are less than three tenants')
  return [
    await measureHeard(server, await notifyOne(server.url, first)),
    await measureHeard(server, await notifyAll(second)),
    await measureHeard(server, await changeRole(third)),
    await measureEnds(server, first.sessions),
  ]
}

type Measured = Omit<StreamsResults, 'date' | 'machine' | 'versions' | 'plan'>

const measureAll = async (stores: Stores, plan: Plan): Promise<Measured> => {
  const env = { DATABASE_URL: await stores.createDatabase('streams'), REDIS_URL: stores.redisUrl }
  const server = await startTenantry({ ...env, ...adminEnv, TENANTRY_BCRYPT_COST: '4' })
  const tenants: Tenant[] = []
  try {
    const root = await asCaller(server.url, rootEmail)
    for (const number of times(plan.tenants)) {
      progress(`tenant ${number + 1} of ${plan.tenants}`)
      tenants.push(await fillTenant(root, number, plan.sessions))
    }
    // One after the other: the memory of the preparation is given back first.
    await sleep(5000)
    progress('nothing happens, without streams')
    const restingCores = await coresOf(server, plan.seconds)
    const beforeMB = residentMB(server.pid)
    progress(`opening ${streamsOf(plan)} streams`)
    await openAll(server.url, tenants, plan.streams)
    await sleep(5000)
    progress('nothing happens, with all streams')
    const openCores = await coresOf(server, plan.seconds)
    const openMB = residentMB(server.pid)
    progress('changes')
    return { beforeMB, openMB, restingCores, openCores, heard: await measureChanges(server, tenants) }
  } finally {
    for (const client of tenants.flatMap(clientsOf)) client.close()
    await server.stop()
  }
}

await runBench<Plan, Own<StreamsResults>>({
  name: 'streams',
  command: new Command()
    .description(
      'measure the live stream: memory and processor time of open streams, and the time until they hear',
    )
    .option('--tenants <count>', 'tenants, at least three', wholeNumber, 5)
    .option('--sessions <count>', 'sessions of each tenant', wholeNumber, 200)
    .option('--streams <count>', 'streams of each session, at most five', wholeNumber, 5)
    .option('--seconds <count>', 'length of the measurements in which nothing happens', wholeNumber, 30),
  measure: async (stores, plan) => ({ plan, ...(await measureAll(stores, plan)) }),
  report: streamsReport,
  judge: judgeStreams,
})
