import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dbRoles, type Store } from '../src/db/client.ts'
import type { MigrateOptions } from '../src/db/migrate.ts'
import type { DatabaseConfig } from '../src/db/open.ts'
import { openStore } from '../src/db/open.ts'
import { makeEmptyDatabase } from './templates.ts'
import { createDatabase, dropDatabase } from '../../lab/databases.ts'

/** PostgreSQL to test on; unset: the embedded database. */
export const serverUrl = process.env['DATABASE_URL']

/** PostgreSQL keeps no secret key; the embedded database makes its own. */
export const secretEnv: Record<string, string> = serverUrl
  ? { TENANTRY_SECRET_KEY: Buffer.alloc(32, 'test').toString('base64') }
  : {}
export const onPostgres = serverUrl !== undefined

/** A database of its own for a test file, with a migration that makes two little tenant-bound tables. */
export interface TestDatabase {
  config: DatabaseConfig
  options: MigrateOptions & { dir: string }
  open(changes?: Partial<DatabaseConfig>): Promise<Store>
  remove(): Promise<void>
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-db-'))
  writeFileSync(join(folder, '0001-create-notes.sql'), fixture)
  const options = { dir: folder, log: { info: () => {}, warn: () => {} } }
  const name = `tenantry_db_${randomUUID().slice(0, 8)}`
  const dataDir = join(folder, 'data')
  const databaseUrl = serverUrl && (await createDatabase(serverUrl, name))
  if (!serverUrl) await makeEmptyDatabase(dataDir)
  const config = { databaseUrl, dataDir }
  return {
    config,
    options,
    open: (changes) => openStore({ ...config, ...changes }, options),
    async remove() {
      if (serverUrl) await dropDatabase(serverUrl, name)
      rmSync(folder, { recursive: true })
    },
  }
}

const fixture = `-- Two tables of a tenant, one referring to the other.
${dbRoles
  .map(
    (role) =>
      `do $$ begin create role ${role} nologin; exception when duplicate_object or unique_violation then null; end $$;`,
  )
  .join('\n')}
create table notes (
  tenant_id uuid not null,
  id bigint generated always as identity,
  body text not null,
  primary key (tenant_id, id),
  constraint notes_tenant_id_body_key unique (tenant_id, body)
);
create table comments (
  tenant_id uuid not null,
  note_id bigint not null,
  constraint comments_note_fkey foreign key (tenant_id, note_id) references notes (tenant_id, id)
);
alter table notes enable row level security;
alter table notes force row level security;
create policy tenant_scope on notes to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy purge on notes to tenantry_purge using (true);
alter table comments enable row level security;
create policy tenant_scope on comments to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
-- The inspection for the operator reads it.
create table signing_keys (kid text primary key, purpose text not null, public_jwk jsonb not null,
  created_at timestamptz not null, retired_at timestamptz);
grant select on signing_keys to tenantry_app;
grant select, insert, update, delete on notes, comments to tenantry_app;
grant select, delete on notes to tenantry_purge;
grant select on tenantry_migrations to tenantry_app;
`
