import {
  call,
  roundsOfCaller,
  settle,
  startServer,
  type Contender,
  type PeerFolder,
  type Server,
} from '../contender.ts'
import { email, seed, username, usersInTurn } from '../operations.ts'
import { run, type Command } from '../../lab/processes.ts'
import { query } from '../../lab/databases.ts'

const api = '/api/auth'
const organizationId = 'measured'

/** Each seeded role allows as many actions as at the other contenders. */
const permission = JSON.stringify({
  organization: ['update', 'delete'],
  member: ['create', 'update', 'delete'],
  invitation: ['create', 'cancel'],
  ac: ['read'],
})

const seedRows = async (databaseUrl: string): Promise<void> => {
  const name = `'user' || lpad(n::text, 5, '0')`
  const rows = `from generate_series(0, $1::int - 1) n`
  const statements: [text: string, values: unknown[]][] = [
    [`update "user" set role = 'admin'`, []],
    [
      `insert into "user" (id, name, email, "emailVerified", role)
       select ${name}, ${name}, ${name} || '@example.com', true, 'user' ${rows}`,
      [seed.users],
    ],
    [
      `insert into account (id, "accountId", "providerId", "userId", password, "updatedAt")
       select ${name}, ${name}, 'credential', ${name}, (select password from account limit 1), now() ${rows}`,
      [seed.users],
    ],
    [
      `insert into organization (id, name, slug, "createdAt") values ($1, 'Measured', 'measured', now())`,
      [organizationId],
    ],
    [
      `insert into member (id, "organizationId", "userId", role, "createdAt")
       select id, $1, id, case when role = 'admin' then 'owner' else 'member' end, now() from "user"`,
      [organizationId],
    ],
    [
      `insert into "organizationRole" (id, "organizationId", role, permission)
       select 'role' || n, $2, 'role' || n, $3 ${rows}`,
      [seed.roles, organizationId, permission],
    ],
    ['vacuum analyze', []],
  ]
  for (const [text, values] of statements) await query(databaseUrl, text, values)
}

/** Signs in and returns the session's cookies: valid for a week, with a copy of the session for five minutes. */
const signIn = async (url: string): Promise<string> => {
  const body = { email: email('caller'), password: seed.password }
  const { headers } = await call(url, `${api}/sign-in/email`, {
    method: 'POST',
    headers: { origin: url },
    body,
  })
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

const roundsOf = (server: Server): Contender['rounds'] => {
  const { url } = server
  const headers = async () => ({ cookie: await signIn(url), origin: url })
  const { reading } = roundsOfCaller(server, headers, api)
  const names = Array.from({ length: usersInTurn }, (_none, number) => username(number))
  const search = `searchField=email&searchOperator=contains&searchValue=${seed.keyword}&limit=20&sortBy=id`
  return {
    profile: reading('/get-session'),
    user: reading(...names.map((name) => `/admin/get-user?id=${name}`)),
    users: reading(`/admin/list-users?${search}`),
    roles: reading(`/organization/list-roles?organizationId=${organizationId}`),
  }
}

const secret = 'a secret of at least 32 characters, for the measurement only'

/** Better Auth on node:http (../peers/better-auth), seeded. */
export const openBetterAuth = async ({ path, stores }: PeerFolder): Promise<Contender> => {
  const databaseUrl = await stores.createDatabase('better_auth')
  const command = (port: number, ...args: string[]): Command => ({
    program: process.execPath,
    args: ['server.ts', ...args],
    cwd: path,
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      BETTER_AUTH_SECRET: secret,
    },
  })
  await run(command(0, 'migrate'))
  const launch = () => startServer((port) => command(port), `${api}/ok`)
  const server = await launch()
  const caller = { email: email('caller'), name: 'caller', password: seed.password }
  await call(server.url, `${api}/sign-up/email`, {
    method: 'POST',
    headers: { origin: server.url },
    body: caller,
  })
  await seedRows(databaseUrl)
  return {
    name: 'Better Auth',
    rounds: roundsOf(server),
    launch,
    settle: () => settle(server.pid),
    stop: () => server.stop(),
  }
}
