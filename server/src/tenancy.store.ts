import sql from 'sql-template-tag'
import type { Db } from './db/client.ts'

export const selectTenantExists = (db: Db, tenantId: string) =>
  db.one<{ id: string }>(sql`select id from tenants where id = ${tenantId} and deleted_at is null`)

/** The same, and keeps the tenant from being removed until the transaction ends. */
export const lockTenantAgainstRemoval = (db: Db, tenantId: string) =>
  db.one<{ id: string }>(
    sql`select id from tenants where id = ${tenantId} and deleted_at is null for key share`,
  )

/** Takes the tenant's turn for changes of authority, until the transaction ends. */
export const lockTenantAuthority = (db: Db, tenantId: string) =>
  db.run(sql`select 1 from tenants where id = ${tenantId} for no key update`)

/** Puts another tenant in scope for the rest of the transaction. */
export const enterTenant = (db: Db, tenantId: string) =>
  db.run(sql`select set_config('app.tenant_id', ${tenantId}, true)`)
