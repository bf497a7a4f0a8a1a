import { join } from 'node:path'
import pg from 'pg'
import { makeFolder, OwnServer, runProgram } from './own-server.ts'
import { findProgram, freePort } from './processes.ts'

/** A PostgreSQL that writes through to disk, as in production. */
export type OwnPostgres = OwnServer & {
  url: string
  /** Runs SQL as superuser. */
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>
}

const postgresProgram = (name: string): string => findProgram(name, 'postgresql')

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  max_connections: '60',
  wal_level: 'replica',
  max_wal_senders: '4',
  hot_standby: 'on',
}

const queryAt = async <Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

const serve = (folder: string, port: number): OwnPostgres => {
  const chosen = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const query = <Row extends pg.QueryResultRow>(text: string) => queryAt<Row>(url, text)
  const args = ['-D', join(folder, 'data'), ...chosen]
  const ask = () => query('select 1')
  const server = new OwnServer({ path: postgresProgram('postgres'), args, folder, port, ask })
  return Object.assign(server, { url, query })
}

export const ownPostgres = async (): Promise<OwnPostgres> => {
  const initdb = postgresProgram('initdb')
  const port = await freePort()
  const folder = makeFolder('postgres')
  await runProgram(initdb, ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'])
  return serve(folder, port)
}

/** Makes a standby that follows `primary` by streaming replication, without starting it. */
export const standbyOf = async (primary: OwnPostgres): Promise<OwnPostgres> => {
  const backup = postgresProgram('pg_basebackup')
  const port = await freePort()
  const folder = makeFolder('standby')
  await runProgram(backup, ['-d', primary.url, '-D', join(folder, 'data'), '-R', '-c', 'fast', '-N'])
  return serve(folder, port)
}

/** Promotes a standby to primary. */
export const promote = ({ folder }: OwnPostgres): Promise<unknown> =>
  runProgram(postgresProgram('pg_ctl'), ['promote', '-D', join(folder, 'data')])
