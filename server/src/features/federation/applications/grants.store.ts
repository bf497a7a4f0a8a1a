import sql, { empty, type Sql } from 'sql-template-tag'
import { lockingAccountOfUser } from '../../../db/account-lock.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { countUpTo, isoTime, type Slice } from '../../../db/columns.ts'
import type { Grant } from './grants.schemas.ts'

const columns = sql`g.id, json_build_object('id', a.id, 'name', a.name, 'host', g.host) as application, g.user_id, g.scopes,
  coalesce(r.identifier, '') as resource, (
    select ${isoTime('max(s.last_used_at)')} from sessions s
    where s.tenant_id = g.tenant_id and s.user_id = g.user_id and s.grant_id = g.id) as last_used_at,
  ${isoTime('g.created_at')} as created_at`

const joined = sql`
  from grants g
  join applications a on a.id = g.application_id
  left join resources r on r.id = g.resource_id`

/** The most listed consents, the newest first: the list has no pages. */
const listedMax = 200

export const selectGrantsOfUser = (db: Db, tenantId: string, userId: number) =>
  db.many<Grant>(sql`
    select ${columns} ${joined} where g.tenant_id = ${tenantId} and g.user_id = ${userId}
    order by g.id desc limit ${listedMax}`)

export interface GrantFilter {
  applicationId?: number | undefined
  userId?: number | undefined
}

const matching = (tenantId: string, { applicationId, userId }: GrantFilter): Sql => sql`
  where g.tenant_id = ${tenantId}
    ${applicationId === undefined ? empty : sql`and g.application_id = ${applicationId}`}
    ${userId === undefined ? empty : sql`and g.user_id = ${userId}`}`

export const selectGrants = (db: Db, tenantId: string, filter: GrantFilter, { limit, offset }: Slice) =>
  db.many<Grant>(sql`
    select ${columns} ${joined} ${matching(tenantId, filter)}
    order by g.id desc limit ${limit} offset ${offset}`)

export const countGrants = (db: Db, tenantId: string, filter: GrantFilter, max: number) =>
  db.only<{ count: number }>(countUpTo(max, sql`from grants g ${matching(tenantId, filter)}`))

export const selectGrant = (db: Db, tenantId: string, id: number) =>
  db.one<Grant>(sql`select ${columns} ${joined} where g.tenant_id = ${tenantId} and g.id = ${id}::bigint`)

/** The user, client, resource and host of a consent. Each combination has one consent. */
export interface ConsentSubject {
  tenantId: string
  userId: number
  applicationId: number
  /** The resource, or 0 for none. */
  resourceId: number
  /** The host of the redirect address. */
  host: string
}

export interface StoredGrant {
  id: number
  scopes: string[]
}

export const selectGrantOf = (
  db: Db,
  { tenantId, userId, applicationId, resourceId, host }: ConsentSubject,
) =>
  db.one<StoredGrant>(sql`
    select id, scopes from grants
    where tenant_id = ${tenantId} and user_id = ${userId} and application_id = ${applicationId}
      and resource_id = ${resourceId} and host = ${host}`)

/** Creates a consent, or replaces its scopes. */
export const upsertGrant = (
  db: Db,
  { tenantId, userId, applicationId, resourceId, host }: ConsentSubject,
  scopes: string[],
  now: Date,
) =>
  db.only<StoredGrant>(sql`
    insert into grants (tenant_id, user_id, application_id, resource_id, host, scopes, created_at)
    values (${tenantId}, ${userId}, ${applicationId}, ${resourceId}, ${host}, ${scopes}::text[], ${now})
    on conflict on constraint grants_subject_key do update set scopes = excluded.scopes
    returning id, scopes`)

/** Locks a user's account, so that none of its sessions opens meanwhile. */
export const lockAccountOfUser = (db: TransactionDb, tenantId: string, userId: number) =>
  db.one(lockingAccountOfUser(tenantId, userId))

export const deleteGrantRow = (db: Db, tenantId: string, id: number) =>
  db.one<{ id: number }>(sql`delete from grants where tenant_id = ${tenantId} and id = ${id} returning id`)
