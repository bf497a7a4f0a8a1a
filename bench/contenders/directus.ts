import {
  call,
  refreshing,
  roundsOfCaller,
  settle,
  startServer,
  type Contender,
  type PeerFolder,
  type Server,
} from '../contender.ts'
import { email, seed, usersInTurn } from '../operations.ts'
import { run, type Command } from '../../lab/processes.ts'
import { query } from '../../lab/databases.ts'

const rootEmail = 'root@example.com'
const [adminRole, adminPolicy, memberRole] = [
  '00000000-0000-4000-8000-00000000000a',
  '00000000-0000-4000-8000-00000000000b',
  '00000000-0000-4000-8000-00000000000c',
]

/** The caller may change users and settings and read the rest, without being an administrator of Directus. */
const allowed = [
  ['directus_users', 'read'],
  ['directus_users', 'update'],
  ['directus_roles', 'read'],
  ['directus_policies', 'read'],
  ['directus_permissions', 'read'],
  ['directus_access', 'read'],
  ['directus_activity', 'read'],
  ['directus_notifications', 'read'],
  ['directus_settings', 'read'],
  ['directus_settings', 'update'],
]

const name = `'user' || lpad(n::text, 5, '0')`
const password = `(select password from directus_users where email = '${rootEmail}')`
const policyOf = (n: string) => `('10000000-0000-4000-8000-' || lpad(${n}::text, 12, '0'))::uuid`
type Statement = [text: string, values: unknown[]]

const authorityRows: Statement[] = [
  [`insert into directus_roles (id, name) values ($1, 'admin'), ($2, 'member')`, [adminRole, memberRole]],
  [
    `insert into directus_roles (id, name, description)
       select ${policyOf('n')}, 'Role ' || n, 'one of many' from generate_series(1, $1::int) n`,
    [seed.roles],
  ],
  [
    `insert into directus_policies (id, name, admin_access, app_access) values ($1, 'admin', false, false)`,
    [adminPolicy],
  ],
  [
    `insert into directus_policies (id, name, admin_access, app_access)
       select ${policyOf('n')}, 'Policy ' || n, false, false from generate_series(1, $1::int) n`,
    [seed.roles],
  ],
  [
    `insert into directus_access (id, role, policy) values (gen_random_uuid(), $1, $2)`,
    [adminRole, adminPolicy],
  ],
  [
    `insert into directus_access (id, role, policy)
       select gen_random_uuid(), ${policyOf('n')}, ${policyOf('n')} from generate_series(1, $1::int) n`,
    [seed.roles],
  ],
  [
    `insert into directus_permissions (policy, collection, action, permissions, fields)
       select $1, p->>0, p->>1, '{}', '*' from json_array_elements($2::json) p`,
    [adminPolicy, JSON.stringify(allowed)],
  ],
  [
    `insert into directus_permissions (policy, collection, action, permissions, fields)
       select ${policyOf('n')}, p->>0, p->>1, '{}', '*'
       from generate_series(1, $1::int) n, json_array_elements($2::json) p`,
    [seed.roles, JSON.stringify(allowed.slice(0, seed.permissionsOfRole))],
  ],
]
const contentRows: Statement[] = [
  [
    `insert into directus_users (id, first_name, email, password, status, role, provider)
       values (gen_random_uuid(), 'caller', $1, ${password}, 'active', $2, 'default')`,
    [email('caller'), adminRole],
  ],
  [
    `insert into directus_users (id, first_name, email, password, status, role, provider)
       select gen_random_uuid(), ${name}, ${name} || '@example.com', ${password}, 'active', $1, 'default'
       from generate_series(0, $2::int - 1) n`,
    [memberRole, seed.users],
  ],
  [
    `insert into directus_activity (action, "user", ip, user_agent, collection, item)
       select 'update', (select id from directus_users where email = $1), '127.0.0.1', 'seed', 'directus_users', n::text
       from generate_series(1, $2::int) n`,
    [email('caller'), seed.auditRecords],
  ],
  [
    `insert into directus_notifications (status, recipient, subject, message)
       select case when n % 2 = 0 then 'archived' else 'inbox' end,
         (select id from directus_users where email = $1), 'Notice ' || n, 'something happened'
       from generate_series(1, $2::int) n`,
    [email('caller'), seed.notifications],
  ],
  ['vacuum analyze', []],
]
const seedRows = async (databaseUrl: string): Promise<void> => {
  for (const [text, values] of [...authorityRows, ...contentRows]) await query(databaseUrl, text, values)
}

const signIn = async (url: string) =>
  (
    await call(url, '/auth/login', {
      method: 'POST',
      body: { email: email('caller'), password: seed.password },
    })
  ).json.data as { access_token: string; refresh_token: string }

const firstUsers = async (databaseUrl: string): Promise<string[]> => {
  const text = 'select id from directus_users where role = $1 order by email limit $2'
  const { rows } = await query(databaseUrl, text, [memberRole, usersInTurn])
  return rows.map(({ id }: { id: string }) => id)
}

const paths = {
  users: `/users?search=${seed.keyword}&limit=20&page=1&sort=email&meta=filter_count`,
  roles: '/roles?fields=id,name,description,policies.policy.permissions.*',
  audit: '/activity?sort=-id&limit=20&page=1&meta=filter_count',
  unread: '/notifications?aggregate[count]=*&filter[status][_eq]=inbox',
}

const roundsOf = (server: Server, userIds: string[]): Contender['rounds'] => {
  const { url } = server
  const { sending, reading } = roundsOfCaller(server, async () => ({
    authorization: `Bearer ${(await signIn(url)).access_token}`,
  }))
  return {
    profile: reading('/users/me'),
    unread: reading(paths.unread),
    user: reading(...userIds.map((id) => `/users/${id}`)),
    users: reading(paths.users),
    roles: reading(paths.roles),
    audit: reading(paths.audit),
    setting: sending([{ method: 'PATCH', path: '/settings', body: { project_descriptor: 'changed {n}' } }]),
    refresh: refreshing(
      server,
      { method: 'POST', path: '/auth/refresh', body: { refresh_token: '{token}', mode: 'json' } },
      () => signIn(url),
    ),
  }
}

/** Directus on PostgreSQL, seeded, with the data cache in Redis as its documentation configures it. */
export const openDirectus = async ({ path, stores }: PeerFolder): Promise<Contender> => {
  const databaseUrl = await stores.createDatabase('directus')
  const command = (port: number, what: string): Command => ({
    program: `${path}/node_modules/.bin/node`, // Node 22, as in the image of Directus: one of its dependencies does not build on 26
    args: ['node_modules/directus/cli.js', what],
    cwd: path,
    env: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      SECRET: 'a secret for the measurement only',
      LOG_LEVEL: 'warn',
      DB_CLIENT: 'pg',
      DB_CONNECTION_STRING: databaseUrl,
      REDIS: stores.redisUrl,
      CACHE_ENABLED: 'true',
      CACHE_AUTO_PURGE: 'true',
      CACHE_STORE: 'redis',
      ADMIN_EMAIL: rootEmail,
      ADMIN_PASSWORD: seed.password,
      TELEMETRY: 'false',
      PRESSURE_LIMITER_ENABLED: 'false',
    },
  })
  await run(command(0, 'bootstrap'))
  await seedRows(databaseUrl)
  const launch = () => startServer((port) => command(port, 'start'), '/server/ping')
  const server = await launch()
  const userIds = await firstUsers(databaseUrl)
  return {
    name: 'Directus',
    rounds: roundsOf(server, userIds),
    launch,
    settle: () => settle(server.pid),
    stop: () => server.stop(),
  }
}
