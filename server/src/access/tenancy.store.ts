import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../db/client.ts'
import { settingsOf } from '../db/scope.ts'
import { factorRequired, ssoRequired } from './tenant-settings.sql.ts'

/** An existing tenant. */
export interface TenantRow {
  /** Whether people in scope of it need a second factor. */
  is_factor_required: boolean
  /** Whether nothing but a connection leads into it. */
  is_sso_required: boolean
}

/** Undefined for a removed tenant. Runs in the scope of the tenant, whose settings it reads. */
export const selectTenantInScope = (db: Db, tenantId: string) =>
  db.one<TenantRow>(sql`
    select ${factorRequired(sql`${tenantId}`)} as is_factor_required, ${ssoRequired(sql`${tenantId}`)} as is_sso_required
    from tenants where id = ${tenantId} and deleted_at is null`)

/**
 * Locks the tenant against removal until the transaction ends; undefined when it is removed already. Writers share an
 * advisory lock, because each row lock would write to the WAL. The second statement runs behind the lock, so it sees
 * every committed removal. `awaitWriters` waits for the lock after a removal.
 */
export const lockTenantAgainstRemoval = (db: TransactionDb, tenantId: string) => {
  db.send(sql`select pg_advisory_xact_lock_shared(hashtext('tenantry tenant'), hashtext(${tenantId}))`)
  return selectTenantInScope(db, tenantId)
}

/** Keeps the catalogue as it is until the transaction ends. */
export const lockCatalogueAgainstChange = (db: TransactionDb): void =>
  db.send(sql`select pg_advisory_xact_lock_shared(hashtext('tenantry catalogue'))`)

/**
 * Takes the tenant's authority lock, and locks catalogue and tenant against change and removal, until the transaction
 * ends. The lock of the catalogue comes first: its changes wait for tenants in turn.
 */
export const lockTenantAuthority = (db: TransactionDb, tenantId: string) => {
  lockCatalogueAgainstChange(db)
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry authority'), hashtext(${tenantId}))`)
  return lockTenantAgainstRemoval(db, tenantId)
}

/** Takes the lock that every change of authority shares, until the transaction ends. */
export const lockOutAuthority = (db: TransactionDb): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry catalogue'))`)

/** Takes the lock that every change of authority shares, and locks the tenant against removal. */
export const lockCatalogue = (db: TransactionDb, tenantId: string) => {
  lockOutAuthority(db)
  return lockTenantAgainstRemoval(db, tenantId)
}

/** Takes the lock of all feature flags until the transaction ends: their revisions commit in their order. */
export const lockFlags = (db: TransactionDb): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry flags'))`)

/** Puts another tenant in scope for the statements that follow in the transaction. */
export const enterTenant = (db: TransactionDb, tenantId: string): void =>
  db.send(settingsOf({ 'app.tenant_id': tenantId }))
