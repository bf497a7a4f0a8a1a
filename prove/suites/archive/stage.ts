import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ok, signIn, unique, type Answer, type Session } from '../../../lab/client.ts'
import { ownPostgres, type OwnPostgres } from '../../../lab/own-postgres.ts'
import { finish, start, type Finished } from '../../../lab/processes.ts'
import { startReplica, tenantry, type Replica } from '../../../lab/replica.ts'
import { refuteNothing } from '../../attack.ts'
import { commonEnv, type Target } from '../../target.ts'

/** An installation whose log is partitioned, with a server for its old partitions. */
export interface Stage {
  short: boolean
  here: OwnPostgres
  there: OwnPostgres
  env: Record<string, string>
  replica: Replica
  root: Session
  /** A tenant whose records were written long ago, but for a few. */
  tenantId: string
  /** Ids of records that were acknowledged before. */
  known: Set<number>
}

/** Records that were written long before the others, and are sealed by the service. */
const oldRecords = 3000

const seed = (tenantId: string): string => `
  insert into tenants (id, name, slug, created_at, updated_at) values ('${tenantId}', 'Old', 'old', now(), now());
  with added as (
    insert into audit_logs (tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
    select '${tenantId}', 0, 'setting.update', 'setting', 'k' || n, '{}', '', '', '', now() - interval '100 days'
    from generate_series(1, ${oldRecords}) n
    returning tenant_id, id)
  insert into audit_unsealed (tenant_id, id) select tenant_id, id from added`

export const command = (stage: Pick<Stage, 'env'>, ...args: string[]): Promise<Finished> =>
  finish(tenantry(['audit', ...args], stage.env))

/** Runs a command that has to succeed. */
export const must = async (stage: Pick<Stage, 'env'>, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await command(stage, ...args)
  if (code !== 0) throw new Error(`tenantry audit ${args.join(' ')} ends with ${code}: ${stderr}`)
  return stdout
}

const archiveName = 'old'
export const moveAll = ['move', '--before', '2100-01-01', '--to', archiveName]
export const moveBack = ['move', '--back', archiveName]

/** Starts a command, and kills it after a while. */
export const runAndKill = async (stage: Stage, args: string[], afterMs: number): Promise<void> => {
  const running = start(tenantry(['audit', ...args], stage.env))
  await Promise.race([running.exited, sleep(afterMs)])
  running.signal('SIGKILL')
  await running.exited
}

/** Waits until a statement gives no row at a server. */
export const untilNone = async (server: OwnPostgres, statement: string, what: string): Promise<void> => {
  for (let tries = 0; tries < 150; tries += 1) {
    if ((await server.query(statement)).length === 0) return
    await sleep(200)
  }
  throw new Error(`${what} after 30 seconds`)
}

export const sealed = ({ here }: Pick<Stage, 'here'>): Promise<void> =>
  untilNone(here, 'select from audit_unsealed limit 1', 'records wait to be sealed')

/** A request of the platform administrator in the tenant. */
export const call = (
  { root, tenantId }: Stage,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> => root.call(method, path, body, { tenant: tenantId, timeoutMs: 60_000 })

/** Writes records by the API. */
export const write = async (stage: Stage, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) {
    ok(await call(stage, 'PUT', '/settings/tenant/color', { value: Math.random() }))
  }
}

/** The ids in an export of the tenant, and the total of its list. */
const readIds = async (stage: Stage): Promise<{ ids: number[]; total: number }> => {
  const exported = await call(stage, 'GET', '/audit/export?format=ndjson')
  if (exported.status !== 200) throw new Error(`an export is answered ${exported.status}: ${exported.text}`)
  const ids = exported.text
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { id: number }).id)
  return { ids, total: ok(await call(stage, 'GET', '/audit/logs?page_size=1')).total }
}

/** Every record that was seen is there, once; the total is right, and the chain is sound. */
export const check = async (stage: Stage): Promise<number> => {
  const { ids, total } = await readIds(stage)
  const found = new Set(ids)
  const lost = [...stage.known].filter((id) => !found.has(id))
  refuteNothing([
    ...(found.size === ids.length ? [] : [`${ids.length - found.size} records are there twice`]),
    ...(lost.length === 0 ? [] : [`${lost.length} records are lost, ${lost[0]} first`]),
    ...(total === ids.length ? [] : [`the total is ${total}, and ${ids.length} records are exported`]),
  ])
  stage.known = found
  await must(stage, 'verify')
  return ids.length
}

/** Starts the service again: maintenance runs at once. */
export const restart = async (stage: Stage): Promise<void> => {
  await stage.replica.stop()
  stage.replica = await startReplica({ ...stage.env, PORT: new URL(stage.replica.url).port })
}

/** Owners as docs/scaling.md wants them: no superuser, and an archive that asks for passwords. */
const makeOwners = async (
  here: OwnPostgres,
  there: OwnPostgres,
): Promise<{ own: string; archive: string }> => {
  writeFileSync(
    join(there.folder, 'data', 'pg_hba.conf'),
    'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
  )
  await Promise.all([here.start(), there.start()])
  const password = unique('archive')
  const [own, archive] = ['tenantry_owner', 'archive_owner']
  for (const [server, role] of [
    [here, own],
    [there, archive],
  ] as const) {
    await server.query(`create role ${role} login createrole password '${password}'`)
    await server.query(`alter database postgres owner to ${role}`)
    await server.query(`alter schema public owner to ${role}`)
  }
  await here.query('create extension postgres_fdw')
  await here.query(`grant usage on foreign data wrapper postgres_fdw to ${own}`)
  return {
    own: here.url.replace('postgres@', `${own}@`),
    archive: there.url.replace('postgres@', `${archive}:${password}@`),
  }
}

const begin = async (short: boolean, here: OwnPostgres, there: OwnPostgres): Promise<Stage> => {
  const { own, archive } = await makeOwners(here, there)
  const env = { ...commonEnv, DATABASE_URL: own, TENANTRY_ARCHIVES: `${archiveName}=${archive}` }
  const replica = await startReplica(env)
  const root = await signIn(replica.url, env.TENANTRY_ADMIN_EMAIL, env.TENANTRY_ADMIN_PASSWORD)
  const stage = { short, here, there, env, replica, root, tenantId: randomUUID(), known: new Set<number>() }
  await here.query(seed(stage.tenantId))
  await sealed(stage)
  await must(stage, 'partition', '--width', '1000')
  await write(stage, 5)
  await sealed(stage)
  await check(stage)
  return stage
}

/** Runs `work` on an installation of its own. */
export const withStage = async ({ short }: Target, work: (stage: Stage) => Promise<void>): Promise<void> => {
  const [here, there] = [await ownPostgres(), await ownPostgres()]
  let stage: Stage | undefined
  try {
    stage = await begin(short, here, there)
    await work(stage)
  } finally {
    await stage?.replica.stop()
    await Promise.all([here.remove(), there.remove()])
  }
}
