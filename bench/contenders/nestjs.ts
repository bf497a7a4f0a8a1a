import { hash } from '@node-rs/bcrypt'
import {
  assignments,
  call,
  refreshing,
  roundOf,
  roundsOfCaller,
  settingChanges,
  settle,
  startServer,
  type Contender,
  type PeerFolder,
  type Server,
} from '../contender.ts'
import { email, seed, username, usersAssigned, usersInTurn } from '../operations.ts'
import type { Command } from '../../lab/processes.ts'
import { query } from '../../lab/databases.ts'

/** The database is empty, so these rows get the first ids. */
const callerId = 1
const tenantId = '00000000-0000-4000-8000-000000000001'
/** The first role after the three system roles. */
const roleId = 4
const permissions = ['user:read', 'user:create', 'role:read', 'role:assign', 'audit:read', 'setting:update']

type Statement = [text: string, values: unknown[]]

const authorityRows: Statement[] = [
  [`insert into tenants (id, name, slug) values ($1, 'Measured', 'measured')`, [tenantId]],
  [
    `insert into permissions (id, code, name, module, description)
       select n, coalesce(($1::text[])[n], 'other:' || n), 'Name', 'module', 'what it allows' from generate_series(1, $2::int) n`,
    [permissions, seed.permissionsOfRole],
  ],
  [
    `insert into roles ("tenantId", name, description, "isSystem")
       values ($1, 'admin', '', true), ($1, 'viewer', '', true), ($1, 'member', '', true)`,
    [tenantId],
  ],
  [
    `insert into roles ("tenantId", name, description)
       select $1, 'Role ' || n, 'one of many' from generate_series(1, $2::int) n`,
    [tenantId, seed.roles],
  ],
  [`insert into role_permissions select r.id, p.id from roles r, permissions p where r.name <> 'member'`, []],
]

const userRows = (passwordHash: string): Statement[] => [
  [
    `insert into users ("tenantId", username, email, "passwordHash") values ($1, 'caller', $2, $3)`,
    [tenantId, email('caller'), passwordHash],
  ],
  [
    `insert into users ("tenantId", username, email, "passwordHash")
       select $1, 'user' || lpad(n::text, 5, '0'), 'user' || lpad(n::text, 5, '0') || '@example.com', $2
       from generate_series(0, $3::int - 1) n`,
    [tenantId, passwordHash, seed.users],
  ],
  [
    `insert into user_roles select u.id, r.id from users u
       join roles r on r.name = case when u.id = $1 then 'admin' else 'member' end`,
    [callerId],
  ],
]

const contentRows: Statement[] = [
  [
    `insert into audit_logs ("tenantId", "userId", action, resource, "resourceId", detail, ip, "userAgent")
       select $1, $2, 'user.update', 'user', n::text, '{"nickname":{"from":"","to":"Ada"}}', '127.0.0.1', 'seed'
       from generate_series(1, $3::int) n`,
    [tenantId, callerId, seed.auditRecords],
  ],
  [
    `insert into notifications ("tenantId", "userId", title, content, "isRead")
       select $1, $2, 'Notice ' || n, 'something happened', n % 2 = 0 from generate_series(1, $3::int) n`,
    [tenantId, callerId, seed.notifications],
  ],
  [
    `insert into settings ("tenantId", key, value)
       select $1, 'setting.' || n, '"a value"' from generate_series(1, $2::int) n`,
    [tenantId, seed.settings],
  ],
  ['vacuum analyze', []],
]

const seedRows = async (databaseUrl: string, passwordHash: string): Promise<void> => {
  const statements = [...authorityRows, ...userRows(passwordHash), ...contentRows]
  for (const [text, values] of statements) await query(databaseUrl, text, values)
}

const signIn = async (url: string) =>
  (
    await call(url, '/auth/login', {
      method: 'POST',
      body: { email: email('caller'), password: seed.password },
    })
  ).json as { access_token: string; refresh_token: string }

const roundsOf = (server: Server, databaseUrl: string): Contender['rounds'] => {
  const { url } = server
  const { sending, reading } = roundsOfCaller(server, async () => ({
    authorization: `Bearer ${(await signIn(url)).access_token}`,
  }))
  const userIds = (count: number) => Array.from({ length: count }, (_none, number) => callerId + 1 + number)
  const login = { email: email(username(1)), password: seed.password }
  const newUser = { email: 'new{n}@example.com', username: 'new{n}', password: seed.password }
  return {
    ping: reading('/ping'),
    profile: reading('/profile'),
    unread: reading('/notifications/unread-count'),
    user: reading(...userIds(usersInTurn).map((id) => `/users/${id}`)),
    users: reading(`/users?search=${seed.keyword}`),
    roles: reading('/rbac/roles'),
    audit: reading('/audit/logs'),
    setting: sending([{ method: 'PUT', path: '/settings/tenant/setting.1', body: { value: 'changed {n}' } }]),
    settings: sending(settingChanges((key) => `/settings/tenant/${key}`)),
    assign: sending(assignments(userIds(usersAssigned), roleId), () =>
      query(databaseUrl, 'delete from user_roles where "rolesId" = $1', [roleId]),
    ),
    refresh: refreshing(
      server,
      { method: 'POST', path: '/auth/refresh', body: { refresh_token: '{token}' } },
      () => signIn(url),
    ),
    login: roundOf(server, async () => ({
      requests: [{ method: 'POST', path: '/auth/login', body: login }],
    })),
    create: sending([{ method: 'POST', path: '/users', body: newUser }]),
    'create-4': sending([{ method: 'POST', path: '/users', body: newUser }]),
  }
}

/** A backend as developers write it with NestJS and TypeORM (../peers/nestjs), seeded. */
export const openNestjs = async ({ path, stores, cost }: PeerFolder): Promise<Contender> => {
  const databaseUrl = await stores.createDatabase('nestjs')
  const command =
    (hashCost: number, env: Record<string, string> = {}) =>
    (port: number): Command => ({
      program: process.execPath,
      args: ['dist/main.js'],
      cwd: path,
      env: {
        NODE_ENV: 'production',
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        JWT_SECRET: 'a secret for the measurement only',
        BCRYPT_COST: String(hashCost),
        ...env,
      },
    })
  await (await startServer(command(cost, { SYNCHRONIZE: 'true' }), '/healthz')).stop()
  await seedRows(databaseUrl, await hash(seed.password, cost))
  const openWith = async (hashCost: number): Promise<Contender> => {
    const launch = () => startServer(command(hashCost), '/healthz')
    const server = await launch()
    return {
      name: 'NestJS',
      rounds: roundsOf(server, databaseUrl),
      launch,
      withCost: openWith,
      settle: () => settle(server.pid),
      stop: () => server.stop(),
    }
  }
  return openWith(cost)
}
