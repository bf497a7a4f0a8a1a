import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from './client.ts'
import { inspectDatabase } from './inspect.ts'
import type { TestDatabase } from '../../test/test-database.ts'
import { query } from '../../../lab/databases.ts'
import { createTestDatabase, onPostgres } from '../../test/test-database.ts'
import { startTcpProxy, type TcpProxy } from '../../test/tcp-proxy.ts'
import { endsWithin, eventually } from '../../test/waits.ts'

describe.runIf(onPostgres)('several hosts in DATABASE_URL', () => {
  let database: TestDatabase
  let first: TcpProxy
  let second: TcpProxy
  let store: Store | undefined

  beforeEach(async () => {
    database = await createTestDatabase()
    const { port, hostname } = new URL(database.config.databaseUrl ?? '')
    first = await startTcpProxy(Number(port || 5432), hostname)
    second = await startTcpProxy(Number(port || 5432), hostname)
  })
  afterEach(async () => {
    await store?.close()
    store = undefined
    first.close()
    second.close()
    await database.remove()
  })

  /** The address of the test database at these ports of this machine. */
  const addressOver = (...ports: number[]) => {
    const { username, password, pathname } = new URL(database.config.databaseUrl ?? '')
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
    const login = `${username}:${password || 'unused-password'}`
    return `postgres://${login}@${hosts}${pathname}?target_session_attrs=read-write`
  }
  const open = async (...ports: number[]) => {
    store = await database.open({ databaseUrl: addressOver(...ports) })
    return store
  }
  const read = (from: Store) =>
    from.scoped({ tenantId: randomUUID() }).one<{ n: number }>(sql`select count(*) as n from notes`)
  const write = (to: Store) => {
    const tenantId = randomUUID()
    const insert = sql`insert into notes (tenant_id, body) values (${tenantId}, 'x')`
    return to.transaction({ tenantId }, (db) => db.run(insert))
  }
  const outcome = (call: Promise<unknown>) => call.then(() => 'fine', String)

  test('the first host that takes writes is used, at any position in the list', async () => {
    first.cut()
    for (const ports of [
      [first.port, second.port],
      [second.port, first.port],
    ]) {
      const opened = await open(...ports)
      expect(await read(opened)).toEqual({ n: 0 })
      expect(await opened.ping()).toBe('up')
      await opened.close()
    }
  })

  test('reads, writes and probes continue at another host when the one in use is cut off', async () => {
    const opened = await open(first.port, second.port)
    await Promise.all([read(opened), write(opened)])
    first.cut()
    await eventually(async () => {
      const outcomes = [outcome(read(opened)), outcome(write(opened)), opened.ping()]
      expect(await Promise.all(outcomes)).toEqual(['fine', 'fine', 'up'])
    })
  })

  test('calls that hang at a frozen host are cut as soon as another host is known to be the primary', async () => {
    const opened = await open(first.port, second.port)
    await Promise.all([read(opened), write(opened)])
    first.freeze()
    const hung = Promise.all([outcome(read(opened)), outcome(write(opened))])
    // This is less than the 4.2 s that a call can take.
    expect(await endsWithin(3000, () => hung)).toBe(true)
    expect(await hung).toEqual([
      expect.stringMatching(/^DatabaseUnavailable/),
      expect.stringMatching(/^DatabaseUnavailable/),
    ])
    expect(await Promise.all([outcome(read(opened)), outcome(write(opened))])).toEqual(['fine', 'fine'])
  })

  test('servers that take no writes are passed over, and the error says why of each without a password', async () => {
    await (await open(second.port)).close()
    const { databaseUrl = '' } = database.config
    await query(
      databaseUrl,
      `alter database ${new URL(databaseUrl).pathname.slice(1)} set default_transaction_read_only = on`,
    )
    first.cut()
    const messages = [
      await outcome(open(first.port, second.port)),
      await outcome(
        inspectDatabase({ ...database.config, databaseUrl: addressOver(first.port, second.port) }),
      ),
    ]
    for (const message of messages) {
      expect(message).toContain(`127.0.0.1:${first.port}: `)
      expect(message).toContain(`ECONNREFUSED`)
      expect(message).toContain(`127.0.0.1:${second.port}: read-only`)
      expect(message).not.toContain('password')
    }
  })
})
