import sql from 'sql-template-tag'
import type { Db } from '../../../../db/client.ts'

/** An enabled tenant by its id or slug. */
export const selectTenant = (db: Db, named: string) =>
  db.one<{ id: string }>(sql`
    select id from tenants where (id::text = ${named} or slug = ${named}) and status = 1 and deleted_at is null limit 1`)

/** The setting `branding`. Each field can be missing or "". */
export interface TenantBranding {
  name?: string
  logo?: string
  color?: string
}

/** Runs in the scope of the tenant. */
export const selectBranding = (db: Db, tenantId: string) =>
  db.one<{ value: TenantBranding }>(sql`
    select value from tenant_settings where tenant_id = ${tenantId} and key = 'branding'`)

/** The catalogue's permissions with one of these codes. */
export const selectPermissions = (db: Db, codes: string[]) =>
  db.many<{ code: string; name: string; description: string }>(sql`
    select code, name, description from permissions where code = any (${codes}) and removed_at is null`)
