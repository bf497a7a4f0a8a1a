import sql, { raw } from 'sql-template-tag'
import type { Db, Store } from '../../db/client.ts'
import { isoTime, takesLong } from '../../db/columns.ts'
import type { Tenant } from './tenants.schemas.ts'

const columns = sql`id, name, slug, status, ${isoTime('created_at')} as created_at, ${isoTime('updated_at')} as updated_at`

export const selectTenants = (db: Db) =>
  db.many<Tenant>(
    takesLong(sql`select ${columns} from tenants where deleted_at is null order by tenants.created_at, id`),
  )

export const selectTenant = (db: Db, id: string) =>
  db.one<Tenant>(sql`select ${columns} from tenants where id = ${id} and deleted_at is null`)

/** The tenant, locked against other changes of it until the transaction ends. */
export const selectTenantForChange = (db: Db, id: string) =>
  db.one<Tenant>(
    sql`select ${columns} from tenants where id = ${id} and deleted_at is null for no key update`,
  )

/**
 * Waits for open writes in a removed tenant: each shares its lock (`lockTenantAgainstRemoval`). New writes see the
 * mark. Waiting before marking would let new writes in between.
 */
export const awaitWriters = (store: Store, id: string) =>
  store.transaction({}, (db) => {
    db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry tenant'), hashtext(${id}))`)
    // Background work and foreign keys lock the row instead.
    return db.run(sql`select id from tenants where id = ${id} for update`)
  })

/** May break `tenants_slug_key`. */
export const insertTenant = (db: Db, tenant: Pick<Tenant, 'id' | 'name' | 'slug'>, now: Date) =>
  db.one<Tenant>(sql`
    insert into tenants (id, name, slug, created_at, updated_at)
    values (${tenant.id}, ${tenant.name}, ${tenant.slug}, ${now}, ${now})
    returning ${columns}`)

/** May break `tenants_slug_key`. */
export const updateTenant = (db: Db, tenant: Tenant, now: Date) =>
  db.one<Tenant>(sql`
    update tenants set name = ${tenant.name}, slug = ${tenant.slug}, status = ${tenant.status}, updated_at = ${now}
    where id = ${tenant.id}
    returning ${columns}`)

/** Marks a tenant as removed: it is unreachable from then on, and its slug is free. */
export const updateTenantRemoved = (db: Db, id: string, now: Date) =>
  db.run(sql`update tenants set deleted_at = ${now} where id = ${id}`)

export const selectRemovedTenants = (db: Db) =>
  db.many<{ id: string }>(sql`select id from tenants where deleted_at is not null`)

export const deleteTenantRow = (db: Db, id: string) =>
  db.run(sql`delete from tenants where id = ${id} and deleted_at is not null`)

/** Takes the purge's lock until the transaction ends: only the last batch then finds fewer rows. */
export const lockPurge = (db: Db, id: string) =>
  db.run(sql`select pg_advisory_xact_lock(hashtext('tenantry purge'), hashtext(${id}))`)

/**
 * Sets a removed tenant as the scope of `tenantry_purge` until the transaction ends. The statement reads the mark in
 * the tenant's row, so a living tenant never comes into scope.
 */
export const enterRemovedTenant = (db: Db, id: string) =>
  db.run(sql`
    select set_config('app.removed_tenant_id', id::text, true) from tenants where id = ${id} and deleted_at is not null`)

/**
 * Uses indexes only, for the rest of the transaction. Statistics still count the deleted rows, and PostgreSQL would
 * read all tenants' rows instead. The commit does not wait for the disk, so no other commit waits behind it; a purge
 * repeats what a crash undid.
 */
export const settlePurge = (db: Db) =>
  db.run(sql`select set_config('enable_seqscan', 'off', true), set_config('synchronous_commit', 'off', true)`)

/** Tables of a tenant, referring tables first. */
export const purgedTables = [
  'role_permissions',
  'user_roles',
  'sessions',
  'invitations',
  'notifications',
  'tenant_settings',
  'audit_unsealed',
  'audit_logs',
  'audit_seals',
  'audit_heads',
  'roles',
  'service_account_keys',
  'service_accounts',
  'tenant_days',
] as const

/** Deletes up to `limit` rows of a removed tenant from a table; returns how many. */
export const deleteRowsOfTenant = (
  db: Db,
  table: (typeof purgedTables)[number],
  tenantId: string,
  limit: number,
) =>
  db.run(sql`
    delete from ${raw(table)}
    where ctid = any (array(select ctid from ${raw(table)} where tenant_id = ${tenantId} limit ${limit}))`)

/** Deletes up to `limit` users of a removed tenant; returns their accounts. */
export const deleteUserRowsOfTenant = (db: Db, tenantId: string, limit: number) =>
  db.many<{ account_id: number }>(sql`
    delete from users
    where ctid = any (array(select ctid from users where tenant_id = ${tenantId} limit ${limit}))
    returning account_id`)

/**
 * Lets the purge see the users of these accounts in all tenants until the transaction ends. Purges of two tenants take
 * turns, or each would leave an account that both share to the other.
 */
export const enterAccounts = (db: Db, ids: number[]) =>
  db.run(sql`
    select pg_advisory_xact_lock(hashtext('tenantry purge accounts')),
      set_config('app.account_ids', ${`{${ids.join(',')}}`}, true)`)

/** Deletes those of the accounts that have no user left in any tenant. */
export const deleteAccountRows = (db: Db, ids: number[]) =>
  db.run(sql`
    delete from accounts a
    where a.id = any (${ids}) and not exists (select from users u where u.account_id = a.id)`)
