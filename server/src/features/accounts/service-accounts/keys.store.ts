import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import type { Key } from './service-accounts.schemas.ts'

const columns = sql`id, name, prefix, created_by, ${isoTime('created_at')} as created_at,
  ${isoTime('expires_at')} as expires_at, ${isoTime('last_used_at')} as last_used_at, allowed_cidrs`

export interface ServiceAccountRef {
  tenantId: string
  accountId: number
}

export const selectKeys = (db: Db, { tenantId, accountId }: ServiceAccountRef) =>
  db.many<Key>(sql`
    select ${columns} from service_account_keys
    where tenant_id = ${tenantId} and account_id = ${accountId}
    order by id`)

export const selectKey = (db: Db, { tenantId, accountId }: ServiceAccountRef, id: number) =>
  db.one<Key>(sql`
    select ${columns} from service_account_keys
    where tenant_id = ${tenantId} and account_id = ${accountId} and id = ${id}`)

/** A valid key of an enabled account in an enabled tenant. */
export const selectLivingKey = (db: Db, { tenantId, accountId }: ServiceAccountRef, id: number, now: Date) =>
  db.one<{ id: number }>(sql`
    select k.id from service_account_keys k
    join service_accounts a on a.tenant_id = k.tenant_id and a.id = k.account_id
    join tenants t on t.id = k.tenant_id
    where k.tenant_id = ${tenantId} and k.account_id = ${accountId} and k.id = ${id}
      and (k.expires_at is null or k.expires_at > ${now}) and a.status = 1 and t.status = 1`)

export const countLivingKeys = (db: Db, { tenantId, accountId }: ServiceAccountRef, now: Date) =>
  db.one<{ count: number }>(sql`
    select count(*) as count from service_account_keys
    where tenant_id = ${tenantId} and account_id = ${accountId} and (expires_at is null or expires_at > ${now})`)

export interface NewKey extends ServiceAccountRef {
  name: string
  prefix: string
  /** SHA-256 in hex. */
  hash: string
  createdBy: number
  expiresAt: Date | undefined
  warnAt: Date | undefined
  allowedCidrs: string[]
}

export const insertKey = (db: Db, key: NewKey, now: Date) =>
  db.only<Key>(sql`
    insert into service_account_keys
      (tenant_id, account_id, name, prefix, secret_hash, created_by, created_at, expires_at, warn_at, allowed_cidrs)
    values (${key.tenantId}, ${key.accountId}, ${key.name}, ${key.prefix}, decode(${key.hash}, 'hex'), ${key.createdBy},
      ${now}, ${key.expiresAt ?? null}, ${key.warnAt ?? null}, ${key.allowedCidrs})
    returning ${columns}`)

/** Deletes the expired keys of an account, except the newest `kept` ones: the list of keys has no pages. */
export const deleteExpiredKeyRows = (
  db: Db,
  { tenantId, accountId }: ServiceAccountRef,
  now: Date,
  kept: number,
) =>
  db.run(sql`
    delete from service_account_keys
    where tenant_id = ${tenantId} and id = any (array(
      select id from service_account_keys
      where tenant_id = ${tenantId} and account_id = ${accountId} and expires_at <= ${now}
      order by id desc offset ${kept}))`)

export const deleteKeyRow = (db: Db, { tenantId, accountId }: ServiceAccountRef, id: number) =>
  db.run(sql`
    delete from service_account_keys
    where tenant_id = ${tenantId} and account_id = ${accountId} and id = ${id}`)

export interface DueKey {
  tenant_id: string
  id: number
}

/** The keys whose end administrators are to be told of. Runs as the role of searches. */
export const selectDueKeys = (db: Db, now: Date, limit: number) =>
  db.many<DueKey>(sql`
    select tenant_id, id from service_account_keys where warn_at <= ${now} order by warn_at limit ${limit}`)

export interface WarnedKey {
  name: string
  account_id: number
  account: string
  expires_at: string
  /** True if the account has a newer key that lives longer. */
  is_replaced: boolean
}

/** Marks the warning as given. Undefined if another process has given it. */
export const updateWarned = (db: Db, tenantId: string, { id, now }: { id: number; now: Date }) =>
  db.one<WarnedKey>(sql`
    with warned as (
      update service_account_keys set warn_at = null
      where tenant_id = ${tenantId} and id = ${id} and warn_at <= ${now}
      returning account_id, name, expires_at
    )
    select warned.name, warned.account_id, a.name as account, ${isoTime('warned.expires_at')} as expires_at, exists (
        select from service_account_keys k
        where k.tenant_id = ${tenantId} and k.account_id = warned.account_id and k.id > ${id}
          and (k.expires_at is null or k.expires_at > warned.expires_at)) as is_replaced
    from warned join service_accounts a on a.tenant_id = ${tenantId} and a.id = warned.account_id`)
