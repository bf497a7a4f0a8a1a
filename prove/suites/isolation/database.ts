import pg from 'pg'
import { refuteNothing } from '../../attack.ts'

/** The rows that a statement without a tenant condition reads from a table. */
interface Shown {
  shown: number
  /** The number of rows of other tenants among them. */
  foreign: number
}

const boundTables = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.column_name = 'tenant_id' and c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1`)
  return rows.map(({ name }) => name)
}

const countText = (table: string) =>
  `select count(*)::int as shown, count(*) filter (where tenant_id::text <> current_setting('app.tenant_id'))::int as foreign
   from ${pg.escapeIdentifier(table)}`

/**
 * Counts the rows that the role of requests reads, in the scope of a tenant or of none. 0 without the right to read.
 */
const ask = async (
  client: pg.Client,
  { table, tenantId }: { table: string; tenantId: string },
): Promise<Shown> => {
  const scope = [
    `set local role tenantry_app`,
    `set local app.tenant_id = ${pg.escapeLiteral(tenantId)}`,
    `set local app.account_id = ''`,
  ]
  await client.query('begin')
  try {
    for (const text of scope) await client.query(text)
    const { rows } = await client.query<Shown>(countText(table))
    return rows[0] ?? { shown: 0, foreign: 0 }
  } catch (err) {
    if (err instanceof pg.DatabaseError && err.code === '42501') return { shown: 0, foreign: 0 }
    throw err
  } finally {
    await client.query('rollback')
  }
}

/**
 * Tests only row-level security: the role of requests runs statements without a tenant condition, in the scope of a
 * tenant and in none. Counts all rows as the login first, so that there are rows to hide.
 */
export const proveDatabase = async (databaseUrl: string, tenantId: string): Promise<string> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const tables = await boundTables(client)
    const breaches: string[] = []
    let kept = 0
    for (const table of tables) {
      const { rows } = await client.query<{ all: number }>(
        `select count(*)::int as all from ${pg.escapeIdentifier(table)}`,
      )
      const scoped = await ask(client, { table, tenantId })
      const unscoped = await ask(client, { table, tenantId: '' })
      kept += (rows[0]?.all ?? 0) - scoped.shown
      if (scoped.foreign > 0) {
        breaches.push(`in the scope of a tenant ${table} shows ${scoped.foreign} rows of others`)
      }
      if (unscoped.shown > 0) breaches.push(`without a scope ${table} shows ${unscoped.shown} rows`)
    }
    refuteNothing(breaches)
    const isTelling = tables.length >= 8 && kept > 0
    if (!isTelling) throw new Error(`${kept} rows in ${tables.length} tables prove nothing`)
    return `${tables.length} tables, ${kept} rows of others hidden from statements without a tenant condition`
  } finally {
    await client.end()
  }
}
