/** Statements of docs/scaling.md about Citus, by `npm run test:citus`: a tenant moves and is isolated while it is used. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { citusUrl, query } from '../../lab/databases.ts'
import type { Replica } from '../../lab/replica.ts'
import { ask, createStores, endAll, run, start, type Stores } from './programs.ts'

describe.runIf(citusUrl !== undefined)('on Citus', () => {
  let stores: Stores
  let program: Replica
  let caller: { token: string }
  let tenantId: string
  const url = () => stores.env['DATABASE_URL'] ?? ''

  beforeAll(async () => {
    stores = await createStores()
    program = await start(stores.env)
    const email = `${randomUUID()}@example.com`
    const { body } = await ask(program, 'POST /auth/register', {
      body: { email, username: 'ada', password: 'correct horse battery' },
    })
    caller = { token: body.data.access_token as string }
    tenantId = (await ask(program, 'GET /profile', caller)).body.data.tenant_id as string
  })
  afterAll(async () => {
    endAll()
    await stores.remove()
  })

  /** Writes and reads while `change` runs: the statuses of the writes, and whether each read saw the write before it. */
  const whileUsed = async (change: () => Promise<unknown>) => {
    const changed = { isOver: false }
    const done = change().finally(() => (changed.isOver = true))
    const statuses: number[] = []
    let stale = 0
    for (let value = 1; !changed.isOver || statuses.length < 20; value++) {
      const { status } = await ask(program, 'PUT /settings/tenant/color', { ...caller, body: { value } })
      statuses.push(status)
      const { body } = await ask(program, 'GET /settings/tenant/color', caller)
      if (status === 200 && body.data.value !== value) stale++
    }
    await done
    return { statuses: [...new Set(statuses)], stale }
  }

  const shardOf = async () => {
    const { rows } = await query(
      url(),
      `select shardid, nodename, nodeport from pg_dist_shard_placement
       where shardid = get_shard_id_for_distribution_column('users', '${tenantId}')`,
    )
    return rows[0] as { shardid: string; nodename: string; nodeport: number }
  }

  test('the tables of a tenant lie together on one worker, and the others on every node', async () => {
    const { rows } = await query(
      url(),
      `select count(distinct colocation_id)::int as groups, count(*)::int as tables from citus_tables where citus_table_type = 'distributed'`,
    )
    expect(rows[0]).toMatchObject({ groups: 1 })
    const found = await run(['doctor'], stores.env)
    expect(found.stdout).toContain(`citus: ${rows[0].tables} tables lie by tenant in 4 shards each`)
  })

  test('a tenant moves to another worker while it is used, and no write is lost', async () => {
    const { shardid, nodename, nodeport } = await shardOf()
    const { rows } = await query(
      url(),
      `select nodename, nodeport from pg_dist_node where groupid > 0 and nodeport <> ${nodeport}`,
    )
    const move = `select citus_move_shard_placement(${shardid}, '${nodename}', ${nodeport}, '${rows[0].nodename}', ${rows[0].nodeport},
      'force_logical')`
    expect(await whileUsed(() => query(url(), move))).toEqual({ statuses: [200], stale: 0 })
    expect((await shardOf()).nodeport).toBe(rows[0].nodeport)
  })

  test('a tenant gets shards of its own while it is used: writes wait or are refused, and none is lost', async () => {
    const before = await shardOf()
    const isolate = `select isolate_tenant_to_new_shard('users', '${tenantId}', 'CASCADE', 'block_writes')`
    const { statuses, stale } = await whileUsed(() => query(url(), isolate))
    // A write that waits for more than 4 s is refused.
    expect([statuses.filter((status) => status !== 200 && status !== 503), stale]).toEqual([[], 0])
    expect((await shardOf()).shardid).not.toBe(before.shardid)
  })

  test('the audit chain is whole afterwards', async () => {
    expect(await program.end('SIGTERM')).toBe(0)
    const verified = await run(['audit', 'verify'], stores.env)
    expect([verified.code, verified.stderr]).toEqual([0, ''])
  })
})
