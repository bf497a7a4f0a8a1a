import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import { tenantsWith, type AttributeFilter } from './filters.sql.ts'

export const selectValuesOfUsers = (db: Db, tenantId: string, ids: number[]) =>
  db.many<{ id: number; key: string; value: unknown }>(sql`
    select user_id as id, key, value from user_attributes
    where tenant_id = ${tenantId} and user_id = any (${ids}::bigint[]) and not is_invalid order by key`)

/** Runs as the role of searches, which sees all tenants. */
export const selectValuesOfTenants = (db: Db, ids: string[]) =>
  db.many<{ id: string; key: string; value: unknown }>(sql`
    select tenant_id as id, key, value from tenant_attributes
    where tenant_id = any (${ids}::uuid[]) and not is_invalid order by key`)

/** Runs as the role of searches, which sees all tenants. */
export const selectTenantIds = (db: Db, filters: AttributeFilter[]) =>
  db.many<{ id: string }>(tenantsWith(filters))
