import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { OwnPostgres } from './own-postgres.ts'
import { makeFolder, OwnServer } from './own-server.ts'
import { findProgram, freePort } from './processes.ts'

const ask = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
  } finally {
    await client.end().catch(() => {})
  }
}

/** Starts PgBouncer in transaction mode; all its clients share this many connections to PostgreSQL. */
export const ownPooler = async (
  postgres: OwnPostgres,
  connections: number,
): Promise<OwnServer & { url: string }> => {
  const path = findProgram('pgbouncer', 'pgbouncer')
  const port = await freePort()
  const folder = makeFolder('pooler')
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'users.txt'), '"postgres" ""\n', { mode: 0o644 })
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${postgres.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(folder, 'users.txt')}`,
    'pool_mode = transaction',
    `default_pool_size = ${connections}`,
    'max_client_conn = 200',
  ]
  writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o644 })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const server = new OwnServer({ path, args: [config], folder, port, ask: () => ask(url) })
  return Object.assign(server, { url })
}
