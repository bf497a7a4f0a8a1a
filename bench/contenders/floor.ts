import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  call,
  refreshing,
  roundsOfCaller,
  settingChanges,
  settle,
  startServer,
  type Contender,
  type Round,
  type Server,
} from '../contender.ts'
import { quantile } from '../figures.ts'
import { seed, usersInTurn } from '../operations.ts'
import { run } from '../../lab/processes.ts'
import { query } from '../../lab/databases.ts'
import type { Seeded } from './tenantry.ts'

const program = fileURLToPath(new URL('../floor.ts', import.meta.url))
const bcryptProgram = fileURLToPath(new URL('../pure-bcrypt.ts', import.meta.url))

const session = async (url: string): Promise<{ access_token: string; refresh_token: string }> =>
  (await call(url, '/session', {})).json.data

const roundsOf = (server: Server, { userIds }: Seeded): Contender['rounds'] => {
  const { url } = server
  const { sending, reading } = roundsOfCaller(server, async () => ({
    authorization: `Bearer ${(await session(url)).access_token}`,
  }))
  return {
    ping: reading('/ping'),
    profile: reading('/profile'),
    unread: reading('/unread'),
    user: reading(...userIds.slice(0, usersInTurn).map((id) => `/user?id=${id}`)),
    users: reading(`/users?search=${seed.keyword}`),
    roles: reading('/roles'),
    audit: reading('/audit'),
    setting: sending([{ method: 'PUT', path: '/setting?key=setting.2', body: { value: 'changed {n}' } }]),
    settings: sending(settingChanges((key) => `/setting?key=${key}`)),
    refresh: refreshing(
      server,
      { method: 'POST', path: '/refresh', body: { refresh_token: '{token}' } },
      () => session(url),
    ),
  }
}

/** Drops the indexes of the audit log that only Tenantry needs. */
const bareAudit = `
  do $$ declare one regclass; begin
    for one in select indexrelid from pg_index where indrelid = 'audit_logs'::regclass and not indisprimary loop
      execute format('drop index %s', one);
    end loop;
  end $$`

/** The floor (../floor.ts) on a copy of Tenantry's database. */
export const openFloor = async (databaseUrl: string, seeded: Seeded): Promise<Contender> => {
  await query(databaseUrl, bareAudit)
  const launch = () =>
    startServer(
      (port) => ({
        program: process.execPath,
        args: [program],
        env: {
          PORT: String(port),
          DATABASE_URL: databaseUrl,
          TENANT_ID: seeded.tenantId,
          USER_ID: String(seeded.callerId),
        },
      }),
      '/health',
    )
  const server = await launch()
  return {
    name: 'floor',
    rounds: roundsOf(server, seeded),
    launch,
    settle: () => settle(server.pid),
    stop: () => server.stop(),
  }
}

interface Hashed {
  perSecond: number
  delays: number[]
  cpuMicros: number
}

const bcryptRound = (cost: number, slots: number): Round => ({
  prepare: async () => ({ requests: [] }),
  async run(_load, { seconds }) {
    const args = [bcryptProgram, String(cost), String(slots), String(seconds)]
    const env = { UV_THREADPOOL_SIZE: String(slots) } // Node has four threads otherwise, on any number of cores
    const { delays, ...figures } = JSON.parse(await run({ program: process.execPath, args, env })) as Hashed
    const [p50Ms, p99Ms] = [quantile(delays, 0.5), quantile(delays, 0.99)]
    return { ...figures, p50Ms, p99Ms, failures: 0, residentMB: 0 }
  },
  ask: async () => undefined,
})

const nothing = async () => {}

/** Hashes with bcrypt on all cores and does nothing else. */
export const pureBcrypt = (cost: number): Contender => {
  const round = bcryptRound(cost, availableParallelism())
  return {
    name: 'bcrypt',
    rounds: { login: round, create: round },
    launch: undefined,
    settle: nothing,
    stop: nothing,
  }
}
