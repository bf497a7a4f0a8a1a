import type { Pool } from './pool.ts'

/**
 * Replaces PostgreSQL's background processes, which the embedded database lacks. Without checkpoints its log would grow
 * until the database closes. Without vacuum every change would leave its old row behind. Requests can run between these
 * statements.
 */
export async function vacuumAndCheckpoint(pool: Pool): Promise<void> {
  const worn = await pool.lend((client) => client.query<{ name: string }>(wornTables))
  for (const { name } of worn.rows) await pool.lend((client) => client.query(`vacuum (analyze) ${name}`))
  await pool.lend((client) => client.query('checkpoint'))
}

/**
 * Tables with more than a fifth of their rows changed since the last vacuum. PostgreSQL's autovacuum uses the same
 * rule.
 */
const wornTables = `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
  where greatest(n_dead_tup, n_mod_since_analyze) > 1000 + n_live_tup / 5`
