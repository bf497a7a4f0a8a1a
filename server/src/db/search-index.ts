import type pg from 'pg'
import { sqlState } from './errors.ts'

/**
 * SQLSTATEs of a server without the extension (0A000, 58P01, 42704), or of a login that may not create it (42501).
 */
const unsupported = new Set(['0A000', '58P01', '42704', '42501'])

/**
 * Creates the index that finds a keyword anywhere in a user's names, in a database without users. The index is
 * optional, and SQL cannot express that without a procedure. Without the extensions, as in the embedded database, a
 * search reads the tenant's users along their key. `tenantry doctor` reports a missing index.
 */
export async function createSearchIndex(client: pg.ClientBase): Promise<void> {
  await client.query('begin')
  try {
    await client.query('create extension if not exists pg_trgm')
    await client.query('create extension if not exists btree_gin')
    const { rows } = await client.query<{ schema: string }>(
      `select extnamespace::regnamespace::text as schema from pg_extension where extname = 'pg_trgm'`,
    )
    // Every search reads the list of new entries. The limit keeps the list shorter than the usual 4 MB.
    await client.query(`
      create index if not exists users_search_idx
      on users using gin (tenant_id, search_folded ${rows[0]?.schema}.gin_trgm_ops) with (gin_pending_list_limit = 1024)`)
    await client.query('commit')
  } catch (err) {
    await client.query('rollback')
    if (!unsupported.has(sqlState(err) ?? '')) throw err
  }
}

/** True if the index is missing and there are no users. A start must not build the index over a million users. */
export async function lacksSearchIndex(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ lacks: boolean }>(
    `select to_regclass('public.users_search_idx') is null and pg_relation_size('public.users') = 0 as lacks`,
  )
  return rows[0]?.lacks === true
}

export async function hasSearchIndex(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_index where indexrelid = to_regclass('public.users_search_idx') and indisvalid`,
  )
  return rows.length > 0
}
