import sql, { type Sql } from 'sql-template-tag'
import { takesLong, type Slice } from '../../../db/columns.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { LimitName } from '../../../values/limit-names.ts'
import type { Usage } from './limits.schemas.ts'
import { countedUsers, limitOf, rowsOf } from '../../../access/limits.sql.ts'

export interface Place {
  tenantId: string
  now: Date
}

const used: Record<LimitName, (place: Place) => Sql> = {
  users: ({ tenantId }) => countedUsers(tenantId),
  pending_invitations: ({ tenantId, now }) => sql`
    select count(*) from invitations
    where tenant_id = ${tenantId} and status = 'pending' and expires_at > ${now}`,
  service_accounts: ({ tenantId }) => rowsOf(sql`service_accounts`, tenantId),
  roles: ({ tenantId }) => rowsOf(sql`roles`, tenantId),
  webhooks: ({ tenantId }) => rowsOf(sql`webhooks`, tenantId),
  connections: ({ tenantId }) => rowsOf(sql`connections`, tenantId),
}

/** Changes of a limited number of one tenant wait for each other. Without a limit they run beside each other. */
export const lockRoom = (db: TransactionDb, place: Place, name: LimitName): void =>
  db.send(sql`
    select pg_advisory_xact_lock(hashtext('tenantry room'), hashtext(${place.tenantId}))
    where ${limitOf(place.tenantId, name)} is not null`)

export interface Room {
  limit: number | null
  /** Null without a limit: then PostgreSQL counts nothing. */
  used: number | null
  /** The last notice: 1 for a near limit, 2 for a reached one; null for none. */
  level: number | null
}

export const selectRoom = (db: Db, place: Place, name: LimitName) =>
  db.only<Room>(sql`
    select room."limit", case when room."limit" is not null then (${used[name](place)}) end as used,
      case when room."limit" is not null then
        (select level from limit_notices where tenant_id = ${place.tenantId} and name = ${name}) end as level
    from (select ${limitOf(place.tenantId, name)} as "limit") as room`)

const countOf = (place: Place, name: LimitName): Sql => sql`
  json_build_object('used', (${used[name](place)}), 'limit', ${limitOf(place.tenantId, name)})`

export const selectUsage = (db: Db, place: Place) =>
  db.only<Usage>(
    takesLong(sql`
      select ${countOf(place, 'users')} as users, ${countOf(place, 'pending_invitations')} as pending_invitations,
        ${countOf(place, 'service_accounts')} as service_accounts, ${countOf(place, 'roles')} as roles,
        ${countOf(place, 'webhooks')} as webhooks, ${countOf(place, 'connections')} as connections`),
  )

export const selectTenantIds = (db: Db, { limit, offset }: Slice) =>
  db.many<{ id: string }>(sql`
    select id from tenants where deleted_at is null order by id limit ${limit} offset ${offset}`)

export const countTenants = (db: Db) =>
  db.only<{ count: number }>(sql`select count(*) as count from tenants where deleted_at is null`)

/** Keeps the higher level. Returns no row if it is there already. */
export const upsertNotice = (db: Db, tenantId: string, name: LimitName, level: number) =>
  db.many<{ level: number }>(sql`
    insert into limit_notices as kept (tenant_id, name, level) values (${tenantId}, ${name}, ${level})
    on conflict (tenant_id, name) do update set level = excluded.level where kept.level < excluded.level
    returning level`)

export const deleteNotice = (db: TransactionDb, tenantId: string, name: LimitName): void =>
  db.send(sql`delete from limit_notices where tenant_id = ${tenantId} and name = ${name}`)
