import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Db, Store, TransactionDb } from '../../../db/client.ts'
import { isoTime, takesLong, type Slice } from '../../../db/columns.ts'
import { settingsOf } from '../../../db/scope.ts'
import { containing } from '../../../values/text.ts'
import { heldRoles } from '../../../access/held-roles.sql.ts'
import { countedUsers, limitOf, rowsOf } from '../../../access/limits.sql.ts'
import { administratorRole } from '../../../access/templates.sql.ts'
import type { Figures, Tenant, TenantQuery } from './tenants.schemas.ts'

const columns = sql`id, name, slug, status, ${isoTime('created_at')} as created_at, ${isoTime('updated_at')} as updated_at`

export interface TenantFilter {
  search?: TenantQuery['search'] | undefined
  status?: TenantQuery['status'] | undefined
  /** Only tenants among these. */
  ids?: string[] | undefined
}

/** A search reads the name of every tenant (decision 0008). */
const matching = ({ search = '', status, ids }: TenantFilter): Sql => {
  const pattern = containing(search)
  return sql`
    deleted_at is null ${ids === undefined ? empty : sql`and id = any (${ids}::uuid[])`} ${status === undefined ? empty : sql`and status = ${status}`}
    ${search === '' ? empty : sql`and (lower(name) like ${pattern} or slug like ${pattern})`}`
}

const eachId = sql`tenants.id`

/** Each reads one tenant by indexes. */
const figures = sql`
  (${rowsOf(sql`users`, eachId)}) as users,
  (select count(*) from ${heldRoles} r
    where tenant_id = ${eachId} and role_id = ${administratorRole(eachId)}
      and exists (select from users u where u.tenant_id = r.tenant_id and u.id = r.user_id)) as administrators,
  (select coalesce(to_char(max(last_seen_on), 'YYYY-MM-DD'), '') collate "C" from users where tenant_id = ${eachId}) as last_seen_on,
  (select case when most = 0 then 100 when most > 0 then round(100.0 * (${countedUsers(eachId)}) / most) end::int
    from (select ${limitOf(eachId, 'users')} as most) as limited) as limit_share`

/** The order of texts is the same on every engine and locale. */
const values = {
  created_at: 'tenants.created_at',
  name: 'lower(name) collate "C"',
  slug: 'slug collate "C"',
  status: 'status',
  updated_at: 'tenants.updated_at',
  users: 'users',
  administrators: 'administrators',
  last_seen_on: 'last_seen_on',
  limit_share: 'limit_share',
} as const

/** Only the order of creation has an index. For any other order PostgreSQL sorts all matches. */
const inOrder = (sort: NonNullable<TenantQuery['sort']>): Sql => {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const value = values[sort.replace('-', '') as keyof typeof values]
  return raw(`order by ${value} ${direction} nulls last, id ${direction}`)
}

/** Tenants in an order: one page, or all of them. */
export const selectTenants = (
  db: Db,
  filter: TenantFilter,
  { sort = 'created_at', slice }: { sort?: TenantQuery['sort']; slice?: Slice },
) =>
  db.many<Tenant>(
    takesLong(sql`
      select ${columns} from tenants where ${matching(filter)} ${inOrder(sort)}
      ${slice ? sql`limit ${slice.limit} offset ${slice.offset}` : empty}`),
  )

/**
 * As `selectTenants`, with figures. An order by a figure reads it of every match; PostgreSQL reads the other ones of the
 * page alone. Runs as the role `tenantry_search`, because it reads rows of all tenants.
 */
export const selectTenantsWithFigures = (
  db: Db,
  filter: TenantFilter,
  { sort = 'created_at', slice }: { sort?: TenantQuery['sort']; slice?: Slice },
) =>
  db.many<Tenant & Figures>(
    takesLong(sql`
      select ${columns}, ${figures} from tenants where ${matching(filter)} ${inOrder(sort)}
      ${slice ? sql`limit ${slice.limit} offset ${slice.offset}` : empty}`),
  )

export const countTenants = (db: Db, filter: TenantFilter) =>
  db.one<{ count: number }>(takesLong(sql`select count(*) as count from tenants where ${matching(filter)}`))

export const selectTenant = (db: Db, id: string) =>
  db.one<Tenant>(sql`select ${columns} from tenants where id = ${id} and deleted_at is null`)

/** Locks the tenant, so that other changes of it wait until the transaction ends. */
export const selectTenantForChange = (db: Db, id: string) =>
  db.one<Tenant>(
    sql`select ${columns} from tenants where id = ${id} and deleted_at is null for no key update`,
  )

/**
 * Waits for open writes in a removed tenant, which share its lock (`lockTenantAgainstRemoval`). New writes see the mark
 * of the removal. A wait before the mark would let new writes in between.
 */
export const awaitWriters = (store: Store, id: string) =>
  store.transaction({}, (db) => {
    db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry tenant'), hashtext(${id}))`)
    // Background work and foreign keys lock the row instead.
    return db.run(sql`select id from tenants where id = ${id} for update`)
  })

export interface NewTenant extends Pick<Tenant, 'id' | 'name' | 'slug'> {
  /** The account whose sign-up creates the tenant. */
  founderId?: number | undefined
}

/** Can violate `tenants_slug_key`. */
export const insertTenant = (db: Db, { id, name, slug, founderId }: NewTenant, now: Date) =>
  db.only<Tenant>(sql`
    insert into tenants (id, name, slug, founder_account_id, created_at, updated_at)
    values (${id}, ${name}, ${slug}, ${founderId ?? null}, ${now}, ${now})
    returning ${columns}`)

/** Can violate `tenants_slug_key`. */
export const updateTenant = (db: Db, tenant: Tenant, now: Date) =>
  db.one<Tenant>(sql`
    update tenants set name = ${tenant.name}, slug = ${tenant.slug}, status = ${tenant.status}, updated_at = ${now}
    where id = ${tenant.id}
    returning ${columns}`)

/** Marks a tenant as removed. The tenant becomes unreachable, and its slug free. */
export const updateTenantRemoved = (db: Db, id: string, now: Date) =>
  db.run(sql`update tenants set deleted_at = ${now} where id = ${id}`)

export const selectRemovedTenants = (db: Db) =>
  db.many<{ id: string }>(sql`select id from tenants where deleted_at is not null`)

export const deleteTenantRow = (db: Db, id: string) =>
  db.run(sql`delete from tenants where id = ${id} and deleted_at is not null`)

/** Takes the purge's lock until the transaction ends, so that only the last batch finds fewer rows than its limit. */
export const lockPurge = (db: Db, id: string) =>
  db.run(sql`select pg_advisory_xact_lock(hashtext('tenantry purge'), hashtext(${id}))`)

/**
 * Sets a removed tenant as the scope of `tenantry_purge` until the transaction ends. The statement checks the mark in
 * the tenant's row, so an existing tenant is never the scope.
 */
export const enterRemovedTenant = (db: Db, id: string) =>
  db.run(sql`
    select set_config('app.removed_tenant_id', id::text, true) from tenants where id = ${id} and deleted_at is not null`)

/**
 * Makes PostgreSQL use only indexes for the rest of the transaction: with its stale statistics it would read all
 * tenants' rows. The commit does not wait for the disk, so that it delays no other commit. After a crash the purge
 * repeats its work.
 */
export const tunePurge = (db: Db) => db.run(settingsOf({ enable_seqscan: 'off', synchronous_commit: 'off' }))

/** Tables of a tenant. A table comes before the tables that it refers to. */
export const purgedTables = [
  'approval_decisions',
  'approvals',
  'approval_policies',
  'webhook_deliveries',
  'webhooks',
  'webhook_leases',
  'role_permissions',
  'user_roles',
  'eligible_roles',
  'elevations',
  'grants',
  'invitations',
  'notifications',
  'sendings',
  'tenant_settings',
  'tenant_setting_versions',
  'tenant_setting_secrets',
  'setting_secret_reads',
  'user_settings',
  'user_attributes',
  'tenant_attributes',
  'roles',
  'service_account_keys',
  'service_accounts',
  'tenant_days',
  'review_items',
  'reviews',
  'limit_notices',
  'scim_group_members',
  'scim_groups',
  'scim_users',
  'group_mappings',
  'sso_attempts',
  'sso_outcomes',
  'sso_links',
  'sso_exemptions',
  'setup_guests',
  'setup_links',
  'domains',
  'connections',
  'support_openings',
  'support_requests',
  'support_sessions',
] as const

/** The audit log comes last, because a part of it can be on an unreachable server. */
export const purgedRecords = ['audit_unsealed', 'audit_logs', 'audit_leftovers'] as const

/** Deleted after the tombstone, which names the end of the chain. */
export const purgedChain = ['audit_seals', 'audit_heads'] as const

export type PurgedTable = (typeof purgedTables | typeof purgedRecords | typeof purgedChain)[number]

/** Deletes up to `limit` rows of a removed tenant from a table. Returns their number. */
export const deleteRowsOfTenant = (db: Db, table: PurgedTable, tenantId: string, limit: number) =>
  db.run(sql`
    delete from ${raw(table)}
    where tenant_id = ${tenantId} and ${raw(rowOf(table))} = any (
      array(select ${raw(rowOf(table))} from ${raw(table)} where tenant_id = ${tenantId} limit ${limit}))`)

/** The fastest key of a row. On other servers, rows are found by id. */
const rowOf = (table: string): string => (table === 'audit_logs' ? 'id' : 'ctid')

export const deleteHookSecrets = (db: Db, tenantId: string) =>
  db.run(sql`delete from webhook_secrets where webhook_tenant_id = ${tenantId}`)

/**
 * Deletes the secrets of a removed tenant's connections. Also frees domains that the tenant verified during its
 * removal.
 */
export const deleteConnectionSecrets = async (db: TransactionDb, tenantId: string): Promise<void> => {
  deleteDomainOwners(db, tenantId)
  await db.run(sql`delete from connection_secrets where connection_tenant_id = ${tenantId}`)
}

/** Deletes the tenant's overrides of flags, under the lock of all flags. Replicas read those flags again. */
export const deleteFlagOverrides = (db: TransactionDb, tenantId: string): void => {
  db.send(sql`
    update flags set revision = nextval('flag_revisions')
    where key in (select flag_key from flag_overrides where override_tenant_id = ${tenantId})`)
  db.send(sql`delete from flag_overrides where override_tenant_id = ${tenantId}`)
}

export const deleteDomainOwners = (db: TransactionDb, tenantId: string): void =>
  db.send(sql`delete from domain_owners where owner_tenant_id = ${tenantId}`)

/** Deletes up to `limit` users of a removed tenant. Returns the ids of their accounts. */
export const deleteUserRowsOfTenant = (db: Db, tenantId: string, limit: number) =>
  db.many<{ account_id: number }>(sql`
    delete from users
    where tenant_id = ${tenantId} and ctid = any (array(select ctid from users where tenant_id = ${tenantId} limit ${limit}))
    returning account_id`)

/**
 * Shows the purge the users of these accounts in all tenants, until the transaction ends. Serialises purges: otherwise
 * the purges of two tenants would each leave a shared account to the other.
 */
export const enterAccounts = (db: TransactionDb, ids: number[]): void => {
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry purge accounts'))`)
  db.send(settingsOf({ 'app.account_ids': `{${ids.join(',')}}` }))
}

/** Deletes the accounts that have no users left, among `ids`. */
export const deleteAccountRows = (db: Db, ids: number[]) =>
  db.run(sql`
    with kept as materialized (select account_id from users where account_id = any (${ids}))
    delete from accounts where id = any (${ids}) and id not in (select account_id from kept)`)
