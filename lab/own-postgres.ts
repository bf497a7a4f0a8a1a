import { join } from 'node:path'
import type { QueryResultRow } from 'pg'
import { query } from './databases.ts'
import { makeFolder, OwnServer, runProgram } from './own-server.ts'
import { findProgram, freePort } from './processes.ts'

/** A PostgreSQL that writes through to disk, as in production. */
export type OwnPostgres = OwnServer & {
  url: string
  /** Runs SQL as superuser. */
  query<Row extends QueryResultRow>(text: string): Promise<Row[]>
}

const postgresProgram = (name: string): string => findProgram(name, 'postgresql')

/** Settings of a small server with a standby. */
const small = {
  shared_buffers: '32MB',
  max_connections: '60',
  wal_level: 'replica',
  max_wal_senders: '4',
  hot_standby: 'on',
}

const own = { listen_addresses: '127.0.0.1', unix_socket_directories: '' }

const serve = (folder: string, port: number, settings: Record<string, string>): OwnPostgres => {
  const chosen = Object.entries({ ...own, ...settings, port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const args = ['-D', join(folder, 'data'), ...chosen]
  const ask = () => query(url, 'select 1')
  const server = new OwnServer({ path: postgresProgram('postgres'), args, folder, port, ask })
  return Object.assign(server, {
    url,
    query: async <Row extends QueryResultRow>(text: string) => (await query<Row>(url, text)).rows,
  })
}

/** Makes a server with these settings. `{}` selects the defaults of its version. */
export const ownPostgres = async (settings: Record<string, string> = small): Promise<OwnPostgres> => {
  const initdb = postgresProgram('initdb')
  const port = await freePort()
  const folder = makeFolder('postgres')
  await runProgram(initdb, ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'])
  return serve(folder, port, settings)
}

/** Makes a standby that follows `primary` by streaming replication, without starting it. */
export const standbyOf = async (primary: OwnPostgres): Promise<OwnPostgres> => {
  const backup = postgresProgram('pg_basebackup')
  const port = await freePort()
  const folder = makeFolder('standby')
  await runProgram(backup, ['-d', primary.url, '-D', join(folder, 'data'), '-R', '-c', 'fast', '-N'])
  return serve(folder, port, small)
}

export const promote = ({ folder }: OwnPostgres): Promise<unknown> =>
  runProgram(postgresProgram('pg_ctl'), ['promote', '-D', join(folder, 'data')])
