import sql, { empty, type Sql } from 'sql-template-tag'
import { isOfProduct } from '../../../access/templates.sql.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime, type Slice } from '../../../db/columns.ts'
import { containing, fold } from '../../../values/text.ts'
import type { Application } from './applications.schemas.ts'

const secrets = sql`
  coalesce((
    select json_agg(json_build_object('id', s.id, 'created_at', ${isoTime('s.created_at')},
      'expires_at', ${isoTime('s.expires_at')}) order by s.created_at, s.id)
    from application_secrets s
    where s.application_id = a.id
  ), '[]')`

const columns = sql`a.id, a.client_id, a.name, a.kind, a.is_third_party, a.status, ${secrets} as secrets, a.redirect_uris,
  a.post_logout_redirect_uris, a.backchannel_logout_uri, a.allowed_origins, a.grant_types,
  array_to_json(a.resource_ids) as resource_ids, a.require_mfa, a.session_seconds,
  array_to_json(a.tenant_ids) as tenant_ids, a.required_permission, a.tenantry_api, a.logo, a.home_url, a.support_uri,
  ${isoTime('a.created_at')} as created_at, ${isoTime('a.updated_at')} as updated_at`

/** The optional column that a query can include. */
type Included = 'is_registered' | undefined

const columnsWith = (include: Included): Sql =>
  sql`${columns} ${include === undefined ? empty : sql`, a.origin <> 'managed' as is_registered`}`

export interface ApplicationFilter {
  search?: string | undefined
  kind?: Application['kind'] | undefined
  status?: 0 | 1 | undefined
  is_registered?: boolean | undefined
}

const matching = ({ search, kind, status, is_registered: isRegistered }: ApplicationFilter): Sql => sql`
  from applications a
  where true ${kind === undefined ? empty : sql`and a.kind = ${kind}`}
    ${status === undefined ? empty : sql`and a.status = ${status}`}
    ${isRegistered === undefined ? empty : sql`and (a.origin <> 'managed') = ${isRegistered}`}
    ${search ? sql`and a.name_folded like ${containing(search)}` : empty}`

export const selectApplications = (
  db: Db,
  filter: ApplicationFilter,
  { limit, offset, include }: Slice & { include: Included },
) =>
  db.many<Application>(sql`
    select ${columnsWith(include)} ${matching(filter)} order by a.id limit ${limit} offset ${offset}`)

export const countApplications = (db: Db, filter: ApplicationFilter) =>
  db.only<{ count: number }>(sql`select count(*) as count ${matching(filter)}`)

/** Counts the applications that administrators have created. */
export const countManaged = (db: Db) =>
  db.only<{ count: number }>(sql`select count(*) as count from applications where origin = 'managed'`)

export const selectApplication = (db: Db, id: number, include: Included) =>
  db.one<Application>(sql`select ${columnsWith(include)} from applications a where a.id = ${id}::bigint`)

const changeableNames = sql`name, name_folded, status, redirect_uris, post_logout_redirect_uris, backchannel_logout_uri,
  allowed_origins, grant_types, resource_ids, require_mfa, session_seconds, tenant_ids, required_permission, tenantry_api, logo, home_url, support_uri,
  updated_at`

const changeableValues = (row: NewApplication, now: Date): Sql => sql`
  ${row.name}, ${fold(row.name)}, ${row.status}::smallint, ${row.redirect_uris}::text[],
  ${row.post_logout_redirect_uris}::text[], ${row.backchannel_logout_uri}, ${row.allowed_origins}::text[],
  ${row.grant_types}::text[], ${row.resource_ids}::bigint[], ${row.require_mfa}::boolean,
  ${row.session_seconds}::integer, ${row.tenant_ids}::uuid[], ${row.required_permission}, ${row.tenantry_api}::boolean, ${row.logo}, ${row.home_url}, ${row.support_uri},
  ${now}::timestamptz`

export type NewApplication = Omit<Application, 'id' | 'secrets' | 'created_at' | 'updated_at'>

export const insertApplication = (db: Db, row: NewApplication, now: Date) =>
  db.only<Application>(sql`
    insert into applications as a (client_id, kind, is_third_party, created_at, ${changeableNames})
    values (${row.client_id}, ${row.kind}, ${row.is_third_party}, ${now}, ${changeableValues(row, now)})
    returning ${columns}`)

export const updateApplication = (db: Db, row: Application, now: Date) =>
  db.only<Application>(sql`
    update applications as a set (${changeableNames}) = row (${changeableValues(row, now)})
    where a.id = ${row.id}
    returning ${columns}`)

/** Deleting the row deletes its secrets, consents and sessions. */
export const deleteApplicationRow = (db: TransactionDb, id: number): void =>
  db.send(sql`delete from applications where id = ${id}`)

export const selectUnknownTenants = (db: Db, ids: string[]) =>
  db.many<{ id: string }>(sql`
    select id from unnest(${ids}::uuid[]) as wanted(id)
    where not exists (select from tenants t where t.id = wanted.id and t.deleted_at is null)`)

/** Returns the code unless a permission of the product has it. */
export const selectUnknownPermissions = (db: Db, code: string) =>
  db.many<{ code: string }>(sql`
    select wanted.code from (values (${code})) as wanted(code)
    where not exists (
      select from permissions p where p.code = wanted.code and p.${isOfProduct} and p.removed_at is null)`)

export interface NewSecret {
  id: string
  /** SHA-256 in hex. */
  hash: string
  expiresAt: Date | undefined
}

export const insertSecret = (
  db: TransactionDb,
  applicationId: number,
  { id, hash, expiresAt }: NewSecret,
  now: Date,
): void =>
  db.send(sql`
    insert into application_secrets (id, application_id, secret_hash, created_at, expires_at)
    values (${id}, ${applicationId}, decode(${hash}, 'hex'), ${now}, ${expiresAt ?? null})`)

export const deleteSecretRow = (db: TransactionDb, id: string): void =>
  db.send(sql`delete from application_secrets where id = ${id}`)

/** Deletes the expired secrets, which have no use, when a secret is added. */
export const deleteExpiredSecretRows = (db: TransactionDb, applicationId: number, now: Date): void =>
  db.send(
    sql`delete from application_secrets where application_id = ${applicationId} and expires_at <= ${now}`,
  )
