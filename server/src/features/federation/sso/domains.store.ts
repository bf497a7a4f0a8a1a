import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'

export interface DomainRow {
  id: number
  domain: string
  token: string
  status: 'pending' | 'verified' | 'lapsed'
  verified_at: string
  checked_at: string
  /** The time since which the record is missing; "" while it is present. */
  missing_since: string
}

const columns = sql`id, domain, token, status, ${isoTime('verified_at')} as verified_at, ${isoTime('checked_at')} as checked_at,
  ${isoTime('missing_since')} as missing_since`

export const selectDomains = (db: Db, tenantId: string) =>
  db.many<DomainRow>(sql`select ${columns} from domains where tenant_id = ${tenantId} order by id`)

export const selectDomain = (db: Db, tenantId: string, id: number) =>
  db.one<DomainRow>(sql`select ${columns} from domains where tenant_id = ${tenantId} and id = ${id}`)

export const selectDomainForUpdate = (db: Db, tenantId: string, id: number) =>
  db.one<DomainRow>(
    sql`select ${columns} from domains where tenant_id = ${tenantId} and id = ${id} for update`,
  )

/** Can violate `domains_tenant_id_domain_key`. */
export const insertDomain = (db: Db, tenantId: string, row: { domain: string; token: string; now: Date }) =>
  db.only<DomainRow>(sql`
    insert into domains (tenant_id, domain, token, created_at)
    values (${tenantId}, ${row.domain}, ${row.token}, ${row.now})
    returning ${columns}`)

export interface DnsCheck {
  id: number
  status: DomainRow['status']
  verifiedAt: string
  missingSince: string
}

export const updateDomain = (db: Db, tenantId: string, look: DnsCheck, now: Date) =>
  db.only<DomainRow>(sql`
    update domains
    set status = ${look.status}, verified_at = nullif(${look.verifiedAt}, '')::timestamptz, checked_at = ${now},
      missing_since = nullif(${look.missingSince}, '')::timestamptz
    where tenant_id = ${tenantId} and id = ${look.id}
    returning ${columns}`)

/** Whether the domain leads to a connection that is no draft. */
export const selectLeadsOn = (db: Db, tenantId: string, id: number) =>
  db.one<{ id: string }>(sql`
    select c.id from domains d
    join connections c on c.tenant_id = d.tenant_id and c.id = d.connection_id
    where d.tenant_id = ${tenantId} and d.id = ${id} and c.status <> 'draft'`)

export const deleteDomainRow = (db: Db, tenantId: string, id: number) =>
  db.run(sql`delete from domains where tenant_id = ${tenantId} and id = ${id}`)

/**
 * Makes the tenant in scope the domain's owner. Returns 0 if a tenant owns it already. Waits for parallel transactions
 * about the domain.
 */
export const insertOwner = (db: Db, tenantId: string, domain: string) =>
  db.run(sql`
    insert into domain_owners (domain, owner_tenant_id) values (${domain}, ${tenantId}) on conflict do nothing`)

export const deleteOwner = (db: TransactionDb, tenantId: string, domain: string): void =>
  db.send(sql`delete from domain_owners where domain = ${domain} and owner_tenant_id = ${tenantId}`)

/** Verified domains of existing tenants with a last check before `before`. The oldest check comes first. */
export const selectDue = (db: Db, before: Date, limit: number) =>
  db.many<{ tenant_id: string; id: number }>(sql`
    select d.tenant_id, d.id from domains d
    join tenants t on t.id = d.tenant_id and t.deleted_at is null
    where d.status = 'verified' and d.checked_at <= ${before} order by d.checked_at limit ${limit}`)
