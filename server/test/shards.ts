/**
 * On Citus: the statements that go to several shards, and so to every node. The coordinator says so in a notice without
 * a text. The driver is therefore watched for the statement that it was running.
 */
import pg from 'pg'
import { builtInTenant } from '../src/access/permissions.ts'
import { startTcpProxy } from './tcp-proxy.ts'
import { query } from '../../lab/databases.ts'

/** The statements of requests that ask every shard, each by a piece of its text: they look beyond one tenant. */
const beyondTenants: Record<string, RegExp> = {
  deleteAccountRows: /^with kept as /,
  deleteSessionRowsOfAccount: /^delete from sessions where account_id = \$1 and id::text <> /,
  selectEndedSessions: /^select open.id from unnest/,
  selectHighestNumber: /^select max\(number\) /,
  selectInheritance: /^select s.tenant_id, s.sign_in_id, /,
  selectLivingUserOfAccount: /^select u.id from users u join tenants t .* where u.account_id = \$1/,
  selectMemberships: /^select t.id as tenant_id, t.name, t.slug, /,
  selectSessionsOfAccount: /^select s.id, s.tenant_id, .* where s.account_id = \$1/,
  selectTenantsOfAccount: /^select t.deleted_at is null as is_living /,
  selectTenantsWithRole: /^select t.id from roles r /,
  selectUserOfAccount: /^select u.tenant_id, u.id as user_id, u.username, u.status, /,
  selectUsersOfAccount: /^select u.tenant_id, u.id as user_id, u.username from /,
}

const option = '-c citus.multi_task_query_log_level=notice -c plan_cache_mode=force_custom_plan'

/**
 * The address with which the coordinator tells what goes to several shards. A generic plan, which PostgreSQL makes to
 * compare its cost, names all shards and does not run: so it makes none.
 */
export const tellingShards = (databaseUrl: string): string => {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', option)
  return url.href
}

/** A batch that the driver is running: its statements, and how many of them have ended (db/batch.ts). */
interface Running {
  statements?: { text: string }[]
  completed: number
}

interface Driver {
  connectionParameters: { options?: string }
  query: (...args: unknown[]) => unknown
  on: (event: 'notice', heard: (notice: { message?: string }) => void) => void
  _getActiveQuery: () => Running | undefined
}

const nameOf = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return Object.entries(beyondTenants).find(([, piece]) => piece.test(line))?.[0] ?? line
}

/**
 * Watches all clients that are told from now on. The function that it returns names the statements that went to
 * several shards since, or gives the text of one that is not listed.
 */
export const watchShards = (): (() => string[]) => {
  const names = new Set<string>()
  const watched = new WeakSet<Driver>()
  const driver = pg.Client.prototype as unknown as Driver
  const { query: own } = driver
  driver.query = function watchedQuery(this: Driver, ...args: unknown[]) {
    if (this.connectionParameters.options === option && !watched.has(this)) {
      watched.add(this)
      this.on('notice', ({ message }) => {
        const { statements, completed } = this._getActiveQuery() ?? { completed: 0 }
        const text = statements?.[completed]?.text
        if (text !== undefined && message?.startsWith('multi-task query')) names.add(nameOf(text))
      })
    }
    return own.apply(this, args)
  }
  return () => {
    driver.query = own
    return [...names].toSorted()
  }
}

/** The names of the list. */
export const listedStatements = Object.keys(beyondTenants).toSorted()

/**
 * The endpoints that get 503 while any node is away. They write a table that lies on every node, or ask every node for the
 * rows of a person (docs/scaling.md).
 */
export const overAllNodes: string[] = [
  'POST /auth/register',
  'POST /auth/login',
  'POST /auth/password/forgot',
  'POST /auth/password/reset',
  'POST /auth/invitations/lookup',
  'POST /auth/invitations/accept',
  'POST /auth/sign-up',
  'POST /auth/sign-up/lookup',
  'POST /auth/sign-up/confirm',
  'POST /auth/organizations',
  'POST /auth/email/verify',
  'POST /auth/email/verification',
  'POST /auth/email',
  'POST /password',
  'GET /auth/sessions',
  'DELETE /auth/sessions',
  'GET /auth/memberships',
  'POST /auth/switch',
  'DELETE /auth/memberships/:tenantId',
  'POST /auth/account/delete',
  'POST /auth/factors/totp',
  'POST /auth/factors/totp/:id/confirm',
  'POST /auth/factors/passkey/options',
  'POST /auth/factors/passkey',
  'POST /auth/factors/:id/remove',
  'POST /auth/factors/recovery-codes',
  'POST /auth/login/factor',
  'POST /auth/passkey/options',
  'POST /auth/passkey',
  'POST /users',
  'DELETE /users/:id',
  'DELETE /users/:id/factors',
  'DELETE /users/:id/factors/:factorId',
  'POST /users/:id/password-reset',
  'POST /invitations',
  'POST /invitations/:id/resend',
  'DELETE /invitations/:id',
  'POST /webhooks',
  'DELETE /webhooks/:id',
  'POST /webhooks/:id/secret',
  'POST /org/tenants',
  'PUT /org/tenants/:id',
  'DELETE /org/tenants/:id',
  'POST /rbac/permissions',
  'PUT /rbac/permissions/:id',
  'DELETE /rbac/permissions/:id',
  'POST /rbac/role-templates',
  'PUT /rbac/role-templates/:id',
  'DELETE /rbac/role-templates/:id',
  'PUT /settings/global/:key',
  'DELETE /settings/global/:key',
]

/** A worker behind a proxy, which does not hold the built-in tenant. */
export interface BorderNode {
  /** Whether the rows of a tenant lie there. */
  has(tenantId: string): Promise<boolean>
  leave(): void
  comeBack(): Promise<void>
}

/** Puts a proxy between the coordinator and one worker of a database. */
export const borderNode = async (databaseUrl: string): Promise<BorderNode> => {
  const nodeOf = async (tenantId: string): Promise<number> => {
    const { rows } = await query(
      databaseUrl,
      `select n.nodeid from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
       where p.shardid = get_shard_id_for_distribution_column('users', '${tenantId}')`,
    )
    return rows[0].nodeid as number
  }
  const home = await nodeOf(builtInTenant.id)
  const { rows } = await query(
    databaseUrl,
    `select nodeid, nodename, nodeport from pg_dist_node where groupid > 0 and nodeid <> ${home}`,
  )
  const { nodeid, nodename, nodeport } = rows[0]
  const proxy = await startTcpProxy(nodeport, nodename)
  const place = (host: string, port: number) =>
    query(databaseUrl, `select citus_update_node(${nodeid}, '${host}', ${port})`)
  await place('127.0.0.1', proxy.port)
  return {
    has: async (tenantId) => (await nodeOf(tenantId)) === nodeid,
    leave: () => proxy.cut(),
    comeBack: async () => {
      await proxy.mend()
      await place(nodename, nodeport)
      proxy.close()
    },
  }
}
