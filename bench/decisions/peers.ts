import { call, roundOf, settle, startServer, type Round, type Server } from '../contender.ts'
import { username } from '../operations.ts'
import { install } from '../peers.ts'
import type { Stores } from '../stores.ts'
import { named, questions } from './data.ts'

const asked = questions.map(({ user, permission }) => ({ user: username(user), permission }))

/** Sends each question over HTTP. */
export const overHttp = (server: Server, way: string): Round =>
  roundOf(server, async () => ({
    requests: asked.map((body) => ({ method: 'POST', path: `/${way}/check`, body })),
  }))

interface Looped {
  cpuMicros: number
  perSecond: number
}

/** The peer asks itself in a loop, without a request. */
export const inside = ({ url }: Server, way: string): Round => ({
  prepare: async () => ({ requests: [] }),
  async run(_load, { seconds }) {
    const request = { method: 'POST', body: { questions: asked, seconds } }
    const looped: Looped = (await call(url, `/${way}/loop`, request)).json
    return { ...looped, p50Ms: 0, p99Ms: 0, failures: 0, residentMB: 0 }
  },
  ask: async () => undefined,
})

/** Throws unless the peer answers every question as the data does. */
const expectAnswers = async ({ url }: Server, way: string): Promise<void> => {
  for (const [at, { isAllowed }] of questions.entries()) {
    const body = asked[at]
    const { allowed }: { allowed: boolean } = (await call(url, `/${way}/check`, { method: 'POST', body }))
      .json
    if (allowed !== isAllowed) throw new Error(`wrong answer to ${JSON.stringify(body)} by ${way}`)
  }
}

/** Installs and starts a peer of ../peers, and gives it the data. */
export const openDecider = async (
  name: 'casbin' | 'casl',
  stores: Stores,
  ways: string[],
): Promise<Server> => {
  const path = await install(name)
  const databaseUrl = await stores.createDatabase(name)
  const server = await startServer(
    (port) => ({
      program: process.execPath,
      args: ['server.ts'],
      cwd: path,
      env: { NODE_ENV: 'production', PORT: String(port), DATABASE_URL: databaseUrl },
    }),
    '/health',
  )
  try {
    await call(server.url, '/data', { method: 'PUT', body: named() })
    for (const way of ways) await expectAnswers(server, way)
    await settle(server.pid)
    return server
  } catch (err) {
    await server.stop()
    throw err
  }
}
