import sql, { raw } from 'sql-template-tag'
import { insertSystemRoles } from '../../db/catalogue.ts'
import type { Db, Store } from '../../db/client.ts'
import { isoTime, mayTakeLong } from '../../db/columns.ts'
import type { Tenant } from './tenants.schemas.ts'

const columns = sql`id, name, slug, status, ${isoTime('created_at')} as created_at, ${isoTime('updated_at')} as updated_at`

export const selectTenants = (db: Db) =>
  db.many<Tenant>(
    sql`${mayTakeLong} select ${columns} from tenants where deleted_at is null order by tenants.created_at, id`,
  )

export const selectTenant = (db: Db, id: string) =>
  db.one<Tenant>(sql`select ${columns} from tenants where id = ${id} and deleted_at is null`)

/** The tenant, locked against other changes of it until the transaction ends. */
export const selectTenantForChange = (db: Db, id: string) =>
  db.one<Tenant>(
    sql`select ${columns} from tenants where id = ${id} and deleted_at is null for no key update`,
  )

/**
 * Waits for the writers that were under way in a removed tenant: each holds a key share lock (see `inTransaction`).
 * New ones see the mark. Locking first and marking then would let newcomers pass the waiting lock without end.
 */
export const awaitWriters = (store: Store, id: string) =>
  store.transaction({}, (db) => db.run(sql`select id from tenants where id = ${id} for update`))

/** May break `tenants_slug_key`. */
export const insertTenant = (db: Db, tenant: Pick<Tenant, 'id' | 'name' | 'slug'>, now: Date) =>
  db.one<Tenant>(sql`
    insert into tenants (id, name, slug, created_at, updated_at)
    values (${tenant.id}, ${tenant.name}, ${tenant.slug}, ${now}, ${now})
    returning ${columns}`)

/** The roles every tenant has. In the scope of the tenant. */
export const insertRoles = (db: Db, tenantId: string, now: Date) => db.run(insertSystemRoles(tenantId, now))

/** May break `tenants_slug_key`. */
export const updateTenant = (db: Db, tenant: Tenant, now: Date) =>
  db.one<Tenant>(sql`
    update tenants set name = ${tenant.name}, slug = ${tenant.slug}, status = ${tenant.status}, updated_at = ${now}
    where id = ${tenant.id}
    returning ${columns}`)

/** From here on nothing of the tenant can be reached; its slug is free. */
export const updateTenantRemoved = (db: Db, id: string, now: Date) =>
  db.run(sql`update tenants set deleted_at = ${now} where id = ${id}`)

export const selectRemovedTenants = (db: Db) =>
  db.many<{ id: string }>(sql`select id from tenants where deleted_at is not null`)

export const deleteTenantRow = (db: Db, id: string) => db.run(sql`delete from tenants where id = ${id}`)

/** Takes the turn for purging a tenant, until the transaction ends: a batch then finds fewer rows only at the end. */
export const lockPurge = (db: Db, id: string) =>
  db.run(sql`select pg_advisory_xact_lock(hashtext('tenantry purge'), hashtext(${id}))`)

/**
 * For the rest of the transaction rows are found by indexes, also those that a foreign key looks for: statistics still count
 * what has just been deleted, and PostgreSQL would read all tenants' rows to find that none of this one is left. And it is
 * over before it is on the disk, so that nobody else's waits behind it there: what a crash takes of a purge is done again.
 */
export const settlePurge = (db: Db) =>
  db.run(sql`select set_config('enable_seqscan', 'off', true), set_config('synchronous_commit', 'off', true)`)

/** Tables of a tenant in the order in which nothing refers to a deleted row. */
export const purgedTables = [
  'role_permissions',
  'user_roles',
  'sessions',
  'notifications',
  'tenant_settings',
  'audit_unsealed',
  'audit_logs',
  'audit_counts',
  'audit_seals',
  'audit_heads',
  'roles',
  'user_counts',
] as const

/** Deletes up to `limit` rows of a removed tenant from a table; returns how many. */
export const deleteRowsOfTenant = (
  db: Db,
  table: (typeof purgedTables)[number] | 'activity_counts',
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

export const deleteAccountRows = (db: Db, ids: number[]) =>
  db.run(sql`delete from accounts where id = any (${ids})`)
