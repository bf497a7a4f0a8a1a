import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime, type Slice } from '../../../db/columns.ts'
import { containing, fold } from '../../../values/text.ts'
import type { ServiceAccount } from './service-accounts.schemas.ts'

const columns = sql`id, tenant_id, name, description, status, ${isoTime('created_at')} as created_at,
  ${isoTime('last_used_at')} as last_used_at`

export interface ServiceAccountFilter {
  search?: string | undefined
  status?: 0 | 1 | undefined
  /** Only accounts with a key that ends between these times. */
  keysEnd?: { after: Date; until: Date } | undefined
}

const matching = (tenantId: string, { search, status, keysEnd }: ServiceAccountFilter): Sql => sql`
  tenant_id = ${tenantId} ${status === undefined ? empty : sql`and status = ${status}`}
  ${search ? sql`and name_folded like ${containing(search)}` : empty}
  ${keysEnd === undefined ? empty : sql`and id in (select account_id from service_account_keys where tenant_id = ${tenantId} and expires_at > ${keysEnd.after} and expires_at <= ${keysEnd.until})`}`

export const selectServiceAccounts = (
  db: Db,
  tenantId: string,
  filter: ServiceAccountFilter,
  { limit, offset }: Slice,
) =>
  db.many<ServiceAccount>(sql`
    select ${columns} from service_accounts where ${matching(tenantId, filter)}
    order by id limit ${limit} offset ${offset}`)

export const countServiceAccounts = (db: Db, tenantId: string, filter: ServiceAccountFilter) =>
  db.one<{ count: number }>(sql`
    select count(*) as count from service_accounts where ${matching(tenantId, filter)}`)

export const selectServiceAccount = (db: Db, tenantId: string, id: number) =>
  db.one<ServiceAccount>(sql`
    select ${columns} from service_accounts where tenant_id = ${tenantId} and id = ${id}`)

/** Locks the account until the transaction ends. */
export const selectServiceAccountForUpdate = (db: Db, tenantId: string, id: number) =>
  db.one<ServiceAccount>(sql`
    select ${columns} from service_accounts where tenant_id = ${tenantId} and id = ${id} for update`)

export type NewServiceAccount = Pick<ServiceAccount, 'tenant_id' | 'name' | 'description'>

/** Can violate `service_accounts_tenant_id_name_key`. */
export const insertServiceAccount = (db: Db, row: NewServiceAccount, now: Date) =>
  db.only<ServiceAccount>(sql`
    insert into service_accounts (tenant_id, name, name_folded, description, created_at)
    values (${row.tenant_id}, ${row.name}, ${fold(row.name)}, ${row.description}, ${now})
    returning ${columns}`)

/** Can violate `service_accounts_tenant_id_name_key`. */
export const updateServiceAccount = (db: Db, row: ServiceAccount) =>
  db.one<ServiceAccount>(sql`
    update service_accounts
    set name = ${row.name}, name_folded = ${fold(row.name)}, description = ${row.description}, status = ${row.status}
    where tenant_id = ${row.tenant_id} and id = ${row.id}
    returning ${columns}`)

/** The connection whose directory uses the account. */
export const selectConnectionOf = (db: Db, tenantId: string, id: number) =>
  db.one<{ id: string }>(
    sql`select id from connections where tenant_id = ${tenantId} and scim_account_id = ${id}`,
  )

/**
 * Deleting the row deletes its keys. The second statement deletes the assignments, which have no foreign key to their
 * holder.
 */
export const deleteServiceAccountRow = (db: TransactionDb, tenantId: string, id: number): void => {
  db.send(sql`delete from service_accounts where tenant_id = ${tenantId} and id = ${id}`)
  db.send(sql`delete from user_roles where tenant_id = ${tenantId} and user_id = ${id}`)
}
