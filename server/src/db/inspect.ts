import { existsSync } from 'node:fs'
import type pg from 'pg'
import { dbRoles } from './client.ts'
import type { Access, MigrationStatus } from './migrate.ts'
import { migrationStatus, ownNames } from './migrate.ts'
import type { DatabaseConfig } from './open.ts'
import { openAccess } from './open.ts'
import { requireFolder } from './data-folder.ts'
import { databaseFolder } from './embedded.ts'
import { sqlState } from './errors.ts'
import { hasSearchIndex } from './search-index.ts'

/** Privileges of the login role. The service needs only membership in the roles of client.ts. */
export interface LoginRole {
  name: string
  superuser: boolean
  bypassesRowSecurity: boolean
  /** Roles of the service that the login role cannot take on. */
  missingRoles: string[]
  /** True if the role may create tables. */
  mayMigrate: boolean
}

/** A key of access tokens without its private part. */
export interface SigningKey {
  kid: string
  alg: string
  created_at: Date
  retired_at: Date | null
}

export interface SecretReport {
  /** Fingerprints of the secret keys that stored secrets need, in hex. */
  fingerprints: string[]
  /** The number of token keys that are stored unencrypted. */
  keysInTheClear: number
}

export interface DatabaseReport {
  engine: Access['engine']
  serverVersion: string | undefined
  /** Undefined if the login role may not read the migrations. */
  migrations: MigrationStatus | undefined
  /** Undefined for an embedded database that does not exist yet. */
  login: LoginRole | undefined
  signingKeys: SigningKey[]
  secrets: SecretReport | undefined
  /** Hosts with passkeys. */
  passkeyHosts: string[]
  /** The values of the settings `mail` and `tenantry.portal`. Undefined if there is none. */
  mailSetting: unknown
  portalSetting: unknown
  /** True if an index serves the search for users. Undefined before the first migration. */
  hasSearchIndex: boolean | undefined
}

/**
 * Inspects the database for the operator without changing it. Throws an Error of one line if it is unreachable, and
 * FolderInUse if the service has the embedded one open.
 */
export async function inspectDatabase(config: DatabaseConfig, dir?: string): Promise<DatabaseReport> {
  if (!config.databaseUrl && !existsSync(databaseFolder(config.dataDir))) {
    requireFolder(config.dataDir)
    return {
      engine: 'embedded',
      serverVersion: undefined,
      migrations: { applied: [], pending: await ownNames(dir), unknown: [] },
      login: undefined,
      ...noKeys,
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

/** The migration that completes the schema of the first release. */
const firstRelease = '0011-secure-rows'
const hasSchema = (migrations?: MigrationStatus): boolean =>
  migrations?.applied.includes(firstRelease) === true

/** A login role outside the service's roles may not even read the table. `missingRoles` then reports the fault. */
const readableStatus = (client: pg.Client, dir?: string): Promise<MigrationStatus | undefined> =>
  migrationStatus(client, dir).catch((err: unknown) => {
    if (sqlState(err) === '42501') return undefined
    throw err
  })

async function report(access: Access, dir?: string): Promise<DatabaseReport> {
  const client = await access.connect()
  try {
    const version = await client.query<{ server_version: string }>('show server_version')
    const login = (await client.query<LoginRole>(loginText)).rows[0]
    const migrations = await readableStatus(client, dir)
    const isMigrated = hasSchema(migrations)
    const isMember = login !== undefined && !login.missingRoles.includes('tenantry_app')
    return {
      engine: access.engine,
      serverVersion: version.rows[0]?.server_version,
      migrations,
      login,
      ...(isMigrated && isMember ? await reportKeys(client) : noKeys),
      hasSearchIndex: isMigrated ? await hasSearchIndex(client) : undefined,
    }
  } finally {
    await client.end()
  }
}

type LookReport = Pick<DatabaseReport, 'mailSetting' | 'portalSetting'>
type KeyReport = Pick<DatabaseReport, 'signingKeys' | 'secrets' | 'passkeyHosts'> & LookReport
const noKeys: KeyReport = {
  signingKeys: [],
  secrets: undefined,
  passkeyHosts: [],
  mailSetting: undefined,
  portalSetting: undefined,
}

const reportKeys = async (client: pg.Client): Promise<KeyReport> => ({
  signingKeys: await selectKeys(client),
  secrets: await selectSecrets(client),
  passkeyHosts: await selectPasskeyHosts(client),
  ...(await selectLooks(client)),
})

const selectKeys = async (client: pg.Client): Promise<SigningKey[]> => {
  // Runs in a transaction, because otherwise a pooler would pass the session and its role to another client.
  await client.query('begin')
  await client.query('set local role tenantry_app')
  const { rows } = await client.query<SigningKey>(
    `select kid, public_jwk->>'alg' as alg, created_at, retired_at from signing_keys where purpose = 'access'
    order by created_at desc`,
  )
  await client.query('commit')
  return rows
}

const selectSecrets = async (client: pg.Client): Promise<SecretReport | undefined> => {
  await client.query('begin')
  await client.query('set local role tenantry_app')
  const { rows } = await client.query<SecretReport>(
    `select array(select encode(fingerprint, 'hex') from secret_keys order by 1) as fingerprints,
      (select count(*)::int from signing_keys where private_pem is not null) as "keysInTheClear"`,
  )
  await client.query('commit')
  return rows[0]
}

const selectPasskeyHosts = async (client: pg.Client): Promise<string[]> => {
  await client.query('begin')
  await client.query('set local role tenantry_app')
  const { rows } = await client.query<{ host: string }>(
    'select distinct rp_id as host from factors where rp_id is not null order by 1',
  )
  await client.query('commit')
  return rows.map(({ host }) => host)
}

const selectLooks = async (client: pg.Client): Promise<LookReport> => {
  await client.query('begin')
  await client.query('set local role tenantry_app')
  const { rows } = await client.query<{ key: string; value: unknown }>(
    `select key, value from global_settings where key in ('mail', 'tenantry.portal')`,
  )
  await client.query('commit')
  const valueOf = (sought: string): unknown => rows.find(({ key }) => key === sought)?.value
  return { mailSetting: valueOf('mail'), portalSetting: valueOf('tenantry.portal') }
}

// PostgreSQL 16 and newer can deny a member the use of the role. 'SET' asks for that privilege.
const loginText = `select rolname as name, rolsuper as superuser, rolbypassrls as "bypassesRowSecurity",
  array(
    select wanted from unnest(array['${dbRoles.join("', '")}']) with ordinality as w (wanted, place)
    where not exists (
      select from pg_roles r where r.rolname = wanted and pg_has_role(current_user, r.oid,
        case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end))
    order by place) as "missingRoles",
  has_schema_privilege('public', 'create') as "mayMigrate"
  from pg_roles where rolname = current_user`
