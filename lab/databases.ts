/** Databases of PostgreSQL, and of the Citus cluster of CITUS_URL: on its coordinator and on each of its workers. */
import pg from 'pg'

const at = (url: string, { host, port, database }: { host?: string; port?: number; database?: string }) => {
  const changed = new URL(url)
  if (host !== undefined) changed.hostname = host
  if (port !== undefined) changed.port = String(port)
  if (database !== undefined) changed.pathname = database
  return changed.href
}

/** Runs SQL with the rights of the login in `url`, over a connection of its own. */
export const query = async <Row extends pg.QueryResultRow = any>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult<Row>> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  // After a lost connection the query fails with a better message.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await client.query<Row>(text, values)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Makes an empty database, or a copy of one without connections, on the server of `url`. Returns its URL. */
export const createDatabase = async (url: string, database: string, copyOf?: string): Promise<string> => {
  await query(url, `create database ${database}${copyOf === undefined ? '' : ` template ${copyOf}`}`)
  return at(url, { database })
}

export const dropDatabase = async (url: string, database: string): Promise<void> => {
  await query(url, `drop database if exists ${database} with (force)`)
}

/** A database of a coordinator that knows its workers; unset: no cluster. Its login is a superuser. */
export const citusUrl = process.env['CITUS_URL']

/** Shards of each table in tests: enough for both workers. Each costs time in every test that makes a database. */
const testShards = 4

interface Node {
  host: string
  port: number
}

/** The workers of the cluster. Throws when the database has no extension, or less than two workers. */
export const workersOf = async (url: string): Promise<Node[]> => {
  const { rows: nodes } = await query<Node>(
    url,
    `select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' and groupid > 0 order by 2`,
  )
  if (nodes.length < 2) throw new Error('the coordinator of CITUS_URL knows fewer than two workers')
  return nodes
}

/** Makes a database on all nodes, with the extension and the nodes. Returns its URL. */
export const createCitusDatabase = async (
  url: string,
  database: string,
  shards = testShards,
): Promise<string> => {
  const workers = await workersOf(url)
  const self = await query<Node>(url, 'select host(inet_server_addr()) as host, inet_server_port() as port')
  const [{ host: own, port: ownPort } = {}] = self.rows
  for (const node of [...workers, {}]) {
    await createDatabase(at(url, node), database)
    await query(at(url, { ...node, database }), 'create extension citus')
  }
  const made = at(url, { database })
  await query(made, `alter database ${database} set citus.shard_count = ${shards}`)
  await query(made, `select citus_set_coordinator_host('${own}', ${ownPort})`)
  for (const { host, port } of workers) await query(made, `select citus_add_node('${host}', ${port})`)
  return made
}

/** Ends transactions that a coordinator left prepared: they keep their database, and every new replication slot waits. */
const endPrepared = async (url: string, database: string): Promise<void> => {
  const text = `select quote_literal(gid) as gid from pg_prepared_xacts where database = '${database}'`
  for (const { gid } of (await query<{ gid: string }>(url, text)).rows) {
    await query(at(url, { database }), `rollback prepared ${gid}`)
  }
}

export const dropCitusDatabase = async (url: string, database: string): Promise<void> => {
  const workers = await workersOf(url)
  for (const node of [{}, ...workers]) {
    await endPrepared(at(url, node), database)
    await dropDatabase(at(url, node), database)
  }
}
