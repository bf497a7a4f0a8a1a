import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime, type Slice } from '../../../db/columns.ts'
import { settingsOf } from '../../../db/scope.ts'
import type { Resource } from './resources.schemas.ts'

/** Omits permissions that the product has deleted. */
const columns = sql`r.id, r.identifier, r.name,
  coalesce((
    select json_agg(p.id order by p.id) from permissions p
    where p.id = any (r.permission_ids) and p.removed_at is null
  ), '[]') as permission_ids,
  r.allow_unregistered, r.is_built_in, ${isoTime('r.created_at')} as created_at`

export const selectResources = (db: Db, { limit, offset }: Slice) =>
  db.many<Resource>(sql`
    select ${columns} from resources r order by r.id limit ${limit} offset ${offset}`)

export const countResources = (db: Db) =>
  db.only<{ count: number }>(sql`select count(*) as count from resources`)

export const selectResource = (db: Db, id: number) =>
  db.one<Resource>(sql`select ${columns} from resources r where r.id = ${id}::bigint`)

export const selectUnknownResources = (db: Db, ids: number[], isThirdParty: boolean) =>
  db.many<{ id: number }>(sql`
    select id from unnest(${ids}::bigint[]) as wanted(id)
    where not exists (select from resources r where r.id = wanted.id and (${isThirdParty} or not r.is_built_in))`)

/** A client with one of these ids. The resource could accept that client's tokens as its own. */
export const selectClientNamed = (db: Db, names: string[]) =>
  db.one<{ id: number }>(sql`select id from applications where client_id = any (${names}::text[]) limit 1`)

export interface ResourceRow extends Omit<Resource, 'id' | 'is_built_in' | 'created_at'> {
  /** The identifier in the form in which identifiers are compared. */
  folded: string
}

/** Can violate `resources_identifier_key`. */
export const insertResource = (db: Db, row: ResourceRow, now: Date) =>
  db.only<Resource>(sql`
    insert into resources as r (identifier, identifier_folded, name, permission_ids, allow_unregistered, created_at)
    values (${row.identifier}, ${row.folded}, ${row.name}, ${row.permission_ids}::integer[], ${row.allow_unregistered},
      ${now})
    returning ${columns}`)

export const selectBuiltInResource = (db: Db) =>
  db.one<Resource>(sql`select ${columns} from resources r where r.is_built_in`)

/** Can violate `resources_identifier_key`. Does nothing if another replica has made the resource. */
export const insertBuiltInResource = (
  db: Db,
  { identifier, folded, name }: Pick<ResourceRow, 'identifier' | 'folded' | 'name'>,
  now: Date,
) =>
  db.run(sql`
    insert into resources (identifier, identifier_folded, name, permission_ids, allow_unregistered, is_built_in, created_at)
    values (${identifier}, ${folded}, ${name}, '{}', true, true, ${now})
    on conflict (is_built_in) where is_built_in do nothing`)

/** Can violate `resources_identifier_key`. */
export const updateBuiltInIdentifier = (db: Db, identifier: string, folded: string) =>
  db.run(sql`
    update resources set identifier = ${identifier}, identifier_folded = ${folded}
    where is_built_in`)

/** Can violate `resources_identifier_key`. */
export const updateResource = (db: Db, id: number, row: ResourceRow) =>
  db.only<Resource>(sql`
    update resources as r
    set identifier = ${row.identifier}, identifier_folded = ${row.folded}, name = ${row.name},
      permission_ids = ${row.permission_ids}::integer[], allow_unregistered = ${row.allow_unregistered}
    where r.id = ${id}
    returning ${columns}`)

/** Deletes the resource, and removes it from applications. */
export const deleteResourceRow = (db: TransactionDb, id: number): void => {
  db.send(sql`
    update applications set resource_ids = array_remove(resource_ids, ${id}::bigint)
    where ${id}::bigint = any (resource_ids)`)
  db.send(sql`delete from resources where id = ${id}`)
}

export const deleteGrantRowsOfResource = (db: TransactionDb, id: number): void => {
  db.send(settingsOf({ role: 'tenantry_login', 'app.resource_id': String(id) }))
  db.send(sql`delete from grants where resource_id = ${id}`)
  db.send(settingsOf({ role: 'tenantry_app', 'app.resource_id': '' }))
}
