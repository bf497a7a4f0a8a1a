import sql from 'sql-template-tag'
import { waysSetting } from '../../../access/tenant-settings.sql.ts'
import type { Db } from '../../../db/client.ts'

/** The stored value of the installation. */
export const selectGlobalWays = (db: Db) =>
  db.one<{ value: unknown }>(sql`select value from global_settings where key = ${waysSetting}`)

/** The stored value of the tenant in scope. */
export const selectTenantWays = (db: Db, tenantId: string) =>
  db.one<{ value: unknown }>(sql`
    select value from tenant_settings where tenant_id = ${tenantId} and key = ${waysSetting}`)

/** The active providers among these slugs; null for all. */
export const selectActiveProviders = (db: Db, slugs: string[] | null) =>
  db.many<{ slug: string; name: string; kind: string }>(sql`
    select slug, name, kind from providers
    where status = 'active' and (${slugs}::text[] is null or slug = any (${slugs}::text[]))
    order by created_at, id`)
