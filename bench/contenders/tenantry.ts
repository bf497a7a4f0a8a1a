import { setTimeout as sleep } from 'node:timers/promises'
import {
  assignments,
  refreshing,
  roundOf,
  roundsOfCaller,
  settingChanges,
  settle,
  type Contender,
  type Round,
  type Sample,
  type Server,
} from '../contender.ts'
import { email, seed, username, usersAssigned, usersInTurn } from '../operations.ts'
import {
  adminEnv,
  api,
  asCaller,
  createTenant,
  get,
  post,
  put,
  rootEmail,
  signIn,
  startTenantry,
  type Caller,
} from '../service.ts'
import { query } from '../../lab/databases.ts'

export const callerName = 'caller'

/** The ids of the seeded rows; the floor reads the same ones. */
export interface Seeded {
  tenantId: string
  /** The caller of all operations, an administrator of the tenant. */
  callerId: number
  /** The first users, as many as any operation needs. */
  userIds: number[]
  /** The role that is assigned and taken back. */
  roleId: number
}

/** Creates the roles and resolves with the id of the last one. */
const createRoles = async (caller: Caller): Promise<number> => {
  const permissions: { id: number }[] = await get(caller, '/rbac/permissions')
  const ids = permissions.slice(0, seed.permissionsOfRole).map(({ id }) => id)
  let roleId = 0
  for (let number = 0; number < seed.roles; number++) {
    const { id } = await post(caller, '/rbac/roles', { name: `Role ${number}`, description: 'one of many' })
    await put(caller, `/rbac/roles/${id}/permissions`, { permission_ids: ids })
    roleId = id
  }
  return roleId
}

/** Inserts the many rows by SQL. */
const insertRows = async (databaseUrl: string, tenantId: string, callerId: number): Promise<number[]> => {
  const name = `'user' || lpad(n::text, 5, '0')`
  await query(
    databaseUrl,
    `with created as (
       insert into accounts (email, email_folded, password_hash)
       select ${name} || '@example.com', ${name} || '@example.com', a.password_hash
       from generate_series(0, $2::int - 1) n, (select password_hash from accounts where email = $3) a
       returning id, email)
     insert into users (tenant_id, account_id, email, username, username_folded, nickname, search_folded, created_at, updated_at)
     select $1, id, email, split_part(email, '@', 1), split_part(email, '@', 1), '',
       split_part(email, '@', 1) || E'\\n' || email || E'\\n', now(), now() from created order by email`,
    [tenantId, seed.users, email(callerName)],
  )
  await query(
    databaseUrl,
    `insert into user_roles (tenant_id, user_id, role_id)
     select u.tenant_id, u.id, m.id from users u join role_templates m on m.name = 'member'
     where u.tenant_id = $1 on conflict do nothing`,
    [tenantId],
  )
  await query(
    databaseUrl,
    `with recorded as (
       insert into audit_logs (tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
       select $1, $2, 'user.update', 'user', n::text, '{"nickname":{"from":"","to":"Ada"}}', '127.0.0.1', 'seed', md5(n::text), now()
       from generate_series(1, $3::int) n
       returning tenant_id, id)
     insert into audit_unsealed (tenant_id, id) select tenant_id, id from recorded`,
    [tenantId, callerId, seed.auditRecords],
  )
  await query(
    databaseUrl,
    `insert into notifications (tenant_id, user_id, title, content, is_read, created_at)
     select $1, $2, 'Notice ' || n, 'something happened', n % 2 = 0, now() from generate_series(1, $3::int) n`,
    [tenantId, callerId, seed.notifications],
  )
  await query(
    databaseUrl,
    `insert into tenant_settings (tenant_id, key, value, updated_at)
     select $1, 'setting.' || n, '"a value"', now() from generate_series(1, $2::int) n`,
    [tenantId, seed.settings],
  )
  const { rows } = await query(
    databaseUrl,
    'select id::int from users where tenant_id = $1 order by id limit $2',
    [tenantId, Math.max(usersInTurn, usersAssigned)],
  )
  return rows.map(({ id }: { id: number }) => id)
}

const seedTenant = async (url: string, databaseUrl: string): Promise<Seeded> => {
  const { id: tenantId, callerId } = await createTenant(
    await asCaller(url, rootEmail),
    'measured',
    callerName,
  )
  const roleId = await createRoles(await asCaller(url, email(callerName), tenantId))
  return { tenantId, callerId, userIds: await insertRows(databaseUrl, tenantId, callerId), roleId }
}

const sealing = { stepMs: 100, waitMs: 120_000 }

/** Waits until the background worker has sealed all audit records. Throws after two minutes. */
const awaitSeals = async (databaseUrl: string): Promise<void> => {
  const deadline = performance.now() + sealing.waitMs
  while ((await query(databaseUrl, 'select from audit_unsealed limit 1')).rowCount !== 0) {
    if (performance.now() > deadline) throw new Error('Tenantry does not seal its audit records')
    await sleep(sealing.stepMs)
  }
}

const loopDelay = /^nodejs_eventloop_lag_p99_seconds (\S+)/m

/** Reads the event loop's delay since the last read. */
const readLoopDelayMs = async (url: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(loopDelay.exec(text)?.[1]) * 1000
}

/** Adds the event loop's delay under load to the measurements of a round. */
const withLoopDelay = (url: string, round: Round): Round => ({
  ...round,
  async run(load, extent): Promise<Sample> {
    await readLoopDelayMs(url)
    const sampled = sleep(extent.seconds * 1000).then(() => readLoopDelayMs(url))
    const sample = await round.run(load, extent)
    return { ...sample, loopDelayMs: await sampled }
  },
})

const roundsOf = (
  server: Server,
  databaseUrl: string,
  { tenantId, userIds, roleId }: Seeded,
): Contender['rounds'] => {
  const { url } = server
  const headers = async () => (await asCaller(url, email(callerName), tenantId)).headers
  const { sending, reading } = roundsOfCaller(server, headers, api)
  const newUser = { email: 'new{n}@example.com', username: 'new{n}', password: seed.password }
  const login = { email: email(username(1)), password: seed.password }
  return {
    ping: reading('/ping'),
    profile: reading('/profile'),
    unread: reading('/notifications/unread-count'),
    user: reading(...userIds.slice(0, usersInTurn).map((id) => `/users/${id}`)),
    users: reading(`/users?search=${seed.keyword}`),
    roles: reading('/rbac/roles'),
    audit: reading('/audit/logs'),
    setting: sending([{ method: 'PUT', path: '/settings/tenant/setting.1', body: { value: 'changed {n}' } }]),
    settings: sending(settingChanges((key) => `/settings/tenant/${key}`)),
    assign: sending(assignments(userIds.slice(0, usersAssigned), roleId), () =>
      query(databaseUrl, 'delete from user_roles where role_id = $1', [roleId]),
    ),
    refresh: refreshing(
      server,
      { method: 'POST', path: `${api}/auth/refresh`, body: { refresh_token: '{token}' } },
      () => signIn(url, email(callerName)),
    ),
    login: withLoopDelay(
      url,
      roundOf(server, async () => ({
        requests: [{ method: 'POST', path: `${api}/auth/login`, body: login }],
      })),
    ),
    create: withLoopDelay(url, sending([{ method: 'POST', path: '/users', body: newUser }])),
    'create-4': sending([{ method: 'POST', path: '/users', body: newUser }]),
  }
}

/** Seeds a database through a service and stops it: no connection stays open and no record waits to be sealed. */
export const seedTenantry = async (env: Record<string, string>, databaseUrl: string): Promise<Seeded> => {
  const server = await startTenantry({ ...env, ...adminEnv })
  try {
    const seeded = await seedTenant(server.url, databaseUrl)
    await awaitSeals(databaseUrl)
    await query(databaseUrl, 'vacuum analyze')
    return seeded
  } finally {
    await server.stop()
  }
}

/** Tenantry on PostgreSQL and Redis, with seeded data. */
export const openTenantry = async (
  env: Record<string, string>,
  databaseUrl: string,
  seeded: Seeded,
): Promise<Contender> => {
  const launch = () => startTenantry(env)
  const server = await launch()
  return {
    name: 'Tenantry',
    rounds: roundsOf(server, databaseUrl, seeded),
    launch,
    withCost: (cost) => openTenantry({ ...env, TENANTRY_BCRYPT_COST: String(cost) }, databaseUrl, seeded),
    settle: async () => {
      await settle(server.pid)
      await awaitSeals(databaseUrl)
    },
    stop: () => server.stop(),
  }
}
