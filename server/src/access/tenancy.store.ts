import sql, { type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../db/client.ts'
import { settingsOf } from '../db/scope.ts'
import type { ApprovalPolicy } from './operations.ts'
import { factorRequired, ssoRequired } from './tenant-settings.sql.ts'

export interface TenantRow {
  /** True if the tenant requires a second factor from all people in its scope. */
  is_factor_required: boolean
  /** True if the tenant requires single sign-on: people reach it only by a connection. */
  is_sso_required: boolean
  /** The operations that need approvals. Null if there are none. */
  policies: ApprovalPolicy[] | null
}

const approvalPolicies = (tenantId: Sql): Sql => sql`(
  select json_agg(json_build_object('operation', operation, 'approvals', approvals,
    'permission_codes', permission_codes, 'break_glass', break_glass))
  from approval_policies where tenant_id = ${tenantId})`

/** Undefined for a removed tenant. Runs in the tenant's scope, because it reads the tenant's settings. */
export const selectTenantInScope = (db: Db, tenantId: string) =>
  db.one<TenantRow>(sql`
    select ${factorRequired(sql`${tenantId}`)} as is_factor_required, ${ssoRequired(sql`${tenantId}`)} as is_sso_required,
      ${approvalPolicies(sql`${tenantId}`)} as policies
    from tenants where id = ${tenantId} and deleted_at is null`)

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A tenant by its id or slug, in lower case. */
export const selectTenantId = (db: Db, named: string) =>
  db.one<{ id: string }>(sql`
    select id from tenants
    where (id = ${uuid.test(named) ? named : null}::uuid or slug = ${named}) and deleted_at is null`)

/**
 * Locks the tenant against removal until the transaction ends. Returns undefined if it is removed already. Writers
 * share an advisory lock, because each row lock would write to the WAL. The second statement runs behind the lock, so
 * it sees every committed removal. `awaitWriters` waits for the lock after a removal.
 */
export const lockTenantAgainstRemoval = (db: TransactionDb, tenantId: string) => {
  db.send(sql`select pg_advisory_xact_lock_shared(hashtext('tenantry tenant'), hashtext(${tenantId}))`)
  return selectTenantInScope(db, tenantId)
}

/** Waits for the open writes of the tenant, and excludes others until the transaction ends. */
export const lockTenantAlone = (db: TransactionDb, tenantId: string) => {
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry tenant'), hashtext(${tenantId}))`)
  return selectTenantInScope(db, tenantId)
}

/** Locks the catalogue against change until the transaction ends. */
export const lockCatalogueAgainstChange = (db: TransactionDb): void =>
  db.send(sql`select pg_advisory_xact_lock_shared(hashtext('tenantry catalogue'))`)

/**
 * Takes the tenant's authority lock until the transaction ends. Locks the catalogue against change and the tenant
 * against removal. It locks the catalogue first, because a change of the catalogue waits for one tenant after another.
 */
export const lockTenantAuthority = (db: TransactionDb, tenantId: string) => {
  lockCatalogueAgainstChange(db)
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry authority'), hashtext(${tenantId}))`)
  return lockTenantAgainstRemoval(db, tenantId)
}

/** Excludes changes of authority in the tenant until the transaction ends. */
export const shareAuthority = (db: TransactionDb, tenantId: string): void =>
  db.send(sql`select pg_advisory_xact_lock_shared(hashtext('tenantry authority'), hashtext(${tenantId}))`)

/** Does the same, and locks the tenant against removal. Transactions that create users share this lock. */
export const lockAuthorityAgainstChange = (db: TransactionDb, tenantId: string) => {
  shareAuthority(db, tenantId)
  return lockTenantAgainstRemoval(db, tenantId)
}

/** Excludes every change of authority in all tenants until the transaction ends. */
export const lockOutAuthority = (db: TransactionDb): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry catalogue'))`)

/** Excludes every change of authority in all tenants, and locks this tenant against removal. */
export const lockCatalogue = (db: TransactionDb, tenantId: string) => {
  lockOutAuthority(db)
  return lockTenantAgainstRemoval(db, tenantId)
}

/** Locks all feature flags until the transaction ends, so that their revisions commit in order. */
export const lockFlags = (db: TransactionDb): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry flags'))`)

/** Puts another tenant in scope for the later statements of the transaction. */
export const enterTenant = (db: TransactionDb, tenantId: string): void =>
  db.send(settingsOf({ 'app.tenant_id': tenantId }))
