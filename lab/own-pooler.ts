import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { query } from './databases.ts'
import type { OwnPostgres } from './own-postgres.ts'
import { makeFolder, OwnServer } from './own-server.ts'
import { findProgram, freePort } from './processes.ts'

/** Starts PgBouncer in transaction mode. Its clients share `connections` connections to PostgreSQL. */
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
  const server = new OwnServer({ path, args: [config], folder, port, ask: () => query(url, 'select 1') })
  return Object.assign(server, { url })
}
