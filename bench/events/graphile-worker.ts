/** graphile-worker, which delivers the same requests from a table of jobs. */
import { startServer } from '../contender.ts'
import { install } from '../peers.ts'
import { query } from '../../lab/databases.ts'
import type { Stores } from '../stores.ts'
import type { Receiver, Sender } from './drain.ts'
import { hooksOfTenant, tenantsCount } from './tenantry.ts'

const hooks = tenantsCount * hooksOfTenant

/** $1 number of jobs, $2 number of hooks, $3 address of the receiver, $4 whether each hook has a queue of its own. */
const jobsText = `
  select count(graphile_worker.add_job('deliver', json_build_object(
      'url', $3::text || '/' || n % $2::int || '/hook', 'id', 'msg_' || md5(n::text) || left(md5(n::text), 11),
      'body', json_build_object(
        'type', 'user.update', 'timestamp', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'data', json_build_object(
          'id', n, 'tenant_id', gen_random_uuid(), 'user_id', 4711, 'action', 'user.update', 'resource', 'user',
          'resource_id', n::text, 'detail', '{"nickname":{"from":"","to":"Ada"}}'::json, 'ip', '192.0.2.' || n % 256,
          'user_agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          'trace_id', md5(n::text), 'created_at', '2026-01-01T00:00:00.000Z'))),
    queue_name => case when $4::boolean then 'hook-' || n % $2::int end))
  from generate_series(1, $1::int) n`

export type Mode = 'in order' | 'any order' | 'any order, batched'

export interface Peer {
  senderOf: (mode: Mode) => Sender
  stop: () => Promise<void>
}

/** Starts the process of the peer, which works once it is told to. */
export const openGraphileWorker = async (stores: Stores, receiver: Receiver): Promise<Peer> => {
  const path = await install('graphile-worker')
  const databaseUrl = await stores.createDatabase('graphile')
  const server = await startServer(
    (port) => ({
      program: process.execPath,
      args: [`${path}/worker.ts`],
      env: { PORT: String(port), DATABASE_URL: databaseUrl },
    }),
    '/healthz',
  )
  const tell = async (command: string): Promise<void> => {
    const answer = await fetch(`${server.url}${command}`)
    if (!answer.ok) throw new Error(await answer.text())
  }
  return {
    senderOf: (mode) => ({
      name: `graphile-worker, ${mode}`,
      pid: server.pid,
      databaseUrl,
      fill: async (deliveries) => {
        await query(databaseUrl, jobsText, [deliveries, hooks, receiver.url, mode === 'in order'])
        await query(databaseUrl, 'vacuum analyze')
      },
      begin: () => tell(`/begin?jobs=${hooks}&mode=${mode.endsWith('batched') ? 'batched' : 'plain'}`),
      end: () => tell('/end'),
    }),
    stop: () => server.stop(),
  }
}
