import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import pg from 'pg'
import type { Store } from './client.ts'
import { openEmbedded } from './embedded.ts'
import type { MigrateOptions } from './migrate.ts'
import type { DatabaseConfig } from './open.ts'
import { openStore } from './open.ts'

/** PostgreSQL to test on; unset: the embedded database. */
export const serverUrl = process.env['DATABASE_URL']
export const onPostgres = serverUrl !== undefined

/** A database of its own for a test file, with a migration that makes two little tenant-bound tables. */
export interface TestDatabase {
  config: DatabaseConfig
  options: MigrateOptions & { dir: string }
  open(changes?: Partial<DatabaseConfig>): Promise<Store>
  remove(): Promise<void>
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-db-'))
  await writeFile(join(folder, '0001-create-notes.sql'), fixture)
  const options = { dir: folder, log: { info: () => {}, warn: () => {} } }
  const name = `tenantry_db_${randomUUID().slice(0, 8)}`
  if (serverUrl) await onServer(serverUrl, `create database ${name}`)
  await makeEmptyDatabase(join(folder, 'data'))
  const config = { databaseUrl: serverUrl && databaseUrlOf(serverUrl, name), dataDir: join(folder, 'data') }
  return {
    config,
    options,
    open: (changes) => openStore({ ...config, ...changes }, options),
    async remove() {
      if (serverUrl) await onServer(serverUrl, `drop database ${name} with (force)`)
      await rm(folder, { recursive: true })
    },
  }
}

let template: Promise<Map<string, Buffer | undefined>> | undefined

/** The files (and, without content, the folders) of an empty embedded database, made once: it takes seconds. */
async function createTemplate(): Promise<Map<string, Buffer | undefined>> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-template-'))
  await (await openEmbedded(folder)).close()
  const entries = new Map<string, Buffer | undefined>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    entries.set(relative(folder, path), entry.isDirectory() ? undefined : await readFile(path))
  }
  await rm(folder, { recursive: true })
  return entries
}

/** Makes a folder with an empty embedded database, as a start without one would. */
export async function makeEmptyDatabase(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  template ??= createTemplate()
  for (const [path, content] of await template) {
    await (content
      ? writeFile(join(folder, path), content)
      : mkdir(join(folder, path), { recursive: true, mode: 0o700 }))
  }
}

function databaseUrlOf(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = name
  return changed.href
}

/** Runs SQL with all the rights of the test server's login. */
export async function onServer(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

const fixture = `-- Two tables of a tenant, one referring to the other.
do $$ begin create role tenantry_app nologin; exception when duplicate_object or unique_violation then null; end $$;
do $$ begin create role tenantry_purge nologin; exception when duplicate_object or unique_violation then null; end $$;
do $$ begin create role tenantry_seal nologin; exception when duplicate_object or unique_violation then null; end $$;
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
create table signing_keys (kid text primary key, created_at timestamptz not null, retired_at timestamptz);
grant select on signing_keys to tenantry_app;
grant select, insert, update, delete on notes, comments to tenantry_app;
grant select, delete on notes to tenantry_purge;
grant select on tenantry_migrations to tenantry_app;
`
