import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  call,
  roundOf,
  roundsOfCaller,
  startServer,
  type Contender,
  type Round,
  type Server,
} from '../contender.ts'
import { quantile } from '../figures.ts'
import { seed } from '../operations.ts'
import { run } from '../process.ts'
import type { Seeded } from './tenantry.ts'

const program = fileURLToPath(new URL('../floor.ts', import.meta.url))
const bcryptProgram = fileURLToPath(new URL('../pure-bcrypt.ts', import.meta.url))

const session = async (url: string) => (await call(url, '/session', {})).json.data

const roundsOf = (server: Server, { userIds }: Seeded): Contender['rounds'] => {
  const { url } = server
  const { sending, reading } = roundsOfCaller(server, async () => ({
    authorization: `Bearer ${(await session(url)).access_token}`,
  }))
  return {
    ping: reading('/ping'),
    profile: reading('/profile'),
    unread: reading('/unread'),
    user: reading(...userIds.map((id) => `/user?id=${id}`)),
    users: reading(`/users?search=${seed.keyword}`),
    roles: reading('/roles'),
    audit: reading('/audit'),
    setting: sending([{ method: 'PUT', path: '/setting?key=setting.2', body: { value: 'changed {n}' } }]),
    refresh: roundOf(server, async (connections) => {
      const pairs = await Promise.all(Array.from({ length: connections + 1 }, () => session(url)))
      return {
        requests: [{ method: 'POST', path: '/refresh', body: { refresh_token: '{token}' } }],
        tokens: pairs.map(({ refresh_token: token }) => token as string),
      }
    }),
  }
}

/** The floor (../floor.ts), on the rows of Tenantry. */
export const openFloor = async (databaseUrl: string, seeded: Seeded): Promise<Contender> => {
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
  return { name: 'floor', rounds: roundsOf(server, seeded), launch, stop: () => server.stop() }
}

interface Hashed {
  perSecond: number
  delays: number[]
  cpuMicros: number
}

const bcryptRound =
  (cost: number, slots: number): Round =>
  async ({ seconds }) => {
    const args = [bcryptProgram, String(cost), String(slots), String(seconds)]
    const { delays, ...figures } = JSON.parse(await run({ program: process.execPath, args })) as Hashed
    const [p50Ms, p99Ms] = [quantile(delays, 0.5), quantile(delays, 0.99)]
    return { ...figures, p50Ms, p99Ms, failures: 0, residentMiB: 0 }
  }

/** Nothing but hashes, on all cores. */
export const pureBcrypt = (cost: number): Contender => {
  const round = bcryptRound(cost, availableParallelism())
  return { name: 'bcrypt', rounds: { login: round, create: round }, launch: undefined, stop: async () => {} }
}
