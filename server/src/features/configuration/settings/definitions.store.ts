import sql, { raw } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { settingsOf } from '../../../db/scope.ts'
import { definitionColumns, type StoredDefinition } from './definitions.sql.ts'

export const selectDefinitions = (db: Db) =>
  db.many<StoredDefinition>(sql`select ${definitionColumns} from setting_definitions order by key`)

export const selectSecretKeys = (db: Db) =>
  db.many<{ key: string }>(sql`select key from setting_definitions where is_secret`)

export const selectDefinition = (db: Db, key: string) =>
  db.one<StoredDefinition>(sql`select ${definitionColumns} from setting_definitions where key = ${key}`)

/**
 * Excludes writes of the key's values and of its declaration until the transaction ends. `lockSetting` takes the same
 * lock, shared. A second lock excludes other declarations, so that their number can be counted.
 */
export const lockDeclaration = (db: TransactionDb, key: string): void =>
  db.send(sql`
    select pg_advisory_xact_lock(hashtext('tenantry declarations'), 0),
      pg_advisory_xact_lock(hashtext('tenantry declaration'), hashtext(${key}))`)

/** Excludes changes of all declarations until the transaction ends. */
export const lockDeclarations = (db: TransactionDb): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry declarations'), 0)`)

/** The keys that the tenant or its users have set. */
export const selectKeysOfTenant = (db: Db, tenantId: string) =>
  db.many<{ key: string }>(sql`
    select key from tenant_settings where tenant_id = ${tenantId}
    union select key from user_settings where tenant_id = ${tenantId}`)

export const selectValuesOfTenant = (db: Db, tenantId: string, key: string) =>
  db.many<StoredValue>(sql`
    select tenant_id, 0 as user_id, value, is_invalid from tenant_settings where tenant_id = ${tenantId} and key = ${key}
    union all
    select tenant_id, user_id, value, is_invalid from user_settings where tenant_id = ${tenantId} and key = ${key}`)

export const measureDefinitions = (db: Db) =>
  db.only<{ count: number; bytes: number }>(sql`
    select count(*) as count,
      coalesce(sum(octet_length(schema::text) + coalesce(octet_length(default_value::text), 0)), 0)::bigint as bytes
    from setting_definitions`)

export const upsertDefinition = (
  db: TransactionDb,
  definition: Omit<StoredDefinition, 'is_locked' | 'updated_at'>,
  now: Date,
) => {
  const { key, schema, default_value: value, scopes, label, description, group_name: group } = definition
  return db.only<StoredDefinition>(sql`
    insert into setting_definitions (key, schema, default_value, scopes, is_secret, is_public, label, description, group_name,
      updated_at)
    values (${key}, ${JSON.stringify(schema)}::json, ${value === null ? null : JSON.stringify(value)}::json, ${scopes}::text[],
      ${definition.is_secret}, ${definition.is_public}, ${label}, ${description}, ${group}, ${now})
    on conflict (key) do update set schema = excluded.schema, default_value = excluded.default_value,
      scopes = excluded.scopes, is_public = excluded.is_public, label = excluded.label,
      description = excluded.description, group_name = excluded.group_name, updated_at = excluded.updated_at
    returning ${definitionColumns}`)
}

export const deleteDefinitionRow = (db: TransactionDb, key: string): void =>
  db.send(sql`delete from setting_definitions where key = ${key}`)

export const updateLock = (db: TransactionDb, key: string, isLocked: boolean): void =>
  db.send(sql`update setting_definitions set is_locked = ${isLocked} where key = ${key}`)

/** Lets the role of purges see the values of a key in all tenants, until the transaction ends. */
export const enterDeclared = (db: TransactionDb, key: string): void =>
  db.send(settingsOf({ 'app.declared_key': key }))

/** The number of stored values of these keys that violate their schemas. Runs as the role of purges. */
export const countInvalid = (db: Db, keys: string[]) =>
  db.many<{ key: string; count: number }>(sql`
    select key, count(*) as count from (
      select key from tenant_settings where is_invalid and key = any (${keys})
      union all select key from user_settings where is_invalid and key = any (${keys})
    ) as refused group by key`)

export const selectInvalidGlobal = (db: Db) =>
  db.many<{ key: string }>(sql`select key from global_settings where is_invalid`)

/**
 * A stored value with its tenant and user. For a global value the tenant is "". The user is 0 except for a user's
 * value.
 */
export interface StoredValue {
  tenant_id: string
  user_id: number
  value: unknown
  is_invalid: boolean
}

export const selectGlobalValue = (db: Db, key: string) =>
  db.many<StoredValue>(
    sql`select '' as tenant_id, 0 as user_id, value, is_invalid from global_settings where key = ${key}`,
  )

const nowhere = '00000000-0000-0000-0000-000000000000'
export const batchRows = 200

/** The next values of tenants, after the given value. Runs as the role of purges. */
export const selectTenantValuesAfter = (db: Db, key: string, after?: StoredValue) =>
  db.many<StoredValue>(sql`
    select tenant_id, 0 as user_id, value, is_invalid from tenant_settings
    where key = ${key} and tenant_id > ${after?.tenant_id ?? nowhere}::uuid order by tenant_id limit ${batchRows}`)

/** The users' values of a key that follow `after`. Runs as the role of purges, which sees all tenants. */
export const selectUserValuesAfter = (db: Db, key: string, after?: StoredValue) =>
  db.many<StoredValue>(sql`
    select tenant_id, user_id, value, is_invalid from user_settings
    where key = ${key} and (tenant_id, user_id) > (${after?.tenant_id ?? nowhere}::uuid, ${after?.user_id ?? 0}::bigint)
    order by tenant_id, user_id limit ${batchRows}`)

export const markGlobal = (db: TransactionDb, key: string, isInvalid: boolean): void =>
  db.send(sql`update global_settings set is_invalid = ${isInvalid} where key = ${key}`)

export const markOfTenant = (
  db: TransactionDb,
  key: string,
  { tenant_id: tenantId }: Pick<StoredValue, 'tenant_id'>,
  isInvalid: boolean,
): void =>
  db.send(sql`
    update tenant_settings set is_invalid = ${isInvalid} where tenant_id = ${tenantId} and key = ${key}`)

/** Removes the marks of all tenants' values, which then have an effect again. Runs as the role of purges. */
export const unmarkOfTenants = (db: TransactionDb, key: string): void =>
  db.send(sql`update tenant_settings set is_invalid = false where key = ${key} and is_invalid`)

export const markOfUser = (
  db: TransactionDb,
  key: string,
  { tenant_id: tenantId, user_id: userId }: Pick<StoredValue, 'tenant_id' | 'user_id'>,
  isInvalid: boolean,
): void =>
  db.send(sql`
    update user_settings set is_invalid = ${isInvalid}
    where tenant_id = ${tenantId} and user_id = ${userId} and key = ${key}`)

/** One value of any tenant or user for the key; undefined if none is set. Runs as the role of purges. */
export const selectAnyValue = (db: Db, key: string) =>
  db.one<{ key: string }>(sql`
    select key from tenant_settings where key = ${key}
    union all select key from user_settings where key = ${key} limit 1`)

/** Deletes the key's rows of all tenants; runs as the role of purges. */
export const deleteRowsOfKey = (
  db: TransactionDb,
  key: string,
  ...tables: (
    | 'user_settings'
    | 'tenant_setting_versions'
    | 'tenant_setting_secrets'
    | 'global_setting_versions'
    | 'global_setting_secrets'
  )[]
): void => {
  for (const table of tables) db.send(sql`delete from ${raw(table)} where key = ${key}`)
}
