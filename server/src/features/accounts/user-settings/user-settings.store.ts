import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import type { UserSetting } from './user-settings.schemas.ts'

/** A setting's key and the user of the tenant in scope. */
export interface UserPlace {
  tenantId: string
  userId: number
  key: string
}

const is = ({ tenantId, userId, key }: UserPlace) =>
  sql`tenant_id = ${tenantId} and user_id = ${userId} and key = ${key}`

export const selectUserSetting = (db: Db, place: UserPlace) =>
  db.one<UserSetting>(sql`
    select key, value, 'user' as scope, tenant_id, ${isoTime('updated_at')} as updated_at
    from user_settings where ${is(place)}`)

/** Serialises writers of a user's values, and excludes changes of the key's declaration. */
export const lockUserSettings = (db: TransactionDb, { tenantId, userId, key }: UserPlace): void =>
  db.send(sql`
    select pg_advisory_xact_lock(hashtext('tenantry user settings'), hashtext(${`${tenantId} ${userId}`})),
      pg_advisory_xact_lock_shared(hashtext('tenantry declaration'), hashtext(${key}))`)

/** Writes a value. Returns whether it differs from the earlier value. */
export const upsertUserSetting = (db: Db, place: UserPlace, valueJson: string, now: Date) =>
  db.one<{ key: string }>(sql`
    insert into user_settings as s (tenant_id, user_id, key, value, updated_at)
    values (${place.tenantId}, ${place.userId}, ${place.key}, ${valueJson}::jsonb, ${now})
    on conflict (tenant_id, user_id, key) do update
    set value = excluded.value, is_invalid = false, updated_at = excluded.updated_at
    where s.value <> excluded.value
    returning key`)

export const deleteUserSettingRow = (db: Db, place: UserPlace) =>
  db.one<{ value: unknown }>(sql`delete from user_settings where ${is(place)} returning value`)

/** The number of a user's values, and their total length. */
export const measureUserSettings = (db: Db, { tenantId, userId }: UserPlace) =>
  db.only<{ entries: number; length: number }>(sql`
    select count(*) as entries, coalesce(sum(octet_length(value::text)), 0)::bigint as length
    from user_settings where tenant_id = ${tenantId} and user_id = ${userId}`)
