import pg from 'pg'

const at = (url: string, database: string) => {
  const changed = new URL(url)
  changed.pathname = database
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

/** Makes an empty database on the server of `url`, or a copy of one that has no connections. Returns its URL. */
export const createDatabase = async (url: string, database: string, copyOf?: string): Promise<string> => {
  await query(url, `create database ${database}${copyOf === undefined ? '' : ` template ${copyOf}`}`)
  return at(url, database)
}

export const dropDatabase = async (url: string, database: string): Promise<void> => {
  await query(url, `drop database if exists ${database} with (force)`)
}
