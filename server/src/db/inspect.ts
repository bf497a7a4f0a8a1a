import { existsSync } from 'node:fs'
import type pg from 'pg'
import type { Access, MigrationStatus } from './migrate.ts'
import { migrationStatus, ownNames } from './migrate.ts'
import type { DatabaseConfig } from './open.ts'
import { openAccess } from './open.ts'
import { databaseFolder } from './embedded.ts'
import { sqlState } from './errors.ts'

/** What the login role may do; the service needs membership in the three roles, and nothing else. */
export interface LoginRole {
  name: string
  superuser: boolean
  bypassesRowSecurity: boolean
  canBecomeApp: boolean
  canBecomePurge: boolean
  canBecomeSeal: boolean
}

/** A signing key, without what is secret about it. */
export interface SigningKey {
  kid: string
  created_at: Date
  retired_at: Date | null
}

export interface DatabaseReport {
  engine: Access['engine']
  serverVersion: string | undefined
  /** Undefined when the login may not look. */
  migrations: MigrationStatus | undefined
  /** Undefined for an embedded database that does not exist yet. */
  login: LoginRole | undefined
  signingKeys: SigningKey[]
  /** Whether an index serves the search for users; undefined before the migration that may make it. */
  hasSearchIndex: boolean | undefined
}

/**
 * Looks at the database for the operator without changing anything. Throws an Error of one line when it cannot be
 * reached, or (embedded) when the service has it open.
 */
export async function inspectDatabase(config: DatabaseConfig, dir?: string): Promise<DatabaseReport> {
  if (!config.databaseUrl && !existsSync(databaseFolder(config.dataDir))) {
    return {
      engine: 'embedded',
      serverVersion: undefined,
      migrations: { applied: [], pending: await ownNames(dir), unknown: [] },
      login: undefined,
      signingKeys: [],
      hasSearchIndex: undefined,
    }
  }
  const access = await openAccess(config)
  try {
    return await report(access, dir)
  } finally {
    await access.close()
  }
}

async function report(access: Access, dir?: string): Promise<DatabaseReport> {
  const client = await access.connect()
  try {
    const version = await client.query<{ server_version: string }>('show server_version')
    const login = (await client.query<LoginRole>(loginText)).rows[0]
    const migrations = await migrationStatus(client, dir).catch((err: unknown) => {
      // A login that is no member of the roles may not even look; that it is none is the finding.
      if (sqlState(err) === '42501') return undefined
      throw err
    })
    return {
      engine: access.engine,
      serverVersion: version.rows[0]?.server_version,
      migrations,
      login,
      signingKeys:
        migrations && migrations.applied.length > 0 && login?.canBecomeApp ? await selectKeys(client) : [],
      hasSearchIndex: migrations?.applied.includes(searchMigration)
        ? await hasSearchIndex(client)
        : undefined,
    }
  } finally {
    await client.end()
  }
}

const searchMigration = '0004-find-users'

const hasSearchIndex = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query(
    `select from pg_index where indexrelid = to_regclass('public.users_search_idx') and indisvalid`,
  )
  return rows.length > 0
}

const selectKeys = async (client: pg.Client): Promise<SigningKey[]> => {
  // In a transaction: behind a pooler the session goes to somebody else afterwards, and so would the role.
  await client.query('begin')
  await client.query('set local role tenantry_app')
  const { rows } = await client.query<SigningKey>(
    'select kid, created_at, retired_at from signing_keys order by created_at desc',
  )
  await client.query('commit')
  return rows
}

// Since PostgreSQL 16 a member may be kept from taking the role on; 'SET' asks for that right.
const canBecome = (role: string) => `exists (
  select from pg_roles r where r.rolname = '${role}' and pg_has_role(current_user, r.oid,
    case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end))`

const loginText = `select rolname as name, rolsuper as superuser, rolbypassrls as "bypassesRowSecurity",
  ${canBecome('tenantry_app')} as "canBecomeApp", ${canBecome('tenantry_purge')} as "canBecomePurge",
  ${canBecome('tenantry_seal')} as "canBecomeSeal"
  from pg_roles where rolname = current_user`
