import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import type { StoredDefinition } from './definitions.sql.ts'

/** The keys to read. */
export interface KeyFilter {
  prefix: string | undefined
  keys: string[] | undefined
  /** True to read only keys that every user of the tenant may read. */
  isPublicOnly: boolean
}

const matching = ({ prefix, keys, isPublicOnly }: KeyFilter): Sql => sql`
  ${prefix === undefined ? sql`true` : sql`starts_with(key, ${prefix})`}
  and ${keys === undefined ? sql`true` : sql`key = any (${keys})`}
  and ${isPublicOnly ? sql`key in (select d.key from setting_definitions d where d.is_public)` : sql`true`}`

export type EffectiveDefinition = Pick<
  StoredDefinition,
  'key' | 'default_value' | 'scopes' | 'is_secret' | 'is_locked'
>

export const selectEffectiveDefinitions = (db: Db, filter: KeyFilter) =>
  db.many<EffectiveDefinition>(sql`
    select key, default_value, scopes, is_secret, is_locked from setting_definitions where ${matching(filter)}`)

export interface EffectiveRow {
  key: string
  value: unknown
  is_invalid: boolean
  is_secret: boolean
  updated_at: string
}

const plain = sql`key, value, is_invalid, false as is_secret, ${isoTime('updated_at')} as updated_at`
const secret = sql`key, null, false, true, ${isoTime('updated_at')}`

/** Runs in the scope of the built-in tenant: no other scope sees the secrets of the installation. */
export const selectGlobalRows = (db: Db, filter: KeyFilter) =>
  db.many<EffectiveRow>(sql`
    select ${plain} from global_settings where ${matching(filter)}
    union all select ${secret} from global_setting_secrets where ${matching(filter)}`)

export const selectTenantRows = (db: Db, tenantId: string, filter: KeyFilter) =>
  db.many<EffectiveRow>(sql`
    select ${plain} from tenant_settings where tenant_id = ${tenantId} and ${matching(filter)}
    union all
    select ${secret} from tenant_setting_secrets where tenant_id = ${tenantId} and ${matching(filter)}`)

export const selectUserRows = (db: Db, tenantId: string, userId: number, filter: KeyFilter) =>
  db.many<EffectiveRow>(sql`
    select ${plain} from user_settings
    where tenant_id = ${tenantId} and user_id = ${userId} and ${matching(filter)}`)
