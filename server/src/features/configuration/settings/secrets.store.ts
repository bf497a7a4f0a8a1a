/** Values of declared secrets. Their own tables hold them encrypted, each bound to its row. */
import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { ExpiredRows } from '../../../db/sweep.ts'
import { latestVersion, type SettingPlace } from './setting-places.sql.ts'

const placeOf = ({ tenantId, key }: SettingPlace) =>
  tenantId === undefined
    ? {
        table: sql`global_setting_secrets`,
        is: sql`key = ${key}`,
        names: sql`key`,
        values: sql`${key}`,
        conflict: sql`key`,
      }
    : {
        table: sql`tenant_setting_secrets`,
        is: sql`tenant_id = ${tenantId} and key = ${key}`,
        names: sql`tenant_id, key, id`,
        values: sql`${tenantId}::uuid, ${key}, ${`${tenantId} ${key}`}`,
        conflict: sql`tenant_id, key`,
      }

/** The row to which the encryption binds a secret (crypto/secret-rotation.ts reads the same form). */
export const bindingOf = ({ tenantId, key }: SettingPlace): string =>
  tenantId === undefined ? `global_setting_secrets ${key}` : `tenant_setting_secrets ${tenantId} ${key}`

/** Inserts or replaces a secret. Lock its key first. */
export const upsertSecret = (db: Db, place: SettingPlace, sealed: Buffer, now: Date) => {
  const { table, is, names, values, conflict } = placeOf(place)
  return db.only<{ version: number; existed: boolean }>(sql`
    insert into ${table} (${names}, sealed, version, updated_at)
    values (${values}, ${sealed}, ${latestVersion(place)} + 1, ${now})
    on conflict (${conflict}) do update
    set sealed = excluded.sealed, version = excluded.version, updated_at = excluded.updated_at
    returning version, exists (select from ${table} where ${is}) as existed`)
}

export const deleteSecretRow = (db: Db, place: SettingPlace) => {
  const { table, is } = placeOf(place)
  return db.one<{ version: number }>(sql`delete from ${table} where ${is} returning version`)
}

export interface SealedSetting {
  key: string
  sealed: Buffer
}

export const selectSecretsOfTenant = (db: Db, tenantId: string, keys: string[]) =>
  db.many<SealedSetting>(sql`
    select key, sealed from tenant_setting_secrets where tenant_id = ${tenantId} and key = any (${keys})`)

/** Runs in the scope of the built-in tenant. */
export const selectGlobalSecrets = (db: Db, keys: string[]) =>
  db.many<SealedSetting>(sql`select key, sealed from global_setting_secrets where key = any (${keys})`)

/** Deletes every secret. Runs as the role of purges, which sees the secrets of all tenants. */
export const deleteAllSecrets = (db: TransactionDb): void => {
  db.send(sql`delete from global_setting_secrets`)
  db.send(sql`delete from tenant_setting_secrets`)
}

/** A deletion stays, so that versions continue to count after it. */
const changedLongAgo = {
  time: 'changed_at',
  before: "now() - interval '400 days'",
  where: 'not is_deleted',
} as const

/** docs/declared-settings.md, "History". */
export const oldRows: ExpiredRows[] = [
  { table: 'global_setting_versions', ...changedLongAgo },
  { table: 'tenant_setting_versions', ...changedLongAgo },
  { table: 'setting_secret_reads', time: 'read_at', before: "now() - interval '1 day'" },
]

/** The keys that the account has read since `since`. */
export const selectReadKeys = (
  db: Db,
  { tenantId, accountId, since }: { tenantId: string; accountId: number; since: Date },
) =>
  db.many<{ key: string }>(sql`
    select key from setting_secret_reads
    where tenant_id = ${tenantId} and account_id = ${accountId} and read_at > ${since}`)

/**
 * Stores reads. Returns the keys that the account had not read since `since`. Of several concurrent readers only one
 * gets a key.
 */
export const upsertReads = (
  db: Db,
  { tenantId, accountId, since }: { tenantId: string; accountId: number; since: Date },
  keys: string[],
  now: Date,
) =>
  db.many<{ key: string }>(sql`
    insert into setting_secret_reads as r (tenant_id, account_id, key, read_at)
    select ${tenantId}::uuid, ${accountId}::bigint, key, ${now}::timestamptz from unnest(${keys}::text[]) as key
    on conflict (tenant_id, account_id, key) do update set read_at = excluded.read_at where r.read_at <= ${since}
    returning key`)
